//! `sim sweep` and the processes of its points: shares of threads, Ctrl-C, and what becomes of a
//! point whose process is killed.

#![cfg(unix)]

use super::support::{Ended, Place, assert_nothing_unfinished, send, wait_until};
use super::sweep::{done_points, results, value};
use std::process::{Child, Command};

/// A sweep of two points that take a few seconds, with the third frame of the first on disk.
fn begun(place: &Place, folder: &str, more: &[&str]) -> Child {
    begun_of(place, folder, "particle_radius=0.008,0.009", more)
}

/// The same of points with these settings.
pub fn begun_of(place: &Place, folder: &str, varied: &str, more: &[&str]) -> Child {
    let sweep = ["sweep", "small.ron", "--frames", "40", "--set", "surface=None", "--out", folder];
    let varied = ["--set", varied];
    let sweep = sweep.iter().chain(&varied).chain(more);
    let mut child = place.command(sweep).spawn().expect("it starts");
    wait_until("the third frame", || {
        assert_eq!(child.try_wait().unwrap(), None, "it ended");
        place.path(&format!("{folder}/points/0000/particles/particles_00002.vtp")).exists()
    });
    child
}

pub fn resumed(place: &Place, point: &str) -> usize {
    place.manifest(point)["resumed"].as_array().map_or(0, Vec::len)
}

#[test]
fn ctrl_c_stops_all_points_with_checkpoints_and_the_sweep_goes_on_from_them() {
    let place = Place::new();
    let child = begun(&place, "s", &["--threads", "4"]);
    send("-INT", &child);
    let ended = Ended::of(child.wait_with_output().unwrap());
    assert_eq!(ended.code, Some(130), "{ended:?}");
    assert!(ended.stderr.contains("continue with `sim sweep s`"), "{ended:?}");
    assert!(!ended.stderr.contains("error"), "{ended:?}");
    assert_eq!(done_points(&place, "s"), 0);
    for (point, row) in ["s/points/0000", "s/points/0001"].iter().zip(results(&place, "s")) {
        assert_nothing_unfinished(&place, point);
        let manifest = place.manifest(point);
        assert_eq!(manifest["status"], "interrupted");
        assert_eq!(manifest["threads"], 2, "four threads are two for each");
        assert_eq!(value(&row, "status"), "unfinished");
    }
    // Nobody holds a point any more.
    place.sim(["sweep", "s"]).assert_done();
    for point in ["s/points/0000", "s/points/0001"] {
        assert_eq!(resumed(&place, point), 1, "{point} began anew");
    }
}

#[test]
fn a_killed_point_stops_no_other_and_is_told_even_if_quiet() {
    let place = Place::new();
    let child = begun(&place, "felled", &["--quiet"]);
    let first = "sweep --point 0 .* -- felled$";
    assert!(Command::new("pkill").args(["-KILL", "-f", first]).status().unwrap().success());
    let ended = Ended::of(child.wait_with_output().unwrap());
    assert_eq!(ended.code, Some(1), "{ended:?}");
    ended.assert_one_error(&["point 0 is unfinished: its process was killed", "9"]);
    assert_eq!(done_points(&place, "felled"), 1);
    place.sim(["sweep", "felled"]).assert_done();
    assert_eq!(resumed(&place, "felled/points/0001"), 0);
}

#[test]
fn a_bad_folder_of_one_point_stops_no_other_whatever_the_sweep_is_called() {
    let place = Place::new();
    let sweep = ["sweep", "small.ron", "--frames", "1", "--set", "surface=None", "--out=-x"];
    let varied = ["--set", "particle_radius=0.012,0.014,0.016"];
    place.sim(sweep.iter().chain(&varied).chain(&["--point", "0"])).assert_done();
    place.write("-x/points/0001", "mine");
    let ended = place.sim(sweep.iter().chain(&varied));
    assert_eq!(ended.code, Some(1), "{ended:?}");
    assert!(ended.stdout.starts_with("3 points: 2 finished, "), "{ended:?}");
    ended.assert_one_error(&["point 1 ", "-x/points/0001"]);
}
