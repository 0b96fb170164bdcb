//! Runs that are killed, stopped, or find their disk full, at random instants: what is on disk is
//! always whole, and what goes on ends as if nothing had happened.
//!
//! Each has a small size, and a full one among the ignored tests, which docs/reliability.md names.

#![cfg(unix)]

use super::private_mounts::PrivateMounts;
use super::support::{Ended, Place, SIM, assert_nothing_unfinished, assert_same, results};
use hashfall_output::checkpoint::decode;
use hashfall_run::Notes;
use hashfall_search::NeighborKind;
use rand_pcg::Pcg32;
use rand_pcg::rand_core::Rng;
use std::collections::BTreeMap;
use std::fs;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const FRAMES: &str = "20";
/// The scene of a folder for tests, without bodies.
const SMALL: &str = "small.ron";
/// One with bodies that the fluid moves.
const BODIES: &str = "free_bodies.ron";

/// A run with checkpoints after every other frame, and probes.
fn run(place: &Place, folder: &str) -> Command {
    run_scene(place, SMALL, folder)
}

fn run_scene(place: &Place, scene: &str, folder: &str) -> Command {
    let probes = "probes=(rate: 900.0, list: [Front(name: \"front\", axis: X)])";
    let checkpoints = "checkpoints=(frames: 2)";
    let args = [scene, "--quiet", "--allow-shortage", "--frames", FRAMES, "--out", folder];
    place.command(args.into_iter().chain(["--set", checkpoints, "--set", probes]))
}

/// The run without a stop: its files, and how long it took.
struct Whole {
    files: Vec<(String, Vec<u8>)>,
    time: Duration,
}

impl Whole {
    fn new(place: &Place) -> Self {
        Whole::from_scene(place, SMALL)
    }

    fn from_scene(place: &Place, scene: &str) -> Self {
        let start = Instant::now();
        Ended::of(run_scene(place, scene, "whole").output().unwrap()).assert_done();
        Whole { time: start.elapsed(), files: results(place, "whole") }
    }

    /// An instant of the run, or a little after it.
    fn instant(&self, random: &mut Pcg32) -> Duration {
        self.time.mul_f64(1.1 * f64::from(random.next_u32()) / f64::from(u32::MAX))
    }

    /// Each frame's file in a folder is that of the whole run, to the last byte.
    fn assert_frames_are_whole(&self, place: &Place, folder: &str) {
        if !place.path(folder).exists() {
            return; // Killed before it made its folder.
        }
        let expected: BTreeMap<&str, &[u8]> =
            self.files.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice())).collect();
        for (name, bytes) in place.files(folder) {
            let is_frame = name.starts_with("particles/p") || name.starts_with("surface/s");
            assert!(!is_frame || expected[name.as_str()] == bytes, "{folder}/{name} is torn");
        }
    }

    fn assert_same(&self, place: &Place, folder: &str) {
        assert_same(&results(place, folder), &self.files, folder);
        let digest = |run: &str| place.manifest(run)["progress"]["last_state_digest"].clone();
        assert_eq!(digest(folder), digest("whole"), "{folder}");
        assert_eq!(place.manifest(folder)["status"], "finished");
        assert_nothing_unfinished(place, folder);
    }
}

/// Lets a run go on for a while and kills it; it may have ended before.
fn kill_after(mut child: Child, time: Duration) {
    std::thread::sleep(time);
    child.kill().unwrap();
    child.wait().unwrap();
}

/// Arguments with which a run goes on, on some number of threads and with some structure.
fn way_on(place: &Place, folder: &str, random: &mut Pcg32) -> Command {
    let kinds = NeighborKind::ALL;
    let kind = kinds[random.next_u32() as usize % kinds.len()];
    let threads = 1 + random.next_u32() % 3;
    let settings = format!("neighbors={kind:?}");
    place.command(["resume", folder, "--threads", &threads.to_string(), "--set", &settings])
}

