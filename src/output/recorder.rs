//! The records of a run: what is written after each frame, at checkpoints, and at its end.
//!
//! How they begin stands in `opening`.

use super::checkpoint::{self, Past, State};
use super::file_error::FileError;
use super::files::{RunFolder, Write};
use super::layout;
use super::log::{FrameRow, Log};
use super::manifest::{Manifest, Progress, Status, hexadecimal};
use super::series::{self, AllSeries};
use super::table::{Table, number};
use super::{ply, vtp};
use crate::surface::{SurfaceMesh, Surfaces};
use crate::world::{Frames, Particles, Probe, SurfaceFormat};
use layout::Part;
use serde::Serialize;

/// What a run is, beyond its world.
#[derive(Clone, Copy, Debug)]
pub struct RunInfo<'a> {
    /// The scene's name, shown in Blender.
    pub name: &'a str,
    /// The scene's text as resolved.
    pub scene: &'a str,
    /// The scene's meshes: name in `meshes/` and content of each.
    pub meshes: &'a [(&'a str, &'a [u8])],
    /// The command line.
    pub command: &'a [String],
    /// How many threads compute.
    pub threads: usize,
    /// How many frames, and when.
    pub frames: Frames,
    /// Whether particles are written.
    pub particles: bool,
    /// Formats of the surface; none if no surface is extracted.
    pub surface: &'a [SurfaceFormat],
    /// What is measured, in the order of the columns.
    pub probes: &'a [Probe],
}

/// What the frames to come take of the disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Forecast {
    /// Frames that are written.
    pub written: u32,
    /// Frames of the whole run.
    pub frames: u32,
    /// Bytes that the others take.
    pub needed: u64,
    /// Bytes that are free, if the system tells.
    pub free: Option<u64>,
}

/// Checkpoints that are kept: the last, and one before it should that be lost.
const CHECKPOINTS: usize = 2;

/// Writes a run's files and keeps what the growing ones hold.
#[derive(Debug)]
pub struct Recorder {
    pub(super) folder: RunFolder,
    pub(super) particles: bool,
    pub(super) surface: Vec<SurfaceFormat>,
    /// What fluids are called in names of files.
    pub(super) fluids: Vec<String>,
    pub(super) series: AllSeries,
    pub(super) log: Log,
    /// `None` if nothing is measured.
    pub(super) samples: Option<Table>,
    pub(super) manifest: Manifest,
    /// Files since the last checkpoint, which a power cut may still take.
    pub(super) unsynced: Vec<String>,
    /// Good checkpoints, the oldest first.
    pub(super) checkpoints: Vec<String>,
    /// Bytes of the files of the last frame.
    pub(super) frame_size: u64,
}

impl Recorder {
    /// Keeps what the probes show at a time \[s\]; the next frame writes it.
    pub fn sample(&mut self, time: f64, values: &[f64]) {
        if let Some(samples) = &mut self.samples {
            samples.push([time].iter().chain(values).map(|&x| number(x)));
        }
    }

    /// Writes a frame's files, then everything that names them. The surfaces are those of all
    /// fluids together, or of each in their order.
    ///
    /// If a file fails, the frame's others go: no series names a part of a frame, and a full disk
    /// has room again for the manifest to say how the run ended.
    pub fn frame(
        &mut self,
        row: &FrameRow,
        particles: &Particles,
        surfaces: &[Surfaces],
    ) -> Result<(), FileError> {
        let files = self.frame_files(row.time, particles, surfaces);
        let frame = row.frame;
        let names: Vec<String> = files.iter().map(|file| file.name(frame)).collect();
        self.frame_size = 0;
        for (file, name) in files.iter().zip(&names) {
            let bytes = file.bytes();
            self.folder
                .write(name, &bytes, Write::Replace)
                .inspect_err(|_| self.folder.discard(&names))?;
            self.frame_size += bytes.len() as u64;
        }
        for name in &names {
            if let Some((name, series)) = self.series.add(name, row.time) {
                self.folder.write(&name, &series::pvd(series), Write::ReplaceSynced)?;
            }
        }
        self.unsynced.extend(names);
        self.log.push(row);
        self.folder.write(layout::LOG, self.log.bytes(), Write::Replace)?;
        if let Some(samples) = &self.samples {
            self.folder.write(layout::PROBES, samples.bytes(), Write::Replace)?;
        }
        self.note_progress(row);
        self.write_manifest()
    }

