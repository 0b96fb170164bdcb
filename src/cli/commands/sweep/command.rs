//! `sim sweep`: from a sweep's file, a scene with lists of values, or the folder of a sweep to runs
//! of its points and a table of results.

use super::{collect, point, slurm, workers};
use crate::cli::args::SweepArgs;
use crate::cli::console::Console;
use crate::cli::console::Verdict;
use crate::cli::files::built_in;
use crate::cli::files::load;
use crate::cli::files::stdin_scene;
use crate::cli::files::sweep_folder::{SweepFolder, SweepFolderError};
use crate::cli::session::Process;
use hashfall_scene::{self as scene, Diagnostic, Override, Source};
use hashfall_sweep::{Manifest, ParameterSweep, SweepFile, VersionMismatch, add_setting};
use std::collections::BTreeSet;
use std::fmt;
use std::path::{Path, PathBuf};

/// Upper bound of errors of values that are printed.
const MAX_FAULTS: usize = 20;
/// The key that `--frames` sets.
const FRAMES: &str = "frames.count";

/// Runs, lists or collects a sweep.
pub fn sweep(args: &SweepArgs, process: &Process) -> Verdict {
    try_sweep(args, process).unwrap_or_else(|verdict| verdict)
}

fn try_sweep(args: &SweepArgs, process: &Process) -> Result<Verdict, Verdict> {
    let console = process.console;
    let refuse = |why: &dyn fmt::Display| {
        console.error(why);
        Verdict::WrongInput
    };
    let refuse_folder = |error: SweepFolderError| {
        console.error(&error);
        error.verdict()
    };
    if console.events.is_some() && args.list {
        return Err(refuse(&"`--list` cannot be combined with `--log json`: it prints no events"));
    }
    if stdin_scene::is_stdin(&args.subject) {
        return Err(refuse(
            &"a sweep cannot be read from stdin: each point reads it again; write it to a file",
        ));
    }
    args.slurm.check(args.log).map_err(|why| refuse(&why))?;
    let folder = if args.subject.is_dir() {
        open_folder(args).map_err(refuse_folder)?
    } else {
        let (name, manifest) = plan(args, console)?;
        if args.list {
            return Ok(list(&manifest, console));
        }
        let path = args.out.clone().unwrap_or_else(|| Path::new("out").join(name));
        SweepFolder::for_sweep(&path, manifest, args.overwrite).map_err(refuse_folder)?
    };
    if let Some(point) = args.point.filter(|&point| point >= folder.points()) {
        let last = folder.points() - 1;
        return Err(refuse(&format_args!("no point {point}; the last is {last}")));
    }
    if args.list {
        return Ok(list(folder.manifest(), console));
    }
    if args.collect {
        return Ok(collect::collect(&folder, args, console, &|| false));
    }
    check_unchanged(&folder).map_err(|change| refuse(&change))?;
    match args.point {
        _ if args.slurm.slurm => Ok(slurm::write(&folder, args, console)),
        Some(point) => Ok(point::run(&folder, point, args, process)),
        None => workers::run(&folder, args, process),
    }
}

/// Opens the sweep in the folder that the user names.
fn open_folder(args: &SweepArgs) -> Result<SweepFolder, SweepFolderError> {
    let path = &args.subject;
    if !SweepFolder::is_one(path) {
        return Err(SweepFolderError::NoSweep(path.clone()));
    }
    if args.out.is_some() || args.overwrite || args.scene.frames.is_some() {
        return Err(SweepFolderError::Options(
            "`--out`, `--frames` and `--overwrite` need the sweep's file or scene, not its folder",
        ));
    }
    if !args.scene.common.overrides.is_empty() || args.scene.allow_outside {
        return Err(SweepFolderError::Options(
            "the points of a sweep are fixed: `--set` and `--allow-outside` need the sweep's file \
             or scene, and a new folder",
        ));
    }
    if args.list { SweepFolder::for_reading(path) } else { SweepFolder::open(path) }
}

/// The points of the sweep or scene that the user names, and its name. Names, types and brackets of
/// all values are checked; each point checks the values themselves.
fn plan(args: &SweepArgs, console: Console) -> Result<(String, Manifest), Verdict> {
    let refuse = |faults: Vec<Diagnostic>| {
        console.diagnostics(&faults);
        Verdict::WrongInput
    };
    let (name, path, text, sweep) = read(args).map_err(refuse)?;
    let mut faults: Vec<Diagnostic> = Vec::new();
    let mut meshes = BTreeSet::new();
    for point in sweep.samples() {
        if faults.len() >= MAX_FAULTS {
            break;
        }
        match scene::mesh_paths(&text, &sweep.overrides(point)) {
            Ok(more) => meshes.extend(more),
            Err(more) => {
                let new = more.into_iter().filter(|fault| !faults.contains(fault));
                faults.extend(new.collect::<Vec<_>>());
            }
        }
    }
    if !faults.is_empty() {
        return Err(refuse(faults));
    }
    // Other processes may have another current folder.
    let path = match built_in::find(&path) {
        Some(_) => path,
        None => std::path::absolute(&path).unwrap_or(path),
    };
    let outside = args.scene.allow_outside;
    let mut manifest = Manifest::new(&sweep, load::name(&path), &text.text, outside);
    manifest.record.meshes = meshes.iter().flat_map(|mesh| load::digests(&path, mesh)).collect();
    Ok((name, manifest))
}

