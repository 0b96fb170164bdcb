//! What a step reports.

use crate::step::schemes::projection::Solved;
use crate::step::time_step::limits::Limit;

/// What one step did.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepReport {
    /// The time step \[s\].
    pub dt: f64,
    /// What bound it.
    pub limit: Limit,
    /// Steps that were tried before it and taken back: longer ones ([`Limit::Rejection`]), and
    /// those in which emitters stalled.
    pub rejected: u32,
    /// Largest compression ρ/ρ₀ − 1 after the step \[–\]; 0 if nothing is compressed.
    pub density_error_max: f64,
    /// Mean of the compression over all particles \[–\].
    pub density_error_mean: f64,
    /// How deep a particle's centre lies beyond a surface offset by its radius, in spacings.
    pub deepest_penetration: f64,
    /// The same of the particles that no two solids confine which leave them no room.
    pub unconfined_penetration: f64,
    /// The id of the particle that this is of; 0 if none is too deep.
    pub deepest_particle: u32,
    /// How the displacements that keep the density were found; no iterations where none are needed.
    pub density: Solved,
    /// How the pressures against divergence were found.
    pub divergence: Solved,
    /// How the velocities that an implicit viscosity leads to were found; no iterations where it is
    /// a force.
    pub viscosity: Solved,
    /// What elastic bodies did; nothing if there are none.
    pub elastic: hashfall_elastic::StepReport,
}
