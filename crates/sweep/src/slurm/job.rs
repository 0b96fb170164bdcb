//! What the scripts of all jobs share: the options of `sbatch` at their head, and the end, which
//! puts a job into the queue again.
//!
//! Source: the manual pages of `sbatch` and `scontrol` (Slurm 22.05). Before a job's time is over
//! Slurm sends a signal to its script; the script asks the simulator to stop, which leaves a
//! checkpoint, and puts the job into the queue again, where it continues.

use super::words::plain;
use hashfall_core::shell::quoted;

/// What a job asks of the cluster.
#[derive(Clone, Debug)]
pub struct SlurmJob<'a> {
    /// Name of the job.
    pub name: &'a str,
    /// The file of what it prints, as `sbatch --output` takes it.
    pub log: &'a str,
    /// Time limit, as `sbatch --time` takes it.
    pub time: &'a str,
    /// Seconds before the limit at which it stops.
    pub stop_before: u32,
    /// Cores of the job.
    pub cpus: usize,
    /// Memory of the job, as `sbatch --mem` takes it.
    pub memory: Option<&'a str>,
    /// Other options of `sbatch`.
    pub options: &'a [String],
}

/// What a job does.
pub(super) struct Work<'a> {
    /// The jobs of an array, if it is one.
    pub array: Option<&'a str>,
    /// What it is, as a comment: `A point of the sweep`.
    pub what: &'a str,
    /// The folder of the run, as the shell takes it.
    pub run: &'a str,
    /// Lines that start the simulator in the background.
    pub start: &'a str,
    /// The job's number, for `scontrol requeue`.
    pub id: &'a str,
}

impl SlurmJob<'_> {
    /// The text of the script.
    pub(super) fn text(&self, work: &Work) -> String {
        let Work { what, run, start, id, .. } = work;
        let head = self.head(work.array);
        format!(
            r#"{head}
# {what}. Before its time is over it is asked to stop, which leaves a checkpoint, and the job is
# queued again; then it goes on.
requeue=
run={run}
checkpoints() {{ ls -l --full-time "$run/checkpoints" 2>/dev/null; }}
before=$(checkpoints)
{start}
pid=$!
trap 'requeue=yes; kill -TERM "$pid" 2>/dev/null' USR1
# The signal ends a wait with 138 before the run has ended.
wait "$pid"; code=$?
while [[ $code == 138 ]]; do wait "$pid"; code=$?; done
# 143: stopped by the signal above. A run that ended in the meantime need not be queued again, and
# one that was stopped without a new checkpoint might never come farther.
if [[ $requeue && $code == 143 ]]; then
    if [[ $(checkpoints) != "$before" ]]; then
        exec scontrol requeue "{id}"
    fi
    echo "stopped before there was a new checkpoint: a longer --time is needed" >&2
fi
exit "$code"
"#
        )
    }

    /// The first line and the options of `sbatch`.
    fn head(&self, array: Option<&str>) -> String {
        let mut options = vec![format!("--job-name={}", plain(self.name))];
        options.extend(array.map(|array| format!("--array={array}")));
        options.push(format!("--time={}", self.time));
        options.push(format!("--cpus-per-task={}", self.cpus));
        options.extend(self.memory.map(|memory| format!("--mem={memory}")));
        options.push(format!("--signal=B:USR1@{}", self.stop_before));
        options.push("--requeue".to_owned());
        options.push("--open-mode=append".to_owned());
        options.push(format!("--output={}", quoted(self.log)));
        options.extend(self.options.iter().map(|other| quoted(other)));
        let lines = options.iter().map(|option| format!("#SBATCH {option}\n"));
        format!("#!/bin/bash\n{}", lines.collect::<String>())
    }
}
