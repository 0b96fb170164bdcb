//! Elastic bodies as a user meets them: files, digests, resumption, audit and previews.

use super::support::{Place, assert_same, results, wait_until};
use std::fs;

/// A sheet that falls on a ball beside a rope that hangs, and more keys.
fn scene(more: &str) -> String {
    format!(
        r#"Scene(
    frames: (count: 8, rate: 50.0),
    domain: Box(min: (0, 0, 0), max: (1, 1, 1), contact: (friction: 0.3)),
    {more}
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

const WATER: &str = r#"particle_radius: 0.03,
    fluids: [(name: "water", rest_density: 1000, viscosity: 1e-6,
        shapes: [Box(min: (0.35, 0.35, 0.6), max: (0.65, 0.65, 0.75))])],"#;

const IMPLICIT: &str = "elastic_solver: Implicit(substeps: 2),";

/// Contact by a hash of vertices, with water.
fn hashed() -> String {
    format!("{WATER} elastic_contact: SpatialHash(),")
}

fn place_with(more: &str) -> Place {
    let place = Place::new();
    place.write("elastic.ron", scene(more));
    place
}

#[test]
fn threads_and_broad_phases_give_the_same_files() {
    for more in ["", WATER, IMPLICIT, &hashed()] {
        let place = place_with(more);
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
    for more in ["", WATER, IMPLICIT] {
        let place = place_with(more);
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
    let limit = "0.0200 s, limited by frame";
    assert!(checked.assert_done().stdout.contains(limit), "{checked:?}");
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

#[test]
fn bodies_go_back_with_steps_that_are_taken_back() {
    // So fast that the first impacts are tried again with shorter steps.
    let water = WATER.replace("shapes: [Box(", "shapes: [Box(velocity: (0, 0, -8), ");
    let place = place_with(&format!("{water} solver: Dfsph(max_iterations: 1.0),"));
    // Pressures that a single iteration leaves unsolved may gain energy.
    let unsolved = ["--set", "limits.energy_gain=None"];
    let run = [&["elastic.ron", "--set", "checkpoints=(frames: 2)"][..], &unsolved].concat();
    let whole = place.sim(run.iter().chain(&["--out", "whole"]));
    assert!(whole.assert_done().summary("rejected steps").parse::<u64>().unwrap() > 0, "{whole:?}");
    place.sim(run.iter().chain(&["--out", "part", "--frames", "4"])).assert_done();
    place.sim(["resume", "part", "--frames", "8", "--threads", "1"]).assert_done();
    assert_same(&results(&place, "part"), &results(&place, "whole"), "part");
}

#[test]
fn the_energy_limit_holds_for_fluid_beside_elastic_bodies() {
    let place = place_with(WATER);
    let limit = ["elastic.ron", "--set", "limits.energy_gain=1e-9", "--out", "limited"];
    let ended = place.sim(limit);
    assert_ne!(ended.code, Some(0), "{ended:?}");
    assert!(ended.stderr.contains("`limits.energy_gain`"), "{ended:?}");
}

#[test]
fn what_begins_through_another_is_refused_with_its_place() {
    let place = place_with("");
    let through = scene("").replace("from: (0.1, 0.1, 0.9)", "from: (0.36, 0.37, 0.3)");
    place.write("through.ron", through.replace("to: (0.1, 0.3, 0.9)", "to: (0.36, 0.37, 0.9)"));
    for command in [&["check", "through.ron"][..], &["through.ron"]] {
        let ended = place.sim(command);
        ended.assert_refused(&["\"rope\" begins through \"cloth\", at (0.36, 0.37, 0.47)"]);
        assert!(ended.stderr.contains("through.ron:15:16"), "{ended:?}");
    }
    assert!(!place.path("out").exists());
}

#[test]
fn a_tied_node_that_leaves_the_domain_is_told_with_its_body_solid_and_wall() {
    let place = Place::new();
    place.write(
        "leave.ron",
        "Scene(
    frames: (count: 10, rate: 25.0),
    domain: Box(min: (0, 0, 0), max: (1, 1, 1)),
    solids: [Ball(name: \"hand\", centre: (0.5, 0.5, 0.75), radius: 0.02,
        motion: Formula(translate: (\"0\", \"0\", \"t\")))],
    elastic: [(
        name: \"rope\",
        shape: Line(from: (0.5, 0.5, 0.75), to: (0.2, 0.5, 0.75), segments: 6),
        material: Rope(density: 900, diameter: 0.004, young_modulus: 1e5),
        fixings: [Tied(nodes: Indices([0]), to: \"hand\")],
    )],
)",
    );
    let checked = place.sim(["check", "leave.ron"]);
    let early = "warning: leave.ron: the run may end early; a trial did: step";
    assert!(checked.assert_done().stderr.contains(early), "{checked:?}");
    let ended = place.sim(["leave.ron", "--quiet"]);
    assert_eq!(ended.code, Some(1), "{ended:?}");
    let nearest = "nearest: node 0 of \"rope\", tied to `solids[0]`, at the wall z_max";
    assert!(ended.stderr.contains(nearest), "{ended:?}");
    assert!(ended.stderr.contains("surfaces close at (0.5, 0.5, "), "{ended:?}");
}

#[test]
fn a_check_tells_of_damping_and_guesses_the_time_of_what_is_very_stiff() {
    let place = Place::new();
    let scene = |young_modulus: &str, damping: &str| {
        format!(
            "Scene(
    frames: (count: 10, rate: 25.0),
    domain: Box(min: (0, 0, 0), max: (1, 1, 1)),
    elastic: [(
        name: \"jelly\",
        shape: Box(min: (0.4, 0.4, 0.4), max: (0.6, 0.6, 0.6), cells: (2, 2, 2)),
        material: Solid(density: 1000, young_modulus: {young_modulus}, poisson_ratio: 0.4),
        damping: ({damping}),
    )],
)"
        )
    };
    place.write("damped.ron", scene("1e5", "time: 0.01"));
    let checked = place.sim(["check", "damped.ron"]);
    assert!(checked.assert_done().stdout.contains("damping shortens them to 0.0"), "{checked:?}");
    place.write("free.ron", scene("1e5", "time: 0"));
    let checked = place.sim(["check", "free.ron"]);
    assert!(!checked.assert_done().stdout.contains("damping"), "{checked:?}");
    // A frame has half a million substeps: it is not run to tell how long the run takes.
    place.write("stiff.ron", scene("1e13", "time: 0"));
    let begun = std::time::Instant::now();
    let checked = place.sim(["check", "stiff.ron"]);
    assert!(checked.assert_done().stdout.contains("about 10 steps; a guess"), "{checked:?}");
    assert!(begun.elapsed().as_secs() < 20, "{checked:?}");
}

#[test]
fn a_check_tells_of_meshes_and_of_substeps() {
    let place = place_with("");
    let beam = include_str!("../element_files/gmsh_beam_ascii.msh");
    place.write("beam.msh", beam);
    let shape = "Line(from: (0.1, 0.1, 0.9), to: (0.1, 0.3, 0.9), segments: 6)";
    let mesh = "Mesh(path: \"beam.msh\", scale: 0.1, translate: (0.1, 0.1, 0.8))";
    let rope = "Rope(density: 500, diameter: 0.02, young_modulus: 1e5)";
    let solid = "Solid(density: 500, young_modulus: 1e5, poisson_ratio: 0.3)";
    let text = scene(IMPLICIT).replace(shape, mesh).replace(rope, solid);
    place.write("beam.ron", text.replace("Indices([0])", "Group(\"clamped\")"));
    let checked = place.sim(["check", "beam.ron"]);
    for line in [
        "elastic[1].shape \"beam.msh\" (Gmsh): 0.200 × 0.100 × 0.100 m, 22 nodes, 0 triangles, \
         43 tetrahedra, groups \"clamped\", \"8\", \"beam body\"",
        "angles 45.0 to 90.0°",
        "dihedral angles ",
        "2 implicit substeps a step, of 0.0100 s in the first",
    ] {
        assert!(checked.assert_done().stdout.contains(line), "no `{line}` in {}", checked.stdout);
    }
}

#[test]
fn a_report_shows_energies_of_elastic_bodies() {
    let place = place_with("");
    place.sim(["elastic.ron", "--out", "run", "--frames", "3"]).assert_done();
    place.sim(["report", "run"]).assert_done();
    let page = place.read("run/report.html");
    for part in ["\"elastic_energy\"", "Energy of elastic bodies", "elastic_momentum_"] {
        assert!(page.contains(part), "no {part}");
    }
    // Digests look like numbers by chance.
    assert!(!page.contains("\"elastic_digest\""));
}

#[test]
fn a_check_foresees_the_files_of_elastic_bodies_alone() {
    let place = place_with("");
    place.sim(["elastic.ron", "--out", "run"]).assert_done();
    let checked = place.sim(["check", "elastic.ron"]);
    let estimated = checked.assert_done().stdout.rsplit("; about ").next().unwrap();
    let (number, unit) = estimated.split_once(" in total").unwrap().0.rsplit_once(' ').unwrap();
    let unit = ["kB", "MB"].iter().position(|it| *it == unit).unwrap();
    let estimated = number.parse::<f64>().unwrap() * [1e3, 1e6][unit];
    let is_file = |name: &str| !name.ends_with(".py") && !name.contains("run.json");
    let files = place.files("run");
    let taken: usize = files.iter().filter(|it| is_file(&it.0)).map(|it| it.1.len()).sum();
    assert!((estimated / taken as f64 - 1.0).abs() < 0.25, "{estimated} told, {taken} bytes taken");
}
