//! How runs end: signals, limits of the system, lack of memory, and what later commands find.

#![cfg(unix)]

use super::case;
use crate::private_mounts::PrivateMounts;
use crate::signals::{endless_run, stop_in_the_midst};
use crate::support::{
    Ended, Place, SIM, assert_nothing_unfinished, assert_same, results, send, wait_until,
};
use hashfall_output::checkpoint::decode;
use hashfall_run::Notes;
use std::fs;
use std::process::{Child, Command};
use std::time::Duration;

/// A run with a checkpoint after each frame, without surfaces, as these take long.
const RUN: [&str; 6] =
    ["small.ron", "--quiet", "--set", "checkpoints=(frames: 1)", "--set", "surface=None"];

/// Runs the case's scene or script.
fn script(name: &str) -> Ended {
    let mut command = Command::new("bash");
    command.arg(case(name)).env("SIM", SIM).env("SLURM_CPUS_PER_TASK", "2");
    Ended::of(command.output().unwrap())
}

/// Runs `sim` with limits that `ulimit` sets.
fn limited(place: &Place, limits: &str, args: &[&str]) -> Ended {
    let script = format!("{limits}; exec \"$0\" \"$@\"");
    let mut command = Command::new("bash");
    command.args(["-c", &script, SIM]).args(args).current_dir(place.path(""));
    command.env("SLURM_CPUS_PER_TASK", "2").env("RUST_BACKTRACE", "0");
    Ended::of(command.output().unwrap())
}

/// The checkpoints of a run, the oldest first.
fn checkpoints(place: &Place, run: &str) -> Vec<String> {
    let files = place.files(&format!("{run}/checkpoints"));
    files.into_iter().map(|(name, _)| format!("{run}/checkpoints/{name}")).collect()
}

/// Flips a bit in the middle of a file.
fn damage(place: &Place, name: &str) {
    let mut bytes = fs::read(place.path(name)).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    place.write(name, bytes);
}

/// Each checkpoint of a run can be read, and there are at most two.
#[track_caller]
fn assert_two_good_checkpoints(place: &Place, run: &str) {
    let names = checkpoints(place, run);
    assert!((1..=2).contains(&names.len()), "{names:?}");
    for name in names {
        decode::<Notes>(&fs::read(place.path(&name)).unwrap()).unwrap();
    }
}

#[test]
fn checkpoints_do_not_pile_up() {
    let ended = script("robustness/checkpoints_pile_up.sh");
    assert!(ended.assert_done().stdout.contains("2 checkpoints"), "{ended:?}");
}

#[test]
fn checkpoints_that_earlier_versions_have_left_go_and_the_good_ones_stay() {
    let place = Place::new();
    let run = |more: &[&str]| place.sim(RUN.iter().chain(more));
    run(&["--out", "whole", "--frames", "9"]).assert_done();
    // Those of frames 1 to 6, of a run that goes on to more frames again and again.
    fs::create_dir(place.path("all")).unwrap();
    run(&["--out", "run", "--frames", "1"]).assert_done();
    for frames in 1..=6 {
        let more = ["resume", "run", "--quiet", "--frames", &frames.to_string()];
        place.sim(more).assert_done();
        let last = checkpoints(&place, "run").pop().unwrap();
        let name = last.rsplit('/').next().unwrap();
        fs::copy(place.path(&last), place.path(&format!("all/{name}"))).unwrap();
    }
    let pile_up = || {
        for (name, bytes) in place.files("all") {
            place.write(&format!("run/checkpoints/{name}"), bytes);
        }
        assert_eq!(checkpoints(&place, "run").len(), 6);
    };
    // A run that is finished and stays as it is; nothing else is touched.
    pile_up();
    let newest = checkpoints(&place, "run")[4..].to_vec();
    place.sim(["resume", "run"]).assert_done();
    assert_eq!(checkpoints(&place, "run"), newest);
    // Without a good one nothing goes.
    pile_up();
    let all = checkpoints(&place, "run");
    all.iter().for_each(|name| damage(&place, name));
    place.sim(["resume", "run"]).assert_done();
    assert_eq!(checkpoints(&place, "run"), all);
    assert_eq!(place.sim(["resume", "run", "--frames", "9"]).code, Some(1));
    assert_eq!(checkpoints(&place, "run"), all);
    // Those of frames 5 and 6 are damaged, and that of frame 2.
    pile_up();
    [1, 4, 5].into_iter().for_each(|k| damage(&place, &all[k]));
    let ended = place.sim(["resume", "run", "--quiet", "--frames", "9"]);
    assert_eq!(ended.assert_done().stderr.matches("it is damaged").count(), 2, "{ended:?}");
    assert_two_good_checkpoints(&place, "run");
    assert_same(&results(&place, "run"), &results(&place, "whole"), "run");
}

