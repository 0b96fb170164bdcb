//! Broken scenes, overrides and meshes: each is refused with its one clear error, at its place.

use hashfall::scene::{Diagnostic, Override, Severity, Source, prepare};
use std::io;

/// A good scene; the cases break it.
const GOOD: &str = r#"// A good scene.
Scene(
    frames: (count: 20, rate: 50.0),
    gravity: (0.0, 0.0, -9.81),
    domain: Box(min: (0, 0, 0), max: (1, 1, 1.5)),
    particle_radius: 0.025,
    fluids: [(
        name: "water", rest_density: 1000.0, viscosity: 1e-6,
        shapes: [Box(min: (0, 0, 0), max: (0.5, 0.5, 0.5), velocity: (0, 0, 0))],
    )],
    solids: [
        SphereField(Random(seed: 7, count: 20, diameter: (0.05, 0.2), region: (min: (0, 0, 1), max: (1, 1, 1.5)))),
        SphereField(List([(centre: (0.8, 0.8, 0.2), radius: 0.1)])),
        Mesh(path: "box.obj", scale: 0.1, translate: (0.8, 0.2, 0.2)),
    ],
    solver: Wcsph(sound_speed: 30.0, courant: 0.4),
    neighbors: CellIndex,
    surface: (cell: 0.5, iso: 0.6),
    output: (particles: true, surface: [Ply, Vtp]),
)
"#;

/// A unit cube.
const CUBE: &str = "\
v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1
f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";

fn faults_of(text: &str, overrides: &[&str], mesh: &str) -> Vec<Diagnostic> {
    let source = Source { name: "test.ron".to_owned(), text: text.to_owned() };
    let mut read = Vec::new();
    for set in overrides {
        match Override::parse(set) {
            Ok(set) => read.push(set),
            Err(fault) => return vec![fault],
        }
    }
    let mut read_file = |path: &str| match path {
        "box.obj" => Ok(mesh.as_bytes().to_vec()),
        _ => Err(io::Error::new(io::ErrorKind::NotFound, "no such file; is it `box.obj`?")),
    };
    match prepare(&source, &read, &mut read_file) {
        Ok(_) => Vec::new(),
        Err(faults) => faults,
    }
}

