//! Good scenes: what they build, what they resolve to, and what overrides change.

use hashfall_core::Vec3;
use hashfall_scene::SurfaceFormat;
use hashfall_scene::{Override, Prepared, Severity, Source, prepare};
use hashfall_search::{BroadPhaseKind, NeighborKind};
use hashfall_solid::{ContactLaw, Slip};
use hashfall_sph::step::Stepper;
use hashfall_sph::world::{Axis, Dfsph, Probe, Probes, Solver, Wcsph};
use hashfall_surface::SurfaceSettings;
use hashfall_validate::cases;
use std::io;
use std::path::{Path, PathBuf};

/// A scene with every kind of key.
const EVERYTHING: &str = r#"// Every kind of key.
Scene(
    frames: (count: 20, rate: 50.0),
    gravity: (0, 0, -10),
    domain: Box(min: (0, 0, 0), max: (1, 1, 1.5)),
    particle_radius: 0.025,
    fluids: [
        (name: "water", rest_density: 1000, viscosity: 1e-6, shapes: [
            Box(min: (0, 0, 0), max: (0.5, 0.5, 0.5)),
            Box(min: (0.5, 0, 0), max: (1, 0.5, 0.3), velocity: (1, 0, 0)),
        ]),
        (name: "oil", rest_density: 800, viscosity: 1e-4, shapes: [
            Box(min: (0, 0.5, 0.5), max: (0.5, 1, 1)),
        ]),
    ],
    solids: [
        SphereField(Random(
            seed: 7, count: 20, diameter: (0.05, 0.2),
            region: (min: (0, 0, 1), max: (1, 1, 1.5)),
        )),
        SphereField(List([(centre: (0.25, 0.25, 0.25), radius: 0.1)])),
        SphereField(Lattice(
            min: (0.65, 0.75, 0.05), spacing: (0.2, 0.2, 0.2), counts: (2, 2, 1), diameter: 0.1,
        )),
    ],
)
"#;

fn no_files(path: &str) -> io::Result<Vec<u8>> {
    Err(io::Error::new(io::ErrorKind::NotFound, format!("no file {path}")))
}

fn prepared(text: &str, overrides: &[&str]) -> Prepared {
    let source = Source { name: "test.ron".to_owned(), text: text.to_owned() };
    let overrides: Vec<_> = overrides
        .iter()
        .map(|set| Override::parse(set).unwrap_or_else(|fault| panic!("{fault}")))
        .collect();
    prepare(&source, &overrides, &mut no_files).unwrap_or_else(|faults| {
        panic!("{}", faults.iter().map(|d| format!("{d}\n")).collect::<String>())
    })
}

/// The solver where none is named.
const DFSPH: Solver = Solver::Dfsph(Dfsph {
    max_density_error: 1e-4,
    max_divergence_error: 3e-4,
    max_iterations: 200.0,
    artificial_viscosity: 0.6,
    courant: 0.4,
});

/// The settings of a weakly compressible solver.
fn wcsph(solver: &Solver) -> Wcsph {
    match solver {
        Solver::Wcsph(wcsph) => *wcsph,
        Solver::Dfsph(_) | Solver::Multiphase(_) | Solver::Ballistic(_) => panic!("{solver:?}"),
    }
}

#[test]
fn a_scene_is_built_as_written() {
    let scene = prepared(EVERYTHING, &[]);
    let world = &scene.world;
    assert_eq!(world.solids.spheres().len(), 20 + 1 + 4);
    assert_eq!(world.fluids.len(), 2);
    // Boxes of 10³, 10·10·6 and 10³ particles, less a hole of radius 0.1 + 0.025 in the first:
    // about 4/3 π 2.5³ = 65 spacings³.
    let [water, oil] = scene.particles_per_fluid[..] else { panic!("two fluids") };
    assert_eq!((water + scene.removed_in_solids, oil), (1600, 1000));
    assert!((40..90).contains(&scene.removed_in_solids), "{}", scene.removed_in_solids);
    assert_eq!(world.particles.len(), water + oil);
    let speeds = &world.particles.velocity;
    assert_eq!(speeds.iter().filter(|v| v.x == 1.0).count(), 600);
}

