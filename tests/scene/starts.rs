//! What a scene starts from: shapes of fluid, how they move, and what drives them.

use hashfall_core::{Real, Vec3, to_f64};
use hashfall_scene::{Diagnostic, Prepared, Source, prepare};
use hashfall_sph::world::{BodyForce, World};

/// A scene of one fluid in an empty box, with more keys.
fn scene(shapes: &str, more: &str) -> String {
    format!(
        "Scene(
    frames: (count: 1, rate: 10),
    domain: Box(min: (0, 0, 0), max: (2, 1, 1)),
    particle_radius: 0.025,
    fluids: [(name: \"water\", rest_density: 1000, viscosity: 0, shapes: [{shapes}])],
    {more}
)"
    )
}

/// A cube of 1 m.
const CUBE: &str = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n\
                    f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";

fn try_to_prepare(text: &str) -> Result<Prepared, Vec<Diagnostic>> {
    let source = Source { name: "test.ron".to_owned(), text: text.to_owned() };
    prepare(&source, &[], &mut |_| Ok(CUBE.as_bytes().to_vec()))
}

fn prepared(shapes: &str, more: &str) -> Prepared {
    let all = |faults: Vec<Diagnostic>| faults.iter().map(|d| format!("{d}\n")).collect::<String>();
    let text = scene(shapes, more);
    try_to_prepare(&text).unwrap_or_else(|faults| panic!("{shapes} {more}: {}", all(faults)))
}

fn sound_speed(world: &World) -> f64 {
    world.solver.settings().tait().expect("a weakly compressible solver").sound_speed
}

fn positions(scene: &Prepared) -> Vec<[f64; 3]> {
    scene.world.particles.position.iter().map(to_f64).collect()
}

/// The scene that a run keeps gives the same world, with every key written out.
fn assert_resolved(scene: &Prepared) {
    let again = try_to_prepare(&scene.resolved).expect("the resolved scene is good");
    assert_eq!(again.world, scene.world);
    assert_eq!(again.resolved, scene.resolved);
}

#[test]
fn balls_are_filled_and_move() {
    let scene = prepared("Ball(centre: (0.5, 0.5, 0.5), radius: 0.25, velocity: (1, 2, 3))", "");
    let places = positions(&scene);
    // 4/3 π 5³ spacings.
    assert!((480..570).contains(&places.len()), "{}", places.len());
    let mean = |a: usize| places.iter().map(|x| x[a]).sum::<f64>() / places.len() as f64;
    assert!((0..3).all(|a| (mean(a) - 0.5).abs() < 1e-6));
    assert!(scene.world.particles.velocity.iter().all(|v| *v == Vec3::new(1.0, 2.0, 3.0)));
    assert_resolved(&scene);
}

#[test]
fn a_hollow_mesh_holds_fluid_and_a_solid_one_does_not() {
    let place = "path: \"cube.obj\", scale: 0.5, translate: (0.5, 0.25, 0.25)";
    let shape = format!("Mesh({place})");
    let hollow = prepared(&shape, &format!("solids: [Mesh({place}, inside: Hollow)]"));
    assert_eq!((hollow.world.particles.len(), hollow.removed_in_solids), (1000, 0));
    assert_eq!(hollow.meshes.len(), 1, "one file, read and kept once");
    assert_resolved(&hollow);
    let solid = scene(&shape, &format!("solids: [Mesh({place})]"));
    let faults = try_to_prepare(&solid).expect_err("no room");
    assert!(faults[0].message.contains("no particle remains: all 1000"), "{}", faults[0]);
    let free = prepared(&shape, "");
    assert_eq!(positions(&free), positions(&hollow));
    // A larger ball reaches through the shell: it is packed clear of that on both sides.
    let ball = "Ball(centre: (0.76, 0.5, 0.5), radius: 0.4)";
    let cut = prepared(ball, &format!("solids: [Mesh({place}, inside: Hollow)]"));
    let gap = |x: &[f64; 3]| {
        let out = [0, 1, 2].map(|a| (x[a] - [0.75, 0.5, 0.5][a]).abs() - 0.25);
        // Beside an edge of the shell the edge is the nearest.
        let beyond = out.map(|x| x.max(0.0).powi(2)).iter().sum::<f64>().sqrt();
        beyond.max(-out.into_iter().fold(f64::MIN, f64::max))
    };
    assert!(cut.shapes[0].is_packed && positions(&cut).iter().all(|x| gap(x) > 0.024));
    let expected = 4.0 / 3.0 * std::f64::consts::PI * 0.4_f64.powi(3) / 0.05_f64.powi(3);
    assert!((positions(&cut).len() as f64 / expected - 1.0).abs() < 0.05, "its volume is given");
    assert!(positions(&cut).iter().any(|x| (x[0] - 0.75).abs() > 0.3), "fluid outside, too");
}

#[test]
fn velocities_are_those_of_the_motion_where_each_particle_is() {
    let ball = |motion: &str| {
        format!(
            "Ball(centre: (0.5, 0.5, 0.5), radius: 0.3, velocity: (0.5, 0, 0), motion: {motion}, \
             jitter: (seed: 3, amount: 0.2))"
        )
    };
    let turning = prepared(
        &ball("Linear(centre: (0.5, 0, 0.5), rows: ((0, 0, 2), (0, 0, 0), (-2, 0, 0)))"),
        "",
    );
    let p = &turning.world.particles;
    for (x, v) in p.position.iter().zip(&p.velocity) {
        let expected = Vec3::new(0.5 + 2.0 * (x.z - 0.5), 0.0, -2.0 * (x.x - 0.5));
        assert!((v - expected).norm() < 1e-5, "{x:?}: {v:?}");
    }
    assert_resolved(&turning);
    let vortices = prepared(&ball("TaylorGreen(speed: 3, wavelength: 1)"), "");
    let fastest = |scene: &Prepared| {
        let p = &scene.world.particles;
        p.velocity.iter().map(|v| (v - Vec3::x() * 0.5).norm()).fold(0.0, Real::max)
    };
    assert!((2.7..3.0).contains(&fastest(&vortices)), "{}", fastest(&vortices));
    assert_resolved(&vortices);
    let wave =
        prepared(&ball("StandingWave(amplitude: 0.1, wavelength: 2, depth: 0.9, bottom: 0)"), "");
    assert!((0.1..1.0).contains(&fastest(&wave)), "{}", fastest(&wave));
    assert_resolved(&wave);
}

#[test]
fn what_is_replaced_stays_where_it_was_under_the_same_pressure() {
    let solver = "solver: Wcsph(sound_speed: 20)";
    let cuboid = "Box(min: (0, 0, 0), max: (1, 1, 1), pressure: Hydrostatic)";
    let pure = prepared(cuboid, solver);
    let ball = "Ball(centre: (0.5, 0.5, 0.4), radius: 0.2, replaces: true)";
    let text = scene(cuboid, solver);
    let oil =
        format!("fluids: [(name: \"oil\", rest_density: 500, viscosity: 0, shapes: [{ball}]), (");
    let mixed = try_to_prepare(&text.replace("fluids: [(", &oil)).expect("a good scene");
    assert_eq!(positions(&mixed), positions(&pure), "no place is another, though layers close up");
    let (p, q) = (&pure.world.particles, &mixed.world.particles);
    assert_eq!(q.phase.iter().filter(|&&phase| phase == 0).count(), 280);
    for i in 0..p.len() {
        assert!((p.pressure[i] / q.pressure[i] - 1.0).abs() < 1e-5);
        let compression = |density: Real, phase: u8| density / if phase == 0 { 500.0 } else { 1e3 };
        let (alone, together) = (p.density[i] / 1e3, compression(q.density[i], q.phase[i]));
        assert!((alone / together - 1.0).abs() < 1e-5, "as stiff as the densest");
    }
    assert_resolved(&mixed);
}

#[test]
fn jitter_moves_every_particle_a_little_and_the_same_way_each_time() {
    let cuboid =
        |jitter: &str| prepared(&format!("Box(min: (0, 0, 0), max: (1, 0.5, 0.5){jitter})"), "");
    let (rest, moved) = (cuboid(""), cuboid(", jitter: (seed: 5, amount: 0.2)"));
    assert_eq!(moved.world.particles.len(), 20 * 10 * 10, "none is lost to the walls");
    assert_eq!(moved.removed_in_solids, 0);
    assert_ne!(positions(&cuboid(", jitter: (seed: 6, amount: 0.2)")), positions(&moved));
    assert_eq!(positions(&cuboid(", jitter: (seed: 5, amount: 0.0)")), positions(&rest));
    assert_resolved(&moved);
    let (mut sum, mut at_home, mut farthest) = ([0.0; 3], 0, 0.0_f64);
    for x in positions(&moved) {
        // The nearest place of the lattice is its own.
        let offset = x.map(|x| x / 0.05 - (x / 0.05).floor() - 0.5);
        assert!(offset.iter().all(|o| o.abs() < 0.2 + 1e-5), "{x:?}");
        assert!(x.iter().all(|&x| x > 0.025 * 0.998), "{x:?} is too near a wall");
        farthest = offset.iter().fold(farthest, |far, o| far.max(o.abs()));
        at_home += usize::from(offset.iter().all(|o| o.abs() < 1e-4));
        (0..3).for_each(|a| sum[a] += offset[a]);
    }
    assert!(farthest > 0.195, "{farthest}");
    // Of the layer at each wall half would be pushed into it: 200 along z, 200 along y, 50 along x.
    assert!((200..500).contains(&at_home), "{at_home}");
    assert!(sum.iter().all(|s| (s / 2000.0).abs() < 0.03), "{sum:?}");
    let mut order: Vec<u32> = moved.world.particles.id.clone();
    order.sort_by(|&a, &b| {
        let z = |i: u32| moved.world.particles.position[i as usize].z;
        z(a).total_cmp(&z(b))
    });
    assert_eq!(order, moved.world.particles.id, "numbered by height");
}

#[test]
fn shapes_that_touch_are_not_taken_for_overlapping() {
    let touching = "Box(min: (0, 0, 0), max: (0.5, 0.5, 0.5), jitter: (seed: 1, amount: 0.25)), \
                    Box(min: (0.5, 0, 0), max: (1, 0.5, 0.5), jitter: (seed: 2, amount: 0.25)), \
                    Mesh(path: \"cube.obj\", scale: 0.5, translate: (1, 0, 0)), \
                    Ball(centre: (0.5, 0.5, 0.75), radius: 0.24)";
    prepared(touching, "");
}

#[test]
fn forces_reach_the_world_and_the_speed_of_sound() {
    let ball = "Ball(centre: (1, 0.5, 0.5), radius: 0.25)";
    let speed = |forces: &str, gravity: &str| {
        let scene =
            prepared(ball, &format!("forces: {forces}, gravity: {gravity}, solver: Wcsph()"));
        assert_resolved(&scene);
        sound_speed(&scene.world)
    };
    let near = |a: f64, b: f64| (a / b - 1.0).abs() < 1e-9;
    let fall = 10.0 * (2.0 * 9.81 * 0.75_f64).sqrt();
    assert!(near(speed("[]", "(0, 0, -9.81)"), fall));
    // Its box reaches 0.75 m² beyond the centre squared: ½ k 3 (0.25)².
    let central = "[Central(centre: (1, 0.5, 0.5), stiffness: 4)]";
    assert!(near(speed(central, "(0, 0, 0)"), 10.0 * (4.0 * 3.0 * 0.0625_f64).sqrt()));
    // Shaken along x, it can fall from 0.75 m to 2 m.
    let table = "[Table([(0, (0, 0, 0)), (0.5, (20, 0, 0)), (1, (0, 0, 0))])]";
    assert!(near(speed(table, "(0, 0, 0)"), 10.0 * (2.0 * 20.0 * 1.25_f64).sqrt()));
    assert!(near(speed("[Table([(3, (0, 0, -9.81))])]", "(0, 0, 0)"), fall));
    let scene = prepared(ball, &format!("forces: {central}"));
    let spring = BodyForce::Central { centre: [1.0, 0.5, 0.5], stiffness: 4.0 };
    assert_eq!(scene.world.forces, [spring]);
}

#[test]
fn the_speed_of_sound_follows_the_fastest_particle() {
    let ball =
        |motion: &str| format!("Ball(centre: (1, 0.5, 0.5), radius: 0.25, motion: {motion})");
    let motion = "Linear(centre: (1, 0.5, 0.5), rows: ((0, 0, 8), (0, 0, 0), (-8, 0, 0)))";
    let scene = prepared(&ball(motion), "gravity: (0, 0, 0), solver: Wcsph()");
    let fastest = scene.world.particles.velocity.iter().map(|v| v.norm()).fold(0.0, Real::max);
    assert!((sound_speed(&scene.world) / (10.0 * f64::from(fastest)) - 1.0).abs() < 1e-6);
    assert!((1.6..2.0).contains(&fastest), "{fastest}");
    assert!(scene.resolved.contains("jitter: None"), "every default is written out");
    let nothing = self::scene(&ball("Still"), "gravity: (0, 0, 0), solver: Wcsph()");
    let faults = try_to_prepare(&nothing).expect_err("nothing moves");
    assert!(faults[0].message.contains("no speed of sound"), "{}", faults[0]);
}

#[test]
fn random_places_lie_in_their_region_and_are_for_flight_alone() {
    let shapes = "Random(seed: 3, count: 500, velocity: (0, 1, 0),
        region: (min: (0.1, 0.1, 0.1), max: (0.9, 0.5, 0.9)))";
    let scene = prepared(shapes, "solver: Ballistic(),");
    let r = f64::from(scene.world.particle_radius);
    let [low, high] = [[0.1, 0.1, 0.1], [0.9, 0.5, 0.9]];
    let is_inside =
        |x: &[f64; 3]| (0..3).all(|a| low[a] + r - 1e-6 <= x[a] && x[a] <= high[a] - r + 1e-6);
    let places = positions(&scene);
    assert!(places.len() == 500 && places.iter().all(is_inside));
    assert!(scene.world.particles.velocity.iter().all(|v| v.y == 1.0));
    assert_eq!(places, positions(&prepared(shapes, "solver: Ballistic(),")));
    assert_ne!(
        places,
        positions(&prepared(&shapes.replace("3, c", "4, c"), "solver: Ballistic(),"))
    );
    assert_resolved(&scene);
    let faults = try_to_prepare(&self::scene(shapes, "")).unwrap_err();
    assert_eq!(faults.len(), 1);
    assert!(faults[0].message.contains("for the solver `Ballistic` only"), "{}", faults[0]);
}

