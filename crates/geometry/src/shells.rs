//! The shells of a mesh: its connected surfaces, how they nest, and which way they face.
//!
//! Triangles that share an edge belong to one shell. At an edge of more than two triangles those
//! are paired that bound one wedge of the inside: going around the edge, a triangle where the
//! inside begins pairs with the one where it ends, as brackets do. So bodies that touch along an
//! edge are shells of their own.
//!
//! A shell is nested in another if points just within it, at triangles spread over it, all lie in
//! the other. A shell that is nested in none and faces inwards is turned, with all that are nested
//! in it: a cavity stays a cavity.

use super::closure::{Edge, Edges};
use super::disjoint_sets::DisjointSets;
use super::{Aabb, Interior, Point, TriangleMesh};
use hashfall_core::to_f64;

/// Triangles of a shell at which it is asked whether another shell is around it.
const MAX_SAMPLES: usize = 64;
/// Depth of the points asked about, in square roots of their triangle's area \[–\].
const DEPTH: f64 = 1e-5;
/// Directions around an edge differ by this much at least: a number as [`turn`] has \[–\].
const SAME_PLANE: f64 = 1.0 / 1_048_576.0;
/// Volumes below this share of the cubed extent are none \[–\].
const NO_VOLUME: f64 = 1e-9;

/// A closed mesh whose outermost shells face outwards.
pub(super) struct Oriented {
    /// The mesh.
    pub mesh: TriangleMesh,
    /// Number of shells.
    pub shells: usize,
    /// The first triangle of each outermost shell that faced inwards and was turned.
    pub turned: Vec<usize>,
    /// Whether every triangle was turned.
    pub all_turned: bool,
    /// The first triangle of each shell that faces the same way as the one it is nested in.
    pub united: Vec<usize>,
}

/// The number of shells of a welded mesh, which need not be closed.
pub fn count_shells(mesh: &TriangleMesh) -> usize {
    Shells::new(mesh, &Edges::new(mesh)).triangles.len()
}

/// Turns the outermost shells of a welded, closed mesh with these edges outwards.
pub(super) fn orient(mut mesh: TriangleMesh, edges: Edges) -> Oriented {
    let shells = Shells::new(&mesh, &edges);
    drop(edges);
    let volumes: Vec<f64> = (0..shells.triangles.len()).map(|s| shells.volume(&mesh, s)).collect();
    let parents = shells.parents(&mesh, &volumes);
    let outermost = |mut shell: usize| {
        while let Some(parent) = parents[shell] {
            shell = parent;
        }
        shell
    };
    let (mut turned, mut united) = (Vec::new(), Vec::new());
    let all_turned = (0..volumes.len()).all(|s| volumes[outermost(s)] < 0.0);
    for (s, triangles) in shells.triangles.iter().enumerate() {
        if volumes[outermost(s)] < 0.0 {
            triangles.iter().for_each(|&t| mesh.triangles[t as usize].swap(1, 2));
        }
        match parents[s] {
            None if volumes[s] < 0.0 => turned.push(triangles[0] as usize),
            Some(parent) if volumes[s] * volumes[parent] > 0.0 => {
                united.push(triangles[0] as usize)
            }
            _ => {}
        }
    }
    Oriented { mesh, shells: volumes.len(), turned, all_turned, united }
}

/// Whether no point lies within a closed mesh, as in a doubled sheet.
pub(super) fn encloses_nothing(mesh: &TriangleMesh) -> bool {
    let extent = f64::from(mesh.bounds().extent().max());
    if mesh.signed_volume().abs() > NO_VOLUME * extent.powi(3) {
        return false;
    }
    // Parts of opposite orientation may have volumes that cancel.
    let interior = Interior::new(mesh);
    let all: Vec<u32> = (0..mesh.triangles.len() as u32).collect();
    let both = [1.0, -1.0].into_iter().flat_map(|side| samples(mesh, &all, side));
    both.into_iter().all(|point| interior.winding_number(&point) == 0)
}

/// Points close to some triangles, on the side that these face for +1, on the other for −1.
fn samples(mesh: &TriangleMesh, triangles: &[u32], side: f64) -> Vec<Point> {
    let spread = triangles.iter().step_by(triangles.len().div_ceil(MAX_SAMPLES).max(1));
    let samples = spread.filter_map(|&t| {
        let [a, b, c] = mesh.corners(t as usize).map(|v| Point::from(to_f64(&v)));
        let normal = (b - a).cross(&(c - a));
        let depth = DEPTH * (0.5 * normal.norm()).sqrt();
        Some((a + b + c) / 3.0 + normal.try_normalize(0.0)? * (side * depth))
    });
    samples.collect()
}

/// The triangles of each shell, in the order of their first.
struct Shells {
    triangles: Vec<Vec<u32>>,
}

impl Shells {
    fn new(mesh: &TriangleMesh, edges: &Edges) -> Self {
        let count = mesh.triangles.len();
        let mut groups = DisjointSets::new(count);
        let mut crowds: Vec<Edge> = Vec::new();
        for edge in edges.iter() {
            match edge.uses {
                [a, b] => groups.union(a.triangle(), b.triangle()),
                [_, _, _, ..] => crowds.push(edge),
                _ => {}
            }
        }
        if !crowds.is_empty() {
            let sheets: Vec<u32> = (0..count).map(|t| groups.find(t) as u32).collect();
            for [a, b] in crowds.into_iter().flat_map(|crowd| wedges(mesh, crowd, &sheets)) {
                groups.union(a, b);
            }
        }
        let mut number = vec![u32::MAX; count];
        let mut triangles: Vec<Vec<u32>> = Vec::new();
        for t in 0..count {
            let root = groups.find(t);
            if number[root] == u32::MAX {
                number[root] = triangles.len() as u32;
                triangles.push(Vec::new());
            }
            triangles[number[root] as usize].push(t as u32);
        }
        Shells { triangles }
    }

