//! `output.particles_every`: only some frames have particles, and nothing misses the others.

use super::support::{Ended, Place, assert_same, assert_series_is_whole, results};
use std::fs;

const EVERY_THIRD: [&str; 4] =
    ["--set", "output.particles_every=3", "--set", "checkpoints=(frames: 2)"];

fn run(place: &Place, more: &[&str]) -> Ended {
    place.sim(["small.ron"].iter().chain(&EVERY_THIRD).chain(more))
}

/// The names of the particles' files.
fn particles(place: &Place, folder: &str) -> Vec<String> {
    let files = place.files(folder).into_iter().map(|(name, _)| name);
    files.filter(|name| name.starts_with("particles/")).collect()
}

#[test]
fn every_third_frame_has_particles_and_each_has_everything_else() {
    let place = Place::new();
    let ended = run(&place, &["--frames", "7", "--out", "run"]);
    let digest = ended.assert_done().summary("state digest").to_owned();
    let names = [0, 3, 6].map(|frame| format!("particles/particles_{frame:05}.vtp"));
    assert_eq!(particles(&place, "run"), names);
    assert_eq!(assert_series_is_whole(&place, "run", "particles.pvd"), 3);
    assert_eq!(place.read("run/log.csv").lines().count(), 9, "a head and eight frames");
    assert!(place.path("run/surface/surface_00007.ply").exists());

    let all = place.sim(["small.ron", "--frames", "7", "--out", "all"]);
    assert_eq!(all.assert_done().summary("state digest"), digest);
    for name in names {
        assert_eq!(
            fs::read(place.path(&format!("run/{name}"))).unwrap(),
            fs::read(place.path(&format!("all/{name}"))).unwrap()
        );
    }
    place.sim(["audit", "run"]).assert_done();
    place.sim(["preview", "run", "--of", "particles", "--size", "64x48", "-q"]).assert_done();
    let page = |more: &[&str]| {
        let args = ["preview", "run", "--size", "64x48", "-q"];
        place.sim(args.iter().chain(more)).assert_done();
        place.read("run/preview/page/f00003.js")
    };
    assert!(page(&[]) == page(&["--of", "surface"]), "the surface in all frames: no flicker");
    place.sim(["export", "run", "--format", "usd,vtkhdf,alembic", "-q"]).assert_done();
}

#[test]
fn a_run_goes_on_with_particles_in_the_same_frames() {
    let place = Place::new();
    run(&place, &["--frames", "8", "--out", "whole"]).assert_done();
    run(&place, &["--frames", "4", "--out", "run"]).assert_done();
    let resumed = place.sim(["resume", "run", "--frames", "8"]);
    assert!(!resumed.assert_done().stderr.contains("missing"), "{}", resumed.stderr);
    assert_same(&results(&place, "run"), &results(&place, "whole"), "resumed");

    // One that is really lost is missed.
    fs::remove_file(place.path("run/particles/particles_00003.vtp")).unwrap();
    let resumed = place.sim(["resume", "run", "--frames", "9"]);
    let warning = &resumed.assert_done().stderr;
    assert!(
        warning.contains("1 file") && warning.contains("particles_00003.vtp` is missing"),
        "{warning}"
    );
    let audit = place.sim(["audit", "run"]);
    assert!(audit.code == Some(1) && audit.stderr.contains("particles_00003.vtp"), "{audit:?}");
}

#[test]
fn formats_that_change_later_are_missed_only_where_they_were_written() {
    let place = Place::new();
    run(&place, &["--frames", "7", "--out", "run"]).assert_done();
    let changed = ["--frames", "12", "--set", "output.particles_every=2"];
    place.sim(["resume", "run"].iter().chain(&changed)).assert_done();
    let frames = [0, 3, 6, 8, 10, 12].map(|frame| format!("particles/particles_{frame:05}.vtp"));
    assert_eq!(particles(&place, "run"), frames);
    let resumed = place.sim(["resume", "run", "--frames", "13"]);
    assert!(!resumed.assert_done().stderr.contains("missing"), "{}", resumed.stderr);
}

#[test]
fn foam_needs_the_particles_of_all_frames() {
    let place = Place::new();
    run(&place, &["--frames", "3", "--out", "run"]).assert_done();
    place.sim(["foam", "run"]).assert_refused(&["particles_every", "one frame in 3"]);
    run(&place, &["--out", "other", "--set", "foam=()"])
        .assert_refused(&["particles_every", "one in 3 has particles"]);
    run(&place, &["--out", "other", "--set", "output.particles_every=0"])
        .assert_refused(&["particles_every", "1"]);
    assert!(!place.path("other").exists());
}

#[test]
fn the_disk_that_is_told_is_that_of_a_mean_frame() {
    let place = Place::new();
    let disk = |more: &[&str]| {
        let args = ["check", "small.ron", "--frames", "8", "--set", "surface=None"];
        let output = place.sim(args.iter().chain(more)).assert_done().stdout.clone();
        output.lines().find(|line| line.trim_start().starts_with("disk ")).unwrap().to_owned()
    };
    let size = |text: &str| -> f64 {
        let mut words = text.split_whitespace().skip_while(|word| word.parse::<f64>().is_err());
        let number: f64 = words.next().unwrap().parse().unwrap();
        let unit = words.next().unwrap();
        number * if unit == "kB" { 1.0 } else { 1e3 }
    };
    // Three of nine frames.
    let (all, third) = (size(&disk(&[])), size(&disk(&["--set", "output.particles_every=3"])));
    assert!(third < 0.5 * all && third > 0.3 * all, "{third} of {all} kB");
}
