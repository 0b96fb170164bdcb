//! Small worlds, and running them.

use hashfall_core::kernel::KernelKind;
use hashfall_core::{Dimension, Real, Vec3};
use hashfall_geometry::Aabb;
use hashfall_search::NeighborKind;
use hashfall_solid::Solids;
use hashfall_sph::step::{StepReport, Stepper};
use hashfall_sph::world::{Density, Dfsph, Fluid, OpenBoundaries, Particles, Solver, Wcsph, World};

pub const RADIUS: Real = 0.0125;
pub const SPACING: Real = 2.0 * RADIUS;

/// Settings that tests begin with.
pub const WCSPH: Wcsph = Wcsph {
    sound_speed: Some(30.0),
    exponent: 7.0,
    artificial_viscosity: Some(0.05),
    courant: Some(0.4),
    density: Some(Density::Summation),
    shifting: 0.0,
    background_pressure: 0.0,
    interface_sharpening: 0.0,
    individual_steps: 0.0,
};
pub const DFSPH: Dfsph = Dfsph {
    max_density_error: 1e-4,
    max_divergence_error: 1e-4,
    max_iterations: 200.0,
    artificial_viscosity: 0.02,
    courant: 0.4,
};

/// The settings that a scene has without keys, with sound at 30 m/s.
pub fn usual_wcsph() -> Wcsph {
    Wcsph { sound_speed: Some(30.0), ..Wcsph::default() }
}

/// A world of fluids with these rest densities in a box of `size` at the origin.
pub fn world(size: [Real; 3], rest_densities: &[Real], viscosity: Real, solver: Solver) -> World {
    let fluid = |&rest_density: &Real| Fluid {
        name: format!("{rest_density}"),
        rest_density,
        viscosity,
        surface_tension: 0.0,
        stiffness: 0.0,
    };
    World {
        dimension: Dimension::Three,
        kernel: KernelKind::CubicSpline,
        elastic: None,
        free_bodies: Vec::new(),
        rigid: None,
        periodic: [false; 3],
        particles: Particles::default(),
        fluids: rest_densities.iter().map(fluid).collect(),
        solids: Solids::new(Aabb::new(Vec3::zeros(), Vec3::from(size)), vec![], vec![]),
        gravity: Vec3::new(0.0, 0.0, -9.81),
        frame: None,
        forces: vec![],
        particle_radius: RADIUS,
        support_radius: 4.0 * RADIUS,
        solver,
        interfaces: vec![],
        open_boundaries: OpenBoundaries::default(),
        viscosity: Default::default(),
        time: 0.0,
        steps: 0,
    }
}

/// Adds a lattice of `counts` particles from `corner`, x first, with velocities by place.
pub fn fill(
    world: &mut World,
    corner: Vec3,
    counts: [usize; 3],
    phase: u8,
    velocity: impl Fn(&Vec3) -> Vec3,
) {
    let rest_density = world.fluids[phase as usize].rest_density;
    for n in 0..counts.iter().product() {
        let place = [n % counts[0], n / counts[0] % counts[1], n / (counts[0] * counts[1])];
        let x = corner + Vec3::from(place.map(|k| k as Real + 0.5)) * SPACING;
        world.particles.push(x, velocity(&x), phase, rest_density);
    }
}

/// Runs to a time and returns the reports of all steps.
pub fn run_with(kind: NeighborKind, world: &mut World, until: f64) -> Vec<StepReport> {
    let mut stepper = Stepper::new(&kind.into(), world).unwrap();
    let mut reports = vec![];
    while world.time < until {
        reports.push(stepper.step(world, until).unwrap());
    }
    assert_eq!(world.time, until, "the last step lands exactly");
    reports
}
