//! The triangles of a mesh nearest to a place, as density and contact see them.
//!
//! Of a fine mesh a particle has thousands of triangles within its support radius, of which one is
//! the nearest, and few count as further faces ([`crate::integral`]). Both are looked for from the
//! root on, the nearest boxes first. What is found is what a look at every triangle would find, to
//! the bit: a node is skipped only if none of its triangles can be one of them.

use super::bounds::{ball_around, square_distance};
use super::tree::MeshTree;
use crate::convex_feature::{ConvexFeature, Nearest};
use crate::near_solid::NearSolid;
use crate::precision::to_point;
use crate::surfaces::SurfaceId;
use hashfall_core::{Real, Vec3};
use hashfall_geometry::Point;
use hashfall_geometry::triangle::offset_to_triangle;
use std::cmp::Ordering;

/// Triangles whose normals have a larger cosine belong to one face: 45°.
pub(crate) const SAME_FACE: Real = 0.7;
/// A triangle whose normal has a smaller cosine with the line to the particle is a border: 18°.
pub(crate) const FACING: f64 = 0.95;
/// A triangle counts again if it rises this far, in distances of the plane, in front of the plane.
pub(crate) const RISES: Real = 0.05;

/// The angle of that cosine \[rad\].
const FACING_ANGLE: f64 = 0.317_560_429_291_521_5;

/// More than rounding distances to single precision and back takes from their squares.
const ROUNDING: f64 = 1e-6;
/// The same of cosines and of heights over planes.
const SLACK: f64 = 1e-5;

/// A triangle near a place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NearTriangle {
    /// Its nearest point.
    pub near: NearSolid,
    /// Whether it faces the place; else it is the border of something.
    pub is_face: bool,
    /// Whether the place is on the side that its normal points to.
    pub is_in_front: bool,
}

impl NearTriangle {
    /// Of a triangle whose nearest point is at this offset from the place.
    #[inline]
    fn new(corners: &[Point; 3], offset: &Point, surface: SurfaceId) -> Self {
        let near = Nearest::at_offset(corners, offset).near(surface);
        let [a, b, c] = corners;
        let is_in_front = (b - a).cross(&(c - a)).dot(offset) < 0.0;
        let is_face = ConvexFeature::Triangle(*corners).faces(&near.normal, FACING);
        NearTriangle { near, is_face, is_in_front }
    }

    /// Nearest first; ties by normal, then those that face the place.
    fn order(&self, other: &Self) -> Ordering {
        by_distance(&self.near, &other.near).then(other.is_face.cmp(&self.is_face))
    }
}

/// Nearest first; ties by normal, so that equal entries are alike in all they say.
pub(crate) fn by_distance(a: &NearSolid, b: &NearSolid) -> Ordering {
    let normals = || a.normal.iter().zip(&b.normal).map(|(a, b)| a.total_cmp(b));
    let by_normal = || normals().find(|o| o.is_ne()).unwrap_or(Ordering::Equal);
    a.distance.total_cmp(&b.distance).then_with(by_normal)
}

/// Whether `next`, which is no nearer than `face`, belongs to another face.
pub(crate) fn is_another_face(face: &NearSolid, next: &NearSolid) -> bool {
    let cosine = face.normal.dot(&next.normal);
    // Height of the farther nearest point above the plane of the nearer one.
    let height = face.distance - next.distance * cosine;
    cosine < SAME_FACE && height > RISES * face.distance
}

/// The nearest of `list`, triangles that ascend, if one is nearer than `reach` \[m\] to `x`.
#[inline]
pub(crate) fn nearest_of(
    list: impl Iterator<Item = u32>,
    triangles: &[[Vec3; 3]],
    x: &Point,
    reach: Real,
    surface: SurfaceId,
) -> Option<NearTriangle> {
    let mut search = Search::new(triangles, x, reach, surface);
    list.for_each(|t| search.look_at(t, &|_| true));
    search.best.map(|(_, best)| best)
}

/// The way to the nearest triangle.
struct Search<'a> {
    triangles: &'a [[Vec3; 3]],
    x: &'a Point,
    reach: Real,
    surface: SurfaceId,
    best: Option<(u32, NearTriangle)>,
    /// What is farther is not looked at, squared \[m²\].
    bound: f64,
}

impl<'a> Search<'a> {
    fn new(triangles: &'a [[Vec3; 3]], x: &'a Point, reach: Real, surface: SurfaceId) -> Self {
        let bound = f64::from(reach) * f64::from(reach) * (1.0 + ROUNDING);
        Search { triangles, x, reach, surface, best: None, bound }
    }

    #[inline]
    fn look_at(&mut self, t: u32, counts: &impl Fn(&NearTriangle) -> bool) {
        let corners = self.triangles[t as usize].map(|c| to_point(&c));
        let offset = offset_to_triangle(self.x, &corners);
        if offset.norm_squared() > self.bound {
            return;
        }
        let found = NearTriangle::new(&corners, &offset, self.surface);
        let is_first = self.best.is_none_or(|(_, best)| found.order(&best).is_lt());
        if found.near.distance < self.reach && is_first && counts(&found) {
            let distance = f64::from(found.near.distance);
            self.bound = self.bound.min(distance * distance * (1.0 + ROUNDING));
            self.best = Some((t, found));
        }
    }
}

