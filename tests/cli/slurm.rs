//! `--slurm` of sweeps and runs: the scripts, and what they do where `sbatch` and `scontrol` are
//! stand-ins.

#![cfg(unix)]

use super::support::{Ended, Place, send, wait_until};
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};

/// A program in `bin/` that notes how it was called in `calls`, and says something.
fn stand_in(place: &Place, name: &str, script: &str) {
    std::fs::create_dir_all(place.path("bin")).unwrap();
    let file = format!("bin/{name}");
    let calls = place.path("calls");
    let text = format!("#!/bin/sh\necho {name} \"$@\" >>'{}'\n{script}\n", calls.display());
    place.write(&file, text);
    std::fs::set_permissions(place.path(&file), PermissionsExt::from_mode(0o755)).unwrap();
}

/// `PATH` with `bin/` first.
fn path(place: &Place) -> String {
    format!("{}:{}", place.path("bin").display(), std::env::var("PATH").unwrap())
}

#[test]
fn the_array_and_the_job_that_collects_are_submitted() {
    let place = Place::new();
    stand_in(&place, "sbatch", "echo '41;cluster'");
    let mut command = place.command(
        ["sweep", "small.ron", "--set", "particle_radius=0.012,0.014", "--slurm", "--submit"]
            .into_iter()
            .chain(["--sbatch=--partition=array_long", "--sbatch=--array=0-1%1"]),
    );
    let ended = Ended::of(command.env("PATH", path(&place)).output().unwrap());
    assert_eq!(ended.assert_done().stdout, "41\n41\n");
    let calls = place.read("calls");
    let calls: Vec<&str> = calls.lines().collect();
    let [array, collect] = calls[..] else { panic!("{calls:?}") };
    assert!(array.starts_with("sbatch --parsable /"), "{array}");
    assert!(array.ends_with("out/small_sweep/sweep.sbatch"), "{array}");
    for part in [
        "--partition=array_long",
        "--dependency=afterany:41",
        "out/small_sweep --collect",
        "/slurm/collect.log",
    ] {
        assert!(collect.contains(part), "no `{part}` in {collect}");
    }
    assert!(!collect.contains("--array"), "{collect}");

    stand_in(&place, "sbatch", "echo 'invalid partition' >&2; exit 1");
    let mut command = place.command(["sweep", "out/small_sweep", "--slurm", "--submit"]);
    let ended = Ended::of(command.env("PATH", path(&place)).output().unwrap());
    assert_eq!(ended.code, Some(1));
    ended.assert_one_error(&["sbatch: invalid partition"]);
    let mut command = place.command(["sweep", "out/small_sweep", "--slurm", "--log", "json"]);
    assert_eq!(command.output().unwrap().status.code(), Some(2));
}

#[test]
fn a_job_whose_time_is_nearly_over_is_queued_again_and_goes_on() {
    let place = Place::new();
    let sweep = ["sweep", "small.ron", "--frames", "40", "--set", "surface=None", "--slurm"];
    let varied = ["--set", "particle_radius=0.008,0.02"];
    place.sim(sweep.iter().chain(&varied)).assert_done();
    stand_in(&place, "scontrol", "");
    let job = || {
        let mut bash = Command::new("bash");
        bash.arg(place.path("out/small_sweep/sweep.sbatch"));
        bash.env("PATH", path(&place)).env("RUST_BACKTRACE", "0");
        bash.env("SLURM_ARRAY_JOB_ID", "7").env("SLURM_ARRAY_TASK_ID", "0");
        bash.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        bash.spawn().unwrap()
    };
    let child = job();
    wait_until("the third frame", || {
        place.path("out/small_sweep/points/0000/particles/particles_00002.vtp").exists()
    });
    send("-USR1", &child);
    let ended = Ended::of(child.wait_with_output().unwrap());
    assert_eq!(ended.code, Some(0), "that of `scontrol`: {ended:?}");
    assert_eq!(place.read("calls"), "scontrol requeue 7_0\n", "{ended:?}");
    assert!(!place.path("out/small_sweep/points/0000/done.json").exists());

    let ended = Ended::of(job().wait_with_output().unwrap());
    assert!(ended.assert_done().stderr.contains("resuming after frame"), "{ended:?}");
    assert_eq!(place.manifest("out/small_sweep/points/0000")["resumed"][0]["after_frame"], 2);
    assert_eq!(place.read("calls").lines().count(), 1, "it was queued again without need");
}

