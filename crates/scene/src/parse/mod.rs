//! Parses a text and its overrides into a [`Model`](crate::model::Model).

mod brackets;
mod document;
mod explain;
mod guess;
mod habits;
mod overrides;
mod parser;
mod read;
mod refused;
mod renamed_keys;
mod text_error;

pub use document::Document;
pub use parser::{parse, write};
pub use read::{ReadScene, read};
