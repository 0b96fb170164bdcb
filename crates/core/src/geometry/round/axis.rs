//! The axis of a solid of revolution, and coordinates along it and away from it.
//!
//! Symbols: z place along the axis from its start \[m\], ρ distance from the axis \[m\].

use crate::geometry::point::Point;
use nalgebra::Matrix3;

/// A straight axis from one place to another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Axis {
    /// Where it starts \[m\].
    pub start: Point,
    /// Unit vector along it.
    pub direction: Point,
    /// Its length \[m\].
    pub length: f64,
}

/// A place by its coordinates along an axis and away from it.
#[derive(Clone, Copy, Debug)]
pub struct OnAxis {
    /// z \[m\].
    pub along: f64,
    /// ρ \[m\].
    pub aside: f64,
    /// Unit vector away from the axis; any one square to it for a place on the axis.
    pub radial: Point,
}

impl Axis {
    /// The axis between two places, which differ.
    pub fn new(start: Point, end: Point) -> Self {
        let way = end - start;
        let length = way.norm();
        Axis { start, direction: way / length, length }
    }

    /// Where it ends \[m\].
    pub fn end(&self) -> Point {
        self.start + self.direction * self.length
    }

    /// The coordinates of a place.
    #[inline]
    pub fn coordinates(&self, x: &Point) -> OnAxis {
        let from_start = x - self.start;
        let along = from_start.dot(&self.direction);
        let across = from_start - self.direction * along;
        let aside = across.norm();
        // What rounding leaves of nothing has no direction.
        let is_aside = aside > 1e-15 * from_start.norm();
        let radial = if is_aside { across / aside } else { self.any_radial() };
        OnAxis { along, aside: if is_aside { aside } else { 0.0 }, radial }
    }

    /// A unit vector square to the axis.
    fn any_radial(&self) -> Point {
        let d = &self.direction;
        let least = (0..3).min_by(|&a, &b| d[a].abs().total_cmp(&d[b].abs())).unwrap_or(0);
        let mut unit = Point::zeros();
        unit[least] = 1.0;
        (unit - d * d[least]).normalize()
    }

    /// How far a disc of radius 1 square to the axis reaches along each coordinate axis \[–\].
    pub fn disc_extent(&self) -> Point {
        self.direction.map(|d| (1.0 - d * d).max(0.0).sqrt())
    }

    /// The same turned about the origin, then moved by `shift` \[m\].
    pub fn moved(&self, turn: &Matrix3<f64>, shift: &Point) -> Self {
        let (start, direction) = (turn * self.start + shift, turn * self.direction);
        Axis { start, direction, length: self.length }
    }
}
