//! Which parts of the triangles of meshes are the boundary of their union.
//!
//! Idea: the arrangement of the triangles, as for Boolean operations on meshes (Zhou, Grinspun,
//! Zorin & Jacobson, Mesh arrangements for solid geometry (2016)). Triangles are cut where they
//! meet others, and winding numbers beside each part tell whether it is on the boundary: a point is
//! inside the union if the winding number of one of the meshes is not 0 there.
//!
//! Deviations: the parts need not share corners, as only an integral over them is taken, so that
//! double precision is enough; each triangle is cut on its own, recursively along one segment after
//! the other, and parts that turn out alike are united again. Faces that touch up to rounding
//! ([`super::overlay`]) are coplanar: between two solids that touch both are hidden, and of faces
//! that are there twice the first counts.
//!
//! A shell (triangles joined by corners) that meets no triangle of another is on one side of all
//! others as a whole, so that one point of it tells. The cost is that of one query of boxes for
//! each triangle, and of two winding numbers for each triangle of shells that meet.

use super::overlay::Facet;
use super::polygon::{Polygon, Segment, centroid, fan, runs_through, split_along};
use crate::base::vec3;
use crate::geometry::{Aabb, Interior, Point};
use crate::search::{BroadPhase, Bvh};
use rayon::prelude::*;

/// What of a triangle is on the boundary.
#[derive(Clone, Debug, PartialEq)]
pub enum Visible {
    /// All of it.
    All,
    /// These parts, facing outwards.
    Parts(Vec<[Point; 3]>),
}

/// The triangles of meshes that keep their places to each other.
#[derive(Clone, Debug, Default)]
pub struct Triangles {
    pub facets: Vec<Facet>,
    /// The shell of each.
    pub shells: Vec<u32>,
}

impl Triangles {
    /// Adds the triangles of a mesh of so many vertices.
    pub fn add_mesh(
        &mut self,
        vertices: usize,
        triangles: &[[u32; 3]],
        facet: impl Fn(&[u32; 3]) -> Facet,
    ) {
        // Each vertex leads to one before it in its shell, the first to itself.
        let mut before: Vec<u32> = (0..vertices as u32).collect();
        let find = |before: &mut [u32], mut v: u32| {
            while before[v as usize] != v {
                before[v as usize] = before[before[v as usize] as usize];
                v = before[v as usize];
            }
            v
        };
        for t in triangles {
            let ends = t.map(|v| find(&mut before, v));
            let first = ends[0].min(ends[1]).min(ends[2]);
            ends.iter().for_each(|&end| before[end as usize] = first);
        }
        let start = self.shells.iter().max().map_or(0, |last| last + 1);
        let mut numbers = vec![u32::MAX; vertices];
        let mut count = 0;
        for t in triangles {
            let first = find(&mut before, t[0]) as usize;
            if numbers[first] == u32::MAX {
                numbers[first] = count;
                count += 1;
            }
            self.shells.push(start + numbers[first]);
        }
        self.facets.extend(triangles.iter().map(facet));
    }
}

/// Their boundary.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Arrangement {
    /// By triangle.
    pub visible: Vec<Visible>,
    /// Pairs of meshes that meet, the lower first.
    pub meeting: Vec<[u32; 2]>,
}

/// How one triangle meets the others.
#[derive(Clone, Debug, Default)]
struct Meetings {
    segments: Vec<Segment>,
    /// Triangles that share a part of its plane, ascending.
    coplanar: Vec<u32>,
    /// All triangles that cut or cover it.
    others: Vec<u32>,
    /// How far from its parts winding numbers are asked for \[m\].
    offset: f64,
}

