//! A sweep as a page: what became of its points, and each metric over each parameter.

use super::html::{Page, escape, grouped, json, picture};
use super::table::Embedded;
use hashfall_core::units;
use std::collections::BTreeMap;

/// The columns that are neither parameters nor metrics.
const POINT: &str = "point";
const STATUS: &str = "status";
const REASON: &str = "reason";
/// Reasons that are told at the most, and points of each.
const MAX_REASONS: usize = 20;
const MAX_POINTS: usize = 12;
/// The scripts of its charts.
const SCRIPTS: [&str; 4] = [
    include_str!("page/scatter.js"),
    include_str!("page/heat_map.js"),
    include_str!("page/points_table.js"),
    include_str!("page/sweep_page.js"),
];

/// Columns that are no metrics: texts that look like numbers by chance.
const NOT_SHOWN: [&str; 1] = ["digest_last"];

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
    /// Units that do not follow from the names that `log.csv` has: of metrics, or of what metrics
    /// sum up, as of the probe `P1` for `P1_max`.
    pub units: &'a [(String, String)],
    /// Points, frames and pictures of these (PNG), in order.
    pub pictures: &'a [(usize, u32, Vec<u8>)],
    /// Whether the page lies in the sweep's folder, so that it can lead to those of the points.
    pub is_beside: bool,
}

impl SweepPage<'_> {
    /// The file.
    pub fn html(&self) -> String {
        let pictures: Vec<(usize, u32, String)> = self
            .pictures
            .iter()
            .map(|(point, frame, png)| (*point, *frame, picture(png)))
            .collect();
        let data = Data {
            parameters: self.parameters,
            table: Embedded { header: self.header, rows: self.rows, without: &NOT_SHOWN },
            units: self.units,
            pictures,
            is_beside: self.is_beside,
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
        let badge = |(status, count): (&&str, &u64)| {
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
            counts.iter().map(badge).collect::<String>(),
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
            let more = points.len().saturating_sub(MAX_POINTS);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            let first = &points[..points.len().min(MAX_POINTS)];
            format!(
                "<tr><td class=\"text\">{}</td><td class=\"text\">{}</td><td>{}</td>\
                 <td class=\"text\">{}{more}\
                 </td></tr>\n",
                escape(status),
                escape(reason),
                points.len(),
                escape(&first.join(", "))
            )
        };
        let hidden = groups.len().saturating_sub(MAX_REASONS);
        let hidden = match hidden {
            0 => String::new(),
            n => format!("<p>And {} more.</p>", units::count(n as u64, "reason")),
        };
        format!(
            "<section><h2>What went wrong</h2>\n<table class=\"reasons\"><thead><tr>\
             <th scope=\"col\">status</th><th scope=\"col\" class=\"text\">reason</th>\
             <th scope=\"col\">points</th><th scope=\"col\" class=\"text\">which</th></tr>\
             </thead>\n\
             <tbody>\n{}</tbody></table>\n{hidden}</section>\n",
            groups.iter().take(MAX_REASONS).map(row).collect::<String>()
        )
    }
}

/// What the scripts draw.
#[derive(serde::Serialize)]
struct Data<'a> {
    parameters: &'a [String],
    table: Embedded<'a>,
    units: &'a [(String, String)],
    pictures: Vec<(usize, u32, String)>,
    is_beside: bool,
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn texts(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|&text| text.to_owned()).collect()
    }

    fn embedded(html: &str) -> Value {
        let rest = html.split_once("id=\"data\">").unwrap().1;
        serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap()
    }

    #[test]
    fn numbers_texts_and_what_is_missing_are_embedded_as_they_are() {
        let header = texts(&["point", "solver", "r<1>", "status", "reason", "speed_max"]);
        let rows = [
            texts(&["0", "Wcsph(courant: 0.4)", "0.01", "finished", "", "1.5e-7"]),
            texts(&["1", "</script>", "0.02", "failed", "it's > 1", ""]),
            texts(&["2", "Dfsph()", "0.02", "", "", "NaN"]),
        ];
        let html = SweepPage {
            title: "a & b",
            parameters: &header[1..3],
            header: &header,
            rows: &rows,
            units: &[("P1_max".into(), "Pa".into())],
            pictures: &[(1, 20, vec![0x89, b'P', b'N', b'G'])],
            is_beside: true,
        }
        .html();
        let data = embedded(&html);
        assert_eq!(data["parameters"], json!(["solver", "r<1>"]));
        assert_eq!(data["table"]["header"], json!(header));
        let columns = json!([
            [0, 1, 2],
            ["Wcsph(courant: 0.4)", "</script>", "Dfsph()"],
            [0.01, 0.02, 0.02],
            ["finished", "failed", null],
            [null, "it's > 1", null],
            [1.5e-7, null, "NaN"],
        ]);
        assert_eq!(data["table"]["columns"], columns);
        assert_eq!(data["pictures"], json!([[1, 20, "data:image/png;base64,iVBORw=="]]));
        assert_eq!(data["is_beside"], true);
        assert_eq!(data["units"], json!([["P1_max", "Pa"]]));
        assert_eq!(html.matches("<script").count(), 2);
        for part in [
            "<h1>a &amp; b</h1>",
            "3 points over <code>solver</code> and <code>r&lt;1&gt;</code>",
            "<span class=\"status failed\">1 failed</span>",
            "<span class=\"status not run\">1 not run</span>",
            "<td class=\"text\">it&#39;s &gt; 1</td><td>1</td>",
        ] {
            assert!(html.contains(part), "no {part}");
        }
    }

    #[test]
    fn reasons_are_told_the_most_frequent_first_and_not_without_end() {
        let header = texts(&["point", "x", "status", "reason"]);
        let row = |i: usize, reason: String| {
            vec![i.to_string(), i.to_string(), "failed".to_owned(), reason]
        };
        let mut rows: Vec<_> = (0..30).map(|i| row(i, format!("reason {i}"))).collect();
        rows.extend((30..60).map(|i| row(i, "the same".into())));
        let page = SweepPage {
            title: "",
            parameters: &header[1..2],
            header: &header,
            rows: &rows,
            units: &[],
            pictures: &[],
            is_beside: false,
        };
        let reasons = page.reasons();
        let first = reasons.find("the same</td><td>30</td>").unwrap();
        assert!(first < reasons.find("reason 0").unwrap());
        assert!(reasons.contains("41 and 18 more") && reasons.contains("And 11 reasons more."));
        let none = SweepPage { rows: &[], ..page };
        assert_eq!(none.reasons(), "");
        assert_eq!(embedded(&none.html())["table"]["columns"], json!([[], [], [], []]));
    }
}
