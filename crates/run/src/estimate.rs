//! What a run will cost, before it runs.
//!
//! Files of particles and of the first surface are known to the byte, those of solids, checkpoints
//! and tables nearly so; memory at work follows the number of particles, the size of their
//! neighbourhoods and the solids, by the constants below. That of surfaces is a guess
//! ([`super::torn_surface`]). `cargo bench --bench estimates` puts estimates beside what runs
//! took.

use super::body_sums::BodySums;
use super::elastic_memory::elastic_memory;
use super::energy::EnergyReference;
use super::plan::{Plan, extract_surfaces};
use super::torn_surface::{
    HEAPED, MAX_TORN, TORN, fall, growth, is_thick, per_surface_triangle, torn_parts,
    triangles_per_particle,
};
use cpu_time::ProcessTime;
use hashfall_core::Vec3;
use hashfall_output::{FrameContent, FrameFiles, checkpoint, elastic_meshes, obstacles};
use hashfall_solid::Solids;
use hashfall_sph::step::{Limit, StepError, Stepper};
use hashfall_surface::Surfaces;
use std::time::Duration;

/// What a run will cost, before it runs.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Estimate {
    /// Memory at work \[bytes\].
    pub memory: u64,
    /// Particles at the last frame, if sinks take none.
    pub most_particles: f64,
    /// Files of a frame \[bytes\].
    pub disk_per_frame: u64,
    /// Of these, what surfaces take: the part that is a guess \[bytes\].
    pub surface_per_frame: u64,
    /// Files of the obstacles, written once \[bytes\].
    pub disk_for_obstacles: u64,
    /// The checkpoints that are kept \[bytes\].
    pub disk_for_checkpoints: u64,
    /// The first time step \[s\].
    pub first_time_step: f64,
    /// What limits it.
    pub limit: Limit,
    /// Speed of sound \[m/s\], if the solver has one.
    pub sound_speed: Option<f64>,
    /// CPU time that the surface of the start took.
    pub first_surface: Duration,
    /// The energy at the start, and what it may gain.
    pub energy: EnergyReference,
}

// Memory, fitted to runs without surfaces of 5 000 to 300 000 particles. [bytes]
/// The program before it holds a particle.
const AT_REST: f64 = 19.9e6;
/// A particle of the start.
const PER_PARTICLE_AT_REST: f64 = 70.0;
/// A particle that moves by itself.
const PER_LONE_PARTICLE: f64 = 580.0;
/// A particle at work, and its neighbours: those of h = 4r, and in proportion to h³.
const PER_PARTICLE: f64 = 1065.0;
const PER_NEIGHBORHOOD: f64 = 285.0;
/// Of a solver that looks for pressures, the coefficients of a particle's pairs: in proportion to
/// h³, too.
const PER_COEFFICIENTS: f64 = 510.0;
/// A sphere with its place in the broad phase; a triangle of a solid with its integrals as well.
const PER_SPHERE: f64 = 125.0;
/// And for each solid of revolution: its tables \[bytes\].
const PER_ROUND: f64 = 200_000.0;
const PER_TRIANGLE: f64 = 1700.0;
/// A triangle of a fine mesh that stands, with its part of the file.
const PER_FINE_TRIANGLE: f64 = 155.0;
/// The same of one that is kept and read once more.
const PER_FINE_TRIANGLE_AT_REST: f64 = 310.0;
/// A slot of a neighbour structure's table, if the scene gives their number.
const PER_SLOT: f64 = 32.0;
/// What extraction holds beside the surface, in bytes of the largest surface in one format; with
/// the surface itself, and the one that is being written.
const COPIES_OF_SURFACE: f64 = 4.9;
/// What extraction holds for each particle.
const EXTRACTION_PER_PARTICLE: f64 = 450.0;