    /// The box around a shell.
    fn bounds(&self, mesh: &TriangleMesh, shell: usize) -> Aabb {
        let corners = self.triangles[shell].iter().map(|&t| mesh.corners(t as usize));
        corners.fold(Aabb::EMPTY, |all, corners| all.union(&Aabb::around(&corners)))
    }

    /// The volume that a shell encloses; negative if it faces inwards, 0 if it encloses nothing.
    fn volume(&self, mesh: &TriangleMesh, shell: usize) -> f64 {
        let triangles = &self.triangles[shell];
        let extent = f64::from(self.bounds(mesh, shell).extent().max());
        let volume = mesh.volume_of(triangles.iter().map(|&t| t as usize));
        if volume.abs() <= NO_VOLUME * extent.powi(3) { 0.0 } else { volume }
    }

    /// The smallest shell around each, if there is one.
    fn parents(&self, mesh: &TriangleMesh, volumes: &[f64]) -> Vec<Option<usize>> {
        let count = volumes.len();
        let mut parents = vec![None; count];
        let corners = |t: &u32| mesh.corners(*t as usize);
        let boxes: Vec<Aabb> = (0..count).map(|shell| self.bounds(mesh, shell)).collect();
        let mut order: Vec<usize> = (0..count).filter(|&s| volumes[s] != 0.0).collect();
        order.sort_by(|&a, &b| boxes[a].min.x.total_cmp(&boxes[b].min.x).then(a.cmp(&b)));
        let mut interiors: Vec<Option<Interior>> = (0..count).map(|_| None).collect();
        // Shells that begin no later along x and have not ended yet.
        let mut open: Vec<usize> = Vec::new();
        for (k, &s) in order.iter().enumerate() {
            open.retain(|&other| boxes[other].max.x >= boxes[s].min.x);
            let level = order[k + 1..].iter().take_while(|&&o| boxes[o].min.x == boxes[s].min.x);
            let mut around: Vec<usize> = open.iter().chain(level).copied().collect();
            let is_around = |&o: &usize| {
                volumes[o].abs() > volumes[s].abs()
                    && (0..3).all(|a| boxes[o].min[a] <= boxes[s].min[a])
                    && (0..3).all(|a| boxes[o].max[a] >= boxes[s].max[a])
            };
            around.retain(is_around);
            around.sort_by(|&a, &b| volumes[a].abs().total_cmp(&volumes[b].abs()));
            if around.is_empty() {
                open.push(s);
                continue;
            }
            let within = samples(mesh, &self.triangles[s], -volumes[s].signum());
            parents[s] = around.into_iter().find(|&other| {
                let interior = interiors[other].get_or_insert_with(|| {
                    Interior::from_triangles(self.triangles[other].iter().map(corners))
                });
                within.iter().all(|point| interior.winding_number(point) != 0)
            });
            open.push(s);
        }
        parents
    }
}

/// The pairs of triangles at an edge that bound one wedge of the inside.
///
/// Of triangles in one plane that face the same way, the one of the lower group is paired first:
/// so it is at each edge that such groups share.
fn wedges(mesh: &TriangleMesh, edge: Edge, groups: &[u32]) -> Vec<[usize; 2]> {
    let point = |v: u32| Point::from(to_f64(&mesh.vertices[v as usize]));
    let Edge { ends: [a, b], uses } = edge;
    let (start, along) = (point(a), point(b) - point(a));
    let across = |t: usize| {
        let third = mesh.triangles[t].iter().find(|&&v| v != a && v != b);
        let arm = third.map_or(Point::zeros(), |&v| point(v) - start);
        arm - along * (arm.dot(&along) / along.norm_squared())
    };
    let level = across(uses[0].triangle());
    let upright = along.cross(&level) / along.norm();
    let mut around: Vec<(i64, bool, i64, usize)> = uses
        .iter()
        .map(|used| {
            let t = used.triangle();
            let arm = across(t);
            // Seen against the edge, the inside begins behind a triangle that uses it backwards.
            let begins = !used.is_forward();
            let angle = (turn(arm.dot(&level), arm.dot(&upright)) / SAME_PLANE).round() as i64;
            let group = i64::from(groups[t]);
            let rank = if begins { -group } else { group };
            (angle.rem_euclid((4.0 / SAME_PLANE) as i64), begins, rank, t)
        })
        .collect();
    around.sort_unstable();
    let (mut begun, mut ended, mut pairs) = (Vec::new(), Vec::new(), Vec::new());
    for (_, begins, _, t) in around {
        if begins {
            begun.push(t);
        } else if let Some(first) = begun.pop() {
            pairs.push([first, t]);
        } else {
            ended.push(t);
        }
    }
    // What has not ended continues past the start.
    pairs.extend(begun.into_iter().rev().zip(ended).map(|(first, t)| [first, t]));
    pairs
}

/// A number from 0 up to 4 that grows with the angle of a direction.
fn turn(x: f64, y: f64) -> f64 {
    let size = x.abs() + y.abs();
    match (x >= 0.0, y >= 0.0) {
        _ if size == 0.0 => 0.0,
        (true, true) => y / size,
        (false, true) => 1.0 - x / size,
        (false, false) => 2.0 - y / size,
        (true, false) => 3.0 + x / size,
    }
}
