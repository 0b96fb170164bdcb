//! What is wrong as a value, or only when it is built.

use super::support::{CUBE, Case, GOOD, assert_refused, faults_of};

const VALUES: &[Case] = &[
    ("viscosity: 1e-6", "viscosity: -1", 8, 57, "`viscosity` must not be negative: -1"),
    ("viscosity: 1e-6", "viscosity: NaN", 8, 57, "`viscosity` is not a number"),
    ("viscosity: 1e-6", "viscosity: 1e999", 8, 57, "`viscosity` is infinite"),
    ("rest_density: 1000.0", "rest_density: 0", 8, 38, "`rest_density` must be positive, not 0"),
    ("rest_density: 1000.0", "rest_density: 1e-320", 8, 38, "`rest_density` is too small: 1e-320"),
    (
        "count: 20, rate",
        "count: -3, rate",
        3,
        21,
        "`frames.count`: expected a whole number within bounds, found `-3`",
    ),
    (
        "count: 20, rate",
        "count: 99999999999, rate",
        3,
        21,
        "`frames.count`: expected a whole number within bounds, found `99999999999`",
    ),
    ("count: 20, rate", "count: 0, rate", 3, 21, "`count` must be positive, not 0"),
    ("rate: 50.0", "rate: -50.0", 3, 31, "`rate` must be positive, not -50"),
    (
        "sound_speed: 30.0",
        "sound_speed: None, exponent: 6.5",
        16,
        48,
        "`exponent` is not a whole number: 6.5",
    ),
    (
        "Wcsph(sound_speed: 30.0, courant: 0.4)",
        "Dfsph(max_iterations: 2.5)",
        16,
        35,
        "`max_iterations` is not a whole number: 2.5",
    ),
    (
        "Wcsph(sound_speed: 30.0, courant: 0.4)",
        "Dfsph(max_density_error: 0.0)",
        16,
        38,
        "`max_density_error`",
    ),
    (
        "Wcsph(sound_speed: 30.0, courant: 0.4)",
        "Dfsph(max_divergence_error: NaN)",
        16,
        41,
        "`max_divergence_error` is not a number",
    ),
    ("Wcsph(sound_speed: 30.0, courant: 0.4)", "Dfsph(courant: 1.5)", 16, 28, "`courant`"),
    ("CellIndex", "CellIndex, search: (subdivision: 4)", 17, 49, "`subdivision` is too large: 4"),
    ("CellIndex", "KdTree, search: (subdivision: 1)", 17, 46, "`KdTree` has no `subdivision`"),
    ("CellIndex", "CellIndex, search: (table_size: 64)", 17, 48, "`CellIndex` has no `table_size`"),
    (
        "CellIndex",
        "GridCellHash, search: (table_size: 0)",
        17,
        51,
        "`table_size` must be positive, not 0",
    ),
    (
        "CellIndex",
        "SortedCells, search: (hash_function: Additive)",
        17,
        53,
        "`SortedCells` has no `hash_function`",
    ),
    ("(0.0, 0.0, -9.81)", "(0, 0, inf)", 4, 21, "`gravity[2]` is infinite"),
    (
        "Box(min: (0, 0, 0), max: (1, 1, 1.5))",
        "Box(min: (0, 0, 2), max: (1, 1, 1.5))",
        5,
        38,
        "empty box: along z, `min` 2 is not below `max` 1.5",
    ),
    (
        "Box(min: (0, 0, 0), max: (1, 1, 1.5))",
        "Box(min: (0, 0, 0), max: (1, 1, 5000))",
        5,
        13,
        "the domain reaches 5000 m from the origin, 100000 particle spacings",
    ),
    (
        "Box(min: (0, 0, 0), max: (1, 1, 1.5))",
        "Box(min: (0, 0, 0), max: (1, 0.4, 1.5))",
        9,
        43,
        "fluid outside the domain: `max` y is 0.5, the wall stands at 0.4",
    ),
    ("0.025", "1e999", 6, 22, "`particle_radius` is infinite"),
    ("0.025", "-0.025", 6, 22, "`particle_radius` must be positive, not -0.025"),
    (
        "particle_radius: 0.025",
        "particle_radius: 0.025, support_radius: 0.3",
        6,
        45,
        "`support_radius` 0.3 does not suit `particle_radius` 0.025",
    ),
    ("\"water\"", "\"\"", 8, 15, "a fluid without a name"),
    (
        "seed: 7",
        "seed: -7",
        12,
        34,
        "`solids[0].seed`: expected a whole number within bounds, found `-7`",
    ),
    ("radius: 0.1)", "radius: 0)", 13, 61, "`radius` must be positive, not 0"),
    ("(0.05, 0.2)", "(0.2, 0.05)", 12, 58, "the minimum diameter 0.2 is above the maximum 0.05"),
    ("(0.05, 0.2)", "(0.05, 0.6)", 12, 58, "spheres of 0.6 m do not fit a region 0.5 m thin"),
    (
        "count: 20, dia",
        "count: 2000000, dia",
        12,
        44,
        "only 30 of 2000000 spheres fit without overlap; no room for one of 0.200 m",
    ),
    ("count: 20, dia", "count: 200000000, dia", 11, 13, "2e8 spheres exceed the limit"),
    (
        "\"box.obj\"",
        "\"bx.obj\"",
        14,
        20,
        "cannot read mesh `bx.obj`: no such file; is it `box.obj`?",
    ),
    (
        "max: (0.5, 0.5, 0.5)",
        "max: (0.5, 0.5, 2.5)",
        9,
        43,
        "fluid outside the domain: `max` z is 2.5, the wall stands at 1.5",
    ),
    (
        "max: (0.5, 0.5, 0.5)",
        "max: (0.5, 0.5, 0.01)",
        9,
        18,
        "this box is thinner than one particle of 0.05 m",
    ),
    (
        "velocity: (0, 0, 0))]",
        "velocity: (0, 0, 0)), Box(min: (0.2, 0.2, 0.2), max: (0.7, 0.7, 0.7))]",
        9,
        82,
        "fluids[0].shapes[0] and fluids[0].shapes[1] overlap",
    ),
    (
        "shapes: [Box(min: (0, 0, 0), max: (0.5, 0.5, 0.5), velocity: (0, 0, 0))]",
        "shapes: []",
        9,
        17,
        "a fluid without shapes",
    ),
    ("radius: 0.1)", "radius: 3)", 7, 13, "no particle remains: all 1000 start inside solids"),
    ("scale: 0.1", "scale: 0", 14, 38, "`scale` must be positive, not 0"),
    (
        "scale: 0.1",
        "scale: 0.1, rotate: (axis: (0, 0, 0), degrees: 3)",
        14,
        58,
        "rotation axis of zero length",
    ),
];

