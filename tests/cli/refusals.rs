//! Broken scenes, meshes and flags, each with what the user is told, kept as text to read: one
//! error, at its place, with what would be right; exit code 2, no panic, nothing run.
//!
//! ```text
//! UPDATE_EXPECT=1 cargo test --test cli refusals     writes `refusals/*.txt` anew
//! ```

use super::scenes::{SMALL, TETRAHEDRON, small_with};
use super::support::{Ended, Place};
use expect_test::expect_file;
use std::fmt::Write;

/// What stands in the small scene, and what is put there instead.
type Change = (&'static str, &'static str);

/// Misspelt and missing names of keys, kinds and choices, at every depth of a scene.
const NAMES: [Change; 21] = [
    ("Scene(", "Sceen("),
    ("frames:", "frame:"),
    ("rate: 100.0", "rates: 100.0"),
    ("gravity", "gravitiy"),
    ("domain", "domian"),
    ("particle_radius", "particleradius"),
    ("    particle_radius: 0.01,\n", ""),
    ("rest_density", "rest_densty"),
    ("viscosity", "viscosty"),
    ("viscosity: 1e-6,", ""),
    ("SphereField", "SphereFeild"),
    ("radius: 0.05", "raduis: 0.05"),
    ("translate", "tanslate"),
    ("Wcsph()", "Wscph()"),
    ("Wcsph()", "Wcsph(currant: 0.4)"),
    ("CellIndex", "CelIndex"),
    ("HierarchicalHash", "HierarchicHash"),
    ("iso: 0.6", "isoo: 0.6"),
    ("particles: true", "particle: true"),
    ("[Ply, Vtp]", "[Ply, Vtz]"),
    ("count: 2,", "count: 2, count: 3,"),
];

/// What is no scene as a text.
const SYNTAX: [Change; 9] = [
    ("Wcsph()", "Wcsph("),
    ("Wcsph()", "Wcsph)"),
    ("\"water\"", "\"water"),
    ("rate: 100.0", "rate 100.0"),
    ("rate: 100.0", "rate: "),
    ("1000.0, viscosity", "1000.0 viscosity"),
    ("// A test.", "/* A test."),
    ("[Ply, Vtp]", "[Ply, Vtp)"),
    ("Mesh(path", "(path"),
];

/// Values of the wrong type or length.
const TYPES: [Change; 12] = [
    ("rate: 100.0", "rate: \"100\""),
    ("count: 2", "count: 2.5"),
    ("count: 2", "count: -2"),
    ("particles: true", "particles: 1"),
    ("\"water\"", "water"),
    ("CellIndex", "\"CellIndex\""),
    ("[Ply, Vtp]", "Ply"),
    ("(0.0, 0.0, -9.81)", "(0.0, -9.81)"),
    ("(0.0, 0.0, -9.81)", "(0.0, 0.0, -9.81, 0.0)"),
    ("(0.0, 0.0, -9.81)", "[0.0, 0.0, -9.81]"),
    ("(0.0, 0.0, -9.81)", "-9.81"),
    ("centre: (0.15, 0.1, 0.09)", "centre: (x: 0.15, y: 0.1, z: 0.09)"),
];

/// Values that cannot be, alone or together.
const VALUES: [Change; 16] = [
    ("0.01,\n", "-0.01,\n"),
    ("0.01,\n", "0.0,\n"),
    ("0.01,\n", "1e-5,\n"),
    ("100.0", "1e999"),
    ("100.0", "NaN"),
    ("100.0", "0.0"),
    ("count: 2", "count: 0"),
    ("1000.0", "-1000.0"),
    ("radius: 0.05", "radius: -0.05"),
    ("cell: 0.8", "cell: 0.0"),
    ("iso: 0.6", "iso: 1.5"),
    ("(0.3, 0.2, 0.26)", "(0.3, 0.2, 0.06)"),
    ("(0.3, 0.2, 0.26)", "(0.5, 0.2, 0.26)"),
    ("max: (0.4, 0.2, 0.4)", "max: (0.4, 0.2, -0.4)"),
    ("(0.1, 0.0, 0.16)", "(0.299, 0.0, 0.16)"),
    ("tetrahedron.obj", "tetrahedon.obj"),
];

/// Runs and checks a scene, and notes what is said of it.
fn note(place: &Place, messages: &mut String, what: &str, scene: &str) {
    place.write("b.ron", scene);
    let [run, check] = [&["b.ron"][..], &["check", "b.ron"]].map(|args| place.sim(args));
    assert_eq!(run.stderr, check.stderr, "{what}");
    run.assert_refused(&["-->"]);
    add(place, messages, what, &run);
}

