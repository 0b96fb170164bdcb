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
    /// Options of the simulator that each point is run with, such as `--retry-failed`.
    pub point_options: &'a [&'a str],
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
        // A percent sign of the folder's is none of Slurm's.
        let log = format!("{}/slurm/%a.log", self.folder.replace('%', "%%"));
        option(&format!("--output={}", quoted(&log)));
        self.options.iter().for_each(|other| option(&quoted(other)));
        let more: String = self.point_options.iter().map(|option| format!(" {option}")).collect();
        let _ = write!(
            text,
            r#"
# A point of the sweep. Before its time is over it is asked to stop, which leaves a checkpoint, and
# the job is queued again; then it goes on.
requeue=
of_point={folder}/points/$(printf %04d "$SLURM_ARRAY_TASK_ID")
checkpoints() {{ ls -l --full-time "$of_point/checkpoints" 2>/dev/null; }}
before=$(checkpoints)
{program} sweep {folder} --point "$SLURM_ARRAY_TASK_ID"{more} &
point=$!
trap 'requeue=yes; kill -TERM "$point" 2>/dev/null' USR1
# The signal ends a wait with 138 before the point has ended.
wait "$point"; code=$?
while [[ $code == 138 ]]; do wait "$point"; code=$?; done
# 143: stopped by the signal above. A point that ended in the meantime need not be queued again, and
# one that was stopped without a new checkpoint might never come farther.
if [[ $requeue && $code == 143 ]]; then
    if [[ $(checkpoints) != "$before" ]]; then
        exec scontrol requeue "${{SLURM_ARRAY_JOB_ID}}_${{SLURM_ARRAY_TASK_ID}}"
    fi
    echo "stopped before there was a new checkpoint: a longer --time is needed" >&2
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

/// Seconds of a time limit as `sbatch` takes it: minutes, M:S, H:M:S, D-H, D-H:M or D-H:M:S.
pub fn seconds(limit: &str) -> Option<u64> {
    let (days, rest) = match limit.split_once('-') {
        Some((days, rest)) => (Some(days.parse::<u64>().ok()?), rest),
        None => (None, limit),
    };
    let parts = rest.split(':').map(|part| part.parse::<u64>().ok());
    let parts: Vec<u64> = parts.collect::<Option<_>>()?;
    let [hours, minutes, seconds] = match (days, &parts[..]) {
        (None, [minutes]) => [0, *minutes, 0],
        (None, [minutes, seconds]) => [0, *minutes, *seconds],
        (Some(_), [hours]) => [*hours, 0, 0],
        (Some(_), [hours, minutes]) => [*hours, *minutes, 0],
        (_, [hours, minutes, seconds]) => [*hours, *minutes, *seconds],
        _ => return None,
    };
    let hours = days.unwrap_or(0).checked_mul(24)?.checked_add(hours)?;
    hours.checked_mul(3600)?.checked_add(minutes.checked_mul(60)?)?.checked_add(seconds)
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
    fn time_limits_are_those_of_sbatch() {
        let limits = ["30", "1:30", "02:00:00", "1-2", "1-2:30", "1-02:30:15"].map(seconds);
        assert_eq!(limits, [1800, 90, 7200, 93_600, 95_400, 95_415].map(Some));
        let wrong = ["", "two", "1:2:3:4", "1-", "-1", "1:", "99999999999999999999"].map(seconds);
        assert_eq!(wrong, [None; 7]);
    }

    #[test]
    fn words_reach_the_program_as_they_are() {
        assert_eq!(quoted("out/dam_break"), "out/dam_break");
        assert_eq!(quoted("out/it's $HOME"), r"'out/it'\''s $HOME'");
        assert_eq!(quoted(""), "''");
        assert_eq!(plain("a b\n#SBATCH --x"), "a_b__SBATCH_--x");
    }
}
