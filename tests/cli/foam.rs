//! `sim foam`: what it writes, that it goes on where it was stopped, and what it refuses.

use super::support::{Ended, Place};
use hashfall::foam::Diffuse;
use hashfall::run::foam::read_diffuse;
use serde_json::Value;
use std::collections::HashMap;
use std::fs;

/// A dam break of 1152 particles that meets the far wall in frame 19 or 20.
const RUN: [&str; 9] = [
    "dam_break",
    "--set",
    "particle_radius=0.025",
    "--set",
    "surface=None",
    "--frames",
    "28",
    "--out",
    "dam",
];

fn run(place: &Place, more: &[&str]) -> Ended {
    place.sim(RUN.iter().chain(more))
}

/// The rows of the record.
fn rows(place: &Place) -> Vec<Value> {
    let record: Value = serde_json::from_str(&place.read("dam/foam/foam.json")).unwrap();
    record["frames"].as_array().unwrap().clone()
}

/// The files of foam with their bytes.
fn files(place: &Place) -> Vec<(String, Vec<u8>)> {
    let mut files = place.files("dam");
    files.retain(|(name, _)| name.starts_with("foam"));
    files
}

#[test]
fn a_dam_break_foams_from_its_impact_on_and_goes_on_to_the_same_bytes() {
    let place = Place::new();
    run(&place, &[]).assert_done();
    let ended = place.sim(["foam", "dam", "--threads", "1"]);
    ended.assert_done();
    assert!(ended.stdout.contains("29 frames, 29 computed now"), "{ended:?}");
    assert!(ended.stderr.contains("limits: trapped air "), "{ended:?}");
    let emitted: Vec<u64> =
        rows(&place).iter().map(|row| row["next_id"].as_u64().unwrap()).collect();
    assert!(emitted[..19].iter().all(|count| *count == 0), "before the impact: {emitted:?}");
    assert!(emitted[28] > 50, "after it: {emitted:?}");
    for frame in 19..29 {
        let bytes = fs::read(place.path(&format!("dam/foam/foam_{frame:05}.vtp"))).unwrap();
        let diffuse = read_diffuse(&bytes).unwrap();
        let size = [1.6, 0.4, 1.0];
        for (x, radius) in diffuse.positions.iter().zip(&diffuse.radii) {
            let is_inside = |a: usize| x[a] > 0.99 * radius && size[a] - x[a] > 0.99 * radius;
            assert!((0..3).all(is_inside), "{x} in frame {frame}");
        }
    }
    // A kill leaves frames without rows, or a file under a temporary name.
    let whole = files(&place);
    let mut record: Value = serde_json::from_str(&place.read("dam/foam/foam.json")).unwrap();
    record["frames"].as_array_mut().unwrap().truncate(22);
    place.write("dam/foam/foam.json", record.to_string());
    place.write("dam/foam/foam_00023.vtp", "<VTKFile");
    place.write("dam/foam.pvd", "");
    place.write("dam/.hashfall-1a2b.tmp", "");
    place.write("dam/foam/.hashfall-1a2c.tmp", "");
    let ended = place.sim(["foam", "dam", "--threads", "5"]);
    assert!(ended.stdout.contains("29 frames, 7 computed now"), "{ended:?}");
    assert!(files(&place) == whole, "as if it had not been killed");
    assert!(place.files("dam").iter().all(|(name, _)| !name.ends_with(".tmp")));
    // Lost and truncated files are computed again, with all after them.
    fs::remove_file(place.path("dam/foam/foam_00020.vtp")).unwrap();
    place.write("dam/foam/foam_00025.vtp", "<VTKFile");
    let ended = place.sim(["foam", "dam"]);
    assert!(ended.stdout.contains("29 frames, 9 computed now"), "{ended:?}");
    assert!(files(&place) == whole, "as if none had been lost");
    // Of a whole one nothing is computed but series that were lost; other settings start anew.
    fs::remove_file(place.path("dam/foam.pvd")).unwrap();
    let ended = place.sim(["foam", "dam"]);
    assert!(ended.stdout.contains("29 frames, 0 computed now"), "{ended:?}");
    assert!(files(&place) == whole);
    // What cannot be computed costs nothing that was.
    let particles = "dam/particles/particles_00010.vtp";
    let sound = fs::read(place.path(particles)).unwrap();
    place.write(particles, "<VTKFile");
    let ended = place.sim(["foam", "dam", "--set", "foam.seed=3"]);
    assert!(ended.code == Some(2) && files(&place) == whole, "{ended:?}");
    fs::write(place.path(particles), sound).unwrap();
    let change = ["--set", "foam.trapped_air.rate=0", "--set", "foam.output=[Vtp, Ply]"];
    let ended = place.sim(["foam", "dam", "-q"].iter().chain(&change));
    ended.assert_done();
    let count = |end: &str| files(&place).iter().filter(|(name, _)| name.ends_with(end)).count();
    assert_eq!((count(".vtp"), count(".ply")), (29, 29));
    assert!(whole.iter().all(|(name, _)| !name.contains(".ply")), "one format by default");
    let fewer = rows(&place)[28]["next_id"].as_u64().unwrap();
    assert!(fewer < emitted[28], "{fewer} without trapped air");
    assert!(!ended.stderr.contains("max_particles"), "{ended:?}");
    let ended = place.sim(["foam", "dam", "-q", "--set", "foam.max_particles=9"]);
    assert!(ended.stderr.contains("`foam.max_particles: 9` was reached"), "{ended:?}");
    // The run goes on with what it has, and is still sound.
    place.sim(["audit", "dam"]).assert_done();
}

