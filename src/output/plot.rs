//! Plots of what was measured beside what it should be: panels below each other, as SVG.

use super::curves::Curve;
use plotters::coord::ranged1d::{Ranged, ValueFormatter};
use plotters::prelude::*;
use std::ops::Range;
use thiserror::Error;

/// A panel: curves over one pair of axes.
#[derive(Clone, Debug, PartialEq)]
pub struct Panel {
    /// What is shown, as a title.
    pub title: &'static str,
    /// The horizontal axis, with its unit.
    pub x: &'static str,
    /// The vertical axis, with its unit.
    pub y: &'static str,
    /// Whether both axes are logarithmic; points that are not above 0 are left out then.
    pub log: bool,
    /// The curves.
    pub lines: Vec<Line>,
}

/// A curve of a panel.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// What it is.
    pub label: &'static str,
    /// Whether it is what should be, not what was measured.
    pub is_reference: bool,
    /// Its points; those that are not finite are left out.
    pub curve: Curve,
}

/// Why a plot cannot be drawn.
#[derive(Debug, Error)]
#[error("cannot draw the plot: {0}")]
pub struct PlotError(String);

/// Size of a panel \[pixels\].
const SIZE: (u32, u32) = (900, 320);
/// Colours of measured curves, in order: of Okabe & Ito's palette, told apart by all eyes.
const MEASURED: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(240, 228, 66),
];
/// Part of the vertical range that is left free at its ends, and on top for each row of the legend.
const MARGIN: f64 = 0.05;
const LEGEND_ROW: f64 = 0.08;

/// Draws panels, the first on top.
///
/// # Errors
/// What the drawing library refuses.
pub fn svg(panels: &[Panel]) -> Result<String, PlotError> {
    let mut text = String::new();
    let rows = panels.len().max(1);
    {
        let sheet = SVGBackend::with_string(&mut text, (SIZE.0, SIZE.1 * rows as u32));
        let sheet = sheet.into_drawing_area();
        for (panel, area) in panels.iter().zip(sheet.split_evenly((rows, 1))) {
            draw(panel, &area).map_err(|refusal| PlotError(refusal.to_string()))?;
        }
        // Once, for all: it closes the document.
        sheet.present().map_err(|refusal| PlotError(refusal.to_string()))?;
    }
    Ok(text)
}

type Area<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;
type Refusal = Box<dyn std::error::Error>;

fn draw(panel: &Panel, area: &Area) -> Result<(), Refusal> {
    area.fill(&WHITE)?;
    let all: Vec<(f64, f64)> = panel.lines.iter().flat_map(|line| panel.points(line)).collect();
    let top = MARGIN + LEGEND_ROW * panel.lines.len() as f64;
    let (x, y) = (all.iter().map(|p| p.0), all.iter().map(|p| p.1));
    let mut builder = ChartBuilder::on(area);
    builder
        .caption(panel.title, ("sans-serif", 18))
        .margin(12)
        .x_label_area_size(36)
        .y_label_area_size(64);
    if panel.log {
        let x = span(x.map(f64::log10), [0.0, 0.0]);
        let y = span(y.map(f64::log10), [MARGIN, top]);
        let [x, y] = [x, y].map(|r| 10f64.powf(r.start)..10f64.powf(r.end));
        draw_lines(panel, builder.build_cartesian_2d(x.log_scale(), y.log_scale())?)
    } else {
        draw_lines(panel, builder.build_cartesian_2d(span(x, [0.0, 0.0]), span(y, [MARGIN, top]))?)
    }
}

impl Panel {
    /// The points of a line that have a place on the axes.
    fn points(&self, line: &Line) -> Vec<(f64, f64)> {
        let least = if self.log { f64::MIN_POSITIVE } else { f64::MIN };
        let has_place = |x: f64| x.is_finite() && x >= least;
        let points = line.curve.points().iter().filter(|p| has_place(p[0]) && has_place(p[1]));
        points.map(|&[x, y]| (x, y)).collect()
    }
}

type Chart<'a, 'b, X, Y> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<X, Y>>;

