//! What the schema says of a value: JSON alone does not tell a name from a text, nor a list from a
//! vector, which RON writes with other brackets.

use crate::schema::{RenamedKey, cached, navigate};
use crate::spans::Step;
use crate::text::suggest::nearest;
use serde_json::Value;

/// What a value may be: the alternatives of its schema, references followed, `None` left aside.
#[derive(Clone, Debug, Default)]
pub struct Shape {
    options: Vec<&'static Value>,
}

impl Shape {
    /// The shape of a whole scene.
    pub fn scene() -> Shape {
        Shape::from_schema(cached())
    }

    fn from_schema(schema: &'static Value) -> Shape {
        let mut shape = Shape::default();
        shape.collect(schema);
        shape
    }

    fn collect(&mut self, schema: &'static Value) {
        if let Some(name) = navigate::reference(schema) {
            return self.collect(&cached()["$defs"][name]);
        }
        let choices = schema["anyOf"].as_array().or_else(|| schema["oneOf"].as_array());
        match choices {
            Some(choices) => choices.iter().for_each(|choice| self.collect(choice)),
            None if schema["type"] == "null" => {}
            None => self.options.push(schema),
        }
    }

    /// The shape of the value at a path, whose steps may leave names of variants out; of anything
    /// for a path that the schema does not have.
    pub fn at<'a>(self, steps: impl IntoIterator<Item = &'a Step>) -> Shape {
        steps.into_iter().fold(self, |shape, step| match step {
            Step::Key(name) if is_variant(name) => shape.variant(name),
            Step::Key(key) => shape.member_of_any(key),
            Step::Index(index) => shape.item(*index),
        })
    }

    /// The variants, each with the schema of its content, if it has any.
    fn variants(&self) -> impl Iterator<Item = (&'static str, Option<&'static Value>)> {
        let all = self.options.iter().flat_map(|option| navigate::one_kind(option));
        all.filter(|(name, inner)| inner.is_none() || is_variant(name))
    }

    /// The names of the variants.
    pub fn names(&self) -> Vec<&'static str> {
        self.variants().map(|(name, _)| name).collect()
    }

    /// Whether it is one of several variants that hold something.
    pub fn has_full_variants(&self) -> bool {
        self.variants().any(|(_, inner)| inner.is_some())
    }

    /// Whether a variant of this name holds nothing.
    pub fn is_unit(&self, name: &str) -> bool {
        self.variants().any(|(known, inner)| known == name && inner.is_none())
    }

    /// The shape of what a variant holds; for an unknown name that of the nearest.
    pub fn variant(&self, name: &str) -> Shape {
        let names = self.names();
        let known = match names.contains(&name) {
            true => Some(name),
            false => nearest(name, names.iter().copied()),
        };
        let mut found = self.variants().filter(|(other, _)| Some(*other) == known);
        found.find_map(|(_, inner)| inner).map(Shape::from_schema).unwrap_or_default()
    }

    /// The keys of it as a group.
    fn properties(&self) -> impl Iterator<Item = (&'static str, &'static Value)> {
        let objects = self.options.iter().filter_map(|option| option["properties"].as_object());
        let all = objects.flatten().map(|(key, schema)| (key.as_str(), schema));
        all.filter(|(key, _)| !is_variant(key))
    }

    /// Whether it is a group of keys.
    pub fn is_group(&self) -> bool {
        self.properties().next().is_some()
    }

    /// The keys of it as a group.
    pub fn keys(&self) -> Vec<&'static str> {
        self.properties().map(|(key, _)| key).collect()
    }

    /// The shape of a key's value; for an unknown key that of the nearest.
    pub fn member(&self, key: &str) -> Shape {
        let keys = self.keys();
        let meant = RenamedKey::new_name(key).filter(|new| keys.contains(new));
        let known = match keys.contains(&key) {
            true => Some(key),
            false => meant.or_else(|| nearest(key, keys.iter().copied())),
        };
        let mut found = self.properties().filter(|(other, _)| Some(*other) == known);
        found.next().map(|(_, schema)| Shape::from_schema(schema)).unwrap_or_default()
    }

    /// As [`Shape::member`], also of a key inside any of the variants.
    fn member_of_any(&self, key: &str) -> Shape {
        if self.keys().contains(&key) {
            return self.member(key);
        }
        let inner = self.variants().filter_map(|(_, inner)| inner.map(Shape::from_schema));
        let found = inner.map(|inner| inner.member_of_any(key));
        found.into_iter().find(|shape| !shape.options.is_empty()).unwrap_or_default()
    }

    fn of_type(&self, name: &'static str) -> impl Iterator<Item = &'static Value> {
        self.options.iter().copied().filter(move |option| navigate::kind_of(option) == name)
    }

    /// Whether it may be any text.
    pub fn is_text(&self) -> bool {
        let is_free = |one: &Value| one.get("enum").is_none() && one.get("const").is_none();
        self.options.is_empty() || self.of_type("string").any(is_free)
    }

    /// Whether it is a list of a fixed length: a vector or a pair.
    pub fn is_fixed(&self) -> bool {
        self.of_type("array").any(|array| {
            let is_bounded = array["maxItems"].is_u64() && array["minItems"] == array["maxItems"];
            array["prefixItems"].is_array() || is_bounded
        })
    }

    /// The shape of a list's item.
    pub fn item(&self, index: usize) -> Shape {
        let Some(array) = self.of_type("array").next() else { return Shape::default() };
        let item = array["prefixItems"].get(index).or_else(|| array.get("items"));
        item.map(Shape::from_schema).unwrap_or_default()
    }
}

/// Whether a name is written as variants are, and keys are not.
pub fn is_variant(name: &str) -> bool {
    name.starts_with(char::is_uppercase)
}
