//! Elastic bodies as a user meets them: files, digests, resumption, audit and previews.

use super::support::{Place, assert_same, results, wait_until};
use std::fs;

/// A sheet that falls on a ball beside a rope that hangs, and `fluids`.
fn scene(fluids: &str) -> String {
    format!(
        r#"Scene(
    frames: (count: 8, rate: 50.0),
    domain: Box(min: (0, 0, 0), max: (1, 1, 1), contact: (friction: 0.3)),
    particle_radius: 0.03,
    {fluids}
    solids: [Ball(centre: (0.5, 0.5, 0.3), radius: 0.15)],
    elastic: [(
        name: "cloth",
        shape: Sheet(origin: (0.3, 0.3, 0.47), u: (0.4, 0, 0), v: (0, 0.4, 0), cells: (8, 8)),
        material: Shell(
            density: 300, thickness: 0.01, young_modulus: 2e4, poisson_ratio: 0.3,
        ),
        contact: (friction: 0.3),
    ), (
        name: "rope",
        shape: Line(from: (0.1, 0.1, 0.9), to: (0.1, 0.3, 0.9), segments: 6),
        material: Rope(density: 500, diameter: 0.02, young_modulus: 1e5),
        fixings: [Fixed(nodes: Indices([0]))],
    )],
)"#
    )
}

const WATER: &str = r#"fluids: [(name: "water", rest_density: 1000, viscosity: 1e-6,
        shapes: [Box(min: (0.35, 0.35, 0.6), max: (0.65, 0.65, 0.75))])],"#;

fn place_with(fluids: &str) -> Place {
    let place = Place::new();
    place.write("elastic.ron", scene(fluids));
    place
}

#[test]
fn threads_and_broad_phases_give_the_same_files() {
    for fluids in ["", WATER] {
        let place = place_with(fluids);
        let whole = place.sim(["elastic.ron", "--out", "whole"]);
        let digest = whole.assert_done().summary("elastic digest").to_owned();
        for (k, more) in [["--threads", "1"], ["--set", "broad_phase=DynamicHierarchicalHash"]]
            .into_iter()
            .enumerate()
        {
            let folder = format!("other_{k}");
            let ended = place.sim(["elastic.ron", "--out", &folder].iter().chain(&more));
            assert_eq!(ended.assert_done().summary("elastic digest"), digest);
            assert_same(&results(&place, &folder), &results(&place, "whole"), &folder);
        }
    }
}

#[test]
fn a_killed_run_goes_on_to_the_same_files() {
    for fluids in ["", WATER] {
        let place = place_with(fluids);
        let run = ["elastic.ron", "--set", "checkpoints=(frames: 2)", "--out"];
        place.sim(run.iter().chain(&["whole"])).assert_done();
        let mut child = place.command(run.iter().chain(&["killed"])).spawn().unwrap();
        let third = place.path("killed/elastic/elastic_cloth_00003.ply");
        wait_until("the third frame", || third.exists());
        child.kill().unwrap();
        child.wait().unwrap();
        place.sim(["resume", "killed", "--threads", "1"]).assert_done();
        assert_same(&results(&place, "killed"), &results(&place, "whole"), "killed");
        let progress = |run: &str| place.manifest(run)["progress"].clone();
        assert_eq!(progress("killed"), progress("whole"));
    }
}

#[test]
fn a_run_without_fluid_is_summed_up_previewed_and_audited() {
    let place = place_with("");
    let ended = place.sim(["elastic.ron", "--out", "run"]);
    assert!(ended.assert_done().stderr.contains("88 elastic nodes"), "{ended:?}");
    assert!(!ended.stdout.contains("density error"), "{ended:?}");
    for line in ["paraview.py", "blender.py", "sim preview run"] {
        assert!(ended.stdout.contains(line), "no `{line}` in {}", ended.stdout);
    }
    let checked = place.sim(["check", "elastic.ron"]);
    let told = "0.0200 s, limited by frame";
    assert!(checked.assert_done().stdout.contains(told), "{checked:?}");
    place.sim(["preview", "run", "--size", "160x90", "-q"]).assert_done();
    let pictures = [0, 8].map(|frame| place.path(&format!("run/preview/frame_{frame:05}.png")));
    let [first, last] = pictures.map(|picture| fs::read(picture).unwrap());
    assert_ne!(first, last, "the bodies have moved");
    let audit = place.sim(["audit", "run"]);
    assert!(audit.assert_done().stdout.contains("valid"), "{audit:?}");
    let file = "run/elastic/elastic_rope_00004.ply";
    let other = fs::read(place.path("run/elastic/elastic_cloth_00004.ply")).unwrap();
    place.write(file, other);
    let audit = place.sim(["audit", "run"]);
    assert_eq!(audit.code, Some(1), "{audit:?}");
    assert!(audit.stderr.contains("elastic_rope_00004.ply"), "{audit:?}");
    assert!(audit.stderr.contains("81 points, but the body has"), "{audit:?}");
}

#[test]
fn a_run_without_bodies_names_no_script_that_it_has_not() {
    let place = Place::new();
    let bare = ["--set", "surface=None", "--set", "output.particles=[]", "--out", "run"];
    let ended = place.sim(["small.ron", "--frames", "2"].iter().chain(&bare));
    assert!(!ended.assert_done().stdout.contains("paraview.py"), "{ended:?}");
    assert!(!place.path("run/paraview.py").exists() && !place.path("run/elastic").exists());
}
