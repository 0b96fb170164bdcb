//! What is emitted, how long it lives, and how it moves.

use crate::potentials::Limits;
#[cfg(feature = "serde")]
use schemars::JsonSchema;
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

/// Spray, foam and bubbles that are computed from the frames of a run.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize, JsonSchema))]
#[cfg_attr(feature = "serde", serde(rename = "Foam", default, deny_unknown_fields))]
pub struct FoamSettings {
    /// Seed of the random numbers.
    pub seed: u32,
    /// Substeps between two frames; `None` for as many as the fluid's speed asks for.
    #[cfg_attr(feature = "serde", schemars(range(min = 1, max = 1000)))]
    pub substeps: Option<u32>,
    /// Emission where fluid closes on air: parts that move towards each other.
    pub trapped_air: Source,
    /// Emission at crests: convex parts of the surface that move outwards.
    pub wave_crest: Source,
    /// Emission where the vorticity changes over a short way.
    pub vorticity: Source,
    /// Kinetic energies per mass at which emission begins and is full \[J/kg\]; `None` to find
    /// them in all frames.
    #[cfg_attr(feature = "serde", schemars(transform = limits_within))]
    pub energy: Option<(f64, f64)>,
    /// Part of what is emitted as spray that is kept.
    #[cfg_attr(feature = "serde", schemars(range(min = 0.0, max = 1.0)))]
    pub spray: f64,
    /// Part of what is emitted as foam that is kept.
    #[cfg_attr(feature = "serde", schemars(range(min = 0.0, max = 1.0)))]
    pub foam: f64,
    /// Part of what is emitted as bubbles that is kept.
    #[cfg_attr(feature = "serde", schemars(range(min = 0.0, max = 1.0)))]
    pub bubbles: f64,
    /// Shortest and longest lifetime \[s\]; `None` for foam that stays.
    #[cfg_attr(feature = "serde", schemars(transform = limits_within))]
    pub lifetime: Option<(f64, f64)>,
    /// Whose lifetime passes.
    pub ages: Ageing,
    /// Smallest and largest radius, in particle radii.
    #[cfg_attr(feature = "serde", schemars(transform = radii_within))]
    pub radius: (f64, f64),
    /// Drag of spray in air: −k |v| v with this k, in 1 / support radius.
    #[cfg_attr(feature = "serde", schemars(range(min = 0.0, max = 1e3)))]
    pub spray_drag: f64,
    /// Buoyancy of bubbles, in gravity.
    #[cfg_attr(feature = "serde", schemars(range(min = 0.0, max = 1e3)))]
    pub buoyancy: f64,
    /// How soon bubbles follow the fluid: their rate, in √(gravity / support radius).
    #[cfg_attr(feature = "serde", schemars(range(min = 0.0, max = 1e6)))]
    pub bubble_drag: f64,
    /// Boxes outside which nothing is emitted; none for everywhere.
    pub emit_in: Vec<Region>,
    /// Names of solids: fluid farther than the support radius from all of these emits nothing;
    /// none for all fluid.
    pub emit_from: Vec<String>,
    /// Boxes in which everything is removed.
    pub remove_in: Vec<Region>,
    /// Number at which emission pauses; the fluid particles of the lowest ids emit the last of it.
    #[cfg_attr(feature = "serde", schemars(range(min = 1, max = 1_000_000_000)))]
    pub max_particles: u32,
    /// File formats.
    pub output: Vec<FoamFormat>,
}

/// One cause of emission.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize, JsonSchema))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct Source {
    /// Number that a fluid particle emits at full potential and energy \[1/s\]; 0 for none.
    #[cfg_attr(feature = "serde", schemars(range(min = 0.0, max = 1e9)))]
    pub rate: f64,
    /// Values at which emission begins and is full: of trapped air in m/s, of vorticity in 1/s, of
    /// crests without a unit; `None` to find them in all frames.
    #[cfg_attr(feature = "serde", schemars(transform = limits_within))]
    pub limits: Option<(f64, f64)>,
}

