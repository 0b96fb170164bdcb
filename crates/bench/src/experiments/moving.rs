//! What it costs to follow boxes of which few move: told one by one, or built anew.
//!
//! The boxes of N spheres of mixed sizes (2ᵘ, u uniform from 0 to 5), a part of which move by up to
//! their edge between two looks. The dynamic hierarchical hash is told of those that moved
//! (Pouchol et al. 2009, §2.2 and §3.2); every other broad phase is built anew. Only that is timed.
//! The answer is what a thousand queries then find.

use crate::experiment::{Experiment, Findings};
use crate::inputs;
use crate::lab::{Halt, Lab};
use crate::measure::{alternate, timed};
use crate::rows::{self, Row};
use crate::sample::Answer;
use hashfall_core::rng::RandomStream;
use hashfall_core::vec3;
use hashfall_geometry::Aabb;
use hashfall_output::plot::Panel;
use hashfall_search::with_broad_phase;
use hashfall_search::{
    BroadPhase, BroadPhaseKind, DynamicHierarchicalHash, IncrementalBroadPhase, for_each_overlap,
};
use std::f64::consts::PI;

/// The experiment.
pub const EXPERIMENT: Experiment = Experiment {
    name: "moving",
    about: "What following boxes costs of which a part moves, one by one or built anew",
    sizes: ["10 000 boxes, of which 0.1 to 100 % move", "the same of 1 000 000 boxes"],
    run,
    conclude,
};

const TASK: &str = "update";
/// How the structure is called that is told of each box.
const TOLD: &str = "DynamicHierarchicalHash, told";
/// The parts that move \[%\].
const PARTS: [f64; 7] = [0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0];
/// Queries that look whether all is where it should be.
const QUERIES: usize = 1000;

/// Boxes before and after, who moved, and queries.
struct Workload {
    input: String,
    percent: f64,
    boxes: [Vec<Aabb>; 2],
    moved: Vec<u32>,
    queries: Vec<Aabb>,
}

fn run(lab: &mut Lab<'_>) -> Result<(), Halt> {
    let count = lab.setup.size.of([100, 10_000, 1_000_000]);
    for percent in PARTS {
        let workload = workload(count, percent, &mut RandomStream::new(lab.setup.seed));
        follow(lab, &workload)?;
        for kind in BroadPhaseKind::ALL.into_iter().filter(|&kind| kind != BroadPhaseKind::Brute) {
            with_broad_phase!(kind, B => rebuild::<B>(lab, kind.name(), &workload))?;
        }
    }
    Ok(())
}

fn workload(count: usize, percent: f64, rng: &mut RandomStream) -> Workload {
    let diameters: Vec<f64> = (0..count).map(|_| libm::exp2(rng.between(0.0, 5.0))).collect();
    let volume: f64 = diameters.iter().map(|d| PI / 6.0 * d * d * d).sum();
    let edge = (volume / 0.1).cbrt();
    let mut ball = |&diameter: &f64| inputs::ball(inputs::point(rng, edge, false), diameter);
    let before: Vec<Aabb> = diameters.iter().map(&mut ball).collect();
    let queries = diameters.iter().take(QUERIES).map(&mut ball).collect();
    let mut moved: Vec<u32> = (0..count as u32).collect();
    inputs::shuffle(&mut moved, rng);
    moved.truncate((count as f64 * percent / 100.0).ceil() as usize);
    let mut after = before.clone();
    for &object in &moved {
        let reach = diameters[object as usize];
        let by = vec3([(); 3].map(|()| rng.between(-reach, reach)));
        let b = &mut after[object as usize];
        *b = Aabb::new(b.min + by, b.max + by);
    }
    let input = format!("N = {count}, {percent} % move");
    Workload { input, percent, boxes: [before, after], moved, queries }
}

/// Measures the structure that is told.
fn follow(lab: &mut Lab<'_>, workload: &Workload) -> Result<(), Halt> {
    let mut broad = DynamicHierarchicalHash::default();
    broad.rebuild(&workload.boxes[0], 1.0);
    measure(lab, TOLD, workload, &mut broad, |broad, boxes| {
        workload.moved.iter().for_each(|&object| broad.move_to(object, &boxes[object as usize]));
    })
}

/// Measures a structure that is built anew.
fn rebuild<B: BroadPhase>(
    lab: &mut Lab<'_>,
    structure: &'static str,
    workload: &Workload,
) -> Result<(), Halt> {
    measure(lab, structure, workload, &mut B::default(), |broad, boxes| broad.rebuild(boxes, 1.0))
}

fn measure<B: BroadPhase>(
    lab: &mut Lab<'_>,
    structure: &'static str,
    Workload { input, percent, boxes, queries, .. }: &Workload,
    broad: &mut B,
    update: impl Fn(&mut B, &[Aabb]),
) -> Result<(), Halt> {
    let measured = alternate(lab, |side| {
        let (seconds, ()) = timed(|| update(broad, &boxes[side]));
        let mut answer = Answer::default();
        for (number, query) in (0..).zip(queries) {
            for_each_overlap(broad, &boxes[side], query, |object| answer.add(number, object));
        }
        ([seconds], answer)
    })?;
    lab.keep(Row {
        input: input.clone(),
        x: *percent,
        structure,
        task: TASK,
        items: boxes[0].len(),
        time: measured.times[0],
        candidates: None,
        answer: Some(measured.answer),
        bytes: Some(broad.bytes()),
    })
}

fn conclude(rows: &[Row]) -> Findings {
    let x = "boxes that move [%]";
    let lines = rows::lines(rows, TASK, rows::nanoseconds_each);
    let faster = rows::times_as_fast_as("HierarchicalHash", rows, TASK);
    let panels = vec![
        Panel { title: "Update", x, y: "time [ns a box]", log: true, lines },
        Panel {
            title: "Times as fast as the flat hierarchical hash, built anew",
            x,
            y: "ratio",
            log: true,
            lines: faster,
        },
    ];
    Findings { panels, claims: Vec::new(), notes: rows::fastest(rows, TASK) }
}
