//! The data of an array in VTK's XML files: a header of lengths, and bytes that may be compressed
//! in blocks; all of it perhaps as base64.
//!
//! Uncompressed, the header is the length of the data. Compressed, it is the number of blocks, the
//! size of a block, the size of the last if that is not whole (else 0), and each block's compressed
//! size; then come the blocks. Source: *VTK File Formats* (Kitware), and vtkXMLDataParser.

use super::error::Problem;
use super::numbers::ByteOrder;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use std::borrow::Cow;
use std::io::Read;

/// Compressed data may unpack to this much in all, whatever the size of the file \[bytes\].
const FREE_SIZE: usize = 256 << 20;
/// Beyond that, data may be so many times as large as the file. A regular lattice with velocities
/// of zero is 8 times as large as zlib makes it, and 340 times as LZMA does; zeros alone are up to
/// 1000 and 7000 times as large.
const MAX_RATIO: usize = 400;

/// How much compressed data of a file may still be unpacked.
#[derive(Clone, Copy, Debug)]
pub(super) struct UnpackBudget {
    limit: usize,
    used: usize,
}

impl UnpackBudget {
    /// For a file of so many bytes.
    pub(super) fn of_file(length: usize) -> Self {
        UnpackBudget { limit: length.saturating_mul(MAX_RATIO).max(FREE_SIZE), used: 0 }
    }

    /// Takes the size of some data, before these are unpacked.
    pub(super) fn take(&mut self, size: usize) -> Result<(), Problem> {
        self.used = self.used.saturating_add(size);
        match self.used > self.limit {
            true => Err(Problem::TooLarge { unpacked: self.used, ratio: MAX_RATIO }),
            false => Ok(()),
        }
    }

    /// The most that data of unknown size may unpack to.
    pub(super) fn left(&self) -> usize {
        self.limit - self.used
    }
}

/// LZ4 makes at the most this much of a byte.
const LZ4_RATIO: usize = 255;
/// Memory that LZMA may take; the strongest setting needs 65 MiB \[KiB\].
const LZMA_MEMORY: u32 = 256 << 10;

/// How the blocks of a file are compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Compression {
    None,
    Zlib,
    Lz4,
    Lzma,
}

/// How arrays are packed; one way for a whole file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Packing {
    pub(super) order: ByteOrder,
    /// Bytes of a number in a header: 4 or 8.
    pub(super) header_size: usize,
    pub(super) compression: Compression,
}

/// Decodes base64. Header and data are encoded one by one, so that padding may also stand inside.
pub(super) fn from_base64(text: &[u8]) -> Result<Vec<u8>, String> {
    let digits: Vec<u8> = text.iter().copied().filter(|c| !c.is_ascii_whitespace()).collect();
    let mut bytes = Vec::with_capacity(digits.len() / 4 * 3);
    let goes_on = |a: &u8, b: &u8| *a != b'=' || *b == b'=';
    for part in digits.chunk_by(goes_on) {
        STANDARD.decode_vec(part, &mut bytes).map_err(|error| format!("in base64: {error}"))?;
    }
    Ok(bytes)
}

impl Packing {
    /// Unpacks the data at the start of `packed`, which must be `expected` bytes long.
    pub(super) fn unpack<'a>(
        &self,
        packed: &'a [u8],
        expected: usize,
    ) -> Result<Cow<'a, [u8]>, String> {
        if expected == 0 {
            return Ok(Cow::Borrowed(&[]));
        }
        let header = |k: usize| self.header(packed, k);
        if self.compression == Compression::None {
            same_length(header(0)?, expected)?;
            return part(packed, self.header_size, expected).map(Cow::Borrowed);
        }
        let (blocks, size, last) = (header(0)?, header(1)?, header(2)?);
        let whole = blocks.checked_sub(usize::from(last > 0));
        let length = whole.and_then(|whole| whole.checked_mul(size)?.checked_add(last));
        same_length(length.ok_or("the number of blocks makes no sense")?, expected)?;
        let mut at = blocks.saturating_add(3).saturating_mul(self.header_size);
        let mut bytes = Vec::new();
        for block in 0..blocks {
            let compressed = part(packed, at, header(3 + block)?)?;
            at += compressed.len();
            let size = if block + 1 == blocks && last > 0 { last } else { size };
            self.compression.expand(compressed, size, &mut bytes)?;
        }
        Ok(Cow::Owned(bytes))
    }

    /// The `k`-th number of a header.
    fn header(&self, packed: &[u8], k: usize) -> Result<usize, String> {
        let bytes = part(packed, k.saturating_mul(self.header_size), self.header_size)?;
        let push = |number: u64, &byte: &u8| number << 8 | u64::from(byte);
        let number = match self.order {
            ByteOrder::Little => bytes.iter().rev().fold(0, push),
            ByteOrder::Big => bytes.iter().fold(0, push),
        };
        usize::try_from(number).map_err(|error| error.to_string())
    }
}

impl Compression {
    /// Appends a block of `size` bytes.
    fn expand(self, block: &[u8], size: usize, bytes: &mut Vec<u8>) -> Result<(), String> {
        let start = bytes.len();
        // A byte more than it should be, to see when it is too long.
        let limit = size as u64 + 1;
        let read = match self {
            Compression::None => block.take(limit).read_to_end(bytes),
            Compression::Zlib => {
                flate2::read::ZlibDecoder::new(block).take(limit).read_to_end(bytes)
            }
            Compression::Lzma => lzma_rust2::XzReader::new_mem_limit(block, false, LZMA_MEMORY)
                .take(limit)
                .read_to_end(bytes),
            Compression::Lz4 => {
                if size > block.len().saturating_mul(LZ4_RATIO) {
                    return Err(format!("{} bytes cannot hold {size}", block.len()));
                }
                bytes.resize(start + size, 0);
                let read = lz4_flex::block::decompress_into(block, &mut bytes[start..]);
                read.map_err(std::io::Error::other)
            }
        };
        same_length(read.map_err(|error| error.to_string())?, size)
    }
}

/// A part of the data.
fn part(bytes: &[u8], start: usize, length: usize) -> Result<&[u8], String> {
    let end = start.checked_add(length).filter(|&end| end <= bytes.len());
    let end = end.ok_or_else(|| {
        let left = bytes.len().saturating_sub(start);
        format!("{length} bytes are needed, {left} are left")
    })?;
    Ok(&bytes[start..end])
}

fn same_length(found: usize, expected: usize) -> Result<(), String> {
    match found == expected {
        true => Ok(()),
        false => Err(format!("it should be {expected} bytes long, not {found}")),
    }
}