// What a frame adds to the tables, which checkpoints hold as well. [bytes]
/// Its row of the log and its entries of series; for each body more.
const PER_ROW: f64 = 700.0;
const PER_BODY: f64 = 130.0;
/// A row of a body that moves freely in its table, which checkpoints do not hold, and the entry of
/// a frame in the series of poses.
const PER_BODY_ROW: f64 = 480.0;
const PER_POSES: f64 = 90.0;
/// The columns of elastic bodies, and each of them in its series.
const PER_ELASTIC_ROW: f64 = 230.0;
const PER_ELASTIC_BODY: f64 = 100.0;
/// A number of the probes.
const PER_SAMPLE: f64 = 20.0;

impl Estimate {
    /// The files of a run of this number of frames, with the start; without copies of meshes
    /// \[bytes\].
    pub fn disk(&self, frames: u64) -> u64 {
        let once = self.disk_for_obstacles + self.disk_for_checkpoints;
        self.disk_per_frame.saturating_mul(frames).saturating_add(once)
    }
}

impl Plan {
    /// What the run will cost; takes as long as the first step and frame.
    ///
    /// # Errors
    /// If the start is already beyond computing.
    pub fn estimate(mut self) -> Result<Estimate, StepError> {
        let stepper = Stepper::new(&self.structures, &mut self.world)?;
        let (first_time_step, limit) = match stepper.stable_step(&self.world) {
            // Elastic bodies alone, whose substeps are told apart: a step is at most a frame.
            (stable, _) if self.world.fluids.is_empty() && stable > 1.0 / self.frames.rate => {
                (1.0 / self.frames.rate, Limit::Frame)
            }
            stable => stable,
        };
        drop(stepper);
        let (start, fluid) = (&self.world, &self.world.particles);
        let files = FrameFiles::new(&self.output, start);
        let (mean_count, most) = (self.mean_particles(), self.most_particles());
        let bodies = BodySums::begin(start).rows(start, 0.0);
        let particles = fluid.clone();
        let mut content = FrameContent { particles, bodies, ..FrameContent::default() };
        let of_start = files.size(start.time, &content);
        let particles = match fluid.len() {
            n if n as f64 == mean_count => of_start,
            _ => size_of_particles(&files, mean_count),
        };
        content.elastic = start.elastic.as_ref().map(elastic_meshes::all).unwrap_or_default();
        let elastic = files.size(start.time, &content) - of_start;
        let (mut mean, mut largest) = (0.0, 0.0);
        let mut first_surface = Duration::ZERO;
        if let Some(settings) = &self.surface {
            let begun = ProcessTime::now();
            content.surfaces = extract_surfaces(start, settings);
            first_surface = begun.elapsed();
            let first = files.size(start.time, &content) - of_start - elastic;
            let triangles: usize = content.surfaces.iter().map(Surfaces::triangles).sum();
            let formats = self.output.surface.len() as f64;
            // Of what is emitted nothing is seen yet.
            let emitted = |count: f64, torn| {
                let more = (count - fluid.len() as f64).max(0.0);
                let whole = if is_thick(start) { HEAPED } else { 1.0 };
                let triangles = whole * more * triangles_per_particle(settings, torn);
                triangles * per_surface_triangle(triangles)
            };
            let growth = |torn| {
                let growth = growth(start, settings, triangles, torn);
                let [first, grown] = [1.0, growth].map(|times| times * triangles as f64);
                growth * per_surface_triangle(grown) / per_surface_triangle(first)
            };
            let [mean_part, last_part] = self.torn_parts();
            let grown = |torn, part| (1.0 + (growth(torn) - 1.0) * part) * first as f64;
            mean = grown(TORN, mean_part) + formats * emitted(mean_count, TORN);
            largest = grown(MAX_TORN, last_part) / formats + emitted(most, MAX_TORN);
        }
        Ok(Estimate {
            memory: self.memory_at_work()
                + self.memory_of_extraction()
                + (COPIES_OF_SURFACE * largest) as u64,
            most_particles: most,
            disk_per_frame: self.mean_of_frames(particles)
                + elastic
                + (mean + self.records_per_frame()) as u64,
            surface_per_frame: mean as u64,
            disk_for_obstacles: obstacles::file_size(&start.solids),
            disk_for_checkpoints: match self.checkpoints {
                Some(_) => {
                    let nodes = start.elastic.as_ref().map_or(0, |it| it.system.node_count());
                    (checkpoint::RETAINED * checkpoint::size(most as usize, nodes)) as u64
                }
                None => 0,
            },
            first_time_step,
            limit,
            first_surface,
            energy: EnergyReference::new(start, self.frames.rate),
            sound_speed: start.solver.settings().tait().map(|tait| tait.sound_speed),
        })
    }

