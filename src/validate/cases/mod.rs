//! The cases, a file each; `docs/validation.md` describes them.

mod channel;
mod dam_break_front;
mod drops;
mod elliptical_drop;
mod hydrostatic_tank;
mod incompressible_dam_break;
mod kleefsman;
mod layers;
mod mesh_tank;
mod oscillating_drop;
mod rising_bubble;
mod rotating_patch;
mod square_to_circle;
mod standing_wave;
mod taylor_green;
mod torricelli;
mod two_phase_tank;
mod viscous_column;

use super::Case;
use hashfall_core::parallel;
use hashfall_sph::world::World;

/// Every case, in the order in which all are run.
pub const ALL: [Case; 23] = [
    hydrostatic_tank::CASE,
    mesh_tank::CASE,
    elliptical_drop::CASE,
    elliptical_drop::WEAKLY_COMPRESSIBLE,
    taylor_green::CASE,
    channel::POISEUILLE,
    channel::COUETTE,
    dam_break_front::CASE,
    kleefsman::CASE,
    standing_wave::CASE,
    rotating_patch::CASE,
    torricelli::CASE,
    incompressible_dam_break::CASE,
    drops::AT_REST,
    drops::SWINGING,
    square_to_circle::CASE,
    oscillating_drop::CASE,
    rising_bubble::CASE,
    layers::INTERNAL_WAVE,
    layers::RAYLEIGH_TAYLOR,
    two_phase_tank::THOUSAND,
    two_phase_tank::TWO,
    viscous_column::CASE,
];

/// The goal of momentum that is left of none: rounding of the state's precision \[–\].
const MOMENTUM_GOAL: f64 = if cfg!(feature = "f64") { 1e-13 } else { 1e-6 };

/// The case of this name.
pub fn find(name: &str) -> Option<&'static Case> {
    ALL.iter().find(|case| case.name == name)
}

/// The fluid's volume, as part of that at rest: Σ ρ₀/ρ over particles in the domain, of those that
/// are compressed (at a free surface ρ tells nothing), over the number of all particles.
fn volume_kept(world: &World) -> f64 {
    let p = &world.particles;
    let [kept] = parallel::sum(p.len(), |i| {
        let rest_density = world.fluids[usize::from(p.phase[i])].rest_density;
        let inside = world.solids.domain.contains(&p.position[i]);
        [if inside { f64::from((rest_density / p.density[i]).min(1.0)) } else { 0.0 }]
    });
    kept / p.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cases_are_found_by_names_of_their_own() {
        for case in &ALL {
            assert_eq!(find(case.name).map(|found| found.about), Some(case.about));
            assert!(!case.about.ends_with('.') && case.scene.starts_with("// "), "{}", case.name);
        }
        assert!(find("klefsman").is_none());
    }
}
