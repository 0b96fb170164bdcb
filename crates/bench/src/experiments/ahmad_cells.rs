//! Ahmad, "Conclusion": the cell size, the size of the table, when to compute the one, and when to
//! enter vertices.
//!
//! Four creased cloths on one another move, are entered, tested for collisions and displaced:
//! all of a substep of contact, without the count of what passed. Settings of one input must have
//! the same contacts and leave the same positions.

use crate::claim::Claim;
use crate::cloth_stack::{ClothStack, wrong};
use crate::experiment::{Experiment, Findings};
use crate::lab::{Halt, Lab};
use crate::measure::{alternate, timed};
use crate::rows::{self, Row};
use crate::sample::Answer;
use hashfall_core::rng::RandomStream;
use hashfall_core::{Real, Vec3};
use hashfall_elastic::{
    CellSize, Collisions, Drift, ElasticState, Insertion, SolidMotion, SpatialHashContact,
    SpatialHashSettings,
};
use hashfall_geometry::{Aabb, Point};
use hashfall_output::curves::Curve;
use hashfall_output::plot::{Line, Panel};
use hashfall_solid::Solids;
use std::ops::RangeInclusive;

/// The experiment.
pub const EXPERIMENT: Experiment = Experiment {
    name: "ahmad-cells",
    about: "What a substep of hashed contact costs, by cell size, table size and their switches",
    sizes: ["4 cloths of 20 000 triangles in all", "the same of 500 000 triangles"],
    run,
    conclude,
};

const CELLS: &str = "cell size";
const TABLE: &str = "table size";
const INSERTION: &str = "insertion";
const STRETCH: &str = "stretched cloth";

/// Cells in mean edges.
const CELL_RATIOS: [(f64, &str); 4] = [
    (0.5, "cell of 0.5 edges"),
    (1.0, "cell of 1 edge"),
    (2.0, "cell of 2 edges"),
    (4.0, "cell of 4 edges"),
];
/// Slots in primitives.
const TABLE_RATIOS: [(f64, &str); 5] = [
    (0.1, "0.1 slots a primitive"),
    (0.3, "0.3 slots a primitive"),
    (1.0, "1 slot a primitive"),
    (3.0, "3 slots a primitive"),
    (10.0, "10 slots a primitive"),
];
const INSERTIONS: [(Insertion, &str); 2] =
    [(Insertion::DuringMove, "during the move"), (Insertion::AfterMove, "after the move")];
const CELL_SIZES: [(CellSize, &str); 2] =
    [(CellSize::Once, "cell computed once"), (CellSize::Recomputed, "cell computed again")];
/// How many times as long cloths are.
const STRETCHES: [f64; 3] = [1.0, 2.0, 4.0];
/// The length of a substep \[s\]; a node has the velocity that takes it to its other place in 1 s.
const DT: f64 = 0.01;
/// How far behind a triangle vertices are found, in edges.
const DEPTH: f64 = 0.5;

fn run(lab: &mut Lab<'_>) -> Result<(), Halt> {
    let triangles = lab.setup.size.of([200, 20_000, 500_000]);
    let mut stack = ClothStack::new(triangles, &mut RandomStream::new(lab.setup.seed))?;
    let default = SpatialHashSettings {
        depth: DEPTH,
        counts_passages: false,
        ..SpatialHashSettings::default()
    };
    let input = format!("{} triangles", stack.corners().len());
    for (cell_ratio, name) in CELL_RATIOS {
        let depth = DEPTH / cell_ratio;
        let settings = SpatialHashSettings { cell_ratio, depth, ..default };
        measure(lab, &stack, settings, CELLS, name, &input, cell_ratio)?;
    }
    for (table_ratio, name) in TABLE_RATIOS {
        let settings = SpatialHashSettings { table_ratio, ..default };
        measure(lab, &stack, settings, TABLE, name, &input, table_ratio)?;
    }
    for (insertion, name) in INSERTIONS {
        let settings = SpatialHashSettings { insertion, ..default };
        measure(lab, &stack, settings, INSERTION, name, &input, 1.0)?;
    }
    let start = stack.positions.clone();
    for stretch in STRETCHES {
        for (positions, start) in stack.positions.iter_mut().zip(&start) {
            *positions =
                start.iter().map(|x| Point::new(x.x * stretch, x.y * stretch, x.z)).collect();
        }
        for (cell_size, name) in CELL_SIZES {
            // What is near does not depend on the cell then.
            let settings = SpatialHashSettings { cell_size, depth: 0.0, ..default };
            let input = format!("{input}, {stretch} times as long");
            measure(lab, &stack, settings, STRETCH, name, &input, stretch)?;
        }
    }
    Ok(())
}

