//! Boxes in double precision, which may be unbounded.

use hashfall_core::geometry::Aabb;
use hashfall_core::{Real, Vec3};
use nalgebra::Vector3;

/// A closed axis-aligned box in double precision; of a half space, without bounds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// Lowest corner \[m\].
    pub min: Vector3<f64>,
    /// Highest corner \[m\].
    pub max: Vector3<f64>,
}

impl Bounds {
    /// All of space.
    pub const UNBOUNDED: Bounds = Bounds {
        min: Vector3::new(f64::NEG_INFINITY, f64::NEG_INFINITY, f64::NEG_INFINITY),
        max: Vector3::new(f64::INFINITY, f64::INFINITY, f64::INFINITY),
    };

    /// The box of no points.
    pub(crate) const EMPTY: Bounds =
        Bounds { min: Bounds::UNBOUNDED.max, max: Bounds::UNBOUNDED.min };

    /// The smallest box around both.
    pub fn union(&self, other: &Bounds) -> Bounds {
        Bounds { min: self.min.inf(&other.min), max: self.max.sup(&other.max) }
    }

    /// The smallest box around it and a point.
    pub(crate) fn with(&self, point: &Vector3<f64>) -> Bounds {
        Bounds { min: self.min.inf(point), max: self.max.sup(point) }
    }

    /// The box grown by a length on every side \[m\].
    pub fn grown(&self, margin: f64) -> Bounds {
        Bounds { min: self.min.add_scalar(-margin), max: self.max.add_scalar(margin) }
    }

    /// Whether the boxes share a point; touching counts.
    pub fn overlaps(&self, other: &Bounds) -> bool {
        (0..3).all(|a| self.min[a] <= other.max[a] && other.min[a] <= self.max[a])
    }

    /// Whether all its sides are finite.
    pub fn is_finite(&self) -> bool {
        self.min.iter().chain(self.max.iter()).all(|x| x.is_finite())
    }

    /// The smallest box of the broad phases' precision that holds it.
    pub fn rounded_outwards(&self) -> Aabb {
        Aabb::new(Vec3::from(self.min.map(below)), Vec3::from(self.max.map(above)))
    }
}

/// The greatest number of the broad phases' precision that is not above.
fn below(x: f64) -> Real {
    let rounded = x as Real;
    if f64::from(rounded) > x { rounded.next_down() } else { rounded }
}

/// The least number of the broad phases' precision that is not below.
fn above(x: f64) -> Real {
    -below(-x)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounding_never_shrinks_a_box() {
        let bounds = Bounds { min: Vector3::new(0.1, -0.1, 1e-3), max: Vector3::repeat(0.3) };
        let rounded = bounds.rounded_outwards();
        for axis in 0..3 {
            let (low, high) = (f64::from(rounded.min[axis]), f64::from(rounded.max[axis]));
            assert!(low <= bounds.min[axis] && bounds.max[axis] <= high);
            assert!(bounds.min[axis] - low <= 1e-7 && high - bounds.max[axis] <= 1e-7);
        }
        let exact = Bounds { min: Vector3::repeat(0.25), max: Vector3::repeat(0.5) };
        let aabb = exact.rounded_outwards();
        assert_eq!((aabb.min, aabb.max), (Vec3::repeat(0.25), Vec3::repeat(0.5)));
    }
}
