//! Decimation: edges collapse as long as the surface stays within a distance of where it was.
//!
//! The edge of least cost comes first ([`placement`](crate::postprocess::simplify::placement)); its
//! vertex moves to the place that keeps the volume. A collapse is refused where it would move any
//! point of the surface farther than the bound from the first mesh
//! ([`deviation`](crate::postprocess::simplify::deviation)), tear it, flip a triangle, or leave a
//! triangle of low quality that is worse than all before
//! ([`collapse`](crate::postprocess::simplify::collapse)). Vertices on solids merge with those on
//! the same solids, and stay there. Vertices on junction curves are kept.
//!
//! Triangles are grouped by cubes, which are processed in parallel; vertices that cubes share stay,
//! and the next round has larger cubes elsewhere. Cubes do not depend on the number of threads.
//! Within a cube a heap holds the edges by cost. Entries of merged vertices are skipped; the costs
//! of edges one triangle away are not updated, but a collapse is judged by the present mesh.
//! Decimation takes about 4 s of a core per million triangles.

use crate::mesh::SurfaceMesh;
use crate::postprocess::simplify::collapse::Collapser;
use crate::postprocess::simplify::deviation::{EdgeNeighborhood, View};
use crate::postprocess::simplify::merged::MergeMap;
use crate::postprocess::simplify::parts::{
    CUBE, MeshPart, by_cubes, shared_vertices, side_by_side,
};
use crate::postprocess::simplify::placement::Placement;
use crate::postprocess::smoothing::smooth::VertexMotion;
use hashfall_core::geometry::Point;
use hashfall_core::{Real, Vec3, to_f64, vec3};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// How much larger the cubes of the next round are.
const GROWTH: Real = 1.7;

/// Maximum number of rounds.
const MAX_ROUNDS: i32 = 6;

/// A round that removes a smaller share of the triangles is the last.
const MIN_PROGRESS: f64 = 0.01;

/// Decimates a mesh that was extracted on cells of this edge; no point moves farther than
/// `bound` \[m\].
pub(crate) fn decimate(mesh: &mut SurfaceMesh, motion: &VertexMotion, bound: Real, cell: Real) {
    let mut merged = MergeMap::identity(mesh);
    let mut bounds = vec![0.0; mesh.positions.len()];
    let mut triangles = mesh.triangles.clone();
    for round in 0..MAX_ROUNDS {
        let before = triangles.len();
        let cube = CUBE * cell * GROWTH.powi(round);
        // Rounds have no sides in common.
        let shift = 0.38 * cube * round as Real;
        let of_cubes = by_cubes(&triangles, &mesh.positions, cube, shift);
        let parts: Vec<_> = of_cubes.iter().map(Vec::as_slice).collect();
        let mut shared = shared_vertices(mesh.positions.len(), &parts);
        let is_alone = !shared.contains(&true);
        motion.curves.iter().for_each(|curves| curves.mark(&mut shared));
        let thin = |part| PartDecimation::new(part, motion, &bounds, bound).decimate();
        for PartDecimation { part, bounds: of_part, .. } in
            side_by_side(mesh, &parts, |v| shared[v], thin)
        {
            part.write_back(mesh, &mut merged);
            part.vertices.iter().zip(of_part).for_each(|(&v, b)| bounds[v as usize] = b);
        }
        triangles = std::mem::take(&mut merged.triangles);
        if is_alone || (before - triangles.len()) as f64 <= MIN_PROGRESS * before as f64 {
            break;
        }
    }
    merged.triangles = triangles;
    merged.apply(mesh);
}

/// An edge that may be collapsed, the cheapest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Candidate {
    /// The bits of its cost: those of numbers from 0 on are in their order.
    cost: u64,
    edge: [u32; 2],
    /// The merge count of its vertices when the cost was computed.
    age: u32,
}

/// A part in which edges are collapsed.
struct PartDecimation<'a> {
    part: MeshPart,
    motion: &'a VertexMotion<'a>,
    /// How far the surface may be from where it was, at each vertex \[m\].
    bounds: Vec<f64>,
    /// How far it may be at most \[m\].
    most: f64,
    /// How often each vertex has merged.
    ages: Vec<u32>,
    candidates: BinaryHeap<Reverse<Candidate>>,
    patch: EdgeNeighborhood,
}

impl<'a> PartDecimation<'a> {
    fn new(part: MeshPart, motion: &'a VertexMotion<'a>, bounds: &[f64], most: Real) -> Self {
        let bounds = part.pick(bounds);
        let ages = vec![0; bounds.len()];
        let (candidates, patch) = Default::default();
        PartDecimation { part, motion, bounds, most: f64::from(most), ages, candidates, patch }
    }