/// The particles of a state as a sorted list of numbers, whatever their order.
fn state(world: &World) -> Vec<[u64; 8]> {
    let all = &world.particles;
    let bits = |x: Real| f64::from(x).to_bits();
    let one = |i: usize| {
        let (x, v) = (all.position[i], all.velocity[i]);
        [x.x, x.y, x.z, v.x, v.y, v.z, all.density[i], all.pressure[i]].map(bits)
    };
    let mut rows: Vec<_> = (0..all.len()).map(one).collect();
    rows.sort_unstable();
    rows
}

#[test]
fn a_run_goes_on_from_the_particles_of_a_frame_in_a_scene_of_its_own() {
    let shapes = "Box(min: (0, 0, 0), max: (0.5, 0.5, 0.5), velocity: (1, 0.5, 0))";
    let solid = "solids: [Box(min: (1, 0, 0), max: (1.2, 1, 0.3))]";
    let mut simulation = hashfall::Simulation::new(prepared(shapes, solid).world).unwrap();
    while simulation.world().time < 0.15 {
        simulation.step(0.15).unwrap();
    }
    let world = simulation.world();
    let frame = hashfall_output::vtp::particles(&hashfall_output::ParticleFrame {
        particles: &world.particles,
        radius: world.particle_radius,
        time: 0.15,
    })
    .into_bytes();
    let text = scene("Particles(path: \"frame.vtp\")", solid);
    let source = Source { name: "again.ron".to_owned(), text };
    let again = prepare(&source, &[], &mut |_| Ok(frame.clone())).unwrap();
    assert!(again.warnings.is_empty(), "{}", again.warnings[0]);
    assert_eq!(again.removed_in_solids, 0);
    assert_eq!(state(&again.world), state(simulation.world()));
}

