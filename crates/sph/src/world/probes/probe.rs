//! The probes of a scene: what they are, their columns, and their readings.

use super::face::Face;
use super::level::{front, height};
use super::sensor::{Surroundings, over_face, position};
use super::solid_reference::SolidReference;
use crate::world::World;
use hashfall_core::vec3;
use hashfall_geometry::Point;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What is measured while a scene runs, and how often.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Probes {
    /// Samples per second of simulated time \[1/s\].
    #[schemars(range(min = 1e-3, max = 1e6))]
    pub rate: f64,
    /// The probes, in the order of their columns.
    pub list: Vec<Probe>,
}

impl Default for Probes {
    fn default() -> Self {
        Probes { rate: 100.0, list: Vec::new() }
    }
}

/// A gauge.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub enum Probe {
    /// Pressure at a point \[Pa\]; 0 where no particle is near.
    Pressure {
        /// Its column.
        name: String,
        /// The point \[m\].
        at: [f64; 3],
        /// Index or name of the solid in `solids` that it moves with; `None` if it stands.
        #[serde(default)]
        on: Option<SolidReference>,
    },
    /// Velocity at a point \[m/s\]; 0 where no particle is near.
    Velocity {
        /// Its columns, with `_x`, `_y` and `_z` behind it.
        name: String,
        /// The point \[m\].
        at: [f64; 3],
        /// Index or name of the solid in `solids` that it moves with; `None` if it stands.
        #[serde(default)]
        on: Option<SolidReference>,
    },
    /// Mean pressure over the face of a sensor \[Pa\].
    MeanPressure {
        /// Its column.
        name: String,
        /// The face.
        over: Face,
        /// Index or name of the solid in `solids` that it moves with; `None` if it stands.
        #[serde(default)]
        on: Option<SolidReference>,
    },
    /// Force of the pressure on a face, against its normal \[N\].
    Force {
        /// Its column.
        name: String,
        /// The face.
        over: Face,
        /// Index or name of the solid in `solids` that it moves with; `None` if it stands.
        #[serde(default)]
        on: Option<SolidReference>,
    },
    /// Level of the fluid on a vertical line \[m\]; that of the domain's floor where it is dry.
    Height {
        /// Its column.
        name: String,
        /// Where the line stands \[m\].
        x: f64,
        /// Where the line stands \[m\].
        y: f64,
    },
    /// The farthest fluid along an axis \[m\]; the domain's lowest coordinate if there is none.
    Front {
        /// Its column.
        name: String,
        /// Towards the larger coordinates of this axis.
        axis: Axis,
        /// Only particles whose centre is lower count \[m\]; `None` counts all.
        #[serde(default)]
        below: Option<f64>,
    },
}

/// An axis of space.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Axis {
    /// Along the first coordinate.
    X,
    /// Along the second.
    Y,
    /// Upwards.
    Z,
}

/// A column of the table of samples.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// The unit of its numbers.
    pub unit: &'static str,
}

impl Probes {
    /// The first of the times k / rate after `time` \[s\].
    pub fn time_after(&self, time: f64) -> f64 {
        // The product may be rounded up to the next whole number, or down to the last.
        let mut k = (time * self.rate).floor();
        while k / self.rate <= time {
            k += 1.0;
        }
        k / self.rate
    }

    /// The columns of all probes.
    pub fn columns(&self) -> Vec<Column> {
        self.list.iter().flat_map(Probe::columns).collect()
    }

    /// Puts the index of each solid that a probe moves with in place of its name among these.
    pub fn set_indices(&mut self, names: &[Option<&str>]) {
        self.list.iter_mut().for_each(|probe| probe.set_index(names));
    }

    /// What the probes show now, a number for each column.
    pub fn read(&self, world: &World) -> Vec<f64> {
        self.list.iter().flat_map(|probe| probe.read(world)).collect()
    }
}

impl Probe {
    /// Its name in the scene.
    pub fn name(&self) -> &str {
        match self {
            Probe::Pressure { name, .. }
            | Probe::Velocity { name, .. }
            | Probe::MeanPressure { name, .. }
            | Probe::Force { name, .. }
            | Probe::Height { name, .. }
            | Probe::Front { name, .. } => name,
        }
    }

    /// The solid that it moves with.
    pub fn carrier(&self) -> Option<&SolidReference> {
        match self {
            Probe::Pressure { on, .. }
            | Probe::Velocity { on, .. }
            | Probe::MeanPressure { on, .. }
            | Probe::Force { on, .. } => on.as_ref(),
            Probe::Height { .. } | Probe::Front { .. } => None,
        }
    }

    /// The index of the solid that it moves with; `None` of one that is [named](Self::carrier).
    pub fn solid(&self) -> Option<usize> {
        match self.carrier() {
            Some(SolidReference::Index(index)) => Some(*index),
            _ => None,
        }
    }

    /// Puts the index of the solid that it moves with in place of its name; a name that is not
    /// among these stays.
    fn set_index(&mut self, names: &[Option<&str>]) {
        let (Probe::Pressure { on, .. }
        | Probe::Velocity { on, .. }
        | Probe::MeanPressure { on, .. }
        | Probe::Force { on, .. }) = self
        else {
            return;
        };
        let index = on.as_ref().and_then(|on| on.index(names.iter().copied()));
        *on = index.map(SolidReference::Index).or_else(|| on.take());
    }

    /// The point at which it measures, or the centre of its face \[m\].
    pub fn point(&self) -> Option<[f64; 3]> {
        match self {
            Probe::Pressure { at, .. } | Probe::Velocity { at, .. } => Some(*at),
            Probe::MeanPressure { over, .. } | Probe::Force { over, .. } => Some(over.centre()),
            Probe::Height { .. } | Probe::Front { .. } => None,
        }
    }

    /// Its columns: one with its name, of a velocity one for each component.
    pub fn columns(&self) -> Vec<Column> {
        let name = self.name();
        let one = |unit| vec![Column { name: name.to_owned(), unit }];
        match self {
            Probe::Pressure { .. } | Probe::MeanPressure { .. } => one("Pa"),
            Probe::Force { .. } => one("N"),
            Probe::Height { .. } | Probe::Front { .. } => one("m"),
            Probe::Velocity { .. } => ["x", "y", "z"]
                .map(|axis| Column { name: format!("{name}_{axis}"), unit: "m/s" })
                .into(),
        }
    }

    /// What it shows now, a number for each column.
    pub fn read(&self, world: &World) -> Vec<f64> {
        let body = self.solid().map(|solid| solid + 1);
        let around = |at: &[f64; 3]| {
            let x = position(world, &Point::from(*at), body);
            (Surroundings::new(world, &[x]), x)
        };
        match self {
            Probe::Pressure { at, .. } => {
                let (around, x) = around(at);
                vec![around.pressure(&x)]
            }
            Probe::Velocity { at, .. } => {
                let (around, x) = around(at);
                <[f64; 3]>::from(around.velocity(&x)).into()
            }
            Probe::MeanPressure { over, .. } => vec![over_face(world, over, body).0],
            Probe::Force { over, .. } => {
                let (mean, area) = over_face(world, over, body);
                vec![mean * area]
            }
            Probe::Height { x, y, .. } => vec![height(world, &vec3([*x, *y, 0.0]))],
            Probe::Front { axis, below, .. } => vec![front(world, *axis as usize, *below)],
        }
    }
}
