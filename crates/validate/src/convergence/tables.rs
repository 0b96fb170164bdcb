//! The tables of a study: to read, and as comma-separated values.

use super::order::{order, spread};
use super::study::{Study, Varied};
use super::variations::{Axis, COURANT, RATE};
use crate::findings::FIGURES;
use crate::{CaseOutcome, Measured};
use hashfall_core::format_significant;
use hashfall_output::table::{Table, markdown, number};

/// Figures of a spread and of an order.
const SHORT: usize = 2;

/// How to read the table over time steps.
const STEPS_NOTE: &str = "All runs end at the same time.
Spread: the largest value less the least of these runs, over the size of their mean.
";
/// How to read the table over spacings.
const SPACINGS_NOTE: &str = "
The columns are particle spacings. Order: the slope of the line of least squares through
log |error| over log spacing. The error is the value less its reference; the value itself where
there is none and the goal is to be small. No order (–) where a quantity has only a least value,
and where errors change sign or do not fall with each finer spacing.
";

/// The tables of a study of convergence, with how to read them; nothing for a study of one run.
pub fn section(study: &Study) -> String {
    let Some(own) = study.own().filter(|_| study.run_count() > 1) else { return String::new() };
    let Some(finished) = study.finished() else { return listed(&study.notes()) };
    let (steps, spacings): (Vec<_>, Vec<_>) =
        study.varied().partition(|it| it.variation.axis.is_of_steps());
    let measured = &finished.findings.measured;
    let mut text = String::new();
    if !steps.is_empty() {
        text +=
            &format!("### {}: steps\n\n{}", study.case().name, steps_table(own, &steps, measured));
        text += "\n";
        if steps.iter().any(|it| it.variation.axis == Axis::Courant) {
            text += &format!(
                "Courant numbers at {RATE} frames/s, frame rates at a Courant number of {COURANT}. "
            );
        }
        text += STEPS_NOTE;
    }
    if !spacings.is_empty() {
        text += &format!("\n### {}: resolutions\n\n", study.case().name);
        text += &spacings_table(&spacings, measured);
        text += SPACINGS_NOTE;
    }
    let notes = study.notes();
    if notes.is_empty() { text } else { text + "\n" + &listed(&notes) }
}

fn listed(notes: &[String]) -> String {
    notes.iter().map(|note| format!("- {note}\n")).collect()
}

/// The table over time steps: quantities over runs, the case's own first.
fn steps_table(own: &CaseOutcome, steps: &[Varied], measured: &[Measured]) -> String {
    let outcomes: Vec<&CaseOutcome> =
        std::iter::once(own).chain(steps.iter().map(|it| it.outcome)).collect();
    let labels = steps.iter().map(|it| it.variation.label());
    let header = ["quantity".to_owned(), "as it is".to_owned()].into_iter().chain(labels);
    let header: Vec<String> = header.chain(["spread".to_owned()]).collect();
    let mut rows = vec![counts("steps", &outcomes, |outcome| outcome.report.steps)];
    for (index, quantity) in measured.iter().enumerate() {
        let values = steps.iter().map(|it| value(it.outcome, index)).collect::<Vec<_>>();
        let spread = spread(&values).map_or("–".to_owned(), |it| format_significant(it, SHORT));
        rows.push(values_row(quantity, index, &outcomes, spread));
    }
    table(&header, &rows)
}

/// The table over spacings: quantities over runs, from the coarsest.
fn spacings_table(spacings: &[Varied], measured: &[Measured]) -> String {
    let outcomes: Vec<&CaseOutcome> = spacings.iter().map(|it| it.outcome).collect();
    let labels = spacings.iter().map(|it| {
        let label = it.variation.label();
        if it.variation.is_own { format!("{label} (as it is)") } else { label }
    });
    let header = ["quantity".to_owned()].into_iter().chain(labels);
    let header: Vec<String> = header.chain(["order".to_owned()]).collect();
    let mut rows = vec![
        counts("particles", &outcomes, |outcome| outcome.particles as u64),
        counts("steps", &outcomes, |outcome| outcome.report.steps),
    ];
    for (index, quantity) in measured.iter().enumerate() {
        let order = order(&errors(spacings, quantity, index));
        let order = order.map_or("–".to_owned(), |order| format_significant(order, SHORT));
        rows.push(values_row(quantity, index, &outcomes, order));
    }
    table(&header, &rows)
}

