//! Neighbour lists: for each point, the points closer than the support radius.
//!
//! Each chunk of places has its lists in one flat array, made by one task, so nothing is copied
//! afterwards and the lists do not depend on the number of threads. A place is a point, or where
//! the search has put it if it sorts points itself.

use super::NeighborSearch;
use crate::base::parallel::CHUNK;
use crate::base::{Real, Vec3};
use rayon::prelude::*;

/// Neighbour lists. Each leaves out the point itself, and ascends where points come in order of
/// their cells, as the world keeps them.
#[derive(Clone, Debug, Default)]
pub struct NeighborLists {
    /// As many as the points need; `points` of them count.
    chunks: Vec<ChunkLists>,
    points: usize,
    /// The place of each point; empty where it is the point.
    places: Vec<u32>,
}

/// The lists of one chunk of places.
#[derive(Clone, Debug, Default)]
pub struct ChunkLists {
    /// Where each list starts in `neighbors`, and the end of the last.
    starts: Vec<u32>,
    /// The lists, then room for more.
    neighbors: Vec<u32>,
}

impl NeighborLists {
    /// Finds the neighbours of each point: `|x − y| < h`, by squares, itself excluded. `search` has
    /// indexed `points` for `support_radius` \[m\].
    pub fn build<S: NeighborSearch>(&mut self, search: &S, points: &[Vec3], support_radius: Real) {
        self.points = points.len();
        self.chunks.resize_with(points.len().div_ceil(CHUNK), ChunkLists::default);
        let square = support_radius * support_radius;
        self.chunks.par_iter_mut().enumerate().for_each(|(chunk, lists)| {
            lists.clear();
            let places = chunk * CHUNK..points.len().min((chunk + 1) * CHUNK);
            search.list(points, places, square, lists);
        });
        self.places.clear();
        self.places.extend_from_slice(search.places());
    }

    /// The neighbours of point `i`.
    #[inline(always)]
    pub fn of(&self, i: usize) -> &[u32] {
        let i = self.places.get(i).map_or(i, |&place| place as usize);
        self.at(i)
    }

    /// The neighbours of the point at a place: in a sorted world, of the point itself.
    #[inline(always)]
    pub fn at(&self, place: usize) -> &[u32] {
        let lists = &self.chunks[place / CHUNK];
        &lists.neighbors[lists.range(place % CHUNK)]
    }

    /// Where the list of a place stands among all lists of its chunk of [`CHUNK`] places: the place
    /// of values that belong to pairs.
    #[inline(always)]
    pub fn range(&self, place: usize) -> std::ops::Range<usize> {
        self.chunks[place / CHUNK].range(place % CHUNK)
    }

    /// Directed pairs in a chunk of places.
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

    /// Memory in use \[bytes\].
    pub fn bytes(&self) -> usize {
        let of_chunk = |c: &ChunkLists| c.starts.capacity() + c.neighbors.capacity();
        let numbers: usize = self.chunks.iter().map(of_chunk).sum();
        4 * (numbers + self.places.capacity()) + size_of_val(&self.chunks[..])
    }
}

impl ChunkLists {
    fn clear(&mut self) {
        self.starts.clear();
        self.starts.push(0);
    }

    /// The end of the last list.
    fn end(&self) -> usize {
        self.starts.last().map_or(0, |&end| end as usize)
    }

    #[inline(always)]
    fn range(&self, k: usize) -> std::ops::Range<usize> {
        self.starts[k] as usize..self.starts[k + 1] as usize
    }

    /// Room for `count` numbers behind the last list.
    #[inline(always)]
    pub(super) fn room(&mut self, count: usize) -> &mut [u32] {
        let end = self.end();
        if self.neighbors.len() < end + count {
            // In small steps, so that little is left over for good.
            let room = end + count + self.neighbors.len() / 16;
            self.neighbors.reserve_exact(room - self.neighbors.len());
            self.neighbors.resize(room, 0);
        }
        &mut self.neighbors[end..end + count]
    }

    /// Makes the first `count` numbers of the room the next list.
    #[inline(always)]
    pub(super) fn close(&mut self, count: usize) {
        let end = self.end() + count;
        self.starts.push(end as u32);
    }

    /// Replaces places by the points that stand there; none if they are the same.
    pub(super) fn rename(&mut self, order: &[u32]) {
        if !order.is_empty() {
            let end = self.end();
            self.neighbors[..end].iter_mut().for_each(|place| *place = order[*place as usize]);
        }
    }

    /// Adds the list of point `i` from the search's candidates: the one place that owns the test,
    /// but for searches that test many points at once in [`super::lanes`].
    pub(super) fn push<S: NeighborSearch>(
        &mut self,
        search: &S,
        points: &[Vec3],
        i: usize,
        square: Real,
    ) {
        let x = points[i];
        let first = self.end();
        let mut kept = 0;
        search.candidate_runs(i, &x, |run| {
            let room = &mut self.room(kept + run.len())[kept..];
            let mut near = 0;
            for &j in run {
                // Written in any case and kept only if near: most candidates are not, at random,
                // and a branch would often be guessed wrong.
                room[near] = j;
                let is_near = (x - points[j as usize]).norm_squared() < square;
                near += usize::from(is_near & (j as usize != i));
            }
            kept += near;
        });
        let list = &mut self.neighbors[first..first + kept];
        if !list.is_sorted() {
            list.sort_unstable();
        }
        self.close(kept);
    }
}
