//! What a step reports.

use crate::step::solved::{IterationCounts, Solved};
use crate::step::time_step::limits::Limit;
use hashfall_rigid::ContactReport;

/// What one step did. Iterations are those of all tries, of the steps that were taken back, too,
/// and of all half kicks: before the first step there are two projections.
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
    /// How contact of free bodies was solved; nothing without any.
    pub contact: ContactSummary,
}

impl StepReport {
    /// With these counts of iterations.
    pub(super) fn with_iterations(mut self, counts: IterationCounts) -> Self {
        self.density.iterations = counts.density;
        self.divergence.iterations = counts.divergence;
        self.viscosity.iterations = counts.viscosity;
        self
    }
}

/// An error of contact that is told \[–\]: one of a ten thousandth of the speed is not seen.
const TOLD_ERROR: f64 = 1e-4;

/// How contact of free bodies was solved in a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ContactSummary {
    /// The most contact points of a solution.
    pub points: u32,
    /// The most groups of bodies in contact of a solution that ended above the tolerance.
    pub unconverged: u32,
    /// The largest speed by which a contact of them misses its law, over the largest that contacts
    /// of its group undo \[–\].
    pub residual: f64,
    /// The most times that pressures were found again because bodies touched otherwise than was
    /// predicted.
    pub rounds: u32,
    /// Projections after which bodies still touch otherwise than the pressures were found for.
    pub inexact_projections: u32,
    /// By how much bodies then move otherwise, at the most, over what impulses give a body that
    /// touches nothing \[–\].
    pub projection_error: f64,
    /// Impacts of fast bodies within the drift.
    pub impacts: u32,
    /// Groups of bodies that were stopped short of the end of the step, for too many impacts.
    pub stopped: u32,
}

impl ContactSummary {
    /// Adds a solution.
    pub(super) fn add(&mut self, report: &ContactReport) {
        self.points = self.points.max(report.points);
        self.unconverged = self.unconverged.max(report.unconverged);
        self.residual = self.residual.max(report.residual);
    }

    /// Whether more was left unsolved than a ten thousandth of the speed.
    pub fn is_inexact(&self) -> bool {
        self.residual.max(self.projection_error) > TOLD_ERROR || self.stopped > 0
    }
}
