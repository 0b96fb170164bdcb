//! Neighbour lists: for each point, the points closer than the support radius.
//!
//! Each chunk of points has its lists in one flat array, made by one task, so nothing is copied
//! afterwards and the lists do not depend on the number of threads.

use super::NeighborSearch;
use crate::base::parallel::CHUNK;
use crate::base::{Real, Vec3};
use rayon::prelude::*;

/// Neighbour lists; each ascends, and leaves out the point itself.
#[derive(Clone, Debug, Default)]
pub struct NeighborLists {
    /// As many as the points need; `points` of them count.
    chunks: Vec<ChunkLists>,
    points: usize,
}

/// The lists of one chunk of points.
#[derive(Clone, Debug, Default)]
struct ChunkLists {
    /// Where each list starts in `neighbors`, and the end of the last.
    starts: Vec<usize>,
    /// The lists, then room for more.
    neighbors: Vec<u32>,
}

impl NeighborLists {
    /// Finds the neighbours of each point: `|x − y| < h`, by squares, itself excluded. The one
    /// place that owns the test. `search` has indexed `points` for `support_radius` \[m\].
    pub fn build<S: NeighborSearch>(&mut self, search: &S, points: &[Vec3], support_radius: Real) {
        self.points = points.len();
        self.chunks.resize_with(points.len().div_ceil(CHUNK), ChunkLists::default);
        self.chunks.par_iter_mut().enumerate().for_each(|(chunk, lists)| {
            lists.clear();
            for i in chunk * CHUNK..points.len().min((chunk + 1) * CHUNK) {
                lists.push(search, points, i, support_radius * support_radius);
            }
        });
    }

    /// The neighbours of point `i`, ascending.
    #[inline(always)]
    pub fn of(&self, i: usize) -> &[u32] {
        &self.chunks[i / CHUNK].neighbors[self.place(i)]
    }

    /// Where the neighbours of point `i` stand among all neighbours of its chunk of
    /// [`CHUNK`] points: the place of values that belong to pairs.
    #[inline(always)]
    pub fn place(&self, i: usize) -> std::ops::Range<usize> {
        let starts = &self.chunks[i / CHUNK].starts;
        starts[i % CHUNK]..starts[i % CHUNK + 1]
    }

    /// Directed pairs in a chunk of points.
    pub fn pairs_in(&self, chunk: usize) -> usize {
        self.chunks[chunk].end()
    }

    /// The number of points.
    pub fn len(&self) -> usize {
        self.points
    }

    /// Whether there is no point.
    pub fn is_empty(&self) -> bool {
        self.points == 0
    }

    /// Directed pairs: twice the number of neighbouring pairs.
    pub fn pairs(&self) -> usize {
        self.chunks.iter().map(|lists| lists.end()).sum()
    }
}

impl ChunkLists {
    fn clear(&mut self) {
        self.starts.clear();
        self.starts.push(0);
    }

    /// The end of the last list.
    fn end(&self) -> usize {
        self.starts.last().copied().unwrap_or(0)
    }

    /// Adds the list of point `i`.
    fn push<S: NeighborSearch>(&mut self, search: &S, points: &[Vec3], i: usize, h2: Real) {
        let x = points[i];
        let first = self.end();
        let neighbors = &mut self.neighbors;
        let mut end = first;
        search.candidate_runs(i, &x, |run| {
            if neighbors.len() < end + run.len() {
                neighbors.resize(2 * (end + run.len()).max(CHUNK), 0);
            }
            let room = &mut neighbors[end..end + run.len()];
            let mut kept = 0;
            for &j in run {
                // Written in any case and kept only if near: most candidates are not, at random,
                // and a branch would often be guessed wrong.
                room[kept] = j;
                let near = (x - points[j as usize]).norm_squared() < h2;
                kept += usize::from(near & (j as usize != i));
            }
            end += kept;
        });
        let list = &mut neighbors[first..end];
        if !list.is_sorted() {
            list.sort_unstable();
        }
        self.starts.push(end);
    }
}
