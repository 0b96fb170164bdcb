//! Task T1: all neighbours within a radius of each of many points, after every step of theirs.
//!
//! A method may keep lists or only visit pairs; the table says which. All must find the same
//! pairs. As d² < r² is decided in f32, in an order of operations that each crate chooses, pairs
//! whose distance is within some roundings of r may fall on either side: [`PairCheck`] decides in
//! f64, demands every pair that is clearly near, refuses any that is clearly not, and leaves the
//! few in between.

mod grids;
mod ours;
mod trees;

use crate::measure::{Effort, Failure, Lane, Subject, take_turns};
use crate::sets::mix;
use crate::sets::points::PointSet;
use crate::table::{Table, figure};
use hashfall_search::NeighborKind;
use hashfall_search::with_neighbor_search;
use std::iter::Sum;

/// Brute force takes too long beyond this many points.
const BRUTE_POINTS: usize = 20_000;

/// A neighbour search under test.
pub trait NeighborMethod: Default + Send + Sync + 'static {
    /// The points as the method takes them.
    type Points: Send + Sync;
    /// What a search leaves behind.
    const YIELDS: &'static str;

    /// Converts points; not timed.
    fn prepare(points: &[[f32; 3]]) -> Self::Points;

    /// Rebuilds the structure.
    fn build(&mut self, points: &Self::Points, radius: f32) -> Result<(), Failure>;

    /// Finds all neighbours; gives the number of directed pairs.
    fn search(&mut self, points: &Self::Points, radius: f32) -> u64;

    /// Checks every pair found in the last search.
    fn digest(&self, points: &Self::Points, radius: f32, check: &PairCheck) -> PairDigest;
}

/// Judges pairs of points.
pub struct PairCheck<'a> {
    points: &'a [[f32; 3]],
    /// r².
    square: f64,
}

/// What is known of a set of directed pairs; does not depend on their order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PairDigest {
    /// Pairs clearly nearer than r.
    near: u64,
    /// Pairs that differ from r by roundings only.
    undecided: u64,
    /// Pairs clearly not nearer, or of a point with itself.
    wrong: u64,
    /// Of the clearly near pairs.
    checksum: u64,
}

impl PairCheck<'_> {
    /// Relative error of d² and r² in f32: three roundings of d², one of r², with room.
    const TOLERANCE: f64 = 1e-6;

    /// Judges the pair of point `i` with its neighbour `j`.
    pub fn pair(&self, i: usize, j: usize) -> PairDigest {
        let [x, y] = [i, j].map(|k| self.points[k].map(f64::from));
        let apart = (0..3).map(|axis| (x[axis] - y[axis]) * (x[axis] - y[axis])).sum::<f64>();
        let excess = apart / self.square - 1.0;
        let mut digest = PairDigest::default();
        if i == j || excess > Self::TOLERANCE {
            digest.wrong = 1;
        } else if excess > -Self::TOLERANCE {
            digest.undecided = 1;
        } else {
            digest.near = 1;
            digest.checksum = mix((i as u64) << 32 | j as u64);
        }
        digest
    }
}

impl Sum for PairDigest {
    fn sum<I: Iterator<Item = PairDigest>>(digests: I) -> Self {
        digests.fold(PairDigest::default(), |a, b| PairDigest {
            near: a.near + b.near,
            undecided: a.undecided + b.undecided,
            wrong: a.wrong + b.wrong,
            checksum: a.checksum.wrapping_add(b.checksum),
        })
    }
}

/// A method with one radius.
struct Run<M> {
    method: M,
    radius: f32,
}

impl<M: NeighborMethod> Subject for Run<M> {
    type Side = M::Points;
    type Answer = u64;

    fn build(&mut self, points: &M::Points) -> Result<(), Failure> {
        self.method.build(points, self.radius)
    }

    fn search(&mut self, points: &M::Points) -> u64 {
        self.method.search(points, self.radius)
    }
}

/// What came out for one method.
pub struct Outcome {
    /// Finds numbers of directed pairs.
    lane: Lane<u64>,
    yields: &'static str,
    /// Of set A and set B.
    digests: Vec<PairDigest>,
}

/// Measures every method whose name `is_wanted` on a set.
pub fn compare(
    set: &PointSet,
    effort: Effort,
    is_wanted: &(dyn Fn(&str) -> bool + Sync),
) -> Result<Vec<Outcome>, Failure> {
    effort.pool.install(|| {
        let mut outcomes = vec![];
        for kind in NeighborKind::ALL {
            let name = format!("Hashfall {kind:?}");
            let is_feasible = kind != NeighborKind::Brute || set.sides[0].len() <= BRUTE_POINTS;
            if is_feasible && is_wanted(&name) {
                with_neighbor_search!(kind, S => {
                    outcomes.push(enter::<ours::Lists<S>>(&name, set)?);
                });
            }
        }
        if set.is_flat {
            enter_peers::<2>(set, is_wanted, &mut outcomes)?;
        } else {
            enter_peers::<3>(set, is_wanted, &mut outcomes)?;
        }
        take_turns(outcomes.iter_mut().map(|o| &mut o.lane), effort.repetitions)?;
        Ok(outcomes)
    })
}

