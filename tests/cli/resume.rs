//! `sim resume`: a run that was stopped goes on as if it never had been.

use super::support::{
    Ended, Place, assert_nothing_unfinished, assert_same, assert_series_is_whole, results, send,
};
use std::fs;
use std::process::Command;
use std::time::{Duration, Instant};

/// Longer than anything here takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);
/// A run with probes and a checkpoint after every third frame.
const RUN: [&str; 7] = [
    "small.ron",
    "--frames",
    "20",
    "--set",
    "checkpoints=(frames: 3)",
    "--set",
    "probes=(rate: 900.0, list: [Front(name: \"front\", axis: X)])",
];

/// `sim` with the run's arguments and others.
fn run(place: &Place, more: &[&str]) -> Command {
    place.command(RUN.iter().chain(more))
}

/// Starts a run, kills it when `file` is there, and says whether that was before its end.
fn kill_at(place: &Place, folder: &str, file: &str) {
    let mut child = run(place, &["--out", folder]).spawn().unwrap();
    let start = Instant::now();
    while !place.path(&format!("{folder}/{file}")).exists() {
        assert!(start.elapsed() < PATIENCE, "waited in vain for {file}");
        std::thread::sleep(Duration::from_millis(1));
    }
    child.kill().unwrap();
    child.wait().unwrap();
}

#[track_caller]
fn assert_same_run(place: &Place, folder: &str, whole: &str) {
    assert_same(&results(place, folder), &results(place, whole), folder);
    let digest = |folder: &str| place.manifest(folder)["progress"].clone();
    assert_eq!(digest(folder), digest(whole));
    assert_eq!(place.manifest(folder)["status"], "finished");
    assert_nothing_unfinished(place, folder);
}

/// A setting that no frame would show is an error, not a word that goes unheard.
#[test]
fn a_change_of_a_finished_run_is_refused_unless_it_is_extended() {
    let place = Place::new();
    place.sim(["small.ron", "--frames", "1", "--out", "run"]).assert_done();
    let change = ["--set", "gravity=(0, 0, -1)", "--quiet"];
    let resumed = |more: &[&str]| place.sim([&["resume", "run"], &change[..], more].concat());
    let ended = resumed(&[]);
    ended.assert_refused(&["the run is finished with all 1 frame", "`gravity` has no effect"]);
    place.sim(["resume", "run", "--quiet"]).assert_done();
    place.sim(["resume", "run", "--quiet", "--set", "gravity=(0, 0, -9.81)"]).assert_done();
    resumed(&["--frames", "2"]).assert_done();
}

/// Its functions are not there: what `sim` would compute is another run.
#[test]
fn a_run_of_a_python_program_is_refused() {
    let place = Place::new();
    place.sim(["small.ron", "--frames", "1", "--out", "run"]).assert_done();
    let manifest = place.read("run/run.json");
    let marked = manifest.replacen("\"threads\"", "\"has_callbacks\": true, \"threads\"", 1);
    assert_ne!(manifest, marked);
    place.write("run/run.json", &marked);
    place.sim(["resume", "run"]).assert_refused(&["Python", "hashfall.resume(\"run\""]);
    assert_eq!(place.read("run/run.json"), marked);
}

#[test]
fn a_killed_run_goes_on_to_the_same_files_on_other_threads_and_structures() {
    let place = Place::new();
    Ended::of(run(&place, &["--out", "whole"]).output().unwrap()).assert_done();
    for (k, file) in ["run.json", "particles/particles_00001.vtp", "surface/surface_00004.ply"]
        .into_iter()
        .enumerate()
    {
        let folder = format!("killed_{k}");
        kill_at(&place, &folder, file);
        let way_on = ["--threads", "3", "--set", "neighbors=UniformHash"];
        let ended = place.sim(["resume", &folder].iter().chain(&way_on));
        if !place.path(&format!("{folder}/scene.ron")).exists() {
            ended.assert_refused(&[&folder, "had not started", "--overwrite"]);
            continue;
        }
        ended.assert_done();
        assert_same_run(&place, &folder, "whole");
        assert_eq!(assert_series_is_whole(&place, &folder, "particles.pvd"), 21);
    }
}

