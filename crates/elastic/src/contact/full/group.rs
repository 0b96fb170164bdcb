//! The pairs of primitives of two clusters.
//!
//! A group lists the pairs whose boxes are within its *reach*, and adds up by how much gaps may
//! have closed since: up to the reach no other pair can meet. Each pair has a *budget* on the same
//! sum, from the gap that it had when it was last tested: until then it sleeps, and a group all
//! of whose pairs sleep costs a comparison a substep.

use super::finder::{Finder, Scratch};
use super::pair::Pair;
use super::pair_list::{Listed, PairList};
use super::points::Points;
use super::primitives::Primitives;
use crate::contact::narrow::Nearest;
use hashfall_geometry::Point;

/// How many substeps of the relative motion the pairs are to last.
const SUBSTEPS: f64 = 32.0;
/// The least and the greatest reach, as parts of the mean edge \[–\].
const REACH: [f64; 2] = [0.05, 0.4];
/// How many motions of the substep under way the reach is at least.
const MIN_SUBSTEPS: f64 = 4.0;

/// What a group is told of the substep under way.
pub(super) struct Substep<'a> {
    pub primitives: &'a Primitives,
    pub points: &'a Points,
    /// Differs from substep to substep.
    pub number: u64,
    /// What rounding may be off by in a distance \[m\].
    pub rounding: f64,
}

/// A pair that acts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Near {
    pub pair: Pair,
    pub nearest: Nearest<4>,
}

/// A listed pair that may come to its distance.
pub(super) struct Awake<'a> {
    pub listed: &'a mut Listed,
    budget: &'a mut f64,
    travelled: f64,
}

impl Awake<'_> {
    /// Lets it sleep until clusters may have approached by its gap \[m\].
    pub fn sleep_for(&mut self, gap: f64) {
        *self.budget = self.travelled + gap;
    }
}

/// The pairs of two clusters, or of one with itself.
#[derive(Clone, Debug, Default)]
pub(super) struct Group {
    pub clusters: [u32; 2],
    /// By how much gaps closed at the most since the pairs were listed, up to where the substep
    /// starts \[m\].
    pub travelled: f64,
    /// The same in the motion under way \[m\].
    pub approach: f64,
    /// For how much of it all pairs are listed \[m\]; less than 0 if none are yet.
    reach: f64,
    pub pairs: PairList,
}

impl Group {
    /// Of these clusters, without pairs.
    pub fn begin(mut self, clusters: [u32; 2]) -> Self {
        self.pairs.clear();
        Group { clusters, reach: -1.0, travelled: 0.0, ..self }
    }

    /// Lists pairs if those that there are do not hold for the motion under way.
    pub fn update(&mut self, finder: &Finder<'_>, mean_edge: f64, scratch: &mut Scratch) {
        if self.travelled + self.approach <= self.reach {
            return;
        }
        let [low, high] = REACH.map(|share| share * mean_edge);
        let reach = (SUBSTEPS * self.approach).clamp(low, high).max(MIN_SUBSTEPS * self.approach);
        self.travelled = 0.0;
        self.reach = finder.find(self.clusters, reach, &mut self.pairs, scratch);
    }

    /// Visits the pairs that may come to their distance in the motion under way.
    pub fn visit_awake(&mut self, mut visit: impl FnMut(Awake<'_>)) {
        let travelled = self.travelled;
        self.pairs.visit_up_to(travelled + self.approach, |listed, budget| {
            visit(Awake { listed, budget, travelled });
        });
    }

    /// Adds the pairs that act to a list; returns how many were tested.
    pub fn find_near(&mut self, substep: &Substep<'_>, near: &mut Vec<Near>) -> u64 {
        let (most, mut tested) = (self.most(substep), 0);
        self.visit_awake(|mut awake| {
            tested += 1;
            let gap = test(awake.listed, substep, most, near);
            awake.sleep_for(gap);
        });
        tested
    }

    /// How much of a gap closes at the most in the motion under way \[m\]. It follows from the
    /// substep alone, and pairs that sleep have wider gaps: so which pairs act does not depend on
    /// when they were listed or tested.
    pub fn most(&self, substep: &Substep<'_>) -> f64 {
        self.approach - substep.rounding
    }
}

/// Adds a pair if it acts: if its gap is not wider than what its primitives approach, nor than what
/// its clusters do at the `most` \[m\]. Returns a lower bound of the gap \[m\].
fn test(listed: &mut Listed, substep: &Substep<'_>, most: f64, near: &mut Vec<Near>) -> f64 {
    let Substep { primitives, points, number, rounding } = *substep;
    let start = listed.pair.gather(&points.start);
    let approach = listed.pair.max_approach(&listed.pair.gather(&points.displacement)).min(most);
    if listed.normal != Point::zeros() {
        let least = listed.pair.separation(&start, &listed.normal) - listed.pair.distance;
        if least > approach + rounding {
            return least;
        }
    }
    let nearest = listed.nearest(&start, number);
    let apart = nearest.distance();
    if apart - listed.pair.distance <= approach && !listed.pair.reduce_distance(primitives) {
        return f64::INFINITY;
    }
    let gap = apart - listed.pair.distance;
    if gap <= approach {
        near.push(Near { pair: listed.pair, nearest });
    }
    gap
}
