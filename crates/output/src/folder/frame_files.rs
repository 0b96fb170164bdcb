//! The files of a frame: their names and their bytes.

use crate::disk::content::Content;
use crate::formats::particle_arrays::ParticleFrame;
use crate::formats::series::AllSeries;
use crate::formats::{body_poses, choice, obstacles, ply, vtp};
use crate::layout::{self, SurfacePart};
use crate::records::bodies::BodyRow;
use hashfall_core::Real;
use hashfall_scene::{Output, ParticleFormat, SurfaceFormat};
use hashfall_solid::{BodyState, Solids};
use hashfall_sph::world::{Particles, World};
use hashfall_surface::{SurfaceMesh, Surfaces};
use std::io;

/// The files that a run writes for each frame.
#[derive(Clone, Debug)]
pub struct FrameFiles {
    /// The formats; none of the surface if no surface is extracted.
    pub(crate) output: Output,
    /// The fluids' names in file names.
    fluids: Vec<String>,
    /// The elastic bodies' names in file names.
    elastic: Vec<String>,
    /// The radius of particles \[m\].
    radius: Real,
    /// All solids if some move; `None` if none does.
    solids: Option<Solids>,
}

impl FrameFiles {
    /// Files in these formats, of the fluids of `world`.
    pub fn new(output: &Output, world: &World) -> Self {
        FrameFiles {
            output: output.clone(),
            fluids: fluid_names(world),
            elastic: elastic_names(world),
            radius: world.particle_radius,
            solids: world.solids.has_moving_bodies().then(|| world.solids.clone()),
        }
    }

    /// Size of the files of a frame with particles \[bytes\].
    pub fn size(&self, time: f64, content: &FrameContent) -> u64 {
        let files = self.for_frame(0, time, content);
        let sizes = files.iter().map(|file| file.content().write_to(&mut io::sink()));
        sizes.map(Result::unwrap_or_default).sum()
    }

    /// The files of a frame, by its number and its time \[s\].
    pub(crate) fn for_frame<'a>(
        &self,
        frame: u32,
        time: f64,
        content: &'a FrameContent,
    ) -> Vec<FrameFile<'a>> {
        let FrameContent { particles, surfaces, elastic, moving, bodies: rows } = content;
        let formats = self.output.particles.iter().filter(|_| self.output.has_particles(frame));
        let frame = ParticleFrame { particles, radius: self.radius, time };
        let particles = formats.map(|&format| FrameFile::Particles(format, frame));
        let is_one = surfaces.len() == 1;
        let meshes = surfaces.iter().enumerate().flat_map(|(i, Surfaces { main, spray })| {
            let fluid = if is_one { None } else { self.fluids.get(i).cloned() };
            let spray = spray.as_ref().map(|mesh| (SurfacePart::Spray, mesh));
            let parts = [(SurfacePart::Surface, main)].into_iter().chain(spray);
            parts.map(move |(part, mesh)| (MeshId { part, owner: fluid.clone() }, mesh))
        });
        let bodies = self.elastic.iter().zip(elastic).map(|(name, mesh)| {
            (MeshId { part: SurfacePart::Elastic, owner: Some(name.clone()) }, mesh)
        });
        let meshes = meshes.chain(bodies).flat_map(|(id, mesh)| {
            let formats = match id.part {
                SurfacePart::Elastic => &self.output.elastic,
                SurfacePart::Surface | SurfacePart::Spray => &self.output.surface,
            };
            formats.iter().map(move |&format| FrameFile::Surface(format, id.clone(), mesh, time))
        });
        let poses = (!rows.is_empty()).then_some(FrameFile::Poses(rows, time));
        particles.chain(meshes).chain(self.moving(time, moving)).chain(poses).collect()
    }

    /// The obstacles that move by a law, at a time \[s\] in these states.
    fn moving<'a>(&self, time: f64, states: &[BodyState]) -> Vec<FrameFile<'a>> {
        let Some(mut solids) = self.solids.clone() else { return Vec::new() };
        if states.len() == solids.body_states().len() {
            solids.restore(states);
        }
        let obstacles = obstacles::all(&solids);
        let moving = obstacles.iter().filter(|obstacle| obstacle.moves);
        let files = moving.flat_map(|obstacle| {
            [("ply", ply::obstacle(obstacle)), ("vtp", vtp::obstacle(obstacle, Some(time)))].map(
                |(extension, content)| (obstacle.name.clone(), extension, content.into_bytes()),
            )
        });
        files.map(|(name, extension, bytes)| FrameFile::Obstacle(name, extension, bytes)).collect()
    }
}

/// What a frame shows.
#[derive(Clone, Debug, Default)]
pub struct FrameContent {
    /// The particles; none if the frame has no files of them.
    pub particles: Particles,
    /// The surfaces of all fluids together, or of each in their order.
    pub surfaces: Vec<Surfaces>,
    /// The mesh of each elastic body.
    pub elastic: Vec<SurfaceMesh>,
    /// The state of each body that moves; none if they are where they start.
    pub moving: Vec<BodyState>,
    /// The bodies whose places are state.
    pub bodies: Vec<BodyRow>,
}

/// Identifies a mesh of a frame.
#[derive(Clone)]
pub(crate) struct MeshId {
    part: SurfacePart,
    /// The name of the fluid, if each has its own, or of the elastic body.
    owner: Option<String>,
}

impl MeshId {
    /// The name of a frame's file with this extension.
    fn name(&self, frame: u32, extension: &str) -> String {
        self.part.mesh(self.owner.as_deref(), frame, extension)
    }
}

/// A file of a frame, encoded when it is written.
pub(crate) enum FrameFile<'a> {
    Particles(ParticleFormat, ParticleFrame<'a>),
    /// With the frame's time \[s\].
    Surface(SurfaceFormat, MeshId, &'a SurfaceMesh, f64),
    /// One that moves: its name, the extension, and the bytes.
    Obstacle(String, &'static str, Vec<u8>),
    /// Where bodies are, at a time \[s\].
    Poses(&'a [BodyRow], f64),
}

impl FrameFile<'_> {
    pub(crate) fn name(&self, frame: u32) -> String {
        match self {
            FrameFile::Particles(format, _) => layout::particles(frame, format.extension()),
            FrameFile::Surface(format, which, ..) => which.name(frame, format.extension()),
            FrameFile::Obstacle(name, extension, _) => {
                layout::moving_obstacle(name, frame, extension)
            }
            FrameFile::Poses(..) => layout::body_poses(frame),
        }
    }

    pub(crate) fn content(&self) -> Content<'_> {
        match self {
            FrameFile::Particles(format, frame) => choice::particles(*format, frame),
            FrameFile::Surface(format, _, mesh, time) => choice::surface(*format, mesh, *time),
            FrameFile::Obstacle(.., bytes) => bytes.into(),
            FrameFile::Poses(rows, time) => body_poses::vtp(rows, *time),
        }
    }
}

/// The names of a world's fluids in those of files.
pub(crate) fn fluid_names(world: &World) -> Vec<String> {
    layout::file_names(world.fluids.iter().map(|fluid| fluid.name.as_str()))
}

/// The names of a world's elastic bodies in those of files.
pub fn elastic_names(world: &World) -> Vec<String> {
    let bodies = world.elastic.iter().flat_map(|elastic| elastic.system.bodies());
    layout::file_names(bodies.map(|body| body.name.as_str()))
}

/// The series of a run that has not begun.
pub(crate) fn all_series(world: &World) -> AllSeries {
    AllSeries::new(&obstacles::all(&world.solids), fluid_names(world), elastic_names(world))
}
