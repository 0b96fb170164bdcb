//! How structures for pairs are measured: side by side on the steps of one run of
//! [`FallingSpheres`].
//!
//! At each step that counts, every structure is given the boxes as they are, and finds the pairs of
//! spheres that overlap; only that is timed, with the narrow phase on each candidate, which has to
//! be asked something. The step before the first that counts, or the start itself, is shown to them
//! untimed, so that they have their memory, and one that lives on coherence in time a past. The
//! pairs then move the run on.

use super::falling_spheres::{FILLED, FallingSpheres};
use super::rows::Row;
use crate::lab::{Halt, Lab};
use crate::measure::timed;
use crate::sample::{Answer, Sample};
use hashfall_core::rng::RandomStream;
use hashfall_search::with_pair_search;
use hashfall_search::{PairKind, PairSearch, Visits};
use std::ops::RangeInclusive;

/// The task that is timed.
pub const SEARCH: &str = "pair search";

/// Which steps of how many runs count, of how many spheres.
pub struct Runs {
    /// N.
    pub count: usize,
    /// The steps whose times are averaged.
    pub steps: RangeInclusive<usize>,
    /// Runs, each with a seed of its own.
    pub runs: usize,
}

/// Measures the structures that `takes_part` names, and keeps a row for each.
///
/// # Errors
/// If it is to stop, or two structures find other pairs.
pub fn measure(
    lab: &mut Lab<'_>,
    runs: &Runs,
    takes_part: impl Fn(PairKind) -> bool,
) -> Result<(), Halt> {
    let kinds = PairKind::ALL.into_iter().filter(|&kind| takes_part(kind));
    let mut watches: Vec<Watch> = kinds.map(Watch::new).collect();
    for run in 0..runs.runs {
        let mut rng = RandomStream::new(lab.setup.seed.wrapping_add(run as u64));
        let mut spheres = FallingSpheres::new(runs.count, FILLED, &mut rng);
        let mut mover = Watch::new(PairKind::default());
        watches.iter_mut().for_each(Watch::forget);
        for step in 0..=*runs.steps.end() {
            lab.go_on()?;
            if step + 1 == (*runs.steps.start()).max(1) {
                watches.iter_mut().for_each(|watch| watch.measure(&spheres, false));
            }
            if runs.steps.contains(&step) {
                watches.iter_mut().for_each(|watch| watch.measure(&spheres, true));
            }
            mover.measure(&spheres, false);
            spheres.step(&mover.found.overlapping);
        }
    }
    let steps = format!("N = {}, steps {} to {}", runs.count, runs.steps.start(), runs.steps.end());
    watches.into_iter().try_for_each(|watch| lab.keep(watch.row(&steps, runs.count)))
}

/// A structure that is being measured.
struct Watch {
    kind: PairKind,
    structure: Box<dyn FindPairs>,
    found: Found,
    seconds: Vec<f64>,
    answer: Answer,
    candidates: u64,
    bytes: usize,
}

impl Watch {
    fn new(kind: PairKind) -> Watch {
        Watch {
            kind,
            structure: structure(kind),
            found: Found::default(),
            seconds: Vec::new(),
            answer: Answer::default(),
            candidates: 0,
            bytes: 0,
        }
    }

    /// Starts anew.
    fn forget(&mut self) {
        self.structure = structure(self.kind);
    }

    /// Finds the pairs of a step; whether it `counts` or is only seen.
    fn measure(&mut self, spheres: &FallingSpheres, counts: bool) {
        let (seconds, found) = timed(|| self.structure.find(spheres));
        self.found = found;
        // Ascending, each once: the answer of all, and the order in which pairs are put right.
        self.found.overlapping.sort_unstable();
        self.found.overlapping.dedup();
        if counts {
            self.seconds.push(seconds);
            self.candidates += self.found.candidates;
            self.bytes = self.bytes.max(self.structure.bytes());
            for &[a, b] in &self.found.overlapping {
                self.answer.add(a, b);
            }
        }
    }

    /// What it came to: candidates and pairs for a step, the most memory of any.
    fn row(self, input: &str, count: usize) -> Row {
        let steps = self.seconds.len().max(1) as u64;
        Row {
            input: input.to_owned(),
            x: count as f64,
            structure: self.kind.name(),
            task: SEARCH,
            items: count,
            time: Sample::new(self.seconds),
            candidates: Some(self.candidates / steps),
            answer: Some(Answer { count: self.answer.count / steps, ..self.answer }),
            bytes: Some(self.bytes),
        }
    }
}

/// What a structure finds in a step.
#[derive(Default)]
pub struct Found {
    /// Pairs that it proposed.
    pub candidates: u64,
    /// Those that overlap; a structure that repeats itself has them more than once.
    pub overlapping: Vec<[u32; 2]>,
}

impl Found {
    /// What all pieces of the work found.
    pub fn joined(pieces: Vec<Found>) -> Found {
        pieces.into_iter().fold(Found::default(), |mut all, piece| {
            all.candidates += piece.candidates;
            all.overlapping.extend(piece.overlapping);
            all
        })
    }
}

/// A structure, whatever its type: one indirect call a step.
trait FindPairs {
    fn find(&mut self, spheres: &FallingSpheres) -> Found;
    fn bytes(&self) -> usize;
}

impl<S: PairSearch> FindPairs for S {
    fn find(&mut self, spheres: &FallingSpheres) -> Found {
        self.rebuild(spheres.boxes());
        Found::joined(self.pairs(&NarrowPhase(|low, high| spheres.overlap(low, high))))
    }

    fn bytes(&self) -> usize {
        PairSearch::bytes(self)
    }
}

fn structure(kind: PairKind) -> Box<dyn FindPairs> {
    with_pair_search!(kind, S => Box::new(S::default()))
}

/// Keeps the pairs that overlap, as a function tells.
pub struct NarrowPhase<F>(pub F);

impl<F: Fn(u32, u32) -> bool + Sync> Visits for NarrowPhase<F> {
    type Answer = Found;

    fn start(&self) -> Found {
        Found::default()
    }

    #[inline(always)]
    fn visit(&self, found: &mut Found, low: u32, high: u32) {
        found.candidates += 1;
        if self.0(low, high) {
            found.overlapping.push([low, high]);
        }
    }
}
