//! Reads a recorded motion: a text of rows of numbers, separated by commas, semicolons or tabs.
//!
//! The first line names the columns: `time` (s) and any of `x`, `y`, `z` (m) and `degrees` (°), in
//! any order. A column that is not there is 0. Empty lines and lines that begin with `#` do not
//! count.

use crate::model::limits::MAX_COORDINATE;
use crate::text::diagnostic::{Diagnostic, Severity};
use hashfall_core::format_significant;
use hashfall_solid::Recording;
use std::ops::Range;

/// The names of the columns; those after the first are the numbers of a row.
const COLUMNS: [&str; 5] = ["time", "x", "y", "z", "degrees"];
const SEPARATORS: [char; 3] = [',', ';', '\t'];
/// Times and degrees at most \[s, °\].
const MAX_NUMBER: f64 = 1e9;

/// What is wrong at some characters of the text.
struct Fault {
    span: Range<usize>,
    message: String,
    help: String,
}

/// A cell: its characters in the text, and its content.
struct Cell<'a> {
    span: Range<usize>,
    text: &'a str,
}

/// Reads the file at `path`, which the diagnostic names with line and column.
///
/// # Errors
/// The first fault.
pub fn read(path: &str, bytes: &[u8]) -> Result<Recording, Box<Diagnostic>> {
    let text = String::from_utf8_lossy(bytes);
    let text = text.trim_start_matches('\u{feff}');
    parse(text).map_err(|Fault { span, message, help }| {
        Box::new(Diagnostic {
            severity: Severity::Error,
            source_name: path.to_owned(),
            source_text: text.to_owned(),
            span: Some(span),
            message: format!("broken table of a motion: {message}"),
            help: Some(help),
        })
    })
}

fn parse(text: &str) -> Result<Recording, Fault> {
    let mut lines = lines(text);
    let first = lines.next().ok_or_else(|| Fault {
        span: 0..1,
        message: "no line".to_owned(),
        help: "a header such as time,x,degrees and two rows at least".to_owned(),
    })?;
    let columns = header(&first)?;
    let (mut times, mut rows) = (Vec::new(), Vec::new());
    let mut end = 0..1;
    for cells in lines {
        let (time, row) = row(&cells, &columns)?;
        end = cells[0].span.start..cells[cells.len() - 1].span.end;
        if let Some(before) = times.last().filter(|before| time <= **before) {
            let place = columns.iter().position(|column| *column == 0).unwrap_or(0);
            let number = |x: f64| format_significant(x, 9);
            return Err(Fault {
                span: cells[place].span.clone(),
                message: format!("{} s does not come after {} s", number(time), number(*before)),
                help: "rows in the order of their times".to_owned(),
            });
        }
        times.push(time);
        rows.push(row);
    }
    Recording::new(times, rows).ok_or_else(|| Fault {
        span: end,
        message: "fewer than two rows".to_owned(),
        help: "two rows at least below the header".to_owned(),
    })
}

/// The cells of each line that counts.
fn lines(text: &str) -> impl Iterator<Item = Vec<Cell<'_>>> {
    let mut start = 0;
    let spans = text.split('\n').map(move |line| {
        let first = start;
        start += line.chars().count() + 1;
        (first, line)
    });
    spans.filter_map(|(first, line)| {
        let content = line.trim();
        let counts = !content.is_empty() && !content.starts_with('#');
        counts.then(|| cells(first, line))
    })
}

fn cells(mut start: usize, line: &str) -> Vec<Cell<'_>> {
    let mut cells = Vec::new();
    for part in line.split(SEPARATORS) {
        let text = part.trim();
        let before = part.chars().take_while(|c| c.is_whitespace()).count();
        let first = start + if text.is_empty() { 0 } else { before };
        cells.push(Cell { span: first..first + text.chars().count().max(1), text });
        start += part.chars().count() + 1;
    }
    cells
}

