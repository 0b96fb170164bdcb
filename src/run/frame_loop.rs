//! The frame loop: step to each frame's time, audit, extract the surface, write.
//!
//! A frame stands at exactly its time. Probes are read at the start, and then after the first
//! step that reaches the next of their times: they must not change the steps. The structures are
//! matched once, outside the loop.

use super::plan::{Plan, extract_surface};
use super::report::Report;
use super::tally::Tally;
use crate::base::timer::{Stage, StageTimes};
use crate::output::{FileError, FrameRow, Recorder};
use crate::search::{BroadPhase, NeighborSearch};
use crate::step::{BlowUp, Limit, StepReport, Stepper, Wrench};
use crate::surface::Surfaces;
use crate::world::{Audit, World};
use crate::{with_broad_phase, with_neighbor_search};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;
use thiserror::Error;

/// How far a run is.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// The last frame written; 0 is the start.
    pub frame: u32,
    /// The last frame of the run.
    pub last_frame: u32,
    /// Simulated time \[s\].
    pub time: f64,
    /// Simulated time of the last frame \[s\].
    pub end_time: f64,
    /// Steps taken.
    pub steps: u64,
    /// The last time step \[s\] and what bound it; none before the first.
    pub last_step: Option<(f64, Limit)>,
}

/// Is told how a run goes.
pub trait Observer: Send {
    /// A frame has been written.
    fn frame(&mut self, progress: &Progress);
    /// A step has been taken.
    fn step(&mut self, progress: &Progress);
    /// What a step has led to.
    fn state(&mut self, _world: &World, _step: &StepReport) {}
    /// The probes have been read, at the start or as their rate asks.
    fn sample(&mut self, _world: &World, _values: &[f64]) {}
}

/// Why a run ended.
#[derive(Debug)]
pub enum End {
    /// All frames are written.
    Finished,
    /// It was asked to stop.
    Interrupted,
    /// The state went beyond computing; the frames before are whole.
    BlewUp(BlowUp),
    /// The time step became too small to ever end; the frames before are whole.
    Stalled(Stall),
    /// A file could not be written.
    Unwritable(FileError),
}

/// A time step so small that no frame would end.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[error(
    "step {step}, t = {time} s: the time step fell to {dt:e} s, limited by {}; at this rate a \
     frame takes more than {MOST_STEPS_PER_FRAME} steps",
    limit.name()
)]
pub struct Stall {
    /// Steps taken.
    pub step: u64,
    /// Simulated time \[s\].
    pub time: f64,
    /// The time step \[s\].
    pub dt: f64,
    /// What bound it.
    pub limit: Limit,
}

/// A frame of more steps than this cannot be meant: it would take hours for a handful of particles.
const MOST_STEPS_PER_FRAME: u32 = 1_000_000;

impl Plan {
    /// Runs to the end, or until `stop` is raised; then the step and its files are finished first.
    /// Without a recorder no file is written.
    pub fn run(
        self,
        recorder: Option<&mut Recorder>,
        observer: &mut dyn Observer,
        stop: &AtomicBool,
    ) -> (Report, End) {
        with_neighbor_search!(self.neighbors, Search => {
            with_broad_phase!(self.broad_phase, Boxes => {
                FrameLoop::<Search, Boxes>::run(self, recorder, observer, stop)
            })
        })
    }
}

/// A run in progress.
struct FrameLoop<'a, S, B> {
    plan: Plan,
    stepper: Stepper<S, B>,
    recorder: Option<&'a mut Recorder>,
    observer: &'a mut dyn Observer,
    stop: &'a AtomicBool,
    report: Report,
    /// The stage times when the last row was written.
    times_before: StageTimes,
    last_step: Option<(f64, Limit)>,
    /// When the probes are read next \[s\].
    next_sample: f64,
}

impl<'a, S: NeighborSearch, B: BroadPhase> FrameLoop<'a, S, B> {
    fn run(
        mut plan: Plan,
        recorder: Option<&'a mut Recorder>,
        observer: &'a mut dyn Observer,
        stop: &'a AtomicBool,
    ) -> (Report, End) {
        let start = Instant::now();
        let stepper = match Stepper::<S, B>::new(&mut plan.world) {
            Ok(stepper) => stepper,
            Err(blow_up) => return (Report::default(), End::BlewUp(blow_up)),
        };
        let mut this = FrameLoop {
            plan,
            stepper,
            recorder,
            observer,
            stop,
            report: Report::default(),
            times_before: StageTimes::default(),
            last_step: None,
            next_sample: 0.0,
        };
        let end = this.all_frames().err().unwrap_or(End::Finished);
        (this.closing_report(start), end)
    }

