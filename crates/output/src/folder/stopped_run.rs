//! A run that has stopped, and how its records go on.

use super::frame_files::FrameFiles;
use super::recorder::{Recorder, RunInfo};
use super::run_folder::RunFolder;
use super::run_start::{StartFiles, samples, scene};
use crate::disk::file_error::FileError;
use crate::disk::files::Write;
use crate::formats::obstacles;
use crate::formats::series::{self, AllSeries};
use crate::layout;
use crate::records::checkpoint::{self, Checkpoint, History};
use crate::records::digest_text::digest_of;
use crate::records::exchanged::Exchanged;
use crate::records::log::Log;
use crate::records::manifest::{Manifest, RecordedProgress, Scene};
use crate::records::table::Table;
use hashfall_sph::world::World;
use serde::de::DeserializeOwned;
use std::collections::BTreeSet;

/// A run on disk that may go on; no other process has it.
#[derive(Debug)]
pub struct StoppedRun {
    folder: RunFolder,
    manifest: Manifest,
}

/// The last good checkpoint of a run.
#[derive(Debug)]
pub struct CheckpointSearch<N> {
    /// The checkpoint, with the name of its file in the folder; none if none was ever made.
    pub checkpoint: Option<(String, Checkpoint<N>)>,
    /// Newer ones that cannot be used: the name of the file, and the reason.
    pub refused: Vec<(String, String)>,
}

