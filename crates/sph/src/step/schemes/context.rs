//! What a stage of the step hands to schemes and terms.

use crate::step::bodies::coupling::BodyCoupling;
use crate::step::boundary::reactions::Reactions;
use crate::step::pairs::neighborhood::Neighborhood;
use crate::step::pairs::pair_data::PairData;
use hashfall_core::Real;

/// What a stage works on beside the world.
#[derive(Debug)]
pub struct StageContext<'a> {
    /// Neighbours and solids near each particle.
    pub neighborhood: &'a Neighborhood,
    /// What loops over pairs read.
    pub pairs: &'a mut PairData,
    /// The bodies that the fluid moves.
    pub bodies: &'a mut BodyCoupling,
    /// Takes the forces on solids.
    pub reactions: &'a mut Reactions,
    /// Which particles keep their forces; empty if none do.
    pub inactive: &'a [bool],
}

/// Half a kick.
#[derive(Clone, Copy, Debug)]
pub struct HalfKick {
    /// The whole step \[s\].
    pub dt: Real,
    /// The strongest force by all but implicit terms \[m/s²\]; `None` without such terms.
    pub explicit_force: Option<f64>,
}
