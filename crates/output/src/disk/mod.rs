//! Files on disk, and what can go wrong with them.

pub mod content;
pub(crate) mod file_error;
pub mod files;
pub mod machine;
