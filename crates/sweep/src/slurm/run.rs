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
    /// The words of the command that goes on with a run that was stopped.
    pub resume: &'a [String],
}

impl RunScript<'_> {
    /// The text of the script.
    pub fn text(&self) -> String {
        let [start, resume] = [self.start, self.resume].map(command);
        let start = format!(
            r#"if [[ ${{SLURM_RESTART_COUNT:-0}} != 0 && -e $run/run.json ]]; then
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
