//! Files: those that other programs write and `sim` reads, those that it writes, the shipped meshes,
//! and the sources of the project.

#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod meshes;
mod output;
mod readers;
mod surface_files;
mod tidy;
