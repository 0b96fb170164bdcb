//! The mode: how much of an exact flow is left in a run.
//!
//! m = Σ u·u₀ / Σ u₀·u₀ over the particles, with the exact velocity u₀ at the places where they
//! are. It is 1 for the exact flow and −1 for its reverse. Velocities without a pattern add nothing
//! to it, but do add to the kinetic energy, which tells no flow from noise: for unit energy at the
//! start, the energy less m² is that of the noise.

use hashfall_core::{parallel, to_f64};
use hashfall_sph::world::World;
use std::f64::consts::TAU;

/// The signed projection of the velocities on those of a field \[–\].
pub(super) fn mode(world: &World, field: impl Fn([f64; 3]) -> [f64; 3] + Sync) -> f64 {
    let p = &world.particles;
    let dot = |a: [f64; 3], b: [f64; 3]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let [along, whole] = parallel::sum(p.len(), |i| {
        let exact = field(to_f64(&p.position[i]));
        [dot(to_f64(&p.velocity[i]), exact), dot(exact, exact)]
    });
    along / whole
}

/// Taylor & Green's vortices of speed 1 m/s, each half a wavelength \[m\] wide.
pub(super) fn vortices(wavelength: f64, [x, _, z]: [f64; 3]) -> [f64; 3] {
    let ((sin_x, cos_x), (sin_z, cos_z)) =
        ((TAU * x / wavelength).sin_cos(), (TAU * z / wavelength).sin_cos());
    [-cos_x * sin_z, 0.0, sin_x * cos_z]
}

#[cfg(test)]
mod tests {
    use super::super::vortex_in_a_box::CASE;
    use super::*;
    use hashfall_sph::world::Audit;

    #[test]
    fn the_exact_flow_has_a_mode_of_one_and_noise_adds_energy_alone() {
        let mut world = CASE.prepare(&[]).unwrap().world;
        let start = Audit::new(&world).kinetic_energy;
        let vortex = |x| vortices(2.0, x);
        assert!((mode(&world, vortex) - 1.0).abs() < 1e-6);
        let velocities = &mut world.particles.velocity;
        for (i, v) in velocities.iter_mut().enumerate() {
            *v = -*v;
            v.x += if i % 2 == 0 { 0.1 } else { -0.1 };
        }
        let found = mode(&world, vortex);
        assert!((found + 1.0).abs() < 0.02, "{found}");
        let energy = Audit::new(&world).kinetic_energy / start;
        // ⟨0.1²⟩ over ⟨u²⟩ = 1/2.
        assert!((energy - found * found - 0.02).abs() < 5e-3, "{energy}");
    }
}
