//! What most cases draw: curves over time.

use hashfall_output::curves::Curve;
use hashfall_output::plot::{Line, Panel};

/// A curve of theory or experiment.
pub(super) fn reference_line(label: &'static str, curve: Curve) -> Line {
    Line { label, is_reference: true, curve }
}

/// A curve of the run.
pub(super) fn measured_line(label: &'static str, curve: Curve) -> Line {
    Line { label, is_reference: false, curve }
}

/// Curves over time \[s\].
pub(super) fn over_time(title: &'static str, y: &'static str, lines: Vec<Line>) -> Panel {
    Panel { title, x: "time [s]", y, log: false, lines }
}