impl StoppedRun {
    /// Takes the folder of a run, and its manifest; changes nothing in it.
    ///
    /// # Errors
    /// If it holds no run, or its scene is not as the run left it.
    pub fn open((folder, manifest): (RunFolder, Vec<u8>)) -> Result<Self, FileError> {
        let no_run = |why: &str| {
            let path = folder.path().to_path_buf();
            FileError::NoRun { path, why: why.to_owned() }
        };
        let Some(manifest) = Manifest::read(&manifest) else {
            return Err(no_run("its `run.json` is not of a run that this program can read"));
        };
        if !folder.has(layout::SCENE) {
            return Err(no_run("it had not begun; run the scene again with `--overwrite`"));
        }
        let changed = |name: &str| Err(FileError::Changed(folder.path().join(name)));
        // One from before a change is good: the run may have been killed before it was replaced.
        if !manifest.knows_scene(&digest_of(&folder.read(layout::SCENE)?)) {
            return changed(layout::SCENE);
        }
        let Scene { meshes, mesh_digests, .. } = &manifest.scene;
        if meshes.iter().any(|name| name.contains(['/', '\\']) || name.starts_with('.')) {
            return Err(no_run("its `run.json` names meshes that are not in its folder"));
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

    /// How far it got: steps, simulated time \[s\], and the digest of its last frame.
    pub fn reached(&self) -> (u64, f64, &str) {
        let progress = &self.manifest.progress;
        (progress.steps, progress.time, &progress.last_state_digest)
    }

    /// Whether settings were changed since the run began, beside the number of its frames.
    pub fn has_changed(&self) -> bool {
        let settings = self.manifest.resumed.iter().flat_map(|resumption| &resumption.settings);
        settings.into_iter().any(|setting| !setting.starts_with("frames.count="))
    }

    /// The frames from which on files had other formats, as the run went on with other settings.
    pub(crate) fn format_changes(&self) -> BTreeSet<u32> {
        let changed =
            self.manifest.resumed.iter().filter(|resumption| {
                resumption.settings.iter().any(|setting| is_of_formats(setting))
            });
        changed.map(|resumption| resumption.after_frame.map_or(0, |frame| frame + 1)).collect()
    }

    /// Its folder.
    pub(crate) fn folder(&self) -> &RunFolder {
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

    /// Removes checkpoints that exceed [`checkpoint::KEPT`]; `kept` is the
    /// newest that can be used.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn trim_checkpoints(&self, kept: &str) -> Result<(), FileError> {
        self.folder.trim_checkpoints(kept).map(drop)
    }

    /// The scene's name.
    pub fn name(&self) -> &str {
        &self.manifest.scene.name
    }

    /// Frames that the scene asks for, without the start, if all of them are written.
    pub fn finished_frames(&self) -> Option<u32> {
        self.manifest.is_finished().then_some(self.manifest.scene.frames)
    }

    /// Finds the newest checkpoint that is whole and of this run, and that `is_sound` agrees to.
    ///
    /// # Errors
    /// If there are checkpoints, but none can be used, or the folder cannot be read.
    pub fn last_checkpoint<N: DeserializeOwned>(
        &self,
        is_sound: impl Fn(&Checkpoint<N>) -> Result<(), String>,
    ) -> Result<CheckpointSearch<N>, FileError> {
        let mut found = CheckpointSearch { checkpoint: None, refused: Vec::new() };
        for name in self.folder.checkpoints()? {
            let bytes = self.folder.read(&name)?;
            match self.read_checkpoint(&bytes).and_then(|one| is_sound(&one).map(|()| one)) {
                Ok(checkpoint) => {
                    found.checkpoint = Some((name, checkpoint));
                    return Ok(found);
                }
                Err(why) => found.refused.push((name, why)),
            }
        }
        if found.refused.is_empty() {
            return Ok(found);
        }
        let path = |(name, why)| (self.folder.path().join(name), why);
        Err(FileError::NoCheckpoint(found.refused.into_iter().map(path).collect()))
    }

    /// Reads a checkpoint of this run.
    ///
    /// # Errors
    /// Why it is none.
    pub fn read_checkpoint<N: DeserializeOwned>(
        &self,
        bytes: &[u8],
    ) -> Result<Checkpoint<N>, String> {
        let checkpoint = checkpoint::decode(bytes).map_err(|error| error.to_string())?;
        if !self.manifest.knows_scene(&checkpoint.scene) {
            return Err("it is of a run of another scene".to_owned());
        }
        Ok(checkpoint)
    }

    /// Goes on with the records of a run whose `world` is as after `kept`; without it, none of its
    /// steps are kept. `settings` tells what has changed since.
    ///
    /// Files of later frames go: they are made again, and until then the manifest tells which there
    /// are. It is written first, so that a run that is stopped here goes on the next time.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn go_on(
        self,
        world: &World,
        info: RunInfo,
        kept: Option<ResumePoint>,
        settings: Vec<String>,
    ) -> Result<Recorder, FileError> {
        let StoppedRun { folder, mut manifest } = self;
        let after_frame = kept.as_ref().map(|kept| kept.past.frame);
        let place = (after_frame, world.time, world.steps);
        let computing = (info.command.to_vec(), info.threads);
        manifest.go_on(scene(world, &info), computing, place, settings);
        let ResumePoint { past, checkpoint } = kept.unwrap_or_default();
        manifest.progress = RecordedProgress {
            frames_written: after_frame.map_or(0, |frame| frame + 1),
            steps: world.steps,
            time: world.time,
            first_state_digest: manifest.progress.first_state_digest,
            last_state_digest: past.digest.clone(),
            last_body_digest: past.body_digest.clone(),
            exchanged: Exchanged::from_world(world),
        };
        let mut samples = samples(info.probes);
        if !past.samples.is_empty() {
            samples = samples.map(|_| Table::after(past.samples.len() as u64));
        }
        let mut recorder = Recorder {
            files: FrameFiles::new(info.particles, info.surface, world),
            series: AllSeries::new(&obstacles::all(&world.solids)),
            log: Log::after(past.log.len() as u64),
            samples,
            manifest,
            unsynced: Vec::new(),
            checkpoints: Vec::new(),
            frame_size: 0,
            folder,
        };
        recorder.write_manifest()?;
        if let Some(checkpoint) = checkpoint {
            recorder.checkpoints = recorder.folder.trim_checkpoints(&checkpoint)?;
        }
        let mut again = StartFiles::new(&recorder.folder);
        let written = again.write_unchanging(world, &info, Write::Replace);
        again.keep();
        written?;
        recorder.cut_after(after_frame, &info, &past)?;
        Ok(recorder)
    }
}

/// Whether a setting, as `KEY=VALUE`, may change which files a frame has.
pub fn is_of_formats(setting: &str) -> bool {
    setting.starts_with("output") || setting.starts_with("surface")
}

impl Recorder {
    /// Leaves of the records what stands up to a frame, and nothing unfinished.
    fn cut_after(
        &mut self,
        frame: Option<u32>,
        info: &RunInfo,
        past: &History,
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
        for (name, entries) in self.series.all() {
            series.retain(|other| other != name);
            self.replace(name, &series::pvd(entries))?;
        }
        self.folder.discard(&series);
        self.replace(layout::LOG, &past.log)?;
        let is_sampled = self.samples.is_some();
        self.replace(layout::PROBES, if is_sampled { &past.samples } else { &[] })?;
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

/// What of a run is kept when it goes on.
#[derive(Clone, Debug, Default)]
pub struct ResumePoint {
    /// What it has left behind.
    pub past: History,
    /// The name of the checkpoint's file in the folder.
    pub checkpoint: Option<String>,
}