#[test]
fn a_run_that_a_signal_stopped_in_the_midst_of_a_frame_goes_on() {
    let place = Place::new();
    Ended::of(run(&place, &["--out", "whole"]).output().unwrap()).assert_done();
    for (signal, code) in [("-INT", 130), ("-TERM", 143)] {
        // A pause after each frame would hide it, so steps are many: the frame takes a while.
        let folder = format!("stopped{signal}");
        let child = run(&place, &["--out", &folder]).spawn().unwrap();
        let start = Instant::now();
        while !place.path(&format!("{folder}/particles/particles_00001.vtp")).exists() {
            assert!(start.elapsed() < PATIENCE);
            std::thread::sleep(Duration::from_millis(1));
        }
        send(signal, &child);
        let ended = Ended::of(child.wait_with_output().unwrap());
        if ended.code == Some(code) {
            assert!(ended.stderr.contains(&format!("sim resume {folder}")), "{ended:?}");
            let again = run(&place, &["--out", &folder]).output().unwrap();
            let parts = [&*folder, "unfinished run of `small`", "of 21 frames", "sim resume"];
            Ended::of(again).assert_refused(&parts);
            place.sim(["resume", &folder, "--threads", "1"]).assert_done();
        }
        assert_same_run(&place, &folder, "whole");
    }
}

#[test]
fn a_finished_run_goes_on_to_more_frames_as_if_asked_for_at_once() {
    let place = Place::new();
    Ended::of(run(&place, &["--out", "whole"]).output().unwrap()).assert_done();
    place
        .sim(["small.ron", "--frames", "4", RUN[3], RUN[4], RUN[5], RUN[6], "--out", "short"])
        .assert_done();
    let ended = place.sim(["resume", "short"]);
    assert!(ended.assert_done().stderr.contains("finished with all 4 frames"), "{ended:?}");
    place.sim(["resume", "short", "--frames", "20"]).assert_done();
    assert_same_run(&place, "short", "whole");
    place.sim(["resume", "short", "--frames", "3"]).assert_done();
    assert_same_run(&place, "short", "whole");
}

#[test]
fn a_row_that_a_kill_has_cut_is_passed_over_and_mended() {
    let place = Place::new();
    Ended::of(run(&place, &["--out", "whole"]).output().unwrap()).assert_done();
    kill_at(&place, "killed", "particles/particles_00007.vtp");
    for table in ["log.csv", "probes.csv"] {
        let text = place.read(&format!("killed/{table}"));
        let (whole, last) = text.trim_end().rsplit_once('\n').unwrap();
        place.write(&format!("killed/{table}"), format!("{text}{}", &last[..last.len() / 2]));
        assert!(whole.lines().count() > 3);
    }
    place.sim(["audit", "killed"]).assert_done();
    place.sim(["resume", "killed"]).assert_done();
    assert_same_run(&place, "killed", "whole");
}

#[test]
fn settings_may_change_but_not_what_particles_and_tables_were_made_by() {
    let place = Place::new();
    place.sim(["small.ron", "--frames", "1", "--out", "run"]).assert_done();
    let before = place.files("run");
    for (change, parts) in [
        ("frames.rate=50.0", ["`rate` cannot change", "sim SCENE"]),
        ("particle_radius=0.02", ["`particle_radius` cannot change", "sim SCENE"]),
        ("solids=[]", ["number of `solids` cannot change", "sim SCENE"]),
        ("fluids[0].shapes=[]", ["fluids' number, names and `shapes`", "sim SCENE"]),
        ("solver=Wcsph(corant: 0.3)", ["corant", "courant"]),
    ] {
        let ended = place.sim(["resume", "run", "--frames", "2", "--set", change]);
        ended.assert_refused(&parts);
    }
    assert!(place.files("run") == before, "something was touched");
    let change = ["--set", "fluids[0].viscosity=0.01", "--set", "output.surface=[Ply]"];
    place.sim(["resume", "run", "--frames", "2"].iter().chain(&change)).assert_done();
    let resumed = &place.manifest("run")["resumed"][0];
    assert_eq!(resumed["settings"][0], "fluids[0].viscosity=0.01");
    assert_eq!(resumed["settings"][2], "frames.count=2");
    assert_eq!(resumed["after_frame"], 1);
    assert!(place.read("run/scene.ron").contains("viscosity: 0.01"));
    assert_eq!(assert_series_is_whole(&place, "run", "particles.pvd"), 3);
    assert_eq!(assert_series_is_whole(&place, "run", "surface.pvd"), 2);
    // Its checkpoint is of the scene with these changes, and an earlier one would do, too.
    place.sim(["resume", "run", "--frames", "3"]).assert_done();
    assert_eq!(place.read("run/log.csv").lines().count(), 5);
}

