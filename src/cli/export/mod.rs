//! `sim export`: reads the frames of a run one by one, and hands them to the writers of formats.

mod command;
mod error;
mod files;
mod folder;
mod labels;
mod read;
mod source;

pub use command::export;
