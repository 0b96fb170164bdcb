//! Kinds of files in RON that this crate can read with located errors.

use crate::model::Model;
use serde::de::DeserializeOwned;

/// A kind of file in RON.
pub trait Document: DeserializeOwned {
    /// What such a file is called, and holds one of.
    const KIND: &'static str;
    /// How one is written, and where an example stands.
    const SYNTAX: &'static str;
    /// What the key at a path holds, in a few words; `None` for an unknown key.
    fn describe_key(path: &str) -> Option<String>;
    /// Where a key of this name may stand instead, as paths; none by default.
    fn places(_name: &str) -> Vec<String> {
        Vec::new()
    }
}

impl Document for Model {
    const KIND: &'static str = "scene";
    const SYNTAX: &'static str =
        "a scene is written Scene( … ); scenes/dam_break.ron is one to begin with";

    fn describe_key(path: &str) -> Option<String> {
        crate::schema::describe_key(path)
    }

    fn places(name: &str) -> Vec<String> {
        crate::schema::places(name)
    }
}