    /// Writes a checkpoint, in the midst of the steps after `frame` or right after it; from then on
    /// a power cut takes nothing that stands before it.
    pub fn checkpoint<N: Serialize>(
        &mut self,
        frame: u32,
        state: &State,
        notes: &N,
    ) -> Result<(), FileError> {
        self.unsynced.extend([layout::LOG, layout::PROBES].map(str::to_owned));
        self.folder.sync(&self.unsynced)?;
        self.unsynced.clear();
        let past = Past {
            frame,
            digest: self.manifest.progress.last_state_digest.clone(),
            log: self.log.bytes().to_vec(),
            samples: self
                .samples
                .as_ref()
                .map_or_else(Vec::new, |samples| samples.bytes().to_vec()),
        };
        let bytes = checkpoint::encode(&self.manifest.scene.digest, &past, state, notes);
        let name = layout::checkpoint(state.steps);
        self.folder.write(&name, &bytes, Write::ReplaceSynced)?;
        self.checkpoints.retain(|known| *known != name);
        self.checkpoints.push(name);
        let old = self.checkpoints.len().saturating_sub(CHECKPOINTS);
        self.folder.discard(&self.checkpoints.drain(..old).collect::<Vec<_>>());
        Ok(())
    }

    /// Whether the disk holds the frames to come, if they are like the last.
    pub fn forecast(&self) -> Forecast {
        let frames = self.manifest.scene.frames + 1;
        Forecast {
            written: self.frames_written(),
            frames,
            needed: self.frame_size * u64::from(frames.saturating_sub(self.frames_written())),
            free: self.folder.free_space(),
        }
    }

    /// Whether frames have files of particles.
    pub fn writes_particles(&self) -> bool {
        self.particles
    }

    /// Frames on disk.
    pub fn frames_written(&self) -> u32 {
        self.manifest.progress.frames_written
    }

    /// The file of the last good checkpoint, by its name in the folder.
    pub fn last_checkpoint(&self) -> Option<&str> {
        self.checkpoints.last().map(String::as_str)
    }

    /// Notes how the run ended.
    pub fn finish(mut self, status: &Status) -> Result<(), FileError> {
        self.manifest.end(status);
        self.write_manifest()
    }

    /// What this run writes per frame.
    fn frame_files<'a>(
        &self,
        time: f64,
        particles: &'a Particles,
        surfaces: &'a [Surfaces],
    ) -> Vec<FrameFile<'a>> {
        let particles = self.particles.then_some(FrameFile::Particles(particles, time));
        let is_one = surfaces.len() == 1;
        let meshes = surfaces.iter().enumerate().flat_map(|(i, Surfaces { main, spray })| {
            let fluid = if is_one { None } else { self.fluids.get(i).cloned() };
            let spray = spray.as_ref().map(|mesh| (Part::Spray, mesh));
            let parts = [(Part::Surface, main)].into_iter().chain(spray);
            parts.map(move |(part, mesh)| (Which { part, fluid: fluid.clone() }, mesh))
        });
        let formats = meshes.flat_map(|mesh| self.surface.iter().map(move |f| (mesh.clone(), f)));
        let surfaces = formats.map(|((which, mesh), format)| match format {
            SurfaceFormat::Ply => FrameFile::SurfacePly(which, mesh),
            SurfaceFormat::Vtp => FrameFile::SurfaceVtp(which, mesh, time),
        });
        particles.into_iter().chain(surfaces).collect()
    }

    fn note_progress(&mut self, row: &FrameRow) {
        let Progress { frames_written, first_state_digest, .. } = &self.manifest.progress;
        let digest = hexadecimal(row.digest);
        let is_first = *frames_written == 0;
        self.manifest.progress = Progress {
            frames_written: frames_written + 1,
            steps: row.total_steps,
            time: row.time,
            first_state_digest: if is_first { digest.clone() } else { first_state_digest.clone() },
            last_state_digest: digest,
        };
        self.manifest.add_times(&row.stages);
    }

    pub(super) fn write_manifest(&self) -> Result<(), FileError> {
        self.folder.write(layout::MANIFEST, &self.manifest.bytes(), Write::ReplaceSynced)
    }
}

/// Which of the surfaces.
#[derive(Clone)]
struct Which {
    part: Part,
    /// The name of the fluid, if each has its own.
    fluid: Option<String>,
}

impl Which {
    /// The name of a frame's file with this extension.
    fn name(&self, frame: u32, extension: &str) -> String {
        self.part.mesh(self.fluid.as_deref(), frame, extension)
    }
}

/// A file of a frame, encoded when it is written.
enum FrameFile<'a> {
    /// With the frame's time \[s\].
    Particles(&'a Particles, f64),
    SurfacePly(Which, &'a SurfaceMesh),
    /// With the frame's time \[s\].
    SurfaceVtp(Which, &'a SurfaceMesh, f64),
}

impl FrameFile<'_> {
    fn name(&self, frame: u32) -> String {
        match self {
            FrameFile::Particles(..) => layout::particles(frame),
            FrameFile::SurfacePly(which, _) => which.name(frame, "ply"),
            FrameFile::SurfaceVtp(which, ..) => which.name(frame, "vtp"),
        }
    }

    fn bytes(&self) -> Vec<u8> {
        match self {
            FrameFile::Particles(particles, time) => vtp::particles(particles, *time),
            FrameFile::SurfacePly(_, mesh) => ply::surface(mesh),
            FrameFile::SurfaceVtp(_, mesh, time) => vtp::surface(mesh, Some(*time)),
        }
    }
}
