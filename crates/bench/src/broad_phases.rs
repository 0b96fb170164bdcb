//! How a broad phase is measured: built over objects, then asked with many boxes.

use super::inputs;
use super::rows::Row;
use crate::lab::{Halt, Lab};
use crate::measure::{alternate, timed};
use crate::sample::Answer;
use hashfall_core::Real;
use hashfall_core::parallel;
use hashfall_core::rng::RandomStream;
use hashfall_geometry::Aabb;
use hashfall_search::with_broad_phase;
use hashfall_search::{BroadPhase, BroadPhaseKind, for_each_overlap};
use std::ops::Range;

/// The time of indexing the objects.
pub const BUILD: &str = "build";
/// The time of all queries.
pub const QUERY: &str = "query";
/// Both.
pub const WHOLE: &str = "build + query";

/// Objects and queries, A and B.
pub struct Workload {
    /// What it is called.
    pub input: String,
    /// Where it stands on the horizontal axis; `None` for the share of queries that hit \[%\].
    pub x: Option<f64>,
    /// The objects.
    pub objects: [Vec<Aabb>; 2],
    /// The queries.
    pub queries: [Vec<Aabb>; 2],
    /// The structures expect no smaller query \[m\].
    pub smallest: Real,
}

/// How large boxes are, and how far they go.
pub struct Scale {
    /// The structures expect no smaller query \[m\].
    pub smallest: f64,
    /// From A to B \[m\].
    pub reach: f64,
    /// Whether they stay in the plane.
    pub is_flat: bool,
}

impl Workload {
    /// Objects and queries that move.
    pub fn moving(
        input: String,
        x: Option<f64>,
        [objects, queries]: [Vec<Aabb>; 2],
        Scale { smallest, reach, is_flat }: Scale,
        rng: &mut RandomStream,
    ) -> Workload {
        let objects = inputs::and_moved(objects, reach, is_flat, rng);
        let queries = inputs::and_moved(queries, reach, is_flat, rng);
        Workload { input, x, objects, queries, smallest: smallest as Real }
    }
}

/// Measures a structure, and keeps its rows.
///
/// # Errors
/// If it is to stop, or the answers differ.
pub fn measure(lab: &mut Lab<'_>, kind: BroadPhaseKind, workload: &Workload) -> Result<(), Halt> {
    with_broad_phase!(kind, B => measure_one::<B>(lab, kind.name(), workload))
}

/// As [`measure`], for a structure of this name.
pub fn measure_one<B: BroadPhase>(
    lab: &mut Lab<'_>,
    structure: &'static str,
    workload: &Workload,
) -> Result<(), Halt> {
    let Workload { input, objects, queries, smallest, .. } = workload;
    let mut broad = B::default();
    let measured = alternate(lab, |side| {
        let (build, ()) = timed(|| broad.rebuild(&objects[side], *smallest));
        let (query, answer) = timed(|| overlaps(&broad, &objects[side], &queries[side]));
        ([build, query, build + query], answer)
    })?;
    broad.rebuild(&objects[0], *smallest);
    let examined = |chunk: Range<usize>| -> u64 {
        queries[0][chunk].iter().map(|query| broad.examined(query) as u64).sum()
    };
    let candidates = parallel::fold(queries[0].len(), examined, |a, b| a + b).unwrap_or(0);
    let x = workload.x.unwrap_or_else(|| percent_hit(&broad, &objects[0], &queries[0]));
    for (task, time) in [BUILD, QUERY, WHOLE].into_iter().zip(measured.times) {
        lab.keep(Row {
            input: input.clone(),
            x,
            structure,
            task,
            items: if task == BUILD { objects[0].len() } else { queries[0].len() },
            time,
            candidates: Some(candidates),
            answer: Some(measured.answer),
            bytes: Some(broad.bytes()),
        })?;
    }
    Ok(())
}

/// The overlaps of all queries.
fn overlaps<B: BroadPhase>(broad: &B, objects: &[Aabb], queries: &[Aabb]) -> Answer {
    let of_chunk = |chunk: Range<usize>| {
        let mut answer = Answer::default();
        for number in chunk {
            let add = |object| answer.add(number as u32, object);
            for_each_overlap(broad, objects, &queries[number], add);
        }
        answer
    };
    parallel::fold(queries.len(), of_chunk, Answer::and).unwrap_or_default()
}

/// The share of queries that overlap at least one object \[%\].
fn percent_hit<B: BroadPhase>(broad: &B, objects: &[Aabb], queries: &[Aabb]) -> f64 {
    let hits = |query: usize| {
        let mut hits = [0.0];
        for_each_overlap(broad, objects, &queries[query], |_| hits = [1.0]);
        hits
    };
    let [hits] = parallel::sum(queries.len(), hits);
    100.0 * hits / queries.len() as f64
}
