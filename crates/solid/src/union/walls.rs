//! The part of a mesh that lies in the domain.
//!
//! Beyond a wall all is solid, so that of a mesh only what lies in the domain counts besides the
//! walls: λ(walls ∪ mesh) = λ(walls) + λ(mesh ∩ domain), as both are disjoint. The boundary of
//! mesh ∩ domain is the mesh's own where it lies in the domain, and *covers*, which close it in the
//! planes of the walls. Clamping coordinates to the domain takes the mesh's surface there: each
//! part beyond a wall goes to the wall, and what lies beyond two walls goes to their edge and is
//! nothing. Covers facing both ways in one place cancel. So every triangle is clamped on its own.
//!
//! A face that lies in a wall, up to rounding, and faces the fluid stands for the wall there.

use super::overlay::ROUNDING;
use super::polygon::{Polygon, split};
use crate::precision::to_point;
use hashfall_geometry::{Aabb, Point};

/// The planes of the domain's walls.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Walls {
    /// Lowest and highest coordinate; infinite where there are no walls \[m\].
    pub bounds: [Point; 2],
}

/// Part of a triangle, clamped to the domain.
#[derive(Clone, Debug, PartialEq)]
pub struct Clamped {
    pub polygon: Polygon,
    /// The wall that it covers: low x, high x, low y, …; `None` if it is the mesh's own surface.
    pub covers: Option<u8>,
}

impl Walls {
    /// Whether all points lie within the walls, and not within `tolerance` \[m\] of one.
    pub fn hold(&self, points: &[Point], tolerance: f64) -> bool {
        let [low, high] = &self.bounds;
        points
            .iter()
            .all(|p| (0..3).all(|a| low[a] + tolerance < p[a] && p[a] < high[a] - tolerance))
    }

    /// Whether a box lies beyond a wall, and not just up to rounding.
    pub fn exclude(&self, bounds: &Aabb) -> bool {
        let [low, high] = &self.bounds;
        let (min, max) = (to_point(&bounds.min), to_point(&bounds.max));
        let rounding = |x: f64, wall: f64| 2.0 * ROUNDING * x.abs().max(wall.abs());
        (0..3).any(|a| {
            max[a] < low[a] - rounding(max[a], low[a])
                || min[a] > high[a] + rounding(min[a], high[a])
        })
    }

    /// Clamps a convex polygon of this normal.
    pub fn clamp(&self, polygon: &[Point], normal: &Point, tolerance: f64) -> Vec<Clamped> {
        let polygon: Polygon = polygon.iter().map(|p| self.snap(p, tolerance)).collect();
        let flush = (0..6)
            .find(|&wall| polygon.iter().all(|p| p[wall / 2] == self.bounds[wall % 2][wall / 2]));
        let faces_fluid = |wall: usize| {
            let inward = if wall.is_multiple_of(2) { 1.0 } else { -1.0 };
            normal[wall / 2] * inward > 0.0
        };
        let covers = flush.filter(|&wall| !faces_fluid(wall)).map(|wall| wall as u8);
        let mut parts = vec![Clamped { polygon, covers }];
        for axis in 0..3 {
            let is_flush = flush.is_some();
            parts =
                parts.into_iter().flat_map(|part| self.clamp_axis(part, axis, is_flush)).collect();
        }
        parts
    }

    /// Coordinates that are those of a wall up to `tolerance` are the wall's.
    fn snap(&self, p: &Point, tolerance: f64) -> Point {
        let snapped = |axis: usize| {
            let wall = self.bounds.iter().map(|bound| bound[axis]);
            wall.into_iter().find(|w| (p[axis] - w).abs() <= tolerance).unwrap_or(p[axis])
        };
        Point::new(snapped(0), snapped(1), snapped(2))
    }

    /// The parts of a polygon between the two walls of an axis and, clamped, beyond them; none
    /// beyond a second wall.
    fn clamp_axis(&self, part: Clamped, axis: usize, is_flush: bool) -> Vec<Clamped> {
        let mut parts = Vec::with_capacity(1);
        let mut within = Some(part.polygon);
        for (side, bound) in self.bounds.iter().enumerate() {
            let wall = bound[axis];
            let outward = if side == 0 { -1.0 } else { 1.0 };
            let Some(polygon) = within.take() else { break };
            let beyond = |p: &Point| outward * (p[axis] - wall);
            if polygon.iter().all(|p| beyond(p) <= 0.0) {
                within = Some(polygon);
                continue;
            }
            let [outside, inside] = split(&polygon, beyond, 0.0);
            within = inside;
            if let Some(mut polygon) = outside
                && part.covers.is_none()
                && !is_flush
            {
                polygon.iter_mut().for_each(|p| p[axis] = wall);
                parts.push(Clamped { polygon, covers: Some((2 * axis + side) as u8) });
            }
        }
        parts.extend(within.map(|polygon| Clamped { polygon, covers: part.covers }));
        parts
    }
}
