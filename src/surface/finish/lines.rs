//! Lines along which the surfaces between several fluids and the air meet.
//!
//! A vertex on a line has no one surface around it. It is smoothed along the line alone, and
//! nothing merges with it; all else is done to the surfaces between lines, which stay shared by
//! those on both sides.

use crate::surface::phases::On;

/// Edges with so many triangles are part of a line.
const MEET: usize = 3;

/// The vertices on lines.
#[derive(Default)]
pub(super) struct Lines {
    is_on: Vec<bool>,
    /// Pairs of neighbours along lines, each in both orders, sorted.
    pairs: Vec<[u32; 2]>,
}

impl Lines {
    /// The lines of surfaces of which each vertex is `on` something.
    pub fn of(triangles: &[[u32; 3]], on: &[On]) -> Self {
        let is_on: Vec<bool> = on.iter().map(Option::is_none).collect();
        let sides = triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
        let along = sides.filter(|side| side.iter().all(|&v| is_on[v as usize]));
        let mut edges: Vec<[u32; 2]> = along.map(|[a, b]| [a.min(b), a.max(b)]).collect();
        edges.sort_unstable();
        let meeting = edges.chunk_by(|a, b| a == b).filter(|same| same.len() >= MEET);
        let mut pairs: Vec<[u32; 2]> =
            meeting.flat_map(|same| [same[0], [same[0][1], same[0][0]]]).collect();
        pairs.sort_unstable();
        Lines { is_on, pairs }
    }

    /// Whether a vertex is on a line.
    #[inline(always)]
    pub fn has(&self, v: usize) -> bool {
        self.is_on.get(v).is_some_and(|&is_on| is_on)
    }

    /// Marks the vertices on lines.
    pub fn mark(&self, marks: &mut [bool]) {
        marks.iter_mut().zip(&self.is_on).for_each(|(mark, is_on)| *mark |= is_on);
    }

    /// The neighbours of a vertex along lines.
    pub fn neighbors(&self, v: usize) -> impl Iterator<Item = usize> + '_ {
        let first = self.pairs.partition_point(|pair| (pair[0] as usize) < v);
        let own = self.pairs[first..].iter().take_while(move |pair| pair[0] as usize == v);
        own.map(|pair| pair[1] as usize)
    }
}