/// A file of two particles inside the tank, with vectors of these names.
fn with_vectors(names: &[&str]) -> Result<Prepared, Vec<Diagnostic>> {
    let array = |name: &&str| {
        format!(
            "<DataArray type=\"Float32\" Name=\"{name}\" NumberOfComponents=\"3\" \
             format=\"ascii\">1.5 2 3 1.5 2 3</DataArray>"
        )
    };
    let arrays: String = names.iter().map(array).collect();
    let file = format!(
        "<VTKFile type=\"PolyData\"><PolyData><Piece NumberOfPoints=\"2\"><PointData>{arrays}\
         </PointData><Points><DataArray type=\"Float32\" NumberOfComponents=\"3\" \
         format=\"ascii\">0.5 0.5 0.5 0.55 0.5 0.5</DataArray></Points></Piece></PolyData></VTKFile>"
    );
    let source =
        Source { name: "names.ron".to_owned(), text: scene("Particles(path: \"frame.vtp\")", "") };
    prepare(&source, &[], &mut |_| Ok(file.clone().into_bytes()))
}

#[test]
fn velocities_are_known_by_the_names_that_programs_give_them() {
    for name in [
        "velocity",
        "Velocity (m/s)",
        "Velocity [m/s]",
        "U",
        "particle_velocity",
        "Vel.",
        "fluid velocity vector",
    ] {
        let read = with_vectors(&[name]).unwrap();
        assert!(read.warnings.is_empty(), "{name}: {}", read.warnings[0]);
        assert_eq!(to_f64(&read.world.particles.velocity[0]), [1.5, 2.0, 3.0], "{name}");
    }
    let unknown = with_vectors(&["Normals", "speed vector of all", "w"]).unwrap();
    assert_eq!(to_f64(&unknown.world.particles.velocity[0]), [0.0; 3]);
    let warning = &unknown.warnings[0].message;
    assert!(warning.ends_with("its vectors are `speed vector of all`, `w`"), "{warning}");
    let two = with_vectors(&["U", "velocity"]).unwrap();
    let warning = &two.warnings[0].message;
    assert_eq!(warning, "velocities are read from `velocity`, not from `U`");
}

