//! `.pts`: points of laser scanners, as Leica's Cyclone writes them.
//!
//! A line of text per point: `x y z`, or `x y z intensity`, `x y z red green blue` or all seven. A
//! line with a whole number alone counts the points of the scan that follows. A file that begins
//! with such a count may have several scans; any other is a single scan without counts.

use super::head::{Line, Section, Separator, Table, coordinates, lines};
use crate::array::AttributeFilter;
use crate::cloud::Cloud;
use crate::columns::ColumnChoice;
use crate::content::with_newlines;
use crate::error::InputError;
use crate::format::FileFormat;

/// The format.
pub(crate) const FORMAT: FileFormat = FileFormat { extensions: &["pts"], may_be_gzip: false, read };

/// The first characters of comments.
const COMMENTS: &[u8] = b"#";

fn read(
    bytes: &[u8],
    choice: &ColumnChoice,
    filter: &AttributeFilter,
) -> Result<Cloud, InputError> {
    table(&with_newlines(bytes)).read(choice, filter)
}

fn table(bytes: &[u8]) -> Table<'_> {
    let mut sections = vec![Section { rows: bytes, lines_before: 0, count: None }];
    let is_comment = |line: &Line| line.text.first().is_none_or(|first| COMMENTS.contains(first));
    let first = lines(bytes).find(|line| !is_comment(line));
    let has_counts = first.is_some_and(|line| count(&line).is_some());
    for line in lines(bytes).filter(|_| has_counts) {
        let count = count(&line);
        if let (Some(_), Some(last)) = (count, sections.last_mut()) {
            last.rows = &last.rows[..last.rows.len() - line.from.len()];
            sections.push(Section { rows: line.after, lines_before: line.number, count });
        }
    }
    sections.retain(|it| it.count.is_some() || !it.rows.trim_ascii().is_empty());
    let mut rows = sections.iter().flat_map(|section| lines(section.rows));
    let first = rows.find(|line| !is_comment(line));
    let width = first.map_or(0, |line| Separator::Blanks.cells(line.text).len());
    let mut names = coordinates(width);
    let others: &[&str] = match width {
        4 => &["intensity"],
        6 => &["red", "green", "blue"],
        7 => &["intensity", "red", "green", "blue"],
        _ => &[],
    };
    for (name, other) in names.iter_mut().skip(3).zip(others) {
        *name = (*other).to_owned();
    }
    let line = sections.first().map_or(1, |section| section.lines_before + 1);
    let (separator, comments) = (Separator::Blanks, COMMENTS);
    Table {
        names,
        is_named: true,
        line,
        separator,
        comments,
        sections,
        time: None,
        warnings: Vec::new(),
    }
}

/// The count of points that a line is.
fn count(line: &Line) -> Option<usize> {
    std::str::from_utf8(line.text).ok()?.parse().ok()
}