impl Meetings {
    fn is_none(&self) -> bool {
        self.others.is_empty()
    }
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

impl Arrangement {
    pub fn new(triangles: &Triangles) -> Self {
        let Triangles { facets, shells } = triangles;
        let boxes: Vec<Aabb> = facets.iter().map(bounds).collect();
        let mut index = Bvh::default();
        index.rebuild(&boxes, 0.0);
        let meetings: Vec<Meetings> = (0..facets.len())
            .into_par_iter()
            .map(|t| meetings(facets, t, &boxes, &index))
            .collect();
        let mut scene = Scene { facets, meetings, interior: None };
        let mut meeting = scene.meeting_meshes();
        let suspects = scene.suspects(shells, &boxes);
        let mut visible = vec![Visible::All; facets.len()];
        if !suspects.is_empty() {
            scene.interior =
                Some(Interior::from_points(facets.iter().map(|f| f.corners).collect()));
            let told: Vec<_> =
                suspects.par_iter().map(|shell| scene.resolve_shell(shell)).collect();
            for (t, parts, pairs) in told.into_iter().flatten() {
                visible[t as usize] = parts;
                meeting.extend(pairs);
            }
        }
        meeting.sort_unstable();
        meeting.dedup();
        Arrangement { visible, meeting }
    }
}

/// The box around a triangle and all that touches it.
fn bounds(facet: &Facet) -> Aabb {
    let corners = facet.corners.map(|c| vec3(c.into()));
    // Twice what rounding takes, as for the tolerance; and the rounding of the box itself.
    Aabb::around(&corners).grown((2.5 * facet.rounding) as crate::base::Real)
}

/// How a triangle meets all others.
fn meetings(facets: &[Facet], t: usize, boxes: &[Aabb], index: &Bvh) -> Meetings {
    let own = &facets[t];
    let mut found = Meetings { offset: own.rounding, ..Meetings::default() };
    if !own.has_area() {
        return found;
    }
    let mut near = Vec::new();
    index.candidates(&boxes[t], |other| near.push(other));
    near.sort_unstable();
    let centre = centroid(&own.corners);
    for other in near {
        let facet = &facets[other as usize];
        if other as usize == t || !facet.has_area() {
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
        if meeting.is_coplanar {
            found.coplanar.push(other);
        }
    }
    found.offset *= 1.5;
    found
}

/// Triangles that are told together.
enum Shell {
    /// Some meet others: each is told on its own.
    Meeting(Vec<u32>),
    /// None meets another: all are on one side of all others.
    Apart(Vec<u32>),
}

/// What is told of a triangle: what of it is visible, and pairs of meshes that it tells to meet.
type Told = (u32, Visible, Vec<[u32; 2]>);

/// All triangles, and how they meet.
struct Scene<'a> {
    facets: &'a [Facet],
    meetings: Vec<Meetings>,
    /// Of all of them, once there is a shell to ask for.
    interior: Option<Interior>,
}

impl Scene<'_> {
    /// Pairs of meshes whose triangles meet.
    fn meeting_meshes(&self) -> Vec<[u32; 2]> {
        let mesh = |t: usize| self.facets[t].mesh;
        let of_triangle = |t: usize| {
            let others = self.meetings[t].others.iter().map(|&other| mesh(other as usize));
            let pairs = others.map(move |other| [mesh(t).min(other), mesh(t).max(other)]);
            pairs.filter(|[low, high]| low < high)
        };
        (0..self.facets.len()).flat_map(of_triangle).collect()
    }

    /// The shells of which some part may not be on the boundary: those that meet others, and those
    /// whose boxes overlap.
    fn suspects(&self, shells: &[u32], boxes: &[Aabb]) -> Vec<Shell> {
        let count = shells.iter().max().map_or(0, |&last| last as usize + 1);
        let mut members = vec![Vec::new(); count];
        let mut around = vec![Aabb::EMPTY; count];
        for (t, &shell) in shells.iter().enumerate() {
            members[shell as usize].push(t as u32);
            around[shell as usize] = around[shell as usize].union(&boxes[t]);
        }
        let mut index = Bvh::default();
        index.rebuild(&around, 0.0);
        let suspect = |(own, members): (usize, Vec<u32>)| {
            if members.iter().any(|&t| !self.meetings[t as usize].is_none()) {
                return Some(Shell::Meeting(members));
            }
            let mut overlapping = 0;
            index.candidates(&around[own], |_| overlapping += 1);
            (overlapping > 1).then_some(Shell::Apart(members))
        };
        members.into_iter().enumerate().filter_map(suspect).collect()
    }

    fn resolve_shell(&self, shell: &Shell) -> Vec<Told> {
        match shell {
            Shell::Meeting(members) => members.par_iter().map(|&t| self.resolve(t)).collect(),
            Shell::Apart(members) => {
                let has_area = |t: &&u32| self.facets[**t as usize].has_area();
                let first = members.iter().find(has_area).or(members.first());
                let Some(&first) = first else { return vec![] };
                let (_, like, pairs) = self.resolve(first);
                let told = |&t: &u32| {
                    let visible = match &like {
                        Visible::All => Visible::All,
                        Visible::Parts(parts) if parts.is_empty() => Visible::Parts(vec![]),
                        Visible::Parts(_) => {
                            Visible::Parts(vec![flipped(self.facets[t as usize].corners)])
                        }
                    };
                    (t, visible, if t == first { pairs.clone() } else { vec![] })
                };
                members.iter().map(told).collect()
            }
        }
    }

