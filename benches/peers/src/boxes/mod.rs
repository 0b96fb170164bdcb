//! Task T2: which of some boxes does each of many query boxes overlap, after every step of theirs?
//!
//! Boxes are closed: touching counts. That is a comparison of the same f32 in every crate, so all
//! answers must be exactly the same. Queries run in parallel; each crate builds its structure as
//! its plain call does, on one thread.

mod ours;
mod trees;
mod trees_in_2d;

use crate::measure::{Effort, Failure, Lane, Subject, take_turns};
use crate::sets::boxes::{Box3, BoxSet};
use crate::table::{Table, figure};
use hashfall_search::BroadPhaseKind;
use hashfall_search::with_broad_phase;
use rayon::prelude::*;

/// Brute force takes too long beyond this many pairs of object and query.
const BRUTE_PAIRS: usize = 200_000_000;

/// Queries of a task.
const CHUNK: usize = 1024;

/// A broad phase under test.
pub trait BoxMethod: Default + Send + Sync + 'static {
    /// An object as the method takes it.
    type Object: Send + Sync;
    /// A query as the method takes it.
    type Query: Send + Sync;

    /// Converts an object; not timed.
    fn object(b: &Box3, number: u32) -> Self::Object;

    /// Converts a query; not timed.
    fn query(b: &Box3) -> Self::Query;

    /// Rebuilds the structure; no query is expected to be smaller than `smallest`.
    fn build(&mut self, objects: &[Self::Object], smallest: f32) -> Result<(), Failure>;

    /// Visits the numbers of the objects that overlap `query`.
    fn for_each(&self, objects: &[Self::Object], query: &Self::Query, visit: impl FnMut(u32));

    /// The same for queries that follow each other, whose numbers are visited, too; all at once
    /// where a method can.
    #[inline]
    fn for_each_of_all(
        &self,
        objects: &[Self::Object],
        queries: &[Self::Query],
        mut visit: impl FnMut(usize, u32),
    ) {
        for (number, query) in queries.iter().enumerate() {
            self.for_each(objects, query, |object| visit(number, object));
        }
    }
}

/// The overlaps of all queries; does not depend on their order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Overlaps {
    count: u64,
    checksum: u64,
}

impl Overlaps {
    /// Counts a pair.
    #[inline(always)]
    pub fn add(&mut self, query: usize, object: u32) {
        self.count += 1;
        // Odd factors, so that no pair is lost; two operations, as they are timed.
        let term = (2 * query as u64 + 1).wrapping_mul(2 * u64::from(object) + 1);
        self.checksum = self.checksum.wrapping_add(term);
    }

    /// Both together.
    pub fn plus(self, other: Overlaps) -> Overlaps {
        Overlaps {
            count: self.count + other.count,
            checksum: self.checksum.wrapping_add(other.checksum),
        }
    }

    /// How many.
    pub fn count(self) -> u64 {
        self.count
    }

    /// The checksum, for tables.
    pub fn fingerprint(self) -> String {
        format!("{:08x}", crate::sets::mix(self.checksum) >> 32)
    }
}

/// A method with its queries.
struct Run<M: BoxMethod> {
    method: M,
    queries: Vec<M::Query>,
    smallest: f32,
}

impl<M: BoxMethod> Subject for Run<M> {
    type Side = Vec<M::Object>;
    type Answer = Overlaps;

    fn build(&mut self, objects: &Vec<M::Object>) -> Result<(), Failure> {
        self.method.build(objects, self.smallest)
    }

    fn search(&mut self, objects: &Vec<M::Object>) -> Overlaps {
        let of_chunk = |(chunk, queries): (usize, &[M::Query])| {
            let mut overlaps = Overlaps::default();
            self.method.for_each_of_all(objects, queries, |query, object| {
                overlaps.add(chunk * CHUNK + query, object);
            });
            overlaps
        };
        let chunks = self.queries.par_chunks(CHUNK).enumerate();
        chunks.map(of_chunk).reduce(Overlaps::default, Overlaps::plus)
    }
}

/// Measures every method whose name `is_wanted` on a set.
pub fn compare(
    set: &BoxSet,
    effort: Effort,
    is_wanted: &(dyn Fn(&str) -> bool + Sync),
) -> Result<Vec<Lane<Overlaps>>, Failure> {
    effort.pool.install(|| {
        let mut lanes = vec![];
        for kind in BroadPhaseKind::ALL {
            let name = format!("Hashfall {kind:?}");
            let pairs = set.sides[0].len() * set.queries.len();
            if (kind != BroadPhaseKind::Brute || pairs <= BRUTE_PAIRS) && is_wanted(&name) {
                with_broad_phase!(kind, B => lanes.push(enter::<ours::Broad<B>>(&name, set)?));
            }
        }
        enter_peers(set, is_wanted, &mut lanes)?;
        take_turns(lanes.iter_mut(), effort.repetitions)?;
        Ok(lanes)
    })
}

fn enter<M: BoxMethod>(name: &str, set: &BoxSet) -> Result<Lane<Overlaps>, Failure> {
    eprintln!("{name}: {}", set.name);
    let numbered = |side: &Vec<Box3>| (0..).zip(side).map(|(n, b)| M::object(b, n)).collect();
    let sides = [numbered(&set.sides[0]), numbered(&set.sides[1])];
    let queries = set.queries.iter().map(M::query).collect();
    let run = Run { method: M::default(), queries, smallest: set.smallest };
    Lane::new(name, run, sides, |_, _| ())
}

/// The crates, in the dimension of the set.
fn enter_peers(
    set: &BoxSet,
    is_wanted: &dyn Fn(&str) -> bool,
    lanes: &mut Vec<Lane<Overlaps>>,
) -> Result<(), Failure> {
    let mut add = |name: &str, enter: fn(&str, &BoxSet) -> Result<Lane<Overlaps>, Failure>| {
        if is_wanted(name) {
            lanes.push(enter(name, set)?);
        }
        Ok::<(), Failure>(())
    };
    if set.is_flat {
        add("parry2d", enter::<trees_in_2d::Parry>)?;
        add("obvhs", enter::<trees::Obvhs>)?;
        add("bvh", enter::<trees::Bvh<2>>)?;
        add("rstar", enter::<trees::Rstar<2>>)?;
        add("static_aabb2d_index", enter::<trees_in_2d::Hilbert>)
    } else {
        add("parry3d", enter::<trees::Parry>)?;
        add("obvhs", enter::<trees::Obvhs>)?;
        add("bvh", enter::<trees::Bvh<3>>)?;
        add("rstar", enter::<trees::Rstar<3>>)
    }
}

/// The table of a set.
pub fn tabulate(lanes: &[Lane<Overlaps>], set: &BoxSet) -> String {
    let mut table = Table::new(&[
        "method",
        "yields",
        "ns/query",
        "min",
        "total ms",
        "min ms",
        "build ms",
        "search ms",
        "kB held",
        "overlaps",
        "overlaps/query",
        "checksum",
    ]);
    let queries = set.queries.len() as f64;
    for lane in lanes {
        let (cost, overlaps) = (lane.cost(), lane.answers[0]);
        table.push(vec![
            lane.name.clone(),
            "visits".to_owned(),
            figure(cost.total.median * 1e6 / queries),
            figure(cost.total.min * 1e6 / queries),
            figure(cost.total.median),
            figure(cost.total.min),
            figure(cost.build.median),
            figure(cost.search.median),
            figure(lane.bytes as f64 / 1e3),
            overlaps.count.to_string(),
            figure(overlaps.count as f64 / queries),
            overlaps.fingerprint(),
        ]);
    }
    table.render()
}
