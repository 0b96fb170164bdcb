//! Plots of what was measured beside what it should be: panels below each other, as SVG.

use super::curves::Curve;
use plotters::coord::ranged1d::{Ranged, ValueFormatter};
use plotters::element::DashedPathElement;
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
    /// Whether axes are logarithmic on which values reach over a decade; points that are not above
    /// 0 are left out then.
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
/// Part of the vertical range that is left free at its ends.
const MARGIN: f64 = 0.05;
/// Around a panel, and above its axes \[pixels\].
const BORDER: u32 = 12;
const TITLE: u32 = 30;
/// Of the legend at the right: its row, the sample of a line, the letters \[pixels\].
const LEGEND_ROW: i32 = 20;
const LEGEND_SAMPLE: i32 = 26;
const LEGEND_LETTER: (u32, f64) = (7, 12.0);
/// Dashes and what is between them \[pixels\].
const DASHES: (u32, u32) = (7, 4);
/// A line of no more points shows each.
const FEW: usize = 40;

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
    let (x, y) = (all.iter().map(|p| p.0), all.iter().map(|p| p.1));
    let mut builder = ChartBuilder::on(area);
    builder
        .caption(panel.title, ("sans-serif", 18))
        .margin(BORDER)
        .margin_right(BORDER + panel.legend_width())
        .x_label_area_size(36)
        .y_label_area_size(64);
    let [x, y] = [
        span(x.clone(), 0.0, panel.log && is_wide(x)),
        span(y.clone(), MARGIN, panel.log && is_wide(y)),
    ];
    match (x, y) {
        (Scale::Even(x), Scale::Even(y)) => draw_lines(panel, builder.build_cartesian_2d(x, y)?),
        (Scale::Even(x), Scale::Log(y)) => {
            draw_lines(panel, builder.build_cartesian_2d(x, y.log_scale())?)
        }
        (Scale::Log(x), Scale::Even(y)) => {
            draw_lines(panel, builder.build_cartesian_2d(x.log_scale(), y)?)
        }
        (Scale::Log(x), Scale::Log(y)) => {
            draw_lines(panel, builder.build_cartesian_2d(x.log_scale(), y.log_scale())?)
        }
    }?;
    draw_legend(panel, area)
}

impl Panel {
    /// The points of a line that have a place on the axes.
    fn points(&self, line: &Line) -> Vec<(f64, f64)> {
        let least = if self.log { f64::MIN_POSITIVE } else { f64::MIN };
        let has_place = |x: f64| x.is_finite() && x >= least;
        let points = line.curve.points().iter().filter(|p| has_place(p[0]) && has_place(p[1]));
        points.map(|&[x, y]| (x, y)).collect()
    }

    /// The lines, and how each is drawn: references black, the others in turn in each colour, and
    /// dashed when all colours are used.
    fn styles(&self) -> impl Iterator<Item = (&Line, Style)> {
        let mut measured = 0;
        self.lines.iter().map(move |line| {
            let nth = if line.is_reference { None } else { Some(measured) };
            measured += usize::from(!line.is_reference);
            let colour = nth.map_or(BLACK, |nth| MEASURED[nth % MEASURED.len()]);
            let is_dashed = nth.is_some_and(|nth| nth / MEASURED.len() % 2 == 1);
            (line, Style { line: colour.stroke_width(2), is_dashed })
        })
    }

    /// The width of the legend \[pixels\].
    fn legend_width(&self) -> u32 {
        let letters = self.lines.iter().map(|line| line.label.chars().count()).max();
        LEGEND_SAMPLE as u32 + LEGEND_LETTER.0 * letters.unwrap_or(0) as u32
    }
}

/// How a line is drawn.
#[derive(Clone, Copy)]
struct Style {
    line: ShapeStyle,
    is_dashed: bool,
}

type Chart<'a, 'b, X, Y> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<X, Y>>;

/// Draws the axes and the lines of a panel.
fn draw_lines<X, Y>(panel: &Panel, mut chart: Chart<'_, '_, X, Y>) -> Result<(), Refusal>
where
    X: Ranged<ValueType = f64> + ValueFormatter<f64>,
    Y: Ranged<ValueType = f64> + ValueFormatter<f64>,
{
    let number = |x: &f64| hashfall_core::format_significant(*x, 4);
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .x_desc(panel.x)
        .y_desc(panel.y)
        .x_label_formatter(&number)
        .y_label_formatter(&number)
        .draw()?;
    for (line, style) in panel.styles() {
        let points = panel.points(line);
        if !line.is_reference && points.len() <= FEW {
            let dot = |&point: &(f64, f64)| Circle::new(point, 3, style.line.filled());
            chart.draw_series(points.iter().map(dot))?;
        }
        if style.is_dashed {
            let (dash, gap) = DASHES;
            chart.draw_series(DashedLineSeries::new(points, dash, gap, style.line))?;
        } else {
            chart.draw_series(LineSeries::new(points, style.line))?;
        }
    }
    Ok(())
}

/// Draws the legend to the right of the axes, where it hides no curve.
fn draw_legend(panel: &Panel, area: &Area) -> Result<(), Refusal> {
    let (width, _) = area.dim_in_pixel();
    let left = (width - panel.legend_width()) as i32;
    let mut middle = (BORDER + TITLE) as i32;
    for (line, style) in panel.styles() {
        let sample = [(left, middle), (left + LEGEND_SAMPLE - 8, middle)];
        if style.is_dashed {
            let (dash, gap) = DASHES;
            area.draw(&DashedPathElement::new(sample, dash, gap, style.line))?;
        } else {
            area.draw(&PathElement::new(sample, style.line))?;
        }
        let place = (left + LEGEND_SAMPLE, middle - LEGEND_LETTER.1 as i32 / 2);
        area.draw(&Text::new(line.label, place, ("sans-serif", LEGEND_LETTER.1)))?;
        middle += LEGEND_ROW;
    }
    Ok(())
}

/// An axis.
enum Scale {
    Even(Range<f64>),
    Log(Range<f64>),
}

/// Whether some values reach over a decade, so that a logarithmic axis has more than one number.
fn is_wide(values: impl Iterator<Item = f64> + Clone) -> bool {
    values.clone().fold(0.0, f64::max) >= 10.0 * values.fold(f64::INFINITY, f64::min)
}

/// The axis of some values, with a part of it left free at both ends; one around them if they are
/// all the same.
fn span(values: impl Iterator<Item = f64> + Clone, free: f64, is_log: bool) -> Scale {
    if is_log {
        let range = even_span(values.map(f64::log10), free);
        Scale::Log(10f64.powf(range.start)..10f64.powf(range.end))
    } else {
        Scale::Even(even_span(values, free))
    }
}

fn even_span(values: impl Iterator<Item = f64> + Clone, free: f64) -> Range<f64> {
    let least = values.clone().fold(f64::INFINITY, f64::min);
    let most = values.fold(f64::NEG_INFINITY, f64::max);
    match most - least {
        wide if wide > 0.0 => least - free * wide..most + free * wide,
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
    fn an_axis_of_less_than_a_decade_has_its_numbers() {
        let points = [[20.0, 1e-3], [40.0, 1.0], [70.0, 1e2]];
        let text = svg(&[Panel { log: true, ..panel(vec![line("a", false, &points)]) }]).unwrap();
        assert!(["30", "40", "50", "60"].iter().all(|n| text.contains(&format!("\n{n}\n"))));
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
