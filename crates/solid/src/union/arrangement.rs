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

use super::cutting::{Cutter, Meetings, Visible, flipped, wound_around};
use super::overlay::{Facet, rounding_of};
use hashfall_core::parallel;
use hashfall_geometry::{Aabb, DisjointSets, Interior, Point};
use hashfall_search::{BroadPhase, Bvh};

/// The triangles of meshes that keep their places to each other.
#[derive(Clone, Debug, Default)]
pub struct Triangles {
    pub facets: Vec<Facet>,
    /// The shell of each.
    pub shells: Vec<u32>,
}

impl Triangles {
    /// Adds the triangles of a mesh with this number of vertices.
    pub fn add_mesh(
        &mut self,
        vertices: usize,
        triangles: &[[u32; 3]],
        facet: impl Fn(&[u32; 3]) -> Facet,
    ) {
        let mut sets = joined_by_corners(vertices, triangles);
        let start = self.shells.iter().max().map_or(0, |last| last + 1);
        let mut numbers = vec![u32::MAX; vertices];
        let mut count = 0;
        for t in triangles {
            let first = sets.find(t[0] as usize);
            if numbers[first] == u32::MAX {
                numbers[first] = count;
                count += 1;
            }
            self.shells.push(start + numbers[first]);
        }
        self.facets.extend(triangles.iter().map(facet));
    }

    /// Limits what counts as rounding to a part of the thickness of each shell.
    ///
    /// The thickness is taken as 2 V/A of the volume V and the area A of a shell: that of a plate,
    /// a third of the edge of a cube. A shell as thin as rounding may have made it keeps no limit.
    pub fn limit_rounding(&mut self) {
        let mut sums: Vec<Option<ShellSum>> = Vec::new();
        for (facet, &shell) in self.facets.iter().zip(&self.shells) {
            sums.resize((shell as usize + 1).max(sums.len()), None);
            sums[shell as usize].get_or_insert(ShellSum::at(facet.corners[0])).add(&facet.corners);
        }
        for (facet, &shell) in self.facets.iter_mut().zip(&self.shells) {
            facet.limit = sums[shell as usize].map_or(f64::INFINITY, |sum| sum.limit());
        }
    }
}

/// The vertices of each shell of a mesh.
pub fn joined_by_corners(vertices: usize, triangles: &[[u32; 3]]) -> DisjointSets {
    let mut sets = DisjointSets::new(vertices);
    for [a, b, c] in triangles.iter().map(|t| t.map(|v| v as usize)) {
        sets.union(a, b);
        sets.union(a, c);
    }
    sets
}

/// Part of a shell's thickness that may count as rounding: an eighth is then the farthest that
/// winding numbers are asked for behind its faces.
const THIN: f64 = 1.0 / 12.0;

/// What the triangles of a shell add up to.
#[derive(Clone, Copy)]
pub struct ShellSum {
    origin: Point,
    /// \[m³\].
    volume: f64,
    /// \[m²\].
    area: f64,
    /// The largest of a triangle \[m\].
    rounding: f64,
}

impl ShellSum {
    /// Of none yet; `origin` is one of their corners \[m\].
    pub fn at(origin: Point) -> Self {
        ShellSum { origin, volume: 0.0, area: 0.0, rounding: 0.0 }
    }

    /// Adds a triangle.
    pub fn add(&mut self, corners: &[Point; 3]) {
        let [a, b, c] = corners;
        let doubled = (b - a).cross(&(c - a));
        self.volume += doubled.dot(&(a - self.origin)) / 6.0;
        self.area += 0.5 * doubled.norm();
        self.rounding = self.rounding.max(rounding_of(corners));
    }

