//! Cuts single triangles where they meet others, and tells which parts are on the boundary.
//!
//! A triangle is cut recursively along the segments in which others meet it ([`super::overlay`]),
//! and winding numbers beside each part tell its side; parts that turn out alike are united again.

use super::overlay::{Facet, rounding_of};
use super::polygon::{Polygon, Segment, centroid, fan, runs_through, split_along};
use hashfall_core::{Real, vec3};
use hashfall_geometry::{Aabb, Point};
use hashfall_search::{BroadPhase, Bvh};

/// Parts of the offset at which the sides of a feature are looked at again if both seem outside.
const SHORTER: [f64; 2] = [1.0 / 8.0, 1.0 / 64.0];

/// The meshes in which a point lies.
pub type Around<'a> = &'a (dyn Fn(&Point) -> Vec<u32> + Sync);

/// What of a triangle is on the boundary.
#[derive(Clone, Debug, PartialEq)]
pub enum Visible {
    /// All of it.
    All,
    /// These parts, facing outwards.
    Parts(Vec<[Point; 3]>),
}

impl Visible {
    /// Nothing of it.
    pub const NOTHING: Visible = Visible::Parts(vec![]);
}

/// How one triangle meets the others.
#[derive(Clone, Debug, Default)]
pub struct Meetings {
    segments: Vec<Segment>,
    /// Triangles that share a part of its plane, ascending.
    coplanar: Vec<u32>,
    /// All triangles that cut or cover it.
    pub others: Vec<u32>,
    /// How far from its parts winding numbers are asked for \[m\].
    offset: f64,
}

/// How the two sides of a part of a triangle differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    /// The solid is behind it.
    Behind,
    /// The solid is in front of it.
    InFront,
    /// Neither side is outside, or both are, or another face is there already.
    Hidden,
}

/// What came of a part.
enum Outcome {
    Alike(Side),
    /// Boundary, facing outwards.
    Mixed(Vec<[Point; 3]>),
}

/// A half of a part, and what came of it.
struct Half {
    polygon: Polygon,
    outcome: Outcome,
}

/// Triangles that may meet.
pub struct Cutter<'a> {
    facets: &'a [Facet],
    /// Around each and all that touches it.
    pub boxes: Vec<Aabb>,
    index: Bvh,
}

impl<'a> Cutter<'a> {
    pub fn new(facets: &'a [Facet]) -> Self {
        let boxes: Vec<Aabb> = facets.iter().map(|facet| bounds(&facet.corners)).collect();
        let mut index = Bvh::default();
        index.rebuild(&boxes, 0.0);
        Cutter { facets, boxes, index }
    }

    /// How a triangle meets those others that `counts`.
    pub fn meetings(&self, t: u32, counts: impl Fn(&Facet) -> bool) -> Meetings {
        let own = &self.facets[t as usize];
        let mut found = Meetings { offset: own.rounding, ..Meetings::default() };
        let mut limit = own.limit;
        if !own.has_area() {
            return found;
        }
        let mut near = Vec::new();
        self.index.candidates(&self.boxes[t as usize], |other| near.push(other));
        near.sort_unstable();
        let centre = centroid(&own.corners);
        for other in near {
            let facet = &self.facets[other as usize];
            if other == t || !facet.has_area() || !counts(facet) {
                continue;
            }
            let meeting = own.meet(facet);
            let is_covered = meeting.is_coplanar && facet.covers(&centre);
            if meeting.segments.is_empty() && !is_covered {
                continue;
            }
            found.segments.extend(meeting.segments);
            found.others.push(other);
            found.offset = found.offset.max(facet.rounding);
            limit = limit.min(facet.limit);
            if meeting.is_coplanar {
                found.coplanar.push(other);
            }
        }
        found.offset = 1.5 * found.offset.min(limit);
        found
    }

    /// Tells what of a triangle is visible, and pairs of meshes of which one hides it.
    pub fn resolve(&self, t: u32, meetings: &Meetings, around: Around) -> (Visible, Vec<[u32; 2]>) {
        let facet = &self.facets[t as usize];
        if !facet.has_area() {
            return (Visible::NOTHING, vec![]);
        }
        let part = Part { facet, t, offset: meetings.offset, around };
        let corners = facet.corners.to_vec();
        let visible =
            match self.resolve_part(&part, corners, &meetings.segments, &meetings.coplanar) {
                Outcome::Alike(Side::Behind) => Visible::All,
                Outcome::Alike(Side::InFront) => Visible::Parts(vec![flipped(facet.corners)]),
                Outcome::Alike(Side::Hidden) => Visible::NOTHING,
                Outcome::Mixed(parts) => Visible::Parts(parts),
            };
        // A shell within another meets it without a triangle that does.
        let mut hiding = Vec::new();
        if visible == Visible::NOTHING {
            let behind = centroid(&facet.corners) - facet.normal * part.offset;
            hiding = around(&behind);
            hiding.retain(|&mesh| mesh != facet.mesh);
        }
        let pair = |mesh: u32| [mesh.min(facet.mesh), mesh.max(facet.mesh)];
        (visible, hiding.into_iter().map(pair).collect())
    }