/// A box, balls and more boxes, each with a contact of its own.
const CONTACTS: &str = r#"Scene(
    frames: (count: 1, rate: 50),
    domain: Box(
        min: (0, 0, 0), max: (1, 1, 1), contact: (slip: No),
        sides: (z_max: (velocity: (2, 0, 0)), x_min: (restitution: 0.5)),
    ),
    particle_radius: 0.025,
    fluids: [(name: "water", rest_density: 1000, viscosity: 1e-6, shapes: [
        Box(min: (0, 0, 0), max: (0.3, 1, 0.3)),
    ])],
    solids: [
        Box(min: (0.5, 0.1, 0), max: (0.6, 0.9, 0.2), contact: (friction: 0.5)),
        SphereField(Balls(
            list: [(centre: (0.8, 0.5, 0.2), radius: 0.1), (centre: (0.8, 0.2, 0.2), radius: 0.05)],
            contact: (restitution: 0.25),
        )),
        SphereField(List([(centre: (0.8, 0.8, 0.2), radius: 0.1)])),
        Box(min: (0.1, 0.1, 0), max: (0.2, 0.2, 0.2)),
    ],
)
"#;

#[test]
fn every_solid_and_side_has_the_contact_that_it_was_given() {
    let scene = prepared(CONTACTS, &["solids[3].contact.slip=No", "solver=Wcsph()"]);
    let solids = &scene.world.solids;
    assert_eq!(solids.body_count(), 5);
    assert_eq!(solids.spheres().len(), 3);
    let bounds: Vec<_> = solids.meshes().iter().map(|mesh| mesh.bounds().min.x).collect();
    assert_eq!(bounds, [0.5, 0.1]);
    let plain = ContactLaw::default();
    let sticky = ContactLaw { slip: Slip::No, ..plain };
    let expected = [
        ContactLaw { restitution: 0.5, ..plain },
        sticky,
        sticky,
        sticky,
        sticky,
        ContactLaw { velocity: [2.0, 0.0, 0.0], ..plain },
        ContactLaw { friction: 0.5, ..plain },
        ContactLaw { restitution: 0.25, ..plain },
        plain,
        sticky,
    ];
    assert_eq!(solids.contact_laws(), expected);
    // A box of 2·2·4 particles, and what comes nearer than r to it, is not filled.
    assert!((16..=36).contains(&scene.removed_in_solids), "{}", scene.removed_in_solids);
    // Of √(2 g · 0.3 m) and 2 m/s together.
    let v_max = (4.0 + 2.0 * 9.81 * 0.3_f64).sqrt();
    let sound_speed = wcsph(&scene.world.solver).sound_speed.expect("a chosen one");
    assert!((sound_speed / v_max - 10.0).abs() < 1e-9);
    let again = prepared(&scene.resolved, &[]);
    assert_eq!(again.world.solids, *solids);
    assert_eq!(again.resolved, scene.resolved);
    assert!(scene.resolved.contains("restitution: 0.25"), "{}", scene.resolved);
}

#[test]
fn a_box_in_the_plane_is_a_bar_across_it() {
    let text = CONTACTS
        .replace("Scene(", "Scene(dimensions: Two,")
        .replace("max: (1, 1, 1), contact", "max: (1, 0, 1), contact")
        .replace("0.3, 1, 0.3", "0.3, 0, 0.3")
        .replace("0.1, 0)", "0, 0)")
        .replace("(0.6, 0.9, ", "(0.6, 0, ")
        .replace("(0.2, 0.2, 0.2)", "(0.2, 0, 0.2)")
        .replace(", 0.5, 0.2)", ", 0, 0.2)")
        .replace(", 0.8, 0.2)", ", 0, 0.2)")
        .replace("(0.8, 0.2, 0.2)", "(0.5, 0, 0.5)");
    let scene = prepared(&text, &[]);
    let bounds = scene.world.solids.meshes()[0].bounds();
    assert_eq!((bounds.min.y, bounds.max.y), (-0.5, 0.5));
    assert_eq!((bounds.min.x, bounds.max.x), (0.5, 0.6));
    assert_eq!(prepared(&scene.resolved, &[]).world.solids, scene.world.solids);
}