/// Kills runs of a scene at random instants, some of them twice, and goes on with them.
fn kill(scene: &str, times: u32, seed: u64) {
    let (place, mut random) = (Place::new(), Pcg32::new(seed, 1));
    place.write(BODIES, include_str!("../rich_scenes/free_bodies.ron"));
    let whole = Whole::from_scene(&place, scene);
    let (mut went_on, mut ended, mut began) = (0, 0, 0);
    for k in 0..times {
        let folder = format!("killed_{k}");
        kill_after(run_scene(&place, scene, &folder).spawn().unwrap(), whole.instant(&mut random));
        whole.assert_frames_are_whole(&place, &folder);
        if k % 4 == 3 {
            let child = way_on(&place, &folder, &mut random).spawn().unwrap();
            kill_after(child, whole.instant(&mut random));
            whole.assert_frames_are_whole(&place, &folder);
        }
        if !place.path(&format!("{folder}/scene.ron")).exists() {
            // Killed while it set up its folder.
            let again = run_scene(&place, scene, &folder).arg("--overwrite").output().unwrap();
            Ended::of(again).assert_done();
            began += 1;
        } else {
            let again = Ended::of(way_on(&place, &folder, &mut random).output().unwrap());
            again.assert_done();
            assert!(!again.stderr.contains("damaged"), "{again:?}");
            let kept = again.stderr.contains("resuming after");
            went_on += u32::from(kept);
            ended += u32::from(!kept);
        }
        whole.assert_same(&place, &folder);
        fs::remove_dir_all(place.path(&folder)).unwrap();
    }
    println!(
        "{times} runs killed: {went_on} went on from a checkpoint, {began} had not begun, {ended} \
         began anew or had ended; all are as if never killed"
    );
}

#[test]
fn runs_killed_at_any_instant_go_on_to_the_same_end() {
    kill(SMALL, 6, 1);
    kill(BODIES, 2, 6);
}

#[test]
#[ignore = "takes minutes"]
fn full_200_runs_killed_at_any_instant() {
    kill(SMALL, 200, 2);
}

#[test]
#[ignore = "takes minutes"]
fn full_100_runs_of_free_bodies_killed_at_any_instant() {
    kill(BODIES, 100, 5);
}

/// Stops runs by SIGTERM at random instants.
fn terminate(times: u32, seed: u64) {
    let (place, mut random) = (Place::new(), Pcg32::new(seed, 1));
    let whole = Whole::new(&place);
    let (mut stopped, mut slowest) = (0, Duration::ZERO);
    for k in 0..times {
        let folder = format!("stopped_{k}");
        let child = run(&place, &folder).spawn().unwrap();
        std::thread::sleep(whole.instant(&mut random));
        let start = Instant::now();
        let pid = child.id().to_string();
        Command::new("kill").args(["-TERM", &pid]).stderr(Stdio::null()).status().unwrap();
        let ended = Ended::of(child.wait_with_output().unwrap());
        slowest = slowest.max(start.elapsed());
        assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
        // Before its first word a signal ends the program as the system has it, without a code.
        assert!(matches!(ended.code, Some(0 | 143) | None), "{ended:?}");
        if place.path(&format!("{folder}/particles/particles_00000.vtp")).exists() {
            let checkpoints = place.files(&format!("{folder}/checkpoints"));
            let (name, last) = checkpoints.last().unwrap();
            decode::<Notes>(last).unwrap_or_else(|error| panic!("{folder}/{name}: {error}"));
            Ended::of(way_on(&place, &folder, &mut random).output().unwrap()).assert_done();
            whole.assert_same(&place, &folder);
            stopped += u32::from(ended.code == Some(143));
        }
        fs::remove_dir_all(place.path(&folder)).ok();
    }
    println!("{times} runs terminated: {stopped} in their midst, after {slowest:?} at the most");
}

#[test]
fn runs_that_are_terminated_leave_a_checkpoint() {
    terminate(3, 3);
}

#[test]
#[ignore = "takes minutes"]
fn full_50_runs_terminated_at_any_instant() {
    terminate(50, 4);
}

