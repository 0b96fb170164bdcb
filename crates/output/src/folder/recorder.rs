//! The records of a run: what is written after each frame, at checkpoints, and at the end.
//!
//! `run_start` writes the first of them.

use super::frame_files::{FrameContent, FrameFile, FrameFiles};
use super::run_folder::RunFolder;
use crate::disk::file_error::FileError;
use crate::disk::files::{Write, system};
use crate::formats::series::AllSeries;
use crate::layout;
use crate::records::bodies;
use crate::records::checkpoint::{self, History, State};
use crate::records::digest_text::hexadecimal;
use crate::records::log::{FrameRow, Log};
use crate::records::manifest::{Invocation, Manifest, RecordedProgress, Status};
use crate::records::table::{Table, number};
use hashfall_scene::{Frames, Output};
use hashfall_sph::world::Probe;
use serde::Serialize;
use std::collections::BTreeSet;
use std::io;

/// The description of a run, besides its world.
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
    /// The frames and their times.
    pub frames: Frames,
    /// The formats of frames; none of the surface if no surface is extracted, and none of elastic
    /// bodies if there are none.
    pub output: &'a Output,
    /// The probes, in the order of the columns.
    pub probes: &'a [Probe],
    /// The names of the bodies whose places are state, in their order.
    pub body_names: &'a [String],
    /// Whether functions of the calling program act on the run: it resumes only with them.
    pub has_callbacks: bool,
}

impl RunInfo<'_> {
    /// How this process computes the run.
    pub(super) fn invocation(&self) -> Invocation {
        Invocation { command: self.command.to_vec(), threads: self.threads }
    }
}

/// The disk space that the remaining frames need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Forecast {
    /// Frames written.
    pub written: u32,
    /// Frames of the whole run.
    pub frames: u32,
    /// Size of the remaining frames \[bytes\].
    pub needed: u64,
    /// Free space, if known \[bytes\].
    pub free: Option<u64>,
}

/// Sizes of the last frame's files \[bytes\].
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct FrameSizes {
    /// Of particles, in the last frame that has them.
    particles: u64,
    /// Of everything else.
    others: u64,
}

/// Writes the files of a run.
#[derive(Debug)]
pub struct Recorder {
    pub(crate) folder: RunFolder,
    pub(crate) files: FrameFiles,
    pub(crate) series: AllSeries,
    pub(crate) log: Log,
    /// `None` without probes.
    pub(crate) samples: Option<Table>,
    /// `None` without bodies whose places are state.
    pub(crate) bodies: Option<Table>,
    pub(crate) body_names: Vec<String>,
    pub(crate) manifest: Manifest,
    /// Files since the last checkpoint, which are not yet synced.
    pub(crate) unsynced: Vec<String>,
    /// Valid checkpoints, the oldest first.
    pub(crate) checkpoints: Vec<String>,
    pub(crate) last_sizes: FrameSizes,
}

impl Recorder {
    /// Stores the values of the probes at a time \[s\]; the next frame writes them.
    pub fn sample(&mut self, time: f64, values: &[f64]) {
        if let Some(samples) = &mut self.samples {
            samples.push([time].iter().chain(values).map(|&x| number(x)));
        }
    }

    /// Writes a frame's files, then the files that refer to them.
    ///
    /// # Errors
    /// If a file cannot be written. All files of the frame are removed then: no series refers to a
    /// part of it, and a full disk has space for the manifest again.
    pub fn frame(&mut self, row: &FrameRow, content: &FrameContent) -> Result<(), FileError> {
        let files = self.files.for_frame(row.frame, row.time, content);
        let names: Vec<String> = files.iter().map(|file| file.name(row.frame)).collect();
        let before = self.manifest.progress.clone();
        if let Some(table) = &mut self.bodies {
            bodies::push(table, row.frame, row.time, &content.bodies, &self.body_names);
        }
        self.write_frame(row, &files, &names).inspect_err(|_| {
            self.manifest.progress = before;
            self.roll_back(&names);
        })
    }

