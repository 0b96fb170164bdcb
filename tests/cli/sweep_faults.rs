//! Sweeps that lose their process, their disk or their shell.

#![cfg(unix)]

use super::support::{Ended, Place, SIM, send};
use super::sweep::{done_points, results, value};
use super::sweep_crew::{begun_of, resumed};
use std::process::Command;

/// Two points of a second or so.
const VARIED: &str = "particle_radius=0.013,0.0135";

#[test]
fn a_sweep_whose_process_was_killed_is_started_again_at_once() {
    let place = Place::new();
    let mut child = begun_of(&place, "s", VARIED, &["--quiet"]);
    send("-KILL", &child);
    child.wait().unwrap();
    // Its points still run, and stop by themselves.
    let ended = place.sim(["sweep", "s", "--quiet"]);
    assert!(!ended.assert_done().stderr.contains("error"), "{ended:?}");
    assert_eq!(done_points(&place, "s"), 2);
    assert_eq!(resumed(&place, "s/points/0000"), 1, "its work was lost");
}

#[test]
fn a_sweep_whose_process_was_killed_is_replaced_at_once() {
    let place = Place::new();
    let mut child = begun_of(&place, "s", VARIED, &["--quiet"]);
    send("-KILL", &child);
    child.wait().unwrap();
    let other = ["sweep", "small.ron", "--frames", "1", "--set", "surface=None", "--out", "s"];
    let varied = ["--set", "particle_radius=0.02,0.025", "--overwrite", "--quiet"];
    place.sim(other.iter().chain(&varied)).assert_done();
    assert_eq!(done_points(&place, "s"), 2);
}

#[test]
fn sigterm_stops_all_points_with_checkpoints() {
    let place = Place::new();
    let child = begun_of(&place, "s", VARIED, &[]);
    send("-TERM", &child);
    let ended = Ended::of(child.wait_with_output().unwrap());
    assert_eq!(ended.code, Some(143), "{ended:?}");
    assert!(!ended.stderr.contains("error"), "{ended:?}");
    for point in ["s/points/0000", "s/points/0001"] {
        assert_eq!(place.manifest(point)["status"], "interrupted", "{point}");
    }
}

#[test]
fn a_thousand_threads_are_shared_out() {
    let place = Place::new();
    let sweep = ["sweep", "small.ron", "--frames", "1", "--set", "surface=None"];
    let varied = ["--set", "particle_radius=0.02,0.021,0.022", "--threads", "1000"];
    let ended = place.sim(sweep.iter().chain(&varied));
    assert!(!ended.assert_done().stderr.contains("error"), "{ended:?}");
    assert_eq!(done_points(&place, "out/small_sweep"), 3);
    let more = place.sim(sweep.iter().chain(&["--threads", "1025"]));
    more.assert_refused(&["from 1 to 1024"]);
}

/// Runs a script where `small` is a disk of so many kilobytes.
fn on_small_disk(place: &Place, kilobytes: u32, script: &str) -> Ended {
    let make = format!("mkdir small && mount -t tmpfs -o size={kilobytes}k tmpfs small || exit 99");
    let mut shell = Command::new("unshare");
    shell.args(["-rm", "sh", "-c", &format!("{make}\n{script}")]).current_dir(place.path(""));
    let ended = Ended::of(shell.output().unwrap());
    assert_ne!(ended.code, Some(99), "no disk could be made: {ended:?}");
    ended
}

