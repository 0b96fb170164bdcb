//! The JSON Schema (draft 2020-12) of a scene, generated from the types of the model.
//!
//! Variants such as `Box(min: …)` are objects with one key, `{"Box": {"min": …}}`, or strings if
//! they hold nothing; an omitted key and `None` mean the same as in RON. Bounds that depend on
//! other values are not part of it: `sim check` reports those.

use crate::model::Model;
use schemars::Schema;
use schemars::generate::SchemaSettings;
use schemars::transform::{Transform, transform_subschemas};
use serde_json::Value;
use std::sync::OnceLock;

/// The schema of a scene.
pub fn json() -> Value {
    let settings = SchemaSettings::draft2020_12().with_transform(Plain);
    settings.into_generator().into_root_schema_for::<Model>().to_value()
}

/// The schema for editors and for programs that check scenes in JSON: it knows the key by which a
/// file names it, and tells editors of the comments and last commas that this program takes.
pub fn for_editors() -> Value {
    let mut schema = json();
    schema["properties"]["$schema"] = serde_json::json!({
        "type": "string",
        "description": "Where editors find this schema; it means nothing to the simulation.",
    });
    schema["allowComments"] = true.into();
    schema["allowTrailingCommas"] = true.into();
    schema
}

/// The schema of a scene, generated once.
pub fn cached() -> &'static Value {
    static SCHEMA: OnceLock<Value> = OnceLock::new();
    SCHEMA.get_or_init(json)
}

/// Makes descriptions of doc comments, and leaves out the widths of numbers in memory.
#[derive(Clone, Debug)]
struct Plain;

impl Transform for Plain {
    fn transform(&mut self, schema: &mut Schema) {
        transform_subschemas(self, schema);
        schema.remove("format");
        if let Some(Value::String(description)) = schema.get_mut("description") {
            *description = plain(description);
        }
    }
}

/// A doc comment without what only rustdoc reads.
fn plain(comment: &str) -> String {
    let line = comment.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut text = String::with_capacity(line.len());
    let mut rest = line.as_str();
    // Of a link, `[text](target)` or `[text]`, the text stays.
    while let Some(at) = rest.find(['[', '\\']) {
        text += &rest[..at];
        rest = &rest[at..];
        if let Some(escaped) = rest.strip_prefix('\\') {
            let length = escaped.chars().next().map_or(0, char::len_utf8);
            text += &escaped[..length];
            rest = &escaped[length..];
        } else {
            let (link, after) = rest[1..].split_once(']').unwrap_or((&rest[1..], ""));
            text += link.trim_matches('`');
            rest = match after.strip_prefix('(').and_then(|target| target.split_once(')')) {
                Some((_, after)) => after,
                None => after,
            };
        }
    }
    text + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comment_becomes_prose() {
        let comment = "How far kernels\nmay be [stretched](SurfaceSettings::anisotropy) by \
                       [`Mueller`] \\[m\\].";
        assert_eq!(plain(comment), "How far kernels may be stretched by Mueller [m].");
        assert_eq!(plain("`None` for none."), "`None` for none.");
    }
}
