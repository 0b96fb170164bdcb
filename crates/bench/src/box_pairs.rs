//! How a structure for pairs is measured: built over boxes, then the pairs of them that overlap.

use super::pair_steps::{Found, NarrowPhase};
use super::rows::Row;
use crate::lab::{Halt, Lab};
use crate::measure::{alternate, timed};
use crate::sample::Answer;
use hashfall_geometry::Aabb;
use hashfall_search::with_pair_search;
use hashfall_search::{PairKind, PairSearch};

/// The time of indexing the boxes.
pub const BUILD: &str = "build";
/// The time of finding the pairs, and testing and listing them.
pub const FIND: &str = "pairs";
/// Both.
pub const WHOLE: &str = "build + pairs";

/// Boxes, A and B.
pub struct Workload {
    /// What it is called.
    pub input: String,
    /// Where it stands on the horizontal axis.
    pub x: f64,
    /// The boxes.
    pub boxes: [Vec<Aabb>; 2],
}

/// Measures a structure, and keeps its rows.
///
/// # Errors
/// If it is to stop, or the answers differ.
pub fn measure(lab: &mut Lab<'_>, kind: PairKind, workload: &Workload) -> Result<(), Halt> {
    with_pair_search!(kind, P => measure_one::<P>(lab, kind.name(), workload))
}

fn measure_one<P: PairSearch>(
    lab: &mut Lab<'_>,
    structure: &'static str,
    Workload { input, x, boxes }: &Workload,
) -> Result<(), Halt> {
    let mut search = P::default();
    let mut candidates = 0;
    let measured = alternate(lab, |side| {
        let boxes = &boxes[side];
        let overlap = |low: u32, high: u32| boxes[low as usize].overlaps(&boxes[high as usize]);
        let (build, ()) = timed(|| search.rebuild(boxes));
        let (find, found) = timed(|| Found::joined(search.pairs(&NarrowPhase(overlap))));
        if side == 0 {
            candidates = found.candidates;
        }
        ([build, find, build + find], answer(found, P::IS_UNIQUE))
    })?;
    for (task, time) in [BUILD, FIND, WHOLE].into_iter().zip(measured.times) {
        lab.keep(Row {
            input: input.clone(),
            x: *x,
            structure,
            task,
            items: boxes[0].len(),
            time,
            candidates: Some(candidates),
            answer: Some(measured.answer),
            bytes: Some(search.bytes()),
        })?;
    }
    Ok(())
}

/// The pairs, each once; of a structure that repeats itself they are sorted for it.
fn answer(found: Found, is_unique: bool) -> Answer {
    let mut pairs = found.overlapping;
    if !is_unique {
        pairs.sort_unstable();
        pairs.dedup();
    }
    let mut answer = Answer::default();
    pairs.iter().for_each(|&[low, high]| answer.add(low, high));
    answer
}
