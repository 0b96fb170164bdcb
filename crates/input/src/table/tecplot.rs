//! Tecplot's text files with a point in each row: `DATAPACKING=POINT`.
//!
//! Source: *Tecplot 360 Data Format Guide* (2023), "ASCII Data". `VARIABLES` names the columns.
//! Each `ZONE` has its own rows, as many as `I`·`J`·`K`, or `N` of a mesh, whose elements come
//! after its nodes and are not read. The guide's default is `BLOCK`, which writers that leave the
//! key out rarely mean: there each row must have a number for each variable. Other records, such
//! as `TITLE` and auxiliary data, are passed over.

use super::first_line::begins_with_number;
use super::head::{Line, Section, Separator, Table, lines, split_line, words};
use crate::error::{InputError, Place, Problem};

/// The first bytes of Tecplot's binary files.
pub(super) const BINARY_START: &[u8] = b"#!TDV";
/// The records that begin a file.
const FIRST_RECORDS: [&str; 4] = ["TITLE", "FILETYPE", "VARIABLES", "ZONE"];

/// Whether a file begins with such a line.
pub(super) fn is_head(line: &[u8]) -> bool {
    let keyword = keyword(line);
    FIRST_RECORDS.iter().any(|record| keyword == *record)
}

/// The word that a line begins with, in upper case.
fn keyword(line: &[u8]) -> String {
    let end = line.iter().position(|byte| !byte.is_ascii_alphabetic()).unwrap_or(line.len());
    String::from_utf8_lossy(&line[..end]).to_ascii_uppercase()
}

/// Reads the records of a file.
///
/// # Errors
/// No `VARIABLES`; zones that have a block for each variable, or that are of several times.
pub(super) fn table(bytes: &[u8]) -> Result<Table<'_>, InputError> {
    let (mut names, mut names_line) = (Vec::new(), 1);
    let mut zones: Vec<Zone> = Vec::new();
    let mut record = Record::Other;
    for line in lines(bytes).filter(|line| !matches!(line.text.first(), None | Some(b'#'))) {
        if begins_with_number(line.text) {
            if record == Record::Variables {
                // Rows of no zone.
                zones.push(Zone::new(&line));
                record = Record::Zone;
            }
            if let (Record::Zone, Some(zone)) = (record, zones.last_mut()) {
                zone.add_row(&line);
            }
            continue;
        }
        let text = String::from_utf8_lossy(line.text);
        match &*keyword(line.text) {
            "VARIABLES" => {
                (record, names_line) = (Record::Variables, line.number);
                names = words(text.split_once('=').map_or("", |(_, names)| names));
            }
            "ZONE" => {
                record = Record::Zone;
                let mut zone = Zone::new(&line);
                zone.add_settings(&text["ZONE".len()..]);
                zones.push(zone);
            }
            "TITLE" | "FILETYPE" | "TEXT" | "GEOMETRY" => record = Record::Other,
            word if word.ends_with("AUXDATA") => {}
            _ => match (record, zones.last_mut()) {
                (Record::Variables, _) => names.extend(words(&text)),
                (Record::Zone, Some(zone)) => zone.add_settings(&text),
                _ => {}
            },
        }
    }
    if names.is_empty() {
        let missing = "there is no line VARIABLES that names the columns".to_owned();
        return Err(Problem::Missing(missing).into());
    }
    zones.iter().try_for_each(Zone::check_packing)?;
    let first = zones.iter().find_map(|zone| zone.rows).map(|[rows, _]| split_line(rows).0);
    Ok(Table {
        names,
        is_named: true,
        line: names_line,
        separator: first.map_or(Separator::Blanks, |row| match Separator::from_line(row) {
            Separator::Character(b',') => Separator::Character(b','),
            _ => Separator::Blanks,
        }),
        comments: b"#",
        time: time(&zones)?,
        warnings: Vec::new(),
        sections: zones.iter().map(Zone::section).collect(),
    })
}