#[test]
fn composed_shapes_are_kept_as_they_are() {
    let scene = prepared(
        "Union(of: [Box(min: (0, 0, 0), max: (0.5, 0.5, 0.5)), Difference(
            of: Cylinder(from: (0.5, 0.25, 0.1), to: (0.9, 0.25, 0.1), radius: 0.1),
            minus: [Ball(centre: (0.9, 0.25, 0.1), radius: 0.1)],
        )], velocity: (0, 0, -1)),
        Intersection(of: [Mesh(path: \"cube\"), Capsule(
            from: (0.75, 0.5, 0.75), to: (1.5, 0.5, 0.75), radius: 0.15,
        )], initial_velocity: Formula(x: \"2*z\", z: \"-x*y\"))",
        "",
    );
    assert_resolved(&scene);
    let all = &scene.world.particles;
    for (x, v) in all.position.iter().map(to_f64).zip(all.velocity.iter().map(to_f64)) {
        // The upper one is cut off by the cube.
        assert!(x[0] < 1.0, "{x:?}");
        let expected = if x[2] < 0.55 { [0.0, 0.0, -1.0] } else { [2.0 * x[2], 0.0, -x[0] * x[1]] };
        assert!((0..3).all(|a| (v[a] - expected[a]).abs() < 1e-6), "{x:?} {v:?}");
    }
}