impl MeshTree {
    /// The triangle nearest to `x`, if one is nearer than `reach` \[m\].
    pub fn nearest(
        &self,
        triangles: &[[Vec3; 3]],
        x: &Point,
        reach: Real,
        surface: SurfaceId,
    ) -> Option<NearTriangle> {
        self.best(triangles, x, reach, surface, |_| false, |_| true)
    }

    /// The nearest of the triangles that face `x`, are nearer than `reach` \[m\], and belong to
    /// other faces than all of `known`.
    pub fn nearest_face(
        &self,
        triangles: &[[Vec3; 3]],
        x: &Point,
        reach: Real,
        surface: SurfaceId,
        known: &[NearSolid],
    ) -> Option<NearTriangle> {
        let passed = |node| {
            known.iter().any(|face| self.is_part(node, x, face)) || self.is_turned_away(node, x)
        };
        let counts = |found: &NearTriangle| {
            found.is_face && known.iter().all(|face| is_another_face(face, &found.near))
        };
        self.best(triangles, x, reach, surface, passed, counts)
    }

    /// Adds the triangles that come within `reach` \[m\] of `x`, and maybe some that come nearly so
    /// near, in no order; their numbers start from `first`.
    pub fn add_within(
        &self,
        triangles: &[[Vec3; 3]],
        x: &Point,
        reach: Real,
        first: u32,
        found: &mut Vec<u32>,
    ) {
        let reach = f64::from(reach) * (1.0 + SLACK);
        self.within(x, reach, |leaf| {
            let is_near = |t: &&u32| {
                let corners = triangles[**t as usize].map(|c| to_point(&c));
                offset_to_triangle(x, &corners).norm_squared() <= reach * reach
            };
            found.extend(leaf.iter().filter(is_near).map(|t| first + t));
        });
    }

    #[inline]
    fn best(
        &self,
        triangles: &[[Vec3; 3]],
        x: &Point,
        reach: Real,
        surface: SurfaceId,
        passed: impl Fn(usize) -> bool,
        counts: impl Fn(&NearTriangle) -> bool,
    ) -> Option<NearTriangle> {
        let mut search = Search::new(triangles, x, reach, surface);
        self.nearest_first(x, search.bound, passed, |leaf, _| {
            leaf.iter().for_each(|&t| search.look_at(t, &counts));
            search.bound
        });
        search.best.map(|(_, best)| best)
    }

    /// The number of the triangle nearest to `x`, and its distance \[m\].
    pub fn nearest_number(&self, triangles: &[[Vec3; 3]], x: &Point) -> Option<(u32, f64)> {
        let mut search = Search::new(triangles, x, Real::INFINITY, SurfaceId::WALL);
        self.nearest_first(
            x,
            search.bound,
            |_| false,
            |leaf, _| {
                leaf.iter().for_each(|&t| search.look_at(t, &|_| true));
                search.bound
            },
        );
        search.best.map(|(t, best)| (t, f64::from(best.near.distance)))
    }

    /// Whether none of a node's triangles faces `x`.
    fn is_turned_away(&self, node: usize, x: &Point) -> bool {
        let Some((axis, angle)) = self.moments[node].cone() else { return false };
        let (centre, radius) = ball_around(&self.boxes[node]);
        let way = x - centre;
        let far = way.norm();
        if far <= radius {
            return false;
        }
        // Between the axis, whichever way it points, and the line to the middle.
        let cosine = axis.dot(&way).abs() / far;
        // No more than the cosine of the widest angle with one that faces x, which is acute where
        // that is positive: of the sum of the cone's and of the one under which the node is seen.
        let cone = FACING_ANGLE + f64::from(angle) + SLACK;
        let square = cone * cone;
        let low_cosine = 1.0 - square * (0.5 - square * (1.0 / 24.0 - square / 720.0));
        let high_sine = cone * (1.0 - square * (1.0 / 6.0 - square / 120.0));
        let sine = radius / far;
        let widest = low_cosine * (1.0 - sine * sine).sqrt() - high_sine * sine;
        low_cosine > 0.0 && widest > cosine
    }

    /// Whether all of a node's triangles are part of a face: in one direction with it, or behind
    /// its plane.
    fn is_part(&self, node: usize, x: &Point, face: &NearSolid) -> bool {
        let bounds = &self.boxes[node];
        let (normal, distance) = (to_point(&face.normal), f64::from(face.distance));
        // The corner that is highest over the plane.
        let highest = Point::from_fn(|a, _| {
            f64::from(if normal[a] > 0.0 { bounds.max[a] } else { bounds.min[a] })
        });
        let height = normal.dot(&(highest - x)) + distance;
        let far = square_distance(bounds, x).sqrt();
        if height <= f64::from(RISES) * distance - SLACK * (distance + far) {
            return true;
        }
        let (centre, radius) = ball_around(bounds);
        let way = x - centre;
        let far = way.norm();
        // cos(α + β) of the angles to the middle and from there to the corners.
        let [cosine, sine] = [normal.dot(&way) / far, radius / far];
        let aside = (1.0 - cosine * cosine).max(0.0).sqrt();
        let least = cosine * (1.0 - sine * sine).max(0.0).sqrt() - aside * sine;
        sine < cosine && least > f64::from(SAME_FACE) + SLACK
    }
}
