//! Elastic bodies: a state of their nodes, and settings of their solver.

use super::ranges::{at_least_one, not_negative, out_of_range, positive};
use crate::world::{ContactMode, Elastic, ElasticSolver, World, WorldError};
use hashfall_core::{Dimension, has_real_square};

impl World {
    pub(super) fn validate_elastic(&self) -> Result<(), WorldError> {
        let Some(Elastic { system, state, solver, contact }) = &self.elastic else {
            return Ok(());
        };
        let counts = [state.position.len(), state.velocity.len()];
        let problems = [
            (self.dimension == Dimension::Two, "are for three dimensions"),
            (self.is_periodic(), "do not go across periodic sides"),
            (self.solver.settings().halvings() > 0, "are not supported beside individual steps"),
            (counts != [system.node_count(); 2], "have another number of nodes than their state"),
            (
                system.tied_bodies() > self.solids.body_states().len(),
                "are tied to a solid that does not move",
            ),
        ];
        if let Some((_, problem)) = problems.into_iter().find(|(is_there, _)| *is_there) {
            return Err(WorldError::Elastic { problem });
        }
        validate_solver(solver)?;
        contact.as_ref().map_or(Ok(()), validate_contact_mode)
    }

    /// The places and velocities of the nodes.
    pub(super) fn validate_nodes(&self) -> Result<(), WorldError> {
        let Some(Elastic { state, .. }) = &self.elastic else { return Ok(()) };
        let mut all = state.position.iter().chain(&state.velocity).flat_map(|x| x.iter());
        match all.all(|x| has_real_square(*x)) {
            true => Ok(()),
            false => Err(WorldError::Elastic {
                problem: "have a node that is not finite, or without a finite square",
            }),
        }
    }
}

fn validate_solver(solver: &ElasticSolver) -> Result<(), WorldError> {
    let name = |field: &str| format!("elastic.solver.{field}");
    match solver {
        ElasticSolver::Symplectic(settings) => {
            let ratio = settings.substep_ratio;
            let is_part = ratio > 0.0 && ratio < 1.0;
            if !is_part {
                return Err(out_of_range(&name("substep_ratio"), ratio, "above 0 and below 1"));
            }
            at_least_one(&name("max_substeps"), settings.max_substeps.into())
        }
        ElasticSolver::Implicit(settings) => {
            positive(&name("tolerance"), settings.tolerance)?;
            at_least_one(&name("substeps"), settings.substeps.into())?;
            at_least_one(&name("max_newton"), settings.max_newton.into())?;
            at_least_one(
                &name("max_conjugate_gradients"),
                settings.max_conjugate_gradients.into(),
            )?;
            at_least_one(&name("contact_rounds"), settings.contact_rounds.into())
        }
    }
}

fn validate_contact_mode(mode: &ContactMode) -> Result<(), WorldError> {
    match mode {
        ContactMode::Full => Ok(()),
        ContactMode::SpatialHash(settings) => {
            let name = |field: &str| format!("elastic.contact.{field}");
            positive(&name("cell_ratio"), settings.cell_ratio)?;
            positive(&name("table_ratio"), settings.table_ratio)?;
            not_negative(&name("depth"), settings.depth)
        }
    }
}
