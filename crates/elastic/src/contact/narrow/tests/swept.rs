//! Nothing that meets is told to be free, and little that does not is stopped.

use super::cases::{Cases, Kind, Pair};
use super::exact::Static;
use super::impact::Elements;
use crate::contact::narrow::ccd::{Free, Motion};
use crate::contact::narrow::edge_edge::edge_normal;
use crate::contact::narrow::vertex_triangle::face_normal;
use crate::contact::narrow::{edge_edge, vertex_triangle};
use rayon::prelude::*;
use std::hint::black_box;
use std::time::Instant;

const ELEMENTS: [Elements; 2] = [Elements::VertexTriangle, Elements::EdgeEdge];

fn free(elements: Elements, (start, end): &Pair, min_distance: f64) -> Free {
    match elements {
        Elements::VertexTriangle => Motion::<1, 4>::new(start, end, min_distance).free(
            1.0,
            |x| vertex_triangle(x).offset,
            face_normal,
        ),
        Elements::EdgeEdge => Motion::<2, 4>::new(start, end, min_distance).free(
            1.0,
            |x| edge_edge(x).offset,
            edge_normal,
        ),
    }
}

#[derive(Clone, Copy, Default)]
struct Counts {
    pairs: u64,
    rounds: u64,
    hits: u64,
    missed: u64,
    false_alarms: u64,
}

impl Counts {
    fn plus(self, other: Self) -> Self {
        Counts {
            pairs: self.pairs + other.pairs,
            rounds: self.rounds + other.rounds,
            hits: self.hits + other.hits,
            missed: self.missed + other.missed,
            false_alarms: self.false_alarms + other.false_alarms,
        }
    }

    /// Of one pair with no minimal distance. It is missed if it meets up to the time that is free.
    fn new(elements: Elements, pair: &Pair) -> Self {
        let Free { t, rounds } = free(elements, pair, 0.0);
        let is_hit = elements.meet(&pair.0, &pair.1, 1.0);
        let is_early = t < 1.0;
        let is_missed = is_hit && (!is_early || (t > 0.0 && elements.meet(&pair.0, &pair.1, t)));
        Counts {
            pairs: 1,
            rounds: rounds.into(),
            hits: is_hit.into(),
            missed: is_missed.into(),
            false_alarms: (is_early && !is_hit).into(),
        }
    }
}

/// Compares pieces of a thousand pairs of each kind.
fn compare(pieces: u64) {
    let mut all = Counts::default();
    for kind in Kind::ALL {
        for elements in ELEMENTS {
            let piece = |seed: u64| {
                let mut cases = Cases::new(seed);
                let pairs = (0..1000).map(|_| cases.pair(kind, elements));
                pairs.map(|pair| Counts::new(elements, &pair)).fold(Counts::default(), Counts::plus)
            };
            let counts =
                (0..pieces).into_par_iter().map(piece).reduce(Counts::default, Counts::plus);
            let free = (counts.pairs - counts.hits).max(1);
            println!(
                "{kind:?} {elements:?}: {} pairs, {} meet, {} missed, {} false alarms ({:.3} %), \
                 {:.2} rounds",
                counts.pairs,
                counts.hits,
                counts.missed,
                counts.false_alarms,
                100.0 * counts.false_alarms as f64 / free as f64,
                counts.rounds as f64 / counts.pairs as f64,
            );
            assert_eq!(counts.missed, 0, "{kind:?} {elements:?}");
            all = all.plus(counts);
        }
    }
    println!("{} pairs, {} meet, {} missed", all.pairs, all.hits, all.missed);
    assert!(all.hits * 10 > all.pairs, "there are {} hits to miss", all.hits);
}

#[test]
fn none_of_many_impacts_is_missed() {
    compare(2);
}

#[test]
#[ignore = "minutes: ten million pairs"]
fn none_of_ten_million_impacts_is_missed() {
    let start = Instant::now();
    compare(556);
    println!("{:.0} s", start.elapsed().as_secs_f64());
}

/// Distances at some times of the free part, decided without rounding.
#[test]
fn what_is_free_stays_as_far_apart_as_asked() {
    let mut cases = Cases::new(3);
    for kind in Kind::ALL {
        for (elements, min_distance) in ELEMENTS.iter().flat_map(|e| [(*e, 1e-3), (*e, 0.1)]) {
            for _ in 0..150 {
                let pair = cases.pair(kind, elements);
                let t = free(elements, &pair, min_distance).t;
                for share in [0.25, 0.5, 0.75, 1.0] {
                    // The positions of a time are rounded: by less than a share of the size.
                    let s = t * share;
                    let x = std::array::from_fn(|k| pair.0[k] * (1.0 - s) + pair.1[k] * s);
                    let largest = x.iter().map(|x| x.amax()).fold(0.0, f64::max);
                    let near = Static::new(&x, min_distance - 1e-15 * largest);
                    let is_near = match elements {
                        Elements::VertexTriangle => near.is_vertex_near_triangle(),
                        Elements::EdgeEdge => near.are_edges_near(),
                    };
                    assert!(t == 0.0 || !is_near, "{kind:?} {elements:?} {s} {pair:?}");
                }
            }
        }
    }
}

#[test]
#[ignore = "a benchmark, for an optimised build"]
fn cost_of_a_query() {
    for kind in Kind::ALL {
        for elements in ELEMENTS {
            let mut cases = Cases::new(9);
            let pairs: Vec<Pair> = (0..500).map(|_| cases.pair(kind, elements)).collect();
            let distances = || match elements {
                Elements::VertexTriangle => {
                    pairs.iter().map(|(x, _)| vertex_triangle(x).distance2()).sum::<f64>()
                }
                Elements::EdgeEdge => pairs.iter().map(|(x, _)| edge_edge(x).distance2()).sum(),
            };
            let swept = |min_distance: f64| {
                pairs
                    .iter()
                    .map(|pair| u64::from(free(elements, pair, min_distance).rounds))
                    .sum::<u64>()
            };
            let time = |run: &dyn Fn() -> f64| {
                let once = || {
                    let start = Instant::now();
                    black_box(run());
                    start.elapsed().as_secs_f64() * 1e9 / pairs.len() as f64
                };
                (0..200).map(|_| once()).fold(f64::INFINITY, f64::min)
            };
            let rounds = |min_distance| swept(min_distance) as f64 / pairs.len() as f64;
            println!(
                "{kind:?} {elements:?}: distance {:.0} ns; swept {:.0} ns in {:.2} rounds, with \
                 1e-3 m {:.0} ns in {:.2}",
                time(&distances),
                time(&|| swept(0.0) as f64),
                rounds(0.0),
                time(&|| swept(1e-3) as f64),
                rounds(1e-3),
            );
        }
    }
}
