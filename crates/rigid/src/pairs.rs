//! Pairs of bodies whose boxes overlap, by any broad phase.
//!
//! The broad phases of [`hashfall_search`] hold the boxes of bodies, rounded outwards to their
//! precision, and each free body asks for what overlaps its own. The answers are tested again in
//! double precision and sorted, so that every structure gives the same pairs. The structures are
//! kept from step to step: the dynamic hierarchical hash (Pouchol, listing 2: moving objects) moves
//! only what left its cells. Half spaces have no bounds and are paired with every free body.

use crate::shape::Bounds;
use hashfall_core::Real;
use hashfall_core::parallel::{chunks, map_parts};
use hashfall_search::{Aabb, BoxIndex, BroadPhaseKind};
use rayon::slice::ParallelSliceMut;
use thiserror::Error;

/// Bodies a thread asks for at a time.
const CHUNK: usize = 64;

/// What the broad phase needs of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyBox {
    /// The box of all its places in the step, grown by the prediction distance \[m\].
    pub bounds: Bounds,
    /// Whether contact may move it: only pairs with such a body are found.
    pub is_free: bool,
}

/// Why there are no pairs.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum PairError {
    /// The box of a body has a coordinate that is no number.
    #[error("the box of body {0} is not finite")]
    NotFinite(usize),
    /// A free body has no bounds.
    #[error("body {0} is free, and its shape has no bounds")]
    Unbounded(usize),
}

/// Finds pairs, step after step.
#[derive(Debug)]
pub struct PairFinder {
    kind: BroadPhaseKind,
    index: Option<Box<dyn BoxIndex>>,
    /// By box of the index: the body.
    indexed: Vec<u32>,
    unbounded: Vec<u32>,
    pairs: Vec<[u32; 2]>,
}

impl Default for PairFinder {
    fn default() -> Self {
        PairFinder::new(BroadPhaseKind::DynamicHierarchicalHash)
    }
}

impl PairFinder {
    /// One that holds no boxes yet.
    pub fn new(kind: BroadPhaseKind) -> Self {
        let (indexed, unbounded, pairs) = (Vec::new(), Vec::new(), Vec::new());
        PairFinder { kind, index: None, indexed, unbounded, pairs }
    }

    /// The structure that it uses.
    pub fn kind(&self) -> BroadPhaseKind {
        self.kind
    }

    /// All pairs of bodies whose boxes overlap (touching counts) and of which one at least is free:
    /// the lower number first, sorted.
    ///
    /// # Errors
    /// If a box is no box, or that of a free body has no bounds.
    pub fn find(&mut self, bodies: &[BodyBox]) -> Result<&[[u32; 2]], PairError> {
        check(bodies)?;
        let Some(boxes) = self.sort_out(bodies) else {
            self.index = None;
            self.pairs = brute_pairs(bodies);
            return Ok(&self.pairs);
        };
        match &mut self.index {
            Some(index) if index.boxes().len() == boxes.len() => {
                index.renew(&mut boxes.into_iter());
            }
            index => *index = Some(self.kind.index(boxes, 0.0 as Real)),
        }
        self.pairs.clear();
        let Some(index) = &self.index else { return Ok(&self.pairs) };
        let (indexed, unbounded) = (&self.indexed, &self.unbounded);
        let places: Vec<u32> = (0..indexed.len() as u32).collect();
        let chunk = |places: &[u32]| {
            let (mut found, mut pairs) = (Vec::new(), Vec::new());
            for &place in places {
                let body = indexed[place as usize];
                if !bodies[body as usize].is_free {
                    continue;
                }
                index.overlapping(&index.boxes()[place as usize], &mut found);
                let others = found.iter().map(|&other| indexed[other as usize]);
                for other in others.chain(unbounded.iter().copied()) {
                    let is_new = other > body || !bodies[other as usize].is_free;
                    let boxes = [body, other].map(|b| &bodies[b as usize].bounds);
                    if other != body && is_new && boxes[0].overlaps(boxes[1]) {
                        pairs.push([body.min(other), body.max(other)]);
                    }
                }
            }
            pairs
        };
        self.pairs = map_parts(chunks(&places, CHUNK), |_, places| chunk(places)).concat();
        self.pairs.par_sort_unstable();
        Ok(&self.pairs)
    }