#[test]
fn a_limit_on_the_size_of_files_is_an_error() {
    let ended = script("robustness/file_size_limit.sh");
    let end = "exit 1, 1 errors, 0 unfinished";
    assert!(ended.assert_done().stdout.contains(end), "{ended:?}");
    // The files of the start have room, those of the first frame have not.
    let place = Place::new();
    let ended = limited(&place, "ulimit -f 100", &["small.ron", "--quiet"]);
    assert_eq!(ended.code, Some(1), "{ended:?}");
    ended.assert_one_error(&["cannot write `out/small/surface/surface_00000.", "File too large"]);
    assert_nothing_unfinished(&place, "out/small");
    let manifest = place.manifest("out/small");
    assert_eq!(manifest["status"], "failed");
    assert!(manifest["reason"].as_str().unwrap().contains("File too large"), "{manifest}");
    // What other commands write is under the limit as well.
    let ended = limited(&place, "ulimit -f 1", &["report", "out/small", "--out", "page.html"]);
    assert_eq!(ended.code, Some(1), "{ended:?}");
    assert!(ended.stderr.contains("File too large") && !place.path("page.html").exists());
}

#[test]
fn a_terminal_that_closes_stops_a_run_with_129() {
    stop_in_the_midst("-HUP", 129);
}

#[test]
fn the_end_of_cpu_time_stops_a_run_with_152() {
    stop_in_the_midst("-XCPU", 152);
}

#[test]
fn sigusr2_stops_a_run_with_140() {
    stop_in_the_midst("-USR2", 140);
}

/// Waits for the program's end, and looks at a run that a signal has stopped.
#[track_caller]
fn assert_stopped(place: &Place, child: Child, code: i32) {
    let ended = Ended::of(child.wait_with_output().unwrap());
    assert_eq!(ended.code, Some(code), "{ended:?}");
    assert_eq!(place.manifest("out/small")["status"], "interrupted");
    assert_two_good_checkpoints(place, "out/small");
    assert_nothing_unfinished(place, "out/small");
}

#[test]
fn signals_that_are_repeated_leave_a_run_the_time_to_end() {
    let place = Place::new();
    let child = endless_run(&place, Some("--quiet"));
    // As the kernel and the shell send them when a terminal closes.
    for signal in ["-HUP", "-HUP", "-XCPU", "-XCPU", "-USR2", "-HUP"] {
        send(signal, &child);
    }
    let ended = Ended::of(child.wait_with_output().unwrap());
    assert!([129, 140, 152].contains(&ended.code.unwrap()), "{ended:?}");
    assert_eq!(place.manifest("out/small")["status"], "interrupted");
    assert_two_good_checkpoints(&place, "out/small");
}

#[test]
fn nohup_shields_from_a_terminal_that_closes_and_sigusr1_goes_on() {
    let place = Place::new();
    let mut shell = Command::new("sh");
    let run = "trap '' HUP; exec \"$0\" small.ron --quiet --frames 2000 \
               --set frames.rate=2000.0 --set surface=None --allow-shortage";
    shell.args(["-c", run, SIM]).current_dir(place.path("")).env("SLURM_CPUS_PER_TASK", "2");
    let child = shell.spawn().unwrap();
    let frame = |k: usize| place.path(&format!("out/small/particles/particles_{k:05}.vtp"));
    wait_until("the first frames", || frame(2).exists());
    for signal in ["-HUP", "-USR1", "-USR1"] {
        send(signal, &child);
    }
    wait_until("a checkpoint", || !checkpoints_are_missing(&place));
    let written = place.files("out/small/particles").len();
    wait_until("frames after the signals", || frame(written + 2).exists());
    send("-TERM", &child);
    assert_stopped(&place, child, 143);
}

