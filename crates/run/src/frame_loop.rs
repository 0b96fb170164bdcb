//! The frame loop: steps to each frame's time, audits, extracts the surface, writes.
//!
//! A frame is at exactly its time. Probes are read at the start, and then after the first step that
//! reaches the next sampling time: they must not change the steps. Search structures are chosen
//! once, outside the loop.

#[cfg(test)]
mod tests;

use super::end::{End, MAX_STEPS_PER_FRAME, NeighborMismatch, Stall};
use super::energy::{self, EnergyBreach, EnergyReference};
use super::frame_stats::FrameStats;
use super::limits::{self, Breach};
use super::observer::{Observer, Requests, RunProgress};
use super::plan::{Plan, extract_surfaces};
use super::resume::{Notes, Resumed};
use super::run_report::RunReport;
use super::schedule::Schedule;
use super::write_thread::{Content, Job, Writer};
use hashfall_bodies::Wrench;
use hashfall_core::timer::{Stage, StageTimes};
use hashfall_output::{
    ElasticRow, EnergyAccount, Exchanged, FrameContent, FrameRow, Recorder, State, elastic_meshes,
};
use hashfall_scene::OnBreach;
use hashfall_sph::step::{Limit, StepReport, Stepper};
use hashfall_sph::world::{Audit, Particles, ViscositySolver, World};
use hashfall_surface::Surfaces;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::Instant;

impl Plan {
    /// Runs to the end, or until a stop is requested, which takes effect after the step and its
    /// files. Without a recorder no file is written.
    pub fn run(
        self,
        recorder: Option<&mut Recorder>,
        observer: &mut dyn Observer,
        requests: &Requests,
    ) -> (RunReport, End) {
        self.run_from(None, recorder, observer, requests)
    }

    /// As [`Plan::run`], but resumes where it stopped.
    pub fn run_from(
        self,
        resumed: Option<Resumed>,
        recorder: Option<&mut Recorder>,
        observer: &mut dyn Observer,
        requests: &Requests,
    ) -> (RunReport, End) {
        FrameLoop::run(self, resumed, recorder, observer, requests)
    }
}

/// A run in progress.
struct FrameLoop<'a> {
    plan: Plan,
    stepper: Stepper,
    /// `None` if no file is written, or one has failed.
    writer: Option<Writer<'a>>,
    /// Samples of the probes since the last write.
    samples: Vec<(f64, Vec<f64>)>,
    observer: &'a mut dyn Observer,
    requests: &'a Requests,
    checkpoints: Schedule,
    /// The last frame written; `None` before the first.
    frame: Option<u32>,
    /// Statistics of the steps since then.
    frame_stats: FrameStats,
    report: RunReport,
    /// The stage times when the last row was written.
    times_before: StageTimes,
    last_step: Option<(f64, Limit)>,
    /// The next sampling time \[s\].
    next_sample: f64,
}

