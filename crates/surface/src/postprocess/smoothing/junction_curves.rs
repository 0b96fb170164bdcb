//! Junction curves, along which the surfaces between several fluids and the air meet.
//!
//! A vertex on a junction curve has no single surface around it. It is smoothed along the curve
//! only, and nothing merges with it. All other steps apply to the surfaces between curves, which
//! stay shared by the fluids on both sides.
//!
//! Smoothing, x ← x + w (mean of the neighbours along the curve − x), shrinks closed curves. The
//! offset from the old place, smoothed twice as often, is therefore added back (Tukey's *twicing*):
//! bumps vanish, rings keep their size.

use crate::marching::complex::VertexSides;
use crate::postprocess::smoothing::walk::WalkPolynomial;
use hashfall_core::{Real, Vec3};

/// An edge with this many triangles is part of a junction curve.
const MIN_MEETING_TRIANGLES: usize = 3;

/// Iterations along a curve per iteration of a surface: nothing merges on curves, so that their
/// edges are about half as long.
const CURVE_ITERATIONS: u32 = 2;

/// Iterations of the mean displacement, per iteration of smoothing.
const MEAN_ITERATIONS: u32 = 2;

/// The vertices on junction curves.
#[derive(Default)]
pub(crate) struct JunctionCurves {
    is_on: Vec<bool>,
    /// Pairs of neighbours along curves, each in both orders, sorted.
    pairs: Vec<[u32; 2]>,
}

impl JunctionCurves {
    /// The junction curves of surfaces whose vertices separate the given labels.
    pub fn new(triangles: &[[u32; 3]], vertex_sides: &[VertexSides]) -> Self {
        let is_on: Vec<bool> = vertex_sides.iter().map(Option::is_none).collect();
        let sides = triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
        let along = sides.filter(|side| side.iter().all(|&v| is_on[v as usize]));
        let mut edges: Vec<[u32; 2]> = along.map(|[a, b]| [a.min(b), a.max(b)]).collect();
        edges.sort_unstable();
        let meeting =
            edges.chunk_by(|a, b| a == b).filter(|same| same.len() >= MIN_MEETING_TRIANGLES);
        let mut pairs: Vec<[u32; 2]> =
            meeting.flat_map(|same| [same[0], [same[0][1], same[0][0]]]).collect();
        pairs.sort_unstable();
        JunctionCurves { is_on, pairs }
    }

    /// Whether a vertex is on a junction curve.
    #[inline(always)]
    pub fn has(&self, v: usize) -> bool {
        self.is_on[v]
    }

    /// Marks the vertices on junction curves.
    pub fn mark(&self, marks: &mut [bool]) {
        marks.iter_mut().zip(&self.is_on).for_each(|(mark, is_on)| *mark |= is_on);
    }

    /// The neighbours of a vertex along curves.
    pub fn neighbors(&self, v: usize) -> impl Iterator<Item = usize> + '_ {
        let first = self.pairs.partition_point(|pair| (pair[0] as usize) < v);
        let of_vertex = self.pairs[first..].iter().take_while(move |pair| pair[0] as usize == v);
        of_vertex.map(|pair| pair[1] as usize)
    }

    /// The smoothed curves: each vertex with its new place, after as much smoothing as `iterations`
    /// are for a surface. `part` is the relaxation factor of a vertex, and `project` moves a place
    /// to where the vertex may be.
    pub fn smoothed(
        &self,
        positions: &[Vec3],
        iterations: u32,
        part: impl Fn(usize) -> Real,
        project: impl Fn(usize, &mut Vec3),
    ) -> Vec<(usize, Vec3)> {
        // Numbered anew, as they are few.
        let mut vertices: Vec<u32> = self.pairs.iter().map(|pair| pair[0]).collect();
        vertices.dedup();
        let number = |v: u32| vertices.partition_point(|&u| u < v) as u32;
        let around: Vec<u32> = self.pairs.iter().map(|pair| number(pair[1])).collect();
        let mut ends: Vec<usize> = Vec::with_capacity(vertices.len() + 1);
        ends.push(0);
        let lengths = self.pairs.chunk_by(|a, b| a[0] == b[0]).map(<[_]>::len);
        lengths.for_each(|length| ends.push(ends[ends.len() - 1] + length));
        let parts: Vec<Real> = vertices.iter().map(|&v| part(v as usize)).collect();
        let towards = |values: &[Vec3], i: usize| {
            let around = &around[ends[i]..ends[i + 1]];
            let differences = around.iter().map(|&u| values[u as usize] - values[i]);
            differences.fold(Vec3::zeros(), |sum, x| sum + x) * (parts[i] / around.len() as Real)
        };
        let old: Vec<Vec3> = vertices.iter().map(|&v| positions[v as usize]).collect();
        let first: Vec<Vec3> = (0..old.len()).map(|i| towards(&old, i)).collect();
        let mut ways = vec![Vec3::zeros(); old.len()];
        WalkPolynomial::new(CURVE_ITERATIONS * iterations, 1.0)
            .apply(&mut ways, |ways, i| ways[i] + towards(ways, i) + first[i]);
        for ((way, old), &v) in ways.iter_mut().zip(&old).zip(&vertices) {
            let mut place = old + *way;
            project(v as usize, &mut place);
            *way = place - old;
        }
        let mut taken: Vec<Vec3> = ways.iter().map(|way| -way).collect();
        WalkPolynomial::new(MEAN_ITERATIONS * CURVE_ITERATIONS * iterations, 1.0)
            .apply(&mut taken, |taken, i| taken[i] + towards(taken, i));
        let given_back = |(i, &v): (usize, &u32)| {
            let mut place = old[i] + ways[i] + taken[i];
            project(v as usize, &mut place);
            (v as usize, place)
        };
        vertices.iter().enumerate().map(given_back).collect()
    }
}
