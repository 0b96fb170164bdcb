//! What a format is, what its writer does, and where its files go.

use super::frame::{Frame, FramePart, Run};
use std::io;

/// Settings of writers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// Effort of lossless compression, where a format has it: 0 none, 9 the most.
    pub level: u32,
    /// Bits of quantised numbers, which differ by their range / 2ᵇ at most; `None` keeps all.
    pub quantise: Option<u32>,
    /// Edge of a voxel \[m\].
    pub voxel: f64,
    /// Whether distances in voxels are of half precision.
    pub half: bool,
}

/// Takes what writers make; names are relative and have no folders.
pub trait Target {
    /// Writes a whole file.
    ///
    /// # Errors
    /// If it cannot be written.
    fn put(&mut self, name: &str, bytes: &[u8]) -> io::Result<()>;

    /// Appends to a file that grows, and begins it at the first call. It gets its name at the end.
    ///
    /// # Errors
    /// If it cannot be written.
    fn append(&mut self, name: &str, bytes: &[u8]) -> io::Result<()>;

    /// Replaces the first bytes of a file that grows, and ends it.
    ///
    /// # Errors
    /// If it cannot be written.
    fn complete(&mut self, name: &str, head: &[u8]) -> io::Result<()>;
}

/// A format of files.
pub trait Format: Sync {
    /// Its name on the command line, and of its folder.
    fn name(&self) -> &'static str;

    /// Parts that it writes.
    fn parts(&self) -> &'static [FramePart];

    /// Whether it can carry quantised numbers.
    fn quantises(&self) -> bool {
        false
    }

    /// Whether it is made of voxels.
    fn has_voxels(&self) -> bool {
        false
    }

    /// A writer of the frames of a run.
    fn writer(&self, run: &Run, options: &Options) -> Box<dyn Writer>;
}

/// Writes frames, which come one by one in ascending order.
pub trait Writer: Send {
    /// Adds a frame.
    ///
    /// # Errors
    /// If a file cannot be written.
    fn add(&mut self, frame: &Frame, target: &mut dyn Target) -> io::Result<()>;

    /// Writes what comes after the last frame.
    ///
    /// # Errors
    /// If a file cannot be written.
    fn finish(self: Box<Self>, target: &mut dyn Target) -> io::Result<()>;
}
