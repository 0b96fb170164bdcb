//! The rows of a table, one by one, and their lines.

use super::head::{
    Line, Section, Separator, Table, lines, reader, split_line, words_between_blanks,
};
use crate::error::{InputError, Place, Problem};
use crate::scanner::Scanner;
use ::csv::ByteRecord;

/// The mark at the end of some files written on DOS.
pub(super) const DOS_END: &[u8] = b"\x1a";

/// What is done with a row; the function gives its line.
pub(super) type EachRow<'a> =
    dyn FnMut(&ByteRecord, &dyn Fn() -> usize) -> Result<(), InputError> + 'a;

impl Table<'_> {
    /// Goes through all rows; returns a warning about the end of the file, if there is one.
    ///
    /// # Errors
    /// Those of a row; quotes that are not closed, and fewer or more rows than the file says.
    pub(super) fn for_each_row(&self, each: &mut EachRow) -> Result<Option<String>, InputError> {
        let mut warning = None;
        for section in &self.sections {
            let mut found = 0;
            let mut counted = |row: &ByteRecord, line: &dyn Fn() -> usize| {
                found += 1;
                each(row, line)
            };
            let end = match self.separator {
                Separator::Character(separator) => {
                    section.with_number_signs(self.comments, |section| {
                        section.separated_rows(separator, &mut counted)
                    })?;
                    None
                }
                Separator::Blanks => section.rows_of_words(self.comments, &mut counted)?,
            };
            warning = warning.or(end);
            if let Some(expected) = section.count.filter(|&expected| expected != found) {
                let place = Place::Line(section.lines_before.max(1));
                let what = "particles, which the head counts".to_owned();
                return Err(Problem::WrongCount { what, expected, found }.at(place));
            }
        }
        Ok(warning)
    }
}

impl Section<'_> {
    /// Does something with the rows, whose comments all begin with `#`, the only mark that the
    /// table reader knows. Rows with other comments are copied.
    fn with_number_signs(
        &self,
        comments: &[u8],
        mut each: impl FnMut(&Section) -> Result<(), InputError>,
    ) -> Result<(), InputError> {
        let has_mark = |line: &Line| line.text.first().is_some_and(|it| comments.contains(it));
        let is_other = |line: &Line| has_mark(line) && line.from[0] != b'#';
        if comments == b"#" || !lines(self.rows).any(|line| is_other(&line)) {
            return each(self);
        }
        let mut rows = self.rows.to_vec();
        for line in lines(self.rows).filter(is_other) {
            rows[self.rows.len() - line.from.len()] = b'#';
        }
        each(&Section { rows: &rows, ..*self })
    }

    /// Rows whose cells a character separates.
    fn separated_rows(&self, separator: u8, each: &mut EachRow) -> Result<(), InputError> {
        Separator::Character(separator).check_quotes(self.rows, self.lines_before)?;
        let mut reader = reader(self.rows, separator);
        let mut row = ByteRecord::new();
        // Of bytes in memory nothing but their content can be wrong, and that is any.
        while let Ok(true) = reader.read_byte_record(&mut row) {
            let is_blank =
                row.len() == 1 && row.get(0).is_some_and(|cell| cell.trim_ascii().is_empty());
            if !is_blank {
                each(&row, &|| self.line(&row))?;
            }
        }
        Ok(())
    }

    /// The line of a row. The table reader tells where it began to look for it, which may be before
    /// empty lines and comments.
    fn line(&self, row: &ByteRecord) -> usize {
        let Some(position) = row.position() else { return self.lines_before + 1 };
        let mut rest = &self.rows[(position.byte() as usize).min(self.rows.len())..];
        let mut line = self.lines_before + position.line() as usize;
        loop {
            let (text, after) = split_line(rest);
            let is_passed = text.is_empty() || text == b"\r" || text.starts_with(b"#");
            if !is_passed || after.is_empty() {
                return line;
            }
            (rest, line) = (after, line + 1);
        }
    }

    /// Rows of words between blanks.
    fn rows_of_words(
        &self,
        comments: &[u8],
        each: &mut EachRow,
    ) -> Result<Option<String>, InputError> {
        let mut scanner = Scanner::new(self.rows);
        let mut row = ByteRecord::new();
        for line in self.lines_before + 1.. {
            if scanner.left() == 0 {
                break;
            }
            let text = scanner.line("the last line")?.trim_ascii();
            if text == DOS_END || text.first().is_none_or(|first| comments.contains(first)) {
                continue;
            }
            row.clear();
            words_between_blanks(text).for_each(|word| row.push_field(word));
            each(&row, &|| line)?;
        }
        Ok(scanner.newline_warning())
    }
}
