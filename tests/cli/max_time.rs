//! `--max-time`: a run stops by itself, with a checkpoint and whole files, as if by SIGTERM.

use super::support::{Ended, Place, assert_nothing_unfinished, assert_series_is_whole};

/// More frames than are ever made.
const ENDLESS: [&str; 5] = ["--frames", "3000", "--set", "frames.rate=300.0", "--allow-shortage"];

fn assert_time_up(ended: &Ended, command: &str) {
    assert_eq!(ended.code, Some(143), "{ended:?}");
    assert!(ended.stderr.contains("the time of `--max-time` is over"), "{ended:?}");
    assert!(ended.stderr.contains(command), "{ended:?}");
    assert!(!ended.stderr.contains("interrupted"), "{ended:?}");
}

#[test]
fn a_run_stops_with_a_checkpoint_and_goes_on() {
    let place = Place::new();
    let ended = place.sim(["small.ron", "--max-time", "2s"].iter().chain(&ENDLESS));
    assert_time_up(&ended, "continue with `sim resume out/small`");
    let frames = assert_series_is_whole(&place, "out/small", "particles.pvd");
    assert_nothing_unfinished(&place, "out/small");
    let manifest = place.manifest("out/small");
    assert_eq!(manifest["status"], "interrupted");
    assert_eq!(manifest["progress"]["frames_written"], frames);

    let ended = place.sim(["resume", "out/small", "--allow-shortage", "--max-time", "2"]);
    assert_time_up(&ended, "continue with `sim resume out/small`");
    assert!(assert_series_is_whole(&place, "out/small", "particles.pvd") > frames, "{ended:?}");
    let stopped = place.read("out/small/log.csv");

    // As far as both went, the bytes are those of a run that never stopped.
    let all = place.manifest("out/small")["progress"]["frames_written"].as_u64().unwrap() - 1;
    let whole =
        ["small.ron", "--frames", &all.to_string(), "--out", "out/whole"].map(str::to_owned);
    place.sim(whole.iter().map(String::as_str).chain(ENDLESS[2..].iter().copied())).assert_done();
    let digests = |log: &str| -> Vec<String> {
        let column = log.lines().next().unwrap().split(',').position(|name| name == "digest");
        log.lines().map(|row| row.split(',').nth(column.unwrap()).unwrap().to_owned()).collect()
    };
    assert_eq!(digests(&stopped), digests(&place.read("out/whole/log.csv")));
}

#[test]
fn a_run_that_is_done_in_time_ends_as_ever() {
    let place = Place::new();
    let ended = place.sim(["small.ron", "--frames", "1", "--max-time", "1h30m"]);
    assert!(!ended.assert_done().stderr.contains("max-time"), "{ended:?}");
}

#[test]
fn a_sweep_stops_and_continues() {
    let place = Place::new();
    let sweep = ["sweep", "small.ron", "--set", "particle_radius=0.015,0.02", "--max-time", "2s"];
    let ended = place.sim(sweep.iter().chain(&ENDLESS));
    assert_time_up(&ended, "continue with `sim sweep out/small_sweep`");
    let started = ["0000", "0001"].map(|point| format!("out/small_sweep/points/{point}"));
    let started: Vec<&String> = started.iter().filter(|it| place.path(it).exists()).collect();
    assert!(!started.is_empty(), "{ended:?}");
    for point in started {
        assert_eq!(place.manifest(point)["status"], "interrupted");
        assert_nothing_unfinished(&place, point);
    }
}

#[test]
fn a_time_that_is_none_is_refused() {
    let place = Place::new();
    for time in ["0", "soon", "1.5h", "5m2h", "-3"] {
        let ended = place.sim(["small.ron", &format!("--max-time={time}")]);
        ended.assert_refused(&["--max-time", "90s, 10m or 2h30m"]);
    }
    assert!(!place.path("out").exists());
}