/// Measures a substep of contact.
fn measure(
    lab: &mut Lab<'_>,
    stack: &ClothStack,
    settings: SpatialHashSettings,
    task: &'static str,
    structure: &'static str,
    input: &str,
    x: f64,
) -> Result<(), Halt> {
    let nowhere = Aabb::new(Vec3::repeat(-1e6 as Real), Vec3::repeat(1e6 as Real));
    let solids = Solids::new(nowhere, vec![], vec![]).with_open_axes([true; 3]);
    let mode = SpatialHashContact::new(&stack.system, &solids, settings);
    let mut mode = mode.map_err(|error| wrong(&error))?;
    let inverse_mass = stack.system.inverse_mass();
    let drift = Drift { inverse_mass, time: 0.0, dt: DT, solids: SolidMotion::default() };
    let mut state = ElasticState::at_rest(stack.positions[0].clone());
    let mut tested = 0;
    let measured = alternate(lab, |side| {
        state.position.copy_from_slice(&stack.positions[side]);
        let towards = &stack.positions[1 - side];
        let velocities = state.velocity.iter_mut().zip(towards).zip(&stack.positions[side]);
        velocities.for_each(|((v, to), from)| *v = to - from);
        let (seconds, ()) = timed(|| mode.drift(&drift, &mut state.position, &mut state.velocity));
        let counts = mode.take_counts();
        tested = counts.tested;
        ([seconds], Answer { count: counts.contacts, checksum: state.digest() })
    })?;
    lab.keep(Row {
        input: input.to_owned(),
        x,
        structure,
        task,
        items: stack.system.node_count(),
        time: measured.times[0],
        candidates: Some(tested),
        answer: Some(measured.answer),
        bytes: Some(mode.table_bytes()),
    })
}

fn conclude(rows: &[Row]) -> Findings {
    let curve = |task: &'static str, label| {
        let of_task = rows.iter().filter(|row| row.task == task);
        let points = of_task.map(|row| [row.x, rows::nanoseconds_each(row)]).collect();
        Line { label, is_reference: false, curve: Curve::new(points) }
    };
    let y = "time [ns a vertex]";
    let by_size = vec![curve(CELLS, "cell, in mean edges"), curve(TABLE, "slots a primitive")];
    let panels = vec![
        Panel { title: "A substep of contact", x: "ratio", y, log: true, lines: by_size },
        Panel {
            title: "A cloth that is stretched",
            x: "times as long",
            y,
            log: true,
            lines: rows::lines(rows, STRETCH, rows::nanoseconds_each),
        },
    ];
    let at_least = 1.0..=f64::INFINITY;
    let slower = |task, of: &[(f64, &'static str)]| {
        let others = of.iter().filter(|(ratio, _)| *ratio != 1.0);
        let best = of.iter().find(|(ratio, _)| *ratio == 1.0)?;
        let all: Vec<_> =
            others.flat_map(|(_, other)| ratios(rows, task, [other, best.1])).collect();
        rows::range(&all)
    };
    let claims = [
        Claim::new(
            "a cell of the mean edge is the best: times as long with 0.5, 2 and 4 edges",
            "≥ 1, no figure",
            slower(CELLS, &CELL_RATIOS),
            at_least.clone(),
        ),
        Claim::new(
            "\"the best performance\" is with as many slots as primitives: times as long with \
             0.1, 0.3, 3 and 10 times as many",
            "≥ 1, no figure",
            slower(TABLE, &TABLE_RATIOS),
            at_least.clone(),
        ),
        Claim::new(
            "to compute the cell again is \"more computationally expensive\": times as long",
            "≥ 1, no figure",
            range(rows, STRETCH, [CELL_SIZES[1].1, CELL_SIZES[0].1]),
            at_least.clone(),
        ),
        Claim::new(
            "vertices are best entered as they are moved: times as long in a pass of its own",
            "≥ 1, no figure",
            range(rows, INSERTION, [INSERTIONS[1].1, INSERTIONS[0].1]),
            at_least,
        ),
    ];
    let tasks = [CELLS, TABLE, INSERTION, STRETCH];
    Findings {
        panels,
        claims: claims.into_iter().flatten().collect(),
        notes: tasks.into_iter().flat_map(|task| rows::fastest(rows, task)).collect(),
    }
}

fn ratios(rows: &[Row], task: &str, pair: [&str; 2]) -> Vec<(f64, f64)> {
    rows::ratios(rows, task, pair, rows::milliseconds)
}

fn range(rows: &[Row], task: &str, pair: [&str; 2]) -> Option<RangeInclusive<f64>> {
    rows::range(&ratios(rows, task, pair))
}
