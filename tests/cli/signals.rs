//! Ctrl-C and SIGTERM: the step and its files are finished; a second one ends at once.

#![cfg(unix)]

use super::support::{
    Ended, Place, assert_nothing_unfinished, assert_series_is_whole, send, wait_until,
};
use std::process::Child;
use std::time::{Duration, Instant};

/// A run of `small.ron` that goes on until it is stopped, with its third frame on disk.
pub fn endless_run(place: &Place, more: Option<&str>) -> Child {
    // More than are ever made, and all of them would fit on a disk that is nearly full.
    let endless =
        ["small.ron", "--frames", "300", "--set", "frames.rate=300.0", "--allow-shortage"];
    let child = place.command(endless.into_iter().chain(more)).spawn().unwrap();
    wait_until("the third frame", || {
        place.path("out/small/particles/particles_00002.vtp").exists()
    });
    child
}

/// Stops a run by a signal while it computes: everything is whole, and it can go on.
pub fn stop_in_the_midst(signal: &str, code: i32) {
    let place = Place::new();
    let child = endless_run(&place, None);
    send(signal, &child);
    let ended = Ended::of(child.wait_with_output().unwrap());
    assert_eq!(ended.code, Some(code), "{ended:?}");
    let frames = assert_series_is_whole(&place, "out/small", "particles.pvd");
    assert!(frames >= 3);
    assert_eq!(assert_series_is_whole(&place, "out/small", "surface.pvd"), frames);
    assert_eq!(place.read("out/small/log.csv").lines().count(), frames + 1);
    assert_nothing_unfinished(&place, "out/small");
    let manifest = place.manifest("out/small");
    assert_eq!(manifest["status"], "interrupted");
    assert_eq!(manifest["progress"]["frames_written"], frames);
    assert!(ended.summary("frames").starts_with(&frames.to_string()), "{}", ended.stdout);
    assert!(ended.stderr.contains("interrupted"), "{}", ended.stderr);
}

#[test]
fn ctrl_c_stops_with_a_summary_and_130() {
    stop_in_the_midst("-INT", 130);
}

#[test]
fn sigterm_stops_with_a_summary_and_143() {
    stop_in_the_midst("-TERM", 143);
}

#[test]
fn a_second_ctrl_c_ends_at_once() {
    let place = Place::new();
    // The first search over this many particles by brute force outlasts the test.
    let heavy = [
        "small.ron",
        "--set",
        "particle_radius=0.001",
        "--set",
        "neighbors=Brute",
        "--allow-shortage",
    ];
    let child = place.command(heavy).spawn().unwrap();
    wait_until("the run to begin", || place.path("out/small/run.json").exists());
    send("-INT", &child);
    std::thread::sleep(Duration::from_millis(100));
    let start = Instant::now();
    send("-INT", &child);
    let ended = Ended::of(child.wait_with_output().unwrap());
    assert_eq!(ended.code, Some(130), "{ended:?}");
    assert!(start.elapsed() < Duration::from_secs(10), "it took {:?}", start.elapsed());
    assert_eq!(place.manifest("out/small")["status"], "running", "it went on to the end");
}

#[test]
fn while_a_run_goes_on_its_folder_is_refused() {
    let place = Place::new();
    let child = endless_run(&place, None);
    place.sim(["small.ron", "--overwrite"]).assert_refused(&["out/small", "in use", "--out"]);
    send("-TERM", &child);
    let ended = Ended::of(child.wait_with_output().unwrap());
    assert_eq!(ended.code, Some(143), "{ended:?}");
    assert_series_is_whole(&place, "out/small", "particles.pvd");
}

#[test]
fn a_quiet_run_is_stopped_quietly() {
    let place = Place::new();
    let child = endless_run(&place, Some("--quiet"));
    send("-INT", &child);
    let ended = Ended::of(child.wait_with_output().unwrap());
    assert_eq!(ended.code, Some(130), "{ended:?}");
    assert!(ended.stdout.is_empty() && ended.stderr.is_empty(), "{ended:?}");
}

#[test]
fn a_signal_before_the_run_ends_at_once_and_spares_the_earlier_run() {
    let place = Place::new();
    place.sim(["small.ron", "--frames", "1"]).assert_done();
    let before = place.files("out");
    // A scene of which a comment takes long to read.
    let scene = place.read("small.ron") + &format!("// {}\n", "x".repeat(60 << 20));
    place.write("small.ron", scene);
    for (signal, code) in [("-INT", 130), ("-TERM", 143)] {
        let child = place.command(["small.ron", "--overwrite"]).spawn().unwrap();
        let status = format!("/proc/{}/status", child.id());
        wait_until("a handler of signals", || {
            let status = std::fs::read_to_string(&status).unwrap_or_default();
            let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
            let mask = caught.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
            // SIGINT is signal 2, SIGTERM 15.
            mask.is_some_and(|mask| mask & (1 << 1) != 0 && mask & (1 << 14) != 0)
        });
        send(signal, &child);
        let ended = Ended::of(child.wait_with_output().unwrap());
        assert_eq!(ended.code, Some(code), "{ended:?}");
        assert!(place.files("out") == before, "the earlier run was touched");
    }
}
