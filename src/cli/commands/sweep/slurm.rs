//! `--slurm`: writes the script that runs the points on a cluster, and submits it if asked.

use crate::cli::args::{SlurmArgs, SweepArgs};
use crate::cli::console::Console;
use crate::cli::console::Verdict;
use crate::cli::files::sweep_folder::{JOB_LOGS, SCRIPT, SweepFolder};
use hashfall_output::FileError;
use hashfall_sweep::{SlurmScript, quoted};
use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Writes the script for the points that have not ended, and submits it if asked.
pub fn write(folder: &SweepFolder, args: &SweepArgs, console: Console) -> Verdict {
    let written = match ScriptPaths::new(folder) {
        Ok(places) => try_write(folder, &places, args, console),
        Err(why) => {
            console.error(why);
            return Verdict::WrongInput;
        }
    };
    written.unwrap_or_else(|why| {
        console.error(why);
        Verdict::Failed
    })
}

/// Why a sweep cannot be submitted.
#[derive(Debug, thiserror::Error)]
enum SlurmError {
    /// A path is not UTF-8.
    #[error("`{}` is not UTF-8, as a script must be", .0.display())]
    NotUtf8(PathBuf),
    /// A path has a control character.
    #[error("`{0}` has a line break or another control character, which a script cannot contain")]
    ControlCharacter(String),
    /// The path of this program is unknown.
    #[error("cannot find this program: {0}")]
    Program(io::Error),
    /// A file cannot be written.
    #[error(transparent)]
    File(#[from] FileError),
    /// Slurm is not installed.
    #[error("`sbatch` is not installed; submit from a machine with Slurm and the same folders")]
    NoSbatch,
    /// `sbatch` cannot be started.
    #[error("cannot start `sbatch`: {0}")]
    Start(io::Error),
    /// `sbatch` failed with this message.
    #[error("sbatch: {0}")]
    Sbatch(String),
}

/// The paths in the script, as text.
struct ScriptPaths {
    program: String,
    folder: String,
}

impl ScriptPaths {
    /// The paths of a sweep in this folder.
    ///
    /// # Errors
    /// If one of them cannot be written in a script.
    fn new(folder: &SweepFolder) -> Result<ScriptPaths, SlurmError> {
        let program = std::env::current_exe().map_err(SlurmError::Program)?;
        Ok(ScriptPaths { program: in_script(&program)?, folder: in_script(folder.path())? })
    }
}

/// An absolute path as a script has it: a line of text.
fn in_script(path: &Path) -> Result<String, SlurmError> {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    match path.to_str() {
        None => Err(SlurmError::NotUtf8(path)),
        Some(text) if text.contains(char::is_control) => {
            Err(SlurmError::ControlCharacter(text.to_owned()))
        }
        Some(text) => Ok(text.to_owned()),
    }
}

fn try_write(
    folder: &SweepFolder,
    places: &ScriptPaths,
    args: &SweepArgs,
    console: Console,
) -> Result<Verdict, SlurmError> {
    let points = folder.pending(args.retry_failed);
    if points.is_empty() {
        console.message("all points have ended; there is nothing to submit");
        return Ok(Verdict::Done);
    }
    let ScriptPaths { program, folder: path } = places;
    let name = folder.path().file_name().unwrap_or_default().to_string_lossy();
    let SlurmArgs { time, stop_before, cpus, mem, sbatch, .. } = &args.slurm;
    let script = SlurmScript {
        name: &name,
        program,
        folder: path,
        points: &points,
        time,
        stop_before: *stop_before,
        cpus: *cpus,
        memory: mem.as_deref(),
        options: sbatch,
        point_options: &args.point_options(),
    };
    folder.write(SCRIPT, script.text().as_bytes())?;
    // Slurm writes no log into a missing folder.
    folder.write(&format!("{JOB_LOGS}/collect.log"), b"")?;
    let script = Path::new(path).join(SCRIPT);
    if !args.slurm.submit {
        console.message("submit it with `sbatch`; `sim sweep DIR --collect` collects the results");
        return Ok(console.output("script's name", format_args!("{}\n", script.display())));
    }
    let array = submit(&[OsStr::new("--parsable"), script.as_os_str()])?;
    let printed = console.output("job's number", format_args!("{array}\n"));
    let log = format!("--output={}/{JOB_LOGS}/collect.log", path.replace('%', "%%"));
    let after = format!("--dependency=afterany:{array}");
    let collect = format!("--wrap={} sweep {} --collect", quoted(program), quoted(path));
    // The user's options first, so that ours override them.
    let ours = ["--parsable", "--job-name=collect", &log, &after, &collect];
    let options = sbatch.iter().map(String::as_str).filter(|option| !is_array(option));
    let collecting = submit(&options.chain(ours).map(OsStr::new).collect::<Vec<_>>())?;
    Ok(printed.or_worse(console.output("job's number", format_args!("{collecting}\n"))))
}

/// Whether an option of `sbatch` is which jobs its array has: the collecting job is none.
fn is_array(option: &str) -> bool {
    option == "--array" || option.starts_with("--array=") || option.starts_with("-a")
}

/// Submits a job; its number.
fn submit(options: &[&OsStr]) -> Result<String, SlurmError> {
    let output = Command::new("sbatch").args(options).output();
    let Output { status, stdout, stderr } = output.map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => SlurmError::NoSbatch,
        _ => SlurmError::Start(error),
    })?;
    if !status.success() {
        return Err(SlurmError::Sbatch(String::from_utf8_lossy(&stderr).trim().to_owned()));
    }
    // With several clusters, the number stands before the cluster's name.
    let answer = String::from_utf8_lossy(&stdout);
    Ok(answer.trim().split(';').next().unwrap_or_default().to_owned())
}
