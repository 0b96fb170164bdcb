//! Neighbour lists: for each point, the points closer than the support radius.
//!
//! Each chunk of places has its lists in one flat array, made by one task, so nothing is copied
//! afterwards and the lists do not depend on the number of threads. A place is a point, or where
//! the search has put it if it sorts points itself.

use super::NeighborSearch;
use hashfall_core::parallel::{self, CHUNK};
use hashfall_core::simd::prefetch;
use hashfall_core::{Real, Vec3};
use rayon::prelude::*;

/// Neighbours that a sum may read at once, beyond the end of a list.
const MOST_AT_ONCE: usize = 16;

/// Numbers that memory gives at once: 64 bytes.
const LINE: usize = 64 / size_of::<u32>();

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

/// The lists of one chunk of places.
#[derive(Clone, Debug, Default)]
pub struct ChunkLists {
    /// Where each list starts in `neighbors`, and the end of the last.
    starts: Vec<u32>,
    /// The lists, then room for more.
    neighbors: Vec<u32>,
    /// A number for each neighbour, and then for the room; empty if nobody asked for them.
    values: Vec<Real>,
    keep_squares: bool,
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
            lists.room(MOST_AT_ONCE);
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
        let chunks = (0..self.chunks.len()).into_par_iter().map(|chunk| {
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
            lists.room(MOST_AT_ONCE);
            lists
        });
        self.chunks = chunks.collect();
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

impl ChunkLists {
    fn clear(&mut self, keep_squares: bool) {
        self.keep_squares = keep_squares;
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

    /// The list of the chunk's place `k` and its numbers in blocks of `N`, at most 16, and the
    /// length of the list: what stands behind its end in the last block is anything.
    #[inline(always)]
    pub fn blocks_of_pairs<const N: usize>(&self, k: usize) -> (&[[u32; N]], &[[Real; N]], usize) {
        const { assert!(N <= MOST_AT_ONCE) };
        let std::ops::Range { start, end } = self.range(k);
        let rounded = start..start + (end - start).next_multiple_of(N);
        let (neighbors, values) = (&self.neighbors[rounded.clone()], &self.values[rounded]);
        (neighbors.as_chunks().0, values.as_chunks().0, end - start)
    }

    /// Asks for the list of the chunk's place `k` before it is read, if there is one.
    #[inline(always)]
    pub fn prefetch(&self, k: usize) {
        if let Some(&start) = self.starts.get(k) {
            for place in [start as usize, start as usize + LINE] {
                prefetch(&self.neighbors, place);
                prefetch(&self.values, place);
            }
        }
    }

    /// The last neighbour in the lists up to the chunk's place `k`, if there is such a place.
    #[inline(always)]
    pub fn last_neighbor(&self, k: usize) -> Option<u32> {
        let end = *self.starts.get(k + 1)? as usize;
        self.neighbors.get(end.checked_sub(1)?).copied()
    }

    /// The numbers of the list of the chunk's place `k`: squared distances until they are replaced.
    #[inline(always)]
    pub fn values_mut(&mut self, k: usize) -> &mut [Real] {
        let range = self.range(k);
        &mut self.values[range]
    }

    /// Whether the squared distances are kept.
    pub(super) fn keeps_squares(&self) -> bool {
        self.keep_squares
    }

    /// Room for `count` neighbours behind the last list, and for their numbers if they are kept.
    #[inline(always)]
    pub(super) fn room(&mut self, count: usize) -> (&mut [u32], &mut [Real]) {
        let room = self.end()..self.end() + count;
        if self.neighbors.len() < room.end {
            // In small steps, so that little is left over for good.
            let more = room.end + self.neighbors.len() / 16;
            grow(&mut self.neighbors, more);
            if self.keep_squares {
                grow(&mut self.values, more);
            }
        }
        let values = if self.keep_squares { room.clone() } else { 0..0 };
        (&mut self.neighbors[room], &mut self.values[values])
    }

    /// Makes the first `count` numbers of the room the next list.
    #[inline(always)]
    pub(super) fn close(&mut self, count: usize) {
        let end = u32::try_from(self.end() + count);
        self.starts.push(end.expect("the neighbours of a chunk of places fit 32 bits"));
    }

    /// Adds the list of point `i` from the search's candidates: the one place that owns the test,
    /// but for searches that test many points at once in [`super::lanes`].
    pub(super) fn push<S: NeighborSearch>(
        &mut self,
        search: &S,
        points: &[Vec3],
        i: usize,
        limit: Real,
    ) {
        let x = points[i];
        let square = |j: u32| (x - points[j as usize]).norm_squared();
        let first = self.end();
        let mut kept = 0;
        search.candidate_runs(i, &x, |run| {
            let room = &mut self.room(kept + run.len()).0[kept..];
            let mut near = 0;
            for &j in run {
                // Written in any case and kept only if near: most candidates are not, at random,
                // and a branch would often be guessed wrong.
                room[near] = j;
                near += usize::from((square(j) < limit) & (j as usize != i));
            }
            kept += near;
        });
        let list = &mut self.neighbors[first..first + kept];
        if !list.is_sorted() {
            list.sort_unstable();
        }
        if self.keep_squares {
            let values = &mut self.values[first..first + kept];
            values.iter_mut().zip(list).for_each(|(value, j)| *value = square(*j));
        }
        self.close(kept);
    }
}

/// Makes an array longer, and no longer than that.
fn grow<T: Copy + Default>(numbers: &mut Vec<T>, len: usize) {
    numbers.reserve_exact(len.saturating_sub(numbers.len()));
    numbers.resize(len, T::default());
}
