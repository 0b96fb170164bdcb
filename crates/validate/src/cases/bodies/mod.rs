//! Rigid bodies that the fluid moves.

pub(super) mod dam_on_cubes;
pub(super) mod floating_prism;
pub(super) mod heaving_cylinder;
pub(super) mod held_balls;
pub(super) mod released_balls;
pub(super) mod rising_block;
pub(super) mod sinking_ball;
pub(super) mod still_bodies;
mod track;
