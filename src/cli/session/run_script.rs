//! `--slurm` of one run: writes the script that runs or resumes it on a cluster, beside its folder,
//! and submits it if asked.

use crate::cli::args::{RunArgs, SlurmArgs};
use crate::cli::console::{Console, Verdict};
use crate::cli::system::slurm::{
    self, SlurmError, absolute, folder_name, in_script, log_path, submit,
};
use hashfall_output::RunFolder;
use hashfall_output::files::{self, Write};
use hashfall_sweep::{RunScript, TakeUp};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// What a job begins with.
#[derive(Clone, Copy, Debug)]
pub enum Job<'a> {
    /// The run of a scene.
    Start(&'a Path),
    /// The resumption of the run in its folder.
    Resume,
}

/// A run for the cluster.
pub struct ClusterRun<'a> {
    /// The folder of the run.
    pub folder: &'a Path,
    pub job: Job<'a>,
    /// Whether an earlier run in the folder is removed. That is done now: a job that replaced what
    /// it finds would also replace its own frames when it is submitted once more.
    pub overwrite: bool,
    /// Options of the run.
    pub run: &'a RunArgs,
    /// What is asked of the cluster.
    pub slurm: &'a SlurmArgs,
}

impl ClusterRun<'_> {
    /// Writes the script, and submits it if asked; prints its name, or the number of the job.
    pub fn write(&self, console: Console) -> Verdict {
        self.try_write(console).unwrap_or_else(|why| {
            console.error(&why);
            match why {
                SlurmError::NotUtf8(_) | SlurmError::ControlCharacter(_) => Verdict::WrongInput,
                _ => Verdict::Failed,
            }
        })
    }

    fn try_write(&self, console: Console) -> Result<Verdict, SlurmError> {
        let path = absolute(self.folder);
        let folder = in_script(&path)?;
        let script = beside(&path, "sbatch");
        let log = log_path(&in_script(&beside(&path, "slurm.log"))?);
        let text = RunScript {
            job: slurm::job(folder_name(&path), &log, self.slurm),
            folder: &folder,
            start: &self.start_words(&folder)?,
            resume: &self.resume_words(&folder)?,
            take_up: match self.job {
                Job::Start(_) => TakeUp::ExistingRun,
                Job::Resume => TakeUp::RequeuedJob,
            },
        }
        .text();
        files::write(&script, text.as_bytes(), Write::Replace)?;
        if self.overwrite {
            RunFolder::remove_run(&path)?;
        }
        if !self.slurm.submit {
            console.message("submit it with `sbatch`");
            let script = in_script(&script)?;
            return Ok(console.output("script's name", format_args!("{script}\n")));
        }
        let job = submit(&[OsStr::new("--parsable"), script.as_os_str()])?;
        Ok(console.output("job's number", format_args!("{job}\n")))
    }

    fn start_words(&self, folder: &str) -> Result<Vec<String>, SlurmError> {
        let mut words = vec![slurm::program()?];
        match self.job {
            Job::Resume => words.extend(["resume".to_owned(), folder.to_owned()]),
            Job::Start(scene) => {
                let name = scene.to_string_lossy().into_owned();
                let scene = if scene.exists() { in_script(scene)? } else { name };
                words.extend(["run".to_owned(), scene]);
                words.extend(["--out".to_owned(), folder.to_owned()]);
            }
        }
        words.extend(self.run.words(true));
        Ok(words)
    }

    /// Settings of the scene are in the run's own scene by then.
    fn resume_words(&self, folder: &str) -> Result<Vec<String>, SlurmError> {
        let mut words = vec![slurm::program()?, "resume".to_owned(), folder.to_owned()];
        words.extend(self.run.words(false));
        Ok(words)
    }
}

/// The folder's name with this ending, beside it.
fn beside(folder: &Path, ending: &str) -> PathBuf {
    folder.with_file_name(format!("{}.{ending}", folder_name(folder)))
}
