//! The list of force terms, a line each, in the order in which they act.

use crate::step::schemes::scheme::PressureScheme;
use crate::step::terms::nozzle_hold::NozzleHold;
use crate::step::terms::tension::Tension;
use crate::step::terms::term::{ForceTerm, NewTerm};
use crate::step::terms::viscosity::explicit::ExplicitViscosity;
use crate::step::terms::viscosity::implicit::ImplicitViscosity;
use crate::world::World;
use hashfall_core::simd::Isa;

/// Terms in the order in which they act.
const TERMS: [NewTerm; 4] = [
    Tension::for_world,
    ExplicitViscosity::for_world,
    NozzleHold::for_world, // before implicit terms, whose step fluid in nozzles does not limit
    ImplicitViscosity::for_world,
];

/// The terms that a world needs.
pub fn new_terms(world: &World, scheme: &dyn PressureScheme, isa: Isa) -> Vec<Box<dyn ForceTerm>> {
    TERMS.iter().filter_map(|new| new(world, scheme, isa)).collect()
}
