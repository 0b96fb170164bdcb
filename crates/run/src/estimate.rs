//! What a run will cost, before it runs.
//!
//! Files of particles and of the first surface are known to the byte, those of solids, checkpoints
//! and tables nearly so; memory at work follows the number of particles, the size of their
//! neighbourhoods and the solids, by the constants below. How far the surface will tear nobody
//! knows before the run: where fluid falls or moves, it is taken to have [`TORN`] triangles for
//! each particle once it has fallen, as the shipped scenes have, and [`MIXED`] times as many where
//! fluids mingle; until then it grows from the start's evenly. Where it rests, or is too thick to
//! tear, it stays as at the start. `cargo bench --bench estimates` puts estimates beside what runs
//! took.

use super::body_sums::BodySums;
use super::elastic_memory::elastic_memory;
use super::energy::EnergyReference;
use super::plan::{Plan, extract_surfaces};
use hashfall_core::Vec3;
use hashfall_output::{FrameContent, FrameFiles, checkpoint, elastic_meshes, obstacles};
use hashfall_solid::Solids;
use hashfall_sph::step::{Limit, StepError, Stepper};
use hashfall_sph::world::World;
use hashfall_surface::SurfaceSettings;
use hashfall_surface::Surfaces;
use std::time::{Duration, Instant};

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
    /// Wall-clock time that the surface of the start took.
    pub first_surface: Duration,
    /// The energy at the start, and what it may gain.
    pub energy: EnergyReference,
}

// Memory, fitted to runs without surfaces of 5 000 to 300 000 particles. [bytes]
/// The program before it holds a particle.
const AT_REST: f64 = 9.5e6;
/// A particle of the start.
const PER_PARTICLE_AT_REST: f64 = 70.0;
/// A particle at work, and its neighbours: those of h = 4r, and in proportion to h³.
const PER_PARTICLE: f64 = 715.0;
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