    /// Splits bodies into those with boxes, which are returned, and those without bounds; none if
    /// no box is left.
    fn sort_out(&mut self, bodies: &[BodyBox]) -> Option<Vec<Aabb>> {
        self.indexed.clear();
        self.unbounded.clear();
        let mut boxes = Vec::with_capacity(bodies.len());
        for (number, body) in bodies.iter().enumerate() {
            let aabb = body.bounds.rounded_outwards();
            if aabb.min.iter().chain(aabb.max.iter()).all(|x| x.is_finite()) {
                self.indexed.push(number as u32);
                boxes.push(aabb);
            } else {
                self.unbounded.push(number as u32);
            }
        }
        (!boxes.is_empty()).then_some(boxes)
    }
}

/// Refuses boxes that are none.
fn check(bodies: &[BodyBox]) -> Result<(), PairError> {
    for (number, body) in bodies.iter().enumerate() {
        let Bounds { min, max } = &body.bounds;
        // Comparisons with what is no number fail.
        if !(0..3).all(|axis| min[axis] <= max[axis]) {
            return Err(PairError::NotFinite(number));
        }
        if body.is_free && !body.bounds.is_finite() {
            return Err(PairError::Unbounded(number));
        }
    }
    Ok(())
}

/// The same pairs by comparing all.
fn brute_pairs(bodies: &[BodyBox]) -> Vec<[u32; 2]> {
    let all = (0..bodies.len()).flat_map(|a| (a + 1..bodies.len()).map(move |b| [a, b]));
    let is_pair = |&[a, b]: &[usize; 2]| {
        (bodies[a].is_free || bodies[b].is_free) && bodies[a].bounds.overlaps(&bodies[b].bounds)
    };
    all.filter(is_pair).map(|pair| pair.map(|body| body as u32)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashfall_core::geometry::random::Random;
    use hashfall_core::parallel::with_threads;
    use nalgebra::Vector3;

    fn scene(seed: u64, count: usize, scale: f64) -> Vec<BodyBox> {
        let mut random = Random::new(seed);
        let mut bodies: Vec<BodyBox> = (0..count)
            .map(|_| {
                let center = random.point(-1.0, 1.0) * scale;
                let half = random.number(0.01, 0.4) * scale;
                let size = random.point(0.2, 1.0) * half;
                let bounds = Bounds { min: center - size, max: center + size };
                BodyBox { bounds, is_free: random.number(0.0, 1.0) < 0.7 }
            })
            .collect();
        for place in [3, 57] {
            bodies[place] = BodyBox { bounds: Bounds::UNBOUNDED, is_free: false };
        }
        bodies
    }

    #[test]
    fn every_structure_finds_the_pairs_of_brute_force_for_any_threads() {
        for scale in [1e-3, 1.0, 1e3] {
            let steps = [scene(1, 300, scale), scene(2, 300, scale), scene(3, 200, scale)];
            for kind in BroadPhaseKind::ALL {
                for threads in [1, 3] {
                    let mut finder = PairFinder::new(kind);
                    for bodies in &steps {
                        let expected = brute_pairs(bodies);
                        assert!(expected.len() > 300);
                        let found = with_threads(threads, || finder.find(bodies).unwrap().to_vec());
                        assert_eq!(found, expected, "{kind:?} at {scale} m");
                    }
                }
            }
        }
    }

    #[test]
    fn boxes_that_differ_by_less_than_single_precision_are_told_apart() {
        let cube = |x: f64| Bounds {
            min: Vector3::new(x, 0.0, 0.0),
            max: Vector3::new(x + 1.0, 1.0, 1.0),
        };
        let pair = |x: f64| [cube(0.0), cube(x)].map(|bounds| BodyBox { bounds, is_free: true });
        let mut finder = PairFinder::default();
        assert_eq!(finder.find(&pair(1.0)).unwrap(), [[0, 1]]);
        assert_eq!(finder.find(&pair(1.0 + 1e-12)).unwrap(), [[0; 2]; 0]);
    }

    #[test]
    fn bodies_that_are_nowhere_are_refused() {
        let mut bodies = scene(4, 100, 1.0);
        let mut finder = PairFinder::default();
        bodies[9].bounds.max.y = f64::NAN;
        assert_eq!(finder.find(&bodies), Err(PairError::NotFinite(9)));
        bodies[9] = BodyBox { bounds: Bounds::UNBOUNDED, is_free: true };
        assert_eq!(finder.find(&bodies), Err(PairError::Unbounded(9)));
        assert_eq!(finder.find(&[]), Ok(&[][..]));
        assert_eq!(finder.find(&bodies[..4]).unwrap(), brute_pairs(&bodies[..4]));
    }
}
