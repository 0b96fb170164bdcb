//! Reads the user's files: scenes, meshes and particles.

use super::built_in;
use super::scene_argument;
use super::stdin_scene;
use crate::cli::args::{CommonArgs, SceneArgs};
use crate::cli::files::path_policy::PathPolicy;
use hashfall_core::digest::Digest;
use hashfall_output::files::open_regular;
use hashfall_output::layout;
use hashfall_scene::{
    self as scene, Checked, Diagnostic, Override, Prepared, ReadFile, Severity, Source, suggest,
};
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Largest scene; stops devices and data given by mistake \[bytes\].
const MAX_SCENE: u64 = 64 << 20;
/// Largest mesh \[bytes\].
const MAX_MESH: u64 = 4 << 30;
/// Largest particle file \[bytes\].
const MAX_CLOUD: u64 = 1 << 40;

/// Reads the `--set` arguments.
///
/// # Errors
/// A diagnostic for each that is not `KEY=VALUE`.
pub fn overrides(args: &CommonArgs) -> Result<Vec<Override>, Vec<Diagnostic>> {
    let mut overrides = Vec::new();
    let mut faults = Vec::new();
    for text in &args.overrides {
        match Override::parse(text) {
            Ok(parsed) => overrides.push(parsed),
            Err(fault) => faults.push(fault),
        }
    }
    if faults.is_empty() { Ok(overrides) } else { Err(faults) }
}

/// All settings that the arguments change in a scene.
///
/// # Errors
/// As [`overrides`].
pub fn changes(args: &SceneArgs) -> Result<Vec<Override>, Vec<Diagnostic>> {
    let mut changes = overrides(&args.common)?;
    let frame_count = |n: u32| Override::new("frames.count", &n.to_string());
    changes.extend(args.frames.map(frame_count));
    changes.extend(args.no_surface.then(|| Override::new("surface", "None")));
    Ok(changes)
}

/// Reads a scene and its meshes, whose paths are relative to the scene's file. A path that no file
/// has may be the name of a scene that is built in.
///
/// # Errors
/// All errors in them.
pub fn prepare(
    path: &Path,
    overrides: &[Override],
    policy: PathPolicy,
) -> Result<Prepared, Vec<Diagnostic>> {
    prepare_with(scene::prepare, path, overrides, policy)
}

/// As [`prepare`], of which nothing is laid out yet.
///
/// # Errors
/// As [`prepare`].
pub fn check(
    path: &Path,
    overrides: &[Override],
    policy: PathPolicy,
) -> Result<Checked, Vec<Diagnostic>> {
    prepare_with(Checked::from_source, path, overrides, policy)
}

/// As [`prepare`], for a run to resume: some settings cannot change.
///
/// # Errors
/// As [`prepare`].
pub fn prepare_to_resume(
    path: &Path,
    overrides: &[Override],
    policy: PathPolicy,
) -> Result<Prepared, Vec<Diagnostic>> {
    prepare_with(scene::prepare_to_resume, path, overrides, policy)
}

/// As [`prepare`], of a text whose paths are relative to `folder`.
///
/// # Errors
/// As [`prepare`].
pub fn prepare_text(
    source: &Source,
    folder: &Path,
    overrides: &[Override],
    policy: PathPolicy,
) -> Result<Prepared, Vec<Diagnostic>> {
    prepare_in(scene::prepare, source, folder, overrides, policy)
}

/// How a scene is prepared.
type Prepare<T> = fn(&Source, &[Override], &mut ReadFile) -> Result<T, Vec<Diagnostic>>;

fn prepare_with<T>(
    prepare: Prepare<T>,
    path: &Path,
    overrides: &[Override],
    policy: PathPolicy,
) -> Result<T, Vec<Diagnostic>> {
    if let Some(scene) = built_in::find(path) {
        return prepare(&scene.source(), overrides, &mut |file: &str| scene.read(file));
    }
    let source = read_scene(path)?;
    // Paths in a scene on stdin are relative to the working folder.
    let is_stdin = stdin_scene::is_stdin(path);
    let folder = path.parent().filter(|_| !is_stdin).unwrap_or(Path::new(""));
    prepare_in(prepare, &source, folder, overrides, policy)
}

