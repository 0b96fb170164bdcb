//! Trees over points: kiddo 6.3 (k-d tree) and rstar 0.14 (R*-tree, bulk-loaded).
//!
//! kiddo in two ways: `within(…).unsorted()` around each point, visiting and keeping nothing, and
//! its join of two trees, here of twins: it refuses a tree with itself, and a tree cannot be
//! cloned, so two are built. The trees are immutable ones, made anew each time, as kiddo advises
//! for points that all move.

use super::{NeighborMethod, PairCheck, PairDigest};
use crate::measure::Failure;
use kiddo::{ImmutableKdTree, SquaredEuclidean};
use rayon::prelude::*;
use rstar::RTree;
use rstar::primitives::GeomWithData;
use std::sync::Mutex;

/// Points a task looks around at once.
const CHUNK: usize = 1024;

type KdTree<const D: usize> = ImmutableKdTree<f32, D>;

/// The first D coordinates of points.
fn narrowed<const D: usize>(points: &[[f32; 3]]) -> Vec<[f32; D]> {
    points.iter().map(|p| std::array::from_fn(|axis| p[axis])).collect()
}

/// Searches around each point.
#[derive(Default)]
pub struct KiddoWithin<const D: usize> {
    tree: Option<KdTree<D>>,
}

impl<const D: usize> KiddoWithin<D> {
    /// Adds up `value` over the neighbours of each point, itself included.
    fn sum<T: Send + Default>(
        &self,
        points: &[[f32; D]],
        radius: f32,
        value: impl Fn(&mut T, usize, usize) + Sync,
    ) -> Vec<T> {
        let Some(tree) = &self.tree else { return vec![] };
        let around = |sum: &mut T, i: usize| {
            let query = tree.query(&points[i]).within::<SquaredEuclidean<f32>>(radius * radius);
            let query = query.unsorted().exclusive_boundaries().without_distances();
            query.visit(|found| value(sum, i, found.item as usize));
        };
        let chunks = (0..points.len()).into_par_iter().step_by(CHUNK);
        let of_chunk = |start: usize| {
            let mut sum = T::default();
            (start..points.len().min(start + CHUNK)).for_each(|i| around(&mut sum, i));
            sum
        };
        chunks.map(of_chunk).collect()
    }
}

impl<const D: usize> NeighborMethod for KiddoWithin<D> {
    type Points = Vec<[f32; D]>;
    const YIELDS: &'static str = "visits";

    fn prepare(points: &[[f32; 3]]) -> Self::Points {
        narrowed(points)
    }

    fn build(&mut self, points: &Self::Points, _radius: f32) -> Result<(), Failure> {
        self.tree = Some(KdTree::new_from_slice(points)?);
        Ok(())
    }

    fn search(&mut self, points: &Self::Points, radius: f32) -> u64 {
        let count = |sum: &mut u64, i: usize, j: usize| *sum += u64::from(i != j);
        self.sum(points, radius, count).into_iter().sum()
    }

    fn digest(&self, points: &Self::Points, radius: f32, check: &PairCheck) -> PairDigest {
        let judge = |sum: &mut PairDigest, i: usize, j: usize| {
            if i != j {
                *sum = [*sum, check.pair(i, j)].into_iter().sum();
            }
        };
        self.sum(points, radius, judge).into_iter().sum()
    }
}

/// Joins a tree with its twin.
#[derive(Default)]
pub struct KiddoJoin<const D: usize> {
    trees: Option<[KdTree<D>; 2]>,
}

impl<const D: usize> NeighborMethod for KiddoJoin<D> {
    type Points = Vec<[f32; D]>;
    const YIELDS: &'static str = "counts";

    fn prepare(points: &[[f32; 3]]) -> Self::Points {
        narrowed(points)
    }

    fn build(&mut self, points: &Self::Points, _radius: f32) -> Result<(), Failure> {
        self.trees = Some([KdTree::new_from_slice(points)?, KdTree::new_from_slice(points)?]);
        Ok(())
    }

    fn search(&mut self, points: &Self::Points, radius: f32) -> u64 {
        let Some([tree, twin]) = &self.trees else { return 0 };
        let join = tree.query_tree(twin).within::<SquaredEuclidean<f32>>(radius * radius);
        // Each point is joined with itself, too.
        join.exclusive_boundaries().without_distances().count() as u64 - points.len() as u64
    }

    fn digest(&self, _points: &Self::Points, radius: f32, check: &PairCheck) -> PairDigest {
        let Some([tree, twin]) = &self.trees else { return PairDigest::default() };
        let join = tree.query_tree(twin).within::<SquaredEuclidean<f32>>(radius * radius);
        let sum = Mutex::new(PairDigest::default());
        join.exclusive_boundaries().without_distances().for_each(|pair| {
            if pair.left_item != pair.right_item {
                let judged = check.pair(pair.left_item as usize, pair.right_item as usize);
                // A task that panicked has ended the program's work anyway.
                let mut sum = sum.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
                *sum = [*sum, judged].into_iter().sum();
            }
        });
        sum.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

/// `locate_within_distance` around each point; it takes points at exactly r, so the test is ours.
#[derive(Default)]
pub struct Rstar<const D: usize> {
    tree: RTree<GeomWithData<[f32; D], u32>>,
}

impl<const D: usize> Rstar<D> {
    fn near(&self, at: &[f32; D], i: usize, radius: f32) -> impl Iterator<Item = usize> {
        let square = radius * radius;
        let is_near = move |p: &[f32; D]| {
            (0..D).map(|k| (p[k] - at[k]) * (p[k] - at[k])).sum::<f32>() < square
        };
        let found = self.tree.locate_within_distance(*at, square);
        found.filter(move |q| q.data as usize != i && is_near(q.geom())).map(|q| q.data as usize)
    }
}

impl<const D: usize> NeighborMethod for Rstar<D> {
    type Points = Vec<[f32; D]>;
    const YIELDS: &'static str = "visits";

    fn prepare(points: &[[f32; 3]]) -> Self::Points {
        narrowed(points)
    }

    fn build(&mut self, points: &Self::Points, _radius: f32) -> Result<(), Failure> {
        let numbered = (0..).zip(points).map(|(i, &p)| GeomWithData::new(p, i));
        self.tree = RTree::bulk_load(numbered.collect());
        Ok(())
    }

    fn search(&mut self, points: &Self::Points, radius: f32) -> u64 {
        let count = |i| self.near(&points[i], i, radius).count() as u64;
        (0..points.len()).into_par_iter().with_min_len(CHUNK).map(count).sum()
    }

    fn digest(&self, points: &Self::Points, radius: f32, check: &PairCheck) -> PairDigest {
        let near = |i: usize| self.near(&points[i], i, radius).map(move |j| (i, j));
        (0..points.len()).flat_map(near).map(|(i, j)| check.pair(i, j)).sum()
    }
}