#[test]
fn overlapping_boxes_of_one_fluid_are_united() {
    // The boxes of a case of other programs: they share a third.
    let (first, second) = (
        "Box(min: (0, 0, 0), max: (0.4, 0.3, 0.3))",
        "Box(min: (0.207, 0.003, 0.005), max: (0.6, 0.3, 0.3))",
    );
    let faults = try_to_prepare(&scene(&format!("{first}, {second}"), "")).unwrap_err();
    let help = faults[0].help.as_deref().unwrap_or_default();
    let written = "Union(of: [Box(min: (0, 0, 0), max: (0.4, 0.3, 0.3)), \
                   Box(min: (0.207, 0.003, 0.005), max: (0.6, 0.3, 0.3))])";
    assert!(help.contains(written), "{help}");
    let union = prepared(written, "");
    assert!(union.warnings.is_empty());
    // 0.6 × 0.3 × 0.3 but for slivers of 3 and 5 mm, and d = 0.05.
    assert_eq!(union.world.particles.len(), 12 * 6 * 6);
    let replacing = second.replace("0.3))", "0.3), replaces: true)");
    let replaced = prepared(&format!("{first}, {replacing}"), "");
    let warning = &replaced.warnings[0];
    assert!(warning.message.contains("this shape fills ") && warning.message.contains(" % of"));
    assert!(warning.help.as_deref().unwrap_or_default().contains("Union(of: ["), "{warning}");
    // What lies wholly in another shape is silent.
    let inside = "Ball(centre: (0.2, 0.15, 0.15), radius: 0.1, replaces: true)";
    assert!(prepared(&format!("{first}, {inside}"), "").warnings.is_empty());
}

