//! From one frame to the next: substeps in which bodies, fluid and diffuse particles move.
//!
//! A substep is: bodies go to where they are at its end; the fluid is taken at its middle; diffuse
//! particles move with it; fluid particles that emit continue, and emit. In a substep the fluid
//! moves by no more than [`MAX_TRAVEL`] of the support radius, unless a number of substeps is
//! given.
//!
//! Each diffuse particle moves by itself, so results depend neither on their order in memory nor
//! on threads.

use crate::advection::Laws;
use crate::body_path::{self, FrameBodies};
use crate::contact::ContactBuffer;
use crate::diffuse::{Diffuse, Particle};
use crate::emission::EmissionInput;
use crate::fluid_cells::FluidCells;
use crate::frame::{FluidFrame, Periodicity};
use crate::interpolation::FramePair;
use crate::potentials::{Limits, PotentialSums};
use crate::rates::EmissionRates;
use crate::removal::Removal;
use crate::resolution::Resolution;
use crate::settings::{FoamSettings, Region};
use crate::surroundings::Surroundings;
use crate::tracers::{Tracer, TracerInput};
use hashfall_core::parallel::{CHUNK, chunks_mut, for_parts};
use hashfall_core::{Dimension, Real, Vec3};
use hashfall_search::CellRows;
use hashfall_solid::{DriveError, Solids};

/// How far the fastest fluid moves in a substep, in support radii.
const MAX_TRAVEL: f64 = 0.5;
/// Substeps between two frames at the most, if their number is not given.
const MAX_SUBSTEPS: f64 = 64.0;

/// Body forces at a place \[m\] on what has a velocity \[m/s\]: an acceleration \[m/s²\].
pub type Acceleration<'a> = Box<dyn Fn(&Vec3, &Vec3) -> Vec3 + Sync + 'a>;

/// What never changes in a run.
pub struct FoamScene<'a> {
    /// How fine the fluid is.
    pub resolution: Resolution,
    /// Solids and walls.
    pub solids: Solids,
    /// Axes along which the domain repeats itself.
    pub periodic: [bool; 3],
    /// Magnitude of gravity \[m/s²\].
    pub gravity: Real,
    /// Body forces at a time \[s\].
    pub forces: &'a (dyn Fn(f64) -> Acceleration<'a> + Sync),
    /// Boxes in which fluid is removed, and so is all else.
    pub drain_boxes: Vec<Region>,
    /// The same of balls: centres and radii \[m\].
    pub drain_balls: Vec<([f64; 3], f64)>,
    /// Numbers among all bodies of the solids around which alone there is emission; none for
    /// everywhere.
    pub emitters: Vec<usize>,
}

/// A frame of the run: its number, the fluid, and where bodies are.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunFrame {
    /// Its number.
    pub number: u32,
    /// The fluid.
    pub fluid: FluidFrame,
    /// The bodies whose places are no law of the time.
    pub bodies: FrameBodies,
}

/// Computes diffuse particles from frame to frame.
pub struct FoamStepper<'a> {
    scene: FoamScene<'a>,
    settings: FoamSettings,
    limits: Limits,
    laws: Laws,
    removal: Removal,
    periodicity: Periodicity,
    around: Surroundings,
    potentials: PotentialSums,
    cells: FluidCells,
    /// The frame up to which it has come, and what its particles emit \[1/s\].
    now: RunFrame,
    rates: Vec<f64>,
    diffuse: Diffuse,
}

impl<'a> FoamStepper<'a> {
    /// Starts at a frame with the diffuse particles there.
    ///
    /// # Errors
    /// If a body of the frame is none that is driven or deforms in the scene.
    pub fn new(
        scene: FoamScene<'a>,
        settings: FoamSettings,
        limits: Limits,
        start: RunFrame,
        diffuse: Diffuse,
    ) -> Result<Self, DriveError> {
        let h = scene.resolution.support_radius;
        let mut stepper = FoamStepper {
            laws: Laws::new(&settings, &scene.resolution, scene.gravity),
            removal: removal(&settings, &scene),
            periodicity: Periodicity::new(scene.solids.domain, scene.periodic),
            around: Surroundings::new(scene.solids.clone(), h),
            potentials: PotentialSums::new(scene.resolution),
            cells: FluidCells::default(),
            now: RunFrame::default(),
            rates: Vec::new(),
            scene,
            settings,
            limits,
            diffuse,
        };
        stepper.rates = stepper.rates_of(&start)?;
        stepper.now = start;
        Ok(stepper)
    }

    /// The diffuse particles at the frame up to which it has come, in the order of their ids.
    pub fn diffuse(&mut self) -> &Diffuse {
        self.diffuse.sort_by_id();
        &self.diffuse
    }

