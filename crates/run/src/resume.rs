//! Resuming from a checkpoint: the notes of the frame loop, and whether a checkpoint fits a plan.

use super::frame_stats::FrameStats;
use super::plan::Plan;
use super::run_report::RunReport;
use hashfall_core::{Real, Vec3, has_real_square};
use hashfall_elastic::ElasticState;
use hashfall_output::{Checkpoint, History, State};
use hashfall_sph::step::Memory;
use hashfall_sph::world::{Budget, Elastic, EmitterState, OpenBoundaries, Particles};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Upper bound of every count in a checkpoint; no run reaches it.
const MAX_COUNT: u64 = 1 << 53;

/// The state of the frame loop besides the world.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Notes {
    /// The stepper's state.
    pub stepper: Memory,
    /// The steps since the last frame.
    #[serde(rename = "tally")]
    pub frame_stats: FrameStats,
    /// All steps and frames.
    pub report: RunReport,
}

/// Where a run resumes.
#[derive(Clone, Debug)]
pub struct Resumed {
    /// The last frame written.
    pub frame: u32,
    /// The state of the frame loop.
    pub notes: Notes,
}

/// Why a checkpoint does not fit a plan.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum CheckpointMismatch {
    /// The number of particles differs.
    #[error("it has {found} particles, but the scene has {expected}")]
    Particles {
        /// Particles of the checkpoint.
        found: usize,
        /// Particles of the scene, with inflow and outflow.
        expected: u64,
    },
    /// A particle's state is none that a step can leave.
    #[error("its particle {id} has a {quantity} that is not finite, or out of range")]
    InvalidParticle {
        /// The particle.
        id: u32,
        /// What of it.
        quantity: &'static str,
    },
    /// What the next step depends on beside the world is none that a step can leave.
    #[error("its state of the stepper is not finite, or out of range")]
    InvalidStepper,
    /// A particle's phase is not a fluid of the scene.
    #[error("it has particles of more than {0} fluids")]
    Phases(usize),
    /// The time is not within the steps after the frame.
    #[error("its time, {time} s, is not between frames {frame} and {}", frame.saturating_add(1))]
    Time {
        /// Simulated time of the checkpoint \[s\].
        time: f64,
        /// The last frame before it.
        frame: u32,
    },
    /// The number of frames disagrees with the last frame.
    #[error("it counts {frames} frames up to frame {frame}")]
    Frames {
        /// Frames that it counts.
        frames: u32,
        /// The last frame.
        frame: u32,
    },
    /// The number of moving bodies differs.
    #[error("it has {found} moving bodies, but the scene has {expected}")]
    Bodies {
        /// Bodies of the checkpoint.
        found: usize,
        /// Moving bodies of the scene.
        expected: usize,
    },
    /// The state of a body is not finite or not rigid.
    #[error("it has a body whose state is not finite, out of reach, or not rigid")]
    InvalidBody,
    /// The state of bodies that touch each other is not of the scene's.
    #[error("it has no state of the contact of the scene's free bodies")]
    InvalidContact,
    /// The number of elastic nodes differs.
    #[error("it has {found} nodes of elastic bodies, but the scene has {expected}")]
    ElasticNodes {
        /// Nodes of the checkpoint.
        found: usize,
        /// Nodes of the scene.
        expected: usize,
    },
    /// The state of an elastic node is not finite.
    #[error("it has an elastic node whose state is not finite, or out of reach")]
    InvalidElastic,
    /// A count that no run reaches.
    #[error("it counts {count} {what}, which is impossible")]
    Count {
        /// The count.
        count: u64,
        /// What is counted, in the plural.
        what: &'static str,
    },
    /// The inflow and outflow budget is that of other emitters or fluids.
    #[error(
        "its budget has {emitters} emitters and {fluids} fluids, but the scene has \
         {scene_emitters} and {scene_fluids}"
    )]
    Budget {
        /// Emitters of the checkpoint.
        emitters: usize,
        /// Fluids of the checkpoint.
        fluids: usize,
        /// Emitters of the scene.
        scene_emitters: usize,
        /// Fluids of the scene.
        scene_fluids: usize,
    },
    /// The budget has values that are negative or not finite.
    #[error("its budget of inflow and outflow is invalid")]
    InvalidBudget,
    /// More particles were removed than there were.
    #[error("more particles were removed than were present")]
    Outflow,
    /// A particle's birth or nozzle is not that of an emitter.
    #[error("it has particles that no emitter has emitted")]
    Birth,
}