    /// The parts of the run's mean frame and of its last that are as torn as they get.
    fn torn_parts(&self) -> [f64; 2] {
        let gravity = f64::from(self.world.gravity.norm()).max(f64::MIN_POSITIVE);
        let falling = (2.0 * fall(&self.world).max(0.0) / gravity).sqrt();
        torn_parts(f64::from(self.frames.count) / self.frames.rate, falling)
    }

    /// The mean size of particles' files over all frames, if they take so many bytes where they are
    /// written.
    fn mean_of_frames(&self, particles: u64) -> u64 {
        let last = u64::from(self.frames.count);
        let with_particles = last / u64::from(self.output.particles_every) + 1;
        particles * with_particles / (last + 1)
    }

    /// Memory at work but for surfaces \[bytes\], told without any work.
    pub fn memory_at_work(&self) -> u64 {
        let reach = f64::from(self.world.support_radius / self.world.spacing() / 2.0);
        let keeps_coefficients = self.world.solver.settings().keeps_pair_coefficients();
        let coefficients = if keeps_coefficients { PER_COEFFICIENTS } else { 0.0 };
        let per_neighborhood = PER_NEIGHBORHOOD + coefficients;
        let per_particle = match self.world.solver.settings().has_interactions() {
            true => PER_PARTICLE + per_neighborhood * reach.powi(3),
            false => PER_LONE_PARTICLE,
        };
        let particles = per_particle * self.most_particles();
        let slots = self.structures.neighbors.settings.table_size.unwrap_or(0);
        let solids = memory_of_solids(&self.world.solids, PER_FINE_TRIANGLE);
        let elastic = self.world.elastic.as_ref().map_or(0.0, elastic_memory);
        (AT_REST + particles + solids + elastic + PER_SLOT * f64::from(slots)) as u64
    }

    /// Memory of the program with the scene in it before the first step, and after the last; about
    /// that of the particles and solids as they are read twice \[bytes\].
    pub fn memory_at_rest(&self) -> u64 {
        let solids = memory_of_solids(&self.world.solids, PER_FINE_TRIANGLE_AT_REST);
        let particles = 2.0 * PER_PARTICLE_AT_REST * self.world.particles.len() as f64;
        (AT_REST + particles + solids) as u64
    }

    /// Memory at work with surfaces at their worst, told without any work \[bytes\].
    pub fn memory_with_surfaces(&self) -> u64 {
        let triangles = self.surface.as_ref().map_or(0.0, |settings| {
            triangles_per_particle(settings, MAX_TORN) * self.most_particles()
        });
        let surfaces = COPIES_OF_SURFACE * per_surface_triangle(triangles) * triangles;
        self.memory_at_work() + self.memory_of_extraction() + surfaces as u64
    }

    /// Memory that the extraction of surfaces takes for particles \[bytes\].
    fn memory_of_extraction(&self) -> u64 {
        let per_particle = if self.surface.is_some() { EXTRACTION_PER_PARTICLE } else { 0.0 };
        (per_particle * self.most_particles()) as u64
    }

    /// The most particles at a frame, as far as emitters bring them and sinks take none.
    pub fn most_particles(&self) -> f64 {
        self.particles_at(self.frames.count)
    }

