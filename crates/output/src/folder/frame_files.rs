//! The files of a frame: their names and their bytes.

use crate::formats::obstacles;
use crate::formats::ply;
use crate::formats::vtp;
use crate::layout::{self, SurfacePart};
use hashfall_scene::SurfaceFormat;
use hashfall_solid::Solids;
use hashfall_sph::world::{Particles, World};
use hashfall_surface::{SurfaceMesh, Surfaces};

/// The files that a run writes for each frame.
#[derive(Clone, Debug)]
pub struct FrameFiles {
    /// Whether particles are written.
    pub(crate) particles: bool,
    /// Formats of the surface; none if no surface is extracted.
    pub(crate) surface: Vec<SurfaceFormat>,
    /// The fluids' names in file names.
    fluids: Vec<String>,
    /// All solids if some move; `None` if none does.
    solids: Option<Solids>,
}

impl FrameFiles {
    /// Files with or without particles, and surfaces in these formats, of the fluids of `world`.
    pub fn new(particles: bool, surface: &[SurfaceFormat], world: &World) -> Self {
        let fluids = layout::fluid_names(world.fluids.iter().map(|fluid| fluid.name.as_str()));
        let solids = world.solids.has_moving_bodies().then(|| world.solids.clone());
        FrameFiles { particles, surface: surface.to_vec(), fluids, solids }
    }

    /// Size of the files of a frame \[bytes\].
    pub fn size(&self, time: f64, particles: &Particles, surfaces: &[Surfaces]) -> u64 {
        let files = self.for_frame(time, particles, surfaces);
        files.iter().map(|file| file.bytes().len() as u64).sum()
    }

    /// The files of a frame at a time \[s\]; the surfaces are those of all fluids together, or of
    /// each in their order.
    pub(crate) fn for_frame<'a>(
        &self,
        time: f64,
        particles: &'a Particles,
        surfaces: &'a [Surfaces],
    ) -> Vec<FrameFile<'a>> {
        let particles = self.particles.then_some(FrameFile::Particles(particles, time));
        let is_one = surfaces.len() == 1;
        let meshes = surfaces.iter().enumerate().flat_map(|(i, Surfaces { main, spray })| {
            let fluid = if is_one { None } else { self.fluids.get(i).cloned() };
            let spray = spray.as_ref().map(|mesh| (SurfacePart::Spray, mesh));
            let parts = [(SurfacePart::Surface, main)].into_iter().chain(spray);
            parts.map(move |(part, mesh)| (MeshId { part, fluid: fluid.clone() }, mesh))
        });
        let formats = meshes.flat_map(|mesh| self.surface.iter().map(move |f| (mesh.clone(), f)));
        let surfaces = formats.map(|((which, mesh), format)| match format {
            SurfaceFormat::Ply => FrameFile::SurfacePly(which, mesh),
            SurfaceFormat::Vtp => FrameFile::SurfaceVtp(which, mesh, time),
        });
        particles.into_iter().chain(surfaces).chain(self.moving(time)).collect()
    }

    /// The obstacles that move, at a time \[s\].
    fn moving<'a>(&self, time: f64) -> Vec<FrameFile<'a>> {
        let Some(mut solids) = self.solids.clone() else { return Vec::new() };
        solids.move_to(time);
        let obstacles = obstacles::all(&solids);
        let moving = obstacles.iter().filter(|obstacle| obstacle.moves);
        let files = moving.flat_map(|obstacle| {
            [("ply", ply::obstacle(obstacle)), ("vtp", vtp::obstacle(obstacle, Some(time)))]
                .map(|(extension, bytes)| (obstacle.name.clone(), extension, bytes))
        });
        files.map(|(name, extension, bytes)| FrameFile::Obstacle(name, extension, bytes)).collect()
    }
}

/// Identifies a surface mesh of a frame.
#[derive(Clone)]
pub(crate) struct MeshId {
    part: SurfacePart,
    /// The name of the fluid, if each has its own.
    fluid: Option<String>,
}

impl MeshId {
    /// The name of a frame's file with this extension.
    fn name(&self, frame: u32, extension: &str) -> String {
        self.part.mesh(self.fluid.as_deref(), frame, extension)
    }
}

/// A file of a frame, encoded when it is written.
pub(crate) enum FrameFile<'a> {
    /// With the frame's time \[s\].
    Particles(&'a Particles, f64),
    SurfacePly(MeshId, &'a SurfaceMesh),
    /// With the frame's time \[s\].
    SurfaceVtp(MeshId, &'a SurfaceMesh, f64),
    /// One that moves: its name, the extension, and the bytes.
    Obstacle(String, &'static str, Vec<u8>),
}

impl FrameFile<'_> {
    pub(crate) fn name(&self, frame: u32) -> String {
        match self {
            FrameFile::Particles(..) => layout::particles(frame),
            FrameFile::SurfacePly(which, _) => which.name(frame, "ply"),
            FrameFile::SurfaceVtp(which, ..) => which.name(frame, "vtp"),
            FrameFile::Obstacle(name, extension, _) => {
                layout::moving_obstacle(name, frame, extension)
            }
        }
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        match self {
            FrameFile::Particles(particles, time) => vtp::particles(particles, *time),
            FrameFile::SurfacePly(_, mesh) => ply::surface(mesh),
            FrameFile::SurfaceVtp(_, mesh, time) => vtp::surface(mesh, Some(*time)),
            FrameFile::Obstacle(.., bytes) => bytes.clone(),
        }
    }
}