/// Old text, new text, line and column of the fault, part of its message.
type Case = (&'static str, &'static str, usize, usize, &'static str);

/// What is wrong as a text: names, types, brackets.
const TEXTS: &[Case] = &[
    (
        "viscosity: 1e-6",
        "viscosity: \"abc\"",
        8,
        57,
        "`fluids[0].viscosity`: expected a number, found `\"abc\"`",
    ),
    (
        "viscosity: 1e-6",
        "viscosity: abc",
        8,
        57,
        "`fluids[0].viscosity`: expected a number, found `abc`",
    ),
    ("viscosity: 1e-6", "viscosty: 1", 8, 46, "unknown key `viscosty` in `Fluid`"),
    ("viscosity: 1e-6,", "", 7, 14, "missing key `viscosity` in `Fluid`"),
    (
        "viscosity: 1e-6",
        "viscosity: 1e-6.5",
        8,
        57,
        "`fluids[0].viscosity`: expected a number, found `1e-6.5`",
    ),
    (
        "viscosity: 1e-6",
        "viscosity: 1e-6, colour: \"blue\"",
        8,
        63,
        "unknown key `colour` in `Fluid`",
    ),
    (
        "count: 20, rate",
        "count: 3.5, rate",
        3,
        21,
        "`frames.count`: expected a whole number, found `3.5`",
    ),
    ("count: 20, rate", "count: 20, count: 3, rate", 3, 25, "`count` is given twice"),
    ("CellIndex", "CelIndex", 17, 16, "unknown name `CelIndex`"),
    ("CellIndex", "3", 17, 16, "`neighbors`: expected a name, found `3`"),
    ("CellIndex", "\"CellIndex\"", 17, 16, "`neighbors`: expected a name, found `\"CellIndex\"`"),
    ("sound_speed", "sound_sped", 16, 19, "unknown key `sound_sped` in `Wcsph`"),
    (
        "Wcsph(sound_speed: 30.0, courant: 0.4)",
        "Wcsph",
        16,
        13,
        "`solver`: expected round brackets ( ) after `Wcsph`",
    ),
    (
        "Wcsph(sound_speed: 30.0, courant: 0.4)",
        "(courant: 0.4)",
        16,
        13,
        "`solver`: expected a name, found `(`",
    ),
    (
        "Wcsph(sound_speed: 30.0, courant: 0.4)",
        "Dfsph(courant: 0.4)",
        16,
        13,
        "unknown name `Dfsph`",
    ),
    (
        "sound_speed: 30.0",
        "sound_speed: fast",
        16,
        32,
        "`solver.sound_speed`: expected a number, found `fast`",
    ),
    (
        "(0.0, 0.0, -9.81)",
        "[0,0,-9.81]",
        4,
        14,
        "`gravity`: expected round brackets ( ), found `[`",
    ),
    ("(0.0, 0.0, -9.81)", "(0,-9.81)", 4, 14, "`gravity`: expected 3 values, found 2"),
    ("(0.0, 0.0, -9.81)", "(0,0,0,-9.81)", 4, 21, "`gravity`: more values than expected"),
    ("(0.0, 0.0, -9.81)", "-9.81", 4, 14, "`gravity`: expected round brackets ( ), found `-9.81`"),
    (
        "Box(min: (0, 0, 0), max: (1, 1, 1.5))",
        "Bx(min: (0, 0, 0), max: (1, 1, 1.5))",
        5,
        13,
        "unknown name `Bx`",
    ),
    (
        "Box(min: (0, 0, 0), max: (1, 1, 1.5))",
        "Box(min: (0, 0, 0))",
        5,
        13,
        "missing key `max` in `Box`",
    ),
    (
        "Box(min: (0, 0, 0), max: (1, 1, 1.5))",
        "(min: (0, 0, 0), max: (1, 1, 1.5))",
        5,
        13,
        "`domain`: expected a name, found `(`",
    ),
    ("0.025,", "0.025", 7, 5, "a comma is missing before this"),
    ("0.025,", "0.025;", 6, 22, "`particle_radius`: cannot read `0.025;`"),
    ("0.025,", "0.025 m,", 6, 28, "a comma is missing before this"),
    ("0.025", "0x1g", 6, 22, "`particle_radius`: cannot read `0x1g`"),
    ("[Ply, Vtp]", "[Ply, Vtk]", 19, 46, "unknown name `Vtk`"),
    (
        "[Ply, Vtp]",
        "Ply",
        19,
        40,
        "`output.surface`: expected a list in square brackets [ ], found `Ply`",
    ),
    (
        "[Ply, Vtp]",
        "(Ply, Vtp)",
        19,
        40,
        "`output.surface`: expected a list in square brackets [ ], found `(`",
    ),
    (
        "particles: true",
        "particles: 1",
        19,
        25,
        "`output.particles`: expected `true` or `false`, found `1`",
    ),
    (
        "\"water\"",
        "water",
        8,
        15,
        "`fluids[0].name`: expected a text in double quotes, found `water`",
    ),
    ("\"water\"", "\"water", 8, 15, "this text is not closed on its line"),
    (
        "fluids: [(",
        "fluids: ((",
        7,
        13,
        "`fluids`: expected a list in square brackets [ ], found `(`",
    ),
    ("fluids: [(", "fluids: [", 8, 9, "a bracket `(` is missing before `name`"),
    ("    frames: (count: 20, rate: 50.0),\n", "", 2, 1, "missing key `frames` in `Scene`"),
    (
        "(count: 20, rate: 50.0)",
        "(20, 50)",
        3,
        14,
        "expected a key and its value, as in `key: value`",
    ),
    ("// A good", "/* A good", 1, 1, "a comment that starts with /* is never closed"),
    ("Scene(", "Scne(", 2, 1, "unexpected name `Scne`"),
    ("Scene(", "Scene{", 2, 6, "expected round brackets ( )"),
    ("surface: [Ply, Vtp]),\n)", "surface: [Ply, Vtp]),\n", 2, 1, "this bracket is never closed"),
    ("surface: [Ply, Vtp]),\n)", "surface: [Ply, Vtp]),\n) x", 20, 3, "more text after the end"),
    ("surface: [Ply, Vtp]),\n)", "surface: [Ply, Vtp],\n", 19, 13, "this bracket is never closed"),
    ("seed: 7", "seed: \"x\"", 12, 34, "`solids[0].seed`: expected a whole number, found `\"x\"`"),
    ("SphereField(List(", "SphereField(Lst(", 13, 21, "unknown name `Lst`"),
    ("SphereField(List(", "SphereFeld(List(", 13, 9, "unknown name `SphereFeld`"),
    ("SphereField(List(", "SphereField(", 13, 21, "`solids[1]`: expected a name, found `[`"),
    ("(cell: 0.5, iso: 0.6)", "Nne", 18, 14, "unexpected name `Nne`"),
    ("(cell: 0.5, iso: 0.6)", "0.5", 18, 14, "`surface`: expected round brackets ( ), found `0.5`"),
    (
        "(0.05, 0.2)",
        "0.3",
        12,
        58,
        "`solids[0].diameter`: expected round brackets ( ), found `0.3`",
    ),
];

/// What is wrong as a value, or only when it is built.
const VALUES: &[Case] = &[
    ("viscosity: 1e-6", "viscosity: -1", 8, 57, "`viscosity` must not be negative, as -1 is"),
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
    ("(0.0, 0.0, -9.81)", "(0, 0, inf)", 4, 21, "`gravity[2]` is infinite"),
    (
        "Box(min: (0, 0, 0), max: (1, 1, 1.5))",
        "Box(min: (0, 0, 2), max: (1, 1, 1.5))",
        5,
        38,
        "a box without inside: along z, `min` 2 is not below `max` 1.5",
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
    ("(0.05, 0.2)", "(0.2, 0.05)", 12, 58, "the least diameter 0.2 is above the largest 0.05"),
    ("(0.05, 0.2)", "(0.05, 0.6)", 12, 58, "spheres of 0.6 m do not fit a region 0.5 m thin"),
    (
        "count: 20, dia",
        "count: 2000000, dia",
        12,
        44,
        "only 30 of 2000000 spheres fit without overlap; no room for one of 0.200 m",
    ),
    (
        "count: 20, dia",
        "count: 200000000, dia",
        11,
        13,
        "2e8 spheres: a count that cannot be meant",
    ),
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
    ("radius: 0.1)", "radius: 3)", 7, 13, "no particle is left: all 1000 start inside solids"),
    ("scale: 0.1", "scale: 0", 14, 38, "`scale` must be positive, not 0"),
    (
        "scale: 0.1",
        "scale: 0.1, rotate: (axis: (0, 0, 0), degrees: 3)",
        14,
        58,
        "a rotation about no axis",
    ),
];

/// Override, column of the fault, part of its message.
const OVERRIDES: &[(&str, usize, &str)] = &[
    ("fluids[0].viscosity=abc", 21, "`fluids[0].viscosity`: expected a number, found `abc`"),
    ("fluids[0].viscosity=-1", 21, "`viscosity` must not be negative, as -1 is"),
    ("fluids[0].viscosty=1", 11, "unknown key `viscosty` in `Fluid`"),
    ("fluids[3].viscosity=1", 7, "there is no [3] here"),
    ("x", 1, "no `=` in the override"),
    ("=1", 1, "no key before the `=`"),
    ("a=", 1, "no value after the `=`"),
    ("frames.count=5)", 14, "this is not one value"),
    ("frames.count=5 // c", 14, "this is not one value"),
    ("surface.cell=9", 14, "`cell` is too large: 9"),
    ("solver.exponent=2.5", 17, "`exponent` is not a whole number: 2.5"),
    ("neighbors.x=1", 11, "`CellIndex` has no keys"),
    ("solver.Wcsph=()", 8, "this names a choice, not a key"),
    (
        "fluids[0].name=water",
        16,
        "`fluids[0].name`: expected a text in double quotes, found `water`",
    ),
    ("fluids[0]=(name: \"x\")", 11, "missing key `rest_density` in `Fluid`"),
    ("domain.max=(0,0,0)", 12, "a box without inside: along x, `min` 0 is not below `max` 0"),
    ("gravity=[0,0,1]", 9, "`gravity`: expected round brackets ( ), found `[`"),
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
    ("particle_radius=0.0001", 17, "1.5625e10 particles: a particle count that cannot be meant"),
    ("fluids.viscosity=1", 8, "`[` has no keys"),
    ("frames.rate=NaN", 13, "`rate` is not a number"),
];

#[test]
fn the_good_scene_is_good() {
    let faults = faults_of(GOOD, &[], CUBE);
    assert!(faults.is_empty(), "{faults:?}");
}

#[test]
fn each_broken_scene_has_its_one_error_at_its_place() {
    for &(old, new, line, column, message) in TEXTS.iter().chain(VALUES) {
        assert_eq!(GOOD.matches(old).count(), 1, "{old} is unique");
        let faults = faults_of(&GOOD.replace(old, new), &[], CUBE);
        let [fault] = &faults[..] else { panic!("{old} -> {new}: {faults:?}") };
        assert_eq!((fault.line(), fault.column()), (line, column), "{old} -> {new}: {fault}");
        assert!(fault.message.contains(message), "{old} -> {new}: {fault}");
        assert_eq!((fault.source_name.as_str(), fault.severity), ("test.ron", Severity::Error));
    }
}

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

#[test]
fn help_says_what_would_be_right() {
    let help = |old: &str, new: &str| {
        let fault = faults_of(&GOOD.replace(old, new), &[], CUBE).swap_remove(0);
        fault.help.unwrap_or_default()
    };
    assert_eq!(help("viscosity:", "viscosty:"), "did you mean `viscosity`?");
    assert_eq!(help("CellIndex", "cellindex"), "did you mean `CellIndex`?");
    assert!(help("(0.0, 0.0, -9.81)", "[0, 0, -9.81]").contains("(0.0, 0.0, -9.81)"));
    assert!(help("viscosity: 1e-6,", "").starts_with("add `viscosity`: kinematic viscosity"));
    assert!(help("viscosity: 1e-6", "viscosity: -1").contains("m²/s"));
    assert!(help("Box(min: (0, 0, 0), max: (1", "Wall(min: (0, 0, 0), max: (1").contains("`Box`"));
}

/// Broken mesh file, line and column of the fault if it has a place, part of its message.
#[test]
fn each_broken_mesh_has_its_one_error_at_its_place() {
    let cases = [
        (CUBE.replace("v 1 1 1", "v 1 one 1"), Some((7, 5)), "`one` is not a number"),
        (CUBE.replace("v 1 1 1", "v 1 NaN 1"), Some((7, 5)), "not finite"),
        (CUBE.replace("v 1 1 1", "v 1 1"), Some((7, 1)), "three coordinates"),
        (CUBE.replace("f 5 6 7 8", "f 5 6 7 9"), Some((10, 9)), "no vertex 9"),
        (CUBE.replace("f 5 6 7 8", "f 5 6 7 x"), Some((10, 9)), "not a vertex number"),
        (CUBE.replace("f 5 6 7 8", "f 5 6"), Some((10, 1)), "three corners"),
        (CUBE.replace("f 5 6 7 8\n", ""), None, "4 edges"),
        (CUBE.replace("f 5 6 7 8", "f 8 7 6 5"), None, "edges"),
        (String::new(), None, "no faces"),
        ("this is no mesh".to_owned(), None, "no faces"),
    ];
    for (mesh, place, message) in cases {
        let faults = faults_of(GOOD, &[], &mesh);
        let [fault] = &faults[..] else { panic!("{message}: {faults:?}") };
        let found = fault.span.as_ref().map(|_| (fault.line(), fault.column()));
        assert_eq!(found, place, "{fault}");
        assert!(fault.message.contains(message), "{fault}");
        assert_eq!((&fault.source_name, &fault.source_text), (&"box.obj".to_owned(), &mesh));
    }
}

#[test]
fn all_problems_of_a_scene_are_told_in_one_go() {
    let edits = [
        ("rest_density", "rest_densty"),
        ("CellIndex", "CelIndex"),
        ("radius: 0.1)", "radius: -1)"),
        ("viscosity: 1e-6", "viscosity: NaN"),
        ("[Ply, Vtp]", "[Plyy]"),
        ("iso: 0.6", "iso: 6"),
        ("overlap: false, ", ""),
    ];
    let text = edits.iter().fold(GOOD.to_owned(), |text, (old, new)| text.replace(old, new));
    let mut faults = faults_of(&text, &[], CUBE);
    faults.sort_by_key(Diagnostic::line);
    let lines: Vec<_> = faults.iter().map(Diagnostic::line).collect();
    assert_eq!(lines, [8, 8, 13, 17, 18, 19], "{faults:?}");
}

#[test]
fn several_broken_values_and_meshes_are_told_together() {
    let text = GOOD.replace("rate: 50.0", "rate: 0").replace("box.obj", "missing.obj");
    let faults = faults_of(&text, &["surface.cell=99", "frames.count=0"], CUBE);
    let mut places: Vec<_> = faults.iter().map(|f| f.source_name.as_str()).collect();
    places.sort();
    assert_eq!(places, ["--set frames.count=0", "--set surface.cell=99", "test.ron", "test.ron"]);
}

#[test]
fn broken_overrides_are_told_together() {
    let faults = faults_of(GOOD, &["frames.cout=1", "frames.count=9", "viscosity=x"], CUBE);
    assert_eq!(faults.len(), 2, "{faults:?}");
}

#[test]
fn an_endless_list_of_faults_is_cut() {
    let spheres = "(centre: (0, 0, 0), radius: -1), ".repeat(500);
    let text = GOOD.replace("(centre: (0.8, 0.8, 0.2), radius: 0.1)", &spheres);
    let faults = faults_of(&text, &[], CUBE);
    assert_eq!(faults.len(), 51);
    assert!(faults[50].message.contains("450 more"), "{}", faults[50]);
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

/// Overwrites, deletes, doubles and cuts bytes of a good text: whatever comes of it is told in
/// words, at a place that exists.
#[test]
fn mutated_scenes_never_panic() {
    let alphabet = b"()[]{}:,.\"'/*#rbox 0123456789-+eE_NaninfSome\n\\\xc3\xa9";
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut draw = |below: usize| {
        state = state.wrapping_mul(0xd129_42f0_9a7c_8f35).wrapping_add(0x2545_f491_4f6c_dd1d);
        (state >> 33) as usize % below
    };
    let mut refused = 0;
    for round in 0..4000 {
        let mut bytes = GOOD.as_bytes().to_vec();
        for _ in 0..=round % 4 {
            let at = draw(bytes.len());
            match draw(4) {
                0 => bytes[at] = alphabet[draw(alphabet.len())],
                1 => drop(bytes.remove(at)),
                2 => bytes.insert(at, alphabet[draw(alphabet.len())]),
                _ => bytes.truncate(at.max(8)),
            }
        }
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let faults = faults_of(&text, &[], CUBE);
        for fault in &faults {
            let length = fault.source_text.chars().count();
            assert!(fault.span.as_ref().is_some_and(|s| s.start <= s.end && s.end <= length));
            assert!(fault.line() >= 1 && fault.column() >= 1 && !fault.message.is_empty());
        }
        refused += usize::from(!faults.is_empty());
    }
    assert!(refused > 2000, "{refused}");
}

#[test]
fn mutated_overrides_never_panic() {
    let values =
        ["", "1", "(", ")", "\"", "NaN", "None", "Some(1)", "[]", "()", "/*", "//", "r#\""];
    let keys =
        ["", "frames", "fluids[0]", "fluids[0].shapes[0].min[2]", "solids[1][0].radius", "["];
    let tails = ["", ".", ".x", "[0]", "[", ".X.y", ".Some", "=", " "];
    for key in keys {
        for tail in tails {
            for value in values {
                faults_of(GOOD, &[&format!("{key}{tail}={value}")], CUBE);
            }
        }
    }
}