/// By cell of the header: the number of its column among [`COLUMNS`].
fn header(cells: &[Cell]) -> Result<Vec<usize>, Fault> {
    let help = "a header of time and any of x, y, z (m) and degrees, such as time,x,degrees";
    let fault = |cell: &Cell, message: String| Fault {
        span: cell.span.clone(),
        message,
        help: help.to_owned(),
    };
    let mut columns = Vec::new();
    for cell in cells {
        let name = cell.text.trim_matches('"').trim().to_lowercase();
        let Some(column) = COLUMNS.iter().position(|column| *column == name) else {
            let message = match cell.text.parse::<f64>() {
                Ok(_) => "the first line has numbers, not the names of the columns".to_owned(),
                Err(_) => format!("no column is called `{}`", cell.text),
            };
            return Err(fault(cell, message));
        };
        if columns.contains(&column) {
            return Err(fault(cell, format!("two columns are called `{name}`")));
        }
        columns.push(column);
    }
    match columns.contains(&0) && columns.len() > 1 {
        true => Ok(columns),
        false if columns.len() == 1 => Err(fault(&cells[0], "one column alone".to_owned())),
        false => Err(fault(&cells[0], "no column is called `time`".to_owned())),
    }
}

/// The time of a row and its numbers.
fn row(cells: &[Cell], columns: &[usize]) -> Result<(f64, [f64; 4]), Fault> {
    let last = &cells[cells.len() - 1];
    if cells.len() != columns.len() {
        return Err(Fault {
            span: last.span.clone(),
            message: format!("{} cells in this row, {} in the header", cells.len(), columns.len()),
            help: "a number for each column".to_owned(),
        });
    }
    let mut numbers = [0.0; COLUMNS.len()];
    for (cell, &column) in cells.iter().zip(columns) {
        let most = if (1..4).contains(&column) { MAX_COORDINATE } else { MAX_NUMBER };
        let fault = |message: String| Fault {
            span: cell.span.clone(),
            message,
            help: format!("a number from {:e} to {most:e}, with a point, such as 0.25", -most),
        };
        let name = COLUMNS[column];
        let number: f64 =
            cell.text.parse().map_err(|_| fault(format!("`{}` is no number", cell.text)))?;
        let is_sound = number.abs() <= most;
        if !is_sound {
            return Err(fault(format!("`{name}` is out of bounds: {}", cell.text)));
        }
        numbers[column] = number;
    }
    let [time, x, y, z, degrees] = numbers;
    Ok((time, [x, y, z, degrees]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_may_come_in_any_order_and_with_any_separator() {
        let plain = "time,x,y,z,degrees\n0,1,0,0,5\n0.5,2,0,0,10\n";
        let other =
            "\u{feff}# of the rig\r\n\"Degrees\";\tx ;time\r\n\r\n5;1;0\r\n 10 ; 2 ; 5e-1\r\n";
        let read = |text: &str| read("f.csv", text.as_bytes());
        assert_eq!(read(plain).unwrap().times(), [0.0, 0.5]);
        // A tab is a separator, too.
        assert!(read(other).is_err());
        assert_eq!(read(&other.replace('\t', "")), read(plain));
    }

    #[test]
    fn each_fault_is_told_with_line_and_column() {
        for (text, line, column, message) in [
            ("", 1, 1, "no line"),
            ("0.0,1.0\n1.0,2.0\n", 1, 1, "has numbers"),
            ("time,roll\n0,1\n1,2\n", 1, 6, "no column is called `roll`"),
            ("x,z\n0,1\n1,2\n", 1, 1, "no column is called `time`"),
            ("time,x,x\n0,1,2\n", 1, 8, "two columns are called `x`"),
            ("time\n0\n1\n", 1, 1, "one column alone"),
            ("time,x\n0,1\n1, 2,5\n", 3, 6, "3 cells in this row, 2 in the header"),
            ("time,x\n0,1\n1, a2\n", 3, 4, "`a2` is no number"),
            ("time,x\n0,1\n1,\n", 3, 3, "`` is no number"),
            ("time,x\n0,1\n1,NaN\n", 3, 3, "`x` is out of bounds: NaN"),
            ("time,x\n0,1\n1,1e7\n", 3, 3, "`x` is out of bounds: 1e7"),
            ("x,time\n1,0.5\n\n1,0.5\n", 4, 3, "0.5 s does not come after 0.5 s"),
            ("time,x\n0,1\n", 2, 1, "fewer than two rows"),
        ] {
            let fault = read("roll.csv", text.as_bytes()).unwrap_err();
            assert!(fault.message.contains(message), "{text}: {fault}");
            assert_eq!((fault.line(), fault.column()), (line, column), "{text}: {fault}");
            assert_eq!(fault.source_name, "roll.csv");
        }
    }
}
