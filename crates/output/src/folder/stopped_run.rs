//! A stopped run, and how its records are resumed.

use super::frame_files::{FrameFiles, all_series};
use super::recorder::{FrameSizes, Recorder, RunInfo};
use super::run_folder::RunFolder;
use super::run_start::{StartFiles, body_table, samples, scene};
use crate::disk::file_error::FileError;
use crate::disk::files::Write;
use crate::layout;
use crate::records::checkpoint::{self, Checkpoint, CheckpointError, History};
use crate::records::digest_text::digest_of;
use crate::records::exchanged::Exchanged;
use crate::records::log::Log;
use crate::records::manifest::{Manifest, RecordedProgress, ResumeState, Scene};
use crate::records::table::Table;
use hashfall_sph::world::World;
use serde::de::DeserializeOwned;
use std::collections::BTreeSet;

/// A run on disk that can be resumed; its folder is locked.
#[derive(Debug)]
pub struct StoppedRun {
    folder: RunFolder,
    manifest: Manifest,
}

/// The result of the search for the last valid checkpoint.
#[derive(Debug)]
pub struct CheckpointSearch<N> {
    /// The checkpoint with the name of its file; `None` if the run has none.
    pub checkpoint: Option<(String, Checkpoint<N>)>,
    /// Newer checkpoints that cannot be used: the file name and the reason.
    pub unusable: Vec<(String, String)>,
}

impl StoppedRun {
    /// Opens the run in a folder with this manifest; changes nothing.
    ///
    /// # Errors
    /// If it holds no run, or its scene has changed.
    pub fn open((folder, manifest): (RunFolder, Vec<u8>)) -> Result<Self, FileError> {
        let no_run = |why: &str| {
            let path = folder.path().to_path_buf();
            FileError::NoRun { path, why: why.to_owned() }
        };
        let Some(manifest) = Manifest::read(&manifest) else {
            return Err(no_run("its `run.json` is not a run of this program"));
        };
        if !folder.has(layout::SCENE) {
            return Err(no_run("the run had not started; run the scene again with `--overwrite`"));
        }
        let changed = |name: &str| Err(FileError::Changed(folder.path().join(name)));
        // A scene from before a change is valid: the run may have been killed before replacing it.
        if !manifest.knows_scene(&digest_of(&folder.read(layout::SCENE)?)) {
            return changed(layout::SCENE);
        }
        let Scene { meshes, mesh_digests, .. } = &manifest.scene;
        if meshes.iter().any(|name| name.contains(['/', '\\']) || name.starts_with('.')) {
            return Err(no_run("its `run.json` names meshes outside its folder"));
        }
        for (name, digest) in meshes.iter().map(|name| layout::mesh(name)).zip(mesh_digests) {
            if digest_of(&folder.read(&name)?) != *digest {
                return changed(&name);
            }
        }
        Ok(StoppedRun { folder, manifest })
    }

    /// Frames on disk.
    pub fn frames_written(&self) -> u32 {
        self.manifest.progress.frames_written
    }

    /// The progress of the run: steps, simulated time \[s\], and the digest of its last frame.
    pub fn extent(&self) -> (u64, f64, &str) {
        let progress = &self.manifest.progress;
        (progress.steps, progress.time, &progress.last_state_digest)
    }

    /// Whether settings other than the number of frames have changed since the start.
    pub fn has_changed(&self) -> bool {
        let settings = self.manifest.resumed.iter().flat_map(|resumption| &resumption.settings);
        settings.into_iter().any(|setting| !setting.starts_with("frames.count="))
    }

    /// The frames at which the formats of files changed, because settings changed.
    pub(crate) fn format_changes(&self) -> BTreeSet<u32> {
        let changed = self.manifest.resumed.iter().filter(|resumption| {
            resumption.settings.iter().any(|setting| changes_formats(setting))
        });
        changed.map(|resumption| resumption.after_frame.map_or(0, |frame| frame + 1)).collect()
    }