    /// Tells what of a convex part of a triangle is visible.
    fn resolve_part(
        &self,
        part: &Part,
        polygon: Polygon,
        segments: &[Segment],
        coplanar: &[u32],
    ) -> Outcome {
        let Part { facet, offset, .. } = part;
        let tolerance = facet.tolerance(facet);
        let through =
            |segment: &&Segment| runs_through(&polygon, &facet.normal, segment, tolerance);
        let mut left: Vec<Segment> = segments.iter().filter(through).copied().collect();
        // From the middle, so that both sides have about as many.
        while !left.is_empty() {
            let segment = left.swap_remove(left.len() / 2);
            let cut = split_along(&polygon, &facet.normal, &segment, tolerance);
            if let Some(halves) = cut {
                return unite(halves.map(|polygon| {
                    let near = self.around(&polygon, coplanar, *offset);
                    let outcome = self.resolve_part(part, polygon.clone(), &left, &near);
                    Half { polygon, outcome }
                }));
            }
        }
        Outcome::Alike(self.side(part, &centroid(&polygon), coplanar))
    }

    /// Of these triangles those whose boxes come near to a polygon.
    fn around(&self, polygon: &[Point], triangles: &[u32], offset: f64) -> Vec<u32> {
        let corner = |of: fn(&Point, &Point) -> Point, points: &[Point]| {
            points.iter().skip(1).fold(points[0], |all, p| of(&all, p))
        };
        let (inf, sup) = (Point::inf as fn(&Point, &Point) -> Point, Point::sup);
        let (low, high) = (corner(inf, polygon), corner(sup, polygon));
        let is_near = |t: &&u32| {
            let corners = &self.facets[**t as usize].corners;
            let (others_low, others_high) = (corner(inf, corners), corner(sup, corners));
            (0..3).all(|a| others_low[a] <= high[a] + offset && low[a] <= others_high[a] + offset)
        };
        triangles.iter().filter(is_near).copied().collect()
    }

    /// On which side of a point of a triangle the solid is.
    fn side(&self, part: &Part, at: &Point, coplanar: &[u32]) -> Side {
        let Part { facet, t, offset, around } = part;
        let is_solid = |offset: f64| !around(&(at + facet.normal * offset)).is_empty();
        let sides = |part: f64| [-1.0, 1.0].map(|side| is_solid(side * part * offset));
        // Where the solid is thinner than the offset, a shorter one is needed to find it.
        let shorter = || SHORTER.map(sides).into_iter().find(|sides| *sides != [false; 2]);
        let is_there_already = |other: &u32| {
            let earlier = &self.facets[*other as usize];
            other < t && earlier.normal.dot(&facet.normal) > 0.0 && earlier.covers(at)
        };
        let found = match sides(1.0) {
            [false, false] => shorter().unwrap_or_default(),
            found => found,
        };
        match found {
            [true, true] | [false, false] => Side::Hidden,
            _ if coplanar.iter().any(is_there_already) => Side::Hidden,
            [true, false] => Side::Behind,
            [false, true] => Side::InFront,
        }
    }
}

/// The meshes whose winding numbers, by the crossings of a ray, are not 0.
pub fn wound_around(crossings: impl Iterator<Item = (u32, i32)>) -> Vec<u32> {
    let mut around: Vec<(u32, i32)> = Vec::new();
    for (mesh, sign) in crossings {
        match around.iter_mut().find(|(known, _)| *known == mesh) {
            Some((_, sum)) => *sum += sign,
            None => around.push((mesh, sign)),
        }
    }
    around.into_iter().filter(|(_, sum)| *sum != 0).map(|(mesh, _)| mesh).collect()
}

/// The box around a triangle and all that touches it.
#[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f32")]
pub fn bounds(corners: &[Point; 3]) -> Aabb {
    // Twice what rounding takes, as for the tolerance; and the rounding of the box itself.
    let rounding = rounding_of(corners);
    Aabb::around(&corners.map(|c| vec3(c.into()))).grown((2.5 * rounding) as Real)
}

/// A triangle whose parts are told.
struct Part<'a> {
    facet: &'a Facet,
    t: u32,
    /// How far from it winding numbers are asked for \[m\].
    offset: f64,
    around: Around<'a>,
}

/// What came of two halves of one polygon.
fn unite([a, b]: [Half; 2]) -> Outcome {
    if let (Outcome::Alike(side), Outcome::Alike(other)) = (&a.outcome, &b.outcome)
        && side == other
    {
        return Outcome::Alike(*side);
    }
    let parts = |Half { polygon, outcome }: Half| match outcome {
        Outcome::Alike(Side::Behind) => fan(&polygon).collect(),
        Outcome::Alike(Side::InFront) => fan(&polygon).map(flipped).collect(),
        Outcome::Alike(Side::Hidden) => vec![],
        Outcome::Mixed(parts) => parts,
    };
    let mut all = parts(a);
    all.extend(parts(b));
    Outcome::Mixed(all)
}

/// The triangle facing the other way.
pub fn flipped([a, b, c]: [Point; 3]) -> [Point; 3] {
    [a, c, b]
}