fn checkpoints_are_missing(place: &Place) -> bool {
    let folder = place.path("out/small/checkpoints");
    !folder.exists() || place.files("out/small/checkpoints").is_empty()
}

#[test]
fn previews_that_are_stopped_are_whole() {
    let place = Place::new();
    place.sim(RUN.iter().chain(&["--frames", "12"])).assert_done();
    let args = ["preview", "out/small", "--size", "320x180", "--quiet", "--no-gif", "--no-mp4"];
    let child = place.command(args).spawn().unwrap();
    wait_until("the first picture", || place.path("out/small/preview/frame_00000.png").exists());
    send("-HUP", &child);
    let ended = Ended::of(child.wait_with_output().unwrap());
    assert_eq!(ended.code, Some(129), "{ended:?}");
    assert_nothing_unfinished(&place, "out/small");
    let pictures = place.files("out/small/preview");
    let pictures = pictures.iter().filter(|(name, _)| name.ends_with(".png"));
    pictures.for_each(|(name, bytes)| assert!(bytes.ends_with(b"IEND\xaeB`\x82"), "{name}"));
}

#[test]
fn memory_that_limits_leave_is_what_there_is() {
    let place = Place::new();
    let many = ["small.ron", "--quiet", "--set", "particle_radius=0.001"];
    for limit in ["-v", "-d"] {
        let ended = limited(&place, &format!("ulimit {limit} 300000"), &many);
        ended.assert_refused(&["of memory", "are free", "--allow-shortage"]);
        assert!(!place.path("out").exists());
    }
    // Pictures at the end take more than the run.
    let pictures = ["small.ron", "--quiet", "--set", "preview=(size: (4096, 4096))"];
    let ended = limited(&place, "ulimit -v 600000", &pictures);
    ended.assert_refused(&["1.5 GB of memory", "`preview.size`"]);
    let checked = place.sim(["check", "small.ron", "--threads", "1", pictures[2], pictures[3]]);
    assert!(checked.assert_done().stdout.contains("then 1.5 GB for the previews"), "{checked:?}");
}

#[test]
fn memory_that_control_groups_leave_is_what_there_is() {
    let Some(mounts) = PrivateMounts::new() else { return };
    let v1 = ("4:memory:/job", "cgroup cgroup rw,memory", "limit_in_bytes", "usage_in_bytes");
    let v2 = ("0::/job", "cgroup2 cgroup2 rw", "max", "current");
    for (group, mount, limit, usage) in [v1, v2] {
        let place = Place::new();
        fs::create_dir_all(place.path("groups/job/own")).unwrap();
        place.write(&format!("groups/job/memory.{limit}"), "104857600\n");
        place.write(&format!("groups/job/memory.{usage}"), "62914560\n");
        place.write("cgroup", format!("{group}/own\n"));
        let groups = place.path("groups");
        place.write("mountinfo", format!("41 30 0:36 / {} rw - {mount}\n", groups.display()));
        // The program has the shell's process, and reads these files in place of the system's.
        let script = format!(
            "mount --bind cgroup /proc/$$/cgroup && mount --bind mountinfo /proc/$$/mountinfo \
             || exit 99\n\
             exec {SIM} small.ron --quiet --set particle_radius=0.003"
        );
        let ended = mounts.run(&place, &script);
        ended.assert_refused(&["of memory", "41.9 MB are free"]);
        // Pages of files that can be dropped are free, too.
        place.write(
            "groups/job/memory.stat",
            "inactive_file 8388608\ntotal_inactive_file 8388608\n",
        );
        mounts.run(&place, &script).assert_refused(&["50.3 MB are free"]);
    }
}

