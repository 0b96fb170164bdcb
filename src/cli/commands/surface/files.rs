//! Which mesh each file becomes.

use super::patterns::{Input, PLACEHOLDER, inputs};
use crate::cli::args::{MeshFormat, SurfaceArgs};
use crate::cli::files::load::name;
use clap::ValueEnum;
use hashfall_input::Format;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Extensions of compressed files.
const PACKED: [&str; 7] = ["gz", "zst", "xz", "bz2", "zip", "7z", "lz4"];
/// The folder for meshes, unless another is named.
const DEFAULT_FOLDER: &str = "out/surface";

/// A file to read and the meshes to write.
pub struct Job {
    pub input: PathBuf,
    pub format: Format,
    pub mesh: Mesh,
    /// That of the bodies which are too small, if it is wanted.
    pub spray: Option<Mesh>,
    /// The time that a series gives the file \[s\].
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
    pub fn of_fluid(&self, value: Option<u32>) -> Mesh {
        let Some(value) = value else { return self.clone() };
        let stem = self.path.file_stem().unwrap_or_default().to_string_lossy();
        let extension = self.path.extension().unwrap_or_default().to_string_lossy();
        let path = self.path.with_file_name(format!("{stem}_phase{value}.{extension}"));
        Mesh { path, ..*self }
    }
}

impl Job {
    /// All meshes to write, that of the spray last.
    pub fn meshes(&self) -> impl Iterator<Item = &Mesh> {
        [&self.mesh].into_iter().chain(&self.spray)
    }
}

/// All files to read, in order, each with its mesh.
///
/// # Errors
/// What is wrong with the arguments, or that a file would be replaced which nobody gave up.
pub fn jobs(args: &SurfaceArgs) -> Result<Vec<Job>, String> {
    let inputs = inputs(args)?;
    let target = |out, usual| Target::new(out, args.format, usual, inputs.len());
    let usual = args.format.unwrap_or(MeshFormat::Ply);
    let meshes = target(args.out.as_deref().unwrap_or(Path::new(DEFAULT_FOLDER)), usual)?;
    let spray = args.spray.as_deref().map(|out| target(out, meshes.format)).transpose()?;
    let of_input = |Input { path, frame, time }| {
        let mesh = meshes.mesh(&path, &frame);
        let spray = spray.as_ref().map(|target| target.mesh(&path, &frame));
        Ok(Job { format: format(&path)?, input: path, mesh, spray, time })
    };
    let jobs: Vec<Job> = inputs.into_iter().map(of_input).collect::<Result<_, String>>()?;
    // Those of several fluids get names that stand in the files.
    protect(&jobs, args.overwrite || args.phases.is_some())?;
    Ok(jobs)
}

/// Refuses to write two meshes to one file, to replace particles, or an old mesh unasked.
fn protect(jobs: &[Job], overwrite: bool) -> Result<(), String> {
    let particles: BTreeSet<PathBuf> =
        jobs.iter().filter_map(|job| job.input.canonicalize().ok()).collect();
    let mut taken: BTreeMap<PathBuf, &Job> = BTreeMap::new();
    let outputs = jobs.iter().flat_map(|job| job.meshes().map(move |mesh| (job, &mesh.path)));
    for (job, output) in outputs {
        if let Some(other) = taken.insert(place_of(output), job) {
            let is_spray = std::ptr::eq(other, job);
            let (other, input, output) = (name(&other.input), name(&job.input), name(output));
            return Err(if is_spray {
                format!("`{output}` would be both mesh and spray: choose another place for --spray")
            } else {
                format!(
                    "the meshes of `{other}` and `{input}` would both be `{output}`: put `{{}}` \
                     into the name, or mesh them into different folders"
                )
            });
        }
        if output.canonicalize().is_ok_and(|output| particles.contains(&output)) {
            return Err(over_particles(output));
        }
        if !overwrite && output.exists() {
            return Err(in_the_way(output));
        }
    }
    Ok(())
}

/// Where a file is or will be, by whatever name it is called.
pub fn place_of(path: &Path) -> PathBuf {
    let folder = path.parent().unwrap_or(Path::new(""));
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let folder = folder.canonicalize().or_else(|_| std::path::absolute(folder));
    let file = path.file_name().unwrap_or_default();
    path.canonicalize().unwrap_or_else(|_| folder.map_or(path.into(), |folder| folder.join(file)))
}

/// What to say of a file that stands where a mesh should.
pub fn in_the_way(path: &Path) -> String {
    let path = name(path);
    format!("`{path}` is there already: pass --overwrite to replace it, or choose another --out")
}

/// What to say of a mesh that would replace particles.
pub fn over_particles(path: &Path) -> String {
    let path = name(path);
    format!("a mesh would replace the particles in `{path}`: choose another folder with --out")
}

/// The format of a particle file.
fn format(path: &Path) -> Result<Format, String> {
    let extension = path.extension().unwrap_or_default().to_string_lossy();
    Format::from_extension(&extension).ok_or_else(|| {
        let (name, known) = (name(path), Format::list_extensions());
        if PACKED.contains(&&*extension.to_ascii_lowercase()) {
            return format!("`{name}` is compressed: unpack it first; these are read: {known}");
        }
        format!(
            "`{name}` is of no format that is read: these are {known}, and .pvd and .series, which \
             name such files"
        )
    })
}

/// Where meshes go.
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
    /// Where meshes of so many inputs go: in the format that is asked for, or as the name ends; in
    /// a folder, in the usual one.
    fn new(
        out: &Path,
        asked: Option<MeshFormat>,
        usual: MeshFormat,
        inputs: usize,
    ) -> Result<Target, String> {
        let shown = name(out);
        let file_name = out.file_name().unwrap_or_default().to_string_lossy();
        let is_pattern = file_name.contains(PLACEHOLDER);
        let extension = out.extension().map(|extension| extension.to_string_lossy());
        // A dot may also stand in the name of a folder, before a number.
        let is_file =
            extension.as_ref().is_some_and(|e| e.bytes().all(|c| c.is_ascii_alphabetic()));
        if out.is_dir() || !(is_file || is_pattern) {
            return Ok(Target { place: Place::Folder(out.into()), format: usual });
        }
        let format = extension.and_then(|e| MeshFormat::from_str(&e, true).ok());
        let Some(format) = format else {
            return Err(format!(
                "`{shown}` is of no format of meshes: end it in .ply, .vtp or .obj"
            ));
        };
        if asked.is_some_and(|asked| asked != format) {
            return Err(format!("`{shown}` is not of the format that --format asks for"));
        }
        if inputs > 1 && !is_pattern {
            return Err(format!(
                "{inputs} files cannot become one mesh `{shown}`: name a folder, or put `{{}}` \
                 into the name"
            ));
        }
        Ok(Target { place: Place::File(out.into()), format })
    }

    /// The mesh of a particle file, which is this frame.
    fn mesh(&self, particles: &Path, frame: &str) -> Mesh {
        let path = match &self.place {
            Place::Folder(folder) => {
                let stem = particles.file_stem().unwrap_or_default().to_string_lossy();
                folder.join(format!("{stem}.{}", self.extension()))
            }
            Place::File(file) => {
                let file_name = file.file_name().unwrap_or_default().to_string_lossy();
                file.with_file_name(file_name.replace(PLACEHOLDER, frame))
            }
        };
        Mesh { path, format: self.format }
    }

    fn extension(&self) -> &'static str {
        match self.format {
            MeshFormat::Ply => "ply",
            MeshFormat::Vtp => "vtp",
            MeshFormat::Obj => "obj",
        }
    }
}
