//! A run with solids that move: its files show them where they are, it goes on after a stop, and
//! every command that reads a run takes it.

use super::support::{Place, assert_same, results};

/// A box that goes to and fro, a ball that turns, and a block that stands.
const STIRRER: &str = r#"Scene(
    frames: (count: 8, rate: 40),
    domain: Box(min: (0, 0, 0), max: (0.5, 0.3, 0.4)),
    particle_radius: 0.015,
    fluids: [(
        name: "water", rest_density: 1000, viscosity: 1e-6,
        shapes: [Box(min: (0, 0, 0), max: (0.5, 0.3, 0.15))],
    )],
    solids: [
        Mesh(
            path: "cube.obj", scale: 0.06, translate: (0.1, 0.1, 0.05),
            motion: Formula(
                translate: ("0.1*sin(10*t)", "0", "0"), degrees: "200*t", pivot: (0.13, 0.13, 0),
            ),
        ),
        SphereField(Balls(
            list: [(centre: (0.4, 0.1, 0.1), radius: 0.04)],
            motion: Keyframes(
                keys: [(time: 0), (time: 0.1, translate: (0, 0.1, 0)), (time: 0.2)],
                between: Smooth, after: Repeat,
            ),
        )),
        Box(min: (0.2, 0.2, 0), max: (0.26, 0.3, 0.1)),
    ],
    checkpoints: (frames: 3),
    preview: (size: (96, 64)),
)
"#;
const CUBE: &str = "\
v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1
f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";

fn place() -> Place {
    let place = Place::new();
    place.write("stirrer.ron", STIRRER);
    place.write("cube.obj", CUBE);
    place
}

/// The least x of the vertices of a mesh in text.
fn lowest(ply: &[u8]) -> f32 {
    let header = b"end_header\n";
    let start = ply.windows(header.len()).position(|part| part == header).unwrap() + header.len();
    let text = String::from_utf8_lossy(&ply[..start]);
    let count = text.split("element vertex ").nth(1).unwrap().split_whitespace().next().unwrap();
    let count: usize = count.parse().unwrap();
    // Three numbers of four bytes a vertex: no normals.
    let x = (0..count).map(|k| &ply[start + 12 * k..][..4]);
    x.map(|x| f32::from_le_bytes(x.try_into().unwrap())).fold(f32::INFINITY, f32::min)
}

#[test]
fn frames_have_what_moves_where_it_is_and_each_time_of_the_series_has_all() {
    let place = place();
    place.sim(["stirrer.ron", "--out", "run"]).assert_done();
    let files = place.files("run");
    let has = |name: &str| files.iter().any(|(file, _)| file == name);
    for frame in 0..=8 {
        for stem in ["mesh_00", "spheres"] {
            for extension in ["vtp", "ply"] {
                let name = format!("solids/{stem}_{frame:05}.{extension}");
                assert!(has(&name), "no {name}");
            }
        }
    }
    assert!(has("solids/mesh_01.vtp") && has("solids/mesh_01.ply"));
    assert!(!has("solids/mesh_00.vtp") && !has("solids/spheres.vtp"));
    let series = place.read("run/solids.pvd");
    assert_eq!(series.matches("timestep=\"0.05\"").count(), 3, "{series}");
    assert_eq!(series.matches("solids/mesh_01.vtp").count(), 9);
    let at = |frame: u32| {
        let name = format!("solids/mesh_00_{frame:05}.ply");
        lowest(&files.iter().find(|(file, _)| *file == name).unwrap().1)
    };
    assert!((at(0) - 0.1).abs() < 1e-6);
    // Its corner is 0.0424 m from the pivot.
    let turned = 0.03_f32 * 2.0_f32.sqrt() * (40.0_f32 - 45.0).to_radians().cos();
    assert!((at(8) - (0.13 + 0.1 * 2.0_f32.sin() - turned)).abs() < 1e-4, "{}", at(8));
    let log = place.read("run/log.csv");
    assert!(log.lines().next().unwrap().contains("work_of_solids"));
    let audit = place.sim(["audit", "run"]);
    assert!(audit.assert_done().stdout.contains("verdict          valid"), "{audit:?}");
    assert!(place.path("run/preview/frame_00008.png").exists());
    let script = place.read("run/preview/page/f00004.js");
    assert_eq!(script.matches('"').count(), 4, "the fluid and what moves");
}

#[test]
fn a_run_that_stopped_in_a_motion_goes_on_to_the_same_files() {
    let place = place();
    let bare = ["--set", "preview=None"];
    place.sim(["stirrer.ron", "--out", "whole"].iter().chain(&bare)).assert_done();
    let short = ["stirrer.ron", "--out", "short", "--frames", "4", "--threads", "1"];
    place.sim(short.iter().chain(&bare)).assert_done();
    place.sim(["resume", "short", "--frames", "8"]).assert_done();
    assert_same(&results(&place, "short"), &results(&place, "whole"), "after 4 frames");
    assert!(place.sim(["audit", "short"]).assert_done().stdout.contains("valid"));
    let other = ["resume", "whole", "--frames", "9", "--set", "solids[0].motion=Still"];
    place.sim(other).assert_refused(&["how `solids` move cannot change"]);
}
