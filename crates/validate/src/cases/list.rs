//! The list of all cases.

use super::bodies::{
    dam_on_cubes, floating_prism, heaving_cylinder, held_balls, released_balls, rising_block,
    sinking_ball, still_bodies,
};
use super::{
    channel, contact_lines, dam_break_front, drops, drops_on_walls, elastic, elliptical_drop, film,
    free_drop, hydrostatic_tank, incompressible_dam_break, kleefsman, layers, lid_driven_cavity,
    liquid_thread, lock_exchange, menisci, mesh_tank, oscillating_drop, oscillating_plate,
    pendant_drop, rising_bubble, rotating_patch, sloshing, spinning_bucket, spun_drum,
    square_to_circle, standing_wave, taylor_green, torricelli, two_phase_tank, u_tube,
    viscous_column, vortex_in_a_box, wedge,
};
use crate::Case;

/// Every case, in the order in which all are run.
pub const ALL: [Case; 87] = [
    hydrostatic_tank::CASE,
    hydrostatic_tank::WEAKLY_COMPRESSIBLE,
    mesh_tank::CASE,
    elliptical_drop::CASE,
    elliptical_drop::WEAKLY_COMPRESSIBLE,
    vortex_in_a_box::CASE,
    vortex_in_a_box::IN_SPACE,
    taylor_green::CASE,
    taylor_green::WEAKLY_COMPRESSIBLE,
    channel::POISEUILLE,
    channel::COUETTE,
    channel::PLANE,
    channel::SQUARE,
    oscillating_plate::CASE,
    lid_driven_cavity::CASE,
    lid_driven_cavity::THOUSAND,
    film::CASE,
    film::IN_SPACE,
    spun_drum::CASE,
    spinning_bucket::CASE,
    dam_break_front::CASE,
    kleefsman::CASE,
    wedge::CASE,
    wedge::FLATTER,
    standing_wave::CASE,
    standing_wave::FINE,
    standing_wave::WEAKLY_COMPRESSIBLE,
    sloshing::TILTED,
    sloshing::TILTED_LESS,
    sloshing::SHOVED,
    u_tube::CASE,
    u_tube::FINE,
    rotating_patch::SQUARE,
    rotating_patch::WEAKLY_COMPRESSIBLE,
    torricelli::CASE,
    incompressible_dam_break::CASE,
    drops::AT_REST,
    drops::SWINGING,
    free_drop::CASE,
    free_drop::WEAKLY_COMPRESSIBLE,
    free_drop::IN_SPACE,
    contact_lines::SESSILE,
    contact_lines::RISE,
    menisci::CASE,
    drops_on_walls::CASE,
    liquid_thread::CASE,
    pendant_drop::CASE,
    square_to_circle::CASE,
    oscillating_drop::CASE,
    rising_bubble::CASE,
    lock_exchange::CASE,
    layers::INTERNAL_WAVE,
    layers::RAYLEIGH_TAYLOR,
    two_phase_tank::THOUSAND,
    two_phase_tank::TWO,
    viscous_column::CASE,
    floating_prism::UPRIGHT,
    floating_prism::TILTED,
    floating_prism::ON_EDGE,
    held_balls::CASE,
    released_balls::CASE,
    still_bodies::LONG_STEPS,
    still_bodies::SHORT_STEPS,
    heaving_cylinder::CASE,
    rising_block::CASE,
    sinking_ball::SLOW,
    sinking_ball::FAST,
    dam_on_cubes::ONE,
    dam_on_cubes::THREE,
    dam_on_cubes::SIX,
    elastic::chains::CASE,
    elastic::damping::CASE,
    elastic::cantilever::PLATE_SWINGING,
    elastic::cantilever::PLATE_STATIC,
    elastic::cantilever::BAR_SWINGING,
    elastic::cantilever::BAR_STATIC,
    elastic::hanging::ROPE,
    elastic::hanging::CLOTH,
    elastic::flight::CASE,
    elastic::bounce::CASE,
    elastic::intersecting::TWIST,
    elastic::intersecting::CRUMPLE,
    elastic::intersecting::BODIES,
    elastic::bits::CASE,
    elastic::intersecting::LARGE_TWIST,
    elastic::intersecting::LARGE_CRUMPLE,
    elastic::intersecting::MANY_STEPS,
];

/// The case of this name.
pub fn find(name: &str) -> Option<&'static Case> {
    ALL.iter().find(|case| case.name == name)
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