/// A scene of water and oil with these shapes.
fn water_and_oil(water: &str, oil: &str) -> String {
    let oil =
        format!("fluids: [(name: \"oil\", rest_density: 800, viscosity: 0, shapes: [{oil}]), (");
    scene(water, "").replace("fluids: [(", &oil)
}

#[test]
fn two_fluids_lie_in_layers_in_one_vessel() {
    let help = |text: &str| {
        let faults = try_to_prepare(text).expect_err(text);
        assert!(faults[0].message.contains("overlap"), "{}", faults[0]);
        faults[0].help.clone().unwrap_or_default()
    };
    let fill = |level: f64| format!("Fill(from: (0.5, 0.5, 0.1), level: {level})");
    let upper = "Box(min: (0, 0, 0.2), max: (2, 1, 0.3))";
    let same = help(&scene(&format!("{}, {upper}", fill(0.3)), ""));
    assert!(same.starts_with("leave fluids[0].shapes[1] out") && same.contains("higher `level`"));
    let same = help(&scene(&format!("{}, {}", fill(0.3), fill(0.2)), ""));
    assert_eq!(same, "one Fill of the vessel, with the higher `level`");
    let other = help(&water_and_oil(&fill(0.3), &fill(0.2)));
    assert!(other.contains("a Box with `replaces: true`"), "{other}");
    let other = help(&water_and_oil(&fill(0.3), upper));
    assert!(other.starts_with("`replaces: true` in fluids[0].shapes[0] gives it"), "{other}");
    // That advice is followed.
    let layered = water_and_oil(&fill(0.3), &upper.replace("0.3))", "0.3), replaces: true)"));
    let layered = try_to_prepare(&layered).unwrap_or_else(|faults| panic!("{}", faults[0]));
    assert!(layered.warnings.is_empty(), "{}", layered.warnings[0]);
    assert_eq!(layered.particles_per_fluid, [40 * 20 * 2, 40 * 20 * 4]);
    let mut simulation = hashfall::Simulation::new(layered.world).unwrap();
    while simulation.world().time < 0.05 {
        simulation.step(0.05).unwrap();
    }
    let particles = &simulation.world().particles;
    for (x, phase) in particles.position.iter().zip(&particles.phase) {
        assert_eq!(x.z > 0.2, *phase == 0, "the oil floats: {x:?}");
    }
}

