//! `sweep.sbatch`: the points of a sweep as an array of Slurm jobs.
//!
//! Source: the manual pages of `sbatch` and `scontrol` (Slurm 22.05). Before a job's time is over
//! Slurm sends a signal to its script; the script asks the simulator to stop, which leaves a
//! checkpoint, and puts the job into the queue again, where it goes on.

use std::fmt::Write;

/// What the script says.
#[derive(Clone, Debug)]
pub struct SlurmScript<'a> {
    /// Name of the job.
    pub name: &'a str,
    /// The simulator's program.
    pub program: &'a str,
    /// The folder of the sweep.
    pub folder: &'a str,
    /// The points that are to be run, ascending.
    pub points: &'a [usize],
    /// Time limit, as `sbatch --time` takes it.
    pub time: &'a str,
    /// Seconds before the limit at which a point stops.
    pub stop_before: u32,
    /// Cores of a job.
    pub cpus: usize,
    /// Memory of a job, as `sbatch --mem` takes it.
    pub memory: Option<&'a str>,
    /// Other options of `sbatch`.
    pub options: &'a [String],
    /// Whether points that failed are run again.
    pub retry_failed: bool,
}

impl SlurmScript<'_> {
    /// The text of the script.
    pub fn text(&self) -> String {
        let (folder, program) = (quoted(self.folder), quoted(self.program));
        let mut text = String::from("#!/bin/bash\n");
        let mut option = |option: &str| {
            // Writing to memory does not fail.
            let _ = writeln!(text, "#SBATCH {option}");
        };
        option(&format!("--job-name={}", plain(self.name)));
        option(&format!("--array={}", ranges(self.points)));
        option(&format!("--time={}", self.time));
        option(&format!("--cpus-per-task={}", self.cpus));
        if let Some(memory) = self.memory {
            option(&format!("--mem={memory}"));
        }
        option(&format!("--signal=B:USR1@{}", self.stop_before));
        option("--requeue");
        option("--open-mode=append");
        option(&format!("--output={}", quoted(&format!("{}/slurm/%a.log", self.folder))));
        self.options.iter().for_each(|other| option(other));
        let retry = if self.retry_failed { " --retry-failed" } else { "" };
        let _ = write!(
            text,
            r#"
# A point of the sweep. Before its time is over it is asked to stop, which leaves a checkpoint, and
# the job is queued again; then it goes on.
requeue=
trap 'requeue=yes; kill -TERM "$point" 2>/dev/null' USR1
{program} sweep {folder} --point "$SLURM_ARRAY_TASK_ID"{retry} &
point=$!
# A signal ends the first wait before the point does.
wait "$point"; code=$?
while kill -0 "$point" 2>/dev/null; do wait "$point"; code=$?; done
# 143: stopped by the signal above. A point that ended in the meantime need not be queued again.
if [[ $requeue && $code == 143 ]]; then
    exec scontrol requeue "${{SLURM_ARRAY_JOB_ID}}_${{SLURM_ARRAY_TASK_ID}}"
fi
exit "$code"
"#
        );
        text
    }
}

/// Numbers as Slurm takes them: `0-3,7`.
fn ranges(points: &[usize]) -> String {
    let mut ranges: Vec<(usize, usize)> = Vec::new();
    for &point in points {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == point => *last = point,
            _ => ranges.push((point, point)),
        }
    }
    let range = |&(first, last): &(usize, usize)| match last - first {
        0 => first.to_string(),
        _ => format!("{first}-{last}"),
    };
    ranges.iter().map(range).collect::<Vec<_>>().join(",")
}

/// A word that the shell takes as it is.
pub fn quoted(word: &str) -> String {
    let is_safe = |c: char| c.is_ascii_alphanumeric() || "/._-+:=@%".contains(c);
    if !word.is_empty() && word.chars().all(is_safe) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// A name without what Slurm or a shell could take amiss.
fn plain(name: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || c == '-' || c == '_' || c == '.';
    name.chars().map(|c| if is_plain(c) { c } else { '_' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_put_together_where_they_follow_each_other() {
        assert_eq!(ranges(&[0, 1, 2, 3]), "0-3");
        assert_eq!(ranges(&[4, 7, 8, 12]), "4,7-8,12");
        assert_eq!(ranges(&[]), "");
    }

    #[test]
    fn words_reach_the_program_as_they_are() {
        assert_eq!(quoted("out/dam_break"), "out/dam_break");
        assert_eq!(quoted("out/it's $HOME"), r"'out/it'\''s $HOME'");
        assert_eq!(quoted(""), "''");
        assert_eq!(plain("a b\n#SBATCH --x"), "a_b__SBATCH_--x");
    }
}
