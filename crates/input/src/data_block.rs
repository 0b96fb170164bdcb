//! The data of an array in VTK's XML files: a header of lengths, and bytes that may be compressed
//! in blocks; both may be encoded in base64.
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
use std::num::TryFromIntError;
use thiserror::Error;

/// Total size to which compressed data may unpack, for any size of the file \[bytes\].
const FREE_SIZE: usize = 256 << 20;
/// Largest ratio of the data to the file, beyond that size. A regular lattice with velocities
/// of zero is 8 times as large as zlib makes it, and 340 times as LZMA does; zeros alone are up to
/// 1000 and 7000 times as large.
const MAX_RATIO: usize = 400;

/// Why data cannot be unpacked.
#[derive(Debug, Error)]
pub(super) enum UnpackError {
    /// Text that is not base64.
    #[error("invalid base64: {0}")]
    Base64(base64::DecodeError),
    /// A compressed block that its decoder refuses.
    #[error("{0}")]
    Block(#[from] std::io::Error),
    /// A number of the header that is too large for this machine.
    #[error("{0}")]
    Header(#[from] TryFromIntError),
    /// Data of another length than the array has.
    #[error("expected {expected} bytes, found {found}")]
    Length { expected: usize, found: usize },
    /// Data that ends before its header says.
    #[error("{needed} bytes are needed, {left} are left")]
    EndsEarly { needed: usize, left: usize },
    /// Numbers and sizes of blocks that no data has.
    #[error("implausible number of blocks")]
    Blocks,
    /// A block of LZ4 that cannot unpack to this size.
    #[error("{compressed} bytes cannot unpack to {size}")]
    Ratio { compressed: usize, size: usize },
    /// An array in a block at the end of the file that is not there.
    #[error("the file has no `AppendedData`")]
    NoAppendedData,
    /// An array that begins after the end of that block.
    #[error("its offset {offset} is beyond the {length} bytes of `AppendedData`")]
    Offset { offset: usize, length: usize },
}

/// How much compressed data of a file may still be unpacked.
#[derive(Clone, Copy, Debug)]
pub(super) struct UnpackBudget {
    limit: usize,
    used: usize,
}

impl UnpackBudget {
    /// The budget of a file of `length` bytes.
    pub(super) fn new(length: usize) -> Self {
        UnpackBudget { limit: length.saturating_mul(MAX_RATIO).max(FREE_SIZE), used: 0 }
    }

    /// Subtracts the size of some data, before they are unpacked.
    pub(super) fn take(&mut self, size: usize) -> Result<(), Problem> {
        self.used = self.used.saturating_add(size);
        match self.used > self.limit {
            true => Err(Problem::TooLarge { unpacked: self.used, ratio: MAX_RATIO }),
            false => Ok(()),
        }
    }

    /// The remaining budget \[bytes\].
    pub(super) fn left(&self) -> usize {
        self.limit - self.used
    }
}

/// Largest compression ratio of LZ4.
const LZ4_RATIO: usize = 255;
/// Memory limit of LZMA; the strongest setting needs 65 MiB \[KiB\].
const LZMA_MEMORY: u32 = 256 << 10;

/// How the blocks of a file are compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Compression {
    None,
    Zlib,
    Lz4,
    Lzma,
}

/// How the arrays of a file are encoded and compressed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Packing {
    pub(super) order: ByteOrder,
    /// Bytes of a number in a header: 4 or 8.
    pub(super) header_size: usize,
    pub(super) compression: Compression,
}

/// Decodes base64. Header and data are encoded one by one, so that padding may also stand inside.
pub(super) fn from_base64(text: &[u8]) -> Result<Vec<u8>, UnpackError> {
    let digits: Vec<u8> = text.iter().copied().filter(|c| !c.is_ascii_whitespace()).collect();
    let mut bytes = Vec::with_capacity(digits.len() / 4 * 3);
    let goes_on = |a: &u8, b: &u8| *a != b'=' || *b == b'=';
    for part in digits.chunk_by(goes_on) {
        STANDARD.decode_vec(part, &mut bytes).map_err(UnpackError::Base64)?;
    }
    Ok(bytes)
}

impl Packing {
    /// Unpacks the data at the start of `packed`, which must be `expected` bytes long.
    pub(super) fn unpack<'a>(
        &self,
        packed: &'a [u8],
        expected: usize,
    ) -> Result<Cow<'a, [u8]>, UnpackError> {
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
        same_length(length.ok_or(UnpackError::Blocks)?, expected)?;
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
    fn header(&self, packed: &[u8], k: usize) -> Result<usize, UnpackError> {
        let bytes = part(packed, k.saturating_mul(self.header_size), self.header_size)?;
        let push = |number: u64, &byte: &u8| number << 8 | u64::from(byte);
        let number = match self.order {
            ByteOrder::Little => bytes.iter().rev().fold(0, push),
            ByteOrder::Big => bytes.iter().fold(0, push),
        };
        Ok(usize::try_from(number)?)
    }
}

impl Compression {
    /// Appends a block of `size` bytes.
    fn expand(self, block: &[u8], size: usize, bytes: &mut Vec<u8>) -> Result<(), UnpackError> {
        let start = bytes.len();
        // One byte more, to notice a block that is too long.
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
                    return Err(UnpackError::Ratio { compressed: block.len(), size });
                }
                bytes.resize(start + size, 0);
                let read = lz4_flex::block::decompress_into(block, &mut bytes[start..]);
                read.map_err(std::io::Error::other)
            }
        };
        same_length(read?, size)
    }
}

/// A part of the data.
fn part(bytes: &[u8], start: usize, length: usize) -> Result<&[u8], UnpackError> {
    let end = start.checked_add(length).filter(|&end| end <= bytes.len());
    let left = bytes.len().saturating_sub(start);
    let end = end.ok_or(UnpackError::EndsEarly { needed: length, left })?;
    Ok(&bytes[start..end])
}

fn same_length(found: usize, expected: usize) -> Result<(), UnpackError> {
    match found == expected {
        true => Ok(()),
        false => Err(UnpackError::Length { expected, found }),
    }
}