    /// Whether the frames that have particles changed, because settings changed.
    pub(crate) fn has_changed_particles_every(&self) -> bool {
        let settings = self.manifest.resumed.iter().flat_map(|resumption| &resumption.settings);
        settings.into_iter().any(|setting| changes_particles_every(setting))
    }

    /// Its folder.
    pub fn folder(&self) -> &RunFolder {
        &self.folder
    }

    /// Reads a file of the run.
    ///
    /// # Errors
    /// The system's reason.
    pub fn read(&self, name: &str) -> Result<Vec<u8>, FileError> {
        self.folder.read(name)
    }

    /// The names of its checkpoints, the newest first.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn checkpoints(&self) -> Result<Vec<String>, FileError> {
        self.folder.checkpoints()
    }

    /// Removes checkpoints that exceed [`checkpoint::RETAINED`]; `newest` is the newest valid one.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn trim_checkpoints(&self, newest: &str) -> Result<(), FileError> {
        self.folder.trim_checkpoints(newest).map(drop)
    }

    /// Whether functions of a calling program act on the run, which resumes only with them.
    pub fn has_callbacks(&self) -> bool {
        self.manifest.has_callbacks
    }

    /// The scene's name.
    pub fn name(&self) -> &str {
        &self.manifest.scene.name
    }

    /// The number of frames of the scene, without the start, if the run is finished.
    pub fn finished_frames(&self) -> Option<u32> {
        self.manifest.is_finished().then_some(self.manifest.scene.frames)
    }

    /// Finds the newest checkpoint of this run that is complete and passes `check`.
    ///
    /// # Errors
    /// If there are checkpoints, but none can be used, or the folder cannot be read.
    pub fn last_checkpoint<N: DeserializeOwned>(
        &self,
        check: &dyn Fn(&Checkpoint<N>) -> Result<(), CheckpointError>,
    ) -> Result<CheckpointSearch<N>, FileError> {
        let mut found = CheckpointSearch { checkpoint: None, unusable: Vec::new() };
        for name in self.folder.checkpoints()? {
            let bytes = self.folder.read(&name)?;
            match self.read_checkpoint(&bytes).and_then(|one| check(&one).map(|()| one)) {
                Ok(checkpoint) => {
                    found.checkpoint = Some((name, checkpoint));
                    return Ok(found);
                }
                Err(why) => found.unusable.push((name, why.to_string())),
            }
        }
        if found.unusable.is_empty() {
            return Ok(found);
        }
        let path = |(name, why)| (self.folder.path().join(name), why);
        Err(FileError::NoCheckpoint(found.unusable.into_iter().map(path).collect()))
    }

    /// Reads a checkpoint of this run.
    ///
    /// # Errors
    /// If it is damaged, foreign, or of another scene.
    pub fn read_checkpoint<N: DeserializeOwned>(
        &self,
        bytes: &[u8],
    ) -> Result<Checkpoint<N>, CheckpointError> {
        let checkpoint = checkpoint::decode(bytes)?;
        if !self.manifest.knows_scene(&checkpoint.scene) {
            return Err(CheckpointError::unsuitable("it belongs to a run of another scene"));
        }
        Ok(checkpoint)
    }

    /// Resumes the records of a run whose `world` is that of the resume point, or the start without
    /// one. `settings` are the changed settings.
    ///
    /// Files of later frames are removed and written again. The manifest is written first, so that
    /// a run that stops here can be resumed.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn resume(
        self,
        world: &World,
        info: RunInfo,
        from: Option<ResumePoint>,
        settings: Vec<String>,
    ) -> Result<Recorder, FileError> {
        let StoppedRun { folder, mut manifest } = self;
        let bodies_length = from.as_ref().map_or(0, |from| from.history.bodies_length);
        // A file that is too short ends it before anything is changed.
        drop(folder.read_first(layout::BODIES, bodies_length)?);
        let after_frame = from.as_ref().map(|from| from.history.frame);
        let place = ResumeState { after_frame, time: world.time, steps: world.steps };
        manifest.resume(scene(world, &info), info.invocation(), place, settings);
        manifest.has_callbacks |= info.has_callbacks;
        let ResumePoint { history, checkpoint } = from.unwrap_or_default();
        manifest.progress = RecordedProgress {
            frames_written: after_frame.map_or(0, |frame| frame + 1),
            steps: world.steps,
            time: world.time,
            first_state_digest: manifest.progress.first_state_digest,
            last_state_digest: history.digest.clone(),
            last_body_digest: history.body_digest.clone(),
            last_elastic_digest: history.elastic_digest.clone(),
            exchanged: Exchanged::from_world(world),
        };
        let mut samples = samples(info.probes);
        if !history.samples.is_empty() {
            samples = samples.map(|_| Table::after(history.samples.len() as u64));
        }
        let mut bodies = body_table(world);
        if bodies_length > 0 {
            bodies = bodies.map(|_| Table::after(bodies_length));
        }
        let mut recorder = Recorder {
            files: FrameFiles::new(info.output, world),
            series: all_series(world),
            log: Log::after(&history.log),
            samples,
            bodies,
            body_names: info.body_names.to_vec(),
            manifest,
            unsynced: Vec::new(),
            checkpoints: Vec::new(),
            last_sizes: FrameSizes::default(),
            folder,
        };
        recorder.write_manifest()?;
        if let Some(checkpoint) = checkpoint {
            recorder.checkpoints = recorder.folder.trim_checkpoints(&checkpoint)?;
        }
        let mut again = StartFiles::new(&recorder.folder);
        let written = again.write_static(world, &info, Write::Replace);
        again.keep();
        written?;
        recorder.truncate_after(after_frame, &info, &history)?;
        Ok(recorder)
    }
}