    fn all_frames(&mut self) -> Result<(), End> {
        self.sample();
        self.write_frame(0, &Tally::default())?;
        for frame in 1..=self.plan.frames.count {
            let tally = self.steps_to(frame)?;
            self.write_frame(frame, &tally)?;
        }
        Ok(())
    }

    /// Steps until the time of a frame.
    fn steps_to(&mut self, frame: u32) -> Result<Tally, End> {
        let until = self.plan.frames.time(frame);
        let mut tally = Tally::default();
        while self.plan.world.time < until {
            if self.stop.load(Ordering::Relaxed) {
                return Err(End::Interrupted);
            }
            let step = self.stepper.step(&mut self.plan.world, until).map_err(End::BlewUp)?;
            tally.add(&step);
            self.last_step = Some((step.dt, step.limit));
            self.report.add_step(&step);
            let progress = self.progress(frame - 1);
            self.observer.step(&progress);
            self.observer.state(&self.plan.world, &step);
            if self.plan.world.time >= self.next_sample {
                self.sample();
            }
            self.refuse_to_crawl(&step).map_err(End::Stalled)?;
        }
        Ok(tally)
    }

    /// Reads the probes.
    fn sample(&mut self) {
        let Plan { world, probes, .. } = &self.plan;
        let values = self.stepper.times.time(Stage::Output, || probes.read(world));
        if let Some(recorder) = &mut self.recorder {
            recorder.sample(world.time, &values);
        }
        self.observer.sample(world, &values);
        self.next_sample = probes.time_after(world.time);
    }

    /// A time step of nearly nothing is how most simulations that went wrong go on for ever.
    fn refuse_to_crawl(&self, step: &StepReport) -> Result<(), Stall> {
        let shortest = 1.0 / (self.plan.frames.rate * f64::from(MOST_STEPS_PER_FRAME));
        if step.limit == Limit::Frame || step.dt >= shortest {
            return Ok(());
        }
        let world = &self.plan.world;
        Err(Stall { step: world.steps, time: world.time, dt: step.dt, limit: step.limit })
    }

    /// Audits and writes the present state as a frame.
    fn write_frame(&mut self, frame: u32, tally: &Tally) -> Result<(), End> {
        let audit = Audit::of(&self.plan.world);
        let surface = self.extract_surface();
        let row = FrameRow {
            frame,
            time: self.plan.world.time,
            steps: tally.steps,
            total_steps: self.plan.world.steps,
            dt_mean: tally.dt_mean(),
            dt_min: tally.dt_min(),
            limited_by: tally.limited_by(),
            rejected: tally.rejected,
            density_error_max: tally.density_error_max,
            density_error_mean: tally.density_error_mean,
            iterations: tally.iterations_mean(),
            capped: tally.capped,
            mass: audit.mass,
            momentum: audit.momentum,
            kinetic_energy: audit.kinetic_energy,
            potential_energy: audit.potential_energy,
            max_speed: audit.max_speed,
            deepest_penetration: tally.deepest_penetration,
            outside: audit.outside,
            surface_triangles: surface.iter().map(Surfaces::triangles).sum(),
            surface_volume: surface.iter().map(Surfaces::volume).fold(0.0, |sum, v| sum + v),
            forces: self.forces(tally),
            stages: self.stepper.times.since(&self.times_before),
        };
        self.times_before = self.stepper.times;
        if let Some(recorder) = &mut self.recorder {
            let world = &self.plan.world;
            let write = || recorder.frame(frame, world, &surface, &row);
            self.stepper.times.time(Stage::Output, write).map_err(End::Unwritable)?;
        }
        self.report.add_frame(&row);
        let progress = self.progress(frame);
        self.observer.frame(&progress);
        Ok(())
    }

    /// The mean forces on the bodies since the frame before.
    fn forces(&mut self, tally: &Tally) -> Vec<Wrench> {
        let time = if tally.steps > 0 { tally.dt_sum } else { 1.0 };
        let impulses = self.stepper.take_impulses().into_iter();
        impulses.map(|impulse| impulse.map(|x| x / time)).collect()
    }

    /// The surfaces of each fluid, if they are wanted.
    fn extract_surface(&mut self) -> Vec<Surfaces> {
        let Some(settings) = self.plan.surface else { return Vec::new() };
        let world = &self.plan.world;
        self.stepper.times.time(Stage::Surface, || extract_surface(world, &settings))
    }

    fn progress(&self, frame: u32) -> Progress {
        let frames = &self.plan.frames;
        Progress {
            frame,
            last_frame: frames.count,
            time: self.plan.world.time,
            end_time: frames.time(frames.count),
            steps: self.plan.world.steps,
            last_step: self.last_step,
        }
    }

    fn closing_report(self, start: Instant) -> Report {
        Report {
            time: self.plan.world.time,
            wall: start.elapsed(),
            stages: self.stepper.times,
            digest: self.plan.world.digest(),
            ..self.report
        }
    }
}
