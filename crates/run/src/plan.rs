//! The plan of a run: the prepared scene without its text.

use hashfall_core::{Attribute, Real, Values};
use hashfall_output::layout::{self, SurfacePart};
use hashfall_output::{elastic_names, obstacles};
use hashfall_scene::{Checkpoints, Frames, Limits, Output};
use hashfall_scene::{FreeBodyReport, Prepared};
use hashfall_search::Structures;
use hashfall_sph::world::{Probes, World};
use hashfall_surface::SurfaceSettings;
use hashfall_surface::{self as surface, Phases, SurfaceInput, Surfaces};

/// The plan of a run.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The initial state.
    pub world: World,
    /// How many solids the scene lists; bodies after these are balls of fields that move freely.
    pub solid_count: usize,
    /// The names of the bodies that move freely or by a program, in their order.
    pub body_names: Vec<String>,
    /// The search structures for neighbours and for solids near a particle.
    pub structures: Structures,
    /// How many frames, and when.
    pub frames: Frames,
    /// The surface to extract for each frame; `None` if no format asks for it.
    pub surface: Option<SurfaceSettings>,
    /// The files of each frame; no surface format if no surface is extracted.
    pub output: Output,
    /// The probes and their rate.
    pub probes: Probes,
    /// When checkpoints are written, if any are.
    pub checkpoints: Option<Checkpoints>,
    /// The limits of the run.
    pub limits: Limits,
}

impl From<&Prepared> for Plan {
    fn from(scene: &Prepared) -> Self {
        let mut output = scene.output.clone();
        if scene.surface.is_none() {
            output.surface.clear();
        }
        if scene.world.elastic.is_none() {
            output.elastic.clear();
        }
        Plan {
            world: scene.world.clone(),
            solid_count: scene.solid_count,
            body_names: scene.world.solids.driven_bodies().map(|it| name(scene, it.body)).collect(),
            structures: scene.structures,
            frames: scene.frames,
            surface: scene.surface.filter(|_| !output.surface.is_empty()),
            output,
            probes: scene.probes.clone(),
            checkpoints: scene.checkpoints,
            limits: scene.limits,
        }
    }
}

/// What a body is called that moves freely or by a program.
fn name(scene: &Prepared, body: usize) -> String {
    let free = scene.free_bodies.iter().find(|it| it.body == body);
    free.map_or_else(|| format!("solids[{}]", body.saturating_sub(1)), FreeBodyReport::name)
}

impl Plan {
    /// The names of the files of a frame.
    pub fn frame_file_names(&self, frame: u32) -> Vec<String> {
        let mut names = Vec::new();
        let particles = self.output.particles.iter().filter(|_| self.output.has_particles(frame));
        names.extend(particles.map(|format| layout::particles(frame, format.extension())));
        if let Some(surface) = &self.surface {
            let fluids = self.world.fluids.iter().map(|fluid| fluid.name.as_str());
            let fluids = match self.world.fluids.len() {
                count if count > 1 && !surface.merge_fluids => {
                    layout::file_names(fluids).into_iter().map(Some).collect()
                }
                _ => vec![None],
            };
            let spray = surface.spray.then_some(SurfacePart::Spray);
            for part in [SurfacePart::Surface].into_iter().chain(spray) {
                for format in &self.output.surface {
                    let mesh = |fluid: &Option<String>| {
                        part.mesh(fluid.as_deref(), frame, format.extension())
                    };
                    names.extend(fluids.iter().map(mesh));
                }
            }
        }
        for body in elastic_names(&self.world) {
            let formats = self.output.elastic.iter().map(|format| format.extension());
            let mesh = |format| SurfacePart::Elastic.mesh(Some(&body), frame, format);
            names.extend(formats.map(mesh));
        }
        let obstacles = obstacles::all(&self.world.solids);
        for obstacle in obstacles.iter().filter(|obstacle| obstacle.moves) {
            names.extend(
                ["ply", "vtp"].map(|kind| layout::moving_obstacle(&obstacle.name, frame, kind)),
            );
        }
        let has_bodies = self.world.solids.driven_bodies().next().is_some();
        names.extend(has_bodies.then(|| layout::body_poses(frame)));
        names
    }
}

/// The surfaces of each fluid as it stands, or of all together if they are to make one.
pub fn extract_surfaces(world: &World, settings: &SurfaceSettings) -> Vec<Surfaces> {
    let volume = world.particle_volume();
    // Volumes m/ρ by the fluid's own density: d³ over its part of the rest density.
    let volumes: Vec<Real> =
        world.particles.fluid_fraction.iter().map(|fraction| volume / fraction).collect();
    let particles = &world.particles;
    let phases: Vec<u32> = particles.phase.iter().map(|&phase| phase.into()).collect();
    let input = SurfaceInput {
        positions: &particles.position,
        attributes: &[
            Attribute::vectors("velocity", &particles.velocity),
            Attribute::new("phase", Values::Labels(phases.into())),
            Attribute::new("age", Values::Scalars(particles.ages(world.time).into())),
        ],
        volumes: &volumes,
        support_radius: world.support_radius,
    };
    let (solids, radius) = (&world.solids, world.particle_radius);
    let count = world.fluids.len();
    if count == 1 || settings.merge_fluids {
        return vec![surface::reconstruct(&input, solids, settings, radius)];
    }
    let phases = Phases { fluid_of: &world.particles.phase, count };
    surface::reconstruct_phases(&input, &phases, solids, settings, radius)
}