#[test]
fn out_of_memory_is_an_error() {
    let place = Place::new();
    let (mut failed, mut runs) = (0, 0);
    // With less than the program itself takes, the system's loader ends it.
    let is_loaded = |kib: &u64| {
        let ended = limited(&place, &format!("ulimit -v {kib}"), &["--version"]);
        ended.code == Some(0)
    };
    let least = (8_000..).step_by(4_000).find(is_loaded).unwrap();
    let more = |kib: &u64| (*kib < 250_000).then_some(kib + kib / 7);
    for kib in std::iter::successors(Some(least), more) {
        let limits = format!("ulimit -v {kib}");
        let folder = format!("run_{kib}");
        let args = ["small.ron", "--allow-shortage", "--quiet", "--out", &folder];
        let short = "frames=(count: 1, rate: 5000)";
        let more = ["--set", short, "--set", "particle_radius=0.0035", "--set", "surface=None"];
        let ended = limited(&place, &limits, &[&args[..], &more].concat());
        runs += 1;
        if ended.code == Some(0) {
            continue;
        }
        assert_eq!(ended.code, Some(1), "at {kib} KiB: {ended:?}");
        ended.assert_one_error(&[]);
        if !ended.stderr.contains("out of memory: cannot allocate ") {
            // The start of threads takes memory as well.
            assert!(ended.stderr.contains("cannot start"), "at {kib} KiB: {ended:?}");
            continue;
        }
        failed += 1;
        if place.path(&format!("{folder}/run.json")).exists() {
            let manifest = place.manifest(&folder);
            assert_eq!(manifest["status"], "failed", "at {kib} KiB");
            let reason = manifest["reason"].as_str().unwrap();
            assert!(ended.stderr.contains(reason), "{reason}");
            assert_nothing_unfinished(&place, &folder);
        }
    }
    assert!(failed > 0, "memory sufficed in all {runs} runs");
}

#[test]
fn as_many_threads_as_one_likes_give_the_same_bits() {
    let place = Place::new();
    place.sim(RUN.iter().chain(&["--out", "few"])).assert_done();
    let ended = place.sim(RUN.iter().chain(&["--out", "many", "--threads", "1000"]));
    ended.assert_done();
    assert_same(&results(&place, "many"), &results(&place, "few"), "1000 threads");
    // Where the system refuses them, that is an error.
    let args = ["small.ron", "--quiet", "--out", "none", "--threads", "60", "--allow-shortage"];
    let ended = limited(&place, "ulimit -v 90000", &args);
    assert_eq!(ended.code, Some(1), "{ended:?}");
    ended.assert_one_error(&[]);
}

#[test]
fn a_run_on_a_disk_that_cannot_be_written_is_audited_and_reported() {
    let Some(mounts) = PrivateMounts::new() else { return };
    let place = Place::new();
    let script = format!(
        "mkdir disk && mount -t tmpfs tmpfs disk || exit 99\n\
         {SIM} small.ron --frames 1 --out disk/run --quiet || exit 98\n\
         mount -o remount,ro disk || exit 97\n\
         {SIM} audit disk/run || exit 96\n\
         {SIM} report disk/run --out page.html || exit 95\n\
         {SIM} preview disk/run && exit 94\n\
         {SIM} resume disk/run --frames 2 && exit 93\nexit 0"
    );
    let ended = mounts.run(&place, &script);
    assert!(ended.assert_done().stdout.contains("verdict          valid"), "{ended:?}");
    assert!(place.read("page.html").starts_with("<!DOCTYPE html>"));
    assert_eq!(ended.stderr.to_lowercase().matches("read-only file system").count(), 2);
}