#[test]
#[cfg_attr(not(target_os = "linux"), ignore = "disks are made by Linux's user namespaces")]
fn a_full_disk_stops_a_sweep_whose_points_stay_to_do() {
    let place = Place::new();
    let varied = "particle_radius=0.02,0.021,0.022,0.023,0.024,0.025";
    let ended = on_small_disk(
        &place,
        200,
        &format!(
            "{SIM} sweep small.ron --frames 3 --set surface=None --set {varied} --out small/s \
             --jobs 1 --quiet --allow-shortage; code=$?\n\
             mount -o remount,size=1g small; cp -r small/s before\n\
             {SIM} sweep small/s --quiet || exit 98\n\
             cp -r small/s after; exit $code"
        ),
    );
    assert_eq!(ended.code, Some(1), "{ended:?}");
    for part in ["No space left on device", "free some space", "`sim sweep small/s`"] {
        assert!(ended.stderr.contains(part), "no `{part}` in {ended:?}");
    }
    let errors = ended.stderr.lines().filter(|line| line.starts_with("error:")).count();
    assert!(errors <= 3, "it went on: {ended:?}");
    assert!(done_points(&place, "before") < 6, "the disk was too large");
    let failed = (0..6).filter(|point| {
        let done = place.path(&format!("before/points/{point:04}/done.json"));
        std::fs::read_to_string(done).is_ok_and(|text| text.contains("failed"))
    });
    assert_eq!(failed.count(), 0, "points failed for want of room");
    let after = results(&place, "after");
    assert!(after.iter().all(|row| value(row, "status") == "finished"), "{after:?}");
}

#[test]
#[cfg_attr(not(target_os = "linux"), ignore = "disks are made by Linux's user namespaces")]
fn too_little_room_for_a_point_stops_a_sweep_before_it_begins() {
    let place = Place::new();
    let ended = on_small_disk(
        &place,
        100,
        &format!(
            "{SIM} sweep small.ron --frames 300 --set surface=None --jobs 1 --quiet \
             --set particle_radius=0.02,0.021,0.022 --out small/s; code=$?\n\
             cp -r small/s before; exit $code"
        ),
    );
    assert_eq!(ended.code, Some(1), "{ended:?}");
    assert!(ended.stderr.contains("of disk") && ended.stderr.contains("are free"), "{ended:?}");
    assert_eq!(done_points(&place, "before"), 0, "{ended:?}");
}

#[test]
fn line_breaks_stand_in_no_script() {
    let place = Place::new();
    let sweep = ["sweep", "small.ron", "--set", "frames.count=1,2", "--slurm"];
    let with = |more: &[&str]| place.sim(sweep.iter().chain(more));
    for (option, text) in [
        ("--mem", "4G\n#SBATCH --wrap=x"),
        ("--mem", "4G --requeue"),
        ("--mem", ""),
        ("--mem", "much"),
        ("--sbatch", "--partition=a\nrm -rf x"),
        ("--sbatch", "--partition=a\rb"),
        ("--sbatch", "partition"),
        ("--sbatch", ""),
        ("--time", "1:00\n2"),
    ] {
        let ended = with(&[&format!("{option}={text}")]);
        assert_eq!(ended.code, Some(2), "{option} {text:?}: {ended:?}");
        ended.assert_one_error(&[option]);
        assert!(!place.path("out/small_sweep").exists(), "{option} {text:?}");
    }
    for folder in ["a\nb", "a\rb", "a\u{85}b"] {
        with(&["--out", folder]).assert_refused(&["which a script cannot contain"]);
        assert!(!place.path(folder).join("sweep.sbatch").exists());
    }
    with(&["--mem=16G", "--sbatch=--partition=short"]).assert_done();
}

#[test]
fn signs_of_the_shell_in_a_folder_do_nothing_in_a_script() {
    let place = Place::new();
    let folder = "it's $(touch run) `touch run` \"a\" & ; |";
    let sweep = ["sweep", "small.ron", "--frames", "1", "--set", "surface=None", "--slurm"];
    let varied = ["--set", "particle_radius=0.02,0.03", "--out", folder];
    place.sim(sweep.iter().chain(&varied)).assert_done();
    let mut bash = Command::new("bash");
    bash.arg(place.path(folder).join("sweep.sbatch")).current_dir(place.path(""));
    bash.env("SLURM_ARRAY_JOB_ID", "7").env("SLURM_ARRAY_TASK_ID", "1");
    Ended::of(bash.output().unwrap()).assert_done();
    assert!(!place.path("run").exists());
    assert_eq!(done_points(&place, folder), 1);
}
