//! The cost of every neighbour structure over the number of points.
//!
//! Points are a cube of lattice points, jittered by a tenth of the spacing d, with h = 2d: some 28
//! neighbours each, as in a fluid. They come in any order, as at the start of a run, and in the
//! order of cells, as a world keeps them. A structure is left out from the size on at which a run
//! would take some seconds, or too much memory.

use crate::base::Real;
use crate::base::chance::Chance;
use crate::bench::neighbor_lists::{WHOLE, Workload, measure};
use crate::bench::rows::{self, Row};
use crate::bench::{Experiment, Findings, Halt, Lab, inputs};
use crate::output::plot::Panel;
use crate::search::NeighborKind;

/// The experiment.
pub const EXPERIMENT: Experiment = Experiment {
    name: "neighbors",
    about: "What finding all neighbours costs, by every structure, over the number of points",
    sizes: ["1000 to 1 000 000 points", "1000 to 10 000 000 points"],
    run,
    conclude,
};

/// Support radius; the spacing is 1.
const SUPPORT_RADIUS: Real = 2.0;
const SORTED: &str = "in the order of cells";

fn run(lab: &mut Lab<'_>) -> Result<(), Halt> {
    let counts: &[usize] = lab.setup.size.of([
        &[200, 400],
        &[1_000, 10_000, 100_000, 1_000_000],
        &[1_000, 10_000, 100_000, 1_000_000, 10_000_000],
    ]);
    for order in ["shuffled", SORTED] {
        for &count in counts {
            let mut chance = Chance::new(lab.setup.seed);
            let workload = workload(count, order, &mut chance);
            for kind in NeighborKind::ALL {
                if lab.may_go_on(kind.name(), WHOLE, order, count as f64) {
                    measure(lab, kind, &workload)?;
                }
            }
        }
    }
    Ok(())
}

fn workload(count: usize, order: &str, chance: &mut Chance) -> Workload {
    let mut points = inputs::jittered_lattice(count, 0.1, chance);
    if order != SORTED {
        inputs::shuffle(&mut points, chance);
    }
    let mut points = inputs::points_and_moved(points, 0.05, false, chance);
    if order == SORTED {
        points.iter_mut().for_each(|points| inputs::sort_by_cell(points, SUPPORT_RADIUS));
    }
    let input = format!("N = {count}, {order}");
    Workload { input, x: count as f64, points, support_radius: SUPPORT_RADIUS }
}

fn conclude(rows: &[Row]) -> Findings {
    let part = |sorted: bool| -> Vec<Row> {
        rows.iter().filter(|row| row.input.ends_with(SORTED) == sorted).cloned().collect()
    };
    let panel = |title, y, rows: &[Row], of| Panel {
        title,
        x: "points",
        y,
        log: true,
        lines: rows::lines(rows, WHOLE, of),
    };
    let (time, bytes) = ("time [ns a point]", "memory [bytes a point]");
    let panels = vec![
        panel("All neighbours, points in any order", time, &part(false), rows::nanoseconds_each),
        panel("In the order of cells", time, &part(true), rows::nanoseconds_each),
        panel("Memory without the lists", bytes, &part(true), rows::bytes_each),
    ];
    Findings { panels, claims: Vec::new(), notes: rows::fastest(rows, WHOLE) }
}