    /// The most that may count as rounding \[m\].
    pub fn limit(&self) -> f64 {
        let thickness = 2.0 * self.volume.abs() / self.area;
        // A quarter of the tolerance is some units in the last place of a coordinate.
        if thickness > 0.25 * self.rounding { THIN * thickness } else { f64::INFINITY }
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

/// Triangles that are told together.
enum Shell {
    /// Some meet others: each is told on its own.
    Meeting(Vec<u32>),
    /// None meets another: all are on one side of all others.
    Apart(Vec<u32>),
}

/// What is told of a triangle: what of it is visible, and pairs of meshes that it tells to meet.
type Resolved = (u32, Visible, Vec<[u32; 2]>);

impl Arrangement {
    /// Of this number of triangles, each of which is on the boundary.
    pub fn whole(triangles: usize) -> Self {
        Arrangement { visible: vec![Visible::All; triangles], meeting: vec![] }
    }

    pub fn new(triangles: &Triangles) -> Self {
        let Triangles { facets, shells } = triangles;
        let cutter = Cutter::new(facets);
        let meetings = parallel::map(facets.len(), |t| cutter.meetings(t as u32, |_| true));
        let mut meeting = meeting_meshes(facets, &meetings);
        let mut visible = vec![Visible::All; facets.len()];
        let suspects = suspects(shells, &meetings, &cutter.boxes);
        if !suspects.is_empty() {
            let interior = Interior::from_points(facets.iter().map(|f| f.corners).collect());
            let around = |p: &Point| {
                let crossings = interior.crossings(p);
                wound_around(crossings.map(|(t, sign)| (facets[t].mesh, sign)))
            };
            let resolve = |t: u32| {
                let (visible, pairs) = cutter.resolve(t, &meetings[t as usize], &around);
                (t, visible, pairs)
            };
            let resolve = |k: usize| suspects[k].resolve(facets, &resolve);
            let resolved = parallel::map_pieces(suspects.len(), &resolve);
            for (t, parts, pairs) in resolved.into_iter().flatten() {
                visible[t as usize] = parts;
                meeting.extend(pairs);
            }
        }
        meeting.sort_unstable();
        meeting.dedup();
        Arrangement { visible, meeting }
    }
}

/// Pairs of meshes whose triangles meet.
fn meeting_meshes(facets: &[Facet], meetings: &[Meetings]) -> Vec<[u32; 2]> {
    let of_triangle = |(facet, meetings): (&Facet, &Meetings)| {
        let others = meetings.others.iter().map(|&other| facets[other as usize].mesh);
        let pairs = others.map(|other| [facet.mesh.min(other), facet.mesh.max(other)]);
        pairs.filter(|[low, high]| low < high).collect::<Vec<_>>()
    };
    facets.iter().zip(meetings).flat_map(of_triangle).collect()
}

/// The shells of which some part may not be on the boundary: those that meet others, and those
/// whose boxes overlap.
fn suspects(shells: &[u32], meetings: &[Meetings], boxes: &[Aabb]) -> Vec<Shell> {
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
        if members.iter().any(|&t| !meetings[t as usize].others.is_empty()) {
            return Some(Shell::Meeting(members));
        }
        let mut overlapping = 0;
        index.candidates(&around[own], |_| overlapping += 1);
        (overlapping > 1).then_some(Shell::Apart(members))
    };
    members.into_iter().enumerate().filter_map(suspect).collect()
}

impl Shell {
    fn resolve(
        &self,
        facets: &[Facet],
        resolve: &(dyn Fn(u32) -> Resolved + Sync),
    ) -> Vec<Resolved> {
        let members = match self {
            Shell::Meeting(members) => {
                return parallel::map(members.len(), |k| resolve(members[k]));
            }
            Shell::Apart(members) => members,
        };
        let has_area = |t: &&u32| facets[**t as usize].has_area();
        let Some(&first) = members.iter().find(has_area).or(members.first()) else {
            return vec![];
        };
        let (_, like, mut pairs) = resolve(first);
        let turned = |t: u32| Visible::Parts(vec![flipped(facets[t as usize].corners)]);
        let resolved = |&t: &u32| {
            let is_turned = matches!(&like, Visible::Parts(parts) if !parts.is_empty());
            let visible = if is_turned { turned(t) } else { like.clone() };
            (t, visible, std::mem::take(&mut pairs))
        };
        members.iter().map(resolved).collect()
    }
}
