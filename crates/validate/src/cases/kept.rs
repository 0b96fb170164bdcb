//! What several cases check to be kept: volume and momentum.

use hashfall_core::parallel;
use hashfall_sph::world::World;

/// The goal of momentum that is left of none: rounding of the state's precision \[–\].
pub(super) const MOMENTUM_GOAL: f64 = if cfg!(feature = "f64") { 1e-13 } else { 1e-6 };

/// The fluid's volume, as part of that at rest: Σ ρ₀/ρ over particles in the domain, of those that
/// are compressed (at a free surface ρ tells nothing), over the number of all particles.
pub(super) fn volume_kept(world: &World) -> f64 {
    let p = &world.particles;
    let [kept] = parallel::sum(p.len(), |i| {
        let rest_density = world.fluids[usize::from(p.phase[i])].rest_density;
        let inside = world.solids.domain.contains(&p.position[i]);
        [if inside { f64::from((rest_density / p.density[i]).min(1.0)) } else { 0.0 }]
    });
    kept / p.len() as f64
}
