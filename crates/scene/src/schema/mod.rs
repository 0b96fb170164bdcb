//! The keys of a scene: as a JSON Schema, as a list, and described in words.

mod describe;
mod json;
mod key_list;
mod markdown;
pub mod navigate;
mod renamed;

pub use describe::{describe_key, is_key, places};
pub use json::{cached, for_editors, json};
pub use key_list::{Key, keys, part};
pub use markdown::markdown_table;
pub use renamed::RenamedKey;
