//! Tables as comma-separated values (RFC 4180), a header and rows.
//!
//! Numbers are the shortest decimals that read back as the same number.

/// A table that grows by rows.
#[derive(Debug)]
pub struct Table {
    writer: csv::Writer<Vec<u8>>,
}

impl Table {
    /// A table with this header.
    pub fn new<T: AsRef<[u8]>>(header: impl IntoIterator<Item = T>) -> Self {
        let mut table = Table { writer: csv::Writer::from_writer(Vec::new()) };
        table.push(header);
        table
    }

    /// The table that has these bytes so far, with its header.
    pub fn go_on(bytes: Vec<u8>) -> Self {
        Table { writer: csv::Writer::from_writer(bytes) }
    }

    /// Adds a row, of as many cells as the header has.
    pub fn push<T: AsRef<[u8]>>(&mut self, cells: impl IntoIterator<Item = T>) {
        let written = self.writer.write_record(cells);
        written.expect("memory takes any row, and all rows of a table are as long");
        self.writer.flush().expect("memory has room");
    }

    /// The file's bytes.
    pub fn bytes(&self) -> &[u8] {
        self.writer.get_ref()
    }
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
        let text = String::from_utf8(table.bytes().to_vec()).unwrap();
        assert_eq!(text, "time,\"at \"\"A\"\", left\"\n0.30000000000000004,-0.0\n");
    }
}
