//! The columns of a particle file that a scene chooses.

use hashfall_input::{ColumnChoice, ColumnRef, Quantity};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// Columns of a particle file; `None` for what is found by its name.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ParticleColumns {
    /// Column of the places along x.
    pub x: Option<ColumnKey>,
    /// Column of the places along y.
    pub y: Option<ColumnKey>,
    /// Column of the places along z.
    pub z: Option<ColumnKey>,
    /// Column of the velocities along x.
    pub u: Option<ColumnKey>,
    /// Column of the velocities along y.
    pub v: Option<ColumnKey>,
    /// Column of the velocities along z.
    pub w: Option<ColumnKey>,
    /// Column of the densities.
    pub density: Option<ColumnKey>,
    /// Column of the pressures.
    pub pressure: Option<ColumnKey>,
    /// Column of the whole numbers by which `phase` chooses.
    pub phase: Option<ColumnKey>,
}

impl ParticleColumns {
    /// The choice as readers of files take it.
    pub fn choice(&self) -> ColumnChoice {
        let mut choice = ColumnChoice::default();
        for quantity in Quantity::ALL {
            let key = match quantity {
                Quantity::X => &self.x,
                Quantity::Y => &self.y,
                Quantity::Z => &self.z,
                Quantity::U => &self.u,
                Quantity::V => &self.v,
                Quantity::W => &self.w,
                Quantity::Density => &self.density,
                Quantity::Pressure => &self.pressure,
                Quantity::Phase => &self.phase,
            };
            if let Some(key) = key {
                choice.insert(quantity, key.clone().into());
            }
        }
        choice
    }
}

/// A column, by its name in the file or by its number from 1.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum ColumnKey {
    /// By its name.
    Name(String),
    /// By its number.
    Number(u32),
}

impl From<ColumnKey> for ColumnRef {
    fn from(key: ColumnKey) -> Self {
        match key {
            ColumnKey::Name(name) => ColumnRef::Name(name),
            ColumnKey::Number(number) => ColumnRef::Number(number as usize),
        }
    }
}

impl JsonSchema for ColumnKey {
    fn schema_name() -> Cow<'static, str> {
        "ColumnKey".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "oneOf": [
                {"description": "Its name, as in the file.", "type": "string"},
                {"description": "Its number in a table, from 1.", "type": "integer", "minimum": 1},
            ],
        })
    }
}