#[test]
fn the_script_for_slurm_names_the_points_that_are_not_done() {
    let place = Place::new();
    let sweep = ["sweep", "small.ron", "--frames", "1", "--set", "surface=None"];
    let varied = ["--set", "particle_radius=0.012,0.014,0.016,0.018"];
    let with = |more: &[&str]| {
        place.sim(sweep.iter().chain(&varied).chain(more).copied().collect::<Vec<_>>())
    };
    with(&["--point", "1"]).assert_done();
    with(&["--slurm", "--threads", "2"]).assert_usage();
    with(&[
        "--slurm",
        "--time",
        "01:30:00",
        "--allow-shortage",
        "--cpus",
        "4",
        "--sbatch=--partition=short",
    ])
    .assert_done();
    let script = place.read("out/small_sweep/sweep.sbatch");
    for line in [
        "#SBATCH --array=0,2-3",
        "#SBATCH --time=01:30:00",
        "#SBATCH --cpus-per-task=4",
        "#SBATCH --signal=B:USR1@120",
        "#SBATCH --requeue",
        "#SBATCH --partition=short",
    ] {
        assert!(script.lines().any(|it| it == line), "no `{line}` in\n{script}");
    }
    assert!(script.contains("--point \"$SLURM_ARRAY_TASK_ID\" --allow-shortage &"), "{script}");
    place.sim(["sweep", "out/small_sweep", "--time", "1:00"]).assert_usage();
    with(&["--slurm", "--time", "00:02:00"]).assert_refused(&["as soon as it starts"]);
    assert!(with(&["--slurm", "--time", "soon"]).stderr.contains("such as 02:00:00"));
}

#[test]
fn a_run_is_queued_again_and_goes_on_to_the_same_end() {
    let place = Place::new();
    let run = ["small.ron", "--frames", "40", "--set", "particle_radius=0.008"];
    let options = ["--set", "surface=None", "--slurm", "--time", "01:00:00", "--cpus", "2"];
    let ended = place.sim(run.iter().chain(&options));
    let script = ended.assert_done().stdout.trim().to_owned();
    assert!(script.ends_with("out/small.sbatch"), "{script}");
    let text = place.read("out/small.sbatch");
    for line in [
        "#SBATCH --job-name=small",
        "#SBATCH --time=01:00:00",
        "#SBATCH --cpus-per-task=2",
        "#SBATCH --signal=B:USR1@120",
        "#SBATCH --requeue",
    ] {
        assert!(text.lines().any(|it| it == line), "no `{line}` in\n{text}");
    }
    stand_in(&place, "scontrol", "");
    let job = |restarts: &str| {
        let mut bash = Command::new("bash");
        bash.arg(&script).env("PATH", path(&place)).env("SLURM_JOB_ID", "9");
        bash.env("SLURM_RESTART_COUNT", restarts).env("RUST_BACKTRACE", "0");
        // A job has the folder of its submission.
        bash.current_dir(place.path(""));
        bash.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        bash.spawn().unwrap()
    };
    let child = job("0");
    wait_until("the third frame", || {
        place.path("out/small/particles/particles_00002.vtp").exists()
    });
    send("-USR1", &child);
    let ended = Ended::of(child.wait_with_output().unwrap());
    assert_eq!(ended.code, Some(0), "that of `scontrol`: {ended:?}");
    assert_eq!(place.read("calls"), "scontrol requeue 9\n", "{ended:?}");
    let ended = Ended::of(job("1").wait_with_output().unwrap());
    assert!(ended.assert_done().stderr.contains("resuming after frame"), "{ended:?}");
    assert_eq!(place.manifest("out/small")["status"], "finished");
    assert_eq!(place.read("calls").lines().count(), 1, "it was queued again without need");

    // What the job would refuse is refused when it is written.
    place.sim(run.iter().chain(&options)).assert_refused(&["out/small", "--overwrite"]);
    place.sim(["small.rn", "--slurm"]).assert_refused(&["small.ron"]);
    place
        .sim(["small.ron", "--out", "o", "--slurm", "--time", "00:01:00"])
        .assert_refused(&["as soon as it starts"]);
}