// Surfaces of a flood, fitted to runs of the shipped scenes.
/// Triangles for each particle in the mean frame, with cells of half a radius.
const TORN: f64 = 27.0;
/// The same in the worst frame.
const MAX_TORN: f64 = 48.0;
/// The part of the triangles that clean-up leaves at the least.
const KEPT_BY_CLEANUP: f64 = 0.56;
/// How many times more there are where several fluids mingle: faces between two count for both.
const MIXED: f64 = 1.85;
/// Bytes of a triangle with its vertices, in the format that is written if no other is asked for:
/// where numbers of vertices have 16 bits, and where they need more.
const PER_SURFACE_TRIANGLE: f64 = 27.5;
const PER_WIDE_SURFACE_TRIANGLE: f64 = 33.5;
/// Surfaces of more triangles have more vertices than 16 bits count, as they have half as many.
const MAX_NARROW: f64 = 2.0 * 65_536.0;
/// How many of them there are where thick fluid is poured, which lies in a heap.
const HEAPED: f64 = 0.7;
/// Fluid whose fall through the domain has a Reynolds number below this sinks as a whole.
const TEARING: f64 = 100.0;
/// Fluid that falls by this number of spacings in the mean, or has the speed of such a fall, is
/// torn.
const FALL: f64 = 2.0;

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
            let begun = Instant::now();
            content.surfaces = extract_surfaces(start, settings);
            first_surface = begun.elapsed();
            let first = files.size(start.time, &content) - of_start - elastic;
            let triangles: usize = content.surfaces.iter().map(Surfaces::triangles).sum();
            let formats = self.output.surface.len() as f64;
            // Of what is emitted nothing is seen yet.
            let emitted = |count: f64, torn| {
                let more = (count - fluid.len() as f64).max(0.0);
                let whole = if is_thick(start) { HEAPED } else { 1.0 };
                let triangles = whole * more * self::torn(settings, torn);
                triangles * per_surface_triangle(triangles)
            };
            let growth = |torn| {
                let growth = growth(start, settings, triangles, torn);
                let [first, grown] = [1.0, growth].map(|times| times * triangles as f64);
                growth * per_surface_triangle(grown) / per_surface_triangle(first)
            };
            let torn = growth(TORN) - 1.0;
            mean = (1.0 + torn * self.torn_part()) * first as f64
                + formats * emitted(mean_count, TORN);
            largest = growth(MAX_TORN) * first as f64 / formats + emitted(most, MAX_TORN);
        }
        Ok(Estimate {
            memory: self.memory_at_work() + (COPIES_OF_SURFACE * largest) as u64,
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

    /// The part of the run's mean frame that is as torn as it gets, if that comes evenly while the
    /// fluid falls.
    fn torn_part(&self) -> f64 {
        let gravity = f64::from(self.world.gravity.norm()).max(f64::MIN_POSITIVE);
        let falling = (2.0 * fall(&self.world).max(0.0) / gravity).sqrt();
        let whole = f64::from(self.frames.count) / self.frames.rate;
        if whole < falling { whole / (2.0 * falling) } else { 1.0 - falling / (2.0 * whole) }
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
        let per_particle = PER_PARTICLE + per_neighborhood * reach.powi(3);
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
        let triangles = self
            .surface
            .as_ref()
            .map_or(0.0, |settings| torn(settings, MAX_TORN) * self.most_particles());
        let surfaces = COPIES_OF_SURFACE * per_surface_triangle(triangles) * triangles;
        self.memory_at_work() + surfaces as u64
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

/// Bytes of each of these triangles with its vertices.
fn per_surface_triangle(triangles: f64) -> f64 {
    if triangles > MAX_NARROW { PER_WIDE_SURFACE_TRIANGLE } else { PER_SURFACE_TRIANGLE }
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

/// How many times larger than at the start the surface becomes, if it is torn to `torn` triangles
/// for each particle.
fn growth(start: &World, settings: &SurfaceSettings, triangles: usize, torn: f64) -> f64 {
    if triangles == 0 || !is_lively(start) {
        return 1.0;
    }
    let is_mixed = start.fluids.len() > 1 && !settings.merge_fluids;
    let mixed = if is_mixed { MIXED } else { 1.0 };
    let torn = mixed * self::torn(settings, torn) * start.particles.len() as f64;
    (torn / triangles as f64).max(1.0)
}

/// Triangles for each particle where a surface of cells of half a radius has `torn` of them.
fn torn(settings: &SurfaceSettings, torn: f64) -> f64 {
    let cells_per_radius = 0.5 / settings.cell;
    let kept = if settings.effective().cleanup { KEPT_BY_CLEANUP } else { 1.0 };
    torn * cells_per_radius.powi(2) * kept
}

/// Whether the fluid moves, or has far to fall.
fn is_lively(start: &World) -> bool {
    let gravity = f64::from(start.gravity.norm());
    let far = FALL * f64::from(start.spacing());
    let speeds = start.particles.velocity.iter().map(|v| f64::from(v.norm()));
    let is_fast = speeds.fold(0.0, f64::max).powi(2) > 2.0 * gravity * far;
    !is_thick(start) && (is_fast || fall(start) > far)
}

/// Whether the thinnest fluid is too thick to tear when it falls through the domain.
fn is_thick(start: &World) -> bool {
    let size = start.solids.domain.max - start.solids.domain.min;
    let up = start.gravity.try_normalize(0.0).unwrap_or_default().abs();
    let height = f64::from(up.dot(&size));
    let speed = (2.0 * f64::from(start.gravity.norm()) * height).sqrt();
    let viscosities = start.fluids.iter().map(|fluid| f64::from(fluid.viscosity));
    speed * height < TEARING * viscosities.fold(f64::INFINITY, f64::min)
}

/// How far the fluid falls in the mean until it lies on the floor, if nothing holds it \[m\].
fn fall(start: &World) -> f64 {
    let up = start.gravity.try_normalize(0.0).map_or_else(Vec3::zeros, |down| -down);
    let domain = &start.solids.domain;
    if start.particles.is_empty() {
        return 0.0;
    }
    let (size, places) = (domain.max - domain.min, &start.particles.position);
    let (low, high) = (up.component_mul(&domain.min), up.component_mul(&domain.max));
    let floor = f64::from(low.inf(&high).sum());
    let mean = places.iter().map(|x| f64::from(up.dot(x))).sum::<f64>() / places.len() as f64;
    let filled = places.len() as f64 * f64::from(start.particle_volume() / size.product());
    mean - floor - filled * f64::from(up.abs().dot(&size)) / 2.0
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

    /// As the `.ply` files have them.
    #[test]
    fn large_surfaces_have_wider_numbers_of_vertices() {
        assert_eq!([1e5, 2e5].map(per_surface_triangle), [27.5, 33.5]);
    }
}
