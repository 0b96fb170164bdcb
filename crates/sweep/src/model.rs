//! What a sweep file says, as plain data, and what its keys mean.
//!
//! Values for the scene are any RON: they are judged when the scene takes them, so here each stands
//! as [`Raw`], and its text is read at its place.

use hashfall_scene::Document;
use serde::de::{IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use std::fmt;

/// A sweep.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename = "Sweep", deny_unknown_fields)]
pub struct SweepModel {
    /// The scene's file, relative to the sweep's.
    pub scene: String,
    /// What all points set.
    #[serde(default)]
    pub set: Settings,
    /// What varies: points are all combinations of an entry of each.
    pub axes: Vec<AxisModel>,
}

/// Something that varies.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename = "Axis", deny_unknown_fields)]
pub enum AxisModel {
    /// A key takes each of some values.
    Values {
        /// The key.
        key: String,
        /// The values.
        values: Vec<Raw>,
    },
    /// A key takes evenly spaced numbers, both ends with them.
    Range {
        /// The key.
        key: String,
        /// The first number.
        from: f64,
        /// The last number.
        to: f64,
        /// How many there are.
        count: u32,
        /// How they are spaced.
        #[serde(default)]
        scale: Scale,
    },
    /// Axes of one length that continue together.
    Zip(Vec<AxisModel>),
    /// Points written out, each with a name.
    Cases(Vec<CaseModel>),
    /// Keys take random numbers, independent of each other.
    Random(SampleModel),
    /// As random, but the range of each key is cut into as many equal parts as there are points,
    /// and each part holds one.
    LatinHypercube(SampleModel),
}

/// A point written out.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename = "Case", deny_unknown_fields)]
pub struct CaseModel {
    /// Its name.
    pub name: String,
    /// What it sets.
    pub set: Settings,
}

/// A sample of random numbers.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename = "Sample", deny_unknown_fields)]
pub struct SampleModel {
    /// Makes the numbers repeat.
    pub seed: u64,
    /// How many points.
    pub count: u32,
    /// The keys.
    pub keys: Vec<DrawModel>,
}

/// The numbers that a key of a sample takes.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename = "Key", deny_unknown_fields)]
pub struct DrawModel {
    /// The key.
    pub key: String,
    /// The least.
    pub from: f64,
    /// The largest.
    pub to: f64,
    /// In what they are uniform.
    #[serde(default)]
    pub scale: Scale,
}

/// How numbers between two are spread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
pub enum Scale {
    /// Evenly.
    #[default]
    Linear,
    /// Their logarithms evenly.
    Logarithmic,
}

/// A value whose text is read elsewhere.
#[derive(Clone, Copy, Debug)]
pub struct Raw;

impl<'de> Deserialize<'de> for Raw {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        IgnoredAny::deserialize(deserializer).map(|IgnoredAny| Raw)
    }
}

/// The keys of `{ "key": value, … }`, in order.
#[derive(Clone, Debug, Default)]
pub struct Settings(pub Vec<String>);

impl<'de> Deserialize<'de> for Settings {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(SettingsVisitor)
    }
}

struct SettingsVisitor;

impl<'de> Visitor<'de> for SettingsVisitor {
    type Value = Settings;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("keys of the scene and values in curly brackets")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Settings, A::Error> {
        let mut keys = Vec::new();
        while let Some((key, Raw)) = map.next_entry::<String, Raw>()? {
            keys.push(key);
        }
        Ok(Settings(keys))
    }
}

/// Keys of a sweep file, each with what it holds and an example.
const KEYS: [(&str, &str); 12] = [
    ("scene", "the scene's file, relative to this one, such as \"../scenes/dam_break.ron\""),
    ("set", "what is set of the scene, such as { \"frames.count\": 20, \"surface\": None }"),
    ("axes", "a list of Values(…), Range(…), Zip([…]), Cases([…]), Random(…), LatinHypercube(…)"),
    ("key", "a key of the scene in quotes, such as \"fluids[0].viscosity\""),
    ("name", "of a case in quotes, such as \"thin\""),
    ("values", "a list of values for the key, such as [0.01, 0.1, 1.0]"),
    ("from", "the first number, such as 0.01"),
    ("to", "the last number, such as 1.0"),
    ("count", "how many, a whole number such as 5"),
    ("scale", "Linear, or Logarithmic where numbers span powers of ten"),
    ("seed", "a whole number from 0 up, such as 7"),
    ("keys", "a list of keys with their ranges: [(key: \"gravity[2]\", from: -20, to: -5)]"),
];

impl Document for SweepModel {
    const KIND: &'static str = "sweep";
    const SYNTAX: &'static str =
        "a sweep is written Sweep( … ); sweeps/dam_break_viscosity.ron is one to begin with";

    fn describe_key(path: &str) -> Option<String> {
        let mut keys = path.rsplit('.').map(|part| part.split('[').next().unwrap_or(part));
        let key = keys.find(|key| !key.is_empty()).unwrap_or_default();
        KEYS.iter().find(|(name, _)| *name == key).map(|(_, what)| (*what).to_owned())
    }
}
