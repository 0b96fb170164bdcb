//! Scenes with thousands of parts, and names that are too long or dangerous.

#![cfg(unix)]

use super::super::scenes::{TETRAHEDRON, small_with};
use super::super::support::{Ended, Place, SIM};
use super::case;
use std::fs;
use std::process::Command;

/// A scene with a block of fluid, and more keys.
fn scene(more: &str) -> String {
    format!(
        "Scene(frames: (count: 1, rate: 100.0), domain: Box(min: (0, 0, 0), max: (10, 10, 10)),
        particle_radius: 0.1, surface: None, {more})"
    )
}

const FLUID: &str = "fluids: [(name: \"w\", rest_density: 1000.0, viscosity: 1e-6,
    shapes: [Box(min: (0, 0, 0), max: (1, 1, 1))])],";

fn list(count: usize, part: impl Fn(f64) -> String) -> String {
    let parts: Vec<String> = (0..count).map(|i| part(i as f64 / count as f64)).collect();
    parts.join(", ")
}

/// Boxes in a row, as `gen_boxes.py` writes them.
fn row(count: usize) -> String {
    let part = |x: f64| {
        let (low, high) = (8.0 * x, 8.0 * x + 0.1);
        format!("Box(min: ({low:.4}, 5.0, 5.0), max: ({high:.4}, 5.1, 5.1))")
    };
    format!("solids: [{}],", list(count, part))
}

/// Boxes in one heap.
fn heap(count: usize) -> String {
    let part = |x: f64| format!("Box(min: ({x:.5}, 5, 5), max: ({:.5}, 6, 6))", 2.0 + x);
    format!("solids: [{}],", list(count, part))
}

fn nozzles() -> String {
    let part = |x: f64| {
        let at = 1.0 + 8.0 * x;
        format!("(speed: 1, from: Disc(centre: (5, {at}, 2), normal: (1, 0, 0), radius: 0.2))")
    };
    format!("emitters: [{}],", list(50, part))
}

/// Boxes that turn.
fn rotors(count: usize) -> String {
    let part = |x: f64| {
        let (low, high) = (8.0 * x, 8.0 * x + 0.1);
        format!("Box(min: ({low:.4}, 5, 5), max: ({high:.4}, 6, 6), motion: Spin(rpm: 1.0))")
    };
    format!("solids: [{}],", list(count, part))
}

/// Shapes of fluid, one above the other.
fn pile(count: usize) -> String {
    let part = |x: f64| {
        let (low, high) = (9.5 * x, 9.5 * x + 0.001);
        format!("Box(min: (0, 0, {low:.6}), max: (0.001, 0.001, {high:.6}))")
    };
    let shapes = list(count, part);
    format!("fluids: [(name: \"w\", rest_density: 1e3, viscosity: 0, shapes: [{shapes}])],")
}

/// The processor's time that `sim check` takes \[s\].
fn cost(place: &Place, text: &str) -> f64 {
    place.write("large.ron", text);
    let time = "TIMEFORMAT=%U; time";
    let mut bash = Command::new("bash");
    bash.args(["-c", &format!("{time} {SIM} check large.ron 2>/dev/null")]);
    let ended = Ended::of(bash.current_dir(place.path("")).output().unwrap());
    let seconds = ended.stderr.lines().last().and_then(|line| line.parse().ok());
    seconds.unwrap_or_else(|| panic!("no time: {ended:?}"))
}

#[test]
fn the_cost_of_a_check_grows_with_a_scene_and_not_with_its_square() {
    let place = Place::new();
    let kinds: [(&str, &dyn Fn(usize) -> String); 5] = [
        ("a row of boxes", &|n| scene(&format!("{FLUID} {}", row(n)))),
        ("a heap of boxes", &|n| scene(&format!("{FLUID} {}", heap(n)))),
        ("boxes beside nozzles", &|n| scene(&format!("{FLUID} {} {}", row(n), nozzles()))),
        ("rotors beside nozzles", &|n| scene(&format!("{FLUID} {} {}", rotors(n), nozzles()))),
        ("shapes", &|n| scene(&pile(n)).replace("radius: 0.1,", "radius: 0.0005,")),
    ];
    for (name, text) in kinds {
        let [start, few, many] = [1, 500, 4000].map(|count| cost(&place, &text(count)));
        let [few, many] = [few, many].map(|cost| (cost - start).max(0.05));
        // Eight times as many: 64 times the cost if it went by pairs.
        assert!(many < 30.0 * few, "{name}: {few} s for 500, {many} s for 4000");
    }
}

#[test]
fn warnings_of_twenty_thousand_boxes_are_summed_up() {
    let place = Place::new();
    place.write("boxes.ron", scene(&format!("{FLUID} {}", row(20_000))));
    let ended = place.sim(["check", "boxes.ron"]);
    ended.assert_done();
    let warnings: Vec<&str> =
        ended.stderr.lines().filter(|line| line.starts_with("warning:")).collect();
    assert!((1..50).contains(&warnings.len()), "{ended:?}");
    let sum = warnings.iter().filter(|line| line.contains(" more like this")).count();
    assert!(sum > 0, "{ended:?}");
    assert_eq!(place.sim(["check", "boxes.ron"]).stderr, ended.stderr, "in the same order");
}