/// Prepares a text whose paths are relative to a folder.
fn prepare_in<T>(
    prepare: Prepare<T>,
    source: &Source,
    folder: &Path,
    overrides: &[Override],
    policy: PathPolicy,
) -> Result<T, Vec<Diagnostic>> {
    let mut opened = Vec::new();
    let mut read = |mesh: &str| {
        let path = folder.join(mesh);
        opened.push((mesh.to_owned(), name(&path)));
        read_mesh(folder, &path, policy)
    };
    let prepared = prepare(source, overrides, &mut read);
    prepared.map_err(|mut faults| {
        // A mesh is named relative to the scene; messages name it relative to the current folder.
        for fault in faults.iter_mut().filter(|fault| fault.source_name != source.name) {
            if let Some((_, path)) = opened.iter().find(|(mesh, _)| *mesh == fault.source_name) {
                fault.source_name.clone_from(path);
            }
        }
        faults
    })
}

/// Reads the text of a scene: a file, or one that is built in.
///
/// # Errors
/// As [`read_scene`].
pub fn scene(path: &Path) -> Result<Source, Vec<Diagnostic>> {
    built_in::find(path).map_or_else(|| read_scene(path), |scene| Ok(scene.source()))
}

/// Reads a file of particles.
///
/// # Errors
/// The system's error; for a missing file with a similar name.
pub fn particles(path: &Path) -> io::Result<Vec<u8>> {
    read_file(path, MAX_CLOUD).map_err(|error| with_suggestion(path, error))
}

/// The name of a file in messages.
pub fn name(path: &Path) -> String {
    path.display().to_string()
}

/// The name of a scene in messages.
pub fn scene_name(path: &Path) -> String {
    if stdin_scene::is_stdin(path) { stdin_scene::NAME.to_owned() } else { name(path) }
}

/// What a run of a scene is called: the stem of its file.
pub fn scene_stem(path: &Path) -> &OsStr {
    let is_stdin = stdin_scene::is_stdin(path);
    if is_stdin { OsStr::new(stdin_scene::STEM) } else { path.file_stem().unwrap_or_default() }
}

/// Reads the text of a scene, or of a sweep.
///
/// # Errors
/// If it cannot be read or is not UTF-8.
pub fn read_scene(path: &Path) -> Result<Source, Vec<Diagnostic>> {
    if let Some(scene) = built_in::find(path) {
        return Ok(scene.source());
    }
    let fault = |message: String| Diagnostic {
        severity: Severity::Error,
        source_name: scene_name(path),
        source_text: String::new(),
        span: None,
        message,
        help: None,
    };
    if let Some((message, help)) = scene_argument::other_kind(path) {
        return Err(vec![Diagnostic { help: Some(help), ..fault(message.to_owned()) }]);
    }
    let read = if stdin_scene::is_stdin(path) { read_stdin() } else { read_file(path, MAX_SCENE) };
    let mut bytes = read.map_err(|error| {
        let help = scene_argument::help(path, near_file(path, &error));
        vec![Diagnostic { help, ..fault(format!("cannot read the scene: {error}")) }]
    })?;
    // A byte order mark would shift the columns of the first line.
    if bytes.starts_with("\u{feff}".as_bytes()) {
        bytes.drain(..'\u{feff}'.len_utf8());
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        let start = error.utf8_error().valid_up_to();
        let text = String::from_utf8_lossy(error.as_bytes()).into_owned();
        // The text before the invalid byte has as many characters in both.
        let at = text[..start].chars().count();
        let message = "this is not UTF-8 text, as a scene must be".to_owned();
        vec![Diagnostic { source_text: text, span: Some(at..at + 1), ..fault(message) }]
    })?;
    Ok(Source { name: scene_name(path), text })
}

/// The columns of the probes of a scene with their units; none if the scene cannot be read.
pub fn probe_units(scene: &str) -> Vec<(String, String)> {
    let source = Source { name: layout::SCENE.to_owned(), text: scene.to_owned() };
    let columns = scene::probes(&source).map_or_else(Vec::new, |probes| probes.columns());
    columns.into_iter().map(|column| (column.name, column.unit.to_owned())).collect()
}

