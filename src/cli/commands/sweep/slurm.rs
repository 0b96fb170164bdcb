//! `--slurm`: writes the script that runs the points on a cluster, and submits it if asked.

use crate::cli::args::SweepArgs;
use crate::cli::console::Console;
use crate::cli::console::Verdict;
use crate::cli::files::sweep_folder::{JOB_LOGS, SCRIPT, SweepFolder};
use crate::cli::system::slurm::{self, SlurmError, folder_name, in_script, log_path, submit};
use hashfall_core::shell::quoted;
use hashfall_sweep::SweepScript;
use std::ffi::OsStr;
use std::path::Path;

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
        Ok(ScriptPaths { program: slurm::program()?, folder: in_script(folder.path())? })
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
    let name = folder_name(Path::new(path));
    let log = log_path(&format!("{path}/{JOB_LOGS}")) + "/%a.log";
    let script = SweepScript {
        job: slurm::job(name, &log, &args.slurm),
        program,
        folder: path,
        points: &points,
        point_options: &args.job_options(),
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
    let log = format!("--output={}/{JOB_LOGS}/collect.log", log_path(path));
    let after = format!("--dependency=afterany:{array}");
    let collect = format!("--wrap={} sweep {} --collect", quoted(program), quoted(path));
    // The user's options first, so that ours override them.
    let ours = ["--parsable", "--job-name=collect", &log, &after, &collect];
    let options = args.slurm.sbatch.iter().map(String::as_str).filter(|option| !is_array(option));
    let collecting = submit(&options.chain(ours).map(OsStr::new).collect::<Vec<_>>())?;
    Ok(printed.or_worse(console.output("job's number", format_args!("{collecting}\n"))))
}

/// Whether an option of `sbatch` is which jobs its array has: the collecting job is none.
fn is_array(option: &str) -> bool {
    option == "--array" || option.starts_with("--array=") || option.starts_with("-a")
}
