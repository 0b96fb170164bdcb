//! What will run: the prepared scene without its text, and what it will cost.

use crate::base::{Attribute, Real};
use crate::output::obstacles;
use crate::scene::Prepared;
use crate::search::{BroadPhase, BroadPhaseKind, NeighborKind, NeighborSearch};
use crate::step::{BlowUp, Limit, Stepper};
use crate::surface::{self, Phases, Splats, Surfaces};
use crate::world::{Checkpoints, Frames, Limits, Output, Probes, Solver, Surface, World};
use crate::{with_broad_phase, with_neighbor_search};

/// What will run.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The start.
    pub world: World,
    /// Who finds the fluid's neighbours.
    pub neighbors: NeighborKind,
    /// Who finds the solids near a particle.
    pub broad_phase: BroadPhaseKind,
    /// How many frames, and when.
    pub frames: Frames,
    /// The surface to extract for each frame; `None` if no format asks for it.
    pub surface: Option<Surface>,
    /// What is written for each frame; no surface format if no surface is extracted.
    pub output: Output,
    /// What is measured, and when.
    pub probes: Probes,
    /// When checkpoints are written, if any are.
    pub checkpoints: Option<Checkpoints>,
    /// How far the run may go.
    pub limits: Limits,
}

impl From<&Prepared> for Plan {
    fn from(scene: &Prepared) -> Self {
        let mut output = scene.output.clone();
        if scene.surface.is_none() {
            output.surface.clear();
        }
        Plan {
            world: scene.world.clone(),
            neighbors: scene.neighbors,
            broad_phase: scene.broad_phase,
            frames: scene.frames,
            surface: scene.surface.filter(|_| !output.surface.is_empty()),
            output,
            probes: scene.probes.clone(),
            checkpoints: scene.checkpoints,
            limits: scene.limits,
        }
    }
}

/// What a run will cost, before it runs.
#[derive(Clone, Copy, Debug)]
pub struct Estimate {
    /// Memory at work \[bytes\].
    pub memory: u64,
    /// Files of a frame \[bytes\].
    pub disk_per_frame: u64,
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
}

// What the estimate rests on, measured on the shipped scenes. [bytes]
/// The program before it holds a particle.
const AT_REST: f64 = 8e6;
/// A particle at work, and its neighbours: those of h = 4r, and in proportion to h³.
const PER_PARTICLE: f64 = 450.0;
const PER_NEIGHBORHOOD: f64 = 250.0;
/// A sphere or triangle with its place in the broad phase.
const PER_OBJECT: f64 = 700.0;
/// A sphere while it is drawn for the output folder, and all of them at the most.
const PER_DRAWN_SPHERE: f64 = 17e3;
const ALL_DRAWN_SPHERES: f64 = 35e6;
/// A particle in a `.vtp`: position, velocity, density, pressure, id, phase, index.
const PER_WRITTEN_PARTICLE: f64 = 41.0;
/// A particle in a checkpoint, and how many of them are kept.
const PER_KEPT_PARTICLE: f64 = 53.0;
const CHECKPOINTS_KEPT: f64 = 2.0;
/// A triangle of the surface in either format, with its share of the vertices.
const PER_WRITTEN_TRIANGLE: f64 = 33.0;
/// How much the surface grows from the start to the mean frame, where walls alone bound the fluid,
/// and where it is torn among other solids.
const SPLASHED: f64 = 2.0;
const TORN: f64 = 6.0;
/// The largest surface, in mean ones; and how often it is held: blocks, mesh, file.
const LARGEST_SURFACE: f64 = 2.5;
const COPIES_OF_SURFACE: f64 = 3.0;

impl Plan {
    /// What the run will cost; takes as long as the first step and frame.
    ///
    /// # Errors
    /// If the start is already beyond computing.
    pub fn estimate(self) -> Result<Estimate, BlowUp> {
        with_neighbor_search!(self.neighbors, Search => {
            with_broad_phase!(self.broad_phase, Boxes => self.estimate_with::<Search, Boxes>())
        })
    }

    /// Memory at work but for surfaces \[bytes\], told without any work.
    pub fn memory_at_work(&self) -> u64 {
        let reach = f64::from(self.world.support_radius / self.world.spacing() / 2.0);
        let per_particle = PER_PARTICLE + PER_NEIGHBORHOOD * reach.powi(3);
        let (spheres, triangles) = self.objects();
        let particles = per_particle * self.world.particles.len() as f64;
        (AT_REST + particles + PER_OBJECT * (spheres + triangles)) as u64
    }

    /// Spheres, and triangles of meshes.
    fn objects(&self) -> (f64, f64) {
        let solids = &self.world.solids;
        let triangles: usize = solids.meshes.iter().map(|mesh| mesh.triangles.len()).sum();
        (solids.spheres.len() as f64, triangles as f64)
    }

    fn estimate_with<S: NeighborSearch, B: BroadPhase>(mut self) -> Result<Estimate, BlowUp> {
        let stepper = Stepper::<S, B>::new(&mut self.world)?;
        let (first_time_step, limit) = stepper.stable_step(&self.world);
        let particles = self.world.particles.len() as f64;
        let (spheres, triangles) = self.objects();
        let surface = self.surface.map(|settings| extract_surface(&self.world, &settings));
        let surface = surface.iter().flatten().map(Surfaces::triangles).sum::<usize>() as f64;
        let grown = if spheres + triangles > 0.0 { TORN } else { SPLASHED };
        let surface = grown * PER_WRITTEN_TRIANGLE * surface;
        let points = if self.output.particles { PER_WRITTEN_PARTICLE } else { 0.0 };
        let largest = LARGEST_SURFACE * COPIES_OF_SURFACE * surface;
        let written = largest.max(ALL_DRAWN_SPHERES.min(PER_DRAWN_SPHERE * spheres));
        let kept = if self.checkpoints.is_some() { CHECKPOINTS_KEPT } else { 0.0 };
        Ok(Estimate {
            disk_for_obstacles: obstacles::file_size(&self.world.solids),
            disk_for_checkpoints: (kept * PER_KEPT_PARTICLE * particles) as u64,
            memory: self.memory_at_work() + written as u64,
            disk_per_frame: (points * particles + surface * self.output.surface.len() as f64)
                as u64,
            first_time_step,
            limit,
            sound_speed: match self.world.solver {
                Solver::Wcsph(settings) => Some(settings.sound_speed),
                Solver::Dfsph(_) => None,
            },
        })
    }
}

/// The surfaces of each fluid as it stands, or of all together if they are to make one.
pub(super) fn extract_surface(world: &World, settings: &Surface) -> Vec<Surfaces> {
    let volume = world.particle_volume();
    // Volumes m/ρ by the fluid's own density: d³ over its part of the rest density.
    let volumes: Vec<Real> =
        world.particles.fluid_fraction.iter().map(|fraction| volume / fraction).collect();
    let splats = Splats {
        positions: &world.particles.position,
        attributes: &[Attribute::vectors("velocity", &world.particles.velocity)],
        volumes: &volumes,
        support_radius: world.support_radius,
    };
    let (solids, radius) = (&world.solids, world.particle_radius);
    let count = world.fluids.len();
    if count == 1 || settings.together {
        return vec![surface::reconstruct(&splats, solids, settings, radius)];
    }
    let phases = Phases { of: &world.particles.phase, count };
    surface::reconstruct_phases(&splats, &phases, solids, settings, radius)
}
