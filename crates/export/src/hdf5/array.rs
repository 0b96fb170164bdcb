//! An array that grows by rows and is written in chunks, each shuffled and deflated.
//!
//! Shuffling puts the first bytes of all numbers together, then the second: signs and exponents,
//! which are alike, stand beside each other and compress. Chunks are compressed on all threads; as
//! they do not depend on each other, the bytes are the same for any number of them.

use super::chunk_tree::{self, Chunk};
use super::file::File;
use super::messages::{self, Message, NumberType};
use crate::format::Target;
use flate2::Compression;
use flate2::write::ZlibEncoder;
use hashfall_core::parallel::{chunks, map_parts};
use std::io::{self, Write};

/// Limits of a chunk's rows.
const MIN_ROWS: usize = 64;
const MAX_ROWS: usize = 1 << 16;

/// An array that grows.
pub struct GrowingArray {
    kind: NumberType,
    /// Numbers in a row; `None` for an array of one axis.
    width: Option<usize>,
    /// Rows in a chunk.
    chunk_rows: usize,
    /// Effort of compression; 0 is none.
    level: u32,
    /// Rows so far.
    rows: u64,
    /// Rows that make no whole chunk yet, as bytes.
    rest: Vec<u8>,
    chunks: Vec<Chunk>,
}

impl GrowingArray {
    /// An array of tuples of `width` numbers, or of numbers, of which about `rows` come at a time.
    pub fn new(kind: NumberType, width: Option<usize>, rows: usize, level: u32) -> GrowingArray {
        let chunk_rows = rows.next_power_of_two().clamp(MIN_ROWS, MAX_ROWS);
        let (rest, chunks) = (Vec::new(), Vec::new());
        GrowingArray { kind, width, chunk_rows, level, rows: 0, rest, chunks }
    }

    /// Rows so far.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// Bytes of a row.
    pub fn row_size(&self) -> usize {
        self.kind.size() * self.width.unwrap_or(1)
    }

    /// Appends rows, as bytes in little-endian order.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn append(
        &mut self,
        bytes: &[u8],
        file: &mut File,
        target: &mut dyn Target,
    ) -> io::Result<()> {
        self.rows += (bytes.len() / self.row_size()) as u64;
        self.rest.extend_from_slice(bytes);
        let chunk_size = self.chunk_rows * self.row_size();
        let whole = self.rest.len() / chunk_size * chunk_size;
        if whole == 0 {
            return Ok(());
        }
        let pieces = chunks(&self.rest[..whole], chunk_size);
        let packed = map_parts(pieces, |_, chunk| self.pack(chunk));
        self.rest.drain(..whole);
        self.write(&packed, file, target)
    }

    /// Writes chunks that are packed.
    fn write(
        &mut self,
        packed: &[Vec<u8>],
        file: &mut File,
        target: &mut dyn Target,
    ) -> io::Result<()> {
        for chunk in packed {
            let address = file.append(chunk, target)?;
            self.chunks.push((address, chunk.len() as u32));
        }
        Ok(())
    }

    /// A chunk as it is stored.
    fn pack(&self, chunk: &[u8]) -> Vec<u8> {
        if self.level == 0 {
            return chunk.to_vec();
        }
        let size = self.kind.size();
        let byte = |k: usize| chunk.iter().skip(k).step_by(size).copied();
        let shuffled: Vec<u8> = (0..size).flat_map(byte).collect();
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::new(self.level));
        // Writing to memory does not fail.
        let _ = encoder.write_all(&shuffled);
        encoder.finish().unwrap_or_default()
    }

    /// Writes the last chunk and the index; returns the messages of the array's header.
    pub(super) fn finish(
        mut self,
        file: &mut File,
        target: &mut dyn Target,
    ) -> io::Result<Vec<Message>> {
        if !self.rest.is_empty() {
            let mut last = std::mem::take(&mut self.rest);
            last.resize(self.chunk_rows * self.row_size(), 0);
            let packed = [self.pack(&last)];
            self.write(&packed, file, target)?;
        }
        let width = self.width.map(|width| width as u64);
        let shape: Vec<u64> = [self.rows].into_iter().chain(width).collect();
        let chunk: Vec<u64> = [self.chunk_rows as u64].into_iter().chain(width).collect();
        let (rows, start) = (self.chunk_rows as u64, file.position());
        let (nodes, root) = chunk_tree::nodes(&self.chunks, rows, shape.len(), start);
        file.append(&nodes, target)?;
        let mut messages = vec![
            messages::dataspace(&shape, true),
            messages::datatype(self.kind),
            messages::fill_value(),
            messages::chunked_layout(root, &chunk, self.kind),
        ];
        if self.level > 0 {
            messages.push(messages::filters(self.kind, self.level));
        }
        Ok(messages)
    }
}
