//! Pouchol et al. 2009, §4.1, figure 5: neighbours in the plane, within a growing radius.
//!
//! A million points are uniform in a square of side 2²⁰; the structure is built, and lists the
//! neighbours of each within r. Times are over the largest number of neighbours of any point, which
//! goes from one to some forty: r is such that a point has k neighbours on average, for k from a
//! thousandth to fifteen. Fewer points in the same square have the same k by a larger r.

use crate::claim::Claim;
use crate::experiment::{Experiment, Findings};
use crate::inputs;
use crate::lab::{Halt, Lab};
use crate::neighbor_lists::{WHOLE, Workload, measure, most};
use crate::rows::{self, Row};
use hashfall_core::Real;
use hashfall_core::rng::RandomStream;
use hashfall_core::vec3;
use hashfall_output::plot::Panel;
use hashfall_search::NeighborKind;
use std::f64::consts::PI;

/// The experiment.
pub const EXPERIMENT: Experiment = Experiment {
    name: "pouchol-fig5",
    about: "Neighbours in the plane within a growing radius (Pouchol et al. 2009, fig. 5)",
    sizes: ["100 000 points", "1 000 000 points"],
    run,
    conclude,
};

/// Side of the square.
const SIDE: f64 = 1_048_576.0;
/// Mean numbers of neighbours.
const MEANS: [f64; 9] = [0.001, 0.02, 0.1, 0.5, 1.0, 2.0, 4.0, 8.0, 15.0];
/// The structure of the paper that finds neighbours while points are inserted.
const ON_INSERTION: &str = "InsertionHash";

fn run(lab: &mut Lab<'_>) -> Result<(), Halt> {
    let means: &[f64] = lab.setup.size.of([&[0.1, 4.0], &MEANS, &MEANS]);
    let count = lab.setup.size.of([200, 100_000, 1_000_000]);
    let mut rng = RandomStream::new(lab.setup.seed);
    let points: Vec<_> = (0..count).map(|_| vec3(inputs::point(&mut rng, SIDE, true))).collect();
    for &mean in means {
        let radius = (mean * SIDE * SIDE / (PI * count as f64)).sqrt();
        let points = inputs::points_and_moved(points.clone(), 0.025 * radius, true, &mut rng);
        let support_radius = radius as Real;
        let most = most(&points[0], support_radius);
        let input = format!("mean {mean}, at most {most} neighbours");
        let workload = Workload { input, x: most as f64, points, support_radius };
        for kind in NeighborKind::ALL.into_iter().filter(|&kind| kind != NeighborKind::Brute) {
            measure(lab, kind, &workload)?;
        }
    }
    Ok(())
}

fn conclude(rows: &[Row]) -> Findings {
    let x = "largest number of neighbours";
    let panel = |title, y, of: fn(&Row) -> f64| {
        let lines = rows::lines(rows, WHOLE, of);
        Panel { title, x, y, log: false, lines }
    };
    let panels = vec![
        panel("Points built in, all neighbours listed", "time [ms]", rows::milliseconds),
        panel("Memory without the lists", "memory [MB]", rows::megabytes),
    ];
    let all = |pair, value| rows::ratios(rows, WHOLE, pair, value);
    let part = |ratios: Vec<(f64, f64)>, below: bool| {
        let kept: Vec<_> = ratios.into_iter().filter(|r| (r.0 < 5.0) == below).collect();
        rows::range(&kept)
    };
    let speed = || all(["UniformHash", ON_INSERTION], rows::milliseconds);
    let overhead = rows::range(&all([ON_INSERTION, "UniformHash"], rows::megabytes))
        .map(|r| 100.0 * (r.start() - 1.0)..=100.0 * (r.end() - 1.0));
    let claims = [
        Claim::new(
            "below 5 neighbours at most, hierarchical hashing as fast as uniform hashing or faster",
            "≥ 1",
            part(speed(), true),
            1.0..=f64::INFINITY,
        ),
        Claim::new(
            "from 5 neighbours on, hierarchical hashing slower than uniform hashing",
            "< 1",
            part(speed(), false),
            0.0..=1.0,
        ),
        Claim::new(
            "from 5 neighbours on, the kd-tree faster than uniform hashing",
            "> 1",
            part(all(["UniformHash", "KdTree"], rows::milliseconds), false),
            1.0..=f64::INFINITY,
        ),
        Claim::new(
            "memory of hierarchical hashing beyond that of uniform hashing [%]",
            "10 to 25",
            overhead,
            f64::NEG_INFINITY..=25.0,
        ),
    ];
    let notes = rows::fastest(rows, WHOLE);
    Findings { panels, claims: claims.into_iter().flatten().collect(), notes }
}