/// Reads the sweep and its scene: its name, the scene's file and text, and the points.
fn read(args: &SweepArgs) -> Result<(String, PathBuf, Source, ParameterSweep), Vec<Diagnostic>> {
    let subject = load::read_scene(&args.subject)?;
    let stem = args.subject.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let (name, path, text, mut sweep) = if SweepFile::is_one(&subject.text) {
        let file = SweepFile::read(&subject)?;
        let folder = args.subject.parent().unwrap_or(Path::new(""));
        let path = folder.join(&file.scene);
        let scene = load::read_scene(&path).map_err(|faults| {
            // Located where the sweep names it.
            let at = |fault: Diagnostic| Diagnostic {
                source_name: subject.name.clone(),
                source_text: subject.text.clone(),
                span: Some(file.scene_at.clone()),
                message: format!("`{}`: {}", fault.source_name, fault.message),
                ..fault
            };
            faults.into_iter().map(at).collect::<Vec<_>>()
        })?;
        (stem, path, scene, file.sweep)
    } else {
        (format!("{stem}_sweep"), args.subject.clone(), subject, ParameterSweep::default())
    };
    let mut faults = Vec::new();
    let frames = args.scene.frames.map(|count| Override::new(FRAMES, &count.to_string()));
    // Arguments override the file.
    let given_keys = args.scene.common.overrides.iter().filter_map(|text| text.split_once('='));
    let given_keys = given_keys.map(|(key, _)| key.trim());
    sweep.release(&given_keys.chain(frames.is_some().then_some(FRAMES)).collect::<Vec<_>>());
    for text in &args.scene.common.overrides {
        add_setting(&mut sweep, text).unwrap_or_else(|more| faults.extend(more));
    }
    if let Some(set) = frames {
        sweep.fix(set).unwrap_or_else(|fault| faults.push(fault));
    }
    if faults.is_empty() && sweep.is_empty() {
        // A file that is no scene gets its own errors.
        let read = scene::mesh_paths(&text, &[]);
        faults = read.err().unwrap_or_else(|| vec![no_parameters(&text)]);
    }
    if faults.is_empty() { Ok((name, path, text, sweep)) } else { Err(faults) }
}

/// The error of a scene without parameters.
fn no_parameters(scene: &Source) -> Diagnostic {
    Diagnostic {
        severity: scene::Severity::Error,
        source_name: scene.name.clone(),
        source_text: String::new(),
        span: None,
        message: "no parameter varies".to_owned(),
        help: Some(
            "give a key several values, such as --set fluids[0].viscosity=0.01,0.1,1".to_owned(),
        ),
    }
}

/// A change since the start of a sweep, by which points would differ in more than parameters.
#[derive(Debug, thiserror::Error)]
enum Change {
    /// Another version of the program.
    #[error("`{}`: {source}; use that version, or pass another `--out`", path.display())]
    Version {
        /// The folder of the sweep.
        path: PathBuf,
        /// The versions.
        source: VersionMismatch,
    },
    /// The scene cannot be read.
    #[error("`{file}`: {message}")]
    Scene {
        /// The scene's file.
        file: String,
        /// What is wrong.
        message: String,
    },
    /// The scene, or a file that it or its meshes name, has changed.
    #[error(
        "`{file}` has changed since the sweep in `{}` was started; restore it, or pass another \
         `--out`",
        path.display()
    )]
    File {
        /// The file.
        file: String,
        /// The folder of the sweep.
        path: PathBuf,
    },
}

/// Checks that program, scene and meshes are those that the sweep started with.
fn check_unchanged(folder: &SweepFolder) -> Result<(), Change> {
    let path = || folder.path().to_path_buf();
    let version = folder.manifest().check_version();
    version.map_err(|source| Change::Version { path: path(), source })?;
    let record = &folder.manifest().record;
    let scene = load::read_scene(Path::new(&record.scene)).map_err(|faults| {
        let first = faults.into_iter().next().map(|fault| fault.message);
        Change::Scene { file: record.scene.clone(), message: first.unwrap_or_default() }
    })?;
    let is_changed = |(mesh, digest): &(&String, &String)| {
        load::digest(Path::new(&record.scene), mesh).as_ref() != Some(*digest)
    };
    let changed = if folder.manifest().has_scene(&scene.text) {
        record.meshes.iter().find(is_changed).map(|(mesh, _)| mesh)
    } else {
        Some(&record.scene)
    };
    match changed {
        None => Ok(()),
        Some(file) => Err(Change::File { file: file.clone(), path: path() }),
    }
}

/// Prints the points.
fn list(manifest: &Manifest, console: Console) -> Verdict {
    console.output("list", String::from_utf8_lossy(&manifest.csv()))
}
