//! Task T2: which of some boxes does each of many query boxes overlap, after every step of theirs?
//!
//! Boxes are closed: touching counts. That is a comparison of the same f32 in every crate, so all
//! answers must be exactly the same. Queries run in parallel; each crate builds its structure as
//! its plain call does, on one thread.

mod ours;
mod trees;
mod trees_in_2d;

use crate::measure::{Cost, Effort, Failure, Subject, in_pool, measure};
use crate::sets::boxes::{Box3, BoxSet};
use crate::table::{Table, figure};
use hashfall::search::BroadPhaseKind;
use hashfall::with_broad_phase;
use rayon::prelude::*;

/// Brute force takes too long beyond this many pairs of object and query.
const BRUTE_PAIRS: usize = 200_000_000;

/// Queries of a task.
const CHUNK: usize = 1024;

/// A broad phase under test.
pub trait BoxMethod: Default + Send + Sync {
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
}

/// The overlaps of all queries; does not depend on their order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Overlaps {
    count: u64,
    checksum: u64,
}

impl Overlaps {
    #[inline(always)]
    fn add(&mut self, query: usize, object: u32) {
        self.count += 1;
        // Odd factors, so that no pair is lost; two operations, as they are timed.
        let term = (2 * query as u64 + 1).wrapping_mul(2 * u64::from(object) + 1);
        self.checksum = self.checksum.wrapping_add(term);
    }

    fn plus(self, other: Overlaps) -> Overlaps {
        Overlaps {
            count: self.count + other.count,
            checksum: self.checksum.wrapping_add(other.checksum),
        }
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
            for (number, query) in (chunk * CHUNK..).zip(queries) {
                self.method.for_each(objects, query, |object| overlaps.add(number, object));
            }
            overlaps
        };
        let chunks = self.queries.par_chunks(CHUNK).enumerate();
        chunks.map(of_chunk).reduce(Overlaps::default, Overlaps::plus)
    }
}

/// What came out for one method.
pub struct Outcome {
    name: String,
    cost: Cost,
    /// For set A and set B.
    overlaps: [Overlaps; 2],
}

/// Measures every method whose name `is_wanted` on a set.
pub fn compare(
    set: &BoxSet,
    effort: Effort,
    is_wanted: &dyn Fn(&str) -> bool,
) -> Result<Vec<Outcome>, Failure> {
    let mut outcomes = vec![];
    for kind in BroadPhaseKind::ALL {
        let name = format!("Hashfall {kind:?}");
        let pairs = set.sides[0].len() * set.queries.len();
        if (kind != BroadPhaseKind::Brute || pairs <= BRUTE_PAIRS) && is_wanted(&name) {
            with_broad_phase!(kind, B => {
                outcomes.push(outcome::<ours::Broad<B>>(&name, set, effort)?);
            });
        }
    }
    let mut add = |name: &str, run: fn(&str, &BoxSet, Effort) -> Result<Outcome, Failure>| {
        if is_wanted(name) {
            outcomes.push(run(name, set, effort)?);
        }
        Ok::<(), Failure>(())
    };
    if set.is_flat {
        add("parry2d", outcome::<trees_in_2d::Parry>)?;
        add("obvhs", outcome::<trees::Obvhs>)?;
        add("bvh", outcome::<trees::Bvh<2>>)?;
        add("rstar", outcome::<trees::Rstar<2>>)?;
        add("static_aabb2d_index", outcome::<trees_in_2d::Hilbert>)?;
    } else {
        add("parry3d", outcome::<trees::Parry>)?;
        add("obvhs", outcome::<trees::Obvhs>)?;
        add("bvh", outcome::<trees::Bvh<3>>)?;
        add("rstar", outcome::<trees::Rstar<3>>)?;
    }
    Ok(outcomes)
}

fn outcome<M: BoxMethod>(name: &str, set: &BoxSet, effort: Effort) -> Result<Outcome, Failure> {
    eprintln!("{name}: {}", set.name);
    in_pool(effort.threads, || {
        let numbered = |side: &Vec<Box3>| (0..).zip(side).map(|(n, b)| M::object(b, n)).collect();
        let sides = [numbered(&set.sides[0]), numbered(&set.sides[1])];
        let queries = set.queries.iter().map(M::query).collect();
        let mut run = Run { method: M::default(), queries, smallest: set.smallest };
        let (cost, overlaps) = measure(&mut run, &sides, effort.repetitions)?;
        Ok(Outcome { name: name.to_owned(), cost, overlaps })
    })
}

/// Fails unless all found the same overlaps.
pub fn check_agreement(outcomes: &[Outcome]) -> Result<(), Failure> {
    let Some(first) = outcomes.first() else {
        return Err("no method of that name".into());
    };
    match outcomes.iter().find(|outcome| outcome.overlaps != first.overlaps) {
        None => Ok(()),
        Some(other) => {
            let [a, b] = [first, other].map(|o| format!("{} finds {:?}", o.name, o.overlaps));
            Err(format!("{a}; {b}").into())
        }
    }
}

/// The table of a set.
pub fn tabulate(outcomes: &[Outcome], set: &BoxSet) -> String {
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
    for Outcome { name, cost, overlaps, .. } in outcomes {
        table.push(vec![
            name.clone(),
            "visits".to_owned(),
            figure(cost.total.median * 1e6 / queries),
            figure(cost.total.min * 1e6 / queries),
            figure(cost.total.median),
            figure(cost.total.min),
            figure(cost.build.median),
            figure(cost.search.median),
            figure(cost.bytes as f64 / 1e3),
            overlaps[0].count.to_string(),
            figure(overlaps[0].count as f64 / queries),
            format!("{:08x}", crate::sets::mix(overlaps[0].checksum) >> 32),
        ]);
    }
    table.render()
}