/// The record that a line without a keyword goes on with.
#[derive(Clone, Copy, PartialEq)]
enum Record {
    Variables,
    Zone,
    Other,
}

/// A zone and its rows.
struct Zone<'a> {
    /// The line of its record.
    line: usize,
    /// Its record, without texts in quotes.
    settings: String,
    /// The file from its first row on, and after its last one.
    rows: Option<[&'a [u8]; 2]>,
    /// Lines before the first row.
    lines_before: usize,
    /// Rows that are left, where elements follow.
    left: usize,
}

impl<'a> Zone<'a> {
    fn new(line: &Line) -> Self {
        let (settings, rows) = (String::new(), None);
        Zone { line: line.number, settings, rows, lines_before: line.number, left: usize::MAX }
    }

    fn add_settings(&mut self, text: &str) {
        let unquoted = text.split('"').step_by(2).collect::<Vec<_>>().join(" ");
        self.settings += &format!("{} ", unquoted.to_ascii_uppercase());
    }

    /// The value of a key.
    fn get(&self, key: &str) -> Option<String> {
        let is_word = |at: usize| !self.settings[..at].ends_with(|c: char| c.is_alphanumeric());
        let mut places = self.settings.match_indices(key).filter(|(at, _)| is_word(*at));
        places.find_map(|(at, _)| {
            let value = self.settings[at + key.len()..].trim_start().strip_prefix('=')?;
            words(value).into_iter().next()
        })
    }

    /// A whole number of a key.
    fn number(&self, key: &str) -> Option<usize> {
        self.get(key)?.parse().ok()
    }

    /// How many nodes a mesh has, whose elements follow them.
    fn nodes(&self) -> Option<usize> {
        self.number("N").or_else(|| self.number("NODES"))
    }

    /// How many points its record tells.
    fn size(&self) -> Option<usize> {
        let axis = |key| self.number(key).unwrap_or(1);
        let ordered =
            || Some(self.number("I")?.saturating_mul(axis("J")).saturating_mul(axis("K")));
        self.nodes().or_else(ordered)
    }

    /// Adds a line to its rows, unless it is that of an element.
    fn add_row(&mut self, line: &Line<'a>) {
        if self.rows.is_none() {
            self.lines_before = line.number - 1;
            self.left = self.nodes().unwrap_or(usize::MAX);
        }
        if self.left > 0 {
            let [first, _] = self.rows.unwrap_or([line.from; 2]);
            self.rows = Some([first, line.after]);
            self.left -= 1;
        }
    }

    fn section(&self) -> Section<'a> {
        let rows = self.rows.map_or(&[][..], |[from, after]| &from[..from.len() - after.len()]);
        Section { rows, lines_before: self.lines_before, count: self.size() }
    }

    /// Refuses blocks of numbers, one for each variable.
    fn check_packing(&self) -> Result<(), InputError> {
        let packing = ["DATAPACKING", "F"].into_iter().find_map(|key| self.get(key));
        if packing.is_none_or(|packing| !packing.contains("BLOCK")) {
            return Ok(());
        }
        let feature = "a Tecplot zone in BLOCK packing".to_owned();
        let instead = "write it with DATAPACKING=POINT, a row for each point";
        Err(Problem::Unsupported { feature, instead }.at(Place::Line(self.line)))
    }
}

/// The time of all zones.
fn time(zones: &[Zone]) -> Result<Option<f64>, InputError> {
    let time_of = |zone: &Zone| zone.get("SOLUTIONTIME")?.parse::<f64>().ok();
    let first = zones.first().and_then(time_of);
    let Some(other) = zones.iter().find(|zone| time_of(zone) != first) else { return Ok(first) };
    let feature = "a Tecplot file with zones of several times".to_owned();
    let instead = "write a file for each time";
    Err(Problem::Unsupported { feature, instead }.at(Place::Line(other.line)))
}
