//! How many threads a run uses, and the one pool they live in.
//!
//! The results do not depend on the number; only the speed does.

use rayon::{ThreadPoolBuildError, ThreadPoolBuilder};

/// Upper bound of `--threads`.
pub const MAX_THREADS: usize = 1024;

/// Threads that are started on any machine on request.
const ALWAYS_STARTED: usize = 64;
/// Upper bound of threads per core, where that is more: further threads would only wait and search
/// each other for work, in time that grows with the square of their number.
const MAX_PER_CORE: usize = 4;

/// The number of threads, and the settings that were ignored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Threads {
    /// Threads to use, at least 1.
    pub count: usize,
    /// Why `SLURM_CPUS_PER_TASK` was ignored, if it is set but invalid.
    pub ignored_slurm: Option<ThreadCountError>,
    /// The requested number, if it is too large for this machine.
    pub too_many: Option<usize>,
}

impl Threads {
    /// The user's number, else Slurm's (`SLURM_CPUS_PER_TASK` as it stands in the environment),
    /// else the cores this process may use.
    pub fn choose(requested: Option<usize>, slurm: Option<&str>) -> Threads {
        let (requested, ignored_slurm) = match (requested, slurm.map(parse)) {
            (Some(count), _) | (None, Some(Ok(count))) => (count, None),
            (None, Some(Err(why))) => (available_cores(), Some(why)),
            (None, None) => (available_cores(), None),
        };
        let count = requested.min(ALWAYS_STARTED.max(MAX_PER_CORE * available_cores()));
        Threads { count, ignored_slurm, too_many: (count < requested).then_some(requested) }
    }
}

/// A text that is not a number of threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a whole number from 1 to {MAX_THREADS}")]
pub struct ThreadCountError;

/// Parses a number of threads.
///
/// # Errors
/// If the text is not a number from 1 to [`MAX_THREADS`].
pub fn parse(text: &str) -> Result<usize, ThreadCountError> {
    match text.trim().parse() {
        Ok(count) if (1..=MAX_THREADS).contains(&count) => Ok(count),
        _ => Err(ThreadCountError),
    }
}

/// Cores that this process may use, within its affinity and cgroup quota.
fn available_cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from).min(MAX_THREADS)
}

/// Runs `work` with every parallel loop in it on `count` threads.
///
/// # Errors
/// When the system refuses the threads.
pub fn with_threads<T: Send>(
    count: usize,
    work: impl FnOnce() -> T + Send,
) -> Result<T, ThreadPoolBuildError> {
    Ok(ThreadPoolBuilder::new().num_threads(count).build()?.install(work))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_flag_beats_slurm_beats_the_cores() {
        let count = |requested, slurm| Threads::choose(requested, slurm).count;
        assert_eq!(count(Some(3), Some("5")), 3);
        assert_eq!(count(None, Some("5")), 5);
        assert_eq!(count(None, Some(" 7\n")), 7);
        assert_eq!(count(None, None), available_cores());
    }

    #[test]
    fn more_threads_than_a_machine_has_use_for_are_not_started() {
        let few = Threads::choose(Some(ALWAYS_STARTED), None);
        assert_eq!((few.count, few.too_many), (ALWAYS_STARTED, None));
        let many = Threads::choose(Some(MAX_THREADS), None);
        assert_eq!(many.count, ALWAYS_STARTED.max(MAX_PER_CORE * available_cores()));
        assert_eq!(many.too_many, Some(MAX_THREADS).filter(|&requested| requested > many.count));
    }

    #[test]
    fn a_senseless_slurm_value_is_told_and_passed_over() {
        for bad in ["", "0", "-1", "many", "2.5", "100000"] {
            let threads = Threads::choose(None, Some(bad));
            assert_eq!(threads.count, available_cores(), "{bad:?}");
            assert!(threads.ignored_slurm.is_some(), "{bad:?}");
        }
    }

    #[test]
    fn the_pool_has_the_asked_size() {
        for count in [1, 2, 5] {
            assert_eq!(with_threads(count, rayon::current_num_threads).unwrap(), count);
        }
    }
}