/// Keys of the probes, where in them the fault is shown, and part of its message.
const PROBES: &[(&str, &str, &str)] = &[
    ("rate: 0", "0", "`rate` must be positive, not 0"),
    ("rate: NaN", "NaN", "`rate` is not a number"),
    (r#"list: [Pressure(name: "", at: (0, 0, 0))]"#, r#""""#, "a probe without a name"),
    (r#"list: [Height(name: "time", x: 0, y: 0)]"#, r#""time""#, "no probe can be called \"time\""),
    (
        r#"list: [Front(name: "a", axis: X), Front(axis: Y, name: "a")]"#,
        r#""a")]"#,
        "probes.list[0] is already called \"a\"",
    ),
    (
        r#"list: [Pressure(name: "a", at: (0.5, 0.5, 1.6))]"#,
        "1.6",
        "a probe outside the domain: z is 1.6",
    ),
    (
        r#"list: [Height(name: "a", x: -0.1, y: 0)]"#,
        "-0.1",
        "a probe outside the domain: x is -0.1",
    ),
    (
        r#"list: [Front(name: "a", axis: Z, below: NaN)]"#,
        "NaN",
        "a probe outside the domain: z is NaN",
    ),
    (r#"list: [Velocity(name: "a", at: (0.5, 0.5, 0.5), on: 7)]"#, "7", "there is no solid 7"),
    (
        r#"list: [Force(name: "a", over: Disc(centre: (0.5, 0.5, 0), normal: (0, 0, 0), radius: 0.1))]"#,
        "(0, 0, 0)",
        "direction of zero length",
    ),
    (
        r#"list: [MeanPressure(name: "a", over: Rectangle(centre: (0.5, 0.5, 9), normal: (0, 0, 1), size: (0.1, 0.1)))]"#,
        "9",
        "a probe outside the domain: z is 9",
    ),
    (r#"list: [Level(name: "a", x: 0, y: 0)]"#, "Level", "`Level`"),
    (r#"list: [Height(name: "a", x: 0)]"#, "Height", "`y`"),
    (r#"list: [Height(name: "a", x: 0, y: 0, zed: 0)]"#, "zed", "`zed`"),
    (r#"list: [Front(name: "a", axis: W)]"#, "W", "`W`"),
];

#[test]
fn each_bad_value_has_its_one_error_at_its_place() {
    assert_refused(VALUES);
}

#[test]
fn each_bad_probe_has_its_one_error_at_its_place() {
    let start = "    probes: (";
    for &(probes, place, message) in PROBES {
        let text = GOOD.strip_suffix(")\n").expect("a bracket");
        let faults = faults_of(&format!("{text}{start}{probes}))\n"), &[], CUBE);
        let [fault] = &faults[..] else { panic!("{probes}: {faults:?}") };
        assert!(fault.message.contains(message), "{probes}: {fault}");
        let column = start.len() + probes.find(place).expect("the place") + 1;
        assert_eq!((fault.line(), fault.column()), (20, column), "{probes}: {fault}");
    }
}

#[test]
fn too_many_fluids_are_refused() {
    let fluid = |i: usize| {
        let (low, high) = (i as f64 * 0.05, (i + 1) as f64 * 0.05);
        format!(
            "(name: \"f{i}\", rest_density: 1000, viscosity: 0, \
             shapes: [Box(min: (0, 0, {low:.2}), max: (0.1, 0.1, {high:.2}))]),"
        )
    };
    let fluids: String = (0..256).map(fluid).collect();
    let start = GOOD.find("fluids:").expect("a key");
    let end = GOOD.find("    solids:").expect("a key");
    let text = format!("{}fluids: [{fluids}],\n{}", &GOOD[..start], &GOOD[end..]);
    let faults = faults_of(
        &text.replace("max: (1, 1, 1.5)),\n    particle", "max: (1, 1, 20)),\n    particle"),
        &[],
        CUBE,
    );
    assert_eq!(faults.len(), 1, "{faults:?}");
    assert!(faults[0].message.contains("256 fluids"), "{}", faults[0]);
}

#[test]
fn fluids_of_one_name_are_refused() {
    let second = "), (name: \"water\", rest_density: 1, viscosity: 0, \
                  shapes: [Box(min: (0.5, 0.5, 0.5), max: (0.7, 0.7, 0.7))])],\n    solids";
    let text = GOOD.replace(")],\n    solids", second);
    let faults = faults_of(&text, &[], CUBE);
    assert!(matches!(&faults[..], [f] if f.message.contains("already called")), "{faults:?}");
}

/// Counted, not made: what is beyond the limit is refused as fast as anything else.
#[test]
fn too_many_particles_are_refused_before_any_is_made() {
    // The support radius tells how many neighbours each particle keeps.
    for (sizes, count, memory) in [
        ("0.0009,", "2.12539e7", "15 GB"),
        ("0.0009, support_radius: 0.0072,", "2.12539e7", "52 GB"),
        ("1e-5,", "1.5625e13", "1.1e7 GB"),
    ] {
        let faults = faults_of(&GOOD.replace("0.025,", sizes), &[], CUBE);
        let wanted = format!("{count} particles: a scene holds at most 20 million");
        let fault = faults.iter().find(|fault| fault.message == wanted);
        let fault = fault.unwrap_or_else(|| panic!("{sizes}: {faults:?}"));
        assert_eq!((fault.line(), fault.column()), (6, 22), "{fault}");
        assert!(fault.help.as_deref().is_some_and(|help| help.contains(memory)), "{fault}");
    }
}

#[test]
fn a_kernel_of_another_slope_is_refused_where_its_density_is_held() {
    let sets = ["kernel=Mueller", "solver=Dfsph()"];
    assert!(faults_of(GOOD, &sets[..1], CUBE).is_empty(), "with Wcsph it is right");
    let faults = faults_of(GOOD, &sets, CUBE);
    let [fault] = &faults[..] else { panic!("{faults:?}") };
    assert!(fault.message.contains("`Dfsph` does not support the kernel `Mueller`"), "{fault}");
    assert!(fault.help.as_deref().is_some_and(|help| help.contains("CubicSpline")), "{fault}");
    let other = ["kernel=WendlandC2", "solver=Dfsph()"];
    assert!(faults_of(GOOD, &other, CUBE).is_empty());
}