/// Runs on a small disk of their own, which is full after so many kilobytes, and goes on when it
/// has been made larger. The disk is a file system in memory, in a name space of the process.
fn fill_disk(levels: u32) {
    let Some(mounts) = PrivateMounts::new() else { return };
    let place = Place::new();
    let whole = Whole::new(&place);
    let all: usize = place.files("whole").iter().map(|(_, bytes)| bytes.len()).sum();
    let mut full = 0;
    for level in 1..=levels {
        let kilobytes = all as u64 * u64::from(level) / u64::from(levels) / 1024;
        let folder = format!("disk_{level}");
        fs::create_dir(place.path(&folder)).unwrap();
        let args = quoted(&run(&place, "small/run"));
        let script = format!(
            "mkdir small && mount -t tmpfs -o size={kilobytes}k tmpfs small || exit 99\n\
             {SIM} {args}; code=$?\n\
             mount -o remount,size=1g small; cp -r small/run {folder}/before 2>/dev/null\n\
             if [ $code = 1 ] && [ -e small/run/run.json ]; then\n\
             {SIM} resume small/run --quiet --allow-shortage || exit 98\n\
             cp -r small/run {folder}/after; fi\n\
             umount small; rmdir small; exit $code",
        );
        let ended = mounts.run(&place, &script);
        assert_ne!(ended.code, Some(99), "no disk could be made: {ended:?}");
        if ended.code != Some(0) {
            ended.assert_one_error(&["No space left on device"]);
            assert_eq!(ended.code, Some(1), "{ended:?}");
            full += 1;
        }
        if place.path(&format!("{folder}/before")).exists() {
            let is_told = place.path(&format!("{folder}/before/run.json")).exists();
            if is_told && ended.code == Some(1) {
                let manifest = place.manifest(&format!("{folder}/before"));
                assert_eq!(manifest["status"], "failed", "disk {level}: {manifest}");
            }
            whole.assert_frames_are_whole(&place, &format!("{folder}/before"));
        }
        if place.path(&format!("{folder}/after")).exists() {
            whole.assert_same(&place, &format!("{folder}/after"));
        }
        fs::remove_dir_all(place.path(&folder)).unwrap();
    }
    println!("{full} of {levels} disks were full in the midst of a run; each went on to its end");
    assert!(full > levels / 2);
}

#[test]
fn a_disk_that_becomes_read_only_ends_a_run_and_it_goes_on_when_it_can_be_written() {
    let Some(mounts) = PrivateMounts::new() else { return };
    let place = Place::new();
    let args = quoted(&run(&place, "small/run")).replace(&format!("'{FRAMES}'"), "20000");
    // More frames than can be written before the disk gives in, which it does between two files.
    let script = format!(
        "mkdir small && mount -t tmpfs tmpfs small || exit 99\n\
         {SIM} {args} & run=$!\n\
         until [ -e small/run/particles/particles_00002.vtp ]; do\n\
         kill -0 $run || exit 97; sleep 0.005; done\n\
         until mount -o remount,ro small 2>/dev/null; do kill -0 $run || exit 96; done\n\
         wait $run; code=$?\nmount -o remount,rw small; cp -r small/run before\n\
         frames=$(($(ls small/run/particles | wc -l) + 2))\n\
         {SIM} resume small/run --frames $frames --quiet --allow-shortage || exit 98\n\
         {SIM} audit small/run >&2 || exit 95\numount small; exit $code",
    );
    let ended = mounts.run(&place, &script);
    assert_eq!(ended.code, Some(1), "{ended:?}");
    ended.assert_one_error(&[]);
    assert!(ended.stderr.to_lowercase().contains("read-only file"), "{}", ended.stderr);
    assert_eq!(place.manifest("before")["status"], "running", "it could not be told");
}

/// The arguments of a command as a shell takes them.
fn quoted(command: &Command) -> String {
    let args = command.get_args().map(|arg| format!("'{}'", arg.to_str().unwrap()));
    args.collect::<Vec<_>>().join(" ")
}

#[test]
fn a_full_disk_ends_a_run_and_it_goes_on_when_there_is_room() {
    fill_disk(4);
}

#[test]
#[ignore = "takes minutes"]
fn full_50_disks_of_all_sizes() {
    fill_disk(50);
}