    /// The number of that frame.
    pub fn frame(&self) -> u32 {
        self.now.number
    }

    /// Goes on to the next frame; returns the number of substeps.
    ///
    /// # Errors
    /// If a body of the frame is none that is driven or deforms in the scene.
    pub fn advance(&mut self, next: RunFrame) -> Result<u32, DriveError> {
        let rates = self.rates_of(&next)?;
        let now = std::mem::take(&mut self.now);
        self.around.place(now.fluid.time, &now.bodies)?;
        let periodicity = self.periodicity;
        let pair = FramePair::new(&now.fluid, &next.fluid, &periodicity);
        self.diffuse.sort_by_cell(self.scene.resolution.support_radius);
        let count = self.substeps(&pair);
        let mut tracers = self.tracer_input(&pair, &rates).start();
        for substep in 0..count {
            let interval = Interval { pair: &pair, frames: [&now, &next], substep, count };
            self.substep(&interval, &rates, &mut tracers)?;
        }
        drop(pair);
        (self.now, self.rates) = (next, rates);
        Ok(count)
    }

    /// How many substeps lie between two frames.
    fn substeps(&self, pair: &FramePair) -> u32 {
        let h = f64::from(self.scene.resolution.support_radius);
        let travel = f64::from(pair.max_speed()) * pair.duration() / h;
        let needed = (travel / MAX_TRAVEL).ceil().clamp(1.0, MAX_SUBSTEPS);
        self.settings.substeps.unwrap_or(needed as u32)
    }

    /// One substep.
    fn substep(
        &mut self,
        interval: &Interval,
        rates: &[f64],
        tracers: &mut Vec<Tracer>,
    ) -> Result<(), DriveError> {
        let (dt, end) = (interval.dt(), interval.part(1.0));
        self.move_bodies(interval)?;
        self.take_fluid(interval.pair, interval.part(0.5));
        let acceleration = (self.scene.forces)(interval.time(0.5));
        self.move_diffuse(&acceleration, dt as Real);
        let middle = interval.part(0.5);
        self.tracer_input(interval.pair, rates).advance(tracers, middle, end);
        let input = EmissionInput {
            settings: &self.settings,
            resolution: &self.scene.resolution,
            laws: &self.laws,
            cells: &self.cells,
            around: &self.around,
            periodicity: &self.periodicity,
            removal: &self.removal,
            step: [interval.frames[0].number, interval.substep],
            dt,
        };
        input.emit(tracers, &mut self.diffuse);
        self.around.solids.end_step();
        Ok(())
    }

    /// Moves the bodies to the end of a substep.
    fn move_bodies(&mut self, interval: &Interval) -> Result<(), DriveError> {
        let solids = &mut self.around.solids;
        if !solids.has_moving_bodies() {
            return Ok(());
        }
        let (dt, duration) = (interval.dt(), interval.pair.duration());
        solids.begin_step(interval.time(1.0), dt);
        let states = interval.frames.map(|frame| &frame.bodies);
        body_path::set_step_ends(solids, states, duration, interval.part(1.0), dt)?;
        solids.move_bodies();
        self.around.renew();
        Ok(())
    }

    /// Sorts the fluid after the part `t` of the interval into cells.
    fn take_fluid(&mut self, pair: &FramePair, t: f64) {
        let h = self.scene.resolution.support_radius;
        let (mut x, mut v) = (Vec::new(), Vec::new());
        pair.fluid(t, &mut x, &mut v);
        self.periodicity.add_images(&mut x, &mut v, h);
        self.cells.rebuild(&x, &v, h);
    }

    /// Moves all diffuse particles by a substep of `dt` \[s\], and removes those that are over.
    fn move_diffuse(&mut self, acceleration: &Acceleration, dt: Real) {
        let mut keeps = vec![true; self.diffuse.len()];
        let mut all = std::mem::take(&mut self.diffuse);
        let moved = (
            chunks_mut(&mut all.positions, CHUNK),
            chunks_mut(&mut all.velocities, CHUNK),
            chunks_mut(&mut all.kinds, CHUNK),
            chunks_mut(&mut all.ages, CHUNK),
            chunks_mut(&mut all.lifetimes, CHUNK),
            chunks_mut(&mut all.radii, CHUNK),
            chunks_mut(&mut keeps, CHUNK),
        );
        for_parts(moved, |_, (x, v, kinds, ages, lifetimes, radii, keeps)| {
            let (mut rows, mut buffer) = (CellRows::default(), ContactBuffer::default());
            for i in 0..x.len() {
                let mut particle = Particle {
                    position: x[i],
                    velocity: v[i],
                    kind: kinds[i],
                    age: ages[i],
                    lifetime: lifetimes[i],
                    radius: radii[i],
                };
                keeps[i] = self.move_one(&mut particle, acceleration, dt, &mut rows, &mut buffer);
                (x[i], v[i], kinds[i]) = (particle.position, particle.velocity, particle.kind);
                (ages[i], lifetimes[i]) = (particle.age, particle.lifetime);
            }
        });
        self.diffuse = all;
        if keeps.contains(&false) {
            self.diffuse.retain(&keeps);
        }
    }

