//! Where keys and values stand in a RON text.

mod node;
mod path;
mod scan;

pub use node::{Content, Entry, Node};
pub use path::{Step, parse_path};
pub use scan::{is_blank, open_comment};
