//! The value of `limits.energy_gain`: `Auto`, or a number of joules.
//!
//! RON has no enum of a name and a number, so the value is read as either of two types.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// How much energy a run may gain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "Value", into = "Value")]
pub enum EnergyLimit {
    /// What the discretization explains, if nothing in the scene supplies energy; else no limit.
    #[default]
    Auto,
    /// A fixed amount, whatever supplies it \[J\].
    Joules(f64),
}

/// What a scene holds.
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(untagged)]
enum Value {
    Name(Name),
    Joules(f64),
}

/// The only name.
#[derive(Clone, Copy, Serialize, Deserialize)]
enum Name {
    Auto,
}

impl From<Value> for EnergyLimit {
    fn from(value: Value) -> Self {
        match value {
            Value::Name(Name::Auto) => EnergyLimit::Auto,
            Value::Joules(joules) => EnergyLimit::Joules(joules),
        }
    }
}

impl From<EnergyLimit> for Value {
    fn from(limit: EnergyLimit) -> Self {
        match limit {
            EnergyLimit::Auto => Value::Name(Name::Auto),
            EnergyLimit::Joules(joules) => Value::Joules(joules),
        }
    }
}

impl JsonSchema for EnergyLimit {
    fn schema_name() -> Cow<'static, str> {
        "EnergyLimit".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "How much energy a run may gain.",
            "oneOf": [
                {
                    "description": "What the discretization explains, if nothing in the scene \
                                    supplies energy; else no limit.",
                    "const": "Auto",
                },
                {
                    "description": "A fixed amount, whatever supplies it.",
                    "type": "number",
                    "minimum": 0.0,
                    "maximum": 1e30,
                },
            ],
        })
    }
}
