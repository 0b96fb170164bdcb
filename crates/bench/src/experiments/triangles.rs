//! Points near triangles: triangles that walk the cells of points, or that are entered as boxes.
//!
//! Triangles of edges about 1 at random places and in random directions, in a cube that holds one
//! for each four of volume, and points in their order of cells. The raster has the points in cells
//! of the mean edge, and each triangle walks the cells that its surface passes (Ahmad); a broad
//! phase has the triangles as boxes, and each point asks for them. Both then test the distance to
//! the triangle, a tenth of its edge.

use crate::experiment::{Experiment, Findings};
use crate::inputs;
use crate::lab::{Halt, Lab};
use crate::measure::{alternate, timed};
use crate::rows::{self, Row};
use crate::sample::{Answer, Sample};
use hashfall_core::rng::RandomStream;
use hashfall_core::{Real, Vec3, vec3};
use hashfall_geometry::Aabb;
use hashfall_geometry::triangle::offset_to_triangle;
use hashfall_output::plot::Panel;
use hashfall_search::with_broad_phase;
use hashfall_search::{BroadPhase, BroadPhaseKind, TriangleRaster, for_each_overlap, mean_edge};

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

const TASK: &str = "build + near points";
const RASTER: &str = "TriangleRaster";
/// The volume that each triangle has, in cubed edges.
const SPACE: f64 = 4.0;
/// How near a point has to be, in edges.
const REACH: f64 = 0.1;
/// As it is asked for: a little more, as boxes are rounded.
const ASKED: Real = 1.001 * REACH as Real;
/// Points for each triangle.
const CROWDS: [usize; 5] = [1, 3, 10, 30, 100];

/// Triangles, and points before and after.
struct Workload {
    triangles: Vec<[Vec3; 3]>,
    points: [Vec<Vec3>; 2],
}

fn run(lab: &mut Lab<'_>) -> Result<(), Halt> {
    let count = lab.setup.size.of([50, 1000, 10_000]);
    for crowd in CROWDS {
        let mut rng = RandomStream::new(lab.setup.seed);
        let workload = workload(count, count * crowd, &mut rng);
        rasterize(lab, &workload)?;
        for kind in BroadPhaseKind::ALL.into_iter().filter(|&kind| kind != BroadPhaseKind::Brute) {
            with_broad_phase!(kind, B => by_boxes::<B>(lab, kind.name(), &workload))?;
        }
    }
    Ok(())
}

fn workload(triangles: usize, points: usize, rng: &mut RandomStream) -> Workload {
    let edge = (triangles as f64 * SPACE).cbrt();
    let triangles = (0..triangles)
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
    Workload { triangles, points }
}

/// Whether a point is near a triangle.
fn is_near(point: &Vec3, corners: &[Vec3; 3]) -> bool {
    let (point, corners) = (point.map(f64::from), corners.map(|corner| corner.map(f64::from)));
    offset_to_triangle(&point, &corners).norm_squared() <= REACH * REACH
}

/// Measures the triangles that walk.
fn rasterize(lab: &mut Lab<'_>, workload: &Workload) -> Result<(), Halt> {
    let Workload { triangles, points } = workload;
    let size = mean_edge(triangles).unwrap_or(1.0);
    let (mut raster, mut candidates) = (TriangleRaster::default(), 0);
    let measured = alternate(lab, |side| {
        let points = &points[side];
        candidates = 0;
        let (seconds, answer) = timed(|| {
            let mut answer = Answer::default();
            raster.rebuild(points, size);
            for (number, corners) in (0..).zip(triangles) {
                raster.near(corners, ASKED, |point| {
                    candidates += 1;
                    if is_near(&points[point as usize], corners) {
                        answer.add(point, number);
                    }
                });
            }
            answer
        });
        ([seconds], answer)
    })?;
    let [time] = measured.times;
    keep(lab, RASTER, workload, (time, candidates, measured.answer, raster.bytes()))
}

/// Measures a broad phase that has the triangles as boxes.
fn by_boxes<B: BroadPhase>(
    lab: &mut Lab<'_>,
    structure: &'static str,
    workload: &Workload,
) -> Result<(), Halt> {
    let Workload { triangles, points } = workload;
    let boxes: Vec<Aabb> = triangles.iter().map(Aabb::around).collect();
    let (mut broad, mut candidates) = (B::default(), 0);
    let measured = alternate(lab, |side| {
        candidates = 0;
        let (seconds, answer) = timed(|| {
            let mut answer = Answer::default();
            broad.rebuild(&boxes, 2.0 * ASKED);
            for (number, point) in (0..).zip(&points[side]) {
                let query = Aabb::of_ball(point, ASKED);
                for_each_overlap(&broad, &boxes, &query, |triangle| {
                    candidates += 1;
                    if is_near(point, &triangles[triangle as usize]) {
                        answer.add(number, triangle);
                    }
                });
            }
            answer
        });
        ([seconds], answer)
    })?;
    let [time] = measured.times;
    keep(lab, structure, workload, (time, candidates, measured.answer, broad.bytes()))
}

fn keep(
    lab: &mut Lab<'_>,
    structure: &'static str,
    Workload { triangles, points }: &Workload,
    (time, candidates, answer, bytes): (Sample, u64, Answer, usize),
) -> Result<(), Halt> {
    lab.keep(Row {
        input: format!("{} triangles, {} points", triangles.len(), points[0].len()),
        x: points[0].len() as f64,
        structure,
        task: TASK,
        items: points[0].len(),
        time,
        candidates: Some(candidates),
        answer: Some(answer),
        bytes: Some(bytes),
    })
}

fn conclude(rows: &[Row]) -> Findings {
    let x = "points";
    let panel = |title, y, of| Panel { title, x, y, log: true, lines: rows::lines(rows, TASK, of) };
    let candidates = |row: &Row| row.candidates.map_or(f64::NAN, |count| count as f64);
    let panels = vec![
        panel("Points near triangles", "time [ns a point]", rows::nanoseconds_each),
        panel("Pairs whose distance is tested", "pairs", candidates),
        panel("Memory", "memory [MB]", rows::megabytes),
    ];
    Findings { panels, claims: Vec::new(), notes: rows::fastest(rows, TASK) }
}
