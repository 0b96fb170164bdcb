//! The ground floor: numbers, attributes, cells of space, chance, parallel loops, digests, stage
//! timers, and numbers as people read them.
//!
//! Knows nothing of fluids, solids or files; every other room may stand on it.

pub mod attribute;
pub mod cell;
pub mod chance;
pub mod digest;
pub mod exact_sum;
pub mod geometry;
pub mod kernel;
pub mod parallel;
pub mod program;
pub mod simd;
pub mod timer;
pub mod units;

pub use attribute::{Attribute, Values};

/// The scalar of the simulated state: `f32`, or `f64` with the feature of that name.
#[cfg(not(feature = "f64"))]
pub type Real = f32;
/// The scalar of the simulated state: `f32`, or `f64` with the feature of that name.
#[cfg(feature = "f64")]
pub type Real = f64;

/// π as a [`Real`].
#[cfg(not(feature = "f64"))]
pub const PI: Real = std::f32::consts::PI;
/// π as a [`Real`].
#[cfg(feature = "f64")]
pub const PI: Real = std::f64::consts::PI;

/// A point or direction in space; z points up.
pub type Vec3 = nalgebra::Vector3<Real>;

/// In how many dimensions a world lives: in two, it is the plane y = 0, a metre thick.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
pub enum Dimension {
    /// The plane of x and z.
    Two,
    /// Space.
    #[default]
    Three,
}

impl Dimension {
    /// D: the number of dimensions.
    pub fn count(self) -> u8 {
        match self {
            Dimension::Two => 2,
            Dimension::Three => 3,
        }
    }

    /// The volume of a cube of edge `d` \[m³\], in the plane a metre thick.
    pub fn cube(self, d: Real) -> Real {
        match self {
            Dimension::Two => d * d,
            Dimension::Three => d * d * d,
        }
    }
}

/// xⁿ by multiplication alone: `powi` may differ in the last bit from one machine to the next.
#[inline]
pub fn power(x: Real, n: u32) -> Real {
    (0..n).fold(1.0, |product, _| product * x)
}

/// A number of at most so many figures for people to read: short, and with a power of ten where
/// zeros would hide it.
pub fn short(x: f64, figures: usize) -> String {
    let rounded: f64 = format!("{x:.*e}", figures.saturating_sub(1)).parse().unwrap_or(x);
    match rounded.abs() {
        0.0 | 1e-4..1e7 => format!("{rounded}"),
        _ => format!("{rounded:e}"),
    }
}

/// Components in double precision, for audits and for files.
pub fn to_f64(v: &Vec3) -> [f64; 3] {
    [f64::from(v.x), f64::from(v.y), f64::from(v.z)]
}

/// Rounds three doubles to a [`Vec3`].
#[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f32")]
pub fn vec3(v: [f64; 3]) -> Vec3 {
    Vec3::new(v[0] as Real, v[1] as Real, v[2] as Real)
}

#[cfg(test)]
mod tests {
    use super::short;

    #[test]
    fn short_numbers_keep_their_figures() {
        let numbers = [(0.0, "0"), (0.39317, "0.3932"), (1e-4, "0.0001"), (9.87654e-5, "9.877e-5")];
        for (x, text) in numbers {
            assert_eq!(short(x, 4), text);
        }
        assert_eq!(
            (short(-12_345_678.0, 3), short(1234.5, 6)),
            ("-1.23e7".into(), "1234.5".into())
        );
        assert_eq!(short(f64::NAN, 4), "NaN");
    }
}
