//! The passes over a run's frames.

use super::error::FoamError;
use super::reader::read_diffuse;
use super::record::{FoamRecord, FoamRow};
use super::source::FrameSource;
use crate::plan::Plan;
use hashfall_core::{Vec3, to_f64, vec3};
use hashfall_foam::{
    Acceleration, Diffuse, FoamFormat, FoamScene, FoamSettings, FoamStepper, LimitSearch, Limits,
    Periodicity, PotentialSums, Region, Resolution, Surroundings,
};
use hashfall_geometry::Point;
use hashfall_output::files::Write;
use hashfall_output::series::{Entry, encode};
use hashfall_output::{StoppedRun, foam, layout};
use hashfall_sph::world::{BodyField, Sink, World};
use std::sync::atomic::{AtomicBool, Ordering};

/// Diffuse particles of a run.
pub struct FoamPass<'a> {
    /// The run, whose folder is locked.
    pub run: &'a StoppedRun,
    /// Its plan.
    pub plan: &'a Plan,
    /// The names of its solids.
    pub solid_names: &'a [Option<String>],
    /// What is emitted and how it moves.
    pub settings: &'a FoamSettings,
}

/// Is told how far it is.
pub trait FoamObserver {
    /// A pass over this number of frames begins.
    fn start_pass(&mut self, what: FoamStage, frames: u32);
    /// A frame of the pass is done.
    fn advance(&mut self);
    /// The limits were found or given.
    fn limits(&mut self, limits: &Limits);
    /// The computation resumes after this frame.
    fn resumed(&mut self, after: u32);
}

/// A pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FoamStage {
    /// That finds limits.
    Limits,
    /// That writes frames.
    Frames,
}

/// What was done.
#[derive(Clone, Debug, PartialEq)]
pub struct FoamReport {
    /// The record; its last row is the last frame.
    pub record: FoamRecord,
    /// Frames that were computed now.
    pub computed: u32,
    /// Diffuse particles in all of these frames together.
    pub particle_frames: u64,
    /// Whether a stop was requested before the last frame.
    pub is_stopped: bool,
}