fn enter<M: NeighborMethod>(name: &str, set: &PointSet) -> Result<Outcome, Failure> {
    eprintln!("{name}: {}", set.name);
    let sides = [M::prepare(&set.sides[0]), M::prepare(&set.sides[1])];
    let run = Run { method: M::default(), radius: set.radius };
    let mut digests = vec![];
    let lane = Lane::new(name, run, sides, |run, side| {
        let square = f64::from(set.radius) * f64::from(set.radius);
        let check = PairCheck { points: &set.sides[digests.len()], square };
        digests.push(run.method.digest(side, set.radius, &check));
    })?;
    Ok(Outcome { lane, yields: M::YIELDS, digests })
}

/// The crates, in the dimension of the set.
fn enter_peers<const D: usize>(
    set: &PointSet,
    is_wanted: &dyn Fn(&str) -> bool,
    outcomes: &mut Vec<Outcome>,
) -> Result<(), Failure> {
    let mut add = |name: &str, enter: fn(&str, &PointSet) -> Result<Outcome, Failure>| {
        if is_wanted(name) {
            outcomes.push(enter(name, set)?);
        }
        Ok::<(), Failure>(())
    };
    if grids::has_room(&set.sides[0], set.radius) {
        add("zelll cells", enter::<grids::Zelll<D>>)?;
    }
    add("kiddo within", enter::<trees::KiddoWithin<D>>)?;
    add("kiddo join", enter::<trees::KiddoJoin<D>>)?;
    add("rstar within", enter::<trees::Rstar<D>>)
}

/// Fails unless all found the same pairs.
pub fn check_agreement(outcomes: &[Outcome]) -> Result<(), Failure> {
    let Some(first) = outcomes.first() else {
        return Err("no method of that name".into());
    };
    for outcome in outcomes {
        for side in 0..2 {
            let [found, wanted] = [outcome, first].map(|o| o.digests[side]);
            let counted = outcome.lane.answers[side];
            let is_same = (found.near, found.checksum) == (wanted.near, wanted.checksum);
            if found.wrong > 0 || !is_same || found.near + found.undecided != counted {
                let [name, other] = [outcome, first].map(|o| &o.lane.name);
                let what = format!("{found:?}, counting {counted}; {other}: {wanted:?}");
                return Err(format!("{name} finds {what}").into());
            }
        }
    }
    Ok(())
}

/// The table of a set.
pub fn tabulate(outcomes: &[Outcome], set: &PointSet) -> String {
    let mut table = Table::new(&[
        "method",
        "yields",
        "ns/point",
        "min",
        "total ms",
        "min ms",
        "build ms",
        "search ms",
        "MB held",
        "pairs",
        "pairs/point",
        "checksum",
    ]);
    let points = set.sides[0].len() as f64;
    for Outcome { lane, yields, digests } in outcomes {
        let (cost, pairs) = (lane.cost(), lane.answers[0]);
        table.push(vec![
            lane.name.clone(),
            (*yields).to_owned(),
            figure(cost.total.median * 1e6 / points),
            figure(cost.total.min * 1e6 / points),
            figure(cost.total.median),
            figure(cost.total.min),
            figure(cost.build.median),
            figure(cost.search.median),
            figure(lane.bytes as f64 / 1e6),
            pairs.to_string(),
            figure(pairs as f64 / points),
            format!("{:08x}", digests[0].checksum >> 32),
        ]);
    }
    table.render()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_judged_by_their_distance() {
        let points = [[0.0; 3], [0.9, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.1, 0.0]];
        let check = PairCheck { points: &points, square: 1.0 };
        let judged = |j| {
            let PairDigest { near, undecided, wrong, .. } = check.pair(0, j);
            [near, undecided, wrong]
        };
        assert_eq!([0, 1, 2, 3].map(judged), [[0, 0, 1], [1, 0, 0], [0, 1, 0], [0, 0, 1]]);
        assert_ne!(check.pair(0, 1).checksum, check.pair(1, 0).checksum);
    }

    #[test]
    fn a_pair_too_many_or_too_few_is_noticed() -> Result<(), Failure> {
        let set = PointSet::new(crate::sets::points::Family::Uni, 500, crate::sets::Order::Sorted);
        let pool = &rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
        let effort = Effort { repetitions: 1, pool };
        let is_ours = |name: &str| name.contains("Hashfall");
        let broken = |change: fn(&mut PairDigest)| {
            let mut outcomes = compare(&set, effort, &is_ours)?;
            outcomes.iter_mut().skip(1).for_each(|o| change(&mut o.digests[1]));
            Ok::<bool, Failure>(check_agreement(&outcomes).is_err())
        };
        assert!(!broken(|_| ())?);
        assert!(broken(|digest| digest.near -= 1)?);
        assert!(broken(|digest| digest.wrong += 1)?);
        assert!(broken(|digest| digest.undecided += 1)?);
        assert!(broken(|digest| digest.checksum ^= 1)?);
        Ok(())
    }
}