    /// Collapses all edges that may collapse.
    fn decimate(mut self) -> Self {
        let sides = |[a, b, c]: [u32; 3]| [[a, b], [b, c], [c, a]];
        // Each edge is the side of two triangles, once in either direction.
        let edges: Vec<[u32; 2]> =
            self.part.mesh.triangles().flat_map(sides).filter(|[a, b]| a < b).collect();
        edges.into_iter().for_each(|edge| self.offer(edge));
        while let Some(Reverse(Candidate { edge, age, .. })) = self.candidates.pop() {
            if age == self.age(edge) && self.collapse(edge).is_some() {
                let around = self.part.mesh.neighbors(edge[0]);
                around.into_iter().for_each(|v| self.offer([edge[0], v]));
            }
        }
        self
    }

    fn age(&self, [v, w]: [u32; 2]) -> u32 {
        self.ages[v as usize] + self.ages[w as usize]
    }

    /// Puts an edge into the queue, if its vertices may merge.
    fn offer(&mut self, edge: [u32; 2]) {
        let contact = |v: u32| self.motion.contacts.get(self.part.vertices[v as usize] as usize);
        if !self.part.mesh.is_open(edge) || contact(edge[0]) != contact(edge[1]) {
            return;
        }
        let edge = self.part.in_order(edge);
        if let Some(Placement { cost, .. }) = self.placement(edge) {
            let age = self.age(edge);
            self.candidates.push(Reverse(Candidate { cost: cost.to_bits(), edge, age }));
        }
    }

    /// The best place for an edge, relative to its first vertex.
    fn placement(&mut self, edge: [u32; 2]) -> Option<Placement> {
        self.part.mesh.list_stars(edge);
        let at = places_from(&self.part.mesh, edge[0]);
        let [around_kept, around_gone] = self.part.mesh.stars();
        let triangles = |v: u32, side: &[u32; 2]| [at(v), at(side[0]), at(side[1])];
        let of_kept = around_kept.iter().map(|side| triangles(edge[0], side));
        let others = around_gone.iter().filter(|side| !side.contains(&edge[0]));
        let of_gone = others.map(|side| triangles(edge[1], side));
        let starts = [around_kept, around_gone].into_iter().flatten().map(|side| side[0]);
        let neighbors = starts.filter(|v| !edge.contains(v)).map(&at);
        Placement::best(of_kept.chain(of_gone), neighbors)
    }

    /// Collapses an edge, if bound, topology and shape allow it.
    fn collapse(&mut self, edge: [u32; 2]) -> Option<()> {
        let Placement { at, normal, .. } = self.placement(edge)?;
        let [kept, gone] = edge.map(|v| v as usize);
        let mut place = vec3((exact(&self.part.mesh.positions[kept]) + at).into());
        self.motion.project(self.part.vertices[kept] as usize, &mut place);
        let bound = self.bound_at(edge, &place, &normal)?;
        let normal = self.normal_at(edge, &place);
        if !self.part.merge(edge, place, normal) {
            return None;
        }
        self.bounds[kept] = bound;
        self.ages[kept] += 1;
        self.ages[gone] += 1;
        Some(())
    }

    /// How far from where it was the surface is if an edge, the last one that was looked at, goes
    /// to a place, given the normal around it; `None` if that is too far, or unknown.
    fn bound_at(&mut self, edge: [u32; 2], place: &Vec3, normal: &Point) -> Option<f64> {
        let view = View::along(normal)?;
        let mesh = &self.part.mesh;
        let at = places_from(mesh, edge[0]);
        let see = |v: u32| view.see(v, &at(v), self.bounds[v as usize]);
        self.patch.update(edge, mesh.stars(), see);
        let place = exact(place) - exact(&mesh.positions[edge[0] as usize]);
        self.patch.bound_at(&view.see(edge[0], &place, 0.0), self.most)
    }

    /// The normal at a place beside an edge: between those of its vertices.
    fn normal_at(&self, edge: [u32; 2], place: &Vec3) -> Vec3 {
        let mesh = &self.part.mesh;
        let [v, w] = edge.map(|v| v as usize);
        let along = mesh.positions[w] - mesh.positions[v];
        let share = (place - mesh.positions[v]).dot(&along) / along.norm_squared();
        let normal = mesh.normals[v].lerp(&mesh.normals[w], share.clamp(0.0, 1.0));
        normal.try_normalize(0.0).unwrap_or(mesh.normals[v])
    }
}

fn exact(place: &Vec3) -> Point {
    Point::from(to_f64(place))
}

/// Where vertices are, relative to one of them.
fn places_from(mesh: &Collapser, origin: u32) -> impl Fn(u32) -> Point {
    let exact = |v: u32| exact(&mesh.positions[v as usize]);
    let origin = exact(origin);
    move |v| exact(v) - origin
}
