//! The same bytes whatever the number of threads and whichever structure searches.

use super::support::{Ended, Place, assert_same, results};
use hashfall_core::parallel::CHUNK;
use hashfall_search::{BroadPhaseKind, NeighborKind};

/// Steps enough for every particle to have hit something.
const STEPS: u64 = 200;

/// Runs the small scene into `folder` for at least [`STEPS`] steps.
fn run(place: &Place, folder: &str, args: &[String]) -> Ended {
    let common = ["small.ron", "--out", folder, "--set", "frames.rate=30.0"];
    let ended = place.sim(common.into_iter().map(str::to_owned).chain(args.to_vec()));
    ended.assert_done();
    assert!(ended.summary("steps").parse::<u64>().unwrap() >= STEPS, "{}", ended.stdout);
    ended
}

fn set(key: &str, kind: impl std::fmt::Debug) -> Vec<String> {
    vec!["--set".to_owned(), format!("{key}={kind:?}")]
}

/// Runs them all, and asserts that all have the same files and the same end.
fn assert_all_same(variants: &[(String, Vec<String>)], common: &[&str]) -> Ended {
    let place = Place::new();
    let mut expected = None;
    let mut last = None;
    for (name, args) in variants {
        let common = common.iter().map(|arg| (*arg).to_owned());
        let ended = run(&place, name, &common.chain(args.clone()).collect::<Vec<_>>());
        let digest = ended.summary("state digest").to_owned();
        let files = results(&place, name);
        let (first_digest, first_files) =
            expected.get_or_insert_with(|| (digest.clone(), files.clone()));
        assert_eq!(*first_digest, digest, "{name}");
        assert_same(first_files, &files, name);
        last = Some(ended);
    }
    last.unwrap()
}

/// That the particles of a run fill more than so many chunks.
fn assert_chunks(ended: &Ended, count: usize) {
    let particles: usize = ended.stderr.split(' ').next().unwrap().parse().unwrap();
    assert!(particles > count * CHUNK, "{particles} particles");
}

#[test]
fn threads_do_not_change_a_byte() {
    let variants =
        [1, 2, 5].map(|n| (format!("threads_{n}"), vec!["--threads".to_owned(), n.to_string()]));
    // Loops go over chunks of particles: with several, the threads really share the work.
    let ended = assert_all_same(&variants, &["--frames", "3", "--set", "particle_radius=0.006"]);
    assert_chunks(&ended, 3);
}

#[test]
fn structures_do_not_change_a_byte() {
    let mut variants: Vec<(String, Vec<String>)> = Vec::new();
    // Each structure is in a run at least; those for lists and those for contacts vary together, so
    // that there are half as many runs.
    let (lists, contacts) = (NeighborKind::ALL, BroadPhaseKind::ALL);
    for n in 0..lists.len().max(contacts.len()) {
        let (list, contact) = (lists[n % lists.len()], contacts[n % contacts.len()]);
        let args = [set("neighbors", list), set("broad_phase", contact)].concat();
        variants.push((format!("lists_{list:?}_contacts_{contact:?}"), args));
    }
    let ended = assert_all_same(&variants, &["--frames", "4", "--set", "particle_radius=0.008"]);
    assert_chunks(&ended, 1);
}

#[test]
fn the_resolved_scene_gives_the_same_bytes() {
    let place = Place::new();
    place.sim(["small.ron", "--set", "fluids[0].viscosity=0.01", "--out", "first"]).assert_done();
    place.sim(["first/scene.ron", "--out", "second"]).assert_done();
    assert_eq!(place.read("first/scene.ron"), place.read("second/scene.ron"));
    // The scripts show the scene's name, which is that of its file.
    let all = |folder| {
        let mut files = results(&place, folder);
        files.retain(|(name, _)| name != "blender.py" && name != "paraview.py");
        files
    };
    assert_same(&all("first"), &all("second"), "the resolved scene");
    let digest = |run: &str| place.manifest(run)["progress"]["last_state_digest"].clone();
    assert_eq!(digest("first"), digest("second"));
}