#[test]
fn faults_of_compositions_and_formulas_have_their_places() {
    // The place is marked by an @.
    for (marked, message) in [
        ("Union(of: @[])", "a union of no shapes"),
        (
            "Union(of: [Ball(centre: (1, 0.5, 0.5), radius: 0.2, velocity: @(1, 0, 0))])",
            "`velocity` of a part of a union",
        ),
        (
            "Cylinder(from: (1, 0.5, 0.5), to: @(1, 0.5, 0.5), radius: 0.2)",
            "`from` and `to` are one place",
        ),
        (
            "@Capsule(from: (1, 0.5, 0.5), to: (1.9, 0.5, 0.5), radius: 0.2)",
            "the capsule reaches to x = 2.1",
        ),
        (
            "@Difference(of: Ball(centre: (1.9, 0.5, 0.5), radius: 0.2), \
             minus: [Box(min: (0, 0, 0), max: (2, 1, 0.5))])",
            "of this shape; first: (2.0",
        ),
        (
            "Box(min: (0, 0, 0), max: (1, 1, 1), initial_velocity: Formula(x: \"2*@t\"))",
            "there is no `t` in a formula of the place",
        ),
        (
            "Box(min: (0, 0, 0), max: (1, 1, 1), \
             initial_velocity: @Formula(z: \"1/max(0, x - 0.5)\"))",
            "no finite value at 4000 of 8000 particles; first: (0.0250, 0.0250, 0.0250)",
        ),
        (
            // The first particle of each row has no velocity, those behind it have one.
            "Box(min: (0, 0, 0), max: (1, 1, 1), \
             initial_velocity: @Formula(z: \"sqrt(x - 0.05)\"))",
            "no finite value at 400 of 8000 particles; first: (0.0250, 0.0250, 0.0250)",
        ),
    ] {
        let shapes = marked.replace('@', "");
        let text = scene(marked, "");
        let before = text.split('@').next().unwrap_or_default();
        let line = before.lines().count();
        let column = 1 + before.lines().last().unwrap_or_default().chars().count();
        let faults = try_to_prepare(&scene(&shapes, "")).map(|_| ()).expect_err(&shapes);
        assert!(faults[0].message.contains(message), "{shapes}: {}", faults[0]);
        let place = (faults[0].line(), faults[0].column());
        assert_eq!(place, (line, column), "{shapes}: {}", faults[0]);
    }
}

#[test]
fn compositions_of_nothing_are_told_from_small_ones() {
    let fault = |shape: &str| {
        let faults = try_to_prepare(&scene(shape, "")).map(|_| ()).expect_err(shape);
        let [fault] = &faults[..] else { panic!("{shape}: {faults:?}") };
        (fault.message.clone(), fault.help.clone().unwrap_or_default())
    };
    let lower = "Box(min: (0, 0, 0), max: (2, 1, 0.5))";
    let empty = "this intersection is empty: its parts have nothing in common";
    let nothing = "nothing is left of this difference: `minus` takes all of it away";
    for (shape, message) in [
        ("Intersection(of: [LOWER, Ball(centre: (1.5, 0.5, 0.8), radius: 0.15)])", empty),
        // A lattice in their common face would be a sheet of particles.
        ("Intersection(of: [LOWER, Box(min: (0, 0, 0.5), max: (2, 1, 1))])", empty),
        // The boxes around them share space, they do not.
        (
            "Intersection(of: [Ball(centre: (0.5, 0.5, 0.5), radius: 0.2), \
             Ball(centre: (0.8, 0.8, 0.8), radius: 0.2)])",
            empty,
        ),
        ("Difference(of: Ball(centre: (1, 0.5, 0.25), radius: 0.2), minus: [LOWER])", nothing),
        (
            "Intersection(of: [LOWER, Ball(centre: (0.5, 0.5, 0.5), radius: 0.02)])",
            "this shape is too small: it holds no particle",
        ),
    ] {
        assert_eq!(fault(&shape.replace("LOWER", lower)).0, message, "{shape}");
    }
    let mesh = "Mesh(path: \"cube.obj\", scale: 500, translate: (600, 0, 0))";
    let (message, help) = fault(&format!("Intersection(of: [{lower}, {mesh}])"));
    assert_eq!(message, empty);
    let start = "of fluids[0].shapes[0].of[1]: ";
    assert!(help.starts_with(start) && help.contains("millimetres"), "{help}");
}
