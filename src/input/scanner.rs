//! Words, lines and bytes of a file, one after the other, and where they stand.

use super::error::{InputError, Place, Problem};

/// A file that is read from its beginning to its end.
#[derive(Clone)]
pub(super) struct Scanner<'a> {
    bytes: &'a [u8],
    at: usize,
    /// Whether places are told as lines; else as bytes.
    is_text: bool,
}

impl<'a> Scanner<'a> {
    /// A file of text, as far as is known yet.
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Scanner { bytes, at: 0, is_text: true }
    }

    /// From now on places are told as bytes.
    pub(super) fn expect_binary(&mut self) {
        self.is_text = false;
    }

    /// The byte where reading goes on.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// The place where reading goes on.
    pub(super) fn place(&self) -> Place {
        self.place_of(self.at)
    }

    /// The place of a byte; takes time in text, whose lines are counted.
    pub(super) fn place_of(&self, at: usize) -> Place {
        if self.is_text {
            let before = &self.bytes[..at];
            Place::Line(1 + before.iter().filter(|&&byte| byte == b'\n').count())
        } else {
            Place::Byte(at)
        }
    }

    /// Bytes that are left.
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
    /// When no newline follows: the line may have lost its end.
    pub(super) fn line(&mut self, what: &str) -> Result<&'a [u8], InputError> {
        let rest = &self.bytes[self.at..];
        let Some(length) = rest.iter().position(|&byte| byte == b'\n') else {
            return Err(self.ends_early(what));
        };
        self.at += length + 1;
        let line = &rest[..length];
        Ok(line.strip_suffix(b"\r").unwrap_or(line))
    }

    /// The next word.
    ///
    /// # Errors
    /// When no white space follows: the word may have lost its end.
    pub(super) fn word(&mut self, what: &str) -> Result<&'a str, InputError> {
        self.skip_space();
        let rest = &self.bytes[self.at..];
        let Some(length) = rest.iter().position(u8::is_ascii_whitespace) else {
            return Err(self.ends_early(what));
        };
        let word = std::str::from_utf8(&rest[..length])
            .map_err(|_| Problem::unexpected(what, &rest[..length]).at(self.place()))?;
        self.at += length;
        Ok(word)
    }

    /// The next word, which is read again.
    pub(super) fn peek(&self) -> Option<&'a str> {
        self.clone().word("").ok()
    }

    /// A word that is a number.
    pub(super) fn number(&mut self, what: &str) -> Result<f64, InputError> {
        self.parsed(what)
    }

    /// A word that is a count.
    pub(super) fn count(&mut self, what: &str) -> Result<usize, InputError> {
        self.parsed(what)
    }

    fn parsed<T: std::str::FromStr>(&mut self, what: &str) -> Result<T, InputError> {
        let word = self.word(what)?;
        word.parse().map_err(|_| {
            let place = self.place_of(self.at - word.len());
            Problem::unexpected(what, word.as_bytes()).at(place)
        })
    }

    /// So many numbers.
    pub(super) fn numbers(&mut self, count: usize, what: &str) -> Result<Vec<f64>, InputError> {
        // A number takes a digit and a space at the least.
        if count > self.left() / 2 {
            return Err(self.too_short(&format!("{count} numbers of {what}")));
        }
        let number = format!("a number of {what}");
        (0..count).map(|_| self.number(&number)).collect()
    }

    /// So many bytes.
    pub(super) fn take(&mut self, length: usize, what: &str) -> Result<&'a [u8], InputError> {
        if length > self.left() {
            return Err(self.too_short(&format!("{what} take {length} bytes")));
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
        let missing = match self.left() {
            0 => format!("{what} is missing"),
            _ => format!("{what} is the last word, and no newline follows it"),
        };
        Problem::ends_early(missing).at(self.place())
    }
}
