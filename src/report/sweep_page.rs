//! A sweep as a page: what became of its points, and each metric over each parameter.

use super::html::{Page, escape, grouped, json, picture};
use super::table::Embedded;
use crate::base::units;
use std::collections::BTreeMap;

/// The columns that are neither parameters nor metrics.
const POINT: &str = "point";
const STATUS: &str = "status";
const REASON: &str = "reason";
/// Reasons that are told at the most, and points of each.
const MOST_REASONS: usize = 20;
const MOST_POINTS: usize = 12;
/// The scripts of its charts.
const SCRIPTS: [&str; 4] = [
    include_str!("page/scatter.js"),
    include_str!("page/heat_map.js"),
    include_str!("page/points_table.js"),
    include_str!("page/sweep_page.js"),
];

/// What the page of a sweep is made of.
#[derive(Clone, Copy, Debug)]
pub struct SweepPage<'a> {
    /// What the sweep is called.
    pub title: &'a str,
    /// The columns that were varied.
    pub parameters: &'a [String],
    /// All columns: `point`, the parameters, `status`, `reason`, then metrics.
    pub header: &'a [String],
    /// A row per point; empty cells are missing.
    pub rows: &'a [Vec<String>],
    /// Columns of metrics whose unit does not follow from their name, such as probes, with it.
    pub units: &'a [(String, String)],
    /// Points and pictures of them (PNG), in order.
    pub pictures: &'a [(usize, Vec<u8>)],
}

impl SweepPage<'_> {
    /// The file.
    pub fn html(&self) -> String {
        let pictures: Vec<(usize, String)> =
            self.pictures.iter().map(|(point, png)| (*point, picture(png))).collect();
        let data = Data {
            parameters: self.parameters,
            table: Embedded { header: self.header, rows: self.rows, without: &[] },
            units: self.units,
            pictures,
        };
        let body = format!(
            "{}\n<main>\n{}<div id=\"sweep\"></div>\n</main>\n\
             <footer>The numbers are those of <code>results.csv</code>; each point's run is in its \
             folder.</footer>",
            self.head(),
            self.reasons(),
        );
        let title = format!("{} – Hashfall", self.title);
        Page { title: &title, body: &body, data: &json(&data), scripts: &SCRIPTS }.html()
    }

    /// The cell of a row in the column of this name.
    fn cell<'r>(&self, row: &'r [String], name: &str) -> &'r str {
        let at = self.header.iter().position(|column| column == name);
        at.and_then(|at| row.get(at)).map_or("", String::as_str)
    }

    /// The title, and how many points came to which end.
    fn head(&self) -> String {
        let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
        for row in self.rows {
            *counts.entry(self.cell(row, STATUS)).or_default() += 1;
        }
        let told = |(status, count): (&&str, &u64)| {
            let name = if status.is_empty() { "not run" } else { status };
            let name = escape(name);
            format!(" <span class=\"status {name}\">{} {name}</span>", grouped(*count))
        };
        let names: Vec<String> =
            self.parameters.iter().map(|name| format!("<code>{}</code>", escape(name))).collect();
        let varied = match names.split_last() {
            None => String::new(),
            Some((last, [])) => format!(" over {last}"),
            Some((last, before)) => format!(" over {} and {last}", before.join(", ")),
        };
        format!(
            "<header><p class=\"kind\">Sweep</p>\n<h1>{}</h1>\n<p class=\"lead\">{}{varied}</p>\n\
             <p>{}</p></header>",
            escape(self.title),
            units::count(self.rows.len() as u64, "point"),
            counts.iter().map(told).collect::<String>(),
        )
    }

    /// Why points did not come to their end.
    fn reasons(&self) -> String {
        let mut points: BTreeMap<(&str, &str), Vec<&str>> = BTreeMap::new();
        for row in self.rows {
            let [status, reason] = [STATUS, REASON].map(|name| self.cell(row, name));
            if !reason.is_empty() {
                points.entry((status, reason)).or_default().push(self.cell(row, POINT));
            }
        }
        if points.is_empty() {
            return String::new();
        }
        let mut groups: Vec<_> = points.into_iter().collect();
        groups.sort_by_key(|(_, points)| std::cmp::Reverse(points.len()));
        let row = |((status, reason), points): &((&str, &str), Vec<&str>)| {
            let more = points.len().saturating_sub(MOST_POINTS);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            let first = &points[..points.len().min(MOST_POINTS)];
            format!(
                "<tr><td>{}</td><td class=\"text\">{}</td><td>{}</td><td class=\"text\">{}{more}\
                 </td></tr>\n",
                escape(status),
                escape(reason),
                points.len(),
                escape(&first.join(", "))
            )
        };
        let hidden = groups.len().saturating_sub(MOST_REASONS);
        let hidden = match hidden {
            0 => String::new(),
            n => format!("<p>And {} more.</p>", units::count(n as u64, "reason")),
        };
        format!(
            "<section><h2>What went wrong</h2>\n<table class=\"reasons\"><thead><tr>\
             <th scope=\"col\">status</th><th scope=\"col\" class=\"text\">reason</th>\
             <th scope=\"col\">points</th><th scope=\"col\" class=\"text\">which</th></tr></thead>\n\
             <tbody>\n{}</tbody></table>\n{hidden}</section>\n",
            groups.iter().take(MOST_REASONS).map(row).collect::<String>()
        )
    }
}

/// What the scripts draw.
#[derive(serde::Serialize)]
struct Data<'a> {
    parameters: &'a [String],
    table: Embedded<'a>,
    units: &'a [(String, String)],
    pictures: Vec<(usize, String)>,
}
