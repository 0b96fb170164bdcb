//! The cost of every broad phase over the number of boxes.
//!
//! The boxes are those of N spheres that fill a tenth of a cube, with diameters alike (uniform from
//! 2⁻⁴ to 2⁻²) or mixed (2ᵘ, u uniform from 0 to 16: each octave as likely). As many queries are
//! the boxes of particles of a quarter of the smallest diameter that move by as much. A structure
//! is left out from the size on at which a run would take some seconds, or too much memory.

use crate::broad_phases::{BUILD, QUERY, Scale, WHOLE, Workload, measure};
use crate::experiment::{Experiment, Findings};
use crate::inputs;
use crate::lab::{Halt, Lab};
use crate::rows::{self, Row};
use hashfall_core::Real;
use hashfall_core::rng::RandomStream;
use hashfall_geometry::Aabb;
use hashfall_output::plot::Panel;
use hashfall_search::BroadPhaseKind;
use std::f64::consts::PI;

/// The experiment.
pub const EXPERIMENT: Experiment = Experiment {
    name: "broad-phase",
    about: "What finding what a box may hit costs, by every broad phase, over the number of boxes",
    sizes: ["100 to 100 000 boxes and queries", "100 to 10 000 000 boxes and queries"],
    run,
    conclude,
};

const MIXED: &str = "sizes mixed";

fn run(lab: &mut Lab<'_>) -> Result<(), Halt> {
    let counts: &[usize] = lab.setup.size.of([
        &[30, 60],
        &[100, 1_000, 10_000, 100_000],
        &[100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000],
    ]);
    for sizes in ["sizes alike", MIXED] {
        for &count in counts {
            let mut rng = RandomStream::new(lab.setup.seed);
            let workload = workload(count, sizes, &mut rng);
            for kind in BroadPhaseKind::ALL {
                if lab.may_go_on(kind.name(), WHOLE, sizes, count as f64) {
                    measure(lab, kind, &workload)?;
                }
            }
        }
    }
    Ok(())
}

fn workload(count: usize, sizes: &str, rng: &mut RandomStream) -> Workload {
    let mut diameter = || match sizes {
        MIXED => libm::exp2(rng.between(0.0, 16.0)),
        _ => rng.between(1.0 / 16.0, 0.25),
    };
    let diameters: Vec<f64> = (0..count).map(|_| diameter()).collect();
    let volume: f64 = diameters.iter().map(|d| PI / 6.0 * d * d * d).sum();
    let edge = (volume / 0.1).cbrt();
    let particle = 0.25 * if sizes == MIXED { 1.0 } else { 1.0 / 16.0 };
    let objects = diameters
        .iter()
        .map(|&diameter| inputs::ball(inputs::point(rng, edge, false), diameter))
        .collect();
    let path = |rng: &mut RandomStream| -> Aabb {
        let from = inputs::point(rng, edge, false);
        inputs::swept(from, inputs::way(rng, particle, false)).grown(0.5 * particle as Real)
    };
    let queries = (0..count).map(|_| path(rng)).collect();
    let input = format!("N = {count}, {sizes}");
    let scale = Scale { smallest: particle, reach: particle, is_flat: false };
    Workload::moving(input, Some(count as f64), [objects, queries], scale, rng)
}

fn conclude(rows: &[Row]) -> Findings {
    let part = |mixed: bool| -> Vec<Row> {
        rows.iter().filter(|row| row.input.ends_with(MIXED) == mixed).cloned().collect()
    };
    let panel = |title, y, mixed, task, of| {
        let lines = rows::lines(&part(mixed), task, of);
        Panel { title, x: "boxes", y, log: true, lines }
    };
    let (time, bytes) = ("time [ns each]", "memory [bytes a box]");
    let panels = vec![
        panel("Boxes indexed, sizes alike", time, false, BUILD, rows::nanoseconds_each),
        panel("Boxes indexed, sizes mixed", time, true, BUILD, rows::nanoseconds_each),
        panel("Queries answered, sizes alike", time, false, QUERY, rows::nanoseconds_each),
        panel("Queries answered, sizes mixed", time, true, QUERY, rows::nanoseconds_each),
        panel("Memory, sizes alike", bytes, false, BUILD, rows::bytes_each),
        panel("Memory, sizes mixed", bytes, true, BUILD, rows::bytes_each),
    ];
    Findings { panels, claims: Vec::new(), notes: rows::fastest(rows, WHOLE) }
}
