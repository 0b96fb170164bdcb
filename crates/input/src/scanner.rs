//! Words, lines and bytes of a file in order, and their places.

use super::error::{InputError, Place, Problem};
use super::numbers::{NumberType, Numbers, TextNumbers};
use std::ops::Range;

/// A file that is read from its beginning to its end.
#[derive(Clone)]
pub(super) struct Scanner<'a> {
    bytes: &'a [u8],
    at: usize,
    /// Whether places are lines; otherwise they are bytes.
    is_text: bool,
    /// Whether a word or line of text ended with the file.
    lacks_newline: bool,
    /// The byte that ends lines.
    line_end: u8,
}

impl<'a> Scanner<'a> {
    /// A file, which is read as text at first.
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Scanner { bytes, at: 0, is_text: true, lacks_newline: false, line_end: b'\n' }
    }

    /// A part of a file, whose places are those in the whole.
    pub(super) fn within(bytes: &'a [u8], range: Range<usize>, is_text: bool) -> Self {
        let bytes = &bytes[..range.end];
        Scanner { at: range.start, is_text, ..Scanner::new(bytes) }
    }

    /// A warning about text that ends within a line.
    pub(super) fn newline_warning(&self) -> Option<String> {
        let warning =
            "the file has no final newline; if it was cut off, its last word is incomplete";
        self.lacks_newline.then(|| warning.to_owned())
    }

    /// Takes a CR for the end of each line, as old programs write them, if the first line ends with
    /// one that no newline follows.
    pub(super) fn accept_lone_cr(&mut self) {
        let is_end = |byte: &&u8| matches!(byte, b'\r' | b'\n');
        let rest = &self.bytes[self.at..];
        let end = rest.iter().position(|byte| is_end(&byte));
        let is_cr = |at: usize| rest[at] == b'\r' && rest.get(at + 1) != Some(&b'\n');
        if end.is_some_and(is_cr) {
            self.line_end = b'\r';
        }
    }

    /// From now on places are bytes.
    pub(super) fn expect_binary(&mut self) {
        self.is_text = false;
    }

    /// The offset of the next byte.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// The place of the next byte.
    pub(super) fn place(&self) -> Place {
        self.place_of(self.at)
    }

    /// The place of a byte; takes time in text, whose lines are counted.
    pub(super) fn place_of(&self, at: usize) -> Place {
        if self.is_text {
            let before = &self.bytes[..at];
            Place::Line(1 + before.iter().filter(|&&byte| byte == self.line_end).count())
        } else {
            Place::Byte(at)
        }
    }

    /// Some of the file's bytes.
    pub(super) fn bytes(&self, range: Range<usize>) -> &'a [u8] {
        &self.bytes[range]
    }

    /// The number of remaining bytes.
    pub(super) fn left(&self) -> usize {
        self.bytes.len() - self.at
    }

    /// Whether nothing but white space is left.
    pub(super) fn is_at_end(&mut self) -> bool {
        self.skip_space();
        self.left() == 0
    }

    fn skip_space(&mut self) {
        let space = self.bytes[self.at..].iter().take_while(|byte| byte.is_ascii_whitespace());
        self.at += space.count();
    }

    /// The rest of this line, without its end.
    ///
    /// # Errors
    /// When nothing is left.
    pub(super) fn line(&mut self, what: &str) -> Result<&'a [u8], InputError> {
        let rest = &self.bytes[self.at..];
        if rest.is_empty() {
            return Err(self.ends_early(what));
        }
        let newline = rest.iter().position(|&byte| byte == self.line_end);
        let length = newline.unwrap_or(rest.len());
        self.at += length + usize::from(newline.is_some());
        self.lacks_newline |= newline.is_none() && self.is_text;
        let line = &rest[..length];
        Ok(line.strip_suffix(b"\r").unwrap_or(line))
    }

    /// The next word.
    ///
    /// # Errors
    /// When nothing is left.
    pub(super) fn word(&mut self, what: &str) -> Result<&'a str, InputError> {
        let bytes = self.bytes_of_word(what)?;
        std::str::from_utf8(bytes).map_err(|_| {
            let place = self.place_of(self.at - bytes.len());
            Problem::not_a_number(what, bytes).at(place)
        })
    }

    /// The next word, in whatever encoding.
    fn bytes_of_word(&mut self, what: &str) -> Result<&'a [u8], InputError> {
        self.skip_space();
        let rest = &self.bytes[self.at..];
        if rest.is_empty() {
            return Err(self.ends_early(what));
        }
        let space = rest.iter().position(u8::is_ascii_whitespace);
        let length = space.unwrap_or(rest.len());
        self.lacks_newline |= space.is_none() && self.is_text;
        self.at += length;
        Ok(&rest[..length])
    }

    /// The next word, without consuming it.
    pub(super) fn peek(&self) -> Option<&'a str> {
        self.clone().word("").ok()
    }

    /// A word that is a count.
    pub(super) fn count(&mut self, what: &str) -> Result<usize, InputError> {
        self.parsed(what)
    }

    fn parsed<T: std::str::FromStr>(&mut self, what: &str) -> Result<T, InputError> {
        let word = self.word(what)?;
        word.parse().map_err(|_| {
            let place = self.place_of(self.at - word.len());
            Problem::not_a_number(what, word.as_bytes()).at(place)
        })
    }

    /// Reads `count` numbers of a type.
    pub(super) fn numbers(
        &mut self,
        count: usize,
        number_type: NumberType,
        what: &str,
    ) -> Result<Numbers, InputError> {
        self.check_words(count, what)?;
        let expected = format!("a number of {what}");
        let mut numbers = TextNumbers::with_capacity(count, number_type);
        for _ in 0..count {
            self.push_number(&mut numbers, &expected)?;
        }
        Ok(numbers.finish())
    }

    /// Appends the next word, a number.
    pub(super) fn push_number(
        &mut self,
        numbers: &mut TextNumbers,
        expected: &str,
    ) -> Result<(), InputError> {
        let word = self.word(expected)?;
        numbers.push(word).ok_or_else(|| {
            let place = self.place_of(self.at - word.len());
            Problem::not_a_number(expected, word.as_bytes()).at(place)
        })
    }

    /// Skips `count` words.
    pub(super) fn skip_words(&mut self, count: usize, what: &str) -> Result<(), InputError> {
        self.check_words(count, what)?;
        (0..count).try_for_each(|_| self.bytes_of_word(what).map(drop))
    }

    /// Skips `count` numbers; a word that is not a number is an error.
    pub(super) fn skip_numbers(&mut self, count: usize, what: &str) -> Result<(), InputError> {
        self.check_words(count, what)?;
        let expected = format!("a number of {what}");
        (0..count).try_for_each(|_| self.parsed::<f64>(&expected).map(drop))
    }

    /// Refuses a count of words that the rest of the file cannot hold.
    pub(super) fn check_words(&self, count: usize, what: &str) -> Result<(), InputError> {
        // A word takes a character and a space at the least, the last one no space.
        match count > self.left().div_ceil(2) {
            true => Err(self.too_short(&format!("{count} words of {what}"))),
            false => Ok(()),
        }
    }

    /// Reads `length` bytes.
    pub(super) fn take(&mut self, length: usize, what: &str) -> Result<&'a [u8], InputError> {
        if length > self.left() {
            return Err(self.too_short(&format!("{length} bytes for {what}")));
        }
        let taken = &self.bytes[self.at..self.at + length];
        self.at += length;
        Ok(taken)
    }

    fn too_short(&self, what: &str) -> InputError {
        let left = self.left();
        Problem::ends_early(format!("{what}, {left} bytes are left")).at(self.place())
    }

    fn ends_early(&self, what: &str) -> InputError {
        Problem::ends_early(format!("{what} is missing")).at(self.place())
    }
}
