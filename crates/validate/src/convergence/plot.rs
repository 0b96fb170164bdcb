//! The plot of a study: each quantity over the Courant number, and errors over the spacing.

use super::study::{Study, Varied};
use super::tables::{errors, value};
use super::variations::Axis;
use crate::Measured;
use hashfall_output::curves::Curve;
use hashfall_output::plot::{Line, Panel};

/// The file name of the plot of a study.
pub fn plot_name(case: &str) -> String {
    format!("{case}_convergence.svg")
}

/// The panels of a study, as far as it has runs for them; none for a study of one run.
pub fn panels(study: &Study) -> Vec<Panel> {
    let Some(finished) = study.finished() else { return Vec::new() };
    let measured = &finished.findings.measured;
    let on = |axis| study.varied().filter(move |it| it.variation.axis == axis).collect::<Vec<_>>();
    let (courant, spacings) = (on(Axis::Courant), on(Axis::Spacing));
    let mut panels = Vec::new();
    if courant.len() > 1 {
        let panel = |(index, quantity)| over_courant(&courant, quantity, index);
        panels.extend(measured.iter().enumerate().map(panel));
    }
    let errors = measured.iter().enumerate();
    let lines: Vec<Line> = errors.filter_map(|(i, it)| error_line(&spacings, it, i)).collect();
    if !lines.is_empty() {
        let (x, y) = ("particle spacing [m]", "size, each in its unit");
        panels.push(Panel { title: "Errors", x, y, log: true, lines });
    }
    panels
}

fn over_courant(runs: &[Varied], quantity: &Measured, index: usize) -> Panel {
    let points = runs.iter().map(|it| [it.variation.value, value(it.outcome, index)]);
    let curve = Curve::new(points.collect());
    let reference = quantity.reference.map(|reference| Line {
        label: "reference",
        is_reference: true,
        curve: curve.map(|[x, _]| [x, reference]),
    });
    let measured = Line { label: "measured", is_reference: false, curve };
    let y = if quantity.unit.is_empty() { "–" } else { quantity.unit };
    let lines = reference.into_iter().chain([measured]).collect();
    Panel { title: quantity.quantity, x: "Courant number [–]", y, log: false, lines }
}

/// The size of a quantity's error over the spacing; `None` if it has no error.
fn error_line(spacings: &[Varied], quantity: &Measured, index: usize) -> Option<Line> {
    let mut points = errors(spacings, quantity, index);
    points.sort_by(|a, b| a[0].total_cmp(&b[0]));
    let curve = Curve::new(points.into_iter().map(|[d, error]| [d, error.abs()]).collect());
    let is_drawn = curve.points().len() > 1;
    is_drawn.then_some(Line { label: quantity.quantity, is_reference: false, curve })
}
