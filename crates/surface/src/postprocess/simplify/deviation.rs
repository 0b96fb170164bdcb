//! How far a collapse moves the surface from the first mesh.
//!
//! Source: Cohen, Manocha & Olano, Simplifying polygonal models using successive mappings (1997).
//! The triangles around an edge, before and after the collapse, are projected along their mean
//! normal. If neither set folds in that view, the projection maps one on the other, and the
//! collapse moves a point by the difference in height. This is linear on each piece of the overlay,
//! so the corners of the overlay determine it. The mappings of all collapses, one after the other,
//! lead to the first mesh.
//!
//! Each vertex has a bound e of its distance to the first mesh; within a triangle the bound is
//! linear. So a new vertex w among neighbours b needs at each corner of the overlay, with its
//! barycentric coordinates λ in the new triangle and height h before and after,
//!
//! λ_w e_w + Σ λ_b e_b ≥ e_old + |h_new − h_old|.
//!
//! Corners of the overlay are the old vertices, the new one, and crossings of old with new edges.
//! Bounds add up: on curved surfaces they are about twice the true distance.

use crate::postprocess::simplify::collapse::Side;
use hashfall_core::geometry::Point;

/// How much barycentric coordinates may miss by rounding.
const ROUNDING: f64 = 1e-9;

/// A vertex as it is seen along the mean normal.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ViewVertex {
    vertex: u32,
    x: f64,
    y: f64,
    height: f64,
    /// Its bound \[m\].
    bound: f64,
}

impl ViewVertex {
    /// Twice the area of a triangle in the view, positive if counter-clockwise.
    fn area(a: &ViewVertex, b: &ViewVertex, c: &ViewVertex) -> f64 {
        (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
    }

    /// Barycentric coordinates of a place in a triangle that is not turned over; `None` outside.
    fn within(&self, [a, b, c]: [&ViewVertex; 3]) -> Option<[f64; 3]> {
        let area = ViewVertex::area(a, b, c);
        let shares = [(b, c), (c, a), (a, b)].map(|(p, q)| ViewVertex::area(self, p, q) / area);
        shares.iter().all(|&share| share >= -ROUNDING).then_some(shares)
    }
}

/// A direction of view.
pub(crate) struct View {
    axes: [Point; 3],
}

impl View {
    /// The view against a normal; `None` if there is none.
    pub fn along(normal: &Point) -> Option<Self> {
        let up = normal.try_normalize(0.0)?;
        let x = up.cross(&Point::ith(up.iamin(), 1.0)).normalize();
        Some(View { axes: [x, up.cross(&x), up] })
    }

    /// A vertex in this view.
    pub fn see(&self, vertex: u32, at: &Point, bound: f64) -> ViewVertex {
        let [x, y, height] = self.axes.map(|axis| axis.dot(at));
        ViewVertex { vertex, x, y, height, bound }
    }
}

/// The surroundings of an edge, in a view.
#[derive(Default)]
pub(crate) struct EdgeNeighborhood {
    /// The edge's vertices.
    ends: Vec<ViewVertex>,
    /// The triangles before the collapse.
    old: Vec<[ViewVertex; 3]>,
    /// Edges between these.
    edges: Vec<[ViewVertex; 2]>,
    /// The sides around all of them, which make triangles with the new vertex.
    rim: Vec<[ViewVertex; 2]>,
}

impl EdgeNeighborhood {
    /// Collects the triangles around the two vertices of an edge.
    pub fn update(&mut self, edge: [u32; 2], stars: [&[Side]; 2], see: impl Fn(u32) -> ViewVertex) {
        let EdgeNeighborhood { ends, old, edges, rim } = self;
        ends.clear();
        old.clear();
        edges.clear();
        rim.clear();
        for (end, star) in edge.into_iter().zip(stars) {
            let is_second = end == edge[1];
            let end = see(end);
            ends.push(end);
            for &side in star {
                let corners = side.map(&see);
                if !(is_second && side.contains(&edge[0])) {
                    old.push([end, corners[0], corners[1]]);
                }
                if !(is_second && side[0] == edge[0]) {
                    edges.push([end, corners[0]]);
                }
                if !side.iter().any(|v| edge.contains(v)) {
                    rim.push(corners);
                }
            }
        }
    }

    /// The bound that a new vertex at this place needs; `None` where it is above a limit, or
    /// triangles fold in the view.
    pub fn bound_at(&self, new: &ViewVertex, limit: f64) -> Option<f64> {
        let is_flat = |[a, b, c]: [&ViewVertex; 3]| ViewVertex::area(a, b, c) <= 0.0;
        if self.old.iter().any(|t| is_flat(t.each_ref()))
            || self.rim.iter().any(|[a, b]| is_flat([new, a, b]))
        {
            return None;
        }
        let over = self.ends.iter().map(|end| self.after(new, end));
        let corners = [self.before(new)].into_iter().chain(over);
        let crossings = self.rim.iter().flat_map(|[start, _]| {
            self.edges.iter().filter_map(move |edge| crossing(new, start, edge))
        });
        corners.chain(crossings.map(Some)).try_fold(0.0, |bound, needed| {
            let bound = needed?.max(bound);
            (bound <= limit).then_some(bound)
        })
    }

    /// What the new vertex needs by the old triangle that it lies over.
    fn before(&self, new: &ViewVertex) -> Option<f64> {
        self.old.iter().find_map(|triangle| {
            let shares = new.within(triangle.each_ref())?;
            let mean = |of: fn(&ViewVertex) -> f64| -> f64 {
                shares.iter().zip(triangle).map(|(share, corner)| share * of(corner)).sum()
            };
            Some(mean(|c| c.bound) + (mean(|c| c.height) - new.height).abs())
        })
    }

    /// What the new vertex needs by a vertex of the edge, which lies over a new triangle.
    fn after(&self, new: &ViewVertex, end: &ViewVertex) -> Option<f64> {
        self.rim.iter().find_map(|[a, b]| {
            let [of_new, of_a, of_b] = end.within([new, a, b])?;
            let height = of_new * new.height + of_a * a.height + of_b * b.height;
            let needed = end.bound + (end.height - height).abs();
            Some((needed - of_a * a.bound - of_b * b.bound) / of_new.max(ROUNDING))
        })
    }
}

/// What the new vertex needs where its edge to a vertex of the rim crosses an old edge.
fn crossing(new: &ViewVertex, start: &ViewVertex, [p, q]: &[ViewVertex; 2]) -> Option<f64> {
    let (p_side, q_side) = (ViewVertex::area(new, start, p), ViewVertex::area(new, start, q));
    if p_side * q_side >= 0.0 || q.vertex == start.vertex {
        return None;
    }
    let along = p_side / (p_side - q_side);
    let (from, to) = (ViewVertex::area(p, q, new), ViewVertex::area(p, q, start));
    if from * to > 0.0 {
        return None;
    }
    let of_start = from / (from - to);
    let mix = |a: f64, b: f64, share: f64| a + (b - a) * share;
    let height = mix(new.height, start.height, of_start);
    let needed = mix(p.bound, q.bound, along) + (mix(p.height, q.height, along) - height).abs();
    Some((needed - of_start * start.bound) / (1.0 - of_start).max(ROUNDING))
}
