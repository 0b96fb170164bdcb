//! Points near triangles: triangles that walk the cells of points, or that are entered as boxes.
//!
//! Triangles of edges about 1 at random places and in random directions, in a cube that holds one
//! for each four of volume, and points in their order of cells. A point is near within a tenth of
//! an edge.

use crate::experiment::{Experiment, Findings};
use crate::inputs;
use crate::lab::{Halt, Lab};
use crate::near_triangles::{TASK, Workload, measure, panels};
use crate::rows::{self, Row};
use hashfall_core::rng::RandomStream;
use hashfall_core::{Vec3, vec3};

/// The experiment.
pub const EXPERIMENT: Experiment = Experiment {
    name: "triangles",
    about: "What points near triangles cost, by a raster of triangles or by their boxes",
    sizes: [
        "1000 triangles, 1000 to 100 000 points",
        "10 000 triangles, 10 000 to 1 000 000 points",
    ],
    run,
    conclude,
};

/// The volume that each triangle has, in cubed edges.
const SPACE: f64 = 4.0;
/// How near a point has to be, in edges.
const REACH: f64 = 0.1;
/// Points for each triangle.
const CROWDS: [usize; 5] = [1, 3, 10, 30, 100];

fn run(lab: &mut Lab<'_>) -> Result<(), Halt> {
    let count = lab.setup.size.of([50, 1000, 10_000]);
    for crowd in CROWDS {
        let mut rng = RandomStream::new(lab.setup.seed);
        let workload = workload(count, count * crowd, &mut rng);
        measure(lab, &workload, false)?;
    }
    Ok(())
}

fn workload(triangles: usize, points: usize, rng: &mut RandomStream) -> Workload {
    let edge = (triangles as f64 * SPACE).cbrt();
    let triangles: Vec<[Vec3; 3]> = (0..triangles)
        .map(|_| {
            let at = inputs::point(rng, edge, false);
            let mut corner = || {
                let way = inputs::way(rng, 1.0, false);
                vec3(std::array::from_fn(|a| at[a] + way[a]))
            };
            [corner(), corner(), corner()]
        })
        .collect();
    let points = (0..points).map(|_| vec3(inputs::point(rng, edge, false))).collect();
    let mut points = inputs::points_and_moved(points, REACH, false, rng);
    points.iter_mut().for_each(|points| inputs::sort_by_cell(points, 1.0));
    Workload {
        input: format!("{} triangles, {} points", triangles.len(), points[0].len()),
        x: points[0].len() as f64,
        points,
        triangles: [triangles.clone(), triangles],
        corners: Vec::new(),
        reach: REACH,
    }
}

fn conclude(rows: &[Row]) -> Findings {
    let panels = panels(rows, "Points near triangles", "points");
    Findings { panels, claims: Vec::new(), notes: rows::fastest(rows, TASK) }
}
