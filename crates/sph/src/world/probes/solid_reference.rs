//! How a key names one of the scene's solids: by its index, or by its name.
//!
//! RON has no enum of a number and a text, so the value is read as either of two types.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Error, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use std::borrow::Cow;
use std::fmt;

/// One of the solids.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum SolidReference {
    /// Its index in `solids`, from 0.
    Index(usize),
    /// Its name.
    Name(String),
}

impl SolidReference {
    /// The index of the solid among those of these names; `None` if there is none.
    pub fn index<'a>(&self, names: impl IntoIterator<Item = Option<&'a str>>) -> Option<usize> {
        let mut names = names.into_iter();
        match self {
            SolidReference::Index(index) => names.nth(*index).map(|_| *index),
            SolidReference::Name(name) => names.position(|it| it == Some(name)),
        }
    }
}

impl<'de> Deserialize<'de> for SolidReference {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ReferenceVisitor)
    }
}

struct ReferenceVisitor;

impl Visitor<'_> for ReferenceVisitor {
    type Value = SolidReference;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("the index or the name of a solid")
    }

    fn visit_u64<E: Error>(self, index: u64) -> Result<SolidReference, E> {
        let unexpected = Unexpected::Unsigned(index);
        let index = usize::try_from(index).map_err(|_| E::invalid_value(unexpected, &self))?;
        Ok(SolidReference::Index(index))
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<SolidReference, E> {
        Ok(SolidReference::Name(name.to_owned()))
    }
}

impl JsonSchema for SolidReference {
    fn schema_name() -> Cow<'static, str> {
        "SolidReference".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "One of the solids.",
            "oneOf": [
                { "description": "Its index in `solids`.", "type": "integer", "minimum": 0 },
                { "description": "Its name.", "type": "string" },
            ],
        })
    }
}
