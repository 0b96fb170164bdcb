//! What a scene may hold, as a JSON Schema and as a list of keys.

mod describe;
mod json;
mod key_list;
pub mod navigate;
mod renamed;

pub use describe::describe_key;
pub use json::{cached, json};
pub use key_list::{Key, keys, part};
pub use renamed::RenamedKey;
