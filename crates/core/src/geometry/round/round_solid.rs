//! Cylinders, capsules and cones: one axis, and a convex meridian that is turned about it.
//!
//! All that is asked of them reduces to the half plane of the place and the axis. They are exact:
//! what is found differs from the truth by rounding of doubles alone.
//!
//! Symbols: z place along the axis from its start \[m\], ρ distance from the axis \[m\].

use super::axis::Axis;
use super::capsule::Capsule;
use super::chord;
use super::frustum::Frustum;
use crate::geometry::aabb::Aabb;
use crate::geometry::point::Point;
use crate::{Real, vec3};
use nalgebra::Matrix3;

/// A convex solid of revolution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RoundSolid {
    axis: Axis,
    profile: Profile,
}

/// What is turned about the axis.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Profile {
    Capsule(Capsule),
    /// A cylinder has equal radii.
    Frustum(Frustum),
}

/// The measures of a solid of revolution, wherever it stands: all equal ones have equal sums.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Meridian {
    /// Within `radius` of an axis.
    Capsule {
        /// Of the axis \[m\].
        length: f64,
        /// \[m\]
        radius: f64,
    },
    /// A cylinder or a cone, which may end in a tip.
    Frustum {
        /// Of the axis \[m\].
        length: f64,
        /// At the start of the axis \[m\].
        radius: f64,
        /// At its end \[m\].
        tip_radius: f64,
    },
}

/// The nearest point of a solid's surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nearest {
    /// The point \[m\].
    pub point: Point,
    /// Unit normal there, out of the solid: from the point to a place outside.
    pub normal: Point,
    /// Distance of the place from the surface \[m\]; negative inside.
    pub distance: f64,
}

impl RoundSolid {
    /// A cylinder between two places \[m\], which differ, of a positive radius \[m\].
    pub fn cylinder(from: Point, to: Point, radius: f64) -> Self {
        RoundSolid::cone(from, to, radius, radius)
    }

    /// All within a positive `radius` \[m\] of the piece between two places \[m\], which differ.
    pub fn capsule(from: Point, to: Point, radius: f64) -> Self {
        let axis = Axis::new(from, to);
        RoundSolid { axis, profile: Profile::Capsule(Capsule { length: axis.length, radius }) }
    }

    /// A cone or a part of one, between two places \[m\], which differ: `radius` \[m\] at the
    /// first,
    /// `tip_radius` \[m\] at the second. Neither is negative, and one is positive.
    pub fn cone(from: Point, to: Point, radius: f64, tip_radius: f64) -> Self {
        let axis = Axis::new(from, to);
        let frustum = Frustum { length: axis.length, radius, tip_radius };
        RoundSolid { axis, profile: Profile::Frustum(frustum) }
    }

    /// Its measures.
    pub fn meridian(&self) -> Meridian {
        match self.profile {
            Profile::Capsule(Capsule { length, radius }) => Meridian::Capsule { length, radius },
            Profile::Frustum(Frustum { length, radius, tip_radius }) => {
                Meridian::Frustum { length, radius, tip_radius }
            }
        }
    }

    /// Where its axis starts and ends \[m\]; a capsule continues for its radius at both ends.
    pub fn axis_ends(&self) -> [Point; 2] {
        [self.axis.start, self.axis.end()]
    }

    /// Centres and radii \[m\] of a ball at each end, which together hold no less than the ends: no
    /// point of the solid is farther from anywhere than the farther of the two.
    pub fn balls_at_ends(&self) -> [(Point, f64); 2] {
        let [start, end] = self.axis_ends();
        match self.profile {
            Profile::Capsule(Capsule { radius, .. }) => [(start, radius), (end, radius)],
            Profile::Frustum(Frustum { radius, tip_radius, .. }) => {
                [(start, radius), (end, tip_radius)]
            }
        }
    }

    /// Unit vector along its axis.
    pub fn direction(&self) -> &Point {
        &self.axis.direction
    }

    /// Coordinates of a place along the axis and away from it \[m\], and the unit vector away from
    /// the axis.
    pub fn coordinates(&self, x: &Point) -> (f64, f64, Point) {
        let at = self.axis.coordinates(x);
        (at.along, at.aside, at.radial)
    }

    /// The distance of a place from the surface \[m\]; negative inside.
    pub fn signed_distance(&self, x: &Point) -> f64 {
        self.nearest(x).distance
    }

    /// The nearest point of the surface; of several one.
    #[inline]
    pub fn nearest(&self, x: &Point) -> Nearest {
        let at = self.axis.coordinates(x);
        let found = match &self.profile {
            Profile::Capsule(capsule) => capsule.nearest(at.along, at.aside),
            Profile::Frustum(frustum) => frustum.nearest(at.along, at.aside),
        };
        let normal = self.axis.direction * found.normal[0] + at.radial * found.normal[1];
        Nearest { point: x - normal * found.distance, normal, distance: found.distance }
    }

    /// Whether a place is inside; the surface counts.
    pub fn contains(&self, x: &Point) -> bool {
        self.signed_distance(x) <= 0.0
    }

    /// How far it reaches along a direction: the largest x·direction of its points.
    pub fn support(&self, direction: &Point) -> f64 {
        let cosine = direction.dot(&self.axis.direction);
        let [start, end] = self.axis_ends().map(|x| direction.dot(&x));
        match self.profile {
            Profile::Capsule(Capsule { radius, .. }) => start.max(end) + radius * direction.norm(),
            Profile::Frustum(Frustum { radius, tip_radius, .. }) => {
                let across = (direction - self.axis.direction * cosine).norm();
                (start + radius * across).max(end + tip_radius * across)
            }
        }
    }

    /// The lowest and the highest corner of the box around it \[m\].
    pub fn bounds(&self) -> [Point; 2] {
        let disc = self.axis.disc_extent();
        let [start, end] = self.axis_ends();
        let (at_start, at_end) = match self.profile {
            Profile::Capsule(Capsule { radius, .. }) => {
                (Point::repeat(radius), Point::repeat(radius))
            }
            Profile::Frustum(Frustum { radius, tip_radius, .. }) => {
                (disc * radius, disc * tip_radius)
            }
        };
        let low = (start - at_start).inf(&(end - at_end));
        [low, (start + at_start).sup(&(end + at_end))]
    }

    /// The box around it in the precision of the state, which rounding leaves no point out of.
    #[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f32")]
    pub fn aabb(&self) -> Aabb {
        let [low, high] = self.bounds();
        let rounding = 2.0 * Real::EPSILON * low.amax().max(high.amax()) as Real;
        Aabb::new(vec3(low.into()), vec3(high.into())).grown(rounding)
    }

    /// Its volume \[m³\].
    pub fn volume(&self) -> f64 {
        match &self.profile {
            Profile::Capsule(capsule) => capsule.volume(),
            Profile::Frustum(frustum) => frustum.volume(),
        }
    }

    /// Where the line of all `from` + t `way` is inside: the first t and the last.
    pub fn chord(&self, from: &Point, way: &Point) -> Option<(f64, f64)> {
        match &self.profile {
            Profile::Capsule(capsule) => chord::of_capsule(&self.axis, capsule, from, way),
            Profile::Frustum(frustum) => chord::of_frustum(&self.axis, frustum, from, way),
        }
    }

    /// The same turned about the origin, then moved by `shift` \[m\].
    pub fn moved(&self, turn: &Matrix3<f64>, shift: &Point) -> Self {
        RoundSolid { axis: self.axis.moved(turn, shift), ..*self }
    }
}
