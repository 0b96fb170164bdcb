//! Axis-aligned boxes.

use crate::{Real, Vec3};

/// A closed axis-aligned box; empty when `min` exceeds `max` on an axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aabb {
    /// Lowest corner \[m\].
    pub min: Vec3,
    /// Highest corner \[m\].
    pub max: Vec3,
}

impl Aabb {
    /// The box of no points, from which growing starts.
    pub const EMPTY: Aabb = Aabb {
        min: Vec3::new(Real::INFINITY, Real::INFINITY, Real::INFINITY),
        max: Vec3::new(-Real::INFINITY, -Real::INFINITY, -Real::INFINITY),
    };

    /// The box with these corners.
    pub fn new(min: Vec3, max: Vec3) -> Self {
        Aabb { min, max }
    }

    /// The smallest box around some points.
    pub fn around<'a>(points: impl IntoIterator<Item = &'a Vec3>) -> Self {
        points.into_iter().fold(Aabb::EMPTY, |b, p| Aabb { min: b.min.inf(p), max: b.max.sup(p) })
    }

    /// The box of a ball.
    pub fn of_ball(centre: &Vec3, radius: Real) -> Self {
        Aabb { min: centre.add_scalar(-radius), max: centre.add_scalar(radius) }
    }

    /// The smallest box around both.
    pub fn union(&self, other: &Aabb) -> Self {
        Aabb { min: self.min.inf(&other.min), max: self.max.sup(&other.max) }
    }

    /// The box grown by `margin` on every side.
    pub fn grown(&self, margin: Real) -> Self {
        Aabb { min: self.min.add_scalar(-margin), max: self.max.add_scalar(margin) }
    }

    /// Whether it holds no point.
    #[inline]
    pub fn is_empty(&self) -> bool {
        (0..3).any(|a| self.min[a] > self.max[a])
    }

    /// Whether the boxes, neither of them empty, share a point; touching counts.
    #[inline]
    pub fn overlaps(&self, other: &Aabb) -> bool {
        (0..3).all(|a| self.min[a] <= other.max[a] && other.min[a] <= self.max[a])
    }

    /// Whether a point lies in the box; the faces count.
    #[inline]
    pub fn contains(&self, point: &Vec3) -> bool {
        (0..3).all(|a| self.min[a] <= point[a] && point[a] <= self.max[a])
    }

    /// Length of each edge \[m\].
    pub fn extent(&self) -> Vec3 {
        self.max - self.min
    }
}
