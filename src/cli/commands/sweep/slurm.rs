//! `--slurm`: writes the script that runs the points on a cluster, and submits it if asked.

use crate::cli::args::{SlurmArgs, SweepArgs};
use crate::cli::console::Console;
use crate::cli::console::Verdict;
use crate::cli::files::sweep_folder::{JOB_LOGS, SCRIPT, SweepFolder};
use hashfall_sweep::{SlurmScript, quoted};
use std::ffi::OsStr;
use std::io;
use std::path::Path;
use std::process::{Command, Output};

/// Writes the script for the points that have not ended, and submits it if asked.
pub fn write(folder: &SweepFolder, args: &SweepArgs, console: Console) -> Verdict {
    let tried = match ScriptPaths::new(folder) {
        Ok(places) => try_write(folder, &places, args, console),
        Err(why) => {
            console.error(why);
            return Verdict::WrongInput;
        }
    };
    tried.unwrap_or_else(|why| {
        console.error(why);
        Verdict::Failed
    })
}

/// What the script names, as text.
struct ScriptPaths {
    program: String,
    folder: String,
}

impl ScriptPaths {
    /// Those of a sweep in this folder.
    ///
    /// # Errors
    /// If one of them cannot stand in a script.
    fn new(folder: &SweepFolder) -> Result<ScriptPaths, String> {
        let program =
            std::env::current_exe().map_err(|e| format!("cannot find this program: {e}"))?;
        Ok(ScriptPaths { program: in_script(&program)?, folder: in_script(folder.path())? })
    }
}

/// An absolute path as a script has it: a line of text.
fn in_script(path: &Path) -> Result<String, String> {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    match path.to_str() {
        None => Err(format!("`{}` is not text, as a script must be", path.display())),
        Some(text) if text.contains(char::is_control) => Err(format!(
            "`{text}` has a line break or another control character, and cannot stand in a script"
        )),
        Some(text) => Ok(text.to_owned()),
    }
}

fn try_write(
    folder: &SweepFolder,
    places: &ScriptPaths,
    args: &SweepArgs,
    console: Console,
) -> Result<Verdict, String> {
    let points = folder.due(args.retry_failed);
    if points.is_empty() {
        console.talk("all points have ended: there is nothing to submit");
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
        point_options: &args.of_points(),
    };
    let write =
        |name: &str, bytes: &[u8]| folder.write(name, bytes).map_err(|error| error.to_string());
    write(SCRIPT, script.text().as_bytes())?;
    // Slurm writes no log into a folder that is not there.
    write(&format!("{JOB_LOGS}/collect.log"), b"")?;
    let script = Path::new(path).join(SCRIPT);
    if !args.slurm.submit {
        console.talk("submit it by `sbatch`; `sim sweep DIR --collect` gathers what has been run");
        return Ok(console.answer("script's name", format_args!("{}\n", script.display())));
    }
    let array = submit([OsStr::new("--parsable"), script.as_os_str()])?;
    let told = console.answer("job's number", format_args!("{array}\n"));
    let log = format!("--output={}/{JOB_LOGS}/collect.log", path.replace('%', "%%"));
    let after = format!("--dependency=afterany:{array}");
    let collect = format!("--wrap={} sweep {} --collect", quoted(program), quoted(path));
    // The user's options first: ours count.
    let ours = ["--parsable", "--job-name=collect", &log, &after, &collect];
    let options = sbatch.iter().map(String::as_str).filter(|option| !is_array(option));
    let collecting = submit(options.chain(ours))?;
    Ok(told.or_worse(console.answer("job's number", format_args!("{collecting}\n"))))
}

/// Whether an option of `sbatch` is which jobs its array has: the collecting job is none.
fn is_array(option: &str) -> bool {
    option == "--array" || option.starts_with("--array=") || option.starts_with("-a")
}

/// Submits a job; its number.
fn submit(options: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Result<String, String> {
    let output = Command::new("sbatch").args(options).output();
    let Output { status, stdout, stderr } = output.map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => {
            "there is no `sbatch` on this machine: submit from one with Slurm that sees the same \
             folders"
                .to_owned()
        }
        _ => format!("cannot start `sbatch`: {error}"),
    })?;
    if !status.success() {
        return Err(format!("sbatch: {}", String::from_utf8_lossy(&stderr).trim()));
    }
    // With several clusters, the number stands before the cluster's name.
    let answer = String::from_utf8_lossy(&stdout);
    Ok(answer.trim().split(';').next().unwrap_or_default().to_owned())
}