/// The checkpoints of a run, the oldest first.
fn checkpoints(place: &Place, folder: &str) -> Vec<String> {
    let files = place.files(&format!("{folder}/checkpoints"));
    files.into_iter().map(|(name, _)| format!("{folder}/checkpoints/{name}")).collect()
}

#[test]
fn a_damaged_checkpoint_is_passed_over_and_without_any_nothing_is_touched() {
    let place = Place::new();
    Ended::of(run(&place, &["--out", "whole"]).output().unwrap()).assert_done();
    kill_at(&place, "run", "particles/particles_00007.vtp");
    let [_, newer] = &checkpoints(&place, "run")[..] else { panic!("two are kept") };
    let damage = |name: &str| {
        let mut bytes = fs::read(place.path(name)).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        place.write(name, bytes);
    };
    damage(newer);
    let ended = place.sim(["resume", "run"]);
    assert!(ended.assert_done().stderr.contains(": it is damaged"), "{ended:?}");
    assert_same_run(&place, "run", "whole");

    kill_at(&place, "lost", "particles/particles_00007.vtp");
    let names = checkpoints(&place, "lost");
    names.iter().for_each(|name| damage(name));
    let before = place.files("lost");
    let ended = place.sim(["resume", "lost"]);
    assert_eq!(ended.code, Some(1));
    ended.assert_one_error(&["no usable checkpoint", &names[0], &names[1], "checksum"]);
    assert!(place.files("lost") == before, "something was touched");
}

#[test]
fn what_is_not_the_runs_own_is_refused() {
    let place = Place::new();
    place.sim(["resume", "nowhere"]).assert_refused(&["`nowhere` holds no run", "no such folder"]);
    fs::create_dir(place.path("empty")).unwrap();
    place.sim(["resume", "empty"]).assert_refused(&["`empty` holds no run", "run.json"]);
    place.write("empty/run.json", "{}");
    place.sim(["resume", "empty"]).assert_refused(&["run.json", "not a run of this program"]);
    place.sim(["resume"]).assert_usage();

    place.sim(["small.ron", "--frames", "1", "--out", "run"]).assert_done();
    let set = ["--set", "fluids[0].viscosity=0.5"];
    place.sim(["small.ron", "--frames", "1", "--out", "other"].iter().chain(&set)).assert_done();
    let foreign = checkpoints(&place, "other").remove(0);
    let own = checkpoints(&place, "run").remove(0);
    fs::copy(place.path(&foreign), place.path(&own)).unwrap();
    let ended = place.sim(["resume", "run", "--frames", "2"]);
    assert_eq!(ended.code, Some(1));
    ended.assert_one_error(&["belongs to a run of another scene"]);

    for name in ["other/scene.ron", "other/meshes/tetrahedron.obj"] {
        let text = place.read(name);
        place.write(name, format!("{text}\n"));
        let ended = place.sim(["resume", "other", "--frames", "2"]);
        ended.assert_refused(&[name, "has changed since the run", "--set"]);
        place.write(name, text);
    }
    place.sim(["resume", "other", "--frames", "2"]).assert_done();
}

#[cfg(unix)]
#[test]
fn sigusr1_makes_a_checkpoint_and_the_run_goes_on() {
    let place = Place::new();
    let endless = [
        "small.ron",
        "--frames",
        "100000",
        "--set",
        "checkpoints=(minutes: None)",
        "--allow-shortage",
    ];
    let child = place.command(endless).spawn().unwrap();
    let signal = |name: &str| {
        let sent = Command::new("kill").args([name, &child.id().to_string()]).status().unwrap();
        assert!(sent.success());
    };
    let wait_for = |count: usize| {
        let start = Instant::now();
        let folder = place.path("out/small/checkpoints");
        let whole = || {
            let entries = fs::read_dir(&folder).into_iter().flatten();
            let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
            names.filter(|name| name.ends_with(".safetensors")).count()
        };
        while whole() != count {
            assert!(start.elapsed() < PATIENCE, "waited in vain for {count} checkpoints");
            std::thread::sleep(Duration::from_millis(2));
        }
    };
    let start = Instant::now();
    while !place.path("out/small/particles/particles_00001.vtp").exists() {
        assert!(start.elapsed() < PATIENCE);
        std::thread::sleep(Duration::from_millis(2));
    }
    wait_for(0);
    signal("-USR1");
    wait_for(1);
    signal("-USR1");
    wait_for(2);
    signal("-TERM");
    assert_eq!(child.wait_with_output().unwrap().status.code(), Some(143));
    assert_eq!(checkpoints(&place, "out/small").len(), 2, "the last two are kept");
}
