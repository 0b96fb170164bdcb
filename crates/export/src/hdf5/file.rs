//! A file that grows.

use super::lookup3::lookup3;
use super::messages::UNDEFINED;
use crate::format::Target;
use std::io;

/// The length of the superblock \[bytes\].
const SUPERBLOCK: u64 = 48;

/// A file that grows.
pub struct File {
    name: String,
    position: u64,
}

impl File {
    /// A file of this name.
    pub fn new(name: String) -> File {
        File { name, position: 0 }
    }

    /// Where the next bytes will stand.
    pub(super) fn position(&self) -> u64 {
        self.position.max(SUPERBLOCK)
    }

    /// Appends bytes; returns their address.
    pub(super) fn append(&mut self, bytes: &[u8], target: &mut dyn Target) -> io::Result<u64> {
        if self.position == 0 {
            target.append(&self.name, &[0; SUPERBLOCK as usize])?;
            self.position = SUPERBLOCK;
        }
        let address = self.position;
        target.append(&self.name, bytes)?;
        self.position += bytes.len() as u64;
        Ok(address)
    }

    /// Ends the file, whose root has its header at this address.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn complete(self, root: u64, target: &mut dyn Target) -> io::Result<()> {
        // Version 2, offsets and lengths of 8 bytes.
        let mut head = b"\x89HDF\r\n\x1a\n\x02\x08\x08\x00".to_vec();
        for address in [0, UNDEFINED, self.position, root] {
            head.extend(address.to_le_bytes());
        }
        head.extend(lookup3(&head).to_le_bytes());
        target.complete(&self.name, &head)
    }
}
