//! Ogawa, a container of groups and blocks of data.
//!
//! A block is its length and its bytes, a group the number of its children and where they are; of
//! blocks the highest bit of the place is set. What is empty is at 0. The file's head says where
//! the first group is, and that the file is whole.
//!
//! Source: Alembic 1.8.12, `lib/Alembic/Ogawa/OGroup.cpp` and `OArchive.cpp`.

use crate::format::Target;
use std::io;

/// The bit that tells data from groups, and a block of no bytes.
const IS_DATA: u64 = 1 << 63;
pub const EMPTY_DATA: u64 = IS_DATA;
/// A group without children.
pub const EMPTY_GROUP: u64 = 0;
/// The length of the head \[bytes\].
const HEAD: u64 = 16;

/// A file that grows.
pub struct Ogawa {
    name: String,
    position: u64,
}

impl Ogawa {
    /// A file of this name.
    pub fn new(name: &str) -> Ogawa {
        Ogawa { name: name.to_owned(), position: 0 }
    }

    /// Writes a block of these parts; returns its place.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn data(&mut self, parts: &[&[u8]], target: &mut dyn Target) -> io::Result<u64> {
        let length: usize = parts.iter().map(|part| part.len()).sum();
        if length == 0 {
            return Ok(EMPTY_DATA);
        }
        let place = self.append(&(length as u64).to_le_bytes(), target)?;
        for part in parts {
            self.append(part, target)?;
        }
        Ok(place | IS_DATA)
    }

    /// Writes a group of children at these places; returns its own.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn group(&mut self, children: &[u64], target: &mut dyn Target) -> io::Result<u64> {
        if children.is_empty() {
            return Ok(EMPTY_GROUP);
        }
        let mut bytes = (children.len() as u64).to_le_bytes().to_vec();
        children.iter().for_each(|child| bytes.extend(child.to_le_bytes()));
        self.append(&bytes, target)
    }

    /// Ends the file, whose first group is at a place.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn finish(self, root: u64, target: &mut dyn Target) -> io::Result<()> {
        // Whole, version 1.
        let mut head = b"Ogawa\xff\x00\x01".to_vec();
        head.extend(root.to_le_bytes());
        target.complete(&self.name, &head)
    }

    fn append(&mut self, bytes: &[u8], target: &mut dyn Target) -> io::Result<u64> {
        if self.position == 0 {
            target.append(&self.name, &[0; HEAD as usize])?;
            self.position = HEAD;
        }
        let place = self.position;
        target.append(&self.name, bytes)?;
        self.position += bytes.len() as u64;
        Ok(place)
    }
}
