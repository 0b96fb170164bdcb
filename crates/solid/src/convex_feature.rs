//! The convex features that solids are made of: half-spaces, balls, solids of revolution,
//! triangles.
//!
//! Convexity is what the swept test stands on: the plane through the nearest point, square to the
//! line to the particle, has the whole feature behind it.

use crate::near_solid::NearSolid;
use crate::precision::{to_point, to_vec3};
use crate::surfaces::SurfaceId;
use hashfall_core::{Real, Vec3};
use hashfall_geometry::triangle::{offset_to_triangle, unit_normal};
use hashfall_geometry::{Point, RoundSolid};

/// One convex feature of the solids.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ConvexFeature {
    /// All beyond a wall: points p with p·normal < offset.
    Wall {
        normal: Point,
        offset: f64,
    },
    Ball {
        centre: Point,
        radius: f64,
    },
    Round(RoundSolid),
    Triangle([Point; 3]),
}

/// The nearest point of a feature, seen from a point.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Nearest {
    /// Unit vector from the feature to the point.
    pub normal: Point,
    /// Distance \[m\]; negative inside walls, balls and solids of revolution.
    pub distance: f64,
}

impl ConvexFeature {
    /// The nearest point to `x`. Where the direction is not defined, it is up or the face normal.
    pub(crate) fn nearest(&self, x: &Point) -> Nearest {
        match self {
            ConvexFeature::Wall { normal, offset } => {
                Nearest { normal: *normal, distance: normal.dot(x) - offset }
            }
            ConvexFeature::Ball { centre, radius } => {
                let (normal, length) = direction(&(x - centre)).unwrap_or((Point::z(), 0.0));
                Nearest { normal, distance: length - radius }
            }
            ConvexFeature::Round(round) => {
                let found = round.nearest(x);
                Nearest { normal: found.normal, distance: found.distance }
            }
            ConvexFeature::Triangle(corners) => {
                Nearest::at_offset(corners, &offset_to_triangle(x, corners))
            }
        }
    }

    /// Whether the whole feature lies behind the plane p·normal = offset, but for `tolerance`.
    pub(crate) fn lies_behind(&self, normal: &Point, offset: f64, tolerance: f64) -> bool {
        self.support(normal) <= offset + tolerance
    }

    /// How far it reaches along a unit vector: the largest p·normal of its points \[m\]; infinite
    /// of walls.
    pub(crate) fn support(&self, normal: &Point) -> f64 {
        match self {
            ConvexFeature::Wall { .. } => f64::INFINITY,
            ConvexFeature::Ball { centre, radius } => normal.dot(centre) + radius,
            ConvexFeature::Round(round) => round.support(normal),
            ConvexFeature::Triangle(corners) => {
                corners.iter().map(|c| normal.dot(c)).fold(f64::NEG_INFINITY, f64::max)
            }
        }
    }

    /// Whether a push never takes a particle into it: the sides of a triangle cannot be told apart,
    /// and a solid of revolution may be so thin that a particle would leave it on the far side.
    pub(crate) fn is_never_entered(&self) -> bool {
        matches!(self, ConvexFeature::Triangle(_) | ConvexFeature::Round(_))
    }

    /// Whether a triangle's plane is square to `direction`, but for an angle of this cosine.
    pub(crate) fn faces(&self, direction: &Vec3, cosine: f64) -> bool {
        let ConvexFeature::Triangle([a, b, c]) = self else { return true };
        let normal = (b - a).cross(&(c - a));
        let along = normal.dot(&to_point(direction));
        along * along >= cosine * cosine * normal.norm_squared()
    }

    /// The nearest point as the density sees it.
    #[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f32")]
    pub(crate) fn near(&self, x: &Point, surface: SurfaceId) -> NearSolid {
        let curvature =
            if let ConvexFeature::Ball { radius, .. } = self { 1.0 / radius } else { 0.0 };
        NearSolid { curvature: curvature as Real, ..self.nearest(x).near(surface) }
    }
}

impl Nearest {
    /// That of a triangle whose nearest point is at this offset.
    pub(crate) fn at_offset(corners: &[Point; 3], offset: &Point) -> Self {
        let (normal, distance) = direction(&-offset)
            .unwrap_or_else(|| (unit_normal(corners).unwrap_or_else(Point::z), 0.0));
        Nearest { normal, distance }
    }

    /// The same as the density sees what is flat.
    #[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f32")]
    pub(crate) fn near(&self, surface: SurfaceId) -> NearSolid {
        let (normal, distance) = (to_vec3(&self.normal), self.distance as Real);
        NearSolid { normal, distance, curvature: 0.0, surface }
    }
}

/// Unit vector and length; `None` where the length is zero.
fn direction(v: &Point) -> Option<(Point, f64)> {
    let length = v.norm();
    (length > 0.0).then(|| (v / length, length))
}
