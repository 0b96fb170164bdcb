//! `--slurm` of one run: writes the script that runs or resumes it on a cluster, beside its folder,
//! and submits it if asked.

use crate::cli::args::{RunArgs, SlurmArgs};
use crate::cli::console::{Console, Verdict};
use crate::cli::system::slurm::{self, SlurmError, in_script, log_path, submit};
use hashfall_output::files::{self, Write};
use hashfall_sweep::RunScript;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// A run for the cluster.
pub struct ClusterRun<'a> {
    /// The folder of the run.
    pub folder: &'a Path,
    /// What the job begins with: the command and its subject, as `run scene.ron`.
    pub start: [&'a OsStr; 2],
    /// Options of that alone.
    pub options: &'a [&'a str],
    /// Options of the run.
    pub run: &'a RunArgs,
    /// What is asked of the cluster.
    pub slurm: &'a SlurmArgs,
}

impl ClusterRun<'_> {
    /// Writes the script, and submits it if asked; prints its name, or the number of the job.
    pub fn write(&self, console: Console) -> Verdict {
        if !self.slurm.has_time() {
            console.error(format_args!(
                "with `--time {}` and `--stop-before {}` the job would stop as soon as it starts",
                self.slurm.time, self.slurm.stop_before
            ));
            return Verdict::WrongInput;
        }
        self.try_write(console).unwrap_or_else(|why| {
            console.error(&why);
            match why {
                SlurmError::NotUtf8(_) | SlurmError::ControlCharacter(_) => Verdict::WrongInput,
                _ => Verdict::Failed,
            }
        })
    }

    fn try_write(&self, console: Console) -> Result<Verdict, SlurmError> {
        let folder = in_script(self.folder)?;
        let name = self.folder.file_name().unwrap_or_default().to_string_lossy();
        let (script, log) = (self.beside("sbatch"), in_script(&self.beside("slurm.log"))?);
        let log = log_path(&log);
        let text = RunScript {
            job: slurm::job(&name, &log, self.slurm),
            folder: &folder,
            start: &self.start_words(&folder)?,
            resume: &self.resume_words(&folder)?,
        }
        .text();
        files::write(&script, text.as_bytes(), Write::Replace)?;
        if !self.slurm.submit {
            console.message("submit it with `sbatch`");
            let script = in_script(&script)?;
            return Ok(console.output("script's name", format_args!("{script}\n")));
        }
        let job = submit(&[OsStr::new("--parsable"), script.as_os_str()])?;
        Ok(console.output("job's number", format_args!("{job}\n")))
    }

    /// The folder's name with this ending.
    fn beside(&self, ending: &str) -> PathBuf {
        let mut name = self.folder.file_name().unwrap_or_default().to_owned();
        name.push(".");
        name.push(ending);
        self.folder.with_file_name(name)
    }

    fn start_words(&self, folder: &str) -> Result<Vec<String>, SlurmError> {
        let [command, subject] = self.start.map(|word| word.to_string_lossy().into_owned());
        let is_file = Path::new(self.start[1]).exists();
        let subject = if is_file { in_script(Path::new(self.start[1]))? } else { subject };
        let mut words = vec![slurm::program()?, command, subject];
        if self.start[0] != "resume" {
            words.extend(["--out".to_owned(), folder.to_owned()]);
        }
        words.extend(self.options.iter().map(|&option| option.to_owned()));
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
