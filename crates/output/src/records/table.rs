//! Tables as comma-separated values (RFC 4180), a header and rows; and for people to read.
//!
//! Numbers are the shortest decimals that read back as the same number. Text that a spreadsheet
//! would run as a formula, such as a probe named `=1+1`, gets an apostrophe in front, which marks
//! text in spreadsheets (OWASP, CSV injection); quotes do not prevent it. Readers here remove it.

/// A table whose rows are appended to a file; it holds only rows that are not yet written.
#[derive(Debug)]
pub struct Table {
    rows: csv::Writer<Vec<u8>>,
    written: u64,
}

impl Table {
    /// A table with this header.
    pub fn new<T: AsRef<[u8]>>(header: impl IntoIterator<Item = T>) -> Self {
        let mut table = Table::after(0);
        table.push(header);
        table
    }

    /// A table whose file has `written` bytes, with its header.
    pub fn after(written: u64) -> Self {
        Table { rows: csv::Writer::from_writer(Vec::new()), written }
    }

    /// Adds a row, of as many cells as the header has.
    pub fn push<T: AsRef<[u8]>>(&mut self, cells: impl IntoIterator<Item = T>) {
        let written = self.rows.write_record(cells.into_iter().map(escaped));
        written.expect("memory takes any row, and all rows of a table are as long");
        self.rows.flush().expect("memory has room");
    }

    /// Bytes of its file.
    pub fn written(&self) -> u64 {
        self.written
    }

    /// Rows that are not yet in the file.
    pub fn pending(&self) -> &[u8] {
        self.rows.get_ref()
    }

    /// Marks all rows as written.
    pub fn mark_written(&mut self) {
        *self = Table::after(self.written + self.pending().len() as u64);
    }
}

/// First characters of a formula.
const FORMULA: &[u8] = b"=+-@\t\r";
/// Marks a cell as text.
const TEXT: u8 = b'\'';

/// A cell as written to the file: text that looks like a formula, or that begins with the mark, is
/// marked as text.
fn escaped<T: AsRef<[u8]>>(cell: T) -> Vec<u8> {
    let bytes = cell.as_ref();
    let is_number = || std::str::from_utf8(bytes).is_ok_and(|text| text.parse::<f64>().is_ok());
    let is_formula = match bytes {
        // A dash alone stands for nothing.
        [] | [_] => false,
        [first, ..] => FORMULA.contains(first) && !is_number(),
    };
    let mut escaped = Vec::with_capacity(bytes.len() + 1);
    escaped.extend((is_formula || bytes.first() == Some(&TEXT)).then_some(TEXT));
    escaped.extend_from_slice(bytes);
    escaped
}

/// A cell of a file without the mark.
pub fn unescaped(cell: &str) -> &str {
    cell.strip_prefix(char::from(TEXT)).unwrap_or(cell)
}

/// The header and the complete rows of a table's file. An incomplete last line, as a killed run
/// leaves it, is ignored; so are rows that are not as long as the header.
pub fn complete_rows(bytes: &[u8]) -> (Vec<String>, Vec<Vec<String>>) {
    let whole = bytes.iter().rposition(|&b| b == b'\n').map_or(0, |end| end + 1);
    let text = String::from_utf8_lossy(&bytes[..whole]);
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let cells =
        |record: &csv::StringRecord| record.iter().map(|it| unescaped(it).to_owned()).collect();
    let header = reader.headers().map(cells).unwrap_or_default();
    let rows = reader.records().filter_map(Result::ok).map(|record| cells(&record)).collect();
    (header, rows)
}

/// A Markdown table whose columns are flush: it reads well as it is, too. All rows are as long as
/// the header.
pub fn markdown(header: &[&str], rows: &[Vec<String>]) -> String {
    let header: Vec<String> = header.iter().map(|&name| name.to_owned()).collect();
    let all = || std::iter::once(&header).chain(rows);
    let width = |column: usize| all().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..header.len()).map(width).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).map(|(cell, &width)| format!(" {cell:<width$} |"));
        format!("|{}\n", cells.collect::<String>())
    };
    let rule: String = widths.iter().map(|width| format!("{}|", "-".repeat(width + 2))).collect();
    let head = format!("{}|{rule}\n", line(&header));
    rows.iter().fold(head, |text, row| text + &line(row))
}

/// The shortest decimal that reads back as the same number.
pub fn number(x: f64) -> String {
    format!("{x:?}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_quoted_where_they_must_be_and_numbers_keep_their_bits() {
        let mut table = Table::new(["time", "at \"A\", left"]);
        table.push([number(0.1 + 0.2), number(-0.0)]);
        let text = String::from_utf8(table.pending().to_vec()).unwrap();
        assert_eq!(text, "time,\"at \"\"A\"\", left\"\n0.30000000000000004,-0.0\n");
        table.mark_written();
        table.push(["1", "2"]);
        assert_eq!((table.written(), table.pending()), (text.len() as u64, &b"1,2\n"[..]));
    }

    #[test]
    fn no_cell_is_a_formula_and_all_read_back_as_they_were() {
        let names = [
            "=1+1", "+1-A1", "-A1", "@SUM(A1)", "\tx", "\rx", "'=1", "a,b", "\"q\"", "a\nb", "",
            "-", "=", "P 1", "'",
        ];
        let numbers = ["-0.5", "+1", "-inf", "1e-9", "-1e-9"];
        let cells: Vec<&str> = names.into_iter().chain(numbers).collect();
        let mut table = Table::new(&cells);
        table.push(&cells);
        let (header, rows) = complete_rows(table.pending());
        assert_eq!(header, cells);
        assert_eq!(rows, std::slice::from_ref(&cells));
        // As another program reads it.
        let mut reader = csv::Reader::from_reader(table.pending());
        let seen: Vec<String> = reader.headers().unwrap().iter().map(str::to_owned).collect();
        assert_eq!(seen[..2], ["'=1+1", "'+1-A1"]);
        assert_eq!(seen[names.len()..], numbers, "numbers stay numbers");
        let is_formula =
            |cell: &&String| cell.len() > 1 && cell.starts_with(['=', '+', '-', '@', '\t', '\r']);
        assert_eq!(seen.iter().filter(is_formula).count(), 4, "numbers alone: {seen:?}");
    }
}
