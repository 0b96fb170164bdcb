//! The run to export: what it has, and its frames one by one.

use super::error::ExportError;
use super::files::{FrameFiles, Shown, is_cloud};
use super::labels;
use super::read;
use crate::cli::args::ExportArgs;
use crate::cli::files::foam_frames;
use hashfall_export::{Cloud, Format, Frame, FramePart, Mesh, Points, Pose, Run};
use hashfall_input::InputError;
use hashfall_output::bodies::{self, Poses};
use hashfall_output::{FileError, Manifest, RunFolder, layout};
use hashfall_scene::Checked;
use std::path::{Path, PathBuf};

/// A run to export.
pub struct Source {
    pub folder: RunFolder,
    /// What holds for all its frames; those that are asked for.
    pub run: Run,
    files: FrameFiles,
    poses: Poses,
    /// The parts that are asked for.
    parts: Vec<FramePart>,
    /// The box that particles are taken from \[m\].
    region: Option<[[f32; 3]; 2]>,
}

impl Source {
    /// Opens a run, which may be in progress.
    ///
    /// # Errors
    /// If there is none, or it has not what is asked for.
    pub fn open(args: &ExportArgs) -> Result<Source, ExportError> {
        let (folder, manifest) = RunFolder::for_previews(&args.folder)?;
        let no_run = |why: &str| {
            let path = args.folder.clone();
            ExportError::File(FileError::NoRun { path, why: why.to_owned() })
        };
        let manifest = Manifest::read(&manifest)
            .ok_or_else(|| no_run("its `run.json` is no manifest of this program"))?;
        let files = FrameFiles::new(folder.list()?);
        let parts: Vec<FramePart> = FramePart::ALL
            .into_iter()
            .filter(|part| args.only.is_empty() || args.only.iter().any(|it| it == part.name()))
            .filter(|part| files.has(*part))
            .collect();
        let poses = match folder.has(layout::BODIES) {
            true => bodies::poses(&folder.read(layout::BODIES)?),
            false => Poses::new(),
        };
        let written = manifest.progress.frames_written;
        let is_asked_for = |frame: &u32| {
            let is_in = *frame >= args.from && args.to.is_none_or(|to| *frame <= to);
            is_in && (frame - args.from).is_multiple_of(args.every)
        };
        let all = || files.frames.keys().chain(poses.keys()).filter(|frame| **frame < written);
        let mut frames: Vec<u32> = all().copied().filter(is_asked_for).collect();
        frames.sort_unstable();
        frames.dedup();
        if frames.is_empty() {
            let last = all().max().copied().unwrap_or_default();
            return Err(ExportError::NoFrame { folder: args.folder.clone(), last });
        }
        let scene = &manifest.scene;
        let checked = labels::scene(&args.folder);
        let run = Run {
            name: scene.name.clone(),
            program: format!("hashfall {}", manifest.program.version),
            rate: scene.frame_rate,
            // A scene may begin empty.
            radius: radius(scene.fluid_volume, scene.particles)
                .or(checked.as_ref().map(Checked::particle_radius))
                .unwrap_or_default(),
            frames,
            labels: checked.map(|it| labels::labels(&it.names())).unwrap_or_default(),
            ..Run::default()
        };
        let region = args.region.as_ref().map(|corners| [corners[0], corners[1]]);
        let mut source = Source { folder, run, files, poses, parts, region };
        source.run.standing = source.still(FramePart::Solids)?;
        source.run.bodies = source.still(FramePart::Bodies)?;
        Ok(source)
    }

    /// Whether there is something of these parts that is asked for.
    pub fn has_one_of(&self, parts: &[FramePart]) -> bool {
        self.parts.iter().any(|part| parts.contains(part))
    }

    /// What to tell of foam that some of the frames lack, if a format takes it.
    pub fn foam_warning(&self, folder: &Path, formats: &[&dyn Format]) -> Option<String> {
        let takes_foam = |format: &&dyn Format| format.parts().contains(&FramePart::Foam);
        if !formats.iter().any(takes_foam) || !self.parts.contains(&FramePart::Foam) {
            return None;
        }
        foam_frames::warning(folder, &self.run.frames, |frame| {
            let shown = self.files.frames.get(&frame).into_iter().flat_map(|it| it.keys());
            shown.into_iter().any(|shown| shown.part == FramePart::Foam)
        })
    }

    /// Reads a frame.
    ///
    /// # Errors
    /// If a file cannot be read, or is not whole.
    pub fn frame(&self, number: u32) -> Result<Frame, ExportError> {
        let time = f64::from(number) / self.run.rate;
        let mut frame = Frame { number, time, ..Frame::default() };
        for (shown, file) in self.files.frames.get(&number).into_iter().flatten() {
            if !self.parts.contains(&shown.part) {
                continue;
            }
            let Shown { part, name } = shown.clone();
            if is_cloud(part) {
                let points = self.points(file)?;
                frame.clouds.push(Cloud { part, name, points });
            } else {
                frame.meshes.push(self.mesh(shown, file)?);
            }
        }
        if self.parts.contains(&FramePart::Bodies) {
            let poses = self.poses.get(&number).into_iter().flatten();
            frame.poses.extend(poses.map(|(solid, state)| Pose {
                name: layout::body_name(*solid),
                position: state.position.into(),
                quaternion: state.quaternion(),
                velocity: state.velocity.into(),
                spin: state.angular_velocity.into(),
            }));
        }
        Ok(frame)
    }

    fn points(&self, file: &str) -> Result<Points, ExportError> {
        let extension = file.rsplit_once('.').map_or("", |(_, extension)| extension);
        let read = read::points(&self.folder.read(file)?, extension);
        let mut points = read.map_err(|error| self.invalid(file, &error))?;
        self.region.into_iter().for_each(|region| points.clip(region));
        Ok(points)
    }

    fn mesh(&self, shown: &Shown, file: &str) -> Result<Mesh, ExportError> {
        let read = read::mesh(&self.folder.read(file)?);
        let (points, triangles) = read.map_err(|error| self.invalid(file, &error))?;
        Ok(Mesh { part: shown.part, name: shown.name.clone(), points, triangles })
    }

    /// What of a part is written once.
    fn still(&self, part: FramePart) -> Result<Vec<Mesh>, ExportError> {
        let files = self.files.still.iter();
        let files = files.filter(|(shown, _)| shown.part == part && self.parts.contains(&part));
        files.map(|(shown, file)| self.mesh(shown, file)).collect()
    }

    fn invalid(&self, file: &str, error: &InputError) -> ExportError {
        ExportError::Invalid { path: self.path(file), reason: error.to_string() }
    }

    fn path(&self, file: &str) -> PathBuf {
        let folder: &Path = self.folder.path();
        folder.join(file)
    }
}

/// The radius of particles of this volume \[m³\] at rest, each of a cube whose edge is twice as
/// long; six digits of it, as volumes are sums in single precision. None without particles.
fn radius(volume: f64, particles: usize) -> Option<f64> {
    let radius = 0.5 * (volume / particles as f64).cbrt();
    let has_some = particles > 0 && volume > 0.0;
    has_some.then(|| format!("{radius:.5e}").parse().unwrap_or(radius))
}