impl FoamPass<'_> {
    /// Computes the diffuse particles of all frames, or continues where it was stopped.
    ///
    /// # Errors
    /// If a frame cannot be read, or a file not be written; frames before are complete.
    pub fn run(
        &self,
        observer: &mut dyn FoamObserver,
        stop: &AtomicBool,
    ) -> Result<FoamReport, FoamError> {
        let count = self.run.frames_written();
        let source = FrameSource::new(self.run.folder(), self.plan, count)?;
        let emitters = self.emitters()?;
        self.remove_unfinished()?;
        let (mut record, last) = match self.resume_point() {
            Some((record, _)) if record.frames.len() as u32 == count => {
                self.write_series(&record)?;
                return Ok(FoamReport {
                    record,
                    computed: 0,
                    particle_frames: 0,
                    is_stopped: false,
                });
            }
            Some((record, last)) => (record, Some(last)),
            None => {
                let Some(limits) = self.limits(&source, observer, stop)? else {
                    return Ok(self.stopped());
                };
                // What was computed before stays until something new can be.
                self.discard()?;
                (FoamRecord::new(self.run, self.settings, limits), None)
            }
        };
        observer.limits(&record.limits);
        let forces = |time: f64| body_force(&self.plan.world, time);
        let scene = self.scene(emitters, &forces);
        let (start, diffuse) = match last {
            None => (0, Diffuse::default()),
            Some(diffuse) => (record.frames.len() as u32 - 1, diffuse),
        };
        let is_new = record.frames.is_empty();
        if !is_new {
            observer.resumed(start);
        }
        let limits = record.limits;
        let mut stepper =
            FoamStepper::new(scene, self.settings.clone(), limits, source.read(start)?, diffuse)?;
        observer.start_pass(FoamStage::Frames, count - start);
        let (mut computed, mut particle_frames) = (0, 0);
        if is_new {
            self.write_frame(&mut stepper, 0, &mut record)?;
            computed += 1;
        }
        observer.advance();
        for number in start + 1..count {
            if stop.load(Ordering::SeqCst) {
                break;
            }
            let substeps = stepper.advance(source.read(number)?)?;
            self.write_frame(&mut stepper, substeps, &mut record)?;
            particle_frames += stepper.diffuse().len() as u64;
            computed += 1;
            observer.advance();
        }
        self.write_series(&record)?;
        let is_stopped = (record.frames.len() as u32) < count;
        Ok(FoamReport { record, computed, particle_frames, is_stopped })
    }

    /// What a stop in the first pass leaves.
    fn stopped(&self) -> FoamReport {
        let record = FoamRecord::new(self.run, self.settings, Limits::default());
        FoamReport { record, computed: 0, particle_frames: 0, is_stopped: true }
    }

    /// The record of a computation that was stopped, with the diffuse particles of its last frame.
    fn resume_point(&self) -> Option<(FoamRecord, Diffuse)> {
        let folder = self.run.folder();
        let mut record = FoamRecord::read(&folder.read(layout::FOAM_RECORD).ok()?)?;
        let is_whole = (0..).zip(&record.frames).all(|(k, row)| row.frame == k);
        if !record.is_of(self.run, self.settings) || !is_whole {
            return None;
        }
        // Frames are written before their rows, and may have been removed or damaged since: what
        // comes after the first such frame is computed again.
        let flawed = record.frames.iter().position(|row| self.sizes(row.frame) != row.bytes);
        record.frames.truncate(flawed.unwrap_or(record.frames.len()));
        while let Some(row) = record.frames.last() {
            let bytes = folder.read(&layout::foam(row.frame, "vtp"));
            if let Some(mut diffuse) = bytes.ok().and_then(|bytes| read_diffuse(&bytes).ok()) {
                diffuse.next_id = row.next_id;
                let counts = [row.spray, row.foam, row.bubbles];
                if diffuse.is_sound() && diffuse.counts() == counts {
                    return Some((record, diffuse));
                }
            }
            record.frames.pop();
        }
        None
    }

    /// Finds the limits that are not given in all frames; `None` if it is stopped.
    fn limits(
        &self,
        source: &FrameSource,
        observer: &mut dyn FoamObserver,
        stop: &AtomicBool,
    ) -> Result<Option<Limits>, FoamError> {
        let Plan { world, .. } = self.plan;
        let mut search = LimitSearch::default();
        if self.settings.has_automatic_limits() {
            let count = self.run.frames_written();
            observer.start_pass(FoamStage::Limits, count);
            let periodicity = Periodicity::new(world.solids.domain, world.periodic);
            let mut potentials = PotentialSums::new(resolution(world));
            let mut around = Surroundings::new(world.solids.clone(), world.support_radius);
            for number in 0..count {
                if stop.load(Ordering::SeqCst) {
                    return Ok(None);
                }
                let frame = source.read(number)?;
                around.place(frame.fluid.time, &frame.bodies)?;
                search.add(&potentials.compute(&frame.fluid, &periodicity, &around));
                observer.advance();
            }
        }
        let found = search.limits(world.gravity.norm().into(), world.support_radius.into());
        Ok(Some(self.settings.with_given(found)))
    }

    /// Writes the frame up to which it has come, and the record with it.
    fn write_frame(
        &self,
        stepper: &mut FoamStepper,
        substeps: u32,
        record: &mut FoamRecord,
    ) -> Result<(), FoamError> {
        let (folder, frame) = (self.run.folder(), stepper.frame());
        let time = self.plan.frames.time(frame);
        let diffuse = stepper.diffuse();
        folder.write(&layout::foam(frame, "vtp"), foam::vtp(diffuse, time), Write::Replace)?;
        if self.settings.output.contains(&FoamFormat::Ply) {
            folder.write(&layout::foam(frame, "ply"), foam::ply(diffuse), Write::Replace)?;
        }
        let [spray, foam, bubbles] = diffuse.counts();
        let (next_id, bytes) = (diffuse.next_id, self.sizes(frame));
        record.frames.push(FoamRow { frame, next_id, spray, foam, bubbles, substeps, bytes });
        folder.write(layout::FOAM_RECORD, record.bytes(), Write::ReplaceSynced)?;
        self.write_series(record)
    }

    /// The lengths of a frame's files, 0 of one that is missing or not asked for.
    fn sizes(&self, frame: u32) -> [u64; 2] {
        let size = |extension: &str| self.run.folder().size(&layout::foam(frame, extension));
        let has_ply = self.settings.output.contains(&FoamFormat::Ply);
        [size("vtp"), size("ply").filter(|_| has_ply)].map(Option::unwrap_or_default)
    }

    /// Writes ParaView's series of the frames, where they are not on disk.
    fn write_series(&self, record: &FoamRecord) -> Result<(), FoamError> {
        let has_ply = self.settings.output.contains(&FoamFormat::Ply);
        let ply = has_ply.then_some((layout::FOAM_PLY_SERIES, "ply"));
        for (name, extension) in [(layout::FOAM_SERIES, "vtp")].into_iter().chain(ply) {
            let entries: Vec<Entry> = record
                .frames
                .iter()
                .map(|row| Entry {
                    time: self.plan.frames.time(row.frame),
                    part: 0,
                    file: layout::foam(row.frame, extension),
                })
                .collect();
            let (folder, series) = (self.run.folder(), encode(name, &entries));
            if folder.read(name).is_ok_and(|old| old == series) {
                continue;
            }
            folder.write(name, series, Write::ReplaceSynced)?;
        }
        Ok(())
    }

    /// Removes temporary files of a process that was killed. Previews may be made meanwhile, and
    /// have their own.
    fn remove_unfinished(&self) -> Result<(), FoamError> {
        let mut names = self.run.folder().list()?;
        names.retain(|name| layout::is_unfinished(name) && !name.starts_with("preview/"));
        Ok(self.run.folder().remove(&names)?)
    }

    /// Removes the files of an earlier computation; the record first, so that nothing continues
    /// from what is left.
    fn discard(&self) -> Result<(), FoamError> {
        let mut names = self.run.folder().list()?;
        names.retain(|name| layout::is_foam(name));
        names.sort_by_key(|name| name != layout::FOAM_RECORD);
        Ok(self.run.folder().remove(&names)?)
    }

    /// The numbers among all bodies of the solids that alone emit.
    fn emitters(&self) -> Result<Vec<usize>, FoamError> {
        let number = |name: &String| {
            let is_it = |recorded: &Option<String>| recorded.as_ref() == Some(name);
            let found = self.solid_names.iter().position(is_it);
            found.map(|solid| solid + 1).ok_or_else(|| FoamError::UnknownSolid(name.clone()))
        };
        self.settings.emit_from.iter().map(number).collect()
    }

    fn scene<'s>(
        &self,
        emitters: Vec<usize>,
        forces: &'s (dyn Fn(f64) -> Acceleration<'s> + Sync),
    ) -> FoamScene<'s> {
        let world = &self.plan.world;
        let (mut boxes, mut balls) = (Vec::new(), Vec::new());
        for sink in &world.open_boundaries.sinks {
            match *sink {
                Sink::Box { min, max } => boxes.push(Region { min, max }),
                Sink::Ball { centre, radius } => balls.push((centre, radius)),
            }
        }
        FoamScene {
            resolution: resolution(world),
            solids: world.solids.clone(),
            periodic: world.periodic,
            gravity: world.gravity.norm(),
            forces,
            drain_boxes: boxes,
            drain_balls: balls,
            emitters,
        }
    }
}

fn resolution(world: &World) -> Resolution {
    Resolution {
        dimension: world.dimension,
        spacing: world.spacing(),
        support_radius: world.support_radius,
    }
}

/// Body forces at a time \[s\], in a moving frame with the Coriolis acceleration −2 ω × v.
fn body_force(world: &World, time: f64) -> Acceleration<'static> {
    let gravity = to_f64(&world.gravity);
    let Some(frame) = &world.frame else {
        let field = BodyField::new(gravity, &world.forces, time);
        return Box::new(move |x, _| field.at(x));
    };
    let field = BodyField::in_frame(gravity, &world.forces, frame, time);
    let spin = frame.frame_motion(time).angular_velocity;
    Box::new(move |x: &Vec3, v: &Vec3| {
        let turning = spin.cross(&Point::from(to_f64(v))) * -2.0;
        field.at(x) + vec3(turning.into())
    })
}