#[test]
fn a_run_that_goes_on_tells_of_frames_that_are_missing_or_torn() {
    let place = Place::new();
    let args = ["small.ron", "--quiet", "--set", "checkpoints=(frames: 1)", "--frames"];
    place.sim(args.iter().chain(&["3", "--out", "whole"])).assert_done();
    place.sim(args.iter().chain(&["2", "--out", "run"])).assert_done();
    let ended = place.sim(["resume", "run"]);
    assert!(!ended.assert_done().stderr.contains("warning"), "{ended:?}");
    let flawed = [
        ("particles/particles_00001.vtp", "missing"),
        ("surface/surface_00000.ply", "truncated"),
        ("surface/surface_00001.vtp", "truncated"),
    ];
    fs::remove_file(place.path(&format!("run/{}", flawed[0].0))).unwrap();
    for (name, _) in &flawed[1..] {
        let bytes = fs::read(place.path(&format!("run/{name}"))).unwrap();
        place.write(&format!("run/{name}"), &bytes[..bytes.len() - 7]);
    }
    // These are written again.
    for name in ["log.csv", "particles.pvd", "solids/spheres.vtp", "blender.py"] {
        fs::remove_file(place.path(&format!("run/{name}"))).unwrap();
    }
    for more in [&[][..], &["--frames", "3"]] {
        let ended = place.sim(["resume", "run"].iter().chain(more));
        let warning = &ended.assert_done().stderr;
        assert!(warning.contains("warning: 3 files of earlier frames cannot be used"), "{warning}");
        for (name, flaw) in flawed {
            assert!(warning.contains(&format!("`{name}` is {flaw}")), "{warning}");
        }
        assert!(warning.contains("`sim run/scene.ron --out OTHER` computes all frames again"));
    }
    place.sim(["run/scene.ron", "--quiet", "--out", "other"]).assert_done();
    for (name, _) in flawed {
        fs::copy(place.path(&format!("other/{name}")), place.path(&format!("run/{name}"))).unwrap();
    }
    let with_series = |run: &str| {
        let mut files = results(&place, run);
        // The series names the frames that were there.
        files.retain(|(name, _)| name != "particles.pvd");
        files
    };
    assert_same(&with_series("run"), &with_series("whole"), "run");
}

#[test]
fn frames_from_before_a_change_of_formats_are_not_missed() {
    let place = Place::new();
    let args = ["small.ron", "--quiet", "--frames", "1", "--out", "run"];
    place.sim(args.iter().chain(&["--set", "surface=None"])).assert_done();
    let resume = |more: &[&str]| place.sim(["resume", "run", "--quiet"].iter().chain(more));
    let ended = resume(&["--frames", "3", "--set", "surface=()"]);
    assert_eq!(ended.assert_done().stderr, "");
    let ended = resume(&["--frames", "4", "--set", "output.particles=false"]);
    assert_eq!(ended.assert_done().stderr, "");
    assert_eq!(resume(&["--frames", "5"]).assert_done().stderr, "");
    fs::remove_file(place.path("run/particles/particles_00002.vtp")).unwrap();
    fs::remove_file(place.path("run/surface/surface_00004.ply")).unwrap();
    let warning = resume(&["--frames", "6"]).stderr;
    assert!(warning.contains("warning: 2 files"), "{warning}");
    assert!(warning.contains("particles_00002.vtp` is missing"), "{warning}");
    assert!(warning.contains("surface_00004.ply` is missing"), "{warning}");
    assert!(warning.contains("with the present settings"), "{warning}");
}

#[test]
fn a_signal_while_a_run_is_set_up_leaves_nothing_torn() {
    for signal in ["-HUP", "-XCPU", "-USR2", "-USR1"] {
        let place = Place::new();
        let args = ["small.ron", "--quiet", "--frames", "1", "--set", "surface=None"];
        let child = place.command(args).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(5));
        send(signal, &child);
        let ended = Ended::of(child.wait_with_output().unwrap());
        // Before its handlers stand, a signal ends the program as the system has it.
        assert!(matches!(ended.code, Some(0 | 129 | 140 | 152) | None), "{signal}: {ended:?}");
        if place.path("out/small").exists() {
            assert_nothing_unfinished(&place, "out/small");
        }
    }
}
