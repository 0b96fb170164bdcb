//! What a file holds, encoded while it is written, in pieces that stay in the cache.
//!
//! A frame of a million particles is 45 MB. Encoded as a whole it goes to memory and back, in pages
//! that the system clears before each frame: as much work as the encoding. A piece is written, and
//! its memory used for the next.

use crate::formats::little_endian::Scalar;
use std::io::{self, Write};

/// The length of a piece \[bytes\].
const LENGTH: usize = 1 << 17;

/// What a file holds, encoded when it is written.
pub struct Content<'a>(Box<dyn FnOnce(&mut Pieces<'_>) + 'a>);

impl<'a> Content<'a> {
    /// What a function puts.
    pub(crate) fn new(put: impl FnOnce(&mut Pieces<'_>) + 'a) -> Self {
        Content(Box::new(put))
    }

    /// Writes all; returns its length \[bytes\].
    ///
    /// # Errors
    /// The first that writing meets.
    pub fn write_to(self, out: &mut dyn Write) -> io::Result<u64> {
        let piece = Vec::with_capacity(LENGTH);
        let mut pieces = Pieces { piece, out, written: 0, result: Ok(()) };
        (self.0)(&mut pieces);
        pieces.write_piece();
        pieces.result.map(|()| pieces.written)
    }

    /// All bytes.
    pub fn into_bytes(self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let written = self.write_to(&mut bytes);
        debug_assert!(written.is_ok(), "memory takes all");
        bytes
    }
}

impl<'a> From<&'a [u8]> for Content<'a> {
    fn from(bytes: &'a [u8]) -> Self {
        Content::new(|pieces| pieces.put_bytes(bytes))
    }
}

impl<'a, const N: usize> From<&'a [u8; N]> for Content<'a> {
    fn from(bytes: &'a [u8; N]) -> Self {
        Content::from(bytes.as_slice())
    }
}

impl<'a> From<&'a Vec<u8>> for Content<'a> {
    fn from(bytes: &'a Vec<u8>) -> Self {
        Content::from(bytes.as_slice())
    }
}

impl From<Vec<u8>> for Content<'_> {
    fn from(bytes: Vec<u8>) -> Self {
        Content::new(move |pieces| pieces.put_bytes(&bytes))
    }
}

/// Takes content on its way out.
pub(crate) struct Pieces<'a> {
    piece: Vec<u8>,
    out: &'a mut dyn Write,
    /// \[bytes\]
    written: u64,
    /// The first error of `out`, after which nothing is written.
    result: io::Result<()>,
}

impl Pieces<'_> {
    /// Appends bytes; long ones are not copied.
    pub(crate) fn put_bytes(&mut self, bytes: &[u8]) {
        if bytes.len() < LENGTH {
            self.piece.extend_from_slice(bytes);
            self.write_if_full();
        } else {
            self.write_piece();
            self.write(bytes);
        }
    }

    /// Appends many tuples: the piece is checked for space once for many, not for each.
    pub(crate) fn put_each<T: Scalar, const N: usize>(
        &mut self,
        mut tuples: impl Iterator<Item = [T; N]>,
    ) {
        let length = N * size_of::<T>();
        loop {
            let (start, capacity) = (self.piece.len(), (LENGTH - self.piece.len()) / length);
            self.piece.resize(start + capacity * length, 0);
            let mut count = 0;
            for (place, tuple) in self.piece[start..].chunks_exact_mut(length).zip(&mut tuples) {
                let places = place.chunks_exact_mut(size_of::<T>());
                places.zip(tuple).for_each(|(place, value)| value.write(place));
                count += 1;
            }
            self.piece.truncate(start + count * length);
            if count < capacity {
                return;
            }
            self.write_piece();
        }
    }

    /// Appends numbers.
    #[inline]
    pub(crate) fn put<T: Scalar, const N: usize>(&mut self, values: [T; N]) {
        values.into_iter().for_each(|value| value.put(&mut self.piece));
        self.write_if_full();
    }

    #[inline]
    fn write_if_full(&mut self) {
        if self.piece.len() >= LENGTH {
            self.write_piece();
        }
    }

    #[cold]
    fn write_piece(&mut self) {
        let piece = std::mem::take(&mut self.piece);
        self.write(&piece);
        self.piece = piece;
        self.piece.clear();
    }

    fn write(&mut self, bytes: &[u8]) {
        if self.result.is_ok() {
            self.result = self.out.write_all(bytes);
            self.written += bytes.len() as u64;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Takes this number of bytes.
    struct Disk {
        free: usize,
        held: Vec<u8>,
    }

    impl Write for Disk {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let taken = bytes.len().min(self.free);
            self.free -= taken;
            self.held.extend_from_slice(&bytes[..taken]);
            if taken == 0 { Err(io::ErrorKind::StorageFull.into()) } else { Ok(taken) }
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    const COUNT: u32 = 100_000;

    fn write(free: usize) -> (io::Result<u64>, Vec<u8>) {
        let mut disk = Disk { free, held: Vec::new() };
        let content = Content::new(|pieces| {
            pieces.put_bytes(b"head");
            pieces.put_bytes(&vec![7; 3 * LENGTH]);
            (0..COUNT).for_each(|k| pieces.put([k, k + 1]));
        });
        (content.write_to(&mut disk), disk.held)
    }

    #[test]
    fn all_bytes_arrive_in_their_order() {
        let (length, bytes) = write(usize::MAX);
        let numbers = (0..COUNT).flat_map(|k| [k, k + 1]).flat_map(u32::to_le_bytes);
        let expected: Vec<u8> =
            b"head".iter().copied().chain(vec![7; 3 * LENGTH]).chain(numbers).collect();
        assert_eq!(length.unwrap(), expected.len() as u64);
        assert!(bytes == expected);
    }

    #[test]
    fn the_first_error_is_told_and_nothing_is_written_after_it() {
        for free in [0, 5, LENGTH, 4 * LENGTH] {
            let (length, bytes) = write(free);
            assert_eq!(length.unwrap_err().kind(), io::ErrorKind::StorageFull);
            assert_eq!(bytes.len(), free);
        }
    }
}
