//! The schema as a list of key paths, each with type, unit, bounds, default and description.
//!
//! Paths are those of `--set`, without indices and variants, so that keys of several variants may
//! share one. Keys that are equal in all else are one entry.

use super::json::json;
use super::navigate::{
    kind_of, kinds, number_of, one_kind, optional, reference, resolved, unit_of,
};
use super::renamed::RenamedKey;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// A key.
#[derive(Clone, Debug, PartialEq)]
pub struct Key {
    /// Such as `fluids.shapes.min`.
    pub path: String,
    /// The kinds that have it, each as the kinds on the way to it: `SphereField`, `Random`.
    pub kinds: Vec<Vec<String>>,
    /// What it holds, such as `number`.
    pub value_type: String,
    /// Its unit, if it has one.
    pub unit: Option<String>,
    /// The bounds of its numbers, if it has any: `from 0 to 1`.
    pub bounds: Option<String>,
    /// The default, as RON; none if the key is required.
    pub default: Option<String>,
    /// What it is.
    pub description: String,
    /// The kinds that it may be, each with what that is.
    pub choices: Vec<(String, String)>,
    /// Where the keys under it are told already.
    pub described_at: Option<String>,
    /// Whether it is one of those.
    pub is_repeated: bool,
}

/// Every key, in the order of the model.
pub fn keys() -> Vec<Key> {
    let root = json();
    let mut walk =
        Walk { root: &root, first: BTreeMap::new(), within: Vec::new(), keys: Vec::new() };
    walk.content(&root, &Place::default());
    walk.keys
}

/// The keys at and under a path, whose indices do not count and whose kinds do: `solver`,
/// `solids[0].Mesh.scale`; or of a kind alone: `Mesh`; or else all keys of that name.
pub fn part<'a>(keys: &'a [Key], path: &str) -> Vec<&'a Key> {
    let plain: String =
        path.split_inclusive(']').map(|part| part.split('[').next().unwrap_or(part)).collect();
    let plain = match RenamedKey::find_path(&plain) {
        Some(key) => format!("{}.{}", key.parent, key.new),
        None => plain,
    };
    let is_kind = |name: &&str| name.starts_with(|c: char| c.is_ascii_uppercase());
    let (kinds, names): (Vec<&str>, Vec<&str>) = plain.split('.').partition(is_kind);
    let wanted = names.join(".");
    let is_of = |key: &&Key| {
        let has = |way: &Vec<String>| kinds.iter().all(|kind| way.iter().any(|name| name == kind));
        kinds.is_empty() || key.kinds.iter().any(has)
    };
    if names.is_empty() {
        return keys.iter().filter(is_of).collect();
    }
    let is_at = |key: &Key, path: &str| {
        key.path.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    let is_called = |key: &&Key| key.path.rsplit('.').next() == Some(&wanted);
    let mut heads: Vec<&Key> =
        keys.iter().filter(is_of).filter(|key| is_at(key, &wanted)).collect();
    if heads.is_empty() {
        heads = keys.iter().filter(is_of).filter(is_called).collect();
    }
    let is_under = |key: &&Key| heads.iter().any(|head| is_at(key, &head.path));
    keys.iter().filter(is_of).filter(is_under).collect()
}

/// Where the walk is.
#[derive(Clone, Debug, Default)]
struct Place {
    path: String,
    kinds: Vec<String>,
    is_repeated: bool,
}

/// A walk over the schema.
struct Walk<'a> {
    root: &'a Value,
    /// Where each named part was met first.
    first: BTreeMap<String, String>,
    /// The named parts that the walk is in: one that holds itself is not walked through again.
    within: Vec<&'a str>,
    keys: Vec<Key>,
}

