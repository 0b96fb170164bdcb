//! The step that viscosity as a force allows bodies that the fluid moves.
//!
//! Fluid that sticks to a surface of area A gives K u to a body that slides by u. On a wall in a
//! lattice K is 1.9 μA/d, of particles that come nearer more; 2.5 μA/d is taken, as if all of the
//! surface were wet. Velocities follow such a force as (1 − K dt/m) does: without a bound a body
//! that is light beside μA dt/d is thrown to and fro. The step is at most
//!
//! - dt ≤ ½ m/K, and the same with the inertia and ∮ r² dA.
//!
//! Where viscosity is implicit, and of bodies along which fluid slips, nothing is asked.
//!
//! Symbols: μ dynamic viscosity \[Pa s\], d spacing \[m\], m mass \[kg\], r distance from the
//! centre of mass \[m\].

use crate::step::bodies::surface_samples::{BodySurface, body_surfaces};
use crate::world::{FreeBody, ViscositySolver, World};

/// K d/(μA) \[–\].
const DRAG: f64 = 2.5;

/// The part of m/K that a step may have \[–\].
const PART: f64 = 0.5;

/// The longest step \[s\] that viscosity would allow the free bodies of a world as a force.
pub fn longest_step_by_force(world: &World) -> f64 {
    let surfaces = body_surfaces(world);
    let eases: Vec<f64> = world
        .free_bodies
        .iter()
        .zip(&surfaces)
        .map(|(free, surface)| ease(free, surface))
        .collect();
    step_of(world, &eases)
}

/// The longest step \[s\] of free bodies of this [`ease`].
pub fn longest_step(world: &World, eases: &[f64]) -> f64 {
    match world.viscosity {
        ViscositySolver::Implicit => f64::INFINITY,
        ViscositySolver::Explicit => step_of(world, eases),
    }
}

fn step_of(world: &World, eases: &[f64]) -> f64 {
    if eases.is_empty() {
        return f64::INFINITY;
    }
    let viscosities = world.fluids.iter().map(|it| f64::from(it.viscosity * it.rest_density));
    let drag = DRAG * viscosities.fold(0.0, f64::max) / f64::from(world.spacing());
    // Infinite where nothing sticks, or nothing is viscous.
    PART / (drag * eases.iter().copied().fold(0.0, f64::max))
}

/// A/m, or ∮ r² dA over the least moment of inertia if that is more; 0 if fluid slips \[m²/kg\].
pub fn ease(free: &FreeBody, surface: &BodySurface) -> f64 {
    if !surface.sticks {
        return 0.0;
    }
    let (mut area, mut moment) = (0.0, 0.0);
    for sample in &surface.samples {
        let size = sample.area.norm();
        area += size;
        moment += size * sample.place.norm_squared();
    }
    let [.., a, b, c] = free.locks;
    let [along, about] =
        [&free.locks[..3], &[a, b, c]].map(|locks| !locks.iter().all(|lock| *lock));
    let least = free.inertia.symmetric_eigenvalues().min();
    let linear = if along { area / free.mass } else { 0.0 };
    if about { linear.max(moment / least) } else { linear }
}

#[cfg(test)]
mod tests {
    use crate::step::bodies::lab::{stepper, tank};
    use hashfall_solid::{BodySpec, ContactLaw, Slip};

    #[test]
    fn steps_are_bounded_by_bodies_that_fluid_sticks_to() {
        let bound = |slip: Slip, density: f64| {
            let cube = ([0.3, 0.3, 0.3], [0.1; 3], density);
            let mut world = tank(0.05, [0.6; 3], 0.4, &[cube]);
            world.fluids[0].viscosity = 0.1;
            let law = ContactLaw { slip, ..ContactLaw::default() };
            let body = BodySpec { spheres: 0, rounds: 0, meshes: 1, contact: law };
            world.solids = world.solids.with_bodies(&[body]);
            stepper(&mut world).bodies.longest_step(&world)
        };
        assert_eq!(bound(Slip::Free, 100.0), f64::INFINITY);
        // ½ ∫ρ dV (a²/6) over 2.5 μ/d ∮ r² dA: of a cube of the edge a the spin is the faster.
        let (a, drag) = (0.2_f64, 2.5 * 0.1 * 1000.0 / 0.05);
        let moment = 6.0 * (a.powi(4) / 6.0 + a.powi(4) / 4.0);
        for density in [100.0, 400.0] {
            let expected = 0.5 * density * a.powi(5) / 6.0 / (drag * moment);
            let found = bound(Slip::No, density);
            assert!((found / expected - 1.0).abs() < 0.03, "{found} {expected}");
        }
    }
}