#[test]
fn particles_are_numbered_by_height_then_y_then_x() {
    let world = prepared(EVERYTHING, &[]).world;
    let key = |i: usize| {
        let p = world.particles.position[i];
        [p.z, p.y, p.x]
    };
    assert!((1..world.particles.len()).all(|i| key(i - 1) < key(i)));
    assert!(world.particles.id.iter().enumerate().all(|(i, &id)| id as usize == i));
}

#[test]
fn defaults_are_those_of_the_documentation() {
    let scene = prepared(EVERYTHING, &[]);
    assert_eq!((scene.structures.neighbors, scene.structures.broad_phase), Default::default());
    assert_eq!(scene.surface, Some(SurfaceSettings::default()));
    assert_eq!(scene.probes, Probes { rate: 100.0, list: vec![] });
    assert_eq!(scene.world.solver, DFSPH);
    let weakly = prepared(EVERYTHING, &["solver=Wcsph()"]).world.solver;
    // The highest fluid stands at 1 m: v² = 1 (given) + 2·10·1.
    assert_eq!(wcsph(&weakly).sound_speed, Some(10.0 * 21f64.sqrt()));
    assert!((f64::from(scene.world.support_radius) - 0.1).abs() < 1e-7);
}

#[test]
fn a_key_of_a_solver_that_is_not_named_is_one_of_the_default() {
    let solver = prepared(EVERYTHING, &["solver.courant=0.3"]).world.solver;
    assert!(matches!(solver, Solver::Dfsph(dfsph) if dfsph.courant == 0.3), "{solver:?}");
}

#[test]
fn without_gravity_or_speed_the_sound_speed_must_be_given() {
    let text = EVERYTHING.replace("velocity: (1, 0, 0)", "velocity: (0, 0, 0)");
    let source = Source { name: "test.ron".to_owned(), text };
    let [still, weakly, given] = ["gravity=(0, 0, 0)", "solver=Wcsph()", "solver.sound_speed=5"]
        .map(|text| Override::parse(text).unwrap());
    let sets = [still, weakly, given];
    let Err(faults) = prepare(&source, &sets[..2], &mut no_files) else { panic!("nothing moves") };
    assert!(matches!(&faults[..], [f] if f.message.contains("speed of sound")), "{faults:?}");
    assert!(prepare(&source, &sets, &mut no_files).is_ok());
    assert!(prepare(&source, &sets[..1], &mut no_files).is_ok(), "Dfsph asks for none");
}

#[test]
fn the_resolved_scene_gives_the_same_world() {
    let sets =
        ["solver.courant=0.3", "fluids[1].viscosity=0.01", "surface=None", "neighbors=Brute"];
    let first = prepared(EVERYTHING, &sets);
    let again = prepared(&first.resolved, &[]);
    assert_eq!(again.world.digest(), first.world.digest());
    assert_eq!(again.world.solids, first.world.solids);
    assert_eq!(again.world.fluids, first.world.fluids);
    assert_eq!(again.world.solver, first.world.solver);
    assert_eq!(again.world.support_radius, first.world.support_radius);
    assert_eq!((again.surface, again.structures.neighbors.kind), (None, NeighborKind::Brute));
    assert_eq!(again.resolved, first.resolved);
}

#[test]
fn probes_are_read_resolved_and_overridden() {
    let probes = r#"probes: (list: [
        Pressure(name: "P1", at: (0.5, 0.5, 0)), Height(name: "H1", x: 0.2, y: 1),
        Front(name: "front", axis: X), Front(name: "low", axis: Y, below: 0.1),
    ]),
)"#;
    let text = format!("{}{probes}", EVERYTHING.trim_end().strip_suffix(')').expect("a bracket"));
    let scene = prepared(&text, &["probes.rate=50", "probes.list[1].x=0.3"]);
    let list = vec![
        Probe::Pressure { name: "P1".into(), at: [0.5, 0.5, 0.0], on: None },
        Probe::Height { name: "H1".into(), x: 0.3, y: 1.0 },
        Probe::Front { name: "front".into(), axis: Axis::X, below: None },
        Probe::Front { name: "low".into(), axis: Axis::Y, below: Some(0.1) },
    ];
    assert_eq!(scene.probes, Probes { rate: 50.0, list });
    assert_eq!(prepared(&scene.resolved, &[]).probes, scene.probes);
}