    /// Moves one particle; returns whether it stays.
    fn move_one(
        &self,
        particle: &mut Particle,
        acceleration: &Acceleration,
        dt: Real,
        rows: &mut CellRows,
        buffer: &mut ContactBuffer,
    ) -> bool {
        let (x, v) = (particle.position, particle.velocity);
        self.cells.update_rows(&x, rows);
        let fluid = self.cells.sample(&x, rows);
        particle.kind = self.around.kind(&self.laws, &x, &fluid, Some(particle.kind), buffer);
        let force = acceleration(&x, &v);
        let (mut way, next) = self.laws.advance(particle.kind, &v, &fluid, &force, dt);
        particle.velocity = next;
        if self.scene.resolution.dimension == Dimension::Two {
            (way.y, particle.velocity.y) = (0.0, 0.0);
        }
        let is_free = self.around.advance(particle, &way, buffer);
        if self.scene.resolution.dimension == Dimension::Two {
            (particle.position.y, particle.velocity.y) = (x.y, 0.0);
        }
        particle.position = self.periodicity.wrapped(particle.position);
        particle.age += dt;
        let ages = self.settings.ages;
        let passes = [ages.spray, ages.foam, ages.bubbles][particle.kind as usize];
        let mut lives = true;
        if passes && self.settings.lifetime.is_some() {
            lives = particle.lifetime > dt;
            particle.lifetime = (particle.lifetime - dt).max(0.0);
        }
        is_free && lives && !self.removal.removes(&particle.position)
    }

    /// What each particle of a frame emits \[1/s\], with all bodies where they are then.
    fn rates_of(&mut self, frame: &RunFrame) -> Result<Vec<f64>, DriveError> {
        self.around.place(frame.fluid.time, &frame.bodies)?;
        let potentials = self.potentials.compute(&frame.fluid, &self.periodicity, &self.around);
        let rates = EmissionRates {
            settings: &self.settings,
            limits: &self.limits,
            around: &self.around,
            emitters: &self.scene.emitters,
        };
        Ok(rates.of_frame(&frame.fluid, &potentials))
    }

    /// What tracers go by between two frames, of which the second emits these rates \[1/s\].
    fn tracer_input<'s>(&'s self, pair: &'s FramePair, rates: &'s [f64]) -> TracerInput<'s> {
        TracerInput {
            pair,
            around: &self.around,
            periodicity: &self.periodicity,
            radius: 0.5 * self.settings.radius.0 as Real * self.scene.resolution.spacing,
            rates: [&self.rates, rates],
        }
    }
}

fn removal(settings: &FoamSettings, scene: &FoamScene) -> Removal {
    Removal::new(&settings.remove_in, &scene.drain_boxes, &scene.drain_balls)
}

#[cfg(test)]
impl FoamStepper<'_> {
    /// Takes other settings from now on.
    pub(crate) fn change_settings(&mut self, settings: FoamSettings) {
        self.laws = Laws::new(&settings, &self.scene.resolution, self.scene.gravity);
        self.removal = removal(&settings, &self.scene);
        self.settings = settings;
    }

    /// Lets fluid near these bodies alone emit.
    pub(crate) fn emit_from(&mut self, emitters: Vec<usize>) {
        self.scene.emitters = emitters;
        self.rates.fill(0.0);
    }
}

/// A substep between two frames.
struct Interval<'a> {
    pair: &'a FramePair<'a>,
    frames: [&'a RunFrame; 2],
    substep: u32,
    /// How many there are.
    count: u32,
}

impl Interval<'_> {
    /// The part of the interval that is over after the part `t` of the substep.
    fn part(&self, t: f64) -> f64 {
        (f64::from(self.substep) + t) / f64::from(self.count)
    }

    /// The time \[s\] then.
    fn time(&self, t: f64) -> f64 {
        let [before, after] = self.frames.map(|frame| frame.fluid.time);
        let part = self.part(t);
        if part >= 1.0 { after } else { before + part * (after - before) }
    }

    /// Length of the substep \[s\].
    fn dt(&self) -> f64 {
        self.pair.duration() / f64::from(self.count)
    }
}