/// Whose lifetime passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize, JsonSchema))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct Ageing {
    /// That of spray.
    pub spray: bool,
    /// That of foam.
    pub foam: bool,
    /// That of bubbles.
    pub bubbles: bool,
}

/// A box along the axes.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize, JsonSchema))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Region {
    /// Lowest corner \[m\].
    pub min: [f64; 3],
    /// Highest corner \[m\].
    pub max: [f64; 3],
}

/// File formats of diffuse particles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize, JsonSchema))]
pub enum FoamFormat {
    /// VTK PolyData with all arrays, for ParaView; a computation resumes from it, so it is always
    /// written.
    Vtp,
    /// Binary PLY of points with `vx vy vz`, `type` and `radius`, which Blender needs.
    Ply,
}

impl Default for FoamSettings {
    fn default() -> Self {
        FoamSettings {
            seed: 0,
            substeps: None,
            trapped_air: Source { rate: 3000.0, limits: None },
            wave_crest: Source { rate: 3000.0, limits: None },
            vorticity: Source { rate: 0.0, limits: None },
            energy: None,
            spray: 1.0,
            foam: 1.0,
            bubbles: 1.0,
            lifetime: Some((1.0, 4.0)),
            ages: Ageing::default(),
            radius: (0.1, 0.3),
            spray_drag: 0.0,
            buoyancy: 2.0,
            bubble_drag: 5.0,
            emit_in: Vec::new(),
            emit_from: Vec::new(),
            remove_in: Vec::new(),
            max_particles: 50_000_000,
            output: vec![FoamFormat::Vtp],
        }
    }
}

impl Default for Source {
    fn default() -> Self {
        Source { rate: 3000.0, limits: None }
    }
}

impl Default for Ageing {
    fn default() -> Self {
        Ageing { spray: false, foam: true, bubbles: false }
    }
}

impl Region {
    /// Whether a place \[m\] is in the box; its faces belong to it.
    pub fn contains(&self, x: &[f64; 3]) -> bool {
        (0..3).all(|axis| self.min[axis] <= x[axis] && x[axis] <= self.max[axis])
    }
}

impl FoamSettings {
    /// The limits that are given, each or none: trapped air, crests, vorticity, energy.
    pub fn given_limits(&self) -> [Option<(f64, f64)>; 4] {
        [self.trapped_air.limits, self.wave_crest.limits, self.vorticity.limits, self.energy]
    }

    /// Whether the limits of a potential that emits must be found in the frames.
    pub fn has_automatic_limits(&self) -> bool {
        let [trapped_air, wave_crest, vorticity] =
            [self.trapped_air, self.wave_crest, self.vorticity].map(|source| source.is_automatic());
        trapped_air || wave_crest || vorticity || self.energy.is_none()
    }

    /// The given limits in place of `found` ones.
    pub fn with_given(&self, found: Limits) -> Limits {
        let mut limits = found;
        let all = [
            &mut limits.trapped_air,
            &mut limits.wave_crest,
            &mut limits.vorticity,
            &mut limits.energy,
        ];
        for (limit, given) in all.into_iter().zip(self.given_limits()) {
            if let Some((min, max)) = given {
                *limit = [min, max];
            }
        }
        limits
    }
}

impl Source {
    fn is_automatic(&self) -> bool {
        self.rate > 0.0 && self.limits.is_none()
    }
}

/// Adds the bounds of a lower and an upper limit to a schema.
#[cfg(feature = "serde")]
fn limits_within(schema: &mut schemars::Schema) {
    each_within(schema, 0.0, 1e30);
}

/// Adds the bounds of radii to a schema.
#[cfg(feature = "serde")]
fn radii_within(schema: &mut schemars::Schema) {
    each_within(schema, 0.001, 1.0);
}

/// Adds bounds to each number of a tuple.
#[cfg(feature = "serde")]
fn each_within(schema: &mut schemars::Schema, min: f64, max: f64) {
    let items = schema.get_mut("prefixItems").and_then(|items| items.as_array_mut());
    for item in items.into_iter().flatten() {
        item["minimum"] = min.into();
        item["maximum"] = max.into();
    }
}
