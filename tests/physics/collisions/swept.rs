//! Swept motions against an oracle that does not round: none comes into a surface or through it.
//!
//! The way of a centre is a chain of segments: from its start to its first impact, from there to
//! the next, and to its end. Impacts are told in doubles, start and end in the state's precision.
//! All are numbers, and the [oracle](super::oracle) decides without rounding, for each segment and
//! each shape, whether a point of it is nearer than some distance. A sweep fails if it
//!
//! - *misses*: a point of its way is nearer to a shape than r − s − e. This covers ends inside a
//!   shape and ways through one;
//! - *stops in the air*: its first impact is farther than r + 2s from all shapes;
//! - *sees what is not there*: the straight way keeps r + 2s from all shapes, and yet it does not
//!   end just where it was going;
//! - *does not arrive*: it tells no impact, and yet its end is off by more than 4 (s + e), which
//!   freeing a start that lies s + e too deep may cost;
//! - *gains*: its velocity has become larger, or is no number.
//!
//! ```sh
//! cargo test --release --test physics ten_million -- --ignored --nocapture
//! QUERIES=17..18 cargo test --release --test physics ten_million -- --ignored --nocapture
//! ```
//!
//! Symbols: r particle radius, s = 1e-4 r skin, e what rounding takes from places, one ulp \[m\].

use super::oracle::Shape;
use super::queries::{Query, SKIN};
use hashfall_core::{Real, to_f64};
use hashfall_solid::{Contact, Solids, SweepBuffer, sweep_box};
use rayon::prelude::*;
use std::ops::Range;
use std::time::Instant;

const QUICK: u64 = 100_000;
const FULL: u64 = 10_000_000;
/// Failures that are told one by one.
const MAX_TOLD: usize = 20;

/// What is wrong with a sweep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    Misses,
    StopsInTheAir,
    SeesWhatIsNotThere,
    DoesNotArrive,
    Gains,
}

/// What came of a sweep: where it ended, and where it was stopped on the way.
struct Swept {
    contact: Contact,
    impacts: Vec<[f64; 3]>,
}

/// Velocities of a test are motions over this \[s\].
const TIME: Real = 0.125;

/// The sweep of a particle of radius `r` among the objects that a step would offer, less those that
/// are left out.
fn swept(query: &Query, solids: &Solids, r: Real, left_out: Option<u32>) -> Swept {
    let reach = sweep_box(&query.from, &query.to, query.radius);
    let boxes = solids.object_boxes();
    let offered = |id: &u32| boxes[*id as usize].overlaps(&reach) && Some(*id) != left_out;
    let objects: Vec<u32> = (0..boxes.len() as u32).filter(offered).collect();
    let (velocity, mut buffer) = ((query.to - query.from) / TIME, SweepBuffer::default());
    let contact = solids.sweep(&objects, &query.from, &query.to, &velocity, r, &mut buffer);
    let impacts = buffer.impulses().iter().map(|impulse| impulse.at.into()).collect();
    Swept { contact, impacts }
}

/// The first fault of a sweep, if it has any.
fn fault(query: &Query, swept: &Swept) -> Option<Fault> {
    let (shapes, contact) = (query.shapes(), &swept.contact);
    let [from, to, end] = [&query.from, &query.to, &contact.position].map(to_f64);
    let (r, skin, rounding) =
        (f64::from(query.radius), SKIN * f64::from(query.radius), query.rounding());
    let before = (query.to - query.from).norm() / TIME;
    let is_calm = contact.velocity.norm() <= before * (1.0 + 8.0 * Real::EPSILON);
    if !is_calm || !end.iter().all(|c| c.is_finite()) {
        return Some(Fault::Gains);
    }
    let near = |a: &[f64; 3], b: &[f64; 3], reach: f64| {
        shapes.iter().any(|shape: &Shape| shape.is_neared(a, b, reach))
    };
    let mut way = vec![from];
    way.extend(&swept.impacts);
    way.push(end);
    way.dedup();
    let is_missed = |leg: &[[f64; 3]]| near(&leg[0], &leg[leg.len() - 1], query.nearest_allowed());
    // A particle that does not move is a way of one point.
    if is_missed(&way[..1]) || way.windows(2).any(is_missed) {
        return Some(Fault::Misses);
    }
    let touching = r + 2.0 * skin;
    if swept.impacts.first().is_some_and(|first| !near(first, first, touching)) {
        return Some(Fault::StopsInTheAir);
    }
    if (contact.hits > 0 || end != to) && !near(&from, &to, touching) {
        return Some(Fault::SeesWhatIsNotThere);
    }
    let astray = (0..3).map(|a| (end[a] - to[a]).abs()).fold(0.0, f64::max);
    let is_astray = contact.hits == 0 && astray > 4.0 * (skin + rounding);
    is_astray.then_some(Fault::DoesNotArrive)
}

/// What came of many queries.
#[derive(Default)]
struct Outcome {
    queries: u64,
    hits: u64,
    failures: u64,
    messages: Vec<String>,
}

