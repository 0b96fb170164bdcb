//! The mesh of each particle file.

use super::error::{JobError, exists, replaces_particles};
use super::patterns::{Input, PLACEHOLDER, inputs};
use crate::cli::args::{MeshFormat, SurfaceArgs};
use crate::cli::files::load::name;
use clap::ValueEnum;
use hashfall_input::Format;
use hashfall_output::layout;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Extensions of compressed files.
const COMPRESSED: [&str; 7] = ["gz", "zst", "xz", "bz2", "zip", "7z", "lz4"];
/// The default folder for meshes.
const DEFAULT_FOLDER: &str = "out/surface";

/// A file with particles, or with a part of those of a data set.
pub struct Part {
    pub path: PathBuf,
    pub format: Format,
}

/// Particles to read and the meshes to write.
pub struct Job {
    /// At least one.
    pub parts: Vec<Part>,
    pub mesh: Mesh,
    /// The mesh of the spray, if requested.
    pub spray: Option<Mesh>,
    /// The time of the file in a series \[s\].
    pub time: Option<f64>,
}

/// A mesh to write.
#[derive(Clone)]
pub struct Mesh {
    pub path: PathBuf,
    pub format: MeshFormat,
}

impl Mesh {
    /// The file of one of several fluids, by its value.
    pub fn for_fluid(&self, value: Option<u32>) -> Mesh {
        let Some(value) = value else { return self.clone() };
        let stem = self.path.file_stem().unwrap_or_default().to_string_lossy();
        let extension = self.path.extension().unwrap_or_default().to_string_lossy();
        let path = self.path.with_file_name(format!("{stem}_phase{value}.{extension}"));
        Mesh { path, ..*self }
    }
}

impl Job {
    /// The name of the particles in messages: that of the first file.
    pub fn name(&self) -> String {
        self.parts.first().map(|part| name(&part.path)).unwrap_or_default()
    }

    /// The canonical paths of the files that there are.
    pub fn existing(&self) -> impl Iterator<Item = PathBuf> {
        self.parts.iter().filter_map(|part| part.path.canonicalize().ok())
    }

    /// All meshes to write, that of the spray last.
    pub fn meshes(&self) -> impl Iterator<Item = &Mesh> {
        [&self.mesh].into_iter().chain(&self.spray)
    }
}

/// All files to read, in order, each with its mesh.
///
/// # Errors
/// If the arguments are invalid, or a file would be replaced without `--overwrite`.
pub fn jobs(args: &SurfaceArgs) -> Result<Vec<Job>, JobError> {
    let inputs = inputs(args)?;
    let target = |out, default| Target::new(out, args.format, default, inputs.len());
    let default = args.format.unwrap_or(MeshFormat::Ply);
    let meshes = target(args.out.as_deref().unwrap_or(Path::new(DEFAULT_FOLDER)), default)?;
    let spray = args.spray.as_deref().map(|out| target(out, meshes.format)).transpose()?;
    let of_input = |Input { paths, frame, time }| {
        // Of several parts the first names the mesh, or the index that names them.
        let named = match &paths[..] {
            [path] => path.clone(),
            _ => PathBuf::from(format!("{frame}.")),
        };
        let mesh = meshes.mesh(&named, &frame);
        let spray = spray.as_ref().map(|target| target.mesh(&named, &frame));
        let part = |path: PathBuf| Ok(Part { format: format(&path)?, path });
        let parts = paths.into_iter().map(part).collect::<Result<_, JobError>>()?;
        Ok(Job { parts, mesh, spray, time })
    };
    let jobs: Vec<Job> = inputs.into_iter().map(of_input).collect::<Result<_, JobError>>()?;
    // Meshes of several fluids get names from the files' content.
    protect(&jobs, args.overwrite || args.phases.is_some())?;
    Ok(jobs)
}

