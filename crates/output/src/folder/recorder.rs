//! The records of a run: what is written after each frame, at checkpoints, and at its end.
//!
//! How they begin stands in `opening`.

use super::frame_files::{FrameFile, FrameFiles};
use super::run_folder::RunFolder;
use crate::disk::file_error::FileError;
use crate::disk::files::{Write, system};
use crate::formats::series::{self, AllSeries};
use crate::layout;
use crate::records::checkpoint::{self, History, State};
use crate::records::digest_text::hexadecimal;
use crate::records::log::{FrameRow, Log};
use crate::records::manifest::{Manifest, RecordedProgress, Status};
use crate::records::table::{Table, number};
use hashfall_scene::{Frames, SurfaceFormat};
use hashfall_sph::world::{Particles, Probe};
use hashfall_surface::Surfaces;
use serde::Serialize;
use std::io;

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

/// Writes a run's files, and knows how far the growing ones go.
#[derive(Debug)]
pub struct Recorder {
    pub(crate) folder: RunFolder,
    pub(crate) files: FrameFiles,
    pub(crate) series: AllSeries,
    pub(crate) log: Log,
    /// `None` if nothing is measured.
    pub(crate) samples: Option<Table>,
    pub(crate) manifest: Manifest,
    /// Files since the last checkpoint, which a power cut may still take.
    pub(crate) unsynced: Vec<String>,
    /// Good checkpoints, the oldest first.
    pub(crate) checkpoints: Vec<String>,
    /// Bytes of the files of the last frame.
    pub(crate) frame_size: u64,
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
    /// If a file fails, all of the frame goes: no series names a part of it, and a full disk has
    /// room again for the manifest to say how the run ended.
    pub fn frame(
        &mut self,
        row: &FrameRow,
        particles: &Particles,
        surfaces: &[Surfaces],
    ) -> Result<(), FileError> {
        let files = self.files.of_frame(row.time, particles, surfaces);
        let names: Vec<String> = files.iter().map(|file| file.name(row.frame)).collect();
        let before = self.manifest.progress.clone();
        self.write_frame(row, &files, &names).inspect_err(|_| {
            self.manifest.progress = before;
            self.take_back(&names);
        })
    }

    fn write_frame(
        &mut self,
        row: &FrameRow,
        files: &[FrameFile],
        names: &[String],
    ) -> Result<(), FileError> {
        self.frame_size = 0;
        for (file, name) in files.iter().zip(names) {
            let bytes = file.bytes();
            self.folder.write(name, &bytes, Write::Replace)?;
            self.frame_size += bytes.len() as u64;
        }
        for name in names {
            if let Some((name, series)) = self.series.add(name, row.time) {
                self.folder.write(&name, &series::pvd(series), Write::ReplaceSynced)?;
            }
        }
        self.unsynced.extend_from_slice(names);
        grow(&self.folder, layout::LOG, self.log.push(row))?;
        if let Some(samples) = &mut self.samples {
            grow(&self.folder, layout::PROBES, samples)?;
        }
        self.note_progress(row);
        self.write_manifest()
    }

    /// Removes a frame's files, and their names from the series, as far as the system lets it.
    fn take_back(&mut self, names: &[String]) {
        self.folder.discard(names);
        for (name, series) in self.series.remove(names) {
            drop(self.folder.write(name, &series::pvd(series), Write::ReplaceSynced));
        }
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
        let past = History {
            frame,
            digest: self.manifest.progress.last_state_digest.clone(),
            body_digest: self.manifest.progress.last_body_digest.clone(),
            log: self.folder.read_first(layout::LOG, self.log.written())?,
            samples: match &self.samples {
                Some(table) => {
                    let written = self.folder.read_first(layout::PROBES, table.written())?;
                    [&written, table.pending()].concat()
                }
                None => Vec::new(),
            },
        };
        let bytes = checkpoint::encode(&self.manifest.scene.digest, &past, state, notes);
        let name = layout::checkpoint(state.steps);
        self.folder.write(&name, &bytes, Write::ReplaceSynced)?;
        self.checkpoints.retain(|known| *known != name);
        self.checkpoints.push(name);
        let old = self.checkpoints.len().saturating_sub(checkpoint::KEPT);
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
        self.files.particles
    }

    /// Frames on disk.
    pub fn frames_written(&self) -> u32 {
        self.manifest.progress.frames_written
    }

    /// The file of the last good checkpoint, by its name in the folder.
    pub fn last_checkpoint(&self) -> Option<&str> {
        self.checkpoints.last().map(String::as_str)
    }

    /// Turns the system's refusal of the thread that writes into an error.
    pub fn refused_thread(&self) -> impl FnOnce(io::Error) -> FileError + use<> {
        let folder = self.folder.path().to_path_buf();
        move |error| system("start the thread that writes", &folder, error)
    }

    /// Notes how the run ended.
    pub fn finish(mut self, status: &Status) -> Result<(), FileError> {
        self.manifest.end(status);
        self.write_manifest()
    }

    fn note_progress(&mut self, row: &FrameRow) {
        let RecordedProgress { frames_written, first_state_digest, .. } = &self.manifest.progress;
        let digest = hexadecimal(row.digest);
        let is_first = *frames_written == 0;
        self.manifest.progress = RecordedProgress {
            frames_written: frames_written + 1,
            steps: row.total_steps,
            time: row.time,
            first_state_digest: if is_first { digest.clone() } else { first_state_digest.clone() },
            last_state_digest: digest,
            last_body_digest: row.body_digest.map(hexadecimal),
            exchanged: row.exchanged,
        };
        self.manifest.add_times(&row.stages);
    }

    pub(crate) fn write_manifest(&self) -> Result<(), FileError> {
        self.folder.write(layout::MANIFEST, &self.manifest.bytes(), Write::ReplaceSynced)
    }
}

/// Adds to the file of a table what it lacks.
fn grow(folder: &RunFolder, name: &str, table: &mut Table) -> Result<(), FileError> {
    folder.append(name, table.written(), table.pending())?;
    table.note_written();
    Ok(())
}
