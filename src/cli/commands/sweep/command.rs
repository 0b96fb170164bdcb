//! `sim sweep`: from a sweep's file, a scene with lists of values, or the folder of a sweep to runs
//! of its points and a table of results.

use super::{collect, point, slurm, workers};
use crate::cli::args::SweepArgs;
use crate::cli::console::Console;
use crate::cli::console::Verdict;
use crate::cli::files::load;
use crate::cli::files::sweep_folder::{Refusal, SweepFolder};
use crate::cli::session::Process;
use hashfall_scene::{self as scene, Diagnostic, Override, Source};
use hashfall_sweep::{Manifest, ParameterSweep, SweepFile, add_setting};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Faults of values that are shown at the most.
const MAX_FAULTS: usize = 20;
/// What `--frames` sets.
const FRAMES: &str = "frames.count";

/// Runs what is asked for of a sweep.
pub fn sweep(args: &SweepArgs, process: &Process) -> Verdict {
    try_sweep(args, process).unwrap_or_else(|verdict| verdict)
}

fn try_sweep(args: &SweepArgs, process: &Process) -> Result<Verdict, Verdict> {
    let console = process.console;
    let refuse = |why: String| {
        console.error(why);
        Verdict::WrongInput
    };
    let refuse_folder = |Refusal { why, verdict }| {
        console.error(why);
        verdict
    };
    if console.events.is_some() && (args.list || args.slurm.slurm) {
        let why = "`--list` and `--slurm` have an answer of their own: leave out `--log json`";
        return Err(refuse(why.to_owned()));
    }
    if args.slurm.slurm && !args.slurm.has_time() {
        return Err(refuse(format!(
            "with `--time {}` and `--stop-before {}` a job would stop as soon as it starts",
            args.slurm.time, args.slurm.stop_before
        )));
    }
    let folder = if args.subject.is_dir() {
        of_folder(args).map_err(refuse_folder)?
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
        return Err(refuse(format!("there is no point {point}: the last is {last}")));
    }
    if args.list {
        return Ok(list(folder.manifest(), console));
    }
    if args.collect {
        return Ok(collect::collect(&folder, args, console, &|| false));
    }
    check_unchanged(&folder).map_err(refuse)?;
    match args.point {
        _ if args.slurm.slurm => Ok(slurm::write(&folder, args, console)),
        Some(point) => Ok(point::run(&folder, point, args, process)),
        None => workers::run(&folder, args, process),
    }
}

/// The sweep in the folder that the user names, whose points are known.
fn of_folder(args: &SweepArgs) -> Result<SweepFolder, Refusal> {
    let path = &args.subject;
    if !SweepFolder::is_one(path) {
        let path = path.display();
        return Err(format!("`{path}` holds no sweep: there is no `sweep.json` in it").into());
    }
    if args.out.is_some() || args.overwrite || args.scene.frames.is_some() {
        return Err("the folder of a sweep goes on as it is: `--out`, `--frames` and \
                    `--overwrite` go with the sweep's file or scene"
            .to_owned()
            .into());
    }
    if !args.scene.common.overrides.is_empty() || args.scene.allow_outside {
        return Err("the points of a sweep are fixed: `--set` and `--allow-outside` go with the \
                    sweep's file or scene, and a folder of its own"
            .to_owned()
            .into());
    }
    if args.list { SweepFolder::to_read(path) } else { SweepFolder::open(path) }
}

/// The points of the sweep or scene that the user names, and what it is called. Names, types and
/// brackets of every value are right; whether values can be meant, each point finds out.
fn plan(args: &SweepArgs, console: Console) -> Result<(String, Manifest), Verdict> {
    let told = |faults: Vec<Diagnostic>| {
        console.diagnostics(&faults);
        Verdict::WrongInput
    };
    let (name, path, text, sweep) = read(args).map_err(told)?;
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
        return Err(told(faults));
    }
    // Other processes may start elsewhere.
    let path = std::path::absolute(&path).unwrap_or(path);
    let outside = args.scene.allow_outside;
    let mut manifest = Manifest::new(&sweep, load::name(&path), &text.text, outside);
    let digest = |mesh: String| load::mesh_digest(&path, &mesh).map(|digest| (mesh, digest));
    manifest.record.meshes = meshes.into_iter().filter_map(digest).collect();
    Ok((name, manifest))
}

/// Reads the sweep and its scene: what it is called, the scene's file and text, and the points.
fn read(args: &SweepArgs) -> Result<(String, PathBuf, Source, ParameterSweep), Vec<Diagnostic>> {
    let subject = load::read_scene(&args.subject)?;
    let stem = args.subject.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let (name, path, text, mut sweep) = if SweepFile::is_one(&subject.text) {
        let file = SweepFile::read(&subject)?;
        let folder = args.subject.parent().unwrap_or(Path::new(""));
        let path = folder.join(&file.scene);
        let scene = load::read_scene(&path).map_err(|faults| {
            // Shown where the sweep names it.
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
    // What is typed counts before what the file sets.
    let typed_keys = args.scene.common.overrides.iter().filter_map(|text| text.split_once('='));
    let typed_keys = typed_keys.map(|(key, _)| key.trim());
    sweep.release(&typed_keys.chain(frames.is_some().then_some(FRAMES)).collect::<Vec<_>>());
    for text in &args.scene.common.overrides {
        add_setting(&mut sweep, text).unwrap_or_else(|more| faults.extend(more));
    }
    if let Some(set) = frames {
        sweep.fix(set).unwrap_or_else(|fault| faults.push(fault));
    }
    if faults.is_empty() && sweep.is_empty() {
        // What is no scene at all is told as such.
        let read = scene::mesh_paths(&text, &[]);
        faults = read.err().unwrap_or_else(|| vec![nothing_varies(&text)]);
    }
    if faults.is_empty() { Ok((name, path, text, sweep)) } else { Err(faults) }
}

/// That a scene alone is no sweep.
fn nothing_varies(scene: &Source) -> Diagnostic {
    Diagnostic {
        severity: scene::Severity::Error,
        source_name: scene.name.clone(),
        source_text: String::new(),
        span: None,
        message: "nothing varies".to_owned(),
        help: Some(
            "give a key several values, such as --set fluids[0].viscosity=0.01,0.1,1".to_owned(),
        ),
    }
}

/// Refuses a program, a scene or a mesh that is no longer what the sweep began with: its points
/// would differ in more than their parameters.
fn check_unchanged(folder: &SweepFolder) -> Result<(), String> {
    let path = folder.path().display();
    folder.manifest().check_version().map_err(|why| {
        format!("`{path}`: {why}: go on with that one, or choose another folder with `--out`")
    })?;
    let record = &folder.manifest().record;
    let scene = load::read_scene(Path::new(&record.scene)).map_err(|faults| {
        let first = faults.into_iter().next().map(|fault| fault.message);
        format!("`{}`: {}", record.scene, first.unwrap_or_default())
    })?;
    let is_other = |(mesh, digest): &(&String, &String)| {
        load::mesh_digest(Path::new(&record.scene), mesh).as_ref() != Some(*digest)
    };
    let changed = if folder.manifest().is_of(&scene.text) {
        record.meshes.iter().find(is_other).map(|(mesh, _)| mesh)
    } else {
        Some(&record.scene)
    };
    match changed {
        None => Ok(()),
        Some(file) => Err(format!(
            "`{file}` has changed since the sweep in `{path}` began: put it back, or choose \
             another folder with `--out`"
        )),
    }
}

/// Prints the points.
fn list(manifest: &Manifest, console: Console) -> Verdict {
    console.answer("list", String::from_utf8_lossy(&manifest.csv()))
}
