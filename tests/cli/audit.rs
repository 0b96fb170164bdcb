//! `sim audit`: what is wrong with a run's files is found, and nothing else.

use super::support::{Ended, Place};
use std::fs;

/// A short run, audited after something was done to its files.
fn audited(harm: impl Fn(&Place)) -> Ended {
    let place = Place::new();
    place.sim(["small.ron", "--frames", "3", "--out", "run"]).assert_done();
    harm(&place);
    place.sim(["audit", "run"])
}

#[track_caller]
fn assert_found(harm: impl Fn(&Place), parts: &[&str]) {
    let ended = audited(harm);
    assert_eq!(ended.code, Some(1), "{ended:?}");
    let error = ended.stderr.lines().find(|line| parts.iter().all(|part| line.contains(part)));
    assert!(error.is_some(), "no {parts:?} in {}", ended.stderr);
    assert!(!ended.stdout.contains("valid"), "{ended:?}");
}

/// Changes a byte of a file, so far from its end.
fn flip(place: &Place, name: &str, from_end: usize) {
    let mut bytes = fs::read(place.path(name)).unwrap();
    let at = bytes.len() - from_end;
    bytes[at] ^= 1;
    place.write(name, bytes);
}

#[test]
fn a_run_that_was_left_alone_is_sound() {
    let ended = audited(|_| {});
    ended.assert_done();
    assert!(ended.stderr.is_empty(), "{ended:?}");
    for line in ["frames           4, in ", "meshes           4 checked", "verdict          valid"]
    {
        assert!(ended.stdout.contains(line), "no `{line}` in {}", ended.stdout);
    }
}

#[test]
fn a_run_that_went_on_with_other_settings_is_sound() {
    let ended = audited(|place| {
        let change = ["--set", "gravity=(0, 0, -3)", "--set", "fluids[0].rest_density=900"];
        // A fluid that turns lighter is compressed by a ninth, and sets that free.
        let limit = ["--set", "limits.energy_gain=None"];
        let resume = ["resume", "run", "--frames", "5"];
        place.sim(resume.iter().chain(&change).chain(&limit)).assert_done();
    });
    assert!(ended.assert_done().stdout.contains("frames           6, in "), "{ended:?}");
}

#[test]
fn what_was_altered_lost_or_cut_is_found() {
    // Raw data begin with positions, behind an underscore.
    let particles = "run/particles/particles_00002.vtp";
    assert_found(
        |place| {
            let mut bytes = fs::read(place.path(particles)).unwrap();
            let start = b"encoding=\"raw\">";
            let at = bytes.windows(start.len()).position(|part| part == start).unwrap();
            let data = at + bytes[at..].iter().position(|&b| b == b'_').unwrap();
            bytes[data + 44] ^= 1;
            place.write(particles, bytes);
        },
        &["particles_00002.vtp", "digest"],
    );
    assert_found(
        |place| fs::remove_file(place.path(particles)).unwrap(),
        &["particles_00002.vtp", "No such file"],
    );
    assert_found(
        |place| {
            let bytes = fs::read(place.path(particles)).unwrap();
            place.write(particles, &bytes[..bytes.len() / 2]);
        },
        &["particles_00002.vtp"],
    );
    assert_found(|place| flip(place, "run/surface/surface_00001.ply", 3), &["surface_00001.ply"]);
    assert_found(
        |place| {
            let text = place.read("run/log.csv");
            let last = text.trim_end().rfind('\n').unwrap();
            place.write("run/log.csv", &text[..=last]);
        },
        &["log.csv", "it has 3 rows", "4 frames"],
    );
    assert_found(
        |place| {
            let name = fs::read_dir(place.path("run/checkpoints")).unwrap().next().unwrap();
            let name = name.unwrap().file_name().into_string().unwrap();
            flip(place, &format!("run/checkpoints/{name}"), 100);
        },
        &["checkpoints/step_", "checksum"],
    );
}

#[test]
fn a_log_beyond_the_limits_is_a_fault() {
    let place = Place::new();
    let lax = ["--set", "limits=(compression: 0.05, on_breach: Warn)", "--out", "run"];
    place.sim(["small.ron", "--frames", "20"].iter().chain(&lax)).assert_done();
    let ended = place.sim(["audit", "run"]);
    assert_eq!(ended.code, Some(1), "{ended:?}");
    assert!(ended.stderr.contains("(`limits.compression` is 0.05)"), "{ended:?}");
    place.sim(["audit", "nowhere"]).assert_refused(&["`nowhere` holds no run"]);
}
