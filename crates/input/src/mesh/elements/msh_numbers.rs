//! Numbers of a `.msh` file, in text or binary.

use crate::error::{InputError, Place, Problem};
use crate::numbers::ByteOrder;
use crate::scanner::Scanner;

/// A file as it is read from its beginning to its end.
pub(super) struct MshNumbers<'a> {
    pub(super) scanner: Scanner<'a>,
    /// The order of bytes, and how many a `size_t` has, of binary numbers.
    pub(super) binary: Option<(ByteOrder, usize)>,
}

impl<'a> MshNumbers<'a> {
    /// A number of type `int`.
    pub(super) fn int(&mut self, what: &str) -> Result<i64, InputError> {
        match self.binary {
            None => self.word(what),
            Some((order, _)) => Ok(self.bits(4, order, what)? as i32 as i64),
        }
    }

    /// A number of type `size_t`.
    pub(super) fn size(&mut self, what: &str) -> Result<u64, InputError> {
        match self.binary {
            None => self.word(what),
            Some((order, bytes)) => self.bits(bytes, order, what),
        }
    }

    /// A number of type `double`.
    pub(super) fn real(&mut self, what: &str) -> Result<f64, InputError> {
        match self.binary {
            None => self.word(what),
            Some((order, _)) => Ok(f64::from_bits(self.bits(8, order, what)?)),
        }
    }

    fn word<T: std::str::FromStr>(&mut self, what: &str) -> Result<T, InputError> {
        let word = self.scanner.word(what)?;
        word.parse().map_err(|_| {
            let place = self.scanner.place_of(self.scanner.at() - word.len());
            Problem::not_a_number(what, word.as_bytes()).at(place)
        })
    }

    fn bits(&mut self, bytes: usize, order: ByteOrder, what: &str) -> Result<u64, InputError> {
        let bytes = self.scanner.take(bytes, what)?;
        let push = |bits: u64, byte: &u8| bits << 8 | u64::from(*byte);
        Ok(match order {
            ByteOrder::Little => bytes.iter().rev().fold(0, push),
            ByteOrder::Big => bytes.iter().fold(0, push),
        })
    }

    /// The place of the number that has just been read, which in binary begins at `at`.
    pub(super) fn place_of_last(&self, at: usize) -> Place {
        let in_word = self.scanner.at().saturating_sub(1);
        self.scanner.place_of(if self.binary.is_some() { at } else { in_word })
    }

    /// The next line as text.
    pub(super) fn line(&mut self, what: &str) -> Result<&'a [u8], InputError> {
        self.scanner.line(what).map(<[u8]>::trim_ascii)
    }
}