/// The digests of a file that a scene names, and of files that it names in its turn, as the buffers
/// of a `.gltf`: their paths relative to the scene, as far as they can be read.
pub fn digests(scene: &Path, file: &str) -> Vec<(String, String)> {
    let Some(bytes) = read_named(scene, file) else { return Vec::new() };
    let beside = scene::paths_beside(file, &bytes).into_iter();
    let beside = beside.filter_map(|path| digest(scene, &path).map(|digest| (path, digest)));
    [(file.to_owned(), digest_of(&bytes))].into_iter().chain(beside).collect()
}

/// The digest of a file by its path relative to a scene; `None` if it cannot be read.
pub fn digest(scene: &Path, file: &str) -> Option<String> {
    read_named(scene, file).map(|bytes| digest_of(&bytes))
}

fn digest_of(bytes: &[u8]) -> String {
    let mut digest = Digest::default();
    digest.bytes(bytes);
    format!("{:016x}", digest.value())
}

/// The bytes of a file by its path relative to a scene.
fn read_named(scene: &Path, file: &str) -> Option<Vec<u8>> {
    let path = scene.parent().unwrap_or(Path::new("")).join(file);
    let bytes = match built_in::find(scene) {
        Some(scene) => scene.read(file),
        None => read_file(&path, MAX_MESH),
    };
    bytes.ok()
}

/// Reads a mesh that a scene in `folder` names.
fn read_mesh(folder: &Path, path: &Path, policy: PathPolicy) -> io::Result<Vec<u8>> {
    let read = match policy.check(folder, path) {
        // For a missing file, opening it gives the better error.
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => read_file(path, MAX_MESH),
    };
    read.map_err(|error| with_suggestion(path, error))
}

/// The error; for a missing file with a similar name.
fn with_suggestion(path: &Path, error: io::Error) -> io::Error {
    match near_file(path, &error) {
        Some(suggestion) => {
            io::Error::new(error.kind(), format!("{error}; did you mean `{suggestion}`?"))
        }
        None => error,
    }
}

/// Reads a file of at most `limit` bytes.
fn read_file(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open(path)?.take(limit + 1).read_to_end(&mut bytes)?;
    within(limit, bytes)
}

/// Reads a scene from stdin.
fn read_stdin() -> io::Result<Vec<u8>> {
    within(MAX_SCENE, stdin_scene::read(MAX_SCENE)?)
}

/// The bytes, unless they are too many.
fn within(limit: u64, bytes: Vec<u8>) -> io::Result<Vec<u8>> {
    if bytes.len() as u64 > limit {
        return Err(io::Error::other(format!("it is larger than {limit} bytes")));
    }
    Ok(bytes)
}

fn open(path: &Path) -> io::Result<File> {
    let opened = if is_descriptor(path) { File::open(path) } else { open_regular(path) };
    opened.map_err(|error| match std::fs::read_link(path) {
        Ok(target) if error.kind() == io::ErrorKind::NotFound => {
            let target = name(&target);
            io::Error::other(format!("it is a link to `{target}`, which does not exist"))
        }
        _ => error,
    })
}

/// Whether a path is an open file of this process, as `/dev/stdin` and a shell's `<(…)` are. A pipe
/// there has a writer; any other pipe may have none.
fn is_descriptor(path: &Path) -> bool {
    path == Path::new("/dev/stdin")
        || ["/dev/fd", "/proc/self/fd"].iter().any(|folder| path.starts_with(folder))
}

/// The name of a similar file in the folder of a missing file.
fn near_file(path: &Path, error: &io::Error) -> Option<String> {
    if error.kind() != io::ErrorKind::NotFound {
        return None;
    }
    let missing = path.file_name()?.to_str()?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let entries = std::fs::read_dir(folder.unwrap_or(Path::new("."))).ok()?;
    let mut names: Vec<String> =
        entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok()).collect();
    names.sort();
    suggest::nearest(missing, names.iter().map(String::as_str)).map(str::to_owned)
}