impl Plan {
    /// Checks that a checkpoint can be one of this plan.
    ///
    /// # Errors
    /// The first disagreement.
    pub fn check_checkpoint(
        &self,
        checkpoint: &Checkpoint<Notes>,
    ) -> Result<(), CheckpointMismatch> {
        let State { time, steps, particles, account, bodies, contact, elastic } = &checkpoint.state;
        let Notes { stepper, frame_stats, report } = &checkpoint.notes;
        let frame = checkpoint.history.frame;
        let (now, next) = (self.frames.time(frame), self.frames.time(frame.saturating_add(1)));
        let (fluids, planned) = (self.world.fluids.len(), self.world.particles.len());
        self.check_budget(account, particles, *time)?;
        let expected = self.world.solids.body_states().len();
        if bodies.len() != expected {
            return Err(CheckpointMismatch::Bodies { found: bodies.len(), expected });
        }
        if !bodies.iter().all(|body| body.is_finite() && body.is_rigid()) {
            return Err(CheckpointMismatch::InvalidBody);
        }
        if self.world.check_contact_state(contact).is_err() {
            return Err(CheckpointMismatch::InvalidContact);
        }
        self.check_elastic(elastic)?;
        let expected = planned as u64 + account.all_emitted() - account.all_removed();
        let found = particles.len();
        if found as u64 != expected {
            return Err(CheckpointMismatch::Particles { found, expected });
        }
        if particles.phase.iter().any(|&phase| usize::from(phase) >= fluids) {
            return Err(CheckpointMismatch::Phases(fluids));
        }
        check_particles(particles)?;
        if !stepper.is_valid() {
            return Err(CheckpointMismatch::InvalidStepper);
        }
        if !(now..next).contains(time) {
            return Err(CheckpointMismatch::Time { time: *time, frame });
        }
        if report.frames != frame.saturating_add(1) {
            return Err(CheckpointMismatch::Frames { frames: report.frames, frame });
        }
        let mut counts = frame_stats.counts().chain(report.counts()).chain([*steps]);
        match counts.find(|&count| count > MAX_COUNT) {
            Some(count) => Err(CheckpointMismatch::Count { count, what: "steps" }),
            None => Ok(()),
        }
    }

    /// Checks that a state of elastic bodies can be one of this plan.
    fn check_elastic(&self, elastic: &ElasticState) -> Result<(), CheckpointMismatch> {
        let nodes = |it: &Elastic| it.system.node_count();
        let expected = self.world.elastic.as_ref().map_or(0, nodes);
        let found = elastic.position.len();
        if found != expected {
            return Err(CheckpointMismatch::ElasticNodes { found, expected });
        }
        let mut numbers = elastic.position.iter().chain(&elastic.velocity).flatten();
        if numbers.all(|x| has_real_square(*x)) {
            Ok(())
        } else {
            Err(CheckpointMismatch::InvalidElastic)
        }
    }

    /// Checks that a budget of inflow and outflow can be one of this plan; its counts may then be
    /// added and subtracted.
    fn check_budget(
        &self,
        account: &Budget,
        particles: &Particles,
        time: f64,
    ) -> Result<(), CheckpointMismatch> {
        let OpenBoundaries { emitters, .. } = &self.world.open_boundaries;
        let Budget { emitters: progress, emitted, removed, energy, work, outside } = account;
        let (fluids, here) = (self.world.fluids.len(), emitters.len());
        if progress.len() != here || [emitted, removed].iter().any(|c| c.len() != fluids) {
            return Err(CheckpointMismatch::Budget {
                emitters: progress.len(),
                fluids: emitted.len(),
                scene_emitters: here,
                scene_fluids: fluids,
            });
        }
        let of_emitter =
            |it: &EmitterState| [it.layers, it.left_out, it.for_room.times, it.for_pressed.times];
        let layers = progress.iter().flat_map(of_emitter);
        let mut counts = layers.chain(emitted.iter().chain(removed).copied());
        if let Some(count) = counts.find(|&count| count > MAX_COUNT) {
            return Err(CheckpointMismatch::Count { count, what: "layers or particles" });
        }
        let mut numbers =
            progress.iter().flat_map(|it| [it.travelled, it.for_room.time, it.rests_until]);
        let is_valid = |x: f64| x.is_finite() && x >= 0.0;
        if !numbers.all(is_valid)
            || ![*energy, *work, outside.total(), outside.supplied].iter().all(|x| x.is_finite())
        {
            return Err(CheckpointMismatch::InvalidBudget);
        }
        let there = self.world.particles.len() as u64 + account.all_emitted();
        if account.all_removed() > there {
            return Err(CheckpointMismatch::Outflow);
        }
        let is_odd = |(birth, &held): (&Real, &u8)| {
            !birth.is_finite() || f64::from(*birth) > 2.0 * time + 1.0 || usize::from(held) > here
        };
        if particles.birth.iter().zip(&particles.in_nozzle).any(is_odd) {
            return Err(CheckpointMismatch::Birth);
        }
        Ok(())
    }

    /// Takes the state of a checkpoint that [fits](Self::check_checkpoint) the plan.
    pub fn restore(&mut self, checkpoint: Checkpoint<Notes>) -> (History, Resumed) {
        let Checkpoint { history, state, notes, .. } = checkpoint;
        let world = &mut self.world;
        (world.time, world.steps, world.particles) = (state.time, state.steps, state.particles);
        world.open_boundaries.budget = state.account;
        world.solids.restore(&state.bodies);
        if world.rigid.is_some() {
            // The check has read it already.
            let _ = world.set_contact_state(&state.contact);
        }
        if let Some(elastic) = &mut world.elastic {
            elastic.state = state.elastic;
        }
        let frame = history.frame;
        (history, Resumed { frame, notes })
    }
}

