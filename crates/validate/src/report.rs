//! What cases came to, as a table to read, as a page and as comma-separated values.

use super::case::CaseOutcome;
use super::convergence::{Study, panels, plot_name as convergence_plot_name, section};
use super::findings::{FIGURES, Measured};
use hashfall_core::format_significant;
use hashfall_core::program;
use hashfall_output::table::{Table, markdown, number};

/// The columns of the table to read.
const COLUMNS: [&str; 7] = ["case", "quantity", "measured", "reference", "goal", "unit", "holds"];

/// All quantities in a table to read.
pub fn table(outcomes: &[&CaseOutcome]) -> String {
    let of_case = |outcome: &&CaseOutcome| -> Vec<Vec<String>> {
        outcome.findings.measured.iter().map(|m| row(outcome.case.name, m).into()).collect()
    };
    markdown(&COLUMNS, &outcomes.iter().flat_map(of_case).collect::<Vec<_>>())
}

fn row(case: &str, measured: &Measured) -> [String; COLUMNS.len()] {
    let known = |x: f64| if x.is_nan() { "–".to_owned() } else { format_significant(x, FIGURES) };
    [
        case.to_owned(),
        measured.quantity.to_owned(),
        known(measured.value),
        measured.reference.map_or("–".to_owned(), known),
        measured.goal.to_string(),
        measured.unit.to_owned(),
        if measured.holds() { "yes" } else { "NO" }.to_owned(),
    ]
}

/// A page with the table, and for each case with what was run, its plot, and what its variations
/// came to.
pub fn page(studies: &[Study]) -> String {
    let outcomes: Vec<&CaseOutcome> = studies.iter().filter_map(Study::own).collect();
    let mut page = format!(
        "# Validation\n\n{} {} ({}). `docs/validation.md` describes cases and goals.\n\n{}",
        program::NAME,
        program::VERSION,
        program::revision(),
        table(&outcomes)
    );
    for study in studies {
        let Some(outcome) = study.own() else { continue };
        let (name, report) = (outcome.case.name, &outcome.report);
        page += &format!("\n## {name}\n\n{}.\n\n", outcome.case.about);
        if !outcome.changed.is_empty() {
            page += &format!("Changed for this run: `{}`.\n\n", outcome.changed.join("`, `"));
        }
        if let Some(why) = &outcome.failure {
            page += &format!("The run failed: {why}.\n\n");
        }
        let (time, wall) = (format_significant(report.time, FIGURES), report.wall.as_secs_f64());
        page += &format!(
            "{} particles, {} steps to t = {time} s in {wall:.0} s; digest {:016x}.\n",
            outcome.particles, report.steps, report.digest
        );
        if !outcome.findings.panels.is_empty() {
            page += &format!("\n![{name}]({})\n", plot_name(name));
        }
        let section = section(study);
        if !section.is_empty() {
            page += &format!("\n{section}");
        }
        if !panels(study).is_empty() {
            page += &format!("\n![convergence of {name}]({})\n", convergence_plot_name(name));
        }
    }
    page
}

/// The file name of a case's plot.
pub fn plot_name(case: &str) -> String {
    format!("{case}.svg")
}

/// All quantities with every figure, as comma-separated values.
pub fn csv(outcomes: &[&CaseOutcome]) -> Vec<u8> {
    let header =
        ["case", "quantity", "measured", "reference", "goal_min", "goal_max", "unit", "holds"];
    let mut table = Table::new(header);
    for outcome in outcomes {
        for measured in &outcome.findings.measured {
            let [least, most] = measured.goal.range().map(number);
            table.push([
                outcome.case.name.to_owned(),
                measured.quantity.to_owned(),
                number(measured.value),
                measured.reference.map_or(String::new(), number),
                least,
                most,
                measured.unit.to_owned(),
                measured.holds().to_string(),
            ]);
        }
    }
    table.pending().to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Findings, Goal, cases};
    use hashfall_run::RunReport;

    /// The page of a run alone.
    fn page_of(outcome: CaseOutcome) -> String {
        let mut study = Study::new(outcome.case, &[]);
        study.push(outcome);
        page(&[study])
    }

    fn outcome(values: [f64; 2]) -> CaseOutcome {
        let measured = |quantity, value, reference, goal, unit| Measured {
            quantity,
            value,
            reference,
            goal,
            unit,
        };
        CaseOutcome {
            case: &cases::ALL[0],
            changed: vec![],
            particles: 24_000,
            findings: Findings {
                measured: vec![
                    measured("arrival", values[0], Some(0.393), Goal::Within(0.373, 0.413), "s"),
                    measured("error, mean", values[1], None, Goal::AtMost(1e-4), ""),
                ],
                panels: vec![],
            },
            report: RunReport { steps: 7, time: 2.0, ..RunReport::default() },
            failure: None,
        }
    }

    #[test]
    fn a_goal_holds_at_its_ends_and_never_for_what_is_not_known() {
        let within = Goal::Within(0.25, 0.5);
        let held = [0.24, 0.25, 0.5, 0.51, f64::NAN].map(|x| within.holds(x));
        assert_eq!(held, [false, true, true, false, false]);
        let held = [-1.0, 0.5, 0.6, f64::NAN].map(|x| Goal::AtMost(0.5).holds(x));
        assert_eq!(held, [true, true, false, false]);
        let held = [-1.0, 0.5, 0.6, f64::NAN].map(|x| Goal::AtLeast(0.5).holds(x));
        assert_eq!(held, [false, true, true, false]);
        assert!(outcome([0.4, 1e-4]).holds());
        assert!(!outcome([0.4, 1.1e-4]).holds() && !outcome([f64::NAN, 0.0]).holds());
    }

    #[test]
    fn the_table_is_flush_and_tells_what_is_missed() {
        let text = table(&[&outcome([0.41234, f64::NAN])]);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 4, "{text}");
        let width = lines[0].chars().count();
        assert!(lines.iter().all(|line| line.chars().count() == width), "{text}");
        let cells = |line: &str| -> Vec<String> {
            line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect()
        };
        assert_eq!(cells(lines[0]), COLUMNS);
        let name = cases::ALL[0].name;
        let arrival = [name, "arrival", "0.4123", "0.393", "0.373 … 0.413", "s", "yes"];
        assert_eq!(cells(lines[2]), arrival);
        assert_eq!(cells(lines[3]), [name, "error, mean", "–", "–", "≤ 0.0001", "", "NO"]);
    }

    #[test]
    fn the_page_says_what_was_run_and_how_it_failed() {
        let plain = page_of(outcome([0.4, 0.0]));
        assert!(plain.contains("24000 particles, 7 steps to t = 2 s"), "{plain}");
        assert!(!plain.contains(".svg") && !plain.contains("Changed") && !plain.contains("failed"));
        let changed = vec!["frames.count=1".to_owned()];
        let failure = Some("it blew up".to_owned());
        let page = page_of(CaseOutcome { changed, failure, ..outcome([0.4, 0.0]) });
        assert!(page.contains("`frames.count=1`") && page.contains("failed: it blew up."));
    }

    #[test]
    fn the_values_keep_every_figure() {
        let text = String::from_utf8(csv(&[&outcome([0.1 + 0.2, 1e-5])])).unwrap();
        let name = cases::ALL[0].name;
        let rows: Vec<&str> = text.lines().skip(1).collect();
        let arrival = format!("{name},arrival,0.30000000000000004,0.393,0.373,0.413,s,false");
        let error = format!("{name},\"error, mean\",1e-5,,-inf,0.0001,,true");
        assert_eq!(rows, [arrival, error]);
    }
}