/// Whether a setting, as `KEY=VALUE`, may change the files of a frame.
pub fn changes_formats(setting: &str) -> bool {
    setting.starts_with("output") || setting.starts_with("surface")
}

/// Whether a setting, as `KEY=VALUE`, or its key may change which frames have particles.
pub fn changes_particles_every(setting: &str) -> bool {
    let key = setting.split('=').next().unwrap_or_default().trim();
    ["output", "output.particles_every"].contains(&key)
}

impl Recorder {
    /// Removes what the records hold after a frame, and temporary files.
    fn truncate_after(
        &mut self,
        frame: Option<u32>,
        info: &RunInfo,
        history: &History,
    ) -> Result<(), FileError> {
        let mut files = self.folder.list()?;
        let mut series: Vec<String> =
            files.iter().filter(|name| layout::is_series(name)).cloned().collect();
        files.retain(|name| layout::frame_of(name).is_some() || layout::is_unfinished(name));
        let is_kept = |name: &String| layout::frame_of(name).is_some_and(|k| Some(k) <= frame);
        let (kept, later): (Vec<String>, Vec<String>) = files.into_iter().partition(is_kept);
        for name in kept {
            let time = layout::frame_of(&name).map_or(0.0, |frame| info.frames.time(frame));
            self.series.add(&name, time);
        }
        for name in self.series.names() {
            series.retain(|other| other != name);
            self.replace(name, &self.series.bytes(name))?;
        }
        self.folder.discard(&series);
        self.replace(layout::LOG, &history.log)?;
        let is_sampled = self.samples.is_some();
        self.replace(layout::PROBES, if is_sampled { &history.samples } else { &[] })?;
        if self.bodies.is_some() && history.bodies_length > 0 {
            self.folder.append(layout::BODIES, history.bodies_length, &[])?;
        } else {
            self.folder.discard(&[layout::BODIES.to_owned()]);
        }
        self.folder.discard(&later);
        Ok(())
    }

    /// Replaces a file; by nothing where it would be empty.
    fn replace(&self, name: &str, bytes: &[u8]) -> Result<(), FileError> {
        if bytes.is_empty() {
            self.folder.discard(&[name.to_owned()]);
            return Ok(());
        }
        self.folder.write(name, bytes, Write::ReplaceSynced)
    }
}

/// Where a run resumes.
#[derive(Clone, Debug, Default)]
pub struct ResumePoint {
    /// The records up to there.
    pub history: History,
    /// The name of the checkpoint's file in the folder.
    pub checkpoint: Option<String>,
}
