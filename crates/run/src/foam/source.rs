//! The frames of a run as whitewater sees them: particles by id, and where free and elastic bodies
//! are.

use super::error::FoamError;
use super::reader::{labels, vectors};
use crate::plan::Plan;
use hashfall_core::to_f64;
use hashfall_foam::{FluidFrame, FrameBodies, RunFrame};
use hashfall_geometry::Point;
use hashfall_input::{self as input, AttributeFilter, Format};
use hashfall_output::bodies::{self, Poses};
use hashfall_output::layout::SurfacePart;
use hashfall_output::{RunFolder, elastic_names, layout};
use std::collections::BTreeSet;

/// Formats with ids and velocities, by their extensions; the first that a run has is read.
const FORMATS: [&str; 3] = ["vtp", "vtk", "ply"];

/// Formats of meshes of elastic bodies, alike.
const MESH_FORMATS: [&str; 2] = ["ply", "vtp"];

/// Reads the frames of a run.
pub(super) struct FrameSource<'a> {
    folder: &'a RunFolder,
    plan: &'a Plan,
    files: BTreeSet<String>,
    poses: Poses,
    /// How many driven bodies each frame has.
    body_count: usize,
    /// The elastic bodies that fluid meets, by their names in those of files.
    elastic: Vec<String>,
}

impl<'a> FrameSource<'a> {
    /// Of a run with `count` frames.
    ///
    /// # Errors
    /// If a frame is missing.
    pub fn new(folder: &'a RunFolder, plan: &'a Plan, count: u32) -> Result<Self, FoamError> {
        if plan.world.fluids.is_empty() {
            return Err(FoamError::NoFluid);
        }
        if count == 0 {
            return Err(FoamError::NoFrame);
        }
        let files: BTreeSet<String> = folder.list()?.into_iter().collect();
        let body_count = plan.world.solids.driven_bodies().count();
        let poses = match body_count {
            0 => Poses::new(),
            _ => bodies::poses(&folder.read(layout::BODIES)?),
        };
        let elastic = surfaces(plan);
        let source = FrameSource { folder, plan, files, poses, body_count, elastic };
        if (0..count).all(|number| source.file(number).is_none()) {
            return Err(FoamError::NoParticles);
        }
        let every = plan.output.particles_every;
        if every > 1 && count > 1 {
            return Err(FoamError::SparseParticles(every));
        }
        for number in 0..count {
            source.found_file(number)?;
            for name in &source.elastic {
                source.mesh_file(name, number)?;
            }
        }
        Ok(source)
    }

    /// The file of a frame's particles, if there is one, and its format.
    fn file(&self, number: u32) -> Option<(String, Format)> {
        FORMATS.iter().find_map(|extension| {
            let name = layout::particles(number, extension);
            let format = Format::from_extension(extension)?;
            self.files.contains(&name).then_some((name, format))
        })
    }

    fn found_file(&self, number: u32) -> Result<(String, Format), FoamError> {
        let missing = || FoamError::Missing(layout::particles(number, FORMATS[0]));
        self.file(number).ok_or_else(missing)
    }

    /// Reads a frame.
    ///
    /// # Errors
    /// If its file is missing or invalid.
    pub fn read(&self, number: u32) -> Result<RunFrame, FoamError> {
        let (name, format) = self.found_file(number)?;
        let bytes = self.folder.read(&name)?;
        let invalid = |reason: String| FoamError::Invalid { file: name.clone(), reason };
        let filter = AttributeFilter::Named(["id", "velocity"].map(str::to_owned).into());
        let cloud =
            input::read(&bytes, format, &filter).map_err(|error| invalid(error.to_string()))?;
        let (ids, velocities) = match (labels(&cloud, "id"), vectors(&cloud, "velocity")) {
            (Some(ids), Some(velocities)) => (ids, velocities),
            _ => return Err(invalid("it lacks `id` or `velocity`".to_owned())),
        };
        let time = self.plan.frames.time(number);
        let fluid = FluidFrame::new(time, ids, cloud.positions, velocities)
            .ok_or_else(|| invalid("its particles are not those of a frame".to_owned()))?;
        let bodies = self.poses.get(&number).into_iter().flatten();
        // Body 0 is the walls.
        let driven: Vec<_> = bodies.map(|(solid, state)| (solid + 1, *state)).collect();
        if driven.len() != self.body_count {
            let reason = format!("frame {number} has not one row for each body");
            return Err(FoamError::Invalid { file: layout::BODIES.to_owned(), reason });
        }
        let meshes = self.elastic.iter().map(|name| self.mesh(name, number));
        let deforming = meshes.collect::<Result<_, _>>()?;
        Ok(RunFrame { number, fluid, bodies: FrameBodies { driven, deforming } })
    }

    /// The file of the mesh of an elastic body in a frame.
    fn mesh_file(&self, name: &str, number: u32) -> Result<String, FoamError> {
        let file = |format: &&str| SurfacePart::Elastic.mesh(Some(name), number, format);
        let mut names = MESH_FORMATS.iter().map(file);
        let missing = || FoamError::Missing(file(&MESH_FORMATS[0]));
        names.find(|name| self.files.contains(name)).ok_or_else(missing)
    }

    /// Where the vertices of an elastic body are in a frame \[m\], and how fast \[m/s\].
    fn mesh(&self, name: &str, number: u32) -> Result<[Vec<Point>; 2], FoamError> {
        let file = self.mesh_file(name, number)?;
        let bytes = self.folder.read(&file)?;
        let read = match file.ends_with(MESH_FORMATS[0]) {
            true => input::read_ply_mesh(&bytes),
            false => input::read_vtk_mesh(&bytes),
        };
        let invalid = |reason: String| FoamError::Invalid { file: file.clone(), reason };
        let (cloud, _) = read.map_err(|error| invalid(error.to_string()))?;
        let lacks = || invalid("it lacks `velocity`".to_owned());
        let velocities = vectors(&cloud, "velocity").ok_or_else(lacks)?;
        Ok([&cloud.positions, &velocities]
            .map(|all| all.iter().map(|v| Point::from(to_f64(v))).collect()))
    }
}

/// The elastic bodies whose surfaces fluid meets, in their order, by their names in those of files:
/// the vertices of their meshes are those of the solids.
fn surfaces(plan: &Plan) -> Vec<String> {
    let Some(elastic) = plan.world.elastic.as_ref().filter(|_| plan.world.solids.has_deforming())
    else {
        return Vec::new();
    };
    let bodies = elastic.system.bodies().iter().zip(elastic_names(&plan.world));
    bodies.filter(|(body, _)| !body.surface.is_empty()).map(|(_, name)| name).collect()
}
