//! The contracts of the structures, and the tests that they share: [`NeighborSearch`] for points
//! near a point, [`BroadPhase`] for boxes near a box, [`PairSearch`] for pairs of boxes that
//! overlap.

use crate::choice::settings::SearchSettings;
use crate::lists::chunk_lists::ChunkLists;
use hashfall_core::cell::{NO_KEY, key_of_point};
use hashfall_core::geometry::Aabb;
use hashfall_core::simd::LANES;
use hashfall_core::{Real, Vec3, parallel};
use std::ops::Range;

/// A structure over points, rebuilt every step.
pub trait NeighborSearch: Default + Send + Sync + Sized {
    /// Takes what of the settings concerns this structure, for all rebuilds from now on.
    fn configure(&mut self, _settings: &SearchSettings) {}

    /// Indexes `points` for queries of radius `support_radius` \[m\].
    ///
    /// # Panics
    /// If a point is not finite, or its cell of that size not
    /// [within the limit](hashfall_core::cell::is_within_limit): it could not be found again. If
    /// there are more points than places of 32 bits.
    fn rebuild(&mut self, points: &[Vec3], support_radius: Real);

    /// Visits a superset of the points closer than the support radius to `at`, each once, in any
    /// order; `at` itself is visited if it was indexed.
    fn candidates(&self, at: &Vec3, visit: impl FnMut(u32));

    /// As [`NeighborSearch::candidates`] for the indexed point `point`, which lies at `at`, many
    /// candidates at a time: quicker where a structure remembers where its points are.
    #[inline]
    fn candidate_runs(&self, _point: usize, at: &Vec3, mut visit: impl FnMut(&[u32])) {
        self.candidates(at, |candidate| visit(&[candidate]));
    }

    /// Appends the lists of the points at `places`: those of the indexed `points` whose squared
    /// distance is below `limit`. Of points that are `idle`, if that is not empty, they may be
    /// anything.
    fn list(
        &self,
        points: &[Vec3],
        places: Range<usize>,
        limit: Real,
        _idle: &[bool],
        lists: &mut ChunkLists,
    ) {
        places.for_each(|i| lists.push(self, points, i, limit));
    }

    /// Bytes that the structure holds, all in all.
    fn bytes(&self) -> usize;

    /// The place of each point, in a structure that lists points in an order of its own; else none.
    fn places(&self) -> &[u32] {
        &[]
    }

    /// Panics unless the structure holds each point once, where it belongs.
    fn assert_well_formed(&self, points: &[Vec3]);
}

/// A structure over boxes of any sizes.
pub trait BroadPhase: Default + Send + Sync {
    /// Whether candidates are the boxes that overlap, and no other.
    const IS_EXACT: bool = false;

    /// Indexes `boxes`. No query is expected to be smaller than `smallest` \[m\], 0 if that is not
    /// known; those up to four times as large may be the quickest. Panics if a box is not finite,
    /// or is empty.
    fn rebuild(&mut self, boxes: &[Aabb], smallest: Real);

    /// Visits a superset of the boxes that overlap `query`, each once, in any order. Nothing
    /// overlaps a query that is empty, or has a coordinate that is no number.
    fn candidates(&self, query: &Aabb, visit: impl FnMut(u32));

    /// As [`BroadPhase::candidates`] for many queries: visits the number of each query, ascending,
    /// with its candidates. Quicker where a structure goes through several at a time, most of all
    /// if those that follow each other lie together.
    #[inline]
    fn candidates_of_all(&self, queries: &[Aabb], mut visit: impl FnMut(usize, u32)) {
        for (number, query) in queries.iter().enumerate() {
            self.candidates(query, |id| visit(number, id));
        }
    }

    /// How many entries a query looks at to find its candidates.
    fn examined(&self, query: &Aabb) -> usize;

    /// Bytes that queries read, all in all.
    fn bytes(&self) -> usize;

    /// Panics unless the structure holds each box in every cell where it belongs.
    fn assert_well_formed(&self, boxes: &[Aabb]);
}

