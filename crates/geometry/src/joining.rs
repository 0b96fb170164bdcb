//! Corners that differ by rounding are joined, where that closes a mesh.
//!
//! A program that writes each face with corners of its own may round them apart. The gaps are then
//! a last digit wide. Corners at open edges are joined if they lie within [`JOINED`] of the mesh's
//! extent, and within a tenth of its shortest edge, so that no feature is lost; and only if no
//! triangle collapses and the mesh is closed then.

use super::closure::open_edges;
use super::disjoint_sets::DisjointSets;
use super::{Point, TriangleMesh};
use hashfall_core::to_f64;
use std::collections::{BTreeSet, HashMap};

/// Corners this close are joined, as a share of the longest edge of the box around the mesh \[–\].
const JOINED: f64 = 1e-5;

/// An attempt to close a mesh.
pub(super) enum Joining {
    /// Corners are joined and the mesh is closed.
    Closed {
        /// The mesh.
        mesh: TriangleMesh,
        /// The triangle of the open mesh that each of its triangles is.
        sources: Vec<u32>,
        /// The number of corners that were joined to others.
        corners: usize,
        /// Farthest from these others, in the unit of the mesh.
        distance: f64,
    },
    /// Each corner at an open edge has another within this distance, yet they are not joined.
    Near(f64),
    /// Some corner at an open edge has none near.
    Apart,
}

/// Tries to close a welded mesh that is open.
pub(super) fn join_corners(mesh: &TriangleMesh) -> Joining {
    let rim: BTreeSet<u32> = open_edges(mesh).iter().flat_map(|edge| edge.ends).collect();
    let rim: Vec<(u32, Point)> =
        rim.into_iter().map(|v| (v, Point::from(to_f64(&mesh.vertices[v as usize])))).collect();
    let shortest = shortest_edge(mesh);
    let grid = Grid::new(&rim, shortest / 4.0);
    let distance = |i: usize, k: usize| (rim[i].1 - rim[k].1).norm();
    let nearest = |i: usize| {
        let others = grid.near(&rim[i].1).filter(|&k| k != i);
        others.map(|k| distance(i, k)).fold(f64::INFINITY, f64::min)
    };
    let gap = (0..rim.len()).map(nearest).fold(0.0, f64::max);
    if gap > shortest / 4.0 {
        return Joining::Apart;
    }
    let within = (JOINED * f64::from(mesh.bounds().extent().max())).min(0.1 * shortest);
    // Each corner is joined to the first of its group.
    let mut groups = DisjointSets::new(rim.len());
    for (i, (_, point)) in rim.iter().enumerate() {
        for k in grid.near(point).filter(|&k| k < i && distance(i, k) <= within) {
            groups.union(i, k);
        }
    }
    let mut joined = mesh.clone();
    let (mut corners, mut farthest) = (0, 0.0_f64);
    for (i, (vertex, _)) in rim.iter().enumerate() {
        let to = groups.find(i);
        if to != i {
            joined.vertices[*vertex as usize] = mesh.vertices[rim[to].0 as usize];
            corners += 1;
            farthest = farthest.max(distance(i, to));
        }
    }
    let (joined, sources) = joined.welded_with_sources();
    if sources.len() == mesh.triangles.len() && open_edges(&joined).is_empty() {
        return Joining::Closed { mesh: joined, sources, corners, distance: farthest };
    }
    Joining::Near(gap)
}

fn shortest_edge(mesh: &TriangleMesh) -> f64 {
    let lengths = (0..mesh.triangles.len()).flat_map(|t| {
        let [a, b, c] = mesh.corners(t).map(|v| Point::from(to_f64(&v)));
        [(a - b).norm(), (b - c).norm(), (c - a).norm()]
    });
    lengths.fold(f64::INFINITY, f64::min)
}

/// Points in cubic cells, to find those near another.
struct Grid {
    cell: f64,
    cells: HashMap<[i64; 3], Vec<usize>>,
}

impl Grid {
    fn new(points: &[(u32, Point)], cell: f64) -> Self {
        let mut grid = Grid { cell, cells: HashMap::new() };
        for (k, (_, point)) in points.iter().enumerate() {
            grid.cells.entry(grid.cell_of(point)).or_default().push(k);
        }
        grid
    }

    fn cell_of(&self, point: &Point) -> [i64; 3] {
        [0, 1, 2].map(|a| (point[a] / self.cell).floor() as i64)
    }

    /// The points in the cells around a point: all within a cell's edge of it.
    fn near(&self, point: &Point) -> impl Iterator<Item = usize> {
        let [x, y, z] = self.cell_of(point);
        (0..27).flat_map(move |n| {
            let step = |k: i64, by: i64| k.saturating_add(n / by % 3 - 1);
            self.cells.get(&[step(x, 1), step(y, 3), step(z, 9)]).into_iter().flatten().copied()
        })
    }
}