#[test]
fn a_name_that_is_too_long_for_a_file_is_refused_at_its_place() {
    let place = Place::new();
    let text = fs::read_to_string(case("robustness/long_fluid_name.ron")).unwrap();
    place.write("long.ron", &text);
    let refused = place.sim(["check", "long.ron"]);
    refused.assert_refused(&["long.ron:5:19", "255 bytes", "at most 231 characters"]);
    place.sim(["long.ron"]).assert_refused(&["long.ron:5:19"]);
    assert!(!place.path("out/long").exists());
}

#[test]
fn the_longest_names_make_files() {
    let place = Place::new();
    let fluid = |last: char, low: f64| {
        let (name, high) = ("x".repeat(230), low + 0.4);
        format!(
            "(name: \"{name}{last}\", rest_density: 1000.0, viscosity: 1e-6,
            shapes: [Box(min: ({low}, 0, 0), max: ({high}, 0.4, 0.4))])"
        )
    };
    // Alike but for what a file name cannot hold: one is numbered.
    let fluids = format!("fluids: [{}, {}],", fluid('ä', 0.0), fluid('ö', 1.0));
    place.write("names.ron", scene(&fluids).replace("surface: None,", ""));
    place.sim(["names.ron", "--quiet"]).assert_done();
    for end in ["_", "__2"] {
        let name = format!("surface_{}{end}_00001.ply", "x".repeat(230));
        assert!(place.path("out/names/surface").join(&name).exists(), "{name}");
    }
}

#[test]
fn copies_of_meshes_differ_by_more_than_case() {
    let place = Place::new();
    let long = format!("{}.obj", "m".repeat(251));
    let paths = ["a/box.obj", "b/box.obj", "b/BOX.obj", &format!("a/{long}"), &format!("b/{long}")];
    fs::create_dir(place.path("a")).unwrap();
    fs::create_dir(place.path("b")).unwrap();
    let mut solids = String::new();
    for (k, path) in paths.iter().enumerate() {
        place.write(path, TETRAHEDRON);
        solids += &format!("Mesh(path: \"{path}\", scale: 0.5, translate: ({k}.2, 5, 5)), ");
    }
    place.write("meshes.ron", scene(&format!("{FLUID} solids: [{solids}],")));
    place.sim(["meshes.ron", "--quiet"]).assert_done();
    let copies = fs::read_dir(place.path("out/meshes/meshes")).unwrap();
    let names = copies.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.map(|name| name.to_lowercase()).collect();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), paths.len(), "{names:?}");
    // The copy of the scene finds them.
    place.sim(["check", "out/meshes/scene.ron"]).assert_done();
}

#[test]
fn control_characters_in_names_are_refused() {
    let place = Place::new();
    for name in ["a\\nb", "a\\u{0}", "\\tb", "\\u{1b}[2J"] {
        place.write("name.ron", small_with("\"water\"", &format!("\"{name}\"")));
        let expected = ["name.ron:8:15", "control character"];
        place.sim(["check", "name.ron"]).assert_refused(&expected);
        let probes = format!("probes=(rate: 10.0, list: [Front(name: \"{name}\", axis: X)])");
        place.sim(["check", "small.ron", "--set", &probes]).assert_refused(&expected[1..]);
    }
}

#[test]
fn no_name_is_a_formula_in_a_table() {
    let place = Place::new();
    let names = ["=1+1", "+A1", "-A1", "@A1", "a,b", "say \"a\"", "'=1", "P 1"];
    let probe = |name: &str| format!("Front(name: \"{}\", axis: X)", name.replace('"', "\\\""));
    let probes = names.map(probe).join(", ");
    let probes = format!("probes=(rate: 100.0, list: [{probes}])");
    let run = ["small.ron", "--quiet", "--set", "surface=None", "--set", &probes];
    place.sim(run.iter().chain(&["--out", "one"])).assert_done();
    let varied = ["sweep", "small.ron", "--quiet", "--set", "surface=None", "--set", &probes];
    let values = ["--set", "frames.count=1,2", "--out", "many"];
    place.sim(varied.iter().chain(&values)).assert_done();
    let header = |file: &str| -> Vec<String> {
        let text = place.read(file);
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        assert!(reader.records().all(|row| row.is_ok()), "{text}");
        reader.headers().unwrap().iter().map(str::to_owned).collect()
    };
    let expected = ["'=1+1", "'+A1", "'-A1", "'@A1", "a,b", "say \"a\"", "''=1", "P 1"];
    assert_eq!(header("one/probes.csv")[1..], expected);
    let results = header("many/results.csv");
    for name in expected {
        let column = format!("{name}_max");
        assert!(results.contains(&column), "no `{column}` in {results:?}");
    }
    let is_formula = |cell: &String| cell.starts_with(['=', '+', '-', '@']);
    assert!(!results.iter().any(is_formula), "{results:?}");
}

#[test]
fn a_folder_whose_name_is_too_long_is_refused() {
    let place = Place::new();
    let long = "x".repeat(256);
    let refused = place.sim(["small.ron", "--out", &long]);
    refused.assert_refused(&["File name too long"]);
    let varied = ["--set", "frames.count=1,2"];
    let refused = place.sim(["sweep", "small.ron", "--out", &long].iter().chain(&varied));
    refused.assert_refused(&["File name too long"]);
}