impl FrameLoop<'_> {
    fn run(
        mut plan: Plan,
        resumed: Option<Resumed>,
        recorder: Option<&mut Recorder>,
        observer: &mut dyn Observer,
        requests: &Requests,
    ) -> (RunReport, End) {
        let start = Instant::now();
        let stepper = match &resumed {
            None => Stepper::new(&plan.structures, &mut plan.world),
            Some(resumed) => {
                Stepper::resume(&plan.structures, &mut plan.world, &resumed.notes.stepper)
            }
        };
        let (frame, notes) = resumed.map(|it| (it.frame, it.notes)).unzip();
        let (frame_stats, report) =
            notes.map(|notes| (notes.frame_stats, notes.report)).unwrap_or_default();
        let stepper = match stepper {
            Ok(stepper) => stepper,
            Err(blow_up) => {
                let digest = plan.world.digest();
                return (RunReport { digest, ..report }, End::BlewUp(blow_up));
            }
        };
        thread::scope(|scope| {
            let writer = match recorder.map(|recorder| Writer::start(scope, recorder)).transpose() {
                Ok(writer) => writer,
                Err(error) => return (report, End::Unwritable(error)),
            };
            let mut this = FrameLoop {
                stepper,
                writer,
                samples: Vec::new(),
                observer,
                requests,
                checkpoints: Schedule::new(plan.checkpoints),
                frame,
                frame_stats,
                report,
                times_before: StageTimes::default(),
                last_step: None,
                next_sample: plan.probes.time_after(plan.world.time),
                plan,
            };
            let end = this.all_frames().err().unwrap_or(End::Finished);
            let written = this.writer.take().map_or(Ok(()), Writer::finish);
            let end = match (end, written) {
                (End::Finished | End::Interrupted, Err(error)) => End::Unwritable(error),
                (end, _) => end,
            };
            (this.closing_report(start), end)
        })
    }

    fn all_frames(&mut self) -> Result<(), End> {
        self.check_neighbors()?;
        if self.frame.is_none() {
            self.sample();
            self.write_frame(0)?;
        }
        while let Some(next) = self.next_frame() {
            self.steps_to(next)?;
            self.write_frame(next)?;
            if self.checkpoints.is_due_after(next) || self.next_frame().is_none() {
                self.write_checkpoint()?;
            }
        }
        Ok(())
    }

    /// The next frame, if there is one.
    fn next_frame(&self) -> Option<u32> {
        let next = self.frame.map_or(0, |frame| frame + 1);
        (next <= self.plan.frames.count).then_some(next)
    }

    /// Steps until the time of a frame.
    fn steps_to(&mut self, frame: u32) -> Result<(), End> {
        let until = self.plan.frames.time(frame);
        while self.plan.world.time < until {
            self.handle_requests()?;
            self.observer.before_step(&mut self.plan.world, &mut self.stepper);
            self.handle_stop()?;
            let step = self.stepper.step(&mut self.plan.world, until).map_err(End::BlewUp);
            // Wrong neighbours may be why the state blew up.
            self.check_neighbors()?;
            let step = step?;
            self.frame_stats.add(&step);
            let impulses = self.stepper.step_impulses();
            self.frame_stats.bodies.add(&self.plan.world, step.dt, &impulses);
            self.last_step = Some((step.dt, step.limit));
            self.report.add_step(&self.plan.world, &step);
            let progress = self.progress(frame - 1);
            self.observer.step(&progress);
            self.observer.state(&self.plan.world, &step);
            if self.plan.world.time >= self.next_sample {
                self.sample();
            }
            self.check_step_size(&step).map_err(End::Stalled)?;
            let Plan { limits, world, .. } = &self.plan;
            self.handle_breach(limits::after_step(limits, world, &step))?;
            self.check_energy(energy::after_step)?;
        }
        Ok(())
    }

    /// Ends the run if a search was found to be wrong.
    fn check_neighbors(&self) -> Result<(), End> {
        let world = &self.plan.world;
        self.stepper.wrong_neighbors().map_or(Ok(()), |what| {
            Err(End::WrongNeighbors(NeighborMismatch { step: world.steps, time: world.time, what }))
        })
    }

    /// Ends the run at a breach of its limits, or counts it.
    fn handle_breach(&mut self, breach: Option<Breach>) -> Result<(), End> {
        match (breach, self.plan.limits.on_breach) {
            (Some(breach), OnBreach::Stop) => Err(End::Breached(breach)),
            (Some(breach), OnBreach::Warn) => {
                self.report.add_breach(&breach);
                Ok(())
            }
            (None, _) => Ok(()),
        }
    }

    /// Checks the energy; the first check takes the reference.
    fn check_energy(&mut self, check: energy::Check) -> Result<(), End> {
        let Plan { world, frames, limits, .. } = &self.plan;
        let energy = &mut self.report.energy;
        let reference = energy.get_or_insert_with(|| EnergyReference::new(world, frames.rate));
        let breach = check(limits, world, reference);
        if let Some(EnergyBreach { breach, ends_run: false }) = &breach {
            self.report.add_breach(breach);
            return Ok(());
        }
        self.handle_breach(breach.map(|it| it.breach))
    }

    /// Writes a checkpoint if one is requested or due, and stops on request.
    fn handle_requests(&mut self) -> Result<(), End> {
        let stop = self.requests.stop.load(Ordering::Relaxed);
        let is_requested = self.requests.checkpoint.swap(false, Ordering::Relaxed);
        if stop || is_requested || self.checkpoints.is_due() {
            self.write_checkpoint()?;
        }
        if stop { Err(End::Interrupted) } else { Ok(()) }
    }

    /// Stops, with a checkpoint, if the observer has just asked for it.
    fn handle_stop(&mut self) -> Result<(), End> {
        if self.requests.stop.load(Ordering::Relaxed) { self.handle_requests() } else { Ok(()) }
    }

    /// Writes a checkpoint of the present state, if the run has any.
    fn write_checkpoint(&mut self) -> Result<(), End> {
        let Some(frame) = self.frame.filter(|_| self.checkpoints.is_enabled()) else {
            return Ok(());
        };
        let notes = Box::new(Notes {
            stepper: self.stepper.memory(),
            frame_stats: self.frame_stats.clone(),
            report: self.report.clone(),
        });
        self.checkpoints.restart();
        self.write(|world| {
            let state = Box::new(State::from_world(world));
            Content::Checkpoint { frame, state, notes }
        })
    }

    /// Hands over a frame or checkpoint to the writing thread, if there is one.
    fn write(&mut self, content: impl FnOnce(&World) -> Content) -> Result<(), End> {
        let Some(writer) = self.writer.take() else { return Ok(()) };
        let samples = std::mem::take(&mut self.samples);
        let world = &self.plan.world;
        let hand_over = || {
            let content = content(world);
            writer.write(Job { samples, content })
        };
        let handed_over = self.stepper.times.time(Stage::Output, hand_over);
        self.writer = Some(handed_over.map_err(End::Unwritable)?);
        Ok(())
    }

    /// Reads the probes.
    fn sample(&mut self) {
        let Plan { world, probes, .. } = &self.plan;
        let values = self.stepper.times.time(Stage::Output, || probes.read(world));
        self.observer.sample(world, &values);
        if self.writer.is_some() {
            self.samples.push((world.time, values));
        }
        self.next_sample = probes.time_after(world.time);
    }

    /// Ends the run if its time step is too small to finish a frame.
    fn check_step_size(&self, step: &StepReport) -> Result<(), Stall> {
        let min_dt = 1.0 / (self.plan.frames.rate * f64::from(MAX_STEPS_PER_FRAME));
        if step.limit == Limit::Frame || step.dt >= min_dt {
            return Ok(());
        }
        let world = &self.plan.world;
        let (dt, limit, fastest) = (step.dt, step.limit, limits::fastest(world));
        let rejection = self.stepper.rejection().cloned().map(Box::new);
        Err(Stall { step: world.steps, time: world.time, dt, limit, fastest, rejection })
    }

    /// Audits and writes the present state as a frame.
    fn write_frame(&mut self, frame: u32) -> Result<(), End> {
        let mut frame_stats = std::mem::take(&mut self.frame_stats);
        let bodies = frame_stats.bodies.rows(&self.plan.world, frame_stats.dt_sum);
        self.frame_stats.bodies = std::mem::take(&mut frame_stats.bodies);
        if !bodies.is_empty() {
            self.observer.bodies(frame, self.plan.world.time, &bodies);
        }
        let audit = Audit::new(&self.plan.world);
        self.check_energy(energy::at_frame)?;
        let surface = self.extract_surface();
        let elastic = elastic_row(&self.plan.world, &frame_stats);
        self.report.intersections = elastic.map_or(0, |row| row.intersections);
        let row = FrameRow {
            frame,
            time: self.plan.world.time,
            steps: frame_stats.steps,
            total_steps: self.plan.world.steps,
            dt_mean: frame_stats.dt_mean(),
            dt_min: frame_stats.dt_min,
            limited_by: frame_stats.limited_by(),
            rejected: frame_stats.rejected,
            density_error_max: frame_stats.density_error_max,
            density_error_mean: frame_stats.density_error_mean,
            iterations: frame_stats.iterations_mean(),
            capped: frame_stats.capped,
            viscosity: (self.plan.world.viscosity == ViscositySolver::Implicit)
                .then(|| (frame_stats.viscosity_iterations_mean(), frame_stats.viscosity[1])),
            contact: self.plan.world.rigid.as_ref().map(|_| frame_stats.contact),
            mass: audit.mass,
            exchanged: Exchanged::from_world(&self.plan.world),
            energy: EnergyAccount::from_world(&self.plan.world),
            momentum: audit.momentum,
            kinetic_energy: audit.kinetic_energy,
            potential_energy: audit.potential_energy,
            max_speed: audit.max_speed,
            deepest_penetration: frame_stats.deepest_penetration,
            outside: audit.outside,
            surface_triangles: surface.iter().map(Surfaces::triangles).sum(),
            surface_volume: surface.iter().map(Surfaces::volume).fold(0.0, |sum, v| sum + v),
            digest: self.plan.world.digest(),
            body_digest: self.plan.world.body_digest(),
            elastic,
            forces: self.forces(&frame_stats),
            stages: self.stepper.times.since(&self.times_before),
        };
        self.times_before = self.stepper.times;
        self.observer.forces(row.time, &row.forces);
        let row = Box::new(row);
        let has_particles = self.plan.output.has_particles(frame);
        self.write(|world| {
            let particles =
                if has_particles { world.particles.clone() } else { Particles::default() };
            let elastic = world.elastic.as_ref().map(elastic_meshes::all).unwrap_or_default();
            let moving = world.solids.body_states().to_vec();
            let content = FrameContent { particles, surfaces: surface, elastic, moving, bodies };
            Content::Frame { row, content: Box::new(content) }
        })?;
        if self.observer.awaits_files() {
            self.write(|_| Content::Nothing)?;
        }
        if let Some(forecast) = self.writer.as_ref().and_then(Writer::forecast) {
            self.observer.forecast(&forecast);
        }
        self.frame = Some(frame);
        self.report.add_frame();
        let progress = self.progress(frame);
        self.observer.frame(&progress);
        Ok(())
    }

    /// The mean forces on the bodies since the frame before.
    fn forces(&mut self, frame_stats: &FrameStats) -> Vec<Wrench> {
        let time = if frame_stats.steps > 0 { frame_stats.dt_sum } else { 1.0 };
        let solids = &self.plan.world.solids;
        // What the fluid does to elastic bodies they do not feel.
        let bodies = solids.body_count() - solids.deforming_meshes().count();
        // Of further balls of a field the table of bodies tells.
        let bodies = bodies.min(1 + self.plan.solid_count);
        let impulses = self.stepper.take_impulses().into_iter().take(bodies);
        impulses.map(|impulse| impulse / time).collect()
    }

    /// The surfaces of each fluid, if the run writes any.
    fn extract_surface(&mut self) -> Vec<Surfaces> {
        let Some(settings) = self.plan.surface else { return Vec::new() };
        let world = &self.plan.world;
        self.stepper.times.time(Stage::Surface, || extract_surfaces(world, &settings))
    }

    fn progress(&self, frame: u32) -> RunProgress {
        let frames = &self.plan.frames;
        RunProgress {
            frame,
            last_frame: frames.count,
            time: self.plan.world.time,
            end_time: frames.time(frames.count),
            steps: self.plan.world.steps,
            last_step: self.last_step,
        }
    }

    fn closing_report(self, start: Instant) -> RunReport {
        let FrameLoop { plan: Plan { world, .. }, stepper, report, observer, .. } = self;
        let report = RunReport {
            time: world.time,
            wall: start.elapsed(),
            stages: stepper.times,
            digest: world.digest(),
            elastic_digest: world.elastic_digest(),
            has_fluid: !world.fluids.is_empty(),
            emitters: world.open_boundaries.budget.emitters.clone(),
            ..report
        };
        observer.end(world, stepper);
        report
    }
}

/// What the row of a frame tells of elastic bodies, if there are any.
fn elastic_row(world: &World, stats: &FrameStats) -> Option<ElasticRow> {
    let (audit, digest) = world.elastic_audit().zip(world.elastic_digest())?;
    let [_, contacts, passages] = stats.elastic;
    let intersections = world.elastic_intersections()? as u64;
    let substeps = stats.substeps_mean();
    Some(ElasticRow { audit, substeps, contacts, passages, intersections, digest })
}
