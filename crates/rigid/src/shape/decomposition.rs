//! Convex parts of a concave solid.
//!
//! Contacts are found between convex pieces. The box around a concave solid is cut in two by planes
//! across its axes, again and again: the cell whose part of the solid is least convex first, where
//! it leaves the most convex halves (of several places on each axis), until the hulls exceed the
//! solid by little. A part is the hull of the solid in its cell. So parts do not overlap, and what
//! they hold beyond the solid is a sum: the sum of the hulls' volumes less
//! that of the mesh. (V-HACD, which is usual, voxelises: on a glass with a wall of 3 % of its
//! height parry's left out a tenth, and ended in a panic.)

use super::cell::Cell;
use super::convex_hull::ConvexHull;
use super::error::ShapeError;
use super::solid::Shape;
use hashfall_core::to_f64;
use hashfall_geometry::{Interior, Point, TriangleMesh};
use nalgebra::Vector3;
use rayon::prelude::*;

/// A cell is cut no nearer to its sides than this share of the solid's longest \[–\].
const MIN_SIDE: f64 = 1e-3;

/// A cut that saves less than this share is chosen by what the next one saves \[–\].
const PLATEAU: f64 = 0.1;

/// How a mesh is cut.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DecompositionSettings {
    /// Cutting ends when the parts exceed the solid by this share of its volume \[–\].
    pub volume_error: f64,
    /// Or when there are so many parts.
    pub max_parts: u32,
}

impl Default for DecompositionSettings {
    fn default() -> Self {
        DecompositionSettings { volume_error: 0.02, max_parts: 128 }
    }
}

/// Convex parts instead of a mesh.
#[derive(Clone, Debug)]
pub struct Decomposition {
    parts: Vec<ConvexHull>,
    mesh_volume: f64,
    excess: f64,
}

impl Decomposition {
    /// The volume that the parts hold beyond the mesh, as a share of the mesh's volume \[–\]; parts
    /// too thin for a hull, which are left out, count too.
    pub fn volume_error(&self) -> f64 {
        self.excess / self.mesh_volume
    }

    /// The volume of the mesh \[m³\].
    pub fn mesh_volume(&self) -> f64 {
        self.mesh_volume
    }

    /// How many parts there are.
    pub fn part_count(&self) -> usize {
        self.parts.len()
    }

    /// Corners and triangles of each part \[m\], for pictures.
    pub fn parts(&self) -> impl Iterator<Item = (&[Vector3<f64>], &[[u32; 3]])> {
        self.parts.iter().map(|part| (part.vertices.as_slice(), part.triangles.as_slice()))
    }

    /// The shape of a body that may be free.
    ///
    /// # Errors
    /// If a part is too thin.
    pub fn into_shape(self) -> Result<Shape, ShapeError> {
        Shape::decomposed(self.parts)
    }
}

/// Cuts a closed mesh into convex parts.
///
/// # Errors
/// If the mesh is not closed or faces inwards, a setting is out of bounds, or no part was found.
pub fn decompose(
    mesh: &TriangleMesh,
    settings: &DecompositionSettings,
) -> Result<Decomposition, ShapeError> {
    check(mesh, settings)?;
    let corners = |t: usize| mesh.corners(t).map(|v| Point::from(to_f64(&v)));
    let triangles: Vec<[Point; 3]> = (0..mesh.triangles.len()).map(corners).collect();
    let interior = Interior::from_points(triangles.clone());
    let whole = Cell::whole(triangles.iter().map(|t| t.to_vec()).collect(), &interior);
    let mesh_volume = mesh.signed_volume();
    let least_side = MIN_SIDE * (0..3).map(|axis| whole.side(axis)).fold(0.0, f64::max);
    let (mut cells, mut done) = (vec![whole], Vec::new());
    while cells.len() + done.len() < settings.max_parts as usize {
        let excess: f64 = cells.iter().chain(&done).map(Cell::cost).sum();
        if excess <= settings.volume_error * mesh_volume {
            break;
        }
        let by_cost = |a: &usize, b: &usize| cells[*a].cost().total_cmp(&cells[*b].cost());
        let Some(worst) = (0..cells.len()).max_by(by_cost) else { break };
        let cell = cells.swap_remove(worst);
        match best_split(&cell, least_side, &interior) {
            Some(halves) => cells.extend(halves),
            None => done.push(cell),
        }
    }
    cells.extend(done);
    let excess = cells.iter().map(Cell::excess).sum();
    let parts: Vec<ConvexHull> = cells.into_iter().filter_map(|cell| cell.hull).collect();
    if parts.is_empty() {
        return Err(ShapeError::NoParts);
    }
    Ok(Decomposition { parts, mesh_volume, excess })
}