impl ChunkLists {
    /// Adds the list of point `i` from the search's candidates: the one place that owns the test,
    /// but for searches that test many points at once in [lanes](crate::lanes).
    pub(crate) fn push<S: NeighborSearch>(
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

/// A structure over boxes that come, move and go. Numbers of objects are free to have gaps, but
/// take memory up to the greatest.
pub trait IncrementalBroadPhase: BroadPhase {
    /// Adds an object. Panics if there is one of that number, or its box is not finite or empty.
    fn insert(&mut self, object: u32, b: &Aabb);

    /// Gives an object another box. Panics if there is none of that number, or the box is not
    /// finite or empty.
    fn move_to(&mut self, object: u32, b: &Aabb);

    /// Takes an object away. Panics if there is none of that number.
    fn remove(&mut self, object: u32);

    /// Panics unless the structure holds these objects, each in every cell where it belongs, and
    /// nothing else.
    fn assert_holds(&self, objects: &[Option<Aabb>]);
}

/// A structure that finds pairs of boxes.
pub trait PairSearch: Default + Send + Sync {
    /// Whether each pair comes once.
    const IS_UNIQUE: bool = true;

    /// Whether the pairs are those that overlap, and no other.
    const IS_EXACT: bool = true;

    /// Indexes `boxes`. Panics if a box is not finite, or is empty.
    fn rebuild(&mut self, boxes: &[Aabb]);

    /// Visits a superset of the pairs of boxes that overlap, the lower number first. Pieces of the
    /// work run side by side; each begins with what `start` gives, and what they come to is
    /// returned in their order, which is the same for any number of threads.
    fn pairs<V: Visits>(&self, visits: &V) -> Vec<V::Answer>;

    /// Bytes that the structure holds, all in all; of a broad phase, the boxes and what queries
    /// read.
    fn bytes(&self) -> usize;

    /// Panics unless the structure holds each box where it belongs.
    fn assert_well_formed(&self, boxes: &[Aabb]);
}

/// What to do with each pair.
pub trait Visits: Sync {
    /// What the pairs of a piece of the work come to.
    type Answer: Send;

    /// Before the first pair.
    fn start(&self) -> Self::Answer;

    /// The boxes `low < high` may overlap.
    fn visit(&self, answer: &mut Self::Answer, low: u32, high: u32);
}

/// Lists the pairs.
#[derive(Clone, Copy, Debug)]
pub struct ListPairs;

impl Visits for ListPairs {
    type Answer = Vec<[u32; 2]>;

    fn start(&self) -> Self::Answer {
        Vec::new()
    }

    #[inline(always)]
    fn visit(&self, pairs: &mut Self::Answer, low: u32, high: u32) {
        pairs.push([low, high]);
    }
}

/// The most points that a search takes: blocks of 16 places may begin at each and end in 32 bits.
pub(crate) const MAX_POINTS: usize = u32::MAX as usize - LANES;

/// Panics if there are more points than a search takes.
pub(crate) fn assert_count(points: usize) {
    assert!(points <= MAX_POINTS, "{points} points are more than {MAX_POINTS}, the most");
}

/// Panics if a point has no cell of size `cell_size` \[m\].
pub(crate) fn assert_cells(points: &[Vec3], cell_size: Real) {
    if parallel::any(points.len(), |i| key_of_point(&points[i], cell_size) == NO_KEY) {
        refuse(points, cell_size);
    }
}

/// Ends a rebuild over points of which one has no cell.
#[cold]
pub(crate) fn refuse(points: &[Vec3], cell_size: Real) -> ! {
    let unfit = |p: &Vec3| key_of_point(p, cell_size) == NO_KEY;
    let at = points.iter().position(unfit).unwrap_or_default();
    refuse_point(points, at, cell_size.into())
}

/// Ends a rebuild over points of which the one at `at` has no cell.
#[cold]
pub(crate) fn refuse_point(points: &[Vec3], at: usize, cell_size: f64) -> ! {
    let place = points.get(at).map(|p| (p.x, p.y, p.z));
    panic!("point {at} at {place:?} is not finite or too far away for cells of {cell_size} m")
}

/// Visits every box that overlaps `query` (touching counts), each once: the one place that owns
/// the test, but for structures that keep the boxes and make it themselves.
#[inline]
pub fn for_each_overlap<B: BroadPhase>(
    broad_phase: &B,
    boxes: &[Aabb],
    query: &Aabb,
    mut visit: impl FnMut(u32),
) {
    if !B::IS_EXACT && query.is_empty() {
        return;
    }
    broad_phase.candidates(query, |id| {
        if B::IS_EXACT || boxes[id as usize].overlaps(query) {
            visit(id);
        }
    });
}

/// The same for many queries: visits the number of each, ascending, with the boxes that it
/// overlaps.
#[inline]
pub fn for_each_overlap_of_all<B: BroadPhase>(
    broad_phase: &B,
    boxes: &[Aabb],
    queries: &[Aabb],
    mut visit: impl FnMut(usize, u32),
) {
    let is_proposed = |query: usize| B::IS_EXACT || !queries[query].is_empty();
    broad_phase.candidates_of_all(queries, |query, id| {
        let is_hit = B::IS_EXACT || boxes[id as usize].overlaps(&queries[query]);
        if is_proposed(query) && is_hit {
            visit(query, id);
        }
    });
}

/// Panics unless all boxes are finite and hold a point: cells have no place for others.
pub(crate) fn assert_boxes(boxes: &[Aabb]) {
    boxes.iter().enumerate().for_each(|(object, b)| assert_box(object, b));
}

/// Panics unless a box is finite and holds a point.
#[inline]
pub(crate) fn assert_box(object: usize, b: &Aabb) {
    let is_sound = (0..3).all(|a| b.min[a].is_finite() && b.max[a].is_finite())
        && (0..3).all(|a| b.min[a] <= b.max[a]);
    assert!(is_sound, "box {object} is not finite or empty: {b:?}");
}
