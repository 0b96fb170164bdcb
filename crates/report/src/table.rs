//! Tables for scripts: as JSON, column by column, each number as the table has it.
//!
//! `{"header": […], "columns": [[…], …]}`. A cell that is empty is `null`; one that is a finite
//! number is that number; any other is its text, also `NaN` and `inf`, which JSON does not have.

use hashfall_output::table::complete_rows;
use serde::ser::{Serialize, SerializeSeq, SerializeStruct, Serializer};

/// A table whose rows are all as long as its header.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// The names of its columns.
    pub header: Vec<String>,
    /// Its rows.
    pub rows: Vec<Vec<String>>,
}

impl Table {
    /// Reads comma-separated values, as far as rows are whole.
    pub fn from_csv(bytes: &[u8]) -> Table {
        let (header, rows) = complete_rows(bytes);
        Table { header, rows }
    }

    /// The number in the first row of a column, if there is one.
    pub fn first(&self, column: &str) -> Option<f64> {
        let at = self.header.iter().position(|name| name == column)?;
        self.rows.first()?.get(at)?.parse().ok()
    }

    /// As it is embedded, without these columns.
    pub fn embedded<'a>(&'a self, without: &'a [&'a str]) -> Embedded<'a> {
        Embedded { header: &self.header, rows: &self.rows, without }
    }
}

/// A table as it is embedded.
pub struct Embedded<'a> {
    /// The names of its columns.
    pub header: &'a [String],
    /// Its rows; cells that one lacks are empty.
    pub rows: &'a [Vec<String>],
    /// Columns that are left out.
    pub without: &'a [&'a str],
}

impl Serialize for Embedded<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let is_in = |i: &usize| !self.without.contains(&self.header[*i].as_str());
        let kept: Vec<usize> = (0..self.header.len()).filter(is_in).collect();
        let header: Vec<&String> = kept.iter().map(|&i| &self.header[i]).collect();
        let columns: Vec<Column> = kept.iter().map(|&at| Column { rows: self.rows, at }).collect();
        let mut table = to.serialize_struct("Table", 2)?;
        table.serialize_field("header", &header)?;
        table.serialize_field("columns", &columns)?;
        table.end()
    }
}

/// A column of a table.
struct Column<'a> {
    rows: &'a [Vec<String>],
    at: usize,
}

impl Serialize for Column<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut cells = to.serialize_seq(Some(self.rows.len()))?;
        for row in self.rows {
            cells.serialize_element(&Cell::parse(row.get(self.at).map_or("", String::as_str)))?;
        }
        cells.end()
    }
}

/// A cell as a script sees it.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
#[serde(untagged)]
enum Cell<'a> {
    Missing,
    Count(i64),
    Number(f64),
    Text(&'a str),
}

impl Cell<'_> {
    fn parse(text: &str) -> Cell<'_> {
        if text.is_empty() {
            return Cell::Missing;
        }
        match (text.parse(), text.parse::<f64>()) {
            (Ok(count), _) => Cell::Count(count),
            (_, Ok(number)) if number.is_finite() => Cell::Number(number),
            _ => Cell::Text(text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn cells_keep_their_values_and_a_cut_row_does_not_count() {
        let text = "a,\"b, c\",d\n1,0.1,sound\n2,NaN,\n3,-1e-300,0x1\n4,5\n4,5,cu";
        let table = Table::from_csv(text.as_bytes());
        assert_eq!(table.rows.len(), 3);
        let expected = json!({
            "header": ["a", "b, c", "d"],
            "columns": [[1, 2, 3], [0.1, "NaN", -1e-300], ["sound", null, "0x1"]],
        });
        assert_eq!(serde_json::to_value(table.embedded(&[])).unwrap(), expected);
        let shorter = serde_json::to_value(table.embedded(&["a", "d"])).unwrap();
        assert_eq!(shorter["columns"], json!([[0.1, "NaN", -1e-300]]));
    }

    #[test]
    fn a_table_without_a_whole_header_is_empty() {
        for text in ["", "a,b", "a,b\n"] {
            assert!(Table::from_csv(text.as_bytes()).rows.is_empty(), "{text:?}");
        }
        assert!(Table::from_csv(b"a,b").header.is_empty());
    }
}