    fn write_frame(
        &mut self,
        row: &FrameRow,
        files: &[FrameFile],
        names: &[String],
    ) -> Result<(), FileError> {
        let (mut particles, mut others) = (0, 0);
        for (file, name) in files.iter().zip(names) {
            let size = match file {
                FrameFile::Particles(..) => &mut particles,
                _ => &mut others,
            };
            *size += self.folder.write_content(name, file.content(), Write::Replace)?;
        }
        if !self.files.output.has_particles(row.frame) {
            particles = self.last_sizes.particles;
        }
        self.last_sizes = FrameSizes { particles, others };
        let mut changed = BTreeSet::new();
        names.iter().for_each(|name| changed.extend(self.series.add(name, row.time)));
        for name in changed {
            self.folder.write(&name, self.series.bytes(&name), Write::ReplaceSynced)?;
        }
        self.unsynced.extend_from_slice(names);
        grow(&self.folder, layout::LOG, self.log.push(row))?;
        if let Some(samples) = &mut self.samples {
            grow(&self.folder, layout::PROBES, samples)?;
        }
        if let Some(bodies) = &mut self.bodies {
            grow(&self.folder, layout::BODIES, bodies)?;
        }
        self.note_progress(row);
        self.write_manifest()
    }

    /// Removes a frame's files and their entries in the series, and ignores errors.
    fn roll_back(&mut self, names: &[String]) {
        self.folder.discard(names);
        for name in self.series.remove(names) {
            drop(self.folder.write(&name, self.series.bytes(&name), Write::ReplaceSynced));
        }
    }

    /// Writes a checkpoint at any step after `frame`, and syncs all files before it to disk.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn checkpoint<N: Serialize>(
        &mut self,
        frame: u32,
        state: &State,
        notes: &N,
    ) -> Result<(), FileError> {
        self.unsynced.extend([layout::LOG, layout::PROBES, layout::BODIES].map(str::to_owned));
        self.folder.sync(&self.unsynced)?;
        self.unsynced.clear();
        let history = History {
            frame,
            digest: self.manifest.progress.last_state_digest.clone(),
            body_digest: self.manifest.progress.last_body_digest.clone(),
            elastic_digest: self.manifest.progress.last_elastic_digest.clone(),
            log: self.folder.read_first(layout::LOG, self.log.written())?,
            samples: match &self.samples {
                Some(table) => {
                    let written = self.folder.read_first(layout::PROBES, table.written())?;
                    [&written, table.pending()].concat()
                }
                None => Vec::new(),
            },
            bodies_length: self.bodies.as_ref().map_or(0, Table::written),
        };
        let bytes = checkpoint::encode(&self.manifest.scene.digest, &history, state, notes);
        let name = layout::checkpoint(state.steps);
        self.folder.write(&name, &bytes, Write::ReplaceSynced)?;
        self.checkpoints.retain(|known| *known != name);
        self.checkpoints.push(name);
        let old = self.checkpoints.len().saturating_sub(checkpoint::RETAINED);
        self.folder.discard(&self.checkpoints.drain(..old).collect::<Vec<_>>());
        Ok(())
    }

    /// The disk space that the remaining frames need if they are like the last.
    pub fn forecast(&self) -> Forecast {
        let (written, frames) = (self.frames_written(), self.manifest.scene.frames + 1);
        let FrameSizes { particles, others } = self.last_sizes;
        let with_particles =
            (written..frames).filter(|&frame| self.files.output.has_particles(frame)).count();
        Forecast {
            written,
            frames,
            needed: others * u64::from(frames.saturating_sub(written))
                + particles * with_particles as u64,
            free: self.folder.free_space(),
        }
    }

    /// Frames on disk.
    pub fn frames_written(&self) -> u32 {
        self.manifest.progress.frames_written
    }

    /// The file name of the last valid checkpoint.
    pub fn last_checkpoint(&self) -> Option<&str> {
        self.checkpoints.last().map(String::as_str)
    }

    /// Converts the system's error when the writing thread cannot start.
    pub fn thread_error(&self) -> impl FnOnce(io::Error) -> FileError + use<> {
        let folder = self.folder.path().to_path_buf();
        move |error| system("start the writing thread for", &folder, error)
    }

    /// Records the end of the run.
    ///
    /// # Errors
    /// If the manifest cannot be written.
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
            last_elastic_digest: row.elastic.map(|elastic| hexadecimal(elastic.digest)),
            exchanged: row.exchanged,
        };
        self.manifest.add_times(&row.stages);
    }

    pub(crate) fn write_manifest(&self) -> Result<(), FileError> {
        self.folder.write(layout::MANIFEST, self.manifest.bytes(), Write::ReplaceSynced)
    }
}

/// Appends the pending rows of a table to its file.
fn grow(folder: &RunFolder, name: &str, table: &mut Table) -> Result<(), FileError> {
    folder.append(name, table.written(), table.pending())?;
    table.mark_written();
    Ok(())
}
