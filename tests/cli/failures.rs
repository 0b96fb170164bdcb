//! Runs that fail in the midst: exit code 1, and everything before is whole.

use super::scenes::SMALL;
use super::support::{Ended, Place, SIM, assert_nothing_unfinished, assert_series_is_whole};
use hashfall_core::Vec3;
use hashfall_output::{Recorder, RunFolder, RunInfo};
use hashfall_run::{End, Observer, Plan, Requests, RunProgress};
use hashfall_scene::{Output, Source, prepare};

#[test]
fn a_run_whose_time_step_vanishes_ends_and_keeps_its_frames() {
    let place = Place::new();
    // Honey's honey: diffusion allows steps of 5 ns, two million per frame.
    let thick = "fluids[0].viscosity=1e4";
    let explicit = "viscosity_solver=Explicit";
    let ended = place.sim(["small.ron", "--set", thick, "--set", explicit]);
    assert_eq!(ended.code, Some(1), "{ended:?}");
    ended.assert_one_error(&["stalled", "step 1,", "t = ", "limited by viscosity"]);
    let manifest = place.manifest("out/small");
    assert_eq!(manifest["status"], "failed");
    assert!(manifest["reason"].as_str().unwrap().contains("viscosity"), "{manifest}");
    assert_eq!(assert_series_is_whole(&place, "out/small", "particles.pvd"), 1);
    assert_eq!(assert_series_is_whole(&place, "out/small", "surface.pvd"), 1);
    assert_eq!(place.read("out/small/log.csv").lines().count(), 2);
    assert_nothing_unfinished(&place, "out/small");
}

/// Counts what it is told.
#[derive(Default)]
struct Counter {
    frames: u32,
}

impl Observer for Counter {
    fn frame(&mut self, _: &RunProgress) {
        self.frames += 1;
    }
    fn step(&mut self, _: &RunProgress) {}
}

/// No scene that passes the checks is known to give a state that is not finite, so one is made.
#[test]
fn a_state_that_is_not_finite_ends_the_run_naming_the_particle() {
    let place = Place::new();
    let source = Source { name: "small.ron".into(), text: SMALL.into() };
    let scene = prepare(&source, &[], &mut |name| Ok(place.read(name).into_bytes())).unwrap();
    let mut plan = Plan::from(&scene);
    plan.world.particles.velocity[7] = Vec3::new(0.0, f64::INFINITY as _, 0.0);
    let output = Output { surface: Vec::new(), ..Output::default() };
    let info = RunInfo {
        name: "small",
        scene: &scene.resolved,
        meshes: &[],
        command: &[],
        threads: 1,
        frames: plan.frames,
        output: &output,
        probes: &[],
        body_names: &[],
        has_callbacks: false,
    };
    let folder = RunFolder::create(place.path("out"), &[], false).unwrap();
    let mut recorder = Recorder::start(folder, &plan.world, info).unwrap();
    let mut counter = Counter::default();
    let (report, end) = plan.run(Some(&mut recorder), &mut counter, &Requests::default());
    let End::BlewUp(blow_up) = end else { panic!("{end:?}") };
    assert_eq!((counter.frames, report.frames), (0, 0));
    assert_eq!(blow_up.to_string(), "`particles.velocity` of particle 7 is not finite");
}

/// A limit on the size of files stands in for a full disk: writing past it fails.
#[cfg(unix)]
#[test]
fn a_write_that_fails_ends_the_run_and_leaves_no_torn_file() {
    let place = Place::new();
    let bare = ["--set", "solids=[]", "--set", "surface=None", "--set", "frames.rate=10000.0"];
    let short = ["small.ron", "--frames", "1", "--out", "whole"];
    place.sim(short.into_iter().chain(bare)).assert_done();
    // All files of a short run fit; the log and the series outgrow the limit later.
    let largest = place.files("whole").iter().map(|(_, content)| content.len()).max().unwrap();
    let blocks = largest.div_ceil(512) + 1;
    let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
    let output = std::process::Command::new("sh")
        .args(["-c", &script, SIM, "small.ron"])
        .args(["--frames", "2000"])
        .args(bare)
        .current_dir(place.path(""))
        .output()
        .unwrap();
    let ended = Ended::of(output);
    assert_eq!(ended.code, Some(1), "{ended:?}");
    ended.assert_one_error(&["cannot write", "out/small/"]);
    let frames = assert_series_is_whole(&place, "out/small", "particles.pvd");
    assert!(frames > 1, "only {frames} frames");
    assert_nothing_unfinished(&place, "out/small");
    assert_eq!(place.manifest("out/small")["status"], "failed");
}

#[cfg(unix)]
#[test]
fn a_folder_that_is_moved_away_ends_the_run_and_is_not_made_again() {
    let place = Place::new();
    let child = super::signals::endless_run(&place, Some("--quiet"));
    std::fs::rename(place.path("out/small"), place.path("out/moved")).unwrap();
    let ended = Ended::of(child.wait_with_output().unwrap());
    assert_eq!(ended.code, Some(1), "{ended:?}");
    ended.assert_one_error(&["out/small", "No such file or directory"]);
    assert!(!place.path("out/small").exists());
    let frames = assert_series_is_whole(&place, "out/moved", "particles.pvd");
    place.sim(["audit", "out/moved"]).assert_done();
    let more = (frames + 3).to_string();
    place.sim(["resume", "out/moved", "--frames", &more]).assert_done();
    assert_eq!(assert_series_is_whole(&place, "out/moved", "particles.pvd"), frames + 4);
}
