//! The frames of a run as whitewater sees them: particles by id, and where driven bodies are.

use super::error::FoamError;
use super::reader::{labels, vectors};
use crate::plan::Plan;
use hashfall_foam::{FluidFrame, RunFrame};
use hashfall_input::{self as input, AttributeFilter, Format};
use hashfall_output::bodies::{self, Poses};
use hashfall_output::{RunFolder, layout};
use std::collections::BTreeSet;

/// Formats with ids and velocities, by their extensions; the first that a run has is read.
const FORMATS: [&str; 3] = ["vtp", "vtk", "ply"];

/// Reads the frames of a run.
pub(super) struct FrameSource<'a> {
    folder: &'a RunFolder,
    plan: &'a Plan,
    files: BTreeSet<String>,
    poses: Poses,
    /// How many driven bodies each frame has.
    body_count: usize,
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
        let source = FrameSource { folder, plan, files, poses, body_count };
        if (0..count).all(|number| source.file(number).is_none()) {
            return Err(FoamError::NoParticles);
        }
        for number in 0..count {
            source.found_file(number)?;
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
        let bodies: Vec<_> = bodies.map(|(solid, state)| (solid + 1, *state)).collect();
        if bodies.len() != self.body_count {
            let reason = format!("frame {number} has not one row for each body");
            return Err(FoamError::Invalid { file: layout::BODIES.to_owned(), reason });
        }
        Ok(RunFrame { number, fluid, bodies })
    }
}
