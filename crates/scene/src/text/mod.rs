//! Texts that users type, and messages about them.

pub mod diagnostic;
pub mod foreign_names;
pub mod paint;
pub mod scene_text;
pub mod snippet;
pub mod source;
pub mod suggest;
