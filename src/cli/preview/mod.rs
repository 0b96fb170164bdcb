//! `sim preview`: images, films and a page of a run.

mod command;
mod draw;
mod ffmpeg;
mod films;
mod job;
mod make;
pub mod memory;
mod own_folder;
mod subject;
mod target;

pub use command::{after_run, preview};
pub use draw::{Thumbnail, thumbnails};
