//! What a run leaves on disk: frames that other programs' readers take in, and a folder that
//! holds a whole run or the user's own files, never a mixture or a part.

#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod bgeo;
mod blob;
mod checkpoint;
mod folder;
mod frame_files;
mod records;