impl<'a> Walk<'a> {
    fn resolved(&self, schema: &'a Value) -> &'a Value {
        resolved(self.root, schema)
    }

    /// The keys that are under a value.
    fn content(&mut self, schema: &'a Value, place: &Place) {
        let named = reference(optional(schema).unwrap_or(schema));
        if named.is_some_and(|named| self.within.contains(&named)) {
            return;
        }
        self.within.extend(named);
        self.keys_of(self.resolved(schema), place);
        if named.is_some() {
            self.within.pop();
        }
    }

    /// The keys of an object, of the kinds of a value, or of the items of a list.
    fn keys_of(&mut self, schema: &'a Value, place: &Place) {
        if let Some(properties) = schema["properties"].as_object() {
            for (name, property) in properties {
                self.key(schema, name, property, place);
            }
        }
        for (kind, inner) in kinds(schema) {
            let Some(inner) = inner else { continue };
            let kinds = place.kinds.iter().cloned().chain([kind.to_owned()]).collect();
            self.content(inner, &Place { kinds, ..place.clone() });
        }
        if let Some(items) = schema.get("items") {
            self.content(items, place);
        }
    }

    /// A key and those under it.
    fn key(&mut self, object: &Value, name: &str, schema: &'a Value, place: &Place) {
        let prefix = if place.path.is_empty() { "" } else { "." };
        let path = format!("{}{prefix}{name}", place.path);
        let named = reference(optional(schema).unwrap_or(schema));
        let described_at = named.and_then(|named| self.first.get(named)).filter(|at| **at != path);
        let described_at = described_at.filter(|_| self.has_keys(schema)).cloned();
        if let Some(named) = named {
            self.first.entry(named.to_owned()).or_insert_with(|| path.clone());
        }
        let (description, unit) = unit_of(schema["description"].as_str().unwrap_or_default());
        let required = object["required"].as_array().is_some_and(|all| all.contains(&name.into()));
        let default = (!required).then(|| schema.get("default").unwrap_or(&Value::Null));
        let key = Key {
            kinds: vec![place.kinds.clone()],
            value_type: self.value_type(schema),
            unit,
            bounds: self.bounds(schema),
            default: default.map(|default| self.ron(default, schema)),
            description,
            choices: self.choices(schema),
            described_at,
            is_repeated: place.is_repeated,
            path: path.clone(),
        };
        let is_repeated = place.is_repeated || key.described_at.is_some();
        let is_same =
            |other: &&mut Key| Key { kinds: key.kinds.clone(), ..(**other).clone() } == key;
        match self.keys.iter_mut().find(is_same) {
            Some(other) => {
                other.kinds.extend(key.kinds);
                other.kinds.dedup();
            }
            None => self.keys.push(key),
        }
        self.content(schema, &Place { path, kinds: Vec::new(), is_repeated });
    }

    /// Whether there are keys under a value.
    fn has_keys(&self, schema: &'a Value) -> bool {
        let schema = self.resolved(schema);
        schema["properties"].is_object() || kinds(schema).any(|(_, inner)| inner.is_some())
    }

    /// What a value is, in a few words.
    fn value_type(&self, schema: &'a Value) -> String {
        let or_none = if is_optional(schema) { " or None" } else { "" };
        let schema = self.resolved(schema);
        let names: Vec<String> = self.choices(schema).into_iter().map(|(name, _)| name).collect();
        if !names.is_empty() {
            return names.join(" | ") + if or_none.is_empty() { "" } else { " | None" };
        }
        let array = |items: &[&'a Value]| {
            let items: Vec<String> = items.iter().map(|item| self.value_type(item)).collect();
            format!("({})", items.join(", "))
        };
        let what = match kind_of(schema) {
            "integer" => "whole number".to_owned(),
            "boolean" => "true or false".to_owned(),
            "string" => "text".to_owned(),
            "array" => match (schema["prefixItems"].as_array(), schema["maxItems"].as_u64()) {
                (Some(items), _) => array(&items.iter().collect::<Vec<_>>()),
                (None, Some(count)) if schema["minItems"] == count => {
                    array(&vec![&schema["items"]; count as usize])
                }
                _ => format!("[{}, …]", self.value_type(&schema["items"])),
            },
            "object" => {
                let required = schema["required"].as_array();
                let required = required.into_iter().flatten().filter_map(Value::as_str);
                let mut keys: Vec<String> = required.map(|key| format!("{key}: …")).collect();
                let all = schema["properties"].as_object().map_or(0, Map::len);
                keys.extend((keys.len() < all).then(|| "…".to_owned()));
                format!("({})", keys.join(", "))
            }
            other => other.to_owned(),
        };
        what + or_none
    }

    /// The kinds that a value may be.
    fn choices(&self, schema: &'a Value) -> Vec<(String, String)> {
        let of_kind = |(kind, inner): (&str, Option<&'a Value>)| {
            let Some(inner) = inner else { return vec![(kind.to_owned(), String::new())] };
            let inner = self.resolved(inner);
            let nested = self.choices(inner);
            if !nested.is_empty() {
                let within = |(name, what)| (format!("{kind}({name})"), what);
                return nested.into_iter().map(within).collect();
            }
            let holds = if kind_of(inner) == "array" { "[…]" } else { "…" };
            vec![(format!("{kind}({holds})"), String::new())]
        };
        let schema = self.resolved(schema);
        let all = schema["oneOf"].as_array().into_iter().flatten();
        let kinds = all.flat_map(|one| {
            let what = one["description"].as_str().unwrap_or_default();
            let described = |(name, inner): (String, String)| {
                (name, if inner.is_empty() { what.to_owned() } else { inner })
            };
            // A number, a text or a vector beside names is no kind, but a choice.
            let value = is_value(one).then(|| (self.value_type(one), String::new()));
            one_kind(one).flat_map(of_kind).chain(value).map(described).collect::<Vec<_>>()
        });
        kinds.collect()
    }

    /// The bounds of a number, or of each number of a vector.
    fn bounds(&self, schema: &'a Value) -> Option<String> {
        let schema = self.resolved(schema);
        let number = number_of(schema);
        let schema = match kind_of(number) {
            "array" => self.resolved(&number["items"]),
            _ => number,
        };
        let bound = |name: &str| schema.get(name).filter(|bound| bound.is_number());
        match (bound("minimum"), bound("maximum")) {
            (Some(least), Some(most)) => Some(format!("from {} to {}", brief(least), brief(most))),
            (Some(least), None) => Some(format!("from {} up", brief(least))),
            (None, Some(most)) => Some(format!("up to {}", brief(most))),
            (None, None) => None,
        }
    }

    /// A default as a scene has it; a group of defaults is `()`.
    fn ron(&self, value: &Value, schema: &'a Value) -> String {
        let schema = self.resolved(schema);
        match value {
            Value::Null => "None".to_owned(),
            Value::String(name) if schema["oneOf"].is_array() => name.clone(),
            Value::Array(items) => {
                let items = items.iter().map(|item| self.ron(item, &schema["items"]));
                let items = items.collect::<Vec<_>>().join(", ");
                let is_list =
                    schema["minItems"] != schema["maxItems"] || schema["maxItems"].is_null();
                if is_list { format!("[{items}]") } else { format!("({items})") }
            }
            Value::Object(object) => match object.iter().next() {
                Some((kind, inner)) if schema["oneOf"].is_array() => {
                    let of_kind = kinds(schema).find(|(name, _)| name == kind);
                    let schema = of_kind.and_then(|(_, inner)| inner).unwrap_or(&Value::Null);
                    format!("{kind}{}", self.ron(inner, schema))
                }
                _ => self.group(object, &schema["properties"]),
            },
            other => other.to_string(),
        }
    }

    /// The keys of a group that are not as by default.
    fn group(&self, group: &Map<String, Value>, properties: &'a Value) -> String {
        let other = group.iter().filter(|(key, value)| properties[key]["default"] != **value);
        let keys =
            other.map(|(key, value)| format!("{key}: {}", self.ron(value, &properties[key])));
        format!("({})", keys.collect::<Vec<_>>().join(", "))
    }
}

fn is_optional(schema: &Value) -> bool {
    let has_null = |types: &Vec<Value>| types.contains(&"null".into());
    optional(schema).is_some() || schema["type"].as_array().is_some_and(has_null)
}

/// Whether it is any number, any text or any vector.
fn is_value(schema: &Value) -> bool {
    let is_name = schema.get("const").is_some() || schema.get("enum").is_some();
    !is_name && matches!(kind_of(schema), "number" | "integer" | "string" | "array")
}

/// A bound as people write it.
fn brief(bound: &Value) -> String {
    hashfall_core::format_significant(bound.as_f64().unwrap_or(f64::NAN), 9)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn only(path: &str) -> Key {
        let keys = keys();
        let found = part(&keys, path);
        assert_eq!(found.iter().filter(|key| key.path == path).count(), 1, "{path}: {found:?}");
        found[0].clone()
    }

    #[test]
    fn a_key_tells_type_unit_bounds_default_and_meaning() {
        let key = only("solver.shifting");
        assert_eq!((key.value_type.as_str(), key.unit), ("number", None));
        assert_eq!(key.kinds, [["Wcsph"]]);
        assert_eq!(key.bounds.as_deref(), Some("from 0 to 10"));
        assert_eq!(key.default.as_deref(), Some("1.0"));
        let key = only("gravity");
        assert_eq!(
            (key.value_type.as_str(), key.unit.as_deref()),
            ("(number, number, number)", Some("m/s²"))
        );
        assert_eq!(
            (key.default.as_deref(), &*key.description),
            (Some("(0.0, 0.0, -9.81)"), "Acceleration of gravity; z points up.")
        );
        let key = only("domain.min");
        assert_eq!((key.default, key.unit.as_deref()), (None, Some("m")));
    }

    #[test]
    fn a_key_that_holds_a_name_or_a_number_tells_both() {
        let key = only("limits.energy_gain");
        assert_eq!(key.value_type, "Auto | number | None");
        assert_eq!((key.default.as_deref(), key.unit.as_deref()), (Some("Auto"), Some("J")));
        assert_eq!(key.bounds.as_deref(), Some("from 0 to 1e30"));
        let choices: Vec<&str> = key.choices.iter().map(|(name, _)| &**name).collect();
        assert_eq!(choices, ["Auto", "number"]);
    }

    #[test]
    fn defaults_are_ron() {
        for (path, default) in [
            ("solver", "Dfsph()"),
            ("surface", "()"),
            ("checkpoints", "()"),
            ("kernel", "CubicSpline"),
            ("output.particles", "[Vtp]"),
            ("output.surface", "[Ply]"),
            ("domain.sides.x_min", "None"),
            ("domain.periodic", "(false, false, false)"),
            ("limits.outside", "0"),
        ] {
            assert_eq!(only(path).default.as_deref(), Some(default), "{path}");
        }
    }

    #[test]
    fn kinds_are_told_and_share_what_is_the_same() {
        let key = only("fluids.shapes.velocity");
        for kind in ["Box", "Ball", "Mesh", "Polygon", "Union", "Random"] {
            assert!(key.kinds.contains(&vec![kind.to_owned()]), "{kind}: {:?}", key.kinds);
        }
        let solids = only("solids");
        assert!(
            solids.value_type.starts_with("[SphereField(Random(…)) | SphereField(List([…])) | "),
            "{}",
            solids.value_type
        );
        let keys = keys();
        let of_mesh = part(&keys, "solids[3].Mesh.scale");
        assert_eq!(of_mesh.len(), 1);
        let paths: Vec<&str> = part(&keys, "viscosity").iter().map(|key| &*key.path).collect();
        assert_eq!(paths, ["fluids.viscosity"]);
        let of_kind = part(&keys, "Mesh");
        assert!(of_kind.iter().any(|key| key.path == "solids.path"));
        assert!(of_kind.iter().all(|key| key.kinds.concat().contains(&"Mesh".to_owned())));
        assert!(part(&keys, "colour").is_empty());
        let repeated = only("solids.contact.friction");
        assert!(repeated.is_repeated && !only("domain.contact.friction").is_repeated);
        assert_eq!(only("domain.sides.x_min").described_at.as_deref(), Some("domain.contact"));
    }
}
