//! Scenes in JSON: read into RON text of which every character knows its place in the JSON, and
//! RON written as JSON. All else reads RON alone.

mod read;
mod scan;
mod shape;
mod to_json;
mod to_ron;
mod tree;

pub use read::{json_value, scene_text};
pub use shape::Shape;
pub use to_json::to_json;
pub use tree::Fault;
