//! The table of vertices: moved and entered each substep.
//!
//! Ahmad: cells of the mean edge, computed once or again, and as many slots as primitives; vertices
//! are entered as they are moved, or in a pass of their own; time stamps empty the table. The table
//! is in the precision of the broad phase, and what rounding moves is added to every reach.

use super::settings::{CellSize, Insertion, Rasterization, SpatialHashSettings};
use crate::contact::full::primitives::Primitives;
use hashfall_core::{Real, Vec3, parallel, vec3};
use hashfall_geometry::{Aabb, Point};
use hashfall_search::TriangleRaster;

/// Vertices in hashed cells.
#[derive(Clone, Debug)]
pub(super) struct VertexTable {
    settings: SpatialHashSettings,
    raster: TriangleRaster,
    /// Mean edge \[m\].
    mean_edge: f64,
    slots: usize,
    /// Whether each point is a vertex that triangles look up.
    is_entered: Vec<bool>,
}

impl VertexTable {
    /// An empty one for some meshes, of whose points those are entered that are not balls.
    pub fn new(primitives: &Primitives, settings: SpatialHashSettings) -> Self {
        let mut is_entered = vec![false; primitives.points()];
        for &vertex in &primitives.vertices {
            let is_node = (vertex as usize) < primitives.nodes;
            is_entered[vertex as usize] = is_node || primitives.radius[vertex as usize] == 0.0;
        }
        let vertices = is_entered.iter().filter(|is_entered| **is_entered).count();
        let count = (vertices + primitives.triangles.len()) as f64;
        VertexTable {
            settings,
            raster: TriangleRaster::default(),
            mean_edge: primitives.mean_edge(),
            slots: (count * settings.table_ratio).max(1.0) as usize,
            is_entered,
        }
    }

    /// Edge of a cell \[m\].
    pub fn cell_size(&self) -> f64 {
        self.mean_edge * self.settings.cell_ratio
    }

    /// Moves points by `advance`, which is called once for each, and enters the vertices. The edges
    /// are those whose mean is computed again, if it is.
    pub fn move_and_enter(
        &mut self,
        points: &mut [Point],
        edges: &[[u32; 2]],
        advance: impl Fn(usize, &mut Point) + Sync,
    ) {
        let is_second_pass = self.settings.insertion == Insertion::AfterMove;
        if is_second_pass || self.settings.cell_size == CellSize::Recomputed {
            parallel::fill(points, &advance);
            if self.settings.cell_size == CellSize::Recomputed {
                self.measure_edges(points, edges);
            }
            self.enter(points, |_, _| {});
        } else {
            self.enter(points, advance);
        }
    }

    fn enter(&mut self, points: &mut [Point], advance: impl Fn(usize, &mut Point) + Sync) {
        let (size, is_entered) = (self.cell_size() as Real, &self.is_entered[..]);
        self.raster.rebuild_by(points, size, self.slots, |number, point| {
            advance(number, point);
            if is_entered[number] { rounded(point) } else { Vec3::repeat(Real::NAN) }
        });
    }

    /// Computes the mean edge again; keeps it where lengths are no numbers.
    fn measure_edges(&mut self, points: &[Point], edges: &[[u32; 2]]) {
        let length = |k: usize| {
            let [a, b] = edges[k].map(|node| points[node as usize]);
            [(a - b).norm()]
        };
        let [sum] = parallel::sum(edges.len(), length);
        let mean = sum / edges.len() as f64;
        if mean > 0.0 && (mean * self.settings.cell_ratio) as Real > 0.0 && mean.is_finite() {
            self.mean_edge = mean;
        }
    }

    /// Visits a superset of the vertices within `reach` \[m\] of a triangle, some twice by the
    /// scanline, which misses some; in any order.
    pub fn near(&self, corners: &[Point; 3], reach: f64, visit: impl FnMut(u32)) {
        let farthest = corners.iter().map(|corner| corner.amax()).fold(reach, f64::max);
        let corners = corners.map(|corner| rounded(&corner));
        match self.settings.rasterization {
            Rasterization::Surface => {
                self.raster.near(&corners, widened(reach, farthest), visit);
            }
            Rasterization::Scanline => self.raster.scan(&corners, visit),
        }
    }

    /// Visits a superset of the vertices within `reach` \[m\] of a segment, each once, in any
    /// order.
    pub fn near_segment(&self, ends: &[Point; 2], reach: f64, visit: impl FnMut(u32)) {
        let farthest = ends.iter().map(|end| end.amax()).fold(reach, f64::max);
        let around = Aabb::around(&ends.map(|end| rounded(&end)));
        self.raster.inside(&around.grown(widened(reach, farthest)), visit);
    }

    /// Whether a point is in the table.
    #[cfg(test)]
    pub fn has(&self, point: u32) -> bool {
        self.is_entered[point as usize]
    }

    /// Bytes that the table holds.
    pub fn bytes(&self) -> usize {
        self.raster.bytes()
    }
}

/// A place in the precision of the table.
fn rounded(point: &Point) -> Vec3 {
    vec3((*point).into())
}

/// A reach for what was rounded: vertices and corners are off by ε/2 of the largest coordinate
/// along each axis, and so is the reach itself, and what it is added to.
fn widened(reach: f64, farthest: f64) -> Real {
    (reach + (farthest + reach) * (4.0 * f64::from(Real::EPSILON))) as Real
}
