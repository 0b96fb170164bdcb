//! Bodies that the fluid moves: where they are in files, events, pictures and checkpoints.

use super::support::{Place, assert_series_is_whole};
use hashfall_output::bodies::poses;
use std::fs;

/// A crate and a ball fall into a pool, in the plane.
const SCENE: &str = r#"Scene(
    dimensions: Two,
    frames: (count: 12, rate: 40),
    domain: Box(min: (0, 0, 0), max: (0.6, 0, 0.6)),
    particle_radius: 0.01,
    fluids: [(name: "water", rest_density: 1000, viscosity: 1e-6,
              shapes: [Box(min: (0, 0, 0), max: (0.6, 0, 0.1))])],
    solids: [
        Box(min: (0.26, 0, 0), max: (0.3, 0, 0.06)),
        Box(name: "crate", min: (0.05, 0, 0.25), max: (0.2, 0, 0.35),
            motion: Free(density: 600.0, spin: (0, 2, 0))),
        Ball(centre: (0.45, 0, 0.3), radius: 0.05, motion: Free(density: 3000.0)),
    ],
    output: (particles: [Vtp], surface: []),
)"#;

fn run(more: &[&str]) -> (Place, String) {
    let place = Place::new();
    place.write("bodies.ron", SCENE);
    let ended = place.sim(["bodies.ron", "--out", "run"].iter().chain(more));
    let stdout = ended.assert_done().stdout.clone();
    (place, stdout)
}

#[test]
fn a_table_tells_where_bodies_are_and_what_acts_on_them() {
    let (place, _) = run(&["--quiet"]);
    let table = place.read("run/bodies.csv");
    assert_eq!(table.lines().count(), 1 + 13 * 2);
    let poses = poses(table.as_bytes());
    let height = |frame: u32, row: usize| poses[&frame][row].1.position.z;
    assert_eq!(poses[&0].iter().map(|pose| pose.0).collect::<Vec<_>>(), [1, 2]);
    assert!((height(0, 0) - 0.3).abs() < 1e-7 && (height(0, 1) - 0.3).abs() < 1e-7);
    // In free fall at first, to a step more or less; then the crate floats, and the ball sinks.
    let fallen = 0.5 * 9.81 * 0.05f64.powi(2);
    assert!((0.3 - height(2, 1) - fallen).abs() < 0.1 * fallen, "{}", height(2, 1));
    assert!(height(12, 0) > 0.07 && height(12, 1) < 0.08, "{}, {}", height(12, 0), height(12, 1));
    let names = table.lines().skip(1).map(|line| line.split(',').nth(3).unwrap());
    assert_eq!(names.take(2).collect::<Vec<_>>(), ["crate", "solids[2]"]);
    // The fluid's force is that of the log, about the body's own centre.
    let cell = |file: &str, row: usize, column: &str| -> f64 {
        let text = place.read(&format!("run/{file}"));
        let at = text.lines().next().unwrap().split(',').position(|name| name == column);
        let line = text.lines().nth(row).unwrap();
        line.split(',').nth(at.unwrap()).unwrap().parse().unwrap()
    };
    for frame in [0, 5, 12] {
        let own = cell("bodies.csv", 1 + 2 * frame, "force_z");
        let logged = cell("log.csv", 1 + frame, "solids[1]_force_z");
        assert!((own - logged).abs() <= 1e-9 * logged.abs(), "{own}, {logged}");
    }
    assert!(cell("bodies.csv", 1 + 2 * 12, "force_z") > 0.0);
}

#[test]
fn meshes_are_written_once_and_poses_for_each_frame() {
    let (place, _) = run(&["--quiet"]);
    let solids = fs::read_dir(place.path("run/solids")).unwrap();
    let mut names: Vec<String> =
        solids.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    assert_eq!(names.iter().filter(|name| name.starts_with("bodies_")).count(), 13);
    names.retain(|name| !name.starts_with("bodies_"));
    let meshes = ["body_01", "body_02", "mesh_00"];
    let expected =
        meshes.iter().flat_map(|name| ["ply", "vtp"].map(|kind| format!("{name}.{kind}")));
    assert_eq!(names, expected.collect::<Vec<_>>());
    assert_eq!(assert_series_is_whole(&place, "run", "bodies.pvd"), 13);
    assert_eq!(assert_series_is_whole(&place, "run", "solids.pvd"), 1);
    place.sim(["audit", "run"]).assert_done();
    let table = place.read("run/bodies.csv");
    let (cut, _) = table.trim_end().rsplit_once('\n').unwrap();
    place.write("run/bodies.csv", format!("{cut}\n"));
    let ended = place.sim(["audit", "run"]);
    assert_eq!(ended.code, Some(1), "{ended:?}");
    assert!(ended.stderr.contains("bodies.csv: frame 12 has not one whole row"), "{ended:?}");
}

#[test]
fn pictures_and_events_show_bodies_where_they_are() {
    let (place, events) = run(&["--log", "json"]);
    let poses = poses(place.read("run/bodies.csv").as_bytes());
    let events =
        events.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let bodies: Vec<_> = events.filter(|event| event["event"] == "bodies").collect();
    assert_eq!(bodies.len(), 13);
    for (frame, event) in (0..).zip(&bodies) {
        assert_eq!(
            (&event["frame"], &event["bodies"][0]["name"]),
            (&frame.into(), &"crate".into())
        );
        for (row, (solid, state)) in poses[&frame].iter().enumerate() {
            let body = &event["bodies"][row];
            assert_eq!(body["body"], *solid);
            assert_eq!(body["position"][2].as_f64(), Some(state.position.z));
        }
    }
    place
        .sim(["preview", "run", "--quiet", "--no-gif", "--no-mp4", "--size", "160x120"])
        .assert_done();
    // A frame's number, its fluid, and the solids that move.
    let moving = |frame: u32| {
        let script = place.read(&format!("run/preview/page/f{frame:05}.js"));
        script.split('"').nth(3).unwrap_or_else(|| panic!("no solids in {script}")).to_owned()
    };
    assert_ne!(moving(0), moving(2), "the page's bodies move");
}

/// The folder is one that the program left before bodies could be free.
#[test]
#[cfg(not(feature = "f64"))]
fn a_run_of_the_version_before_goes_on() {
    let place = Place::new();
    let data = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/version_3");
    fs::create_dir_all(place.path("old/checkpoints")).unwrap();
    for file in
        ["run.json", "scene.ron", "log.csv", "probes.csv", "checkpoints/step_000000002.safetensors"]
    {
        fs::copy(data.join(file), place.path(&format!("old/{file}"))).unwrap();
    }
    place.sim(["resume", "old", "--frames", "4", "--quiet"]).assert_done();
    assert_eq!(place.manifest("old")["progress"]["frames_written"], 5);
    assert!(place.path("old/solids/mesh_00_00004.vtp").exists());
}
