//! The longest stable substep at a state, by a rigorous bound of frequencies and damping rates.
//!
//! At node i the elements add up matrices Sᵢ and Dᵢ such that the whole stiffness and damping are
//! at most the block-diagonal ones of these. Velocity Verlet with the velocity of the damping
//! extrapolated to the end of the substep is stable where h² K/4 + h D is at most M: for one mode
//! that is exact, by Jury's criterion: ω² h²/4 + d h ≤ 1. So it is stable if for each node
//! h ≤ 2/(d + √(d² + ω²)), with ω² and d the largest eigenvalues of Sᵢ/mᵢ and Dᵢ/mᵢ + α.
//!
//! For a chain of equal springs the bound is exact, ω² = 4k/m; the matrices keep what springs in
//! other directions do not resist, which sums of their norms would not.
//!
//! Symbols: h substep \[s\], ω angular frequency, d, α damping rates \[1/s\], m mass \[kg\].

use super::step::StepError;
use crate::energy::{CornerBound, NodeBound, SlotBuffer};
use crate::state::ElasticState;
use crate::system::ElasticSystem;
use hashfall_bodies::largest_eigenvalue;
use hashfall_core::parallel;

/// The longest stable substep, and the node that allows no longer one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StableSubstep {
    /// \[s\]; infinite if nothing swings.
    pub dt: f64,
    /// Of all nodes.
    pub node: usize,
}

/// Its memory.
#[derive(Clone, Debug, Default)]
pub struct SubstepBuffer {
    slots: SlotBuffer<CornerBound>,
    bounds: Vec<NodeBound>,
    substeps: Vec<f64>,
}

impl StableSubstep {
    /// That of bodies in a state.
    pub fn new(system: &ElasticSystem, state: &ElasticState, buffer: &mut SubstepBuffer) -> Self {
        StableSubstep::with_damping(system, state, true, buffer)
    }

    /// What it would be if nothing were damped: two over the bound of all angular frequencies.
    pub fn undamped(
        system: &ElasticSystem,
        state: &ElasticState,
        buffer: &mut SubstepBuffer,
    ) -> Self {
        StableSubstep::with_damping(system, state, false, buffer)
    }

    /// With all damping, or with none.
    fn with_damping(
        system: &ElasticSystem,
        state: &ElasticState,
        is_damped: bool,
        buffer: &mut SubstepBuffer,
    ) -> Self {
        let SubstepBuffer { slots, bounds, substeps } = buffer;
        bounds.resize(system.node_count(), NodeBound::default());
        substeps.resize(system.node_count(), f64::INFINITY);
        system.energies().bounds(&state.position, is_damped, slots, bounds);
        let (inverse_mass, rates) = (system.inverse_mass(), system.damping_rates());
        parallel::fill(substeps, |node, substep| {
            let inverse_mass = inverse_mass[node];
            *substep = if inverse_mass == 0.0 {
                f64::INFINITY
            } else {
                let squared = largest_eigenvalue(&bounds[node].stiffness) * inverse_mass;
                let rate = match is_damped {
                    true => largest_eigenvalue(&bounds[node].damping) * inverse_mass + rates[node],
                    false => 0.0,
                };
                2.0 / (rate + (rate * rate + squared).sqrt())
            };
        });
        let shorter = |best: (f64, usize), (node, &dt): (usize, &f64)| {
            if dt < best.0 || dt.is_nan() { (dt, node) } else { best }
        };
        let (dt, node) = substeps.iter().enumerate().fold((f64::INFINITY, 0), shorter);
        StableSubstep { dt, node }
    }

    /// How many substeps of at most `ratio` times this one a step needs.
    ///
    /// # Errors
    /// If that is more than `limit`.
    pub(crate) fn count(
        &self,
        system: &ElasticSystem,
        state: &ElasticState,
        [time, dt, ratio]: [f64; 3],
        limit: u32,
    ) -> Result<u32, StepError> {
        let substep = self.dt * ratio;
        // A little less than a whole number is that number.
        let count = (dt / substep - 1e-9).ceil().max(1.0);
        if count <= f64::from(limit) {
            return Ok(count as u32);
        }
        let (body, node) = system.locate(self.node);
        let place = state.position[self.node].into();
        let body = body.name.clone();
        Err(StepError::TooManySubsteps { body, node, place, substep, dt, time, limit })
    }
}