    /// The same at a frame.
    pub(super) fn particles_at(&self, frame: u32) -> f64 {
        let Plan { world, frames, .. } = self;
        let account = &world.open_boundaries.budget;
        let start = world.particles.len() as u64 + account.all_removed() - account.all_emitted();
        let d = f64::from(world.spacing());
        world.open_boundaries.most_at(frames.time(frame), start as usize, d)
    }

    /// The mean over all frames.
    fn mean_particles(&self) -> f64 {
        let frames = self.frames.count;
        let all: f64 = (0..=frames).map(|frame| self.particles_at(frame)).sum();
        all / (f64::from(frames) + 1.0)
    }

    /// What a frame adds to tables, series, and checkpoints, which hold the tables \[bytes\].
    fn records_per_frame(&self) -> f64 {
        let (rate, columns) = (self.probes.rate, self.probes.columns().len());
        let numbers = if columns == 0 { 0.0 } else { 1.0 + columns as f64 };
        let samples = numbers * rate / self.frames.rate;
        let solids = &self.world.solids;
        let bodies = solids.body_count().min(1 + self.solid_count) as f64;
        let free = solids.driven_bodies().count() as f64;
        let table = if free > 0.0 { PER_POSES + PER_BODY_ROW * free } else { 0.0 };
        let elastic =
            self.world.elastic.as_ref().map_or(0.0, |it| {
                PER_ELASTIC_ROW + PER_ELASTIC_BODY * it.system.bodies().len() as f64
            });
        let copies = if self.checkpoints.is_some() { 1 + checkpoint::RETAINED } else { 1 };
        table + copies as f64 * (PER_ROW + PER_BODY * bodies + elastic + PER_SAMPLE * samples)
    }
}

/// What solids take, of which a triangle of a fine mesh takes `per_fine` \[bytes\].
fn memory_of_solids(solids: &Solids, per_fine: f64) -> f64 {
    let others = solids.indexed_objects().len();
    let fine = solids.object_count() - others;
    let (balls, rounds) = (solids.spheres().len(), solids.rounds().len());
    let coarse = others - balls - rounds;
    PER_SPHERE * balls as f64
        + PER_ROUND * rounds as f64
        + PER_TRIANGLE * coarse as f64
        + per_fine * fine as f64
}

/// What files of this number of particles take \[bytes\].
fn size_of_particles(files: &FrameFiles, count: f64) -> u64 {
    const SAMPLE: usize = 1000;
    let mut sample = FrameContent::default();
    let empty = files.size(0.0, &sample);
    (0..SAMPLE).for_each(|_| sample.particles.push(Vec3::zeros(), Vec3::zeros(), 0, 1.0));
    let each = (files.size(0.0, &sample) - empty) as f64 / SAMPLE as f64;
    empty + (each * count) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashfall_core::geometry::Sphere;
    use hashfall_geometry::Aabb;
    use hashfall_geometry::shape::{box_mesh, sphere_mesh};

    /// The same balls and boxes beside a fine mesh, and without it.
    #[test]
    fn triangles_of_fine_meshes_take_little() {
        let domain = Aabb::new(Vec3::zeros(), Vec3::repeat(4.0));
        let ball = Sphere { centre: Vec3::repeat(3.0), radius: 0.5 };
        let coarse = || box_mesh(&Aabb::new(Vec3::repeat(2.0), Vec3::repeat(2.2)));
        let fine = sphere_mesh(&Vec3::repeat(1.0), 0.5, 4);
        let count = fine.triangles.len() as f64;
        let without = Solids::new(domain, vec![ball; 3], vec![coarse()]);
        let with = Solids::new(domain, vec![ball; 3], vec![fine, coarse()]);
        let [alone, beside] = [&without, &with].map(|it| memory_of_solids(it, PER_FINE_TRIANGLE));
        assert_eq!(alone, 3.0 * PER_SPHERE + 12.0 * PER_TRIANGLE);
        assert_eq!(beside - alone, count * PER_FINE_TRIANGLE);
    }
}