    /// Tells what of a triangle is visible.
    fn resolve(&self, t: u32) -> Told {
        let (facet, meetings) = (&self.facets[t as usize], &self.meetings[t as usize]);
        if !facet.has_area() {
            return (t, Visible::Parts(vec![]), vec![]);
        }
        let part = Part { facet, t, offset: meetings.offset.max(1.5 * facet.rounding) };
        let corners = facet.corners.to_vec();
        let outcome = self.resolve_part(&part, corners, &meetings.segments, &meetings.coplanar);
        let visible = match outcome {
            Outcome::Alike(Side::Behind) => Visible::All,
            Outcome::Alike(Side::InFront) => Visible::Parts(vec![flipped(facet.corners)]),
            Outcome::Alike(Side::Hidden) => Visible::Parts(vec![]),
            Outcome::Mixed(parts) => Visible::Parts(parts),
        };
        // A shell within another meets it without a triangle that does.
        let within = if visible == Visible::Parts(vec![]) {
            let behind = centroid(&facet.corners) - facet.normal * part.offset;
            let around = self.meshes_around(&behind).into_iter().map(|(mesh, _)| mesh);
            let pair = |mesh: u32| [mesh.min(facet.mesh), mesh.max(facet.mesh)];
            around.filter(|mesh| *mesh != facet.mesh).map(pair).collect()
        } else {
            vec![]
        };
        (t, visible, within)
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
        let tolerance = 2.0 * facet.rounding;
        let through =
            |segment: &&Segment| runs_through(&polygon, &facet.normal, segment, tolerance);
        let mut left: Vec<Segment> = segments.iter().filter(through).copied().collect();
        // From the middle, so that both sides have about as many.
        while !left.is_empty() {
            let segment = left.swap_remove(left.len() / 2);
            let cut = split_along(&polygon, &facet.normal, &segment, tolerance);
            if let Some(halves) = cut {
                let [a, b] = halves.map(|half| {
                    let near = self.around(&half, coplanar, *offset);
                    (self.resolve_part(part, half.clone(), &left, &near), half)
                });
                return unite(a, b);
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
        let Part { facet, t, offset } = part;
        let is_solid =
            |side: f64| !self.meshes_around(&(at + facet.normal * (side * offset))).is_empty();
        let is_there_already = |other: &&u32| {
            let earlier = &self.facets[**other as usize];
            **other < *t && earlier.normal.dot(&facet.normal) > 0.0 && earlier.covers(at)
        };
        match [is_solid(-1.0), is_solid(1.0)] {
            [true, true] | [false, false] => Side::Hidden,
            _ if coplanar.iter().any(|other| is_there_already(&other)) => Side::Hidden,
            [true, false] => Side::Behind,
            [false, true] => Side::InFront,
        }
    }

    /// The meshes in which a point lies, with their winding numbers.
    fn meshes_around(&self, at: &Point) -> Vec<(u32, i32)> {
        let mut around: Vec<(u32, i32)> = Vec::new();
        let crossings = self.interior.iter().flat_map(|interior| interior.crossings(at));
        for (t, sign) in crossings {
            let mesh = self.facets[t].mesh;
            match around.iter_mut().find(|(known, _)| *known == mesh) {
                Some((_, sum)) => *sum += sign,
                None => around.push((mesh, sign)),
            }
        }
        around.retain(|(_, sum)| *sum != 0);
        around
    }
}

/// A triangle whose parts are told.
struct Part<'a> {
    facet: &'a Facet,
    t: u32,
    /// How far from it winding numbers are asked for \[m\].
    offset: f64,
}

/// What came of two parts of one polygon.
fn unite(a: (Outcome, Polygon), b: (Outcome, Polygon)) -> Outcome {
    if let (Outcome::Alike(side), Outcome::Alike(other)) = (&a.0, &b.0)
        && side == other
    {
        return Outcome::Alike(*side);
    }
    let parts = |(outcome, polygon): (Outcome, Polygon)| match outcome {
        Outcome::Alike(Side::Behind) => fan(&polygon).collect(),
        Outcome::Alike(Side::InFront) => fan(&polygon).map(flipped).collect(),
        Outcome::Alike(Side::Hidden) => vec![],
        Outcome::Mixed(parts) => parts,
    };
    let mut all = parts(a);
    all.extend(parts(b));
    Outcome::Mixed(all)
}

fn flipped([a, b, c]: [Point; 3]) -> [Point; 3] {
    [a, c, b]
}
