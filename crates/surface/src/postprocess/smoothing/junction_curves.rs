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
        let own = self.pairs[first..].iter().take_while(move |pair| pair[0] as usize == v);
        own.map(|pair| pair[1] as usize)
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
        let all: Vec<[u32; 2]> = self.pairs.clone();
        let mut vertices: Vec<u32> = all.iter().map(|pair| pair[0]).collect();
        vertices.dedup();
        let number = |v: u32| vertices.partition_point(|&u| u < v);
        let around: Vec<Vec<usize>> = all
            .chunk_by(|a, b| a[0] == b[0])
            .map(|own| own.iter().map(|pair| number(pair[1])).collect())
            .collect();
        let own = || vertices.iter().map(|&v| v as usize);
        let old: Vec<Vec3> = own().map(|v| positions[v]).collect();
        let parts: Vec<Real> = own().map(part).collect();
        let step = |now: &[Vec3], i: usize| {
            let sum = around[i].iter().fold(Vec3::zeros(), |sum, &u| sum + now[u]);
            now[i] + (sum / around[i].len() as Real - now[i]) * parts[i]
        };
        let mut now = old.clone();
        for _ in 0..CURVE_ITERATIONS * iterations {
            let next = |(i, v)| {
                let mut place = step(&now, i);
                project(v, &mut place);
                place
            };
            now = own().enumerate().map(next).collect();
        }
        let mut taken: Vec<Vec3> = old.iter().zip(&now).map(|(old, now)| old - now).collect();
        for _ in 0..MEAN_ITERATIONS * CURVE_ITERATIONS * iterations {
            taken = (0..taken.len()).map(|i| step(&taken, i)).collect();
        }
        let given_back = |((v, now), taken): ((usize, &Vec3), &Vec3)| {
            let mut place = now + taken;
            project(v, &mut place);
            (v, place)
        };
        own().zip(&now).zip(&taken).map(given_back).collect()
    }
}
