//! Limits of a scene: a run that goes beyond one ends in that step and says where.

use super::scenes::small_with;
use super::support::{Ended, Place, assert_series_is_whole};

/// Runs the small scene with limits.
fn run(place: &Place, limits: &str, more: &[&str]) -> Ended {
    let limits = format!("limits={limits}");
    let checkpoints = "checkpoints=(frames: 1)";
    let args = ["small.ron", "--frames", "20", "--set", &limits, "--set", checkpoints];
    place.sim(args.iter().chain(more))
}

#[test]
fn a_run_beyond_a_limit_ends_naming_step_particle_and_place() {
    for (limits, parts) in [
        ("(compression: 0.05)", ["is compressed by", "over `limits.compression` of 0.05"]),
        ("(speed: 0.3)", ["has a speed of 0.3", "over `limits.speed` of 0.3"]),
    ] {
        let place = Place::new();
        let ended = run(&place, limits, &[]);
        assert_eq!(ended.code, Some(1), "{ended:?}");
        ended.assert_one_error(&["beyond its limits: step ", ", t = ", "particle ", " at (0."]);
        ended.assert_one_error(&parts);
        assert!(ended.stderr.contains("the last good checkpoint is `out/small/checkpoints/step_0"));
        let manifest = place.manifest("out/small");
        assert_eq!(manifest["status"], "failed");
        assert!(manifest["reason"].as_str().unwrap().contains(parts[1]), "{manifest}");
        let frames = assert_series_is_whole(&place, "out/small", "particles.pvd");
        assert_eq!(place.read("out/small/log.csv").lines().count(), frames + 1);
        let wider = ["--set", "limits=(compression: None)"];
        place.sim(["resume", "out/small"].iter().chain(&wider)).assert_done();
    }
}

#[test]
fn energy_that_a_force_brings_is_a_gain() {
    let place = Place::new();
    let shaken = "forces=[Table([(0.0, (20.0, 0.0, 0.0))])]";
    let ended = run(&place, "(energy_gain: 1e-3)", &["--set", shaken]);
    assert_eq!(ended.code, Some(1), "{ended:?}");
    ended.assert_one_error(&["the fluid has gained", "over `limits.energy_gain` of 0.001"]);
    run(&place, "(energy_gain: 1e-3)", &["--out", "calm"]).assert_done();
}

#[test]
fn a_breach_may_be_no_more_than_a_warning() {
    let place = Place::new();
    let ended = run(&place, "(compression: 0.05, on_breach: Warn)", &["--quiet"]);
    ended.assert_done();
    assert!(ended.stderr.starts_with("warning: the run went beyond its limits "), "{ended:?}");
    assert!(ended.stderr.contains("times, first at step ") && ended.stderr.contains("particle "));
    assert_eq!(ended.stderr.lines().count(), 1);
}

#[test]
fn limits_are_checked_like_any_setting() {
    let place = Place::new();
    place.write("odd.ron", small_with("solver: Wcsph(),", "solver: Wcsph(), limits: (speed: -1),"));
    place.sim(["odd.ron"]).assert_refused(&["odd.ron:15:", "`speed` must not be negative"]);
    let set = ["--set", "limits.compresion=0.1"];
    place.sim(["small.ron"].iter().chain(&set)).assert_refused(&["compresion", "compression"]);
}