/// Points (spacing \[m\], signed error) of a quantity; none if it has no error.
pub(super) fn errors(spacings: &[Varied], quantity: &Measured, index: usize) -> Vec<[f64; 2]> {
    let error = |it: &Varied| {
        let error = quantity.error_of(value(it.outcome, index))?;
        Some([it.variation.value, error])
    };
    spacings.iter().filter(|it| it.outcome.failure.is_none()).filter_map(error).collect()
}

/// A row of whole numbers.
fn counts(name: &str, outcomes: &[&CaseOutcome], count: fn(&CaseOutcome) -> u64) -> Vec<String> {
    let counts = outcomes.iter().map(|outcome| count(outcome).to_string());
    [name.to_owned()].into_iter().chain(counts).chain([String::new()]).collect()
}

/// A row of a quantity's values, and what they tell together.
fn values_row(
    quantity: &Measured,
    index: usize,
    outcomes: &[&CaseOutcome],
    summary: String,
) -> Vec<String> {
    let unit = if quantity.unit.is_empty() { "–" } else { quantity.unit };
    let name = format!("{} [{unit}]", quantity.quantity);
    let values = outcomes.iter().map(|outcome| match value(outcome, index) {
        value if value.is_nan() => "–".to_owned(),
        value => format_significant(value, FIGURES),
    });
    [name].into_iter().chain(values).chain([summary]).collect()
}

/// A quantity of a run; NaN if the run failed.
pub(super) fn value(outcome: &CaseOutcome, index: usize) -> f64 {
    let measured = outcome.findings.measured.get(index).filter(|_| outcome.failure.is_none());
    measured.map_or(f64::NAN, |measured| measured.value)
}

fn table(header: &[String], rows: &[Vec<String>]) -> String {
    markdown(&header.iter().map(String::as_str).collect::<Vec<_>>(), rows)
}

