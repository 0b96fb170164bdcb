//! Points near triangles, by triangles that walk the cells of points, or by boxes of triangles in a
//! broad phase.
//!
//! The raster has the points in cells of the mean edge, and each triangle searches the cells that
//! its surface passes (Ahmad), or all that its box covers; a broad phase has the triangles as
//! boxes, and each point asks for them. All then test the distance to the triangle.

use crate::lab::{Halt, Lab};
use crate::measure::{alternate, timed};
use crate::rows::{self, Row};
use crate::sample::{Answer, Sample};
use hashfall_core::{Real, Vec3};
use hashfall_geometry::Aabb;
use hashfall_geometry::triangle::offset_to_triangle;
use hashfall_output::plot::Panel;
use hashfall_search::with_broad_phase;
use hashfall_search::{BroadPhase, BroadPhaseKind, TriangleRaster, for_each_overlap, mean_edge};

/// What is timed.
pub const TASK: &str = "build + near points";
/// Triangles that walk over their surface.
pub const RASTER: &str = "TriangleRaster";
/// Triangles that search all cells of their boxes.
pub const BOX_RASTER: &str = "TriangleRaster, boxes";

/// Triangles and points, before and after.
pub struct Workload {
    /// How rows call it.
    pub input: String,
    /// Where it stands on the horizontal axis.
    pub x: f64,
    /// The points.
    pub points: [Vec<Vec3>; 2],
    /// The triangles.
    pub triangles: [Vec<[Vec3; 3]>; 2],
    /// The points that are corners of each triangle, which are not near it; none if points and
    /// triangles have nothing to do with each other.
    pub corners: Vec<[u32; 3]>,
    /// How near a point has to be \[m\].
    pub reach: f64,
}

impl Workload {
    /// As it is asked for: a little more, as boxes are rounded.
    fn padded_reach(&self) -> Real {
        (1.001 * self.reach) as Real
    }

    /// Whether a point is near a triangle, and no corner of it.
    fn is_near(&self, side: usize, point: u32, triangle: u32) -> bool {
        let corners = self.corners.get(triangle as usize);
        if corners.is_some_and(|corners| corners.contains(&point)) {
            return false;
        }
        let exact = |v: &Vec3| v.map(f64::from);
        let corners = self.triangles[side][triangle as usize].each_ref().map(exact);
        let offset = offset_to_triangle(&exact(&self.points[side][point as usize]), &corners);
        offset.norm_squared() <= self.reach * self.reach
    }
}

/// Measures the raster, that with boxes if it is asked for, and all broad phases.
///
/// # Errors
/// If it is to stop, or if answers differ.
pub fn measure(lab: &mut Lab<'_>, workload: &Workload, with_boxes: bool) -> Result<(), Halt> {
    rasterize(lab, workload, RASTER)?;
    if with_boxes {
        rasterize(lab, workload, BOX_RASTER)?;
    }
    for kind in BroadPhaseKind::ALL.into_iter().filter(|&kind| kind != BroadPhaseKind::Brute) {
        with_broad_phase!(kind, B => by_boxes::<B>(lab, kind.name(), workload))?;
    }
    Ok(())
}

/// The panels of rows of this task.
pub fn panels(rows: &[Row], title: &'static str, x: &'static str) -> Vec<Panel> {
    let panel = |title, y, of| Panel { title, x, y, log: true, lines: rows::lines(rows, TASK, of) };
    let candidates = |row: &Row| row.candidates.map_or(f64::NAN, |count| count as f64);
    vec![
        panel(title, "time [ns a point]", rows::nanoseconds_each),
        panel("Pairs whose distance is tested", "pairs", candidates),
        panel("Memory", "memory [MB]", rows::megabytes),
    ]
}

/// Measures triangles that look up points, along their surfaces or in their boxes.
fn rasterize(lab: &mut Lab<'_>, workload: &Workload, structure: &'static str) -> Result<(), Halt> {
    let (is_along_surface, padded_reach) = (structure == RASTER, workload.padded_reach());
    let size = mean_edge(&workload.triangles[0]).unwrap_or(1.0);
    let (mut raster, mut candidates) = (TriangleRaster::default(), 0);
    let measured = alternate(lab, |side| {
        candidates = 0;
        let (seconds, answer) = timed(|| {
            let mut answer = Answer::default();
            raster.rebuild(&workload.points[side], size);
            for (number, corners) in (0..).zip(&workload.triangles[side]) {
                let visit = |point| {
                    candidates += 1;
                    if workload.is_near(side, point, number) {
                        answer.add(point, number);
                    }
                };
                if is_along_surface {
                    raster.near(corners, padded_reach, visit);
                } else {
                    raster.inside(&Aabb::around(corners).grown(padded_reach), visit);
                }
            }
            answer
        });
        ([seconds], answer)
    })?;
    let [time] = measured.times;
    keep(lab, structure, workload, time, candidates, measured.answer, raster.bytes())
}

/// Measures a broad phase that has the triangles as boxes.
fn by_boxes<B: BroadPhase>(
    lab: &mut Lab<'_>,
    structure: &'static str,
    workload: &Workload,
) -> Result<(), Halt> {
    let (mut broad, mut candidates, mut boxes) = (B::default(), 0, Vec::new());
    let padded_reach = workload.padded_reach();
    let measured = alternate(lab, |side| {
        candidates = 0;
        let (seconds, answer) = timed(|| {
            let mut answer = Answer::default();
            boxes.clear();
            boxes.extend(workload.triangles[side].iter().map(Aabb::around));
            broad.rebuild(&boxes, 2.0 * padded_reach);
            for (number, point) in (0..).zip(&workload.points[side]) {
                for_each_overlap(&broad, &boxes, &Aabb::of_ball(point, padded_reach), |triangle| {
                    candidates += 1;
                    if workload.is_near(side, number, triangle) {
                        answer.add(number, triangle);
                    }
                });
            }
            answer
        });
        ([seconds], answer)
    })?;
    let [time] = measured.times;
    keep(lab, structure, workload, time, candidates, measured.answer, broad.bytes())
}

fn keep(
    lab: &mut Lab<'_>,
    structure: &'static str,
    workload: &Workload,
    time: Sample,
    candidates: u64,
    answer: Answer,
    bytes: usize,
) -> Result<(), Halt> {
    lab.keep(Row {
        input: workload.input.clone(),
        x: workload.x,
        structure,
        task: TASK,
        items: workload.points[0].len(),
        time,
        candidates: Some(candidates),
        answer: Some(answer),
        bytes: Some(bytes),
    })
}
