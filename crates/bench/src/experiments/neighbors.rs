//! The cost of every neighbour structure over the number of points.
//!
//! Points are a cube of lattice points, jittered by a tenth of the spacing d, with h = 2d: some 28
//! neighbours each, as in a fluid. They come in any order, as at the start of a run, and in the
//! order of cells, as a world keeps them. Also in this order: points so sparse that one in ten has
//! a neighbour, and points in clusters of 500 that are densest in their middle and far apart. A
//! structure is left out from the size on at which a run would take some seconds, or too much
//! memory.

use crate::experiment::{Experiment, Findings};
use crate::inputs;
use crate::lab::{Halt, Lab};
use crate::neighbor_lists::{WHOLE, Workload, measure};
use crate::rows::{self, Row};
use hashfall_core::rng::RandomStream;
use hashfall_core::{Real, Vec3, vec3};
use hashfall_output::plot::Panel;
use hashfall_search::NeighborKind;
use std::f64::consts::PI;

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
/// How points come; inputs end with it.
const SHUFFLED: &str = "shuffled";
const SORTED: &str = "in the order of cells";
const SPARSE: &str = "sparse";
const CLUSTERED: &str = "clustered";
/// Points of a cluster, and how far they are from its middle.
const CLUSTER: usize = 500;
const CLUSTER_RADIUS: f64 = 8.0;

fn run(lab: &mut Lab<'_>) -> Result<(), Halt> {
    let counts: &[usize] = lab.setup.size.of([
        &[200, 400],
        &[1_000, 10_000, 100_000, 1_000_000],
        &[1_000, 10_000, 100_000, 1_000_000, 10_000_000],
    ]);
    for order in [SHUFFLED, SORTED, SPARSE, CLUSTERED] {
        for &count in counts {
            let mut rng = RandomStream::new(lab.setup.seed);
            let workload = workload(count, order, &mut rng);
            for kind in NeighborKind::ALL {
                if lab.may_go_on(kind.name(), WHOLE, order, count as f64) {
                    measure(lab, kind, &workload)?;
                }
            }
        }
    }
    Ok(())
}

fn workload(count: usize, order: &str, rng: &mut RandomStream) -> Workload {
    let mut points = match order {
        SPARSE => sparse(count, rng),
        CLUSTERED => clustered(count, rng),
        _ => inputs::jittered_lattice(count, 0.1, rng),
    };
    if order == SHUFFLED {
        inputs::shuffle(&mut points, rng);
    }
    let mut points = inputs::points_and_moved(points, 0.05, false, rng);
    if order != SHUFFLED {
        points.iter_mut().for_each(|points| inputs::sort_by_cell(points, SUPPORT_RADIUS));
    }
    let input = format!("N = {count}, {order}");
    Workload { input, x: count as f64, points, support_radius: SUPPORT_RADIUS }
}

/// Points at random, each with a tenth of a neighbour in the mean.
fn sparse(count: usize, rng: &mut RandomStream) -> Vec<Vec3> {
    let ball = 4.0 / 3.0 * PI * f64::from(SUPPORT_RADIUS).powi(3);
    let edge = (count as f64 * 10.0 * ball).cbrt();
    (0..count).map(|_| vec3(inputs::point(rng, edge, false))).collect()
}

/// Points of clusters whose middles are ten of their radii apart in the mean.
fn clustered(count: usize, rng: &mut RandomStream) -> Vec<Vec3> {
    let clusters = count.div_ceil(CLUSTER);
    let edge = (clusters as f64).cbrt() * 10.0 * CLUSTER_RADIUS;
    let middles: Vec<[f64; 3]> = (0..clusters).map(|_| inputs::point(rng, edge, false)).collect();
    let place = |n: usize| {
        let (middle, off) = (middles[n % clusters], inputs::way(rng, CLUSTER_RADIUS, false));
        vec3(std::array::from_fn(|a| middle[a] + off[a]))
    };
    (0..count).map(place).collect()
}

fn conclude(rows: &[Row]) -> Findings {
    let part = |order: &str| -> Vec<Row> {
        rows.iter().filter(|row| row.input.ends_with(order)).cloned().collect()
    };
    let panel = |title, y, order, of| Panel {
        title,
        x: "points",
        y,
        log: true,
        lines: rows::lines(&part(order), WHOLE, of),
    };
    let (time, bytes) = ("time [ns a point]", "memory [bytes a point]");
    let each = rows::nanoseconds_each;
    let panels = vec![
        panel("All neighbours, points in any order", time, SHUFFLED, each),
        panel("In the order of cells", time, SORTED, each),
        panel("Sparse", time, SPARSE, each),
        panel("Clustered", time, CLUSTERED, each),
        panel("Memory without the lists", bytes, SORTED, rows::bytes_each),
    ];
    Findings { panels, claims: Vec::new(), notes: rows::fastest(rows, WHOLE) }
}
