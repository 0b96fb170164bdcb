//! From a text, with its overrides, to a [`Model`](crate::model::Model).

mod brackets;
mod document;
mod explain;
mod fault;
mod overrides;
mod parser;
mod read;
mod refused;

pub use document::Document;
pub use parser::{parse, write};
pub use read::read;