/// Checks that the numbers of particles can be a state: places and velocities with squares, for
/// energies; a positive density, in which there is no negative part of fluid.
fn check_particles(particles: &Particles) -> Result<(), CheckpointMismatch> {
    let vector = |v: &Vec3| v.norm_squared().is_finite();
    let p = particles;
    for (i, &id) in p.id.iter().enumerate() {
        let quantities = [
            ("position", vector(&p.position[i])),
            ("velocity", vector(&p.velocity[i])),
            ("acceleration", p.acceleration[i].iter().all(|x| x.is_finite())),
            ("density", p.density[i].is_finite() && p.density[i] > 0.0),
            ("fluid fraction", p.fluid_fraction[i].is_finite() && p.fluid_fraction[i] >= 0.0),
            ("pressure", p.pressure[i].is_finite()),
        ];
        if let Some((quantity, _)) = quantities.into_iter().find(|(_, is_valid)| !is_valid) {
            return Err(CheckpointMismatch::InvalidParticle { id, quantity });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashfall_scene::{self as scene, Source};

    const SCENE: &str = "Scene(
        frames: (count: 4, rate: 10.0),
        domain: Box(min: (0, 0, 0), max: (1, 1, 1)),
        particle_radius: 0.1,
        fluids: [(name: \"water\", rest_density: 1000, viscosity: 0,
                  shapes: [Box(min: (0, 0, 0), max: (0.4, 0.4, 0.4))])],
    )";

    fn plan() -> Plan {
        let source = Source { name: String::new(), text: SCENE.to_owned() };
        Plan::from(&scene::prepare(&source, &[], &mut |_| unreachable!("no mesh")).unwrap())
    }

    /// A checkpoint that fits the plan, after frame 2.
    fn checkpoint(plan: &Plan) -> Checkpoint<Notes> {
        let report = RunReport { frames: 3, steps: 7, ..RunReport::default() };
        let notes =
            Notes { stepper: Memory::default(), frame_stats: FrameStats::default(), report };
        let state = State { time: 0.25, steps: 7, ..State::from_world(&plan.world) };
        let history = History { frame: 2, ..History::default() };
        Checkpoint { scene: String::new(), history, state, notes }
    }

    #[test]
    fn impossible_budgets_are_refused() {
        let plan = plan();
        let good = checkpoint(&plan);
        type Change = fn(&mut Checkpoint<Notes>);
        let changes: [(Change, &str); 7] = [
            (|it| it.state.account.emitters.push(EmitterState::default()), "1 emitters"),
            (|it| it.state.account.emitted.clear(), "0 fluids"),
            (|it| it.state.account.emitted[0] = u64::MAX, "it counts "),
            (|it| it.state.account.removed[0] = 9, "more particles were removed"),
            (|it| it.state.account.removed[0] = 1, "it has 8 particles, but the scene has 7"),
            (|it| it.state.particles.in_nozzle[3] = 1, "no emitter has emitted"),
            (|it| it.state.particles.birth[3] = Real::NAN, "no emitter has emitted"),
        ];
        for (change, message) in changes {
            let mut bad = good.clone();
            change(&mut bad);
            let why = plan.check_checkpoint(&bad).unwrap_err().to_string();
            assert!(why.contains(message), "{why} for {message}");
        }
    }

    #[test]
    fn numbers_that_no_step_leaves_are_refused() {
        let plan = plan();
        let good = checkpoint(&plan);
        type Change = fn(&mut Particles);
        let changes: [(Change, &str); 6] = [
            (|it| it.position[1].x = Real::NAN, "position"),
            (|it| it.velocity[1].y = 0.1 * Real::MAX, "velocity"),
            (|it| it.acceleration[1].z = Real::INFINITY, "acceleration"),
            (|it| it.density[1] = 0.0, "density"),
            (|it| it.fluid_fraction[1] = -0.1, "fluid fraction"),
            (|it| it.pressure[1] = Real::NAN, "pressure"),
        ];
        for (change, quantity) in changes {
            let mut bad = good.clone();
            change(&mut bad.state.particles);
            let id = bad.state.particles.id[1];
            let expected = CheckpointMismatch::InvalidParticle { id, quantity };
            assert_eq!(plan.check_checkpoint(&bad), Err(expected));
        }
    }

    #[test]
    fn counts_that_no_run_reaches_are_refused() {
        let plan = plan();
        let good = checkpoint(&plan);
        assert_eq!(plan.check_checkpoint(&good), Ok(()));
        let changes: [fn(&mut Checkpoint<Notes>); 5] = [
            |it| it.state.steps = u64::MAX,
            |it| it.notes.report.steps = u64::MAX,
            |it| it.notes.frame_stats.rejected = 1 << 54,
            |it| it.notes.frame_stats.iterations[1] = u64::MAX - 1,
            |it| it.notes.report.frames = u32::MAX,
        ];
        for change in changes {
            let mut bad = good.clone();
            change(&mut bad);
            let why = plan.check_checkpoint(&bad).unwrap_err().to_string();
            assert!(why.starts_with("it counts "), "{why}: {bad:?}");
        }
    }
}
