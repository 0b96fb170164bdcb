//! `sweep.sbatch`: the points of a sweep as an array of jobs.

use super::job::{SlurmJob, Work};
use hashfall_core::shell::quoted;

/// What the script of a sweep says.
#[derive(Clone, Debug)]
pub struct SweepScript<'a> {
    /// What each job asks of the cluster.
    pub job: SlurmJob<'a>,
    /// The simulator's program.
    pub program: &'a str,
    /// The folder of the sweep.
    pub folder: &'a str,
    /// The points that are to be run, ascending.
    pub points: &'a [usize],
    /// Options of the simulator that each point is run with, such as `--retry-failed`.
    pub point_options: &'a [String],
}

impl SweepScript<'_> {
    /// The text of the script.
    pub fn text(&self) -> String {
        let (folder, program) = (quoted(self.folder), quoted(self.program));
        let more: String = self.point_options.iter().map(|option| format!(" {option}")).collect();
        self.job.text(&Work {
            array: Some(&ranges(self.points)),
            what: "A point of the sweep",
            run: &format!(r#"{folder}/points/$(printf %04d "$SLURM_ARRAY_TASK_ID")"#),
            start: &format!(r#"{program} sweep {folder} --point "$SLURM_ARRAY_TASK_ID"{more} &"#),
            id: "${SLURM_ARRAY_JOB_ID}_${SLURM_ARRAY_TASK_ID}",
        })
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_put_together_where_they_follow_each_other() {
        assert_eq!(ranges(&[0, 1, 2, 3]), "0-3");
        assert_eq!(ranges(&[4, 7, 8, 12]), "4,7-8,12");
        assert_eq!(ranges(&[]), "");
    }
}
