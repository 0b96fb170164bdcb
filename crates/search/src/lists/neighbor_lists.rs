//! Neighbour lists: for each point, the points closer than the support radius.
//!
//! Each chunk of places has its lists in one flat array, made by one task, so nothing is copied
//! afterwards and the lists do not depend on the number of threads. A place is a point, or where
//! the search has put it if it sorts points itself.

use crate::contract::NeighborSearch;
use crate::lists::chunk_lists::{ChunkLists, MAX_AT_ONCE};
use hashfall_core::parallel::{self, CHUNK};
use hashfall_core::{Real, Vec3};

/// Neighbour lists, and if asked for, a number for each pair. Each list leaves out the point
/// itself, and ascends where points come in order of their cells, as the world keeps them.
#[derive(Clone, Debug, Default)]
pub struct NeighborLists {
    chunks: Vec<ChunkLists>,
    points: usize,
    keep_squares: bool,
    /// The place of each point; empty where it is the point.
    places: Vec<u32>,
}

impl NeighborLists {
    /// Lists that keep the squared distance of each pair.
    pub fn with_squares() -> Self {
        NeighborLists { keep_squares: true, ..NeighborLists::default() }
    }

    /// Finds the neighbours of each point: `|x − y| < h`, by squares, itself excluded. `search` has
    /// indexed `points` for `support_radius` \[m\].
    pub fn build<S: NeighborSearch>(&mut self, search: &S, points: &[Vec3], support_radius: Real) {
        self.build_for(search, points, support_radius, &[]);
    }

    /// As [`NeighborLists::build`], but for points that are `idle`, if that is not empty: their
    /// lists may be anything.
    pub fn build_for<S: NeighborSearch>(
        &mut self,
        search: &S,
        points: &[Vec3],
        support_radius: Real,
        idle: &[bool],
    ) {
        self.points = points.len();
        self.chunks.resize_with(points.len().div_ceil(CHUNK), ChunkLists::default);
        let square = support_radius * support_radius;
        let keep_squares = self.keep_squares;
        parallel::fill_pieces(&mut self.chunks, &|chunk, lists| {
            lists.clear(keep_squares);
            let places = chunk * CHUNK..points.len().min((chunk + 1) * CHUNK);
            search.list(points, places, square, idle, lists);
            lists.room(MAX_AT_ONCE);
        });
        self.places.clear();
        self.places.extend_from_slice(search.places());
    }

    /// Puts the lists in the order of the points, each ascending, where a search has sorted points
    /// by itself: then the place of a point is the point. `points` are those of the search.
    pub fn sort_as(&mut self, points: &[Vec3]) {
        if self.places.is_empty() {
            return;
        }
        let chunks = parallel::map_pieces(self.chunks.len(), &|chunk| {
            let mut lists = ChunkLists::default();
            lists.clear(self.keep_squares);
            for i in chunk * CHUNK..points.len().min((chunk + 1) * CHUNK) {
                let list = self.of(i);
                let (neighbors, values) = lists.room(list.len());
                neighbors.copy_from_slice(list);
                neighbors.sort_unstable();
                for (value, &j) in values.iter_mut().zip(&*neighbors) {
                    *value = (points[i] - points[j as usize]).norm_squared();
                }
                lists.close(list.len());
            }
            lists.room(MAX_AT_ONCE);
            lists
        });
        self.chunks = chunks;
        self.places.clear();
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

    /// The lists of each chunk of [`CHUNK`] places, to replace their squared distances by other
    /// numbers.
    pub fn chunks_mut(&mut self) -> &mut [ChunkLists] {
        &mut self.chunks
    }

    /// The lists of a chunk of [`CHUNK`] places.
    #[inline(always)]
    pub fn chunk(&self, chunk: usize) -> &ChunkLists {
        &self.chunks[chunk]
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
        let values: usize = self.chunks.iter().map(|c| c.values.capacity()).sum();
        size_of::<u32>() * (numbers + self.places.capacity())
            + size_of::<Real>() * values
            + size_of_val(&self.chunks[..])
    }
}
