//! Steps through a JSON Schema: references, optional values and variants.

use serde_json::Value;

/// The name of the definition that a schema refers to.
pub fn reference(schema: &Value) -> Option<&str> {
    schema["$ref"].as_str()?.strip_prefix("#/$defs/")
}

/// The schema of an optional value other than `None`, where the schema is a choice of the two.
pub fn optional(schema: &Value) -> Option<&Value> {
    schema["anyOf"].as_array()?.iter().find(|one| one["type"] != "null")
}

/// The schema that describes a value: references are followed, `None` is left aside.
pub fn resolved<'a>(root: &'a Value, schema: &'a Value) -> &'a Value {
    if let Some(name) = reference(schema) {
        return resolved(root, &root["$defs"][name]);
    }
    match optional(schema) {
        Some(some) => resolved(root, some),
        None => schema,
    }
}

/// The JSON type of a value other than `None`.
pub fn kind_of(schema: &Value) -> &str {
    match &schema["type"] {
        Value::Array(types) => types.iter().filter_map(Value::as_str).find(|one| *one != "null"),
        one => one.as_str(),
    }
    .unwrap_or_default()
}

/// The variants of an enum, each with the schema of its content, if it has any.
pub fn kinds(schema: &Value) -> impl Iterator<Item = (&str, Option<&Value>)> {
    schema["oneOf"].as_array().into_iter().flatten().flat_map(one_kind)
}

/// The variants that one part of an enum allows: one with content, or several without.
pub fn one_kind(one: &Value) -> impl Iterator<Item = (&str, Option<&Value>)> {
    let bare = one["enum"].as_array().into_iter().flatten().chain(one.get("const"));
    let bare = bare.filter_map(Value::as_str).map(|name| (name, None));
    let full = one["properties"].as_object().into_iter().flatten();
    bare.chain(full.map(|(name, inner)| (name.as_str(), Some(inner))))
}

/// The number among the choices of a value that is a name, a text or a number; else the schema
/// itself.
pub fn number_of(schema: &Value) -> &Value {
    let mut choices = schema["oneOf"].as_array().into_iter().flatten();
    choices.find(|one| matches!(kind_of(one), "number" | "integer")).unwrap_or(schema)
}

/// A description without its unit, and the unit: `Mass [kg].` gives `Mass.` and `kg`.
pub fn unit_of(description: &str) -> (String, Option<String>) {
    let split = description.split_once(" [").and_then(|(before, rest)| {
        let (unit, after) = rest.split_once(']')?;
        Some((format!("{before}{after}"), unit))
    });
    match split {
        Some((meaning, unit)) => (meaning, Some(unit.to_owned()).filter(|unit| unit != "–")),
        None => (description.to_owned(), None),
    }
}
