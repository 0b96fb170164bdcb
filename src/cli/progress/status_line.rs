//! Where a run is, on one line.

use hashfall_core::units;
use hashfall_run::RunProgress;
use std::time::Duration;

/// Frame and remaining time first, as a narrow terminal may cut off the rest.
pub fn status_line(progress: &RunProgress, elapsed: Duration) -> String {
    let RunProgress { frame, last_frame, time, steps, .. } = progress;
    let mut line = format!("frame {frame}/{last_frame}");
    if let Some(left) = time_left(progress, elapsed) {
        line += &format!("  {} left", units::duration(left));
    }
    line += &format!("  t {time:.4} s  step {steps}");
    if let Some((dt, limit)) = progress.last_step {
        line += &format!("  dt {} s ({})", units::three_figures(dt), limit.name());
    }
    line
}

/// The fraction of the simulated time that is done.
pub fn fraction(progress: &RunProgress) -> f64 {
    (progress.time / progress.end_time).clamp(0.0, 1.0)
}

/// The remaining wall-clock time at the present rate; `None` before the first step.
fn time_left(progress: &RunProgress, elapsed: Duration) -> Option<Duration> {
    let done = fraction(progress);
    Duration::try_from_secs_f64(elapsed.as_secs_f64() * (1.0 - done) / done).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashfall_sph::step::Limit;

    fn progress(time: f64, last_step: Option<(f64, Limit)>) -> RunProgress {
        RunProgress { frame: 1, last_frame: 4, time, end_time: 2.0, steps: 70, last_step }
    }

    #[test]
    fn a_line_tells_where_the_run_is_and_what_is_left() {
        let half_way = progress(0.5, Some((1.5e-4, Limit::Sound)));
        assert_eq!(
            status_line(&half_way, Duration::from_secs(30)),
            "frame 1/4  1 min 30 s left  t 0.5000 s  step 70  dt 1.50e-4 s (sound)"
        );
        assert!(!status_line(&progress(0.0, None), Duration::from_secs(30)).contains("left"));
    }
}
