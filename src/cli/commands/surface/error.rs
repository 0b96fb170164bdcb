//! Errors of the arguments of `sim surface`, and of single files.

use crate::cli::console::Verdict;
use crate::cli::files::load::name;
use hashfall_core::units;
use hashfall_input::Format;
use hashfall_output::FileError;
use std::fmt;
use std::io;
use std::path::Path;
use thiserror::Error;

/// Why arguments cannot be used; files are named as the user named them.
#[derive(Debug, Error)]
pub enum JobError {
    /// Mesh and spray would be one file.
    #[error("`{0}` would be both mesh and spray; pass another --spray")]
    SprayIsMesh(String),
    /// Two meshes would be one file.
    #[error(
        "the meshes of `{first}` and `{second}` would both be `{output}`; put `{{}}` into the \
         name, or use different folders"
    )]
    SameOutput {
        /// A particle file.
        first: String,
        /// Another one.
        second: String,
        /// The file of both meshes.
        output: String,
    },
    /// A mesh would replace particles.
    #[error("a mesh would replace the particles in `{0}`; pass another --out")]
    ReplacesParticles(String),
    /// A mesh exists.
    #[error("`{0}` exists; pass --overwrite to replace it, or another --out")]
    Exists(String),
    /// A particle file is compressed.
    #[error(
        "`{0}` is compressed; decompress it first (formats: {formats})",
        formats = Format::list_extensions()
    )]
    Compressed(String),
    /// A particle file has no known format.
    #[error(
        "the format of `{0}` is unknown; use {formats}, or .pvd and .series, which list such files",
        formats = Format::list_extensions()
    )]
    UnknownFormat(String),
    /// A mesh has no known format.
    #[error("the mesh format of `{0}` is unknown; use .ply, .vtp, .vtk or .obj")]
    UnknownMeshFormat(String),
    /// The extension contradicts `--format`.
    #[error("`{0}` does not have the format of --format")]
    FormatConflict(String),
    /// Several files would become one mesh.
    #[error(
        "{count} files cannot become one mesh `{output}`; name a folder, or put `{{}}` into the \
         name"
    )]
    OneOutput {
        /// The number of files.
        count: usize,
        /// The mesh.
        output: String,
    },
    /// Indices without a sequence.
    #[error(
        "--start-index and --end-index need a sequence: put `{{}}` into a file name in place of \
         the number"
    )]
    NoSequence,
    /// A pattern with several placeholders, or one in a folder.
    #[error("`{0}`: use `{{}}` once, in the file name")]
    Placeholder(String),
    /// No file matches a pattern.
    #[error("no file matches `{0}`")]
    NoMatch(String),
    /// No file of a sequence exists.
    #[error("no file matches `{0}`, where `{{}}` is a number")]
    EmptySequence(String),
    /// A series lists no files.
    #[error("`{0}` lists no files")]
    EmptySeries(String),
    /// A file, folder or pattern cannot be read.
    #[error("`{file}`: {reason}")]
    Unreadable {
        /// The file, folder or pattern.
        file: String,
        /// Why not.
        reason: String,
    },
    /// Options that contradict each other or the format.
    #[error("{0}")]
    Options(&'static str),
    /// A folder in place of a file.
    #[error("`{folder}` is a folder; name its files, such as {example}")]
    Folder {
        /// The folder.
        folder: String,
        /// A file, a series or a pattern.
        example: String,
    },
    /// A radius that does not fit the particles.
    #[error(transparent)]
    Radius(#[from] RadiusMismatch),
    /// Lengths out of range.
    #[error(
        "the particle radius is {radius:e} m and the support radius {support:e} m, but both \
         must be from {min:e} to {max:e} m"
    )]
    Lengths {
        /// The particle radius \[m\].
        radius: f64,
        /// The support radius \[m\].
        support: f64,
        /// The lower bound \[m\].
        min: f64,
        /// The upper bound \[m\].
        max: f64,
    },
}

impl JobError {
    /// A file, folder or pattern that cannot be read.
    pub fn unreadable(file: &str, reason: &dyn fmt::Display) -> Self {
        JobError::Unreadable { file: file.to_owned(), reason: reason.to_string() }
    }
}

/// A radius that does not fit the particles.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[error(
    "--particle-radius {given} is too {}: the particles are about {} m apart, so their radius is \
     about {}; pass --allow-radius if it is right all the same",
    if 2.0 * given > *spacing { "large" } else { "small" },
    units::three_figures(*spacing),
    units::three_figures(0.5 * spacing)
)]
pub struct RadiusMismatch {
    /// The radius that the user gave \[m\].
    pub(super) given: f64,
    /// The spacing of the particles \[m\].
    pub(super) spacing: f64,
}

/// Why a file did not become meshes.
#[derive(Debug, Error)]
pub enum MeshingError {
    /// The file cannot be read.
    #[error("{name}: cannot read: {source}")]
    Read {
        /// The file.
        name: String,
        /// The system's reason.
        source: io::Error,
    },
    /// Its content is invalid.
    #[error("{name}: {reason}")]
    Content {
        /// The file.
        name: String,
        /// What is wrong.
        reason: String,
    },
    /// A mesh would replace a file.
    #[error(transparent)]
    Output(#[from] JobError),
    /// A mesh cannot be written.
    #[error(transparent)]
    File(#[from] FileError),
}

impl MeshingError {
    /// The verdict of a command that fails with this error.
    pub fn verdict(&self) -> Verdict {
        match self {
            MeshingError::File(_) => Verdict::Failed,
            _ => Verdict::WrongInput,
        }
    }
}

/// The error of a file that exists at `path`.
pub fn exists(path: &Path) -> JobError {
    JobError::Exists(name(path))
}

/// The error of a mesh that would replace particles at `path`.
pub fn replaces_particles(path: &Path) -> JobError {
    JobError::ReplacesParticles(name(path))
}
