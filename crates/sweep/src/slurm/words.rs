//! Names in scripts, and the time limits of `sbatch`.

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
pub fn plain(name: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || c == '-' || c == '_' || c == '.';
    name.chars().map(|c| if is_plain(c) { c } else { '_' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_limits_are_those_of_sbatch() {
        let limits = ["30", "1:30", "02:00:00", "1-2", "1-2:30", "1-02:30:15"].map(seconds);
        assert_eq!(limits, [1800, 90, 7200, 93_600, 95_400, 95_415].map(Some));
        let wrong = ["", "two", "1:2:3:4", "1-", "-1", "1:", "99999999999999999999"].map(seconds);
        assert_eq!(wrong, [None; 7]);
    }

    #[test]
    fn names_of_jobs_are_plain() {
        assert_eq!(plain("a b\n#SBATCH --x"), "a_b__SBATCH_--x");
    }
}
