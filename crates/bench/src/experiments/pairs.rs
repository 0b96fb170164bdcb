//! The cost of every structure for pairs over the number of boxes.
//!
//! The boxes are those of N spheres at random places whose volumes are a tenth of a cube's, all
//! of one size, or mixed (2ᵘ, u uniform from 0 to 5: each octave as likely). Between two searches
//! they rest, or each moves along the axes by up to a quarter of its edge: what a structure that
//! continues from its last order gains, and loses. A structure is left out from the size on at
//! which a run would take some seconds, or too much memory.

use crate::box_pairs::{BUILD, FIND, WHOLE, Workload, measure};
use crate::experiment::{Experiment, Findings};
use crate::inputs;
use crate::lab::{Halt, Lab};
use crate::rows::{self, Row};
use hashfall_core::rng::RandomStream;
use hashfall_core::vec3;
use hashfall_geometry::Aabb;
use hashfall_output::plot::Panel;
use hashfall_search::PairKind;
use std::f64::consts::PI;

/// The experiment.
pub const EXPERIMENT: Experiment = Experiment {
    name: "pairs",
    about: "What finding all pairs of boxes costs, by every structure, over the number of boxes",
    sizes: ["100 to 100 000 boxes", "100 to 10 000 000 boxes"],
    run,
    conclude,
};

/// The part of space that spheres fill \[–\].
const FILLED: f64 = 0.1;
/// How far boxes move, as a part of their edges \[–\].
const REACH: f64 = 0.25;
/// How sizes and motions are called; inputs end with both.
const SIZES: [&str; 2] = ["one size", "sizes mixed"];
const MOTIONS: [&str; 2] = ["at rest", "moving"];

fn run(lab: &mut Lab<'_>) -> Result<(), Halt> {
    let counts: &[usize] = lab.setup.size.of([
        &[30, 60],
        &[100, 1_000, 10_000, 100_000],
        &[100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000],
    ]);
    for (sizes, motion) in SIZES.into_iter().flat_map(|s| MOTIONS.map(|m| (s, m))) {
        for &count in counts {
            let mut rng = RandomStream::new(lab.setup.seed);
            let workload = workload(count, sizes, motion, &mut rng);
            for kind in PairKind::ALL {
                let inputs = format!("{sizes}, {motion}");
                if lab.may_go_on(kind.name(), WHOLE, &inputs, count as f64) {
                    measure(lab, kind, &workload)?;
                }
            }
        }
    }
    Ok(())
}

fn workload(count: usize, sizes: &str, motion: &str, rng: &mut RandomStream) -> Workload {
    let octaves = if sizes == SIZES[0] { 0.0 } else { 5.0 };
    let diameters: Vec<f64> = (0..count).map(|_| libm::exp2(rng.between(0.0, octaves))).collect();
    let volume: f64 = diameters.iter().map(|d| PI / 6.0 * d * d * d).sum();
    let edge = (volume / FILLED).cbrt();
    let boxes: Vec<Aabb> = diameters
        .iter()
        .map(|&diameter| inputs::ball(inputs::point(rng, edge, false), diameter))
        .collect();
    let reach = if motion == MOTIONS[0] { 0.0 } else { REACH };
    let mut later = |(b, diameter): (&Aabb, &f64)| {
        let by = vec3([(); 3].map(|()| diameter * rng.between(-reach, reach)));
        Aabb::new(b.min + by, b.max + by)
    };
    let moved = boxes.iter().zip(&diameters).map(&mut later).collect();
    let input = format!("N = {count}, {sizes}, {motion}");
    Workload { input, x: count as f64, boxes: [boxes, moved] }
}

fn conclude(rows: &[Row]) -> Findings {
    let part = |[sizes, motion]: [&str; 2]| -> Vec<Row> {
        let is_here = |row: &&Row| row.input.ends_with(&format!("{sizes}, {motion}"));
        rows.iter().filter(is_here).cloned().collect()
    };
    let [one, mixed] = SIZES;
    let [rest, moving] = MOTIONS;
    let panel = |title, y, rows: &[Row], task, of| {
        let lines = rows::lines(rows, task, of);
        Panel { title, x: "boxes", y, log: true, lines }
    };
    let (time, bytes) = ("time [ns a box]", "memory [bytes a box]");
    let each = rows::nanoseconds_each;
    let mut panels = vec![
        panel("All pairs, one size, at rest", time, &part([one, rest]), WHOLE, each),
        panel("One size, moving", time, &part([one, moving]), WHOLE, each),
        panel("Sizes mixed, moving", time, &part([mixed, moving]), WHOLE, each),
        panel("Indexing alone, one size, moving", time, &part([one, moving]), BUILD, each),
        panel("Finding alone, one size, moving", time, &part([one, moving]), FIND, each),
        panel("Memory, sizes mixed", bytes, &part([mixed, moving]), BUILD, rows::bytes_each),
    ];
    for (title, motion) in [
        ("Times as fast as sweep and prune, one size, at rest", rest),
        ("Times as fast as sweep and prune, one size, moving", moving),
    ] {
        let lines = rows::times_as_fast_as("SweepAndPrune", &part([one, motion]), WHOLE);
        panels.push(Panel { title, x: "boxes", y: "ratio", log: true, lines });
    }
    Findings { panels, claims: Vec::new(), notes: rows::fastest(rows, WHOLE) }
}
