//! The results of a sweep: a row for each point, with its parameters, how it stands, and each
//! column of its tables in a few numbers.
//!
//! Columns of numbers, of `log.csv` and of `probes.csv`, become `…_last`, `…_min`, `…_max` and
//! `…_mean` over their rows; of a probe that is called as a column of the log, `probe_…`. What only
//! grows, and digests, become `…_last` alone; names are left out. What a column tells of the steps
//! since the frame before, the first frame has none of, and does not count. `wall_time` is the time
//! that frames and their steps took \[s\], of all attempts that led to them; it and columns of
//! times differ from run to run, all others repeat to the last bit.

use super::manifest::Manifest;
use super::outcome::PointStatus;
use hashfall_output::log::{Meaning, meaning};
use hashfall_output::table::{Table, complete_rows, number};
use std::collections::HashMap;

/// The files of a point.
#[derive(Clone, Debug)]
pub struct PointFiles {
    /// How it stands.
    pub status: PointStatus,
    /// `log.csv`; empty if there is none.
    pub log: Vec<u8>,
    /// `probes.csv`; empty if there is none.
    pub probes: Vec<u8>,
}

/// The table of all points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Results {
    /// The columns.
    pub header: Vec<String>,
    /// A row for each point, as long as the header; what is unknown is empty.
    pub rows: Vec<Vec<String>>,
}

/// Columns of the status of a point, the reason of a failure, and the wall time \[s\].
const STATUS: [&str; 3] = ["status", "reason", "wall_time"];

/// Columns and values, in order.
type Metrics = Vec<(String, String)>;

impl Results {
    /// The results of the points of a manifest, in its order.
    pub fn new(manifest: &Manifest, points: impl IntoIterator<Item = PointFiles>) -> Results {
        let titles = manifest.record.parameters.iter().map(|parameter| parameter.title.clone());
        let mut header: Vec<String> = ["point".to_owned()].into_iter().chain(titles).collect();
        header.extend(STATUS.map(str::to_owned));
        let mut places: HashMap<String, usize> = HashMap::new();
        let mut rows = Vec::new();
        for (point, (values, files)) in manifest.rows.iter().zip(points).enumerate() {
            let (status, reason) = files.status.status_and_reason();
            let (metrics, wall_time) = metrics(&files);
            let mut row = vec![point.to_string()];
            row.extend_from_slice(values);
            row.extend([status.to_owned(), reason.to_owned(), wall_time]);
            for (name, value) in metrics {
                let place = *places.entry(name.clone()).or_insert_with(|| {
                    header.push(name);
                    header.len() - 1
                });
                row.resize(row.len().max(place + 1), String::new());
                row[place] = value;
            }
            rows.push(row);
        }
        rows.iter_mut().for_each(|row| row.resize(header.len(), String::new()));
        Results { header, rows }
    }

    /// `results.csv`.
    pub fn csv(&self) -> Vec<u8> {
        let mut table = Table::new(&self.header);
        self.rows.iter().for_each(|row| table.push(row));
        table.pending().to_vec()
    }
}

/// Statistics of a point's tables, and its wall time \[s\].
fn metrics(files: &PointFiles) -> (Metrics, String) {
    let mut metrics = Vec::new();
    let mut milliseconds = None;
    let log = columns(&files.log);
    let names: Vec<String> = log.iter().map(|(name, _)| name.clone()).collect();
    for (name, cells) in log {
        let meaning = meaning(&name);
        if meaning == Meaning::WallTime {
            let sum: f64 = cells.iter().filter_map(|cell| cell.parse::<f64>().ok()).sum();
            milliseconds = Some(milliseconds.unwrap_or(0.0) + sum);
        }
        metrics.extend(reduced(&name, &cells, meaning));
    }
    for (name, cells) in columns(&files.probes) {
        if name != "time" {
            // A probe may be called what a column of the log is called.
            let name = if names.contains(&name) { format!("probe_{name}") } else { name };
            metrics.extend(reduced(&name, &cells, Meaning::State));
        }
    }
    (metrics, milliseconds.map_or_else(String::new, |ms| format!("{:.3}", ms / 1e3)))
}

