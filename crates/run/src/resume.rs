//! Going on from a checkpoint: what the frame loop notes, and whether a checkpoint suits a plan.

use super::frame_stats::FrameStats;
use super::plan::Plan;
use super::run_report::RunReport;
use hashfall_core::Real;
use hashfall_output::{Checkpoint, History, State};
use hashfall_sph::step::Memory;
use hashfall_sph::world::{Budget, EmitterState, OpenBoundaries, Particles};
use serde::{Deserialize, Serialize};

/// No run counts as much of anything; from here on there is room to count on in 64 bits.
const MAX_COUNTED: u64 = 1 << 53;

/// What the frame loop knows beside the world.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Notes {
    /// The stepper's.
    pub stepper: Memory,
    /// The steps since the last frame.
    #[serde(rename = "tally")]
    pub frame_stats: FrameStats,
    /// All steps and frames.
    pub report: RunReport,
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
        let State { time, steps, particles, account, bodies } = &checkpoint.state;
        let Notes { frame_stats, report, .. } = &checkpoint.notes;
        let frame = checkpoint.past.frame;
        let (now, next) = (self.frames.time(frame), self.frames.time(frame.saturating_add(1)));
        let (fluids, planned) = (self.world.fluids.len(), self.world.particles.len());
        self.suits_account(account, particles, *time)?;
        let moving = self.world.solids.body_states().len();
        if bodies.len() != moving {
            let count = bodies.len();
            return Err(format!("it has {count} bodies that move, and the scene {moving}"));
        }
        if !bodies.iter().all(|body| body.is_finite() && body.is_rigid()) {
            return Err("it has a body whose state is not finite, or not rigid".to_owned());
        }
        let expected = planned as u64 + account.all_emitted() - account.all_removed();
        if particles.len() as u64 != expected {
            return Err(format!("it has {} particles, and the scene {expected}", particles.len()));
        }
        if particles.phase.iter().any(|&phase| usize::from(phase) >= fluids) {
            return Err(format!("it has particles of more than {fluids} fluids"));
        }
        if !(now..next).contains(time) {
            return Err(format!("its time, {time} s, is not in the steps after frame {frame}"));
        }
        if report.frames != frame.saturating_add(1) {
            return Err(format!("it counts {} frames up to frame {frame}", report.frames));
        }
        let mut counts = frame_stats.counts().chain(report.counts()).chain([*steps]);
        if let Some(count) = counts.find(|&count| count > MAX_COUNTED) {
            return Err(format!("it counts {count} steps, or the like, as no run can"));
        }
        Ok(())
    }

    /// Whether an account of what came and went can be one of this plan; so many as it tells may
    /// be added and taken off.
    fn suits_account(
        &self,
        account: &Budget,
        particles: &Particles,
        time: f64,
    ) -> Result<(), String> {
        let OpenBoundaries { emitters, .. } = &self.world.open_boundaries;
        let Budget { emitters: progress, emitted, removed, energy, work } = account;
        let (fluids, here) = (self.world.fluids.len(), emitters.len());
        if progress.len() != here || [emitted, removed].iter().any(|c| c.len() != fluids) {
            let (of, counted) = (progress.len(), emitted.len());
            let told = format!("it tells of {of} emitters and {counted} fluids");
            return Err(format!("{told}, and the scene has {here} and {fluids}"));
        }
        let of_emitter =
            |it: &EmitterState| [it.layers, it.left_out, it.for_room.times, it.for_pressed.times];
        let layers = progress.iter().flat_map(of_emitter);
        let mut counts = layers.chain(emitted.iter().chain(removed).copied());
        if let Some(count) = counts.find(|&count| count > MAX_COUNTED) {
            return Err(format!("it counts {count} layers, or the like, as no run can"));
        }
        let mut numbers =
            progress.iter().flat_map(|it| [it.travelled, it.for_room.time, it.rests_until]);
        let is_told = |way: f64| way.is_finite() && way >= 0.0;
        if !numbers.all(is_told) || !energy.is_finite() || !work.is_finite() {
            return Err("its account of what came and went is none".to_owned());
        }
        let there = self.world.particles.len() as u64 + account.all_emitted();
        if account.all_removed() > there {
            return Err("more particles went out than came in".to_owned());
        }
        let is_odd = |(birth, &held): (&Real, &u8)| {
            !birth.is_finite() || f64::from(*birth) > 2.0 * time + 1.0 || usize::from(held) > here
        };
        if particles.birth.iter().zip(&particles.in_nozzle).any(is_odd) {
            return Err("it has particles that no emitter has let in".to_owned());
        }
        Ok(())
    }

    /// Takes the state of a checkpoint that [suits](Self::suits) the plan.
    pub fn take_up(&mut self, checkpoint: Checkpoint<Notes>) -> (History, Resumed) {
        let Checkpoint { past, state, notes, .. } = checkpoint;
        let world = &mut self.world;
        (world.time, world.steps, world.particles) = (state.time, state.steps, state.particles);
        world.open_boundaries.budget = state.account;
        world.solids.restore(&state.bodies);
        let frame = past.frame;
        (past, Resumed { frame, notes })
    }
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

    /// One that suits the plan, after frame 2.
    fn checkpoint(plan: &Plan) -> Checkpoint<Notes> {
        let report = RunReport { frames: 3, steps: 7, ..RunReport::default() };
        let notes =
            Notes { stepper: Memory::default(), frame_stats: FrameStats::default(), report };
        let state = State { time: 0.25, steps: 7, ..State::from_world(&plan.world) };
        let past = History { frame: 2, ..History::default() };
        Checkpoint { scene: String::new(), past, state, notes }
    }

    #[test]
    fn an_account_that_no_run_has_is_refused() {
        let plan = plan();
        let good = checkpoint(&plan);
        type Change = fn(&mut Checkpoint<Notes>);
        let changes: [(Change, &str); 7] = [
            (|it| it.state.account.emitters.push(EmitterState::default()), "1 emitters"),
            (|it| it.state.account.emitted.clear(), "0 fluids"),
            (|it| it.state.account.emitted[0] = u64::MAX, "it counts "),
            (|it| it.state.account.removed[0] = 9, "more particles went out"),
            (|it| it.state.account.removed[0] = 1, "it has 8 particles, and the scene 7"),
            (|it| it.state.particles.in_nozzle[3] = 1, "no emitter has let in"),
            (|it| it.state.particles.birth[3] = Real::NAN, "no emitter has let in"),
        ];
        for (change, message) in changes {
            let mut bad = good.clone();
            change(&mut bad);
            let why = plan.suits(&bad).unwrap_err();
            assert!(why.contains(message), "{why} for {message}");
        }
    }

    #[test]
    fn counts_that_no_run_reaches_are_refused() {
        let plan = plan();
        let good = checkpoint(&plan);
        assert_eq!(plan.suits(&good), Ok(()));
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
            assert!(plan.suits(&bad).unwrap_err().starts_with("it counts "), "{bad:?}");
        }
    }
}