#[test]
fn overrides_reach_every_key() {
    let scene = prepared(
        EVERYTHING,
        &[
            "fluids[0].viscosity=0.5",
            "fluids[1].shapes[0].velocity=(0, 0, -2)",
            "gravity[2]=-1.5",
            "solids[0].count=3",
            "solids[2].SphereField.Lattice.diameter=0.05",
            "solver=Wcsph()",
            "solver.sound_speed=33",
            "broad_phase=Brute",
            "surface.iso=0.5",
            "output.surface=[Ply]",
            "frames=(count: 7, rate: 25)",
            "support_radius=0.11",
        ],
    );
    let world = &scene.world;
    assert_eq!(world.fluids[0].viscosity, 0.5);
    assert_eq!(world.particles.velocity.iter().filter(|v| v.z == -2.0).count(), 1000);
    assert_eq!(world.gravity.z, -1.5);
    assert_eq!(world.solids.spheres().len(), 3 + 1 + 4);
    let wcsph = wcsph(&world.solver);
    assert_eq!((wcsph.sound_speed, wcsph.courant), (Some(33.0), Some(0.6)));
    assert_eq!(scene.structures.broad_phase, BroadPhaseKind::Brute);
    assert_eq!(scene.surface, Some(SurfaceSettings { iso: 0.5, ..SurfaceSettings::default() }));
    assert_eq!(scene.output.surface.len(), 1);
    assert_eq!((scene.frames.count, scene.frames.rate), (7, 25.0));
}

#[test]
fn a_component_may_be_set_of_what_is_left_to_default() {
    let text = EVERYTHING.replace("    gravity: (0, 0, -10),\n", "");
    let scene = prepared(&text, &["gravity[0]=1.5", "fluids[0].shapes[0].velocity[1]=2"]);
    let gravity = scene.world.gravity;
    assert_eq!([gravity.x, gravity.y], [1.5, 0.0]);
    assert!((gravity.z + 9.81).abs() < 1e-6);
    assert_eq!(
        scene.world.particles.velocity.iter().filter(|v| v.y == 2.0).count(),
        10 * 10 * 10 - scene.removed_in_solids
    );
    let mesh = "Mesh(path: \"box.obj\", scale: 0.1)";
    let text = EVERYTHING.replace("    solids: [", &format!("    solids: [{mesh},"));
    let source = Source { name: "test.ron".to_owned(), text };
    let sets = [("translate[2]", "0.5"), ("rotate.axis[0]", "1"), ("rotate.degrees", "90")];
    let sets = sets.map(|(key, value)| Override::new(&format!("solids[0].{key}"), value));
    let scene = prepare(&source, &sets, &mut |_| Ok(cube(""))).expect("a good scene");
    for line in ["translate: (0.0, 0.0, 0.5)", "axis: (1.0, 0.0, 1.0)", "degrees: 90.0"] {
        assert!(scene.resolved.contains(line), "{line} in {}", scene.resolved);
    }
    let scene = prepared(EVERYTHING, &["output.surface[0]=Vtp"]);
    assert_eq!(scene.output.surface, [SurfaceFormat::Vtp]);
}