/// Statistics of a column.
fn reduced(name: &str, cells: &[String], meaning: Meaning) -> Metrics {
    let named = |part: &str, value: String| (format!("{name}_{part}"), value);
    let last = || cells.last().map(|last| named("last", last.clone()));
    let first = match meaning {
        Meaning::Name => return Vec::new(),
        Meaning::Count | Meaning::Digest => return last().into_iter().collect(),
        Meaning::State => 0,
        Meaning::SinceLastFrame | Meaning::WallTime => 1,
    };
    let numbers: Vec<f64> = cells.iter().skip(first).filter_map(|cell| cell.parse().ok()).collect();
    if numbers.is_empty() {
        return Vec::new();
    }
    let least = numbers.iter().copied().fold(f64::INFINITY, f64::min);
    let most = numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let mean = numbers.iter().sum::<f64>() / numbers.len() as f64;
    let parts = [("min", least), ("max", most), ("mean", mean)];
    last().into_iter().chain(parts.map(|(part, x)| named(part, number(x)))).collect()
}

/// The columns of a table, without an incomplete last row.
fn columns(csv: &[u8]) -> Vec<(String, Vec<String>)> {
    let (names, rows) = complete_rows(csv);
    let cells = |i: usize| rows.iter().map(|row| row[i].clone()).collect();
    names.into_iter().enumerate().map(|(i, name)| (name, cells(i))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ParameterSweep, PointOutcome, add_setting};

    fn results(points: Vec<PointFiles>) -> Results {
        let mut sweep = ParameterSweep::default();
        add_setting(&mut sweep, "a=1,2").expect("two values");
        Results::new(&Manifest::new(&sweep, String::new(), "", false), points)
    }

    fn value<'a>(results: &'a Results, point: usize, column: &str) -> &'a str {
        let place = results.header.iter().position(|name| name == column);
        place.map_or("no such column", |place| &results.rows[point][place])
    }

    #[test]
    fn columns_become_a_few_numbers_and_the_first_frame_has_no_steps() {
        let log = "frame,time,steps,limited_by,kinetic_energy,digest,step_ms\n\
                   0,0.0,0,,5.0,aa,0.0\n1,0.1,4,sound,3.0,bb,250.0\n2,0.2,8,sound,4.0,cc,1250.0\n\
                   3,0.3,9,so";
        let probes = "time,P1,steps\n0.0,1.0,7.0\n0.05,-3.0,7.0\n";
        let finished = PointFiles {
            status: PointStatus::Ended(PointOutcome::Finished),
            log: log.into(),
            probes: probes.into(),
        };
        let failed = PointFiles {
            status: PointStatus::Ended(PointOutcome::Failed { reason: "it, \"too\"".to_owned() }),
            log: Vec::new(),
            probes: Vec::new(),
        };
        let results = results(vec![failed, finished]);
        let of = |column: &str| value(&results, 1, column).to_owned();
        assert_eq!(results.header[..5], ["point", "a", "status", "reason", "wall_time"]);
        assert_eq!(
            (of("a"), of("status"), of("wall_time")),
            ("2".into(), "finished".into(), "1.500".into())
        );
        let parts = ["last", "min", "max", "mean"];
        let energy = parts.map(|part| of(&format!("kinetic_energy_{part}")));
        assert_eq!(energy, ["4.0", "3.0", "5.0", "4.0"]);
        assert_eq!(parts.map(|part| of(&format!("steps_{part}"))), ["8", "4.0", "8.0", "6.0"]);
        assert_eq!(parts.map(|part| of(&format!("P1_{part}"))), ["-3.0", "-3.0", "1.0", "-1.0"]);
        assert_eq!(of("probe_steps_max"), "7.0", "a probe hides no column");
        assert_eq!((of("frame_last"), of("digest_last")), ("2".into(), "cc".into()));
        assert_eq!(of("frame_min"), "no such column");
        assert_eq!(of("limited_by_last"), "no such column");
        assert_eq!(value(&results, 0, "kinetic_energy_max"), "");
        assert_eq!(value(&results, 0, "reason"), "it, \"too\"");
        let text = String::from_utf8(results.csv()).expect("text");
        assert!(text.contains("\n0,1,failed,\"it, \"\"too\"\"\",,"), "{text}");
    }
}
