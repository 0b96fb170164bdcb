//! What weakly compressible SPH must keep: free fall, conservation, rest.

use super::support::{self, RADIUS, SPACING, fill, run_with};
use hashfall_core::{Real, Vec3, to_f64};
use hashfall_geometry::Interior;
use hashfall_geometry::shape::sphere_mesh;
use hashfall_scene::{Override, Source, prepare};
use hashfall_search::NeighborKind;
use hashfall_solid::{Solids, Sphere};
use hashfall_sph::step::{StepReport, Stepper};
use hashfall_sph::world::{Audit, Solver, Wcsph, World};

/// Settings with this speed of sound \[m/s\].
fn wcsph(sound_speed: f64) -> Wcsph {
    Wcsph { sound_speed: Some(sound_speed), ..support::WCSPH }
}

fn world(size: [Real; 3], rest_densities: &[Real], settings: Wcsph) -> World {
    support::world(size, rest_densities, 1e-6, Solver::Wcsph(settings))
}

fn run(world: &mut World, until: f64) -> Vec<StepReport> {
    run_with(NeighborKind::CellIndex, world, until)
}

#[test]
fn a_particle_falls_as_galileo_says() {
    let mut world = world([4.0, 4.0, 8.0], &[1000.0], wcsph(130.0));
    fill(&mut world, Vec3::new(2.0, 2.0, 7.0), [1, 1, 1], 0, |_| Vec3::new(0.3, 0.0, 0.0));
    let start = world.particles.position[0];
    run(&mut world, 1.0);
    let moved = to_f64(&(world.particles.position[0] - start));
    assert!((moved[0] - 0.3).abs() < 1e-4, "{moved:?}");
    assert!((moved[2] + 0.5 * 9.81).abs() < 2e-3, "{moved:?}");
    assert!((world.particles.velocity[0].z + 9.81).abs() < 1e-2);
}

#[test]
fn two_fluids_that_collide_in_free_space_keep_their_momentum() {
    let settings = wcsph(20.0);
    let mut world = world([2.0, 2.0, 2.0], &[1000.0, 400.0], settings);
    world.gravity = Vec3::zeros();
    let swirl = |x: &Vec3| Vec3::new(1.0 + x.y, -x.x, 0.3);
    fill(&mut world, Vec3::new(0.8, 0.9, 0.9), [6, 8, 8], 0, swirl);
    fill(&mut world, Vec3::new(0.97, 0.9, 0.9), [6, 8, 8], 1, |_| Vec3::new(-1.0, 0.0, 0.0));
    let before = Audit::new(&world);
    run(&mut world, 0.1);
    let after = Audit::new(&world);
    let scale = (2.0 * before.kinetic_energy * before.mass).sqrt();
    for axis in 0..3 {
        let change = (after.momentum[axis] - before.momentum[axis]).abs() / scale;
        assert!(change < 1e-5, "axis {axis}: changed by {change} of the momentum that moves");
    }
    assert_eq!(after.mass, before.mass);
    assert!(after.kinetic_energy < before.kinetic_energy, "viscosity takes energy");
}

#[test]
fn a_lattice_that_fills_a_tank_starts_at_rest_density() {
    let side = 10.0 * SPACING;
    let mut world = world([side, side, 2.0 * side], &[1000.0], wcsph(30.0));
    fill(&mut world, Vec3::zeros(), [10, 10, 10], 0, |_| Vec3::zeros());
    Stepper::new(&NeighborKind::CellIndex.into(), &mut world).unwrap();
    let p = &world.particles;
    for i in (0..p.len()).filter(|&i| p.position[i].z < side - 2.0 * SPACING) {
        let error = p.density[i] / 1000.0 - 1.0;
        // Corners, where three walls meet, are the worst.
        assert!(error.abs() < 0.01, "{:?}: {error}", p.position[i]);
    }
}

#[test]
fn water_thrown_at_spheres_a_mesh_and_walls_stays_outside_them() {
    let settings = wcsph(60.0);
    let mut world = world([0.5, 0.5, 0.5], &[1000.0], settings);
    let spheres = [[0.3, 0.25, 0.15], [0.2, 0.15, 0.1], [0.25, 0.35, 0.08]]
        .map(|c| Sphere { centre: Vec3::from(c), radius: 0.07 });
    let ball = Sphere { centre: Vec3::new(0.36, 0.12, 0.1), radius: 0.06 };
    let mesh = sphere_mesh(&ball.centre, ball.radius, 2);
    let interior = Interior::new(&mesh);
    world.solids = Solids::new(world.solids.domain, spheres.to_vec(), vec![mesh]);
    fill(&mut world, Vec3::new(0.1, 0.1, 0.25), [12, 12, 9], 0, |_| Vec3::new(1.0, 2.0, -6.0));
    let reports = run(&mut world, 0.2);
    let deepest = reports.iter().map(|r| r.deepest_penetration).fold(0.0, f64::max);
    assert!(deepest < 0.01, "deepest penetration {deepest} d");
    assert_eq!(Audit::new(&world).outside, 0);
    for x in &world.particles.position {
        let free = |s: &Sphere| (x - s.centre).norm() > s.radius + 0.98 * RADIUS;
        assert!(spheres.iter().all(free), "{x:?}");
        assert!(!interior.contains(x), "{x:?} is inside the mesh");
    }
}

/// `scenes/still_water.ron` with a smaller tank.
fn small_tank() -> World {
    let name = "scenes/still_water.ron";
    let text = include_str!("../../scenes/still_water.ron").to_owned();
    let source = Source { name: name.into(), text };
    let overrides = [
        "fluids[0].shapes[0].max=(0.2, 0.2, 0.6)",
        "domain.max=(0.2, 0.2, 0.8)",
        "solver=Wcsph(sound_speed: 34.0)",
    ];
    let overrides = overrides.map(|text| Override::parse(text).unwrap());
    prepare(&source, &overrides, &mut |_| unreachable!("no mesh")).unwrap().world
}

#[test]
fn a_tank_at_rest_keeps_its_level_and_carries_its_weight() {
    let mut world = small_tank();
    run(&mut world, 0.5);
    // The mean over a while takes out what still rings.
    let (mut level, mut floor_pressure, frames) = (0.0, 0.0, 10);
    for k in 1..=frames {
        run(&mut world, 0.5 + 0.02 * f64::from(k));
        let p = &world.particles;
        let mean_height = p.position.iter().map(|x| f64::from(x.z)).sum::<f64>() / p.len() as f64;
        level += 2.0 * mean_height / f64::from(frames);
        let bottom: Vec<f64> = (0..p.len())
            .filter(|&i| p.position[i].z < 0.6 * SPACING)
            .map(|i| f64::from(p.pressure[i]))
            .collect();
        assert!(bottom.len() > 50, "a layer of 64 lies on the floor, {} do", bottom.len());
        floor_pressure += bottom.iter().sum::<f64>() / bottom.len() as f64 / f64::from(frames);
    }
    assert!((level / 0.6 - 1.0).abs() < 0.02, "level {level} m");
    let weight = 1000.0 * 9.81 * (level - f64::from(RADIUS));
    assert!((floor_pressure / weight - 1.0).abs() < 0.05, "{floor_pressure} Pa for {weight} Pa");
    let motion = Audit::new(&world).kinetic_energy;
    assert!(motion < 0.05, "at rest, but for {motion} J in 24 kg");
}