/// Draws the axes, the lines of a panel, and the legend.
fn draw_lines<'a, 'b: 'a, X, Y>(
    panel: &Panel,
    mut chart: Chart<'a, 'b, X, Y>,
) -> Result<(), Refusal>
where
    X: Ranged<ValueType = f64> + ValueFormatter<f64>,
    Y: Ranged<ValueType = f64> + ValueFormatter<f64>,
{
    let number = |x: &f64| crate::base::short(*x, 4);
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .x_desc(panel.x)
        .y_desc(panel.y)
        .x_label_formatter(&number)
        .y_label_formatter(&number)
        .draw()?;
    let mut measured = 0;
    for line in &panel.lines {
        let colour = if line.is_reference { BLACK } else { MEASURED[measured % MEASURED.len()] };
        // More lines than colours: those of each next round are thinner.
        let width = 2u32.saturating_sub((measured / MEASURED.len()) as u32).max(1);
        measured += usize::from(!line.is_reference);
        let style = ShapeStyle { color: colour.into(), filled: false, stroke_width: width };
        chart
            .draw_series(LineSeries::new(panel.points(line), style))?
            .label(line.label)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], style));
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperRight)
        .background_style(WHITE.mix(0.8))
        .border_style(BLACK.mix(0.2))
        .draw()?;
    Ok(())
}

/// The range of some values, with parts of it left free below and above; one around them if they
/// are all the same.
fn span(values: impl Iterator<Item = f64> + Clone, [below, above]: [f64; 2]) -> Range<f64> {
    let least = values.clone().fold(f64::INFINITY, f64::min);
    let most = values.fold(f64::NEG_INFINITY, f64::max);
    match most - least {
        wide if wide > 0.0 => least - below * wide..most + above * wide,
        _ if least.is_finite() => least - 0.5..least + 0.5,
        _ => 0.0..1.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn panel(lines: Vec<Line>) -> Panel {
        Panel { title: "level <H4>", x: "time [s]", y: "level [m]", log: false, lines }
    }

    fn line(label: &'static str, is_reference: bool, points: &[[f64; 2]]) -> Line {
        Line { label, is_reference, curve: Curve::new(points.to_vec()) }
    }

    #[test]
    fn each_panel_shows_its_title_axes_and_curves() {
        let lines = vec![
            line("experiment", true, &[[0.0, 1.0], [1.0, 2.0], [2.0, 1.5]]),
            line("measured", false, &[[0.0, 1.1], [1.0, f64::NAN], [2.0, 1.6]]),
        ];
        let text = svg(&[panel(lines.clone()), panel(lines)]).unwrap();
        assert!(text.starts_with("<svg") && text.trim_end().ends_with("</svg>"));
        assert_eq!(text.matches("</svg>").count(), 1, "one document");
        assert!(text.contains("height=\"640\""), "two panels");
        assert_eq!(text.matches("level &lt;H4&gt;").count(), 2);
        for part in ["time [s]", "level [m]", "experiment", "measured"] {
            assert_eq!(text.matches(part).count(), 2, "{part}");
        }
        assert!(text.contains("#0072B2") && !text.contains("NaN"));
    }

    #[test]
    fn logarithmic_axes_leave_out_what_has_no_place_on_them() {
        let points = [[1e3, 0.0], [1e4, 2e-3], [1e6, 0.5]];
        let panel = Panel { log: true, ..panel(vec![line("a", false, &points)]) };
        assert_eq!(panel.points(&panel.lines[0]), [(1e4, 2e-3), (1e6, 0.5)]);
        let text = svg(&[panel]).unwrap();
        assert!(text.contains("100000") && !text.contains("NaN"), "{text}");
    }

    #[test]
    fn nothing_and_all_the_same_can_be_drawn() {
        for lines in [vec![], vec![line("a", false, &[])], vec![line("a", false, &[[3.0, 5.0]])]] {
            let text = svg(&[panel(lines)]).unwrap();
            assert!(text.contains("level &lt;H4&gt;") && !text.contains("inf"));
        }
        assert!(svg(&[]).unwrap().contains("</svg>"));
    }
}