#[test]
fn a_scene_asks_for_foam_and_a_new_run_replaces_it() {
    let place = Place::new();
    run(&place, &["--set", "foam=(trapped_air: (rate: 3000))"]).assert_done();
    assert!(rows(&place).len() == 29 && place.path("dam/foam.pvd").is_file());
    let series = place.read("dam/foam.pvd");
    assert!(series.contains("file=\"foam/foam_00028.vtp\""), "{series}");
    // As of a run that went on after its foam: what shows the run tells which frames have none.
    let lost = ["dam/foam/foam_00027.vtp", "dam/foam/foam_00028.vtp"].map(|name| place.path(name));
    let kept = lost.each_ref().map(|path| fs::read(path).unwrap());
    lost.iter().for_each(|path| fs::remove_file(path).unwrap());
    let export = place.sim(["export", "dam", "-q", "-f", "usd", "-o", "usd", "--from", "20"]);
    let preview = place.sim(["preview", "dam", "-q", "--from", "26", "--size", "64x48"]);
    let told = "have no foam, first frame 27; `sim foam dam` computes it for all";
    for (ended, count) in [(export, "2 of 9 frames"), (preview, "2 of 3 frames")] {
        ended.assert_done();
        assert!(ended.stderr.contains(&format!("{count} {told}")), "{ended:?}");
    }
    fs::remove_dir_all(place.path("dam/preview")).unwrap();
    lost.iter().zip(kept).for_each(|(path, bytes)| fs::write(path, bytes).unwrap());
    // The run is done, and its foam was stopped.
    let whole = files(&place);
    let mut record: Value = serde_json::from_str(&place.read("dam/foam/foam.json")).unwrap();
    record["frames"].as_array_mut().unwrap().truncate(25);
    place.write("dam/foam/foam.json", record.to_string());
    let ended = place.sim(["resume", "dam"]);
    ended.assert_done();
    assert!(ended.stdout.contains("29 frames, 4 computed now"), "{ended:?}");
    assert!(files(&place) == whole);
    place.sim(["resume", "dam", "--frames", "29"]).assert_done();
    assert_eq!(rows(&place).len(), 30, "more frames have other limits: all are computed");
    run(&place, &["--overwrite"]).assert_done();
    assert!(!place.path("dam/foam").exists() && !place.path("dam/foam.pvd").exists());
}

/// The diffuse particles of a frame.
fn frame(place: &Place, folder: &str, number: u32) -> Diffuse {
    let bytes = fs::read(place.path(&format!("{folder}/foam/foam_{number:05}.vtp"))).unwrap();
    read_diffuse(&bytes).unwrap()
}

