//! `NAME.sbatch`: one run as a job.

use super::job::{SlurmJob, Work};
use hashfall_core::shell::quoted;

/// What the script of a run says.
#[derive(Clone, Debug)]
pub struct RunScript<'a> {
    /// What the job asks of the cluster.
    pub job: SlurmJob<'a>,
    /// The folder of the run.
    pub folder: &'a str,
    /// The words of the command that the job begins with.
    pub start: &'a [String],
    /// The words of the command that continues with a run that was stopped.
    pub resume: &'a [String],
    /// When the job continues instead of beginning.
    pub take_up: TakeUp,
}

/// When a job continues with a run, instead of beginning as it was told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TakeUp {
    /// Where the folder holds a run: a job that is submitted once more keeps what it has computed.
    ExistingRun,
    /// Where Slurm has queued the job again, which is to resume a run with new settings: by then
    /// they are in the run's own scene.
    RequeuedJob,
}

impl RunScript<'_> {
    /// The text of the script.
    pub fn text(&self) -> String {
        let [start, resume] = [self.start, self.resume].map(command);
        let goes_on = match self.take_up {
            TakeUp::ExistingRun => "-e $run/run.json",
            TakeUp::RequeuedJob => "${SLURM_RESTART_COUNT:-0} != 0",
        };
        let start = format!(
            r#"if [[ {goes_on} ]]; then
    {resume} &
else
    {start} &
fi"#
        );
        self.job.text(&Work {
            array: None,
            what: "A run",
            run: &quoted(self.folder),
            start: &start,
            id: "$SLURM_JOB_ID",
        })
    }
}

/// Words as a line of the shell.
fn command(words: &[String]) -> String {
    words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
}
