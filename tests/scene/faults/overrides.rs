//! What is wrong on the command line.

use super::support::{CUBE, GOOD, faults_of};
use hashfall_scene::{Override, Source, prepare};

/// Override, column of the fault, part of its message.
const OVERRIDES: &[(&str, usize, &str)] = &[
    ("fluids[0].viscosity=abc", 21, "`fluids[0].viscosity`: expected a number, found `abc`"),
    ("fluids[0].viscosity=-1", 21, "`viscosity` must not be negative: -1"),
    ("fluids[0].viscosty=1", 11, "unknown key `viscosty` in `Fluid`"),
    ("fluids[3].viscosity=1", 7, "there is no [3] here"),
    ("x", 1, "no `=` in the override"),
    ("=1", 1, "no key before the `=`"),
    ("a=", 1, "no value after the `=`"),
    ("frames.count=5)", 14, "this is not one value"),
    ("frames.count=5 // c", 14, "this is not one value"),
    ("surface.cell=9", 14, "`cell` is too large: 9"),
    ("surface.decimation=9", 20, "`decimation` is too large: 9"),
    ("surface.spray=true", 15, "`spray` needs a `min_component_volume`"),
    ("solver.exponent=2.5", 17, "`exponent` is not a whole number: 2.5"),
    ("neighbors.x=1", 11, "`CellIndex` has no keys"),
    ("solver.Wcsph=()", 8, "this names a choice, not a key"),
    (
        "fluids[0].name=water",
        16,
        "`fluids[0].name`: expected a text in double quotes, found `water`",
    ),
    ("fluids[0]=(name: \"x\")", 11, "missing key `rest_density` in `Fluid`"),
    ("domain.max=(0,0,0)", 12, "empty box: along x, `min` 0 is not below `max` 0"),
    ("gravity=[0,0]", 9, "`gravity`: expected 3 values, found 2"),
    ("fluids[0]={\"name\": \"x\"}", 11, "missing key `rest_density` in `Fluid`"),
    ("a..b=1", 2, "this is not a key"),
    ("nonsense.deep.key=1", 1, "unknown key `nonsense` in `Scene`"),
    ("nonsense=1", 1, "unknown key `nonsense` in `Scene`"),
    ("frames.count=0", 14, "`count` must be positive, not 0"),
    ("fluids[0].shapes=[]", 18, "a fluid without shapes"),
    ("solver.courant=(", 16, "this is not one value"),
    ("output.surface=[Ply, Plx]", 22, "unknown name `Plx`"),
    ("frames.count=1.5", 14, "`frames.count`: expected a whole number, found `1.5`"),
    ("solids[0].Random.cuont=1", 18, "unknown key `cuont` in `Random`"),
    ("solids[0].cuont=1", 11, "unknown key `cuont` in `Random`"),
    ("particle_radius=1e-9", 17, "`particle_radius` is too small: 1e-9"),
    ("particle_radius=0.0001", 17, "1.5625e10 particles: a scene holds at most 20 million"),
    ("fluids.viscosity=1", 8, "`fluids` is a list"),
    ("frames.rate=NaN", 13, "`rate` is not a number"),
];

#[test]
fn each_broken_override_has_its_one_error_on_the_command_line() {
    for &(set, column, message) in OVERRIDES {
        let faults = faults_of(GOOD, &[set], CUBE);
        let [fault] = &faults[..] else { panic!("{set}: {faults:?}") };
        assert_eq!((fault.line(), fault.column()), (1, column), "{set}: {fault}");
        assert!(fault.message.contains(message), "{set}: {fault}");
        assert_eq!(fault.source_name, format!("--set {set}"));
        assert_eq!(fault.source_text, set);
    }
}

/// JSON means the same in a scene in RON.
#[test]
fn vectors_and_groups_may_be_written_as_json() {
    for (json, ron) in [
        ("gravity=[0, 0, -1.6]", "gravity=(0, 0, -1.6)"),
        ("frames={\"count\": 3, \"rate\": 25}", "frames=(count: 3, rate: 25)"),
        ("surface=null", "surface=None"),
        (
            "fluids[0].shapes=[{\"Ball\": {\"centre\": [0.5, 0.5, 0.5], \"radius\": 0.2}}]",
            "fluids[0].shapes=[Ball(centre: (0.5, 0.5, 0.5), radius: 0.2)]",
        ),
        ("output.surface=[Ply]", "output.surface=[Ply]"),
    ] {
        let resolved = |set: &str| {
            let source = Source { name: "test.ron".to_owned(), text: GOOD.to_owned() };
            let mut read = |_: &str| Ok(CUBE.as_bytes().to_vec());
            let scene = prepare(&source, &[Override::parse(set).unwrap()], &mut read);
            scene.unwrap_or_else(|faults| panic!("{set}: {faults:?}")).resolved
        };
        assert_eq!(resolved(json), resolved(ron), "{json}");
    }
}

#[test]
fn broken_overrides_are_told_together() {
    let faults = faults_of(GOOD, &["frames.cout=1", "frames.count=9", "viscosity=x"], CUBE);
    assert_eq!(faults.len(), 2, "{faults:?}");
}

/// The good scene without some of its text.
fn without(parts: &[&str]) -> String {
    parts.iter().fold(GOOD.to_owned(), |text, part| {
        assert_eq!(text.matches(part).count(), 1, "{part}");
        text.replace(part, "")
    })
}