impl Outcome {
    fn of(seed: u64) -> Self {
        let Some(query) = Query::drawn(seed) else { return Outcome::default() };
        let swept = swept(&query, &query.solids(), query.radius, None);
        let fault = fault(&query, &swept);
        let tell = |fault| format!("seed {seed}: {fault:?}\n{query:?}\n{:?}", swept.contact);
        Outcome {
            queries: 1,
            hits: u64::from(swept.contact.hits > 0),
            failures: u64::from(fault.is_some()),
            messages: fault.map(tell).into_iter().collect(),
        }
    }

    fn and(mut self, other: Self) -> Self {
        self.queries += other.queries;
        self.hits += other.hits;
        self.failures += other.failures;
        self.messages.extend(other.messages);
        self.messages.truncate(MAX_TOLD);
        self
    }
}

/// Judges the queries of these seeds.
fn judge(seeds: Range<u64>) -> Outcome {
    seeds.into_par_iter().map(Outcome::of).reduce(Outcome::default, Outcome::and)
}

/// Judges so many queries from the first seed on, and tells what fails.
fn judge_many(count: u64) -> Outcome {
    let mut outcome = Outcome::default();
    let mut next = 0;
    while outcome.queries < count {
        // Seeds that are drawn in vain are made good by further ones.
        let more = (count - outcome.queries).clamp(1000, 1_000_000);
        outcome = outcome.and(judge(next..next + more));
        next += more;
    }
    outcome
}

fn assert_holds(outcome: &Outcome) {
    let Outcome { queries, hits, failures, messages } = outcome;
    println!("{queries} queries, {hits} with impacts, {failures} failures");
    assert_eq!(*failures, 0, "of {queries}:\n{}", messages.join("\n"));
}

#[test]
fn no_sweep_of_a_hundred_thousand_fails() {
    let outcome = judge_many(QUICK);
    assert_holds(&outcome);
    let share = outcome.hits as f64 / outcome.queries as f64;
    assert!((0.3..0.9).contains(&share), "{share} of the motions hit");
}

#[test]
#[ignore = "takes minutes with --release"]
fn no_sweep_of_ten_million_fails() {
    let start = Instant::now();
    let outcome = match std::env::var("QUERIES") {
        Ok(range) => {
            let (first, end) = range.split_once("..").unwrap();
            judge(first.parse().unwrap()..end.parse().unwrap())
        }
        Err(_) => judge_many(FULL),
    };
    println!("{:.1} s", start.elapsed().as_secs_f64());
    assert_holds(&outcome);
}

/// How many of some queries fail by a fault if they are swept wrongly.
fn failures_of(fault_sought: Fault, sweep: impl Fn(&Query) -> Option<Swept> + Sync) -> usize {
    let is_found = |seed: &u64| {
        let query = Query::drawn(*seed);
        let swept = query.as_ref().and_then(&sweep);
        query.zip(swept).is_some_and(|(query, swept)| fault(&query, &swept) == Some(fault_sought))
    };
    (0..20_000_u64).into_par_iter().filter(is_found).count()
}

#[test]
fn a_radius_too_small_by_a_thousandth_is_found() {
    let found = failures_of(Fault::Misses, |query| {
        Some(swept(query, &query.solids(), query.radius * 0.999, None))
    });
    assert!(found > 3000, "{found}");
}

#[test]
fn a_shape_that_is_passed_over_is_found() {
    let found = failures_of(Fault::Misses, |query| {
        Some(swept(query, &query.solids(), query.radius, Some(0)))
    });
    assert!(found > 1000, "{found}");
}

#[test]
fn a_radius_too_large_and_a_motion_that_stays_are_found() {
    let too_large = |query: &Query| Some(swept(query, &query.solids(), query.radius * 1.01, None));
    assert!(failures_of(Fault::SeesWhatIsNotThere, too_large) > 20);
    assert!(failures_of(Fault::StopsInTheAir, too_large) > 1000);
    let stays = |query: &Query| {
        let mut swept = swept(query, &query.solids(), query.radius, None);
        swept.contact.position = query.from;
        Some(swept)
    };
    assert!(failures_of(Fault::SeesWhatIsNotThere, stays) > 1000);
}

#[test]
fn quick_answers_are_those_of_exact_arithmetic() {
    use super::number::{Exact, Rough};
    let (mut quick, mut open) = (0, 0);
    for query in (0..3000).filter_map(Query::drawn) {
        let [a, b] = [&query.from, &query.to].map(to_f64);
        for shape in query.shapes() {
            for reach in [query.nearest_allowed(), f64::from(query.radius)] {
                let exact = shape.nears::<Exact>(&a, &b, reach);
                assert_eq!(Some(shape.is_neared(&a, &b, reach)), exact, "{query:?}");
                match shape.nears::<Rough>(&a, &b, reach) {
                    None => open += 1,
                    rough => {
                        assert_eq!(rough, exact, "{query:?}");
                        quick += 1;
                    }
                }
            }
        }
    }
    assert!(quick > 10 * open && open > 20, "{quick} were quick, {open} open");
}
