//! How surfaces act on fluid: what of it is refused.

use super::support::{CUBE, GOOD, faults_of};
use hashfall_scene::{Severity, Source, prepare};

/// Text that replaces a piece of the good scene, where in it the fault is shown, and part of its
/// message.
type Fault = (&'static str, &'static str, &'static str);

const DOMAIN: &str = "max: (1, 1, 1.5)),\n    particle_radius";
const DOMAIN_FAULTS: &[Fault] = &[
    ("contact: (friction: -0.1)", "-0.1", "`friction` must not be negative: -0.1"),
    ("contact: (restitution: 1.5)", "1.5", "`restitution` is too large: 1.5"),
    ("contact: (slip: None)", "None", "`None`"),
    ("contact: (slip: Fre)", "Fre", "`Fre`"),
    ("contact: (slid: Free)", "slid", "unknown key `slid` in `Contact`"),
    ("contact: (velocity: (0, NaN, 0))", "NaN", "`velocity[1]` is not a number"),
    ("contact: (velocity: (1, 0, 0))", "1, 0, 0", "a wall across x moves along itself only"),
    ("sides: (z_max: (velocity: (0, 0, 2)))", "2)", "not at 2 m/s along z"),
    ("sides: (z_max: (friction: inf))", "inf", "`friction` is infinite"),
    ("sides: (top: (friction: 1))", "top", "unknown key `top` in `Sides`"),
    ("periodic: (true, false, false), sides: (x_min: (slip: No))", "(slip", "no wall `x_min`"),
];

const SOLID_FAULTS: &[Fault] = &[
    (
        "SphereField(Lattice(min: (0.8, 0.8, 0.2), spacing: (1, 1, 1), counts: (1, 1, 1), \
         diameter: 0.1, contact: (friction: -1)))",
        "-1",
        "`friction` must not be negative",
    ),
    (
        "SphereField(Balls(list: [(centre: (0.8, 0.8, 0.2), radius: 0.1)], \
         contact: (restitution: 2)))",
        "2))",
        "`restitution` is too large: 2",
    ),
    ("SphereField(Balls(list: [(centre: (0.8, 0.8, 0.2), radius: -1)]))", "-1", "`radius` must be"),
    ("SphereField(Balls(contact: ()))", "Balls", "missing key `list`"),
    ("Ball(centre: (0.8, 0.8, 0.2), radius: 0)", "0)", "`radius` must be positive"),
    ("Cylinder(from: (0.8, 0.8, 0), to: (0.8, 0.8, 0.1), radius: -1)", "-1", "`radius` must be"),
    (
        "Capsule(from: (0.8, 0.8, 0.1), to: (0.8, 0.8, 0.1), radius: 0.1)",
        "(0.8, 0.8, 0.1), r",
        "one place",
    ),
    (
        "Cone(from: (0.8, 0.8, 0), to: (0.8, 0.8, 0.2), radius: 0.1, tip_radius: -0.1)",
        "-0.1)",
        "must not be",
    ),
    ("Cylinder(from: (0.8, 0.8, 0), radius: 0.1)", "Cylinder", "missing key `to`"),
    (
        "Cone(from: (0.8, 0.8, 0), to: (0.8, NaN, 0.1), radius: 0.1)",
        "NaN",
        "`to[1]` is not a number",
    ),
    (
        "Mesh(path: \"box.obj\", scale: 0.1, contact: (velocity: (0, 1e9, 0)))",
        "1e9",
        "`velocity[1]` is too large: 1e9",
    ),
    ("Box(min: (0.7, 0.7, 0), max: (0.8, 0.6, 0.1))", "(0.8, 0.6", "empty box"),
    ("Box(min: (0.7, 0.7, 0))", "Box", "missing key `max`"),
    ("Box(min: (0.7, 0.7, 0), max: (0.8, 0.8, 0.1), friction: 1)", "friction", "`friction`"),
];

fn assert_one_fault(text: &str, (new, place, message): Fault) {
    let faults = faults_of(text, &[], CUBE);
    let [fault] = &faults[..] else { panic!("{new}: {faults:?}") };
    assert_eq!(fault.severity, Severity::Error);
    assert!(fault.message.contains(message), "{new}: {fault}");
    let line = text.lines().nth(fault.line() - 1).unwrap_or_default();
    let start = line.find(new).expect("the new text") + new.find(place).expect("the place");
    let column = line[..start].chars().count() + 1;
    assert!(fault.column().abs_diff(column) < 2, "{new}: at {} not {column}", fault.column());
}

#[test]
fn contacts_that_cannot_be_meant_are_refused_at_their_place() {
    for fault in DOMAIN_FAULTS {
        let domain = format!("max: (1, 1, 1.5), {}),\n    particle_radius", fault.0);
        assert_eq!(GOOD.matches(DOMAIN).count(), 1);
        assert_one_fault(&GOOD.replace(DOMAIN, &domain), *fault);
    }
    let list = "SphereField(List([(centre: (0.8, 0.8, 0.2), radius: 0.1)]))";
    assert_eq!(GOOD.matches(list).count(), 1);
    for fault in SOLID_FAULTS {
        assert_one_fault(&GOOD.replace(list, fault.0), *fault);
    }
}

#[test]
fn a_side_may_move_where_not_all_may() {
    let sides = "sides: (z_max: (velocity: (1, 0, 0)))";
    let all = "periodic: (true, false, false), contact: (velocity: (1, 0, 0))";
    for keys in [sides, all] {
        let domain = format!("max: (1, 1, 1.5), {keys}),\n    particle_radius");
        assert_eq!(faults_of(&GOOD.replace(DOMAIN, &domain), &[], CUBE), []);
    }
}

#[test]
fn a_box_out_of_reach_is_warned_of() {
    let text =
        GOOD.replace("    solids: [\n", "    solids: [\n Box(min: (2, 2, 2), max: (3, 3, 3)),\n");
    let source = Source { name: "test.ron".to_owned(), text };
    let scene = prepare(&source, &[], &mut |_| Ok(CUBE.as_bytes().to_vec())).unwrap();
    let [warning] = &scene.warnings[..] else { panic!("{:?}", scene.warnings) };
    assert!(warning.message.contains("this box lies outside the domain"), "{warning}");
    assert_eq!(warning.line(), 12);
}