/// Refuses meshes that enclose nothing, and settings out of bounds.
fn check(mesh: &TriangleMesh, settings: &DecompositionSettings) -> Result<(), ShapeError> {
    let bounds = [
        ("the volume error", 0.0, 1.0, settings.volume_error),
        ("the number of parts", 1.0, 4096.0, f64::from(settings.max_parts)),
    ];
    for (what, low, high, value) in bounds {
        if !(low..=high).contains(&value) {
            return Err(ShapeError::Setting { what, low, high, value });
        }
    }
    mesh.check_closed().map_err(|open| ShapeError::NotSolid(open.to_string()))?;
    let volume = mesh.signed_volume();
    if volume > 0.0 {
        return Ok(());
    }
    Err(ShapeError::NotSolid(format!("its volume is {volume:.3e} m³")))
}

/// The halves of a cell whose hulls exceed the solid least, of those that are not too thin; empty
/// ones are left out.
fn best_split(cell: &Cell, least_side: f64, interior: &Interior) -> Option<Vec<Cell>> {
    let cuts =
        (0..3).flat_map(|axis| cell.cuts(axis, least_side).into_iter().map(move |at| (axis, at)));
    let cuts: Vec<(usize, f64)> = cuts.collect();
    let split = |&(axis, at): &(usize, f64)| cell.split(axis, at, interior);
    let halves: Vec<[Cell; 2]> = cuts.par_iter().map(split).collect();
    let cost = |halves: &[Cell; 2]| halves[0].cost() + halves[1].cost();
    let costs: Vec<f64> = halves.iter().map(cost).collect();
    let mut best = least(&costs)?;
    if costs[best] > (1.0 - PLATEAU) * cell.cost() {
        // Halves of a ring are as concave as the ring; quarters are not.
        let next = |halves: &[Cell; 2]| halves.iter().map(|half| half.cost_of_next(interior)).sum();
        let costs: Vec<f64> = halves.par_iter().map(next).collect();
        best = least(&costs)?;
    }
    let best = halves.into_iter().nth(best)?;
    let is_something = |cell: &Cell| cell.hull.is_some() || cell.excess() > 0.0;
    Some(best.into_iter().filter(is_something).collect())
}

