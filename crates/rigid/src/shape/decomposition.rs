//! Convex parts of a concave solid.
//!
//! Contacts are found between convex pieces. A concave solid is cut into parts that are nearly
//! convex by V-HACD (Mamou 2016: voxels, cut by planes where a part's hull differs most from it),
//! as parry has it; a part is the hull of the piece of the mesh's own surface in its voxels, so
//! that corners of the mesh stay where they are. What the parts fill too much or too little is
//! measured on a lattice of points, since parts overlap and their volumes do not add up.

use super::bounds::Bounds;
use super::convex_hull::ConvexHull;
use super::error::ShapeError;
use super::scaled::{exponent_of, vector, vector3};
use super::solid::Shape;
use hashfall_core::to_f64;
use hashfall_geometry::{Interior, Point, TriangleMesh};
use nalgebra::Vector3;
use parry3d_f64::transformation::vhacd::{VHACD, VHACDParameters};
use parry3d_f64::transformation::voxelization::FillMode;
use rayon::prelude::*;

/// Lattice points along the longest side of the box, where volumes are compared.
const SAMPLES: usize = 96;
/// A mesh whose hull is larger by less than this share of it is convex \[–\].
const CONVEX: f64 = 1e-6;
/// Bounds of the resolution: fewer voxels resolve nothing, more take minutes.
const RESOLUTION: [u32; 2] = [8, 400];

/// How a mesh is cut.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DecompositionSettings {
    /// Voxels along the longest side. Walls should be two voxels thick.
    pub resolution: u32,
    /// A part is cut further while its hull exceeds it by this share of the whole hull \[–\].
    pub concavity: f64,
    /// The most parts.
    pub max_parts: u32,
}

impl Default for DecompositionSettings {
    fn default() -> Self {
        DecompositionSettings { resolution: 80, concavity: 0.002, max_parts: 128 }
    }
}

/// Convex parts instead of a mesh.
#[derive(Clone, Debug)]
pub struct Decomposition {
    parts: Vec<ConvexHull>,
    volume_error: f64,
    mesh_volume: f64,
    filled_volume: f64,
}

impl Decomposition {
    /// The volume that the parts fill but the mesh does not, and that the mesh fills but no part
    /// does, as a share of the mesh's volume \[–\].
    pub fn volume_error(&self) -> f64 {
        self.volume_error
    }

    /// The volume of the mesh \[m³\].
    pub fn mesh_volume(&self) -> f64 {
        self.mesh_volume
    }

    /// The volume of all parts together, where they overlap counted once \[m³\].
    pub fn filled_volume(&self) -> f64 {
        self.filled_volume
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
    let points: Vec<Point> = mesh.vertices.iter().map(|v| Point::from(to_f64(v))).collect();
    let mesh_volume = mesh.signed_volume();
    let whole = ConvexHull::new(&points)?;
    if whole.volume() <= (1.0 + CONVEX) * mesh_volume {
        let filled_volume = whole.volume();
        let volume_error = (filled_volume / mesh_volume - 1.0).abs();
        return Ok(Decomposition { parts: vec![whole], volume_error, mesh_volume, filled_volume });
    }
    let parts = cut(&points, &mesh.triangles, settings);
    if parts.is_empty() {
        return Err(ShapeError::NoParts(settings.resolution));
    }
    let counts = Counts::new(mesh, &points, &parts);
    // Of the lattice's points, those in the mesh stand for its volume.
    let share = |count: usize| count as f64 / counts.mesh.max(1) as f64;
    let volume_error = share(counts.mesh + counts.parts - 2 * counts.both);
    let filled_volume = share(counts.parts) * mesh_volume;
    Ok(Decomposition { parts, volume_error, mesh_volume, filled_volume })
}

/// Refuses meshes that enclose nothing, and settings out of bounds.
fn check(mesh: &TriangleMesh, settings: &DecompositionSettings) -> Result<(), ShapeError> {
    let [low, high] = RESOLUTION.map(f64::from);
    let bounds = [
        ("the resolution", low, high, f64::from(settings.resolution)),
        ("the concavity", 0.0, 1.0, settings.concavity),
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

/// The hulls of the pieces of the surface in each part's voxels, in lengths near 1.
fn cut(
    points: &[Point],
    triangles: &[[u32; 3]],
    settings: &DecompositionSettings,
) -> Vec<ConvexHull> {
    let low = points.iter().fold(points[0], |low, p| low.inf(p));
    let high = points.iter().fold(points[0], |high, p| high.sup(p));
    let (centre, exponent) = (0.5 * (low + high), exponent_of((high - low).max()));
    let unit = libm::ldexp(1.0, exponent);
    let scaled: Vec<_> = points.iter().map(|p| vector(&((p - centre) / unit))).collect();
    let parameters = VHACDParameters {
        resolution: settings.resolution,
        concavity: settings.concavity,
        max_convex_hulls: settings.max_parts,
        fill_mode: FillMode::FloodFill { detect_cavities: true },
        ..VHACDParameters::default()
    };
    let decomposition = VHACD::decompose(&parameters, &scaled, triangles, true);
    let pieces = decomposition.compute_primitive_intersections(&scaled, triangles);
    let hull = |piece: &Vec<_>| {
        let corners: Vec<_> = piece.iter().map(|&p| vector3(p) * unit + centre).collect();
        // What is flat has no volume to add.
        ConvexHull::new(&corners).ok()
    };
    pieces.par_iter().filter_map(hull).collect()
}

/// Lattice points that lie in a mesh, in its parts, and in both.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    mesh: usize,
    parts: usize,
    both: usize,
}

impl Counts {
    /// Of the lattice over the mesh's box, which the parts do not leave.
    fn new(mesh: &TriangleMesh, points: &[Point], parts: &[ConvexHull]) -> Self {
        let low = points.iter().fold(points[0], |low, p| low.inf(p));
        let high = points.iter().fold(points[0], |high, p| high.sup(p));
        let step = (high - low).max() / SAMPLES as f64;
        let count = (high - low).map(|side| (side / step).ceil() as usize);
        let corners = |t: usize| mesh.triangles[t].map(|v| points[v as usize]);
        let interior = Interior::from_points((0..mesh.triangles.len()).map(corners).collect());
        let boxes: Vec<Bounds> = parts.iter().map(box_of).collect();
        let is_filled = |p: &Point| {
            let mut near = boxes.iter().zip(parts).filter(|(around, _)| around.contains(p));
            near.any(|(_, part)| part.contains(p))
        };
        let row = |row: usize| {
            let (j, k) = (row % count.y, row / count.y);
            let mut counts = Counts::default();
            for i in 0..count.x {
                let p = low + Point::new(i as f64, j as f64, k as f64).add_scalar(0.5) * step;
                let (in_mesh, in_parts) =
                    (interior.crossings(&p).map(|(_, s)| s).sum::<i32>() != 0, is_filled(&p));
                counts.mesh += usize::from(in_mesh);
                counts.parts += usize::from(in_parts);
                counts.both += usize::from(in_mesh && in_parts);
            }
            counts
        };
        let rows = (0..count.y * count.z).into_par_iter().map(row);
        rows.reduce(Counts::default, |a, b| Counts {
            mesh: a.mesh + b.mesh,
            parts: a.parts + b.parts,
            both: a.both + b.both,
        })
    }
}

/// The box around a hull.
fn box_of(hull: &ConvexHull) -> Bounds {
    hull.vertices.iter().fold(Bounds::EMPTY, |around, p| around.with(p))
}
