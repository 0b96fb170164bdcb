//! Ahmad, "Polygons checking": triangles that walk the cells of vertices, against boxes.
//!
//! Four creased cloths on one another; each vertex within a fifth of an edge of a triangle that it
//! is no corner of is to be found. Triangles walk over their surfaces, or search all cells that
//! their boxes cover ("not optimized since it is volumetric and our triangle is planar"), in the
//! same table; or they are boxes of a broad phase that vertices ask.

use crate::claim::Claim;
use crate::cloth_stack::{ClothStack, THICKNESS};
use crate::experiment::{Experiment, Findings};
use crate::lab::{Halt, Lab};
use crate::near_triangles::{BOX_RASTER, RASTER, TASK, Workload, measure, panels};
use crate::rows::{self, Row};
use hashfall_core::rng::RandomStream;

/// The experiment.
pub const EXPERIMENT: Experiment = Experiment {
    name: "ahmad-raster",
    about: "What collisions of cloths with themselves cost, by rasterised triangles or by boxes",
    sizes: ["1000 to 30 000 triangles", "1000 to 1 000 000 triangles"],
    run,
    conclude,
};

fn run(lab: &mut Lab<'_>) -> Result<(), Halt> {
    let counts: &[usize] = lab.setup.size.of([
        &[200][..],
        &[1000, 10_000, 30_000],
        &[1000, 10_000, 100_000, 1_000_000],
    ]);
    for &count in counts {
        let stack = ClothStack::new(count, &mut RandomStream::new(lab.setup.seed))?;
        let (points, corners) = (stack.points(), stack.corners());
        let triangles = points.each_ref().map(|points| {
            let of = |corners: &[u32; 3]| corners.map(|corner| points[corner as usize]);
            corners.iter().map(of).collect()
        });
        let input = format!("{} triangles", corners.len());
        let (x, reach) = (corners.len() as f64, THICKNESS);
        measure(lab, &Workload { input, x, points, triangles, corners, reach }, true)?;
    }
    Ok(())
}

fn conclude(rows: &[Row]) -> Findings {
    let faster = |than| rows::range(&rows::ratios(rows, TASK, [than, RASTER], rows::milliseconds));
    let at_least = 1.0..=f64::INFINITY;
    let claims = [
        Claim::new(
            "a triangle that walks its surface is faster than one that searches its box",
            "≥ 1, no figure",
            faster(BOX_RASTER),
            at_least.clone(),
        ),
        Claim::new(
            "\"one of todays' fastest methods\": rasterised triangles, times as fast as boxes in \
             a uniform hash",
            "≥ 1, no figure",
            faster("UniformHash"),
            at_least.clone(),
        ),
        Claim::new(
            "the same, times as fast as a bounding volume hierarchy",
            "≥ 1, no figure",
            faster("Bvh"),
            at_least,
        ),
    ];
    Findings {
        panels: panels(rows, "Vertices near triangles of cloths", "triangles"),
        claims: claims.into_iter().flatten().collect(),
        notes: rows::fastest(rows, TASK),
    }
}