/// A block of water flies into a pool, along a direction without walls.
const PERIODIC: &str = "Scene(
    frames: (count: 20, rate: 40),
    domain: Box(min: (0, 0, 0), max: (0.6, 0.3, 0.5), periodic: (true, false, false)),
    particle_radius: 0.015,
    fluids: [(name: \"water\", rest_density: 1000, viscosity: 1e-6, shapes: [
        Box(min: (0, 0, 0), max: (0.6, 0.3, 0.1)),
        Box(min: (0.2, 0.05, 0.2), max: (0.4, 0.25, 0.35), velocity: (2, 0, -1)),
    ])],
    surface: None,
    foam: (),
)";

#[test]
fn foam_leaves_a_periodic_side_and_comes_in_at_the_other() {
    let place = Place::new();
    place.write("periodic.ron", PERIODIC);
    place.sim(["periodic.ron", "--out", "run"]).assert_done();
    let mut crossed = 0;
    let mut before = HashMap::new();
    for number in 0..=20 {
        let diffuse = frame(&place, "run", number);
        let mut now = HashMap::new();
        for (id, x) in diffuse.ids.iter().zip(&diffuse.positions) {
            let is_inside = (0.0..=0.6).contains(&x.x) && x.y > 0.0 && x.y < 0.3 && x.z > 0.0;
            assert!(is_inside, "{x} in frame {number}");
            let was_at_the_end = before.get(id).is_some_and(|&old: &f64| old > 0.5);
            crossed += usize::from(was_at_the_end && x.x < 0.1);
            now.insert(*id, f64::from(x.x));
        }
        before = now;
    }
    assert!(crossed > 20, "{crossed} crossed");
}

#[test]
fn foam_in_the_plane_stays_in_it() {
    let place = Place::new();
    let plane = PERIODIC
        .replace("max: (0.6, 0.3, 0.5), periodic: (true, false, false)", "max: (0.6, 0, 0.5)")
        .replace("frames: (", "dimensions: Two, frames: (")
        .replace("0.3, 0.1)", "0, 0.1)")
        .replace("0.05, 0.2)", "0, 0.2)")
        .replace("0.25, 0.35)", "0, 0.35)");
    place.write("plane.ron", &plane);
    place.sim(["plane.ron", "--out", "run"]).assert_done();
    let (mut seen, mut plane) = (0, None);
    for number in 0..=20 {
        let diffuse = frame(&place, "run", number);
        for (x, v) in diffuse.positions.iter().zip(&diffuse.velocities) {
            assert_eq!(x.y, *plane.get_or_insert(x.y), "frame {number}");
            assert_eq!(v.y, 0.0, "frame {number}");
            assert!(x.x > 0.0 && x.x < 0.6 && x.z > 0.0, "{x} in frame {number}");
            seen += 1;
        }
    }
    assert!(seen > 100, "{seen} seen");
}

#[test]
fn what_cannot_foam_is_told_why() {
    let place = Place::new();
    let refuses = |args: &[&str], parts: &[&str]| {
        let ended = place.sim(args);
        assert_eq!(ended.code, Some(2), "{ended:?}");
        assert!(parts.iter().all(|part| ended.stderr.contains(part)), "{ended:?}");
    };
    refuses(&["foam", "nowhere"], &["nowhere"]);
    refuses(&["foam", "small.ron"], &["is a scene, not the folder of a run"]);
    let short = ["small.ron", "--frames", "1", "--out", "none", "--set", "output.particles=false"];
    place.sim(short).assert_done();
    refuses(&["foam", "none"], &["no files of its particles", "output: (particles: [Vtp])"]);
    place.sim(["small.ron", "--frames", "2", "--out", "run"]).assert_done();
    refuses(
        &["foam", "run", "--set", "gravity=(0,0,0)"],
        &["cannot change after the run", "foam."],
    );
    refuses(&["foam", "run", "--set", "foam.emit_from=[\"hub\"]"], &["no solid is called \"hub\""]);
    refuses(&["foam", "run", "--set", "foam=None"], &["this asks for none", "leave it out"]);
    refuses(&["foam", "run", "--set", "foam.radius=(0.3,0.1)"], &["the lower number first"]);
    fs::remove_file(place.path("run/particles/particles_00001.vtp")).unwrap();
    refuses(&["foam", "run"], &["particles/particles_00001.vtp` is missing"]);
    assert!(!place.path("run/foam").exists());
}