#[test]
fn a_run_or_its_resumption_is_submitted() {
    let place = Place::new();
    stand_in(&place, "sbatch", "echo '42;cluster'");
    let submit = |args: &[&str]| {
        let mut command = place.command(args.iter().chain(&["--slurm", "--submit"]));
        Ended::of(command.env("PATH", path(&place)).output().unwrap())
    };
    let ended = submit(&["small.ron", "--frames", "2", "--set", "surface=None"]);
    assert_eq!(ended.assert_done().stdout, "42\n");
    assert!(place.read("calls").ends_with("out/small.sbatch\n"), "{}", place.read("calls"));
    place.sim(["small.ron", "--frames", "2", "--set", "surface=None"]).assert_done();
    let ended = submit(&["resume", "out/small", "--frames", "9", "--sbatch=--partition=long"]);
    assert_eq!(ended.assert_done().stdout, "42\n");
    let text = place.read("out/small.sbatch");
    assert!(text.contains("#SBATCH --partition=long\n"), "{text}");
    assert!(text.contains("/out/small --frames 9 &\n"), "{text}");
    assert!(text.contains("/out/small &\n"), "{text}");
}

#[test]
fn options_of_a_sweep_reach_the_job_of_each_point() {
    let place = Place::new();
    let sweep = ["sweep", "small.ron", "--set", "particle_radius=0.012,0.014", "--slurm"];
    place.sim(sweep.iter().chain(&["--max-time", "10m", "-q"])).assert_done();
    let script = place.read("out/small_sweep/sweep.sbatch");
    assert!(script.contains("\"$SLURM_ARRAY_TASK_ID\" --quiet --max-time=600 &"), "{script}");
}

#[test]
fn a_script_is_not_written_among_events() {
    let place = Place::new();
    for args in [&["small.ron"][..], &["sweep", "small.ron", "--set", "particle_radius=0.01,0.02"]]
    {
        let ended = place.sim(args.iter().chain(&["--slurm", "--log", "json"]));
        ended.assert_refused(&["`--slurm` cannot be combined with `--log json`"]);
        assert!(!place.path("out").exists(), "{args:?}");
    }
}

/// Runs a script as a job that is submitted for the first time.
fn first_job(place: &Place, script: &str) -> Ended {
    let mut bash = Command::new("bash");
    bash.arg(place.path(script)).env("PATH", path(place)).env("SLURM_JOB_ID", "9");
    bash.env("RUST_BACKTRACE", "0").current_dir(place.path("")).stdin(Stdio::null());
    Ended::of(bash.output().unwrap())
}

#[test]
fn a_job_that_is_submitted_once_more_keeps_its_frames() {
    let place = Place::new();
    stand_in(&place, "scontrol", "");
    let run = ["small.ron", "--set", "surface=None", "--frames"];
    place.sim(run.iter().chain(&["2"])).assert_done();
    let first = place.read("out/small/run.json");
    let ended = place.sim(run.iter().chain(&["4", "--slurm", "--overwrite"]));
    ended.assert_done();
    assert!(!place.path("out/small/run.json").exists(), "the earlier run is gone: {first}");
    first_job(&place, "out/small.sbatch").assert_done();
    let frames = place.files("out/small/particles");
    assert_eq!(frames.len(), 5);
    let begun = place.manifest("out/small")["started"].clone();
    let ended = first_job(&place, "out/small.sbatch");
    assert!(ended.assert_done().stderr.contains("finished with all 4 frames"), "{ended:?}");
    assert_eq!(place.files("out/small/particles"), frames);
    assert_eq!(place.manifest("out/small")["started"], begun);
}

#[test]
fn a_script_lies_beside_the_folder_however_that_is_written() {
    for (name, out) in [("here", "."), ("it's a run", "x/.."), ("50% $HOME", ".")] {
        let place = Place::new();
        let folder = place.path("runs").join(name);
        std::fs::create_dir_all(folder.join("x")).unwrap();
        let mut command = place.command(["../../small.ron", "-o", out, "--frames", "1", "--slurm"]);
        let ended = Ended::of(command.current_dir(&folder).output().unwrap());
        let script = place.path("runs").canonicalize().unwrap().join(format!("{name}.sbatch"));
        assert_eq!(ended.assert_done().stdout.trim(), script.to_str().unwrap());
        let text = std::fs::read_to_string(&script).unwrap();
        assert!(text.contains("\n#SBATCH --job-name="), "{text}");
        assert!(!text.contains("\n#SBATCH --job-name=\n"), "{text}");
        first_job(&place, script.to_str().unwrap()).assert_done();
        assert_eq!(place.manifest(&format!("runs/{name}"))["status"], "finished");
        assert!(
            folder
                .read_dir()
                .unwrap()
                .all(|file| { !file.unwrap().file_name().to_string_lossy().contains("sbatch") })
        );
    }
}