/// Fails if two meshes would be one file, or would replace particles or an existing mesh.
fn protect(jobs: &[Job], overwrite: bool) -> Result<(), JobError> {
    let particles: BTreeSet<PathBuf> = jobs.iter().flat_map(Job::existing).collect();
    let mut taken: BTreeMap<PathBuf, &Job> = BTreeMap::new();
    let outputs = jobs.iter().flat_map(|job| job.meshes().map(move |mesh| (job, &mesh.path)));
    for (job, output) in outputs {
        if let Some(other) = taken.insert(canonical_path(output), job) {
            let is_spray = std::ptr::eq(other, job);
            let (first, second, output) = (other.name(), job.name(), name(output));
            return Err(if is_spray {
                JobError::SprayIsMesh(output)
            } else {
                JobError::SameOutput { first, second, output }
            });
        }
        if output.canonicalize().is_ok_and(|output| particles.contains(&output)) {
            return Err(replaces_particles(output));
        }
        if !overwrite && output.exists() {
            return Err(exists(output));
        }
    }
    Ok(())
}

/// The canonical path of a file that exists or will.
pub fn canonical_path(path: &Path) -> PathBuf {
    let folder = path.parent().unwrap_or(Path::new(""));
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let folder = folder.canonicalize().or_else(|_| std::path::absolute(folder));
    let file = path.file_name().unwrap_or_default();
    path.canonicalize().unwrap_or_else(|_| folder.map_or(path.into(), |folder| folder.join(file)))
}

/// The format of a particle file.
fn format(path: &Path) -> Result<Format, JobError> {
    let extension = path.extension().unwrap_or_default().to_string_lossy();
    Format::from_extension(&extension).ok_or_else(|| {
        if path.is_dir() {
            return JobError::Folder { folder: name(path), example: example_in(path) };
        }
        if COMPRESSED.contains(&&*extension.to_ascii_lowercase()) {
            JobError::Compressed(name(path))
        } else {
            JobError::UnknownFormat(name(path))
        }
    })
}

/// What to name of a folder: the series of a run, or a pattern of files.
fn example_in(folder: &Path) -> String {
    let series =
        [folder, folder.parent().unwrap_or(folder)].map(|it| it.join(layout::PARTICLES_SERIES));
    match series.iter().find(|series| series.is_file()) {
        Some(series) => format!("`{}`", name(series)),
        None => format!("'{}'", name(&folder.join("*.vtk"))),
    }
}

/// The target of meshes.
struct Target {
    place: Place,
    format: MeshFormat,
}

enum Place {
    /// Each mesh is named after its particle file.
    Folder(PathBuf),
    /// One file, or with `{}` in its name one for each frame.
    File(PathBuf),
}

impl Target {
    /// The target of the meshes of `inputs` files: in the requested format, or by the extension; in
    /// a folder, in the default format.
    fn new(
        out: &Path,
        requested: Option<MeshFormat>,
        default: MeshFormat,
        inputs: usize,
    ) -> Result<Target, JobError> {
        let shown = name(out);
        let file_name = out.file_name().unwrap_or_default().to_string_lossy();
        let is_pattern = file_name.contains(PLACEHOLDER);
        let extension = out.extension().map(|extension| extension.to_string_lossy());
        // A dot may also stand in the name of a folder, before a number.
        let is_file =
            extension.as_ref().is_some_and(|e| e.bytes().all(|c| c.is_ascii_alphabetic()));
        if out.is_dir() || !(is_file || is_pattern) {
            return Ok(Target { place: Place::Folder(out.into()), format: default });
        }
        let format = extension.and_then(|e| MeshFormat::from_str(&e, true).ok());
        let Some(format) = format else {
            return Err(JobError::UnknownMeshFormat(shown));
        };
        if requested.is_some_and(|requested| requested != format) {
            return Err(JobError::FormatConflict(shown));
        }
        if inputs > 1 && !is_pattern {
            return Err(JobError::OneOutput { count: inputs, output: shown });
        }
        Ok(Target { place: Place::File(out.into()), format })
    }

    /// The mesh of a particle file, which is this frame.
    fn mesh(&self, particles: &Path, frame: &str) -> Mesh {
        let path = match &self.place {
            Place::Folder(folder) => {
                let stem = particles.file_stem().unwrap_or_default().to_string_lossy();
                folder.join(format!("{stem}.{}", self.format.extension()))
            }
            Place::File(file) => {
                let file_name = file.file_name().unwrap_or_default().to_string_lossy();
                file.with_file_name(file_name.replace(PLACEHOLDER, frame))
            }
        };
        Mesh { path, format: self.format }
    }
}
