//! Going on from a checkpoint: what the frame loop notes, and whether a checkpoint suits a plan.

use super::plan::Plan;
use super::report::Report;
use super::tally::Tally;
use crate::output::{Checkpoint, Past, State};
use crate::step::Memory;
use serde::{Deserialize, Serialize};

/// What the frame loop knows beside the world.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Notes {
    /// The stepper's.
    pub stepper: Memory,
    /// The steps since the last frame.
    pub tally: Tally,
    /// All steps and frames.
    pub report: Report,
}

/// Where a run goes on.
#[derive(Clone, Debug)]
pub struct Resumed {
    /// The last frame that is written.
    pub frame: u32,
    /// What was noted.
    pub notes: Notes,
}

impl Plan {
    /// Whether a checkpoint can be one of this plan.
    ///
    /// # Errors
    /// What does not agree.
    pub fn suits(&self, checkpoint: &Checkpoint<Notes>) -> Result<(), String> {
        let State { time, particles, .. } = &checkpoint.state;
        let frame = checkpoint.past.frame;
        let (now, next) = (self.frames.time(frame), self.frames.time(frame.saturating_add(1)));
        let (fluids, planned) = (self.world.fluids.len(), self.world.particles.len());
        if particles.len() != planned {
            return Err(format!("it has {} particles, and the scene {planned}", particles.len()));
        }
        if particles.phase.iter().any(|&phase| usize::from(phase) >= fluids) {
            return Err(format!("it has particles of more than {fluids} fluids"));
        }
        if !(now..next).contains(time) {
            return Err(format!("its time, {time} s, is not in the steps after frame {frame}"));
        }
        Ok(())
    }

    /// Takes the state of a checkpoint that [suits](Self::suits) the plan.
    pub fn take_up(&mut self, checkpoint: Checkpoint<Notes>) -> (Past, Resumed) {
        let Checkpoint { past, state, notes, .. } = checkpoint;
        let world = &mut self.world;
        (world.time, world.steps, world.particles) = (state.time, state.steps, state.particles);
        let frame = past.frame;
        (past, Resumed { frame, notes })
    }
}
