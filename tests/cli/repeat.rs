//! The same bytes whatever the number of threads and whichever structure searches.

use super::support::{Ended, Place};
use hashfall::base::parallel::CHUNK;
use hashfall::search::{BroadPhaseKind, NeighborKind};

/// Steps enough for every particle to have hit something.
const STEPS: u64 = 200;

/// Runs the small scene into `folder` for at least [`STEPS`] steps.
fn run(place: &Place, folder: &str, args: &[String]) -> Ended {
    let common = ["small.ron", "--out", folder, "--frames", "3", "--set", "frames.rate=30.0"];
    // Loops go over chunks of particles: with several, the threads really share the work.
    let fine = ["--set", "particle_radius=0.006"];
    let ended = place.sim(common.into_iter().chain(fine).map(str::to_owned).chain(args.to_vec()));
    ended.assert_done();
    assert!(ended.summary("steps").parse::<u64>().unwrap() >= STEPS, "{}", ended.stdout);
    let particles: usize = ended.stderr.split(' ').next().unwrap().parse().unwrap();
    assert!(particles > 3 * CHUNK, "{particles} particles");
    ended
}

fn set(key: &str, kind: impl std::fmt::Debug) -> Vec<String> {
    vec!["--set".to_owned(), format!("{key}={kind:?}")]
}

/// The files that hold results, and the log without its timings.
fn results(place: &Place, folder: &str) -> Vec<(String, Vec<u8>)> {
    let mut files = place.files(folder);
    files.retain(|(name, _)| name != "run.json" && name != "scene.ron");
    for (name, content) in &mut files {
        if name == "log.csv" {
            *content = without_timings(std::str::from_utf8(content).unwrap()).into_bytes();
        }
    }
    assert!(files.len() > 10, "{files:?}");
    files
}

/// A log without the columns that end in `_ms`.
fn without_timings(log: &str) -> String {
    let header: Vec<&str> = log.lines().next().unwrap().split(',').collect();
    let kept = |line: &str| {
        let cells = line.split(',').zip(&header).filter(|(_, name)| !name.ends_with("_ms"));
        cells.map(|(cell, _)| cell).collect::<Vec<_>>().join(",")
    };
    log.lines().map(kept).collect::<Vec<_>>().join("\n")
}

#[track_caller]
fn assert_same(a: &[(String, Vec<u8>)], b: &[(String, Vec<u8>)], what: &str) {
    let names = |files: &[(String, Vec<u8>)]| -> Vec<String> {
        files.iter().map(|(name, _)| name.clone()).collect()
    };
    assert_eq!(names(a), names(b), "{what}: other files");
    for ((name, a), (_, b)) in a.iter().zip(b) {
        assert!(a == b, "{what}: {name} differs");
    }
}

#[test]
fn threads_and_structures_do_not_change_a_byte() {
    let place = Place::new();
    let mut variants: Vec<(String, Vec<String>)> = [1, 2, 5]
        .map(|n| (format!("threads_{n}"), vec!["--threads".to_owned(), n.to_string()]))
        .into();
    variants.extend(
        NeighborKind::ALL.map(|kind| (format!("neighbors_{kind:?}"), set("neighbors", kind))),
    );
    variants.extend(
        BroadPhaseKind::ALL.map(|kind| (format!("broad_{kind:?}"), set("broad_phase", kind))),
    );
    let mut expected = None;
    for (name, args) in &variants {
        let digest = run(&place, name, args).summary("state digest").to_owned();
        let files = results(&place, name);
        let (first_digest, first_files) =
            expected.get_or_insert_with(|| (digest.clone(), files.clone()));
        assert_eq!(*first_digest, digest, "{name}");
        assert_same(first_files, &files, name);
    }
}

#[test]
fn the_resolved_scene_gives_the_same_bytes() {
    let place = Place::new();
    place.sim(["small.ron", "--set", "fluids[0].viscosity=0.01", "--out", "first"]).assert_done();
    place.sim(["first/scene.ron", "--out", "second"]).assert_done();
    assert_eq!(place.read("first/scene.ron"), place.read("second/scene.ron"));
    // Blender shows the scene's name, which is that of its file.
    let all = |folder| {
        let mut files = results(&place, folder);
        files.retain(|(name, _)| name != "blender.py");
        files
    };
    assert_same(&all("first"), &all("second"), "the resolved scene");
    let digest = |run: &str| place.manifest(run)["progress"]["last_state_digest"].clone();
    assert_eq!(digest("first"), digest("second"));
}