#[test]
fn a_rotation_turns_about_z_unless_it_says_otherwise() {
    let text = EVERYTHING.replace(
        "    solids: [",
        "    solids: [
        Mesh(path: \"a.obj\", scale: 0.1, rotate: (degrees: 90)),
        Mesh(path: \"a.obj\", scale: 0.1, rotate: (axis: (1, 0, 0))),",
    );
    let source = Source { name: "test.ron".to_owned(), text };
    let scene = prepare(&source, &[], &mut |_| Ok(cube(""))).expect("a good scene");
    let near = |a: f64, b: f64| (a - b).abs() < 1e-6;
    let [turned, still] = [0, 1].map(|i| scene.world.solids.meshes()[i].bounds());
    assert!(near(turned.min.x.into(), -0.1) && near(turned.max.y.into(), 0.1), "{turned:?}");
    assert!(near(still.min.x.into(), 0.0) && near(still.max.z.into(), 0.1), "{still:?}");
}

#[test]
fn later_overrides_see_earlier_ones() {
    let sets = ["solver=Wcsph(courant: 0.2)", "solver.sound_speed=20", "solver.sound_speed=30"];
    let wcsph = wcsph(&prepared(EVERYTHING, &sets).world.solver);
    assert_eq!((wcsph.sound_speed, wcsph.courant), (Some(30.0), Some(0.2)));
}

#[test]
fn shipped_scenes_are_built_in_full() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes");
    let mut names = Vec::new();
    let files = |folder: &Path| -> Vec<PathBuf> {
        let entries = std::fs::read_dir(folder).expect("the scenes are there");
        entries.map(|entry| entry.expect("a file").path()).filter(|path| path.is_file()).collect()
    };
    let validation = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/validate/scenes");
    for path in files(&folder).into_iter().chain(files(&validation)) {
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).expect("a text");
        assert!(text.starts_with("// "), "{name} opens with a comment");
        let source = Source { name: name.clone(), text };
        let folder = path.parent().expect("a folder");
        let mut read = |file: &str| std::fs::read(folder.join(file));
        let scene = prepare(&source, &[], &mut read).unwrap_or_else(|f| panic!("{name}: {f:?}"));
        // That fluid does not move elastic bodies is told wherever there are both.
        let warnings = scene.warnings.iter();
        let others: Vec<_> = warnings.filter(|it| !it.message.contains("does not move")).collect();
        assert!(others.is_empty(), "{name}: {others:?}");
        let nodes = scene.world.elastic.as_ref().map_or(0, |it| it.system.node_count());
        let phrase = match nodes {
            0 => format!("{} particles", grouped(scene.world.particles.len())),
            nodes => format!("{} nodes", grouped(nodes)),
        };
        assert!(source.text.contains(&phrase), "{name} holds {phrase}");
        let is_a_case = folder == validation;
        let case = cases::ALL.iter().find(|case| format!("{}.ron", case.name) == name);
        assert_eq!(case.map(|case| case.scene), is_a_case.then_some(&*source.text), "{name}");
        names.push(name);
    }
    names.sort();
    let shipped = [
        "balls_in_a_glass",
        "boat",
        "breakwater",
        "capillary",
        "cloth",
        "crates",
        "dam_break",
        "double_dam",
        "drops_on_leaf",
        "flag",
        "floating_box",
        "fountain",
        "glass",
        "honey",
        "hourglass",
        "mesh_obstacle",
        "oil_and_water",
        "onderik_dam_break",
        "peer_spheres",
        "rope_ladder",
        "spheres",
        "spheres_paper",
        "still_water",
        "stirrer",
        "thirty_bodies",
        "water_on_sheet",
    ];
    let cases = cases::ALL.iter().map(|case| case.name);
    let mut expected: Vec<_> =
        shipped.into_iter().chain(cases).map(|name| format!("{name}.ron")).collect();
    expected.sort();
    assert_eq!(names, expected);
}

/// A cube of 1 m, as an OBJ file whose comment tells it from others.
fn cube(comment: &str) -> Vec<u8> {
    let shape = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n\
                 f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";
    format!("# {comment}\n{shape}").into_bytes()
}