/// The first of the least numbers.
fn least(numbers: &[f64]) -> Option<usize> {
    (0..numbers.len()).min_by(|&a, &b| numbers[a].total_cmp(&numbers[b]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashfall_core::geometry::Aabb;
    use hashfall_core::geometry::random::Random;
    use hashfall_core::parallel::with_threads;
    use hashfall_core::{Real, Vec3};
    use hashfall_geometry::shape::{box_mesh, sphere_mesh};

    /// A glass 1 m wide and 1.2 m high, open above.
    fn glass(n: u32, wall: f64) -> TriangleMesh {
        let mut mesh = TriangleMesh::default();
        let (outer, high) = (0.5, 1.2);
        let inner = outer - wall;
        let rings = [(outer, 0.0), (outer, high), (inner, high), (inner, wall)];
        for (r, z) in rings {
            mesh.vertices.extend((0..n).map(|k| {
                let (s, c) = libm::sincos(std::f64::consts::TAU * f64::from(k) / f64::from(n));
                Vec3::new((r * c) as Real, (r * s) as Real, z as Real)
            }));
        }
        let v = |ring: u32, k: u32| ring * n + k % n;
        for ring in 0..3 {
            for k in 0..n {
                let [a, b, c, d] = [v(ring, k), v(ring, k + 1), v(ring + 1, k + 1), v(ring + 1, k)];
                mesh.triangles.extend([[a, b, c], [a, c, d]]);
            }
        }
        let low = mesh.vertices.len() as u32;
        mesh.vertices.extend([Vec3::new(0.0, 0.0, 0.0), Vec3::new(0.0, 0.0, wall as Real)]);
        for k in 0..n {
            mesh.triangles.extend([[low, v(0, k + 1), v(0, k)], [low + 1, v(3, k), v(3, k + 1)]]);
        }
        mesh
    }

    fn scaled(mut mesh: TriangleMesh, scale: Real) -> TriangleMesh {
        mesh.vertices.iter_mut().for_each(|v| *v *= scale);
        mesh
    }

    #[test]
    fn the_parts_of_a_glass_differ_from_it_by_what_is_told() {
        let mut random = Random::new(3);
        for (wall, most) in [(0.1, 60), (0.03, 90)] {
            let mesh = glass(32, wall);
            let found = decompose(&mesh, &DecompositionSettings::default()).unwrap();
            assert!(found.volume_error() <= 0.02 && found.part_count() <= most);
            // Counted by points, not by the sums that steer the cuts.
            let interior = Interior::new(&mesh);
            let (mut inside, mut beyond, mut lost) = (0, 0, 0);
            for _ in 0..20_000 {
                let point = Point::from_fn(|axis, _| {
                    random.number([-0.5, -0.5, 0.0][axis], [0.5, 0.5, 1.2][axis])
                });
                let in_mesh = interior.crossings(&point).map(|(_, sign)| sign).sum::<i32>() != 0;
                let in_parts = found.parts.iter().filter(|part| part.contains(&point)).count();
                assert!(in_parts <= 1, "parts overlap");
                lost += usize::from(in_mesh && in_parts == 0);
                inside += usize::from(in_mesh);
                beyond += usize::from(!in_mesh && in_parts == 1);
            }
            assert!((lost as f64) < 0.02 * inside as f64, "{lost} of {inside}");
            let share = (beyond + lost) as f64 / inside as f64;
            assert!((share - found.volume_error()).abs() < 0.012, "{share}");
        }
    }

    #[test]
    fn a_convex_mesh_is_one_part_without_an_error() {
        let cube = box_mesh(&Aabb::new(Vec3::new(-1.0, 0.0, 2.0), Vec3::new(1.0, 0.5, 3.0)));
        for mesh in [cube, sphere_mesh(&Vec3::new(0.5, 0.0, 0.0), 0.25, 3)] {
            let found = decompose(&mesh, &DecompositionSettings::default()).unwrap();
            assert_eq!(found.part_count(), 1);
            assert!(found.volume_error() < 1e-12);
        }
    }

    #[test]
    fn an_l_is_few_parts_with_a_small_error() {
        // Caps from a corner that sees all of them: others overlap and cancel.
        let outline =
            [[0.0, 0.0], [1.0, 0.0], [1.0, 0.25], [0.3125, 0.25], [0.3125, 1.5], [0.0, 1.5]];
        let segments = hashfall_geometry::prism::polygon_segments(&outline);
        let mesh = hashfall_geometry::prism::prism(&segments, 0.5, false);
        let found = decompose(&mesh, &DecompositionSettings::default()).unwrap();
        assert!(found.part_count() <= 3);
        assert!(found.volume_error() <= 0.02, "{}", found.volume_error());
    }

    #[test]
    fn the_parts_depend_on_neither_threads_nor_size() {
        let settings = DecompositionSettings { volume_error: 0.1, max_parts: 40 };
        let run = |threads, scale| {
            let mesh = scaled(glass(12, 0.1), scale);
            with_threads(threads, || decompose(&mesh, &settings).unwrap())
        };
        let first = run(1, 1.0);
        for (threads, scale) in [(3, 1.0), (2, 1024.0), (2, 1.0 / 1024.0)] {
            let again = run(threads, scale);
            assert_eq!(again.volume_error(), first.volume_error());
            assert_eq!(again.part_count(), first.part_count());
            for (a, b) in again.parts.iter().zip(&first.parts) {
                let larger: Vec<_> = b.vertices.iter().map(|p| p * f64::from(scale)).collect();
                assert_eq!((&a.vertices, &a.triangles), (&larger, &b.triangles));
            }
        }
    }

    #[test]
    fn what_cannot_be_cut_is_refused_with_the_reason() {
        let settings = DecompositionSettings::default();
        let mut open = glass(12, 0.1);
        open.triangles.pop();
        let told = decompose(&open, &settings).unwrap_err().to_string();
        assert!(told.contains("closed") && told.contains("edges"), "{told}");
        let inward = decompose(&glass(12, 0.1).flipped(), &settings).unwrap_err().to_string();
        assert!(inward.contains("faces outwards") && inward.contains("-"), "{inward}");
        let none = DecompositionSettings { max_parts: 0, ..settings };
        let told = decompose(&glass(12, 0.1), &none).unwrap_err().to_string();
        assert_eq!(told, "the number of parts of a decomposition must be in 1..=4096, and is 0");
    }
}
