//! A run whose particles come and go: it fills from nothing, waits for room, goes on after a stop,
//! and every command that reads a run takes it.

use super::support::{Place, assert_same, results};

/// Two fluids that come out of a wall and of a mesh, and drain away; nothing is there at the start.
const FOUNTAIN: &str = r#"Scene(
    frames: (count: 10, rate: 20),
    domain: Box(min: (0, 0, 0), max: (0.8, 0.4, 0.5)),
    particle_radius: 0.02,
    fluids: [
        (name: "water", rest_density: 1000, viscosity: 1e-6),
        (name: "oil", rest_density: 800, viscosity: 1e-5),
    ],
    emitters: [
        (
            fluid: "water", speed: 1.5, direction: (1, 0, 0.5),
            from: Rectangle(centre: (0, 0.2, 0.2), normal: (1, 0, 0), size: (0.12, 0.08)),
        ),
        (
            fluid: "oil", speed: 1.0, start: 0.12, end: 0.3,
            from: Mesh(path: "patch.obj", scale: 0.1, translate: (0.5, 0.15, 0.4)),
        ),
    ],
    sinks: [
        Box(min: (0.2, 0, 0), max: (0.8, 0.4, 0.03)),
        Ball(centre: (0.7, 0.2, 0.1), radius: 0.05),
    ],
    max_particles: 60,
    checkpoints: (frames: 3),
    preview: (size: (96, 64)),
)
"#;
/// A square that faces down.
const PATCH: &str = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 4 3 2 1\n";

fn place() -> Place {
    let place = Place::new();
    place.write("fountain.ron", FOUNTAIN);
    place.write("patch.obj", PATCH);
    place
}

/// The columns of `log.csv` by name, each with its numbers by frame.
fn column(place: &Place, run: &str, name: &str) -> Vec<f64> {
    let log = place.read(&format!("{run}/log.csv"));
    let mut rows = csv::Reader::from_reader(log.as_bytes());
    let at = rows.headers().unwrap().iter().position(|header| header == name).unwrap();
    rows.records().map(|row| row.unwrap()[at].parse().unwrap()).collect()
}

#[test]
fn a_run_that_fills_from_nothing_is_sound_and_is_shown() {
    let place = place();
    let ended = place.sim(["fountain.ron", "--out", "run"]);
    ended.assert_done();
    for warning in ["emitters[0] paused", "`max_particles` was reached"] {
        assert!(ended.stderr.contains(warning), "no {warning} in {}", ended.stderr);
    }
    let column = |name: &str| column(&place, "run", name);
    let (there, emitted, removed) = (column("particles"), column("emitted"), column("removed"));
    // 3 × 2 particles a layer, two layers in the nozzle.
    assert_eq!((there[0], emitted[0], removed[0]), (12.0, 12.0, 0.0));
    assert!(removed[10] > 0.0 && there.iter().all(|&n| n <= 60.0), "{there:?}");
    let (mass, came, went) = (column("mass"), column("emitted_mass"), column("removed_mass"));
    for frame in 0..=10 {
        assert_eq!(there[frame], emitted[frame] - removed[frame]);
        assert!((mass[frame] - came[frame] + went[frame]).abs() < 1e-9);
    }
    assert_eq!(place.manifest("run")["progress"]["exchanged"]["emitted"], emitted[10]);
    let audit = place.sim(["audit", "run"]);
    assert!(audit.assert_done().stdout.contains("verdict          valid"), "{audit:?}");
    assert!(place.path("run/preview/frame_00010.png").exists());
    place.sim(["report", "run"]).assert_done();
    let files = ["run/particles/particles_00000.vtp", "run/particles/particles_00010.vtp"];
    let more = ["-r", "0.02", "-a", "age", "-o", "meshes", "--phases", "phase"];
    place.sim(["surface"].iter().chain(&files).chain(&more)).assert_done();
}

#[test]
fn a_run_that_stopped_while_fluid_came_goes_on_to_the_same_files() {
    let place = place();
    let bare = ["--set", "preview=None"];
    place.sim(["fountain.ron", "--out", "whole"].iter().chain(&bare)).assert_done();
    for frames in ["3", "7"] {
        let folder = format!("after_{frames}");
        let short = ["fountain.ron", "--out", &folder, "--frames", frames, "--threads", "1"];
        place.sim(short.iter().chain(&bare)).assert_done();
        let way_on = ["resume", &folder, "--frames", "10", "--set", "neighbors=UniformHash"];
        let output = place.sim(way_on).assert_done().stderr.clone();
        let there = column(&place, "whole", "particles")[frames.parse::<usize>().unwrap()];
        assert!(output.starts_with(&format!("{there} particles, ")), "{output}");
        assert_same(&results(&place, &folder), &results(&place, "whole"), &folder);
        assert!(place.sim(["audit", &folder]).assert_done().stdout.contains("valid"));
    }
    let faster = ["resume", "whole", "--frames", "12", "--set", "emitters[0].speed=2"];
    place.sim(faster).assert_done();
    let audit = place.sim(["audit", "whole"]);
    assert!(audit.assert_done().stdout.contains("valid"), "{audit:?}");
    let moved = ["resume", "whole", "--frames", "14", "--set", "emitters[0].start=1.0"];
    place.sim(moved).assert_refused(&["the emitters' number", "cannot change"]);
}

#[test]
fn a_check_tells_what_emitters_bring() {
    let place = place();
    let ended = place.sim(["check", "fountain.ron", "--set", "max_particles=None"]);
    let parts =
        ["6 particles per layer of \"water\"", "4 particles per layer of \"oil\"", "0.0129 m³/s"];
    for part in parts {
        assert!(ended.assert_done().stdout.contains(part), "no {part} in {}", ended.stdout);
    }
    // 0.5 s at 1.34 m/s across the wall, and 0.18 s at 1 m/s.
    assert!(ended.stdout.contains("at most 124 particles by the last frame"), "{}", ended.stdout);
}
