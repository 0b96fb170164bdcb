//! How a neighbour structure is measured: built over points, then the lists of all of them.

use super::rows::Row;
use crate::lab::{Halt, Lab};
use crate::measure::{alternate, timed};
use crate::sample::Answer;
use hashfall_core::{Real, Vec3, parallel};
use hashfall_search::with_neighbor_search;
use hashfall_search::{NeighborKind, NeighborLists, NeighborSearch};

/// The time of indexing the points.
pub const BUILD: &str = "build";
/// The time of all lists.
pub const LISTS: &str = "lists";
/// Both.
pub const WHOLE: &str = "build + lists";

/// Points, A and B.
pub struct Workload {
    /// What it is called.
    pub input: String,
    /// Where it stands on the horizontal axis.
    pub x: f64,
    /// The points.
    pub points: [Vec<Vec3>; 2],
    /// Support radius h \[m\].
    pub support_radius: Real,
}

/// Measures a structure, and keeps its rows.
///
/// # Errors
/// If it is to stop, or the answers differ.
pub fn measure(lab: &mut Lab<'_>, kind: NeighborKind, workload: &Workload) -> Result<(), Halt> {
    with_neighbor_search!(kind, S => measure_one::<S>(lab, kind.name(), workload))
}

fn measure_one<S: NeighborSearch>(
    lab: &mut Lab<'_>,
    structure: &'static str,
    workload: &Workload,
) -> Result<(), Halt> {
    let Workload { input, x, points, support_radius } = workload;
    let (mut search, mut lists) = (S::default(), NeighborLists::default());
    let measured = alternate(lab, |side| {
        let points = &points[side];
        let (build, ()) = timed(|| search.rebuild(points, *support_radius));
        let (list, ()) = timed(|| lists.build(&search, points, *support_radius));
        ([build, list, build + list], answer(&lists))
    })?;
    search.rebuild(&points[0], *support_radius);
    let mut candidates = 0;
    points[0].iter().for_each(|p| search.candidates(p, |_| candidates += 1));
    for (task, time) in [BUILD, LISTS, WHOLE].into_iter().zip(measured.times) {
        lab.keep(Row {
            input: input.clone(),
            x: *x,
            structure,
            task,
            items: points[0].len(),
            time,
            candidates: Some(candidates),
            answer: Some(measured.answer),
            bytes: Some(search.bytes()),
        })?;
    }
    Ok(())
}

/// All lists: the directed pairs.
pub fn answer(lists: &NeighborLists) -> Answer {
    let of_part = |points: std::ops::Range<usize>| {
        let mut answer = Answer::default();
        for i in points {
            lists.of(i).iter().for_each(|&j| answer.add(i as u32, j));
        }
        answer
    };
    parallel::fold(lists.len(), of_part, Answer::and).unwrap_or_default()
}

/// The most neighbours that a point has.
pub fn most(points: &[Vec3], support_radius: Real) -> usize {
    let mut lists = NeighborLists::default();
    with_neighbor_search!(NeighborKind::default(), S => {
        let mut search = S::default();
        search.rebuild(points, support_radius);
        lists.build(&search, points, support_radius);
    });
    parallel::max(points.len(), 0, |i| lists.of(i).len())
}