fn add(place: &Place, messages: &mut String, what: &str, ended: &Ended) {
    ended.assert_refused(&[]);
    assert!(ended.stdout.is_empty() && !place.path("out").exists(), "{what}: something ran");
    let folder = place.path("").canonicalize().unwrap();
    let [here, above] = [&*folder, folder.parent().unwrap()].map(|path| path.to_str().unwrap());
    let error = ended.stderr.replace(here, "<here>").replace(above, "<above>");
    writeln!(messages, "### {}\n{error}", what.escape_debug()).unwrap();
}

fn refusals(changes: &[Change]) -> String {
    let place = Place::new();
    let mut messages = String::new();
    for (old, new) in changes {
        let scene =
            if *old == "Scene(" { SMALL.replacen(old, new, 1) } else { small_with(old, new) };
        note(&place, &mut messages, &format!("{old} -> {new}"), &scene);
    }
    messages
}

#[test]
fn a_misspelt_or_missing_name() {
    expect_file!["refusals/names.txt"].assert_eq(&refusals(&NAMES));
}

#[test]
fn a_text_that_is_no_scene() {
    expect_file!["refusals/syntax.txt"].assert_eq(&refusals(&SYNTAX));
}

#[test]
fn a_value_of_the_wrong_type_or_length() {
    expect_file!["refusals/types.txt"].assert_eq(&refusals(&TYPES));
}

#[test]
fn a_value_that_cannot_be() {
    expect_file!["refusals/values.txt"].assert_eq(&refusals(&VALUES));
}

#[test]
fn a_mesh_that_is_missing_or_broken() {
    let place = Place::new();
    let mut messages = String::new();
    let with = |line: &str| format!("{TETRAHEDRON}{line}\n");
    for (what, mesh) in [
        ("a word for a number", with("v 1 b 3")),
        ("NaN for a number", with("v 1 nan 3")),
        ("two coordinates", with("v 1 2")),
        ("a vertex that is not there", with("f 1 2 9")),
        ("vertex 0", with("f 0 1 2")),
        ("a face of two", with("f 1 2")),
        ("a face missing", TETRAHEDRON.replace("f 2 3 4\n", "")),
        ("a face turned round", TETRAHEDRON.replace("f 2 3 4", "f 4 3 2")),
        ("an empty file", String::new()),
        ("no faces", "v 0 0 0\nv 1 0 0\nv 0 1 0\n".to_owned()),
        ("another kind of file", "<html>\n".to_owned()),
    ] {
        place.write("tetrahedron.obj", mesh);
        note(&place, &mut messages, what, SMALL);
    }
    std::fs::remove_file(place.path("tetrahedron.obj")).unwrap();
    note(&place, &mut messages, "no file", SMALL);
    std::fs::create_dir(place.path("tetrahedron.obj")).unwrap();
    note(&place, &mut messages, "a folder", SMALL);
    note(&place, &mut messages, "elsewhere", &small_with("tetrahedron.obj", "/etc/passwd"));
    expect_file!["refusals/meshes.txt"].assert_eq(&messages);
}

#[test]
fn a_flag_that_cannot_be() {
    let place = Place::new();
    let mut messages = String::new();
    for flags in [
        &["--threads", "0"][..],
        &["--threads", "many"],
        &["--frames", "0"],
        &["--frames", "-3"],
        &["--frame", "3"],
        &["--overwrit"],
        &["--out", ""],
        &["--out"],
        &["other.ron"],
        &["--set", "fluids[0].viscosity"],
        &["--set", "=3"],
        &["--set", "neighbors="],
        &["--set", "fluids[0].viscosity=abc"],
        &["--set", "fluids[0].viscosity=-1"],
        &["--set", "fluids[7].viscosity=1"],
        &["--set", "particleradius=1"],
        &["--set", "fluid[0].viscosity=0.1"],
        &["--set", "fluids.viscosity=0.1"],
        &["--set", "viscosity=0.1"],
        &["--set", "fluids[0].density=900"],
        &["--set", "radius=0.02"],
        &["--set", "dt=0.001"],
        &["--set", "fps=25"],
        &["--set", "rigidBodies=[]"],
        &["--set", "solver=PCISPH"],
        &["--set", "solver=IISPH()"],
        &["--set", "solver=DFSPH()"],
        &["--set", "kernel=Wendland"],
        &["--set", "preview=true"],
        &["--set", "neighbors=KdTre"],
        &["--set", "gravity=(0, 0"],
        &["--set", "solver.courant.x=1"],
        &["--set", "solids[1].path=\"tetrahedon.obj\""],
    ] {
        let ended = place.sim(["small.ron"].iter().chain(flags));
        add(&place, &mut messages, &flags.join(" "), &ended);
    }
    place.sim(["check"]).assert_usage();
    let overview = place.sim::<&str>([]);
    assert_eq!(overview.code, Some(2));
    assert!(overview.stderr.contains("Commands:") && overview.stdout.is_empty(), "{overview:?}");
    expect_file!["refusals/flags.txt"].assert_eq(&messages);
}