#[test]
fn meshes_are_placed_copied_and_found_again() {
    let text = EVERYTHING.replace(
        "    solids: [",
        "    solids: [
        Mesh(path: \"a/box.obj\", scale: 0.2, translate: (0.1, 0.1, 0.1)),
        Mesh(path: \"b/box.obj\", scale: 0.1, rotate: (axis: (0, 0, 2), degrees: 90)),
        Mesh(path: \"a/box.obj\", scale: 0.1, translate: (3, 0, 0)),",
    );
    let source = Source { name: "test.ron".to_owned(), text };
    let mut reads = Vec::new();
    let mut read = |path: &str| {
        reads.push(path.to_owned());
        Ok(cube(path))
    };
    let first = prepare(&source, &[], &mut read).expect("a good scene");
    assert_eq!(reads, ["a/box.obj", "b/box.obj"], "each file is read once");
    let bounds: Vec<_> = first.world.solids.meshes().iter().map(|m| m.bounds()).collect();
    let is_near = |a: f64, b: f64| (a - b).abs() < 1e-6;
    assert!(is_near(bounds[0].max.x.into(), 0.3) && is_near(bounds[0].min.z.into(), 0.1));
    assert!(is_near(bounds[1].min.x.into(), -0.1) && is_near(bounds[1].max.y.into(), 0.1));
    // The third stands outside the domain.
    assert!(
        matches!(&first.warnings[..], [w] if w.line() == 19 && w.severity == Severity::Warning)
    );

    let names: Vec<_> = first.meshes.iter().map(|file| file.name.as_str()).collect();
    assert_eq!(names, ["box.obj", "box-2.obj"]);
    let again = Source { name: "scene.ron".to_owned(), text: first.resolved.clone() };
    let mut read = |path: &str| {
        let copy = first.meshes.iter().find(|file| format!("meshes/{}", file.name) == path);
        copy.map(|file| file.bytes.clone()).ok_or_else(|| no_files(path).unwrap_err())
    };
    let again = prepare(&again, &[], &mut read).expect("the resolved scene is good");
    assert_eq!(again.world.digest(), first.world.digest());
    assert_eq!(again.world.solids, first.world.solids);
}

#[test]
fn balls_outside_the_domain_are_warned_of() {
    let warnings = |old: &str, new: &str| {
        assert_eq!(EVERYTHING.matches(old).count(), 1, "{old}");
        let warnings = prepared(&EVERYTHING.replace(old, new), &[]).warnings;
        assert!(warnings.iter().all(|warning| warning.severity == Severity::Warning));
        let warnings = warnings.iter().map(|w| (w.line(), w.column(), w.message.clone()));
        warnings.collect::<Vec<_>>()
    };
    let outside = "this ball lies outside the domain: nothing can touch it".to_owned();
    let ball = "(centre: (0.25, 0.25, 0.25), radius: 0.1)";
    let balls = |balls: &str| warnings(ball, &format!("{ball}, {balls}"));
    // Near a corner, the ball's box shares space with the domain and the ball does not.
    let corner = balls("(centre: (1.08, 1.08, 1.58), radius: 0.1)");
    assert_eq!(corner, [(21, 70, outside.clone())]);
    assert_eq!(balls("(centre: (1.1, 0.5, 1.4), radius: 0.11)"), []);
    let two = balls("(centre: (9, 0, 0), radius: 1), (centre: (0, 0, -1), radius: 0.9)");
    assert_eq!(two, [(21, 70, outside.clone()), (21, 102, outside)]);
    let some = warnings("counts: (2, 2, 1)", "counts: (2, 4, 1)");
    let message = "4 of 8 balls lie outside the domain: nothing can touch them";
    assert_eq!(some, [(22, 9, message.to_owned())]);
    let all = warnings("region: (min: (0, 0, 1), max", "region: (min: (0, 0, 1.2), max");
    assert_eq!(all, []);
    let all = warnings(
        "region: (min: (0, 0, 1), max: (1, 1, 1.5))",
        "region: (min: (2, 0, 1), max: (3, 1, 1.5))",
    );
    let message = "all 20 balls lie outside the domain: nothing can touch them";
    assert_eq!(all, [(17, 9, message.to_owned())]);
}

#[test]
fn particles_in_solids_or_too_close_are_left_out() {
    let text = EVERYTHING.replace("radius: 0.1)", "radius: 0.15)");
    let world = prepared(&text, &[]).world;
    let ball = world.solids.spheres()[20];
    let distance = |p: &Vec3| f64::from((p - ball.centre).norm() - ball.radius);
    let nearest = world.particles.position.iter().map(distance).fold(f64::MAX, f64::min);
    let radii = nearest / f64::from(world.particle_radius);
    assert!((0.998..1.5).contains(&radii), "{radii}");
}

/// Digits in groups of three from five digits on: 4000, 32 768.
fn grouped(n: usize) -> String {
    match n {
        1_000_000.. => format!("{} {:03} {:03}", n / 1_000_000, n / 1000 % 1000, n % 1000),
        10_000.. => format!("{} {:03}", n / 1000, n % 1000),
        _ => n.to_string(),
    }
}

/// Water on a sheet whose vertices are hashed.
const HASHED: &str = r#"Scene(
    frames: (count: 1, rate: 50),
    domain: Box(min: (0, 0, 0), max: (0.4, 0.4, 0.4)),
    particle_radius: 0.02,
    fluids: [(name: "water", rest_density: 1000, viscosity: 1e-6, shapes: [
        Box(min: (0.1, 0.1, 0.13), max: (0.3, 0.3, 0.25)),
    ])],
    elastic: [(
        name: "sheet",
        shape: Sheet(origin: (0.02, 0.02, 0.1), u: (0.36, 0, 0), v: (0, 0.36, 0), cells: (9, 9)),
        material: Springs(density: 500, thickness: 0.01, young_modulus: 1e5, bending: 0.1),
        fixings: [Fixed(nodes: Box(min: (0, 0, 0), max: (0.03, 0.4, 0.4)))],
        fluid_contact: (slip: No, friction: 0.2),
    )],
    elastic_contact: SpatialHash(),
)
"#;

#[test]
fn particles_find_hashed_bodies_by_rasterisation_with_the_bits_of_the_broad_phase() {
    let run = |by_raster: Option<bool>| {
        let scene = prepared(HASHED, &[]);
        let mut world = scene.world;
        let mut stepper = Stepper::new(&scene.structures, &mut world).unwrap();
        by_raster.into_iter().for_each(|is_on| stepper.rasterise(is_on));
        while world.steps < 25 {
            stepper.step(&mut world, 1.0).unwrap();
        }
        world
    };
    // It is so without a word.
    let as_written = run(None);
    assert!(as_written.solids.max_displacement() > 0.0);
    for by_raster in [true, false] {
        let world = run(Some(by_raster));
        assert_eq!(world.digest(), as_written.digest());
        assert_eq!(world.elastic_digest(), as_written.elastic_digest());
    }
}

#[test]
fn free_solids_are_bodies_with_the_mass_of_their_shapes() {
    let free = "Free(density: 500, velocity: (0, 0, 1), locked: [AboutZ])";
    let text = EVERYTHING.replace(
        "    solids: [\n",
        &format!(
            "    solids: [\n        \
             Box(min: (0.6, 0.1, 0.4), max: (0.9, 0.3, 0.5), motion: {free}),\n        \
             SphereField(Lattice(min: (0.6, 0.6, 0.6), spacing: (0.2, 0.2, 0.2), \
             counts: (2, 1, 1), diameter: 0.1, motion: Free(mass: 0.3, from: 0.2))),\n"
        ),
    );
    let scene = prepared(&text, &[]);
    let world = &scene.world;
    // The balls of a field are bodies of their own; the second comes after all solids.
    let numbers: Vec<usize> = world.free_bodies.iter().map(|free| free.body).collect();
    assert_eq!(numbers, [1, 2, 6]);
    assert_eq!(world.solids.body_count(), 7);
    let names: Vec<_> = scene.free_bodies.iter().map(|it| (it.solid.as_str(), it.ball)).collect();
    assert_eq!(names, [("solids[0]", None), ("solids[1]", Some(0)), ("solids[1]", Some(1))]);
    let masses: Vec<f64> = world.free_bodies.iter().map(|free| free.mass).collect();
    assert!((masses[0] - 3.0).abs() < 1e-12 && masses[1..] == [0.3, 0.3], "{masses:?}");
    let places = [1, 2, 6].map(|body| world.solids.body_state(body).unwrap().position);
    assert!((places[0] - nalgebra::Vector3::new(0.75, 0.2, 0.45)).norm() < 1e-7, "{places:?}");
    assert!((places[2] - nalgebra::Vector3::new(0.8, 0.6, 0.6)).norm() < 1e-7, "{places:?}");
    assert_eq!(world.solids.body_state(1).unwrap().velocity.z, 1.0);
    assert_eq!(world.solids.body_state(2).unwrap().velocity.z, 0.0);
    assert_eq!(world.free_bodies[0].locks, [false, false, false, false, false, true]);
    assert_eq!(world.free_bodies[1].release, 0.2);
    // A box of 500 kg/m³ in water of 1000: half of its 0.1 m, and a wide one stays upright.
    let floating = scene.free_bodies[0].floating(world).unwrap();
    assert!((floating.draught - 0.05).abs() < 1e-6, "{floating:?}");
    // B² / (12 T) − (H − T) / 2, across its narrow side.
    let metacentric_height = 0.2 * 0.2 / (12.0 * 0.05) - 0.025;
    assert!((floating.metacentric_height - metacentric_height).abs() < 1e-6, "{floating:?}");
    // The resolved scene is the same.
    let again = prepared(&scene.resolved, &[]);
    assert_eq!(again.world.free_bodies, world.free_bodies);
}
