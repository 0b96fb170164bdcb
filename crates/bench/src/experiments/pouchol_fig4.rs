//! Pouchol et al. 2009, §4.1, figure 4: segments among rectangles in the plane.
//!
//! N objects lie in a square of side 2¹³: 10 % have a mean size of 2¹⁰, 25 % of 2⁶, the rest of 2³.
//! The paper draws "sizes" without a law: here width and height are each uniform from a half to
//! three halves of the mean, and centres uniform. A million segments, of length up to 2⁴ in any
//! direction, ask what they may hit, by their boxes. Times are for indexing the objects and asking
//! all segments, over the share of segments that hit.

use crate::broad_phases::{Scale, WHOLE, Workload, measure};
use crate::claim::Claim;
use crate::experiment::{Experiment, Findings};
use crate::inputs;
use crate::lab::{Halt, Lab};
use crate::rows::{self, Row};
use hashfall_core::rng::RandomStream;
use hashfall_core::vec3;
use hashfall_geometry::Aabb;
use hashfall_output::plot::{Line, Panel};
use hashfall_search::BroadPhaseKind;

/// The experiment.
pub const EXPERIMENT: Experiment = Experiment {
    name: "pouchol-fig4",
    about: "Segments among rectangles of three sizes in the plane (Pouchol et al. 2009, fig. 4)",
    sizes: ["10 to 10 000 objects, 100 000 segments", "10 to 10 000 objects, 1 000 000 segments"],
    run,
    conclude,
};

/// Side of the square.
const SIDE: f64 = 8192.0;
/// The longest segment.
const LONGEST: f64 = 16.0;
/// The structures of the figure; the others are in the table alone.
const DRAWN: [&str; 4] = ["KdTree", "MultilevelHash", "PlainHierarchicalHash", "HierarchicalHash"];

fn run(lab: &mut Lab<'_>) -> Result<(), Halt> {
    let counts: &[usize] = lab.setup.size.of([
        &[10, 50],
        &[10, 100, 1_000, 10_000],
        &[10, 32, 100, 316, 1_000, 3_162, 10_000],
    ]);
    let segments = lab.setup.size.of([300, 100_000, 1_000_000]);
    for &count in counts {
        let mut rng = RandomStream::new(lab.setup.seed);
        let queries = (0..segments).map(|_| segment(&mut rng)).collect();
        let objects = (0..count).map(|_| rectangle(&mut rng)).collect();
        let scale = Scale { smallest: 0.25 * LONGEST, reach: 0.125 * LONGEST, is_flat: true };
        let input = format!("N = {count}");
        let sets = [objects, queries];
        let workload = Workload::moving(input, None, sets, scale, &mut rng);
        for kind in BroadPhaseKind::ALL.into_iter().filter(|&kind| kind != BroadPhaseKind::Brute) {
            measure(lab, kind, &workload)?;
        }
    }
    Ok(())
}

fn rectangle(rng: &mut RandomStream) -> Aabb {
    let mean = match rng.number() {
        class if class < 0.1 => 1024.0,
        class if class < 0.35 => 64.0,
        _ => 8.0,
    };
    let [w, h] = [(); 2].map(|()| 0.5 * rng.between(0.5 * mean, 1.5 * mean));
    let [x, y, z] = inputs::point(rng, SIDE, true);
    Aabb::new(vec3([x - w, y - h, z]), vec3([x + w, y + h, z]))
}

fn segment(rng: &mut RandomStream) -> Aabb {
    let from = inputs::point(rng, SIDE, true);
    inputs::swept(from, inputs::way(rng, LONGEST, true))
}

fn conclude(rows: &[Row]) -> Findings {
    let drawn = |y: fn(&Row) -> f64| -> Vec<Line> {
        let lines = rows::lines(rows, WHOLE, y).into_iter();
        lines.filter(|line| DRAWN.contains(&line.label)).collect()
    };
    let x = "segments that hit at least one object [%]";
    let panel = |title, y, lines| Panel { title, x, y, log: false, lines };
    let panels = vec![
        panel("Objects built in, all segments asked", "time [ms]", drawn(rows::milliseconds)),
        panel("Memory", "memory [MB]", drawn(rows::megabytes)),
    ];
    let compared = |pair, value| rows::range(&rows::ratios(rows, WHOLE, pair, value));
    let pair = ["MultilevelHash", "PlainHierarchicalHash"];
    let overhead = compared(["PlainHierarchicalHash", "MultilevelHash"], rows::megabytes)
        .map(|r| 100.0 * (r.start() - 1.0)..=100.0 * (r.end() - 1.0));
    let claims = [
        Claim::new(
            "the hierarchical hash at least twice as fast as the multilevel hash everywhere",
            "≥ 2",
            compared(pair, rows::milliseconds),
            2.0..=f64::INFINITY,
        ),
        Claim::new(
            "the same of the flat hierarchical hash, our own",
            "≥ 2",
            compared(["MultilevelHash", "HierarchicalHash"], rows::milliseconds),
            2.0..=f64::INFINITY,
        ),
        Claim::new(
            "memory of the hierarchical hash beyond that of the multilevel hash [%]",
            "≤ 10",
            overhead,
            f64::NEG_INFINITY..=10.0,
        ),
        Claim::new(
            "hashing in general faster than a kd-tree: time of the kd-tree over the hierarchical",
            "> 1",
            compared(["KdTree", "PlainHierarchicalHash"], rows::milliseconds),
            1.0..=f64::INFINITY,
        ),
    ];
    let notes = rows::fastest(rows, WHOLE);
    Findings { panels, claims: claims.into_iter().flatten().collect(), notes }
}