#[test]
fn an_override_may_bring_what_the_file_lacks() {
    let frames = "    frames: (count: 20, rate: 50.0),\n";
    let domain = "    domain: Box(min: (0, 0, 0), max: (1, 1, 1.5)),\n";
    let cases: [(&[&str], &[&str]); 7] = [
        (&[frames], &["frames=(count: 10, rate: 30)"]),
        (&[frames], &["frames.count=10", "frames.rate=30"]),
        (&[", rate: 50.0"], &["frames.rate=10"]),
        (&["    particle_radius: 0.025,\n"], &["particle_radius=0.025"]),
        (&["viscosity: 1e-6,"], &["gravity=(0, 0, -5)", "fluids[0].viscosity=1e-6"]),
        (
            &[frames, domain],
            &["frames=(count: 10, rate: 30)", "domain.min=(0, 0, 0)", "domain.max=(1, 1, 1.5)"],
        ),
        (&[], &["solids[1]=Mesh(scale: 0.1)", "solids[1].path=\"box.obj\""]),
    ];
    for (parts, sets) in cases {
        assert_eq!(faults_of(&without(parts), sets, CUBE), [], "{parts:?} {sets:?}");
    }
}

#[test]
fn what_the_file_and_the_overrides_lack_is_told_once() {
    let text = without(&["count: 20, rate: 50.0"]);
    for sets in [&["frames.rate=30"][..], &["frames.rate=30", "surface.iso=0.5"]] {
        let faults = faults_of(&text, sets, CUBE);
        let [fault] = &faults[..] else { panic!("{faults:?}") };
        assert!(fault.message.contains("missing key `count` in `Frames`"), "{fault}");
        assert_eq!((fault.source_name.as_str(), fault.line()), ("test.ron", 3));
    }
    let faults = faults_of(&text, &["frames.count=abc", "frames.rate=30", "fluids[4].x=1"], CUBE);
    let names: Vec<_> = faults.iter().map(|fault| fault.source_name.as_str()).collect();
    assert_eq!(names, ["--set fluids[4].x=1", "--set frames.count=abc"], "{faults:?}");
}

#[test]
fn a_broken_file_stays_broken_whatever_is_set() {
    let text = GOOD.replace("CellIndex", "CelIndex");
    let faults = faults_of(&text, &["frames.count=3"], CUBE);
    assert!(matches!(&faults[..], [f] if f.source_name == "test.ron"), "{faults:?}");
    let both = text.replace("count: 20, rate", "rate");
    let faults = faults_of(&both, &["frames.count=3"], CUBE);
    assert!(matches!(&faults[..], [f] if f.message.contains("CelIndex")), "{faults:?}");
}

#[test]
fn a_component_of_what_has_no_default_is_explained() {
    let text = without(&["    domain: Box(min: (0, 0, 0), max: (1, 1, 1.5)),\n"]);
    for (text, set, column, message, help) in [
        (&text, "domain.max[0]=1", 11, "`max` is not given, so it has no [0]", "set the whole"),
        (&without(&["    gravity: (0.0, 0.0, -9.81),\n"]), "gravity[3]=1", 8, "no [3] here", "[2]"),
        (&without(&["    gravity: (0.0, 0.0, -9.81),\n"]), "gravity[2].x=1", 12, "has no keys", ""),
        (&GOOD.to_owned(), "grvity[2]=1", 1, "unknown key `grvity`", "`gravity`"),
        (&GOOD.to_owned(), "support_radius[0]=1", 15, "`support_radius` is not given", "3r"),
    ] {
        let faults = faults_of(text, &[set], CUBE);
        let [fault] = &faults[..] else { panic!("{set}: {faults:?}") };
        assert_eq!((fault.source_name.clone(), fault.column()), (format!("--set {set}"), column));
        assert!(fault.message.contains(message), "{fault}");
        assert!(fault.help.as_deref().unwrap_or_default().contains(help), "{fault}");
    }
}

/// A bad value that an override is the cause of is shown in the override, also when the override
/// is only a component of it.
#[test]
fn the_override_is_shown_when_it_is_the_cause() {
    for (set, column, message) in [
        ("domain.max=(1, 1, 5000)", 12, "the domain reaches 5000 m"),
        ("domain.max[2]=5000", 15, "the domain reaches 5000 m"),
        ("domain.min=(0.3, 0, 0)", 12, "fluid outside the domain"),
        ("domain.max[0]=0.3", 15, "fluid outside the domain"),
        ("domain.max[1]=-1", 15, "empty box: along y"),
        ("fluids[0].shapes[0].max[2]=0.001", 28, "thinner than one particle"),
        ("solids[0].region.max[2]=1.1", 25, "spheres of 0.2 m do not fit"),
        ("solids[0].diameter[0]=0.3", 23, "the minimum diameter 0.3 is above"),
        ("solids[2].translate=(0, 0, 2e9)", 28, "`translate[2]` is too large"),
        ("solids[0].region.max=(0.3, 0.3, 1.3)", 22, "spheres fit without overlap"),
    ] {
        let faults = faults_of(GOOD, &[set], CUBE);
        let fault = faults.first().unwrap_or_else(|| panic!("{set} is refused"));
        assert!(fault.message.contains(message), "{set}: {fault}");
        assert_eq!((fault.source_name.clone(), fault.column()), (format!("--set {set}"), column));
    }
    // A change elsewhere in a fluid is not what makes it too many particles.
    let faults = faults_of(&GOOD.replace("0.025,", "0.0001,"), &["fluids[0].viscosity=1"], CUBE);
    assert!(matches!(&faults[..], [f] if f.source_name == "test.ron"), "{faults:?}");
}
