//! Scenes that use together what others use alone: killed and resumed at random instants, on other
//! threads, with other searches and with the instructions of other CPUs, each ends the same.

#![cfg(unix)]

use super::support::{Ended, Place, assert_nothing_unfinished, assert_same, results};
use hashfall_core::simd::Isa;
use hashfall_search::NeighborKind;
use rand_pcg::Pcg32;
use rand_pcg::rand_core::Rng;
use std::fs;
use std::process::Command;
use std::time::{Duration, Instant};

/// Scenes of a few hundred particles, for each solver.
const RICH_SCENES: [(&str, &str); 7] = [
    ("dfsph_fountain", include_str!("../rich_scenes/dfsph_fountain.ron")),
    ("wcsph_layers", include_str!("../rich_scenes/wcsph_layers.ron")),
    ("wcsph_individual_steps", include_str!("../rich_scenes/wcsph_individual_steps.ron")),
    ("multiphase", include_str!("../rich_scenes/multiphase.ron")),
    ("ballistic", include_str!("../rich_scenes/ballistic.ron")),
    ("elastic", include_str!("../rich_scenes/elastic.ron")),
    ("free_bodies", include_str!("../rich_scenes/free_bodies.ron")),
];

/// A scene, and its results when nothing disturbs it.
struct Reference {
    place: Place,
    files: Vec<(String, Vec<u8>)>,
    time: Duration,
}

impl Reference {
    fn new(scene: &str) -> Self {
        let place = Place::new();
        place.write("rich.ron", scene);
        let start = Instant::now();
        Ended::of(run(&place, "whole").output().unwrap()).assert_done();
        let time = start.elapsed();
        Reference { files: results(&place, "whole"), place, time }
    }

    /// The folder holds what the undisturbed run does, to the last byte.
    #[track_caller]
    fn assert_same(&self, folder: &str, what: &str) {
        assert_same(&results(&self.place, folder), &self.files, what);
        for digest in ["last_state_digest", "last_body_digest"] {
            let of = |run: &str| self.place.manifest(run)["progress"][digest].clone();
            assert_eq!(of(folder), of("whole"), "{what}");
        }
        assert_nothing_unfinished(&self.place, folder);
        fs::remove_dir_all(self.place.path(folder)).unwrap();
    }
}

fn run(place: &Place, folder: &str) -> Command {
    place.command(["rich.ron", "--quiet", "--allow-shortage", "--out", folder])
}

/// Threads and search of a run, which must not show in its results.
fn random_choice(random: &mut Pcg32) -> [String; 4] {
    let kinds = NeighborKind::ALL;
    let kind = kinds[random.next_u32() as usize % kinds.len()];
    let threads = 1 + random.next_u32() % 4;
    ["--threads".into(), threads.to_string(), "--set".into(), format!("neighbors={kind:?}")]
}

/// Kills a run of each scene `kills` times, each time after a part of what is left of it.
fn kill_and_resume(kills: u32, seed: u64) {
    for (name, scene) in RICH_SCENES {
        let reference = Reference::new(scene);
        let mut random = Pcg32::new(seed, 1);
        let mut command = run(&reference.place, "killed");
        command.args(random_choice(&mut random));
        for _ in 0..kills {
            let mut child = command.spawn().unwrap();
            let part = f64::from(random.next_u32()) / f64::from(u32::MAX);
            std::thread::sleep(reference.time.mul_f64(0.2 + 0.6 * part));
            child.kill().unwrap();
            child.wait().unwrap();
            let has_begun = reference.place.path("killed/scene.ron").exists();
            command = match has_begun {
                true => reference.place.command(["resume", "killed", "--quiet"]),
                false => run(&reference.place, "killed"),
            };
            command.args(random_choice(&mut random));
            if !has_begun {
                command.arg("--overwrite");
            }
        }
        Ended::of(command.output().unwrap()).assert_done();
        reference.assert_same("killed", &format!("{name}, killed with seed {seed}"));
    }
}

#[test]
fn rich_runs_killed_at_random_instants_end_the_same_on_other_threads() {
    kill_and_resume(2, 1);
}

#[test]
#[ignore = "takes minutes"]
fn full_rich_runs_killed_at_random_instants() {
    (2..22).for_each(|seed| kill_and_resume(3, seed));
}

#[test]
fn rich_runs_are_the_same_with_each_instruction_set() {
    let sets = Isa::available();
    println!("this CPU has {:?}", sets.iter().map(|isa| isa.name()).collect::<Vec<_>>());
    for (name, scene) in RICH_SCENES {
        let reference = Reference::new(scene);
        // The reference ran with the last.
        for isa in &sets[..sets.len() - 1] {
            let mut command = run(&reference.place, "limited");
            command.env("HASHFALL_INSTRUCTIONS", isa.name());
            Ended::of(command.output().unwrap()).assert_done();
            reference.assert_same("limited", &format!("{name} with {}", isa.name()));
        }
    }
}

#[test]
fn an_instruction_set_that_is_not_there_is_refused() {
    let place = Place::new();
    let mut command = place.command(["check", "small.ron"]);
    command.env("HASHFALL_INSTRUCTIONS", "sse9");
    let ended = Ended::of(command.output().unwrap());
    ended.assert_refused(&["HASHFALL_INSTRUCTIONS", "`sse9`", "baseline"]);
}