/// All values of all runs with every figure, a row each, as comma-separated values.
pub fn csv(studies: &[Study]) -> Vec<u8> {
    let header = ["case", "quantity", "unit", "axis", "setting", "particles", "steps", "value"];
    let mut table = Table::new(header);
    for study in studies {
        let Some(finished) = study.finished() else { continue };
        let own = study.own().map(|own| ("case", String::new(), own));
        let varied = study.varied().map(|Varied { variation, outcome }| {
            let settings =
                variation.settings.iter().map(|set| format!("{}={}", set.key, set.value));
            (variation.axis.name(), settings.collect::<Vec<_>>().join(" "), outcome)
        });
        let runs: Vec<_> = own.into_iter().chain(varied).collect();
        for (index, quantity) in finished.findings.measured.iter().enumerate() {
            for (axis, setting, outcome) in &runs {
                table.push([
                    study.case().name.to_owned(),
                    quantity.quantity.to_owned(),
                    quantity.unit.to_owned(),
                    (*axis).to_owned(),
                    setting.clone(),
                    outcome.particles.to_string(),
                    outcome.report.steps.to_string(),
                    number(value(outcome, index)),
                ]);
            }
        }
    }
    table.pending().to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases::find;
    use crate::convergence::panels;
    use crate::{Findings, Goal};
    use hashfall_output::table::complete_rows;
    use hashfall_run::RunReport;

    /// A run that measured these values: an error, a quantity with a reference, one with a bound.
    fn outcome(values: [f64; 3], steps: u64) -> CaseOutcome {
        let measured = |quantity, value, reference, goal, unit| Measured {
            quantity,
            value,
            reference,
            goal,
            unit,
        };
        CaseOutcome {
            case: find("standing_wave").unwrap(),
            changed: vec![],
            particles: 800,
            findings: Findings {
                measured: vec![
                    measured("error", values[0], None, Goal::AtMost(0.1), ""),
                    measured("period", values[1], Some(1.0), Goal::Within(0.9, 1.1), "s"),
                    measured("count", values[2], None, Goal::AtLeast(1.0), ""),
                ],
                panels: vec![],
            },
            report: RunReport { steps, ..RunReport::default() },
            failure: None,
        }
    }

    /// The study of the wave, whose errors are of second order in the spacing, and one run failed.
    fn study() -> Study {
        let mut study = Study::with_variations(find("standing_wave").unwrap(), &[]).unwrap();
        while let Some((nth, run)) = study.next_run() {
            let set = run.overrides.iter().find(|set| set.key == "particle_radius");
            let radius: f64 = set.map_or(0.025, |set| set.value.parse().unwrap());
            let error = radius * radius;
            let done = outcome([error, 1.0 - 2.0 * error, 7.0 + radius], 100 + nth as u64);
            let is_wild = run.variation.as_deref() == Some("courant 0.8");
            let failure = is_wild.then(|| "it blew up".to_owned());
            study.push(CaseOutcome { failure, ..done });
        }
        study
    }

    fn cells(line: &str) -> Vec<String> {
        line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect()
    }

    #[test]
    fn the_tables_have_a_column_for_each_run_and_what_it_comes_to() {
        let text = section(&study());
        let row = |name: &str, nth| {
            let named = |line: &&str| cells(line)[0] == name;
            cells(text.lines().filter(named).nth(nth).unwrap_or_else(|| panic!("{name}: {text}")))
        };
        let header = row("quantity", 0);
        assert_eq!(header.len(), 1 + 1 + 8 + 1, "{text}");
        assert_eq!([&header[1], &header[2], &header[10]], ["as it is", "courant 0.05", "spread"]);
        // The case has one frame a second, at the Courant number of the frame rates.
        assert_eq!(
            row("steps", 0)[1..],
            ["100", "101", "102", "103", "104", "105", "100", "106", "107", ""]
        );
        let error = row("error [–]", 0);
        assert_eq!([&error[1], &error[6], &error[10]], ["0.000625", "–", "0"], "{text}");

        let header = row("quantity", 1);
        let spacings = ["0.1 m", "0.07143 m", "0.05 m (as it is)", "0.025 m"];
        assert_eq!(header[1..5], spacings);
        assert_eq!(row("error [–]", 1)[5], "2");
        assert_eq!(row("period [s]", 1)[5], "2");
        assert_eq!(row("count [–]", 1)[5], "–", "it has a bound only");
        assert!(text.ends_with("\n- courant 0.8 failed: it blew up\n"), "{text}");
    }

    #[test]
    fn a_study_of_one_run_has_no_tables() {
        let mut plain = Study::new(find("standing_wave").unwrap(), &[]);
        plain.push(outcome([0.1, 1.0, 7.0], 9));
        assert!(section(&plain).is_empty() && panels(&plain).is_empty());
    }

    #[test]
    fn a_study_in_progress_tells_what_is_done() {
        let mut study = Study::with_variations(find("standing_wave").unwrap(), &[]).unwrap();
        assert!(section(&study).is_empty());
        study.push(outcome([0.1, 1.0, 7.0], 9));
        study.push(outcome([0.2, 1.0, 7.0], 19));
        let text = section(&study);
        assert!(text.contains("courant 0.05") && !text.contains("courant 0.1"), "{text}");
    }

    #[test]
    fn the_values_have_a_row_for_each_quantity_and_run() {
        let (header, rows) = complete_rows(&csv(&[study()]));
        assert_eq!(header.len(), 8);
        assert_eq!(rows.len(), 3 * (1 + 8 + 4));
        let frames = "solver.courant=0.05 frames=(count: 100, rate: 10.0)";
        let expected = ["standing_wave", "error", "", "courant", frames, "800", "101"];
        assert_eq!(rows[1][..7], expected);
        assert_eq!(rows[1][7].parse(), Ok(0.025 * 0.025));
        let failed = rows.iter().filter(|row| row[7] == "NaN").count();
        assert_eq!(failed, 3);
        assert_eq!(rows[12][3..5], ["spacing", "particle_radius=0.0125"]);
    }

    #[test]
    fn the_plot_has_a_panel_for_each_quantity_and_one_of_errors() {
        let panels = panels(&study());
        let titles: Vec<&str> = panels.iter().map(|panel| panel.title).collect();
        assert_eq!(titles, ["error", "period", "count", "Errors"]);
        assert_eq!(panels[1].lines.len(), 2, "the reference, too");
        let lines: Vec<_> = panels[3].lines.iter().map(|line| line.label).collect();
        assert_eq!(lines, ["error", "period"]);
        assert_eq!(panels[3].lines[0].curve.points().len(), 4);
    }
}
