//! Tecplot's text files with a point in each row: `DATAPACKING=POINT`.
//!
//! Source: *Tecplot 360 Data Format Guide* (2023), "ASCII Data". `VARIABLES` names the columns.
//! Each `ZONE` has its own rows, as many as `I`·`J`·`K`, or `N` of a mesh, whose elements come
//! after its nodes and are not read. The guide's default is `BLOCK`, which writers that leave the
//! key out rarely mean: a warning says so, and the first row must have a number for each variable.
//! Rows without a `ZONE` are one. Other records, such as `TITLE` and auxiliary data, are passed
//! over.

use super::first_line::begins_with_number;
use super::head::{Line, Section, Separator, Table, lines, split_line, words};
use super::rows::DOS_END;
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
/// No `VARIABLES`, or several that differ; zones that have a block for each variable, or that are
/// of several times.
pub(super) fn table(bytes: &[u8]) -> Result<Table<'_>, InputError> {
    let Records { variables, zones } = Records::read(bytes);
    let Some(Variables { line, names }) = variables.first() else {
        let missing = "there is no line VARIABLES that names the columns".to_owned();
        return Err(Problem::Missing(missing).into());
    };
    if let Some(other) = variables.iter().find(|other| other.names != *names) {
        let feature = "a Tecplot file with other VARIABLES than its first".to_owned();
        let instead = "write a file for each list of variables";
        return Err(Problem::Unsupported { feature, instead }.at(Place::Line(other.line)));
    }
    let first = zones.iter().find_map(Zone::first_row);
    let separator = first.map_or(Separator::Blanks, |row| match Separator::from_line(row) {
        Separator::Character(b',') => Separator::Character(b','),
        _ => Separator::Blanks,
    });
    zones.iter().try_for_each(|zone| zone.check_packing(separator, names.len()))?;
    Ok(Table {
        names: names.clone(),
        is_named: true,
        line: *line,
        separator,
        comments: b"#",
        time: time(&zones)?,
        warnings: packing_warning(&zones).into_iter().collect(),
        sections: zones.iter().map(Zone::section).collect(),
    })
}

/// The names of the columns.
struct Variables {
    /// The line of the record.
    line: usize,
    names: Vec<String>,
}

/// The records of a file that matter here.
struct Records<'a> {
    variables: Vec<Variables>,
    zones: Vec<Zone<'a>>,
}

impl<'a> Records<'a> {
    fn read(bytes: &'a [u8]) -> Self {
        let mut records = Records { variables: Vec::new(), zones: Vec::new() };
        let mut record = Record::Title;
        let is_passed = |line: &Line| line.text.is_empty() || line.text == DOS_END;
        for line in lines(bytes).filter(|line| !is_passed(line) && line.text[0] != b'#') {
            record = records.add_line(&line, record);
        }
        records
    }

    /// Adds a line, which goes on with a record or begins the one that is returned.
    fn add_line(&mut self, line: &Line<'a>, record: Record) -> Record {
        let text = String::from_utf8_lossy(line.text);
        let is_number = begins_with_number(line.text);
        match (&*keyword(line.text), record) {
            ("VARIABLES", _) => {
                let names = words(text.split_once('=').map_or("", |(_, names)| names));
                self.variables.push(Variables { line: line.number, names });
                return Record::Variables;
            }
            ("ZONE", _) => {
                let mut zone = Zone::new(line);
                zone.add_settings(&text["ZONE".len()..]);
                self.zones.push(zone);
                return Record::Zone;
            }
            ("TITLE" | "FILETYPE", _) => return Record::Title,
            ("TEXT" | "GEOMETRY" | "CUSTOMLABELS" | "USERREC", _) => return Record::Drawing,
            (word, _) if word.ends_with("AUXDATA") => {}
            (_, Record::Variables | Record::Title) if is_number => {
                // Rows of no zone.
                let mut zone = Zone::new(line);
                zone.add_row(line);
                self.zones.push(zone);
                return Record::Zone;
            }
            (_, Record::Variables) => {
                if let Some(variables) = self.variables.last_mut() {
                    variables.names.extend(words(&text));
                }
            }
            (_, Record::Zone) => {
                let zone = self.zones.last_mut();
                zone.into_iter().for_each(|zone| match is_number || !zone.goes_on_with(&text) {
                    true => zone.add_row(line),
                    false => zone.add_settings(&text),
                });
            }
            (_, Record::Title | Record::Drawing) => {}
        }
        record
    }
}

/// The record that a line without a keyword goes on with.
#[derive(Clone, Copy, PartialEq)]
enum Record {
    /// A title; rows after it are those of a zone.
    Title,
    Variables,
    Zone,
    /// A text or a geometry, whose numbers are no rows.
    Drawing,
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

    /// Whether a line without a keyword or a number belongs to its record: it has a key, or the
    /// value or the list of one goes on. Anything else is a row, with a wrong first number.
    fn goes_on_with(&self, text: &str) -> bool {
        let count = |bracket| self.settings.matches(bracket).count();
        let is_open = self.settings.trim_end().ends_with('=') || count('(') > count(')');
        self.rows.is_none() && (is_open || text.contains('='))
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

    fn first_row(&self) -> Option<&'a [u8]> {
        self.rows.map(|[rows, _]| split_line(rows).0)
    }

    fn packing(&self) -> Option<String> {
        ["DATAPACKING", "F"].into_iter().find_map(|key| self.get(key))
    }

    /// Refuses blocks of numbers, one for each variable: those that the record tells, and those
    /// whose first line has other than a number for each variable.
    fn check_packing(&self, separator: Separator, variables: usize) -> Result<(), InputError> {
        let refused = |feature: String, line| {
            let instead = "write it with DATAPACKING=POINT, a row for each point";
            Err(Problem::Unsupported { feature, instead }.at(Place::Line(line)))
        };
        match (self.packing(), self.first_row()) {
            (Some(packing), _) if packing.contains("BLOCK") => {
                refused("a Tecplot zone in BLOCK packing".to_owned(), self.line)
            }
            (None, Some(row)) => {
                let cells = separator.cells(row.trim_ascii());
                let found = cells.iter().filter(|cell| !cell.is_empty()).count();
                if found == variables {
                    return Ok(());
                }
                let feature = format!(
                    "a Tecplot zone without DATAPACKING whose first line has {found} numbers, and \
                     not {variables}, one for each variable,"
                );
                refused(feature, self.lines_before + 1)
            }
            _ => Ok(()),
        }
    }
}

/// Says that zones do not tell their packing.
fn packing_warning(zones: &[Zone]) -> Option<String> {
    let mut untold = zones.iter().filter(|zone| zone.rows.is_some() && zone.packing().is_none());
    let line = untold.next()?.line;
    let others = match untold.count() {
        0 => String::new(),
        count => format!(" (one of {} such zones)", count + 1),
    };
    Some(format!("the Tecplot zone of line {line} has no DATAPACKING: read as POINT{others}"))
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
