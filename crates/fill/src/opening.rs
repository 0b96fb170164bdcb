//! Positions of the particles in a layer of an opening.
//!
//! They lie on a square lattice of spacing d, symmetric about the centre of the opening. Its axes
//! are horizontal and perpendicular to that; along x and y if the opening is horizontal. In two
//! dimensions they form a row.
//!
//! - Rectangle: as many as fit.
//! - Disc: those closer to the centre than the radius, on the lattice with a particle at the centre
//!   or the one without, whichever approximates the area of the disc better.
//! - Mesh: those in its triangles, on the lattice of the bounding rectangle.

use hashfall_core::{Dimension, to_f64};
use hashfall_geometry::{Point, TriangleMesh};
use std::f64::consts::PI;
use thiserror::Error;

/// Tolerance of planarity of a mesh and of the size of a layer, in spacings.
const ROUNDING: f64 = 1e-3;
/// Triangles of one plane have normals of at least this cosine.
const SAME_PLANE: f64 = 0.999;

/// A flat opening.
#[derive(Clone, Copy, Debug)]
pub enum Opening<'a> {
    /// A disc; in the plane a line of twice the radius.
    Disc {
        /// \[m\]
        centre: [f64; 3],
        /// In the direction of flow, of any length but zero.
        normal: [f64; 3],
        /// \[m\]
        radius: f64,
    },
    /// A rectangle.
    Rectangle {
        /// \[m\]
        centre: [f64; 3],
        /// In the direction of flow, of any length but zero.
        normal: [f64; 3],
        /// Lengths of the level edges and of the others; along x and y if it is level \[m\].
        size: [f64; 2],
    },
    /// The faces of a flat mesh, in place.
    Mesh(&'a TriangleMesh),
}

/// Why a mesh is not an opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum OpeningError {
    /// The areas of the faces cancel out.
    #[error("its faces cancel out: an opening is an open mesh")]
    Closed,
    /// The faces are not coplanar or face opposite ways.
    #[error("its faces do not lie in one plane and face one way")]
    NotFlat,
}

/// The layer of an opening.
pub struct Layer {
    /// Centres of its particles, the axis that is not level slowest \[m\].
    pub places: Vec<[f64; 3]>,
    /// Sites of the same lattice around them \[m\].
    pub rim: Vec<[f64; 3]>,
    /// Unit normal in the direction of flow.
    pub normal: [f64; 3],
}

/// An opening's plane: its middle, its normal and the lattice's axes.
struct Frame {
    middle: Point,
    normal: Point,
    level: Point,
    other: Point,
}

impl Frame {
    fn new(middle: [f64; 3], normal: Point, dimension: Dimension) -> Self {
        let across = Point::z().cross(&normal);
        let is_flat = across.norm() < 1e-9;
        let level = if is_flat { Point::x() } else { across.normalize() };
        let other = normal.cross(&level);
        let (level, other) = match dimension {
            Dimension::Two if !is_flat => (other, level),
            _ => (level, other),
        };
        Frame { middle: Point::from(middle), normal, level, other }
    }

    /// The place that is so far from the middle along the axes.
    fn place(&self, [a, b]: [f64; 2]) -> [f64; 3] {
        (self.middle + self.level * a + self.other * b).into()
    }

    /// How far a point is from the middle along the axes.
    fn coordinates(&self, x: &Point) -> [f64; 2] {
        let apart = x - self.middle;
        [apart.dot(&self.level), apart.dot(&self.other)]
    }
}

/// How many places an opening's lattice has at spacing `d` \[m\], with so many around it on each
/// side: no fewer than a layer has particles.
pub fn places(dimension: Dimension, opening: &Opening, d: f64, around: u64) -> f64 {
    let size = match opening {
        Opening::Disc { radius, .. } => [2.0 * radius; 2],
        Opening::Rectangle { size, .. } => *size,
        // A flat mesh is no longer than the diagonal of the box around it.
        Opening::Mesh(mesh) => [f64::from(mesh.bounds().extent().norm()); 2],
    };
    let along = size.map(|length| length / d + 2.0 + 2.0 * around as f64);
    match dimension {
        Dimension::Three => along[0] * along[1],
        Dimension::Two => along[0].max(along[1]),
    }
}

/// Whether a place of an opening's rectangle is in the opening.
type IsInside = Box<dyn Fn(&[f64; 2]) -> bool>;

/// The layer of an opening at spacing `d` \[m\], and so many places around it on each side.
///
/// # Errors
/// A mesh that is not a flat opening.
pub fn layer(
    dimension: Dimension,
    opening: &Opening,
    d: f64,
    around: u64,
) -> Result<Layer, OpeningError> {
    let (frame, lattice, is_inside): (_, _, IsInside) = match opening {
        Opening::Disc { centre, normal, radius } => {
            let frame = Frame::new(*centre, unit(normal), dimension);
            let radius = *radius;
            match dimension {
                Dimension::Two => {
                    let counts = counts([2.0 * radius, 0.0], dimension, d);
                    (frame, Lattice { counts, d }, Box::new(|_| true))
                }
                Dimension::Three => {
                    let in_disc = move |[a, b]: &[f64; 2]| a * a + b * b < radius * radius;
                    (frame, disc(radius, d), Box::new(in_disc))
                }
            }
        }
        Opening::Rectangle { centre, normal, size } => {
            let frame = Frame::new(*centre, unit(normal), dimension);
            let is_flat = frame.normal.z.abs() > 1.0 - 1e-12;
            let size = match dimension {
                Dimension::Three => *size,
                Dimension::Two => [if is_flat { size[0] } else { size[1] }, 0.0],
            };
            (frame, Lattice { counts: counts(size, dimension, d), d }, Box::new(|_| true))
        }
        Opening::Mesh(mesh) => {
            let (frame, size, triangles) = flat(mesh, d)?;
            let in_mesh = move |place: &[f64; 2]| triangles.iter().any(|t| holds(t, place));
            (frame, Lattice { counts: counts(size, dimension, d), d }, Box::new(in_mesh))
        }
    };
    let (mut places, mut rim) = (Vec::new(), Vec::new());
    for (offset, is_of_lattice) in lattice.with_surroundings(around, dimension) {
        let list = if is_of_lattice && is_inside(&offset) { &mut places } else { &mut rim };
        list.push(frame.place(offset));
    }
    Ok(Layer { places, rim, normal: frame.normal.into() })
}

fn unit(normal: &[f64; 3]) -> Point {
    let normal = Point::from(*normal);
    // Exact for a vector along an axis.
    normal / normal.norm()
}

/// Particles along each axis of a rectangle.
fn counts([a, b]: [f64; 2], dimension: Dimension, d: f64) -> [u64; 2] {
    let fit = |length: f64| (length / d + ROUNDING).floor() as u64;
    [fit(a), if dimension == Dimension::Two { 1 } else { fit(b) }]
}

/// A lattice of so many particles along each axis, symmetric about 0.
#[derive(Clone, Copy)]
struct Lattice {
    counts: [u64; 2],
    d: f64,
}

impl Lattice {
    /// Its places and so many more on each side of it, each with whether it is one of its own.
    fn with_surroundings(
        self,
        around: u64,
        dimension: Dimension,
    ) -> impl Iterator<Item = ([f64; 2], bool)> {
        let Lattice { counts, d } = self;
        let more = [around, if dimension == Dimension::Two { 0 } else { around }];
        let at = move |a: usize, k: u64| {
            (k as f64 - more[a] as f64 - 0.5 * (counts[a] as f64 - 1.0)) * d
        };
        let is_own = move |a: usize, k: u64| (more[a]..more[a] + counts[a]).contains(&k);
        let [along, across] = [0, 1].map(|a| counts[a] + 2 * more[a]);
        (0..across).flat_map(move |j| {
            (0..along).map(move |i| ([at(0, i), at(1, j)], is_own(0, i) && is_own(1, j)))
        })
    }
}

/// The lattice of a disc.
fn disc(radius: f64, d: f64) -> Lattice {
    let across = 2 * (radius / d).ceil() as u64;
    let is_inside = |[a, b]: &[f64; 2]| a * a + b * b < radius * radius;
    let area = PI * (radius / d).powi(2);
    let [even, odd] = [across, across + 1].map(|n| Lattice { counts: [n; 2], d });
    let off = |lattice: Lattice| {
        let places = lattice.with_surroundings(0, Dimension::Three);
        (places.filter(|(x, _)| is_inside(x)).count() as f64 - area).abs()
    };
    if off(odd) < off(even) { odd } else { even }
}

/// Triangles in a plane.
type Flat = Vec<[[f64; 2]; 3]>;

/// The plane of a flat mesh, the size of the rectangle around it, and its triangles in that plane.
fn flat(mesh: &TriangleMesh, d: f64) -> Result<(Frame, [f64; 2], Flat), OpeningError> {
    let corners = |t: usize| mesh.corners(t).map(|v| Point::from(to_f64(&v)));
    let doubled = |[a, b, c]: [Point; 3]| (b - a).cross(&(c - a));
    let triangles: Vec<[Point; 3]> = (0..mesh.triangles.len()).map(corners).collect();
    let sum: Point = triangles.iter().map(|&t| doubled(t)).sum();
    let normal = sum.try_normalize(0.0).ok_or(OpeningError::Closed)?;
    let faces_it = |&t: &[Point; 3]| doubled(t).dot(&normal) >= SAME_PLANE * doubled(t).norm();
    let first = Frame::new([0.0; 3], normal, Dimension::Three);
    let all = || triangles.iter().flatten();
    let heights = || all().map(|x| x.dot(&normal));
    let (low, high) = (heights().fold(f64::MAX, f64::min), heights().fold(f64::MIN, f64::max));
    if !triangles.iter().all(faces_it) || high - low > 2.0 * ROUNDING.sqrt() * d {
        return Err(OpeningError::NotFlat);
    }
    let [(a, width), (b, depth)] = [0, 1].map(|axis| {
        let along = || all().map(|x| first.coordinates(x)[axis]);
        let (low, high) = (along().fold(f64::MAX, f64::min), along().fold(f64::MIN, f64::max));
        (0.5 * (low + high), high - low)
    });
    let middle = first.level * a + first.other * b + normal * (0.5 * (low + high));
    let frame = Frame { middle, ..first };
    let flat = triangles.iter().map(|t| t.map(|x| frame.coordinates(&x))).collect();
    Ok((frame, [width, depth], flat))
}

/// Whether a triangle, counter-clockwise, holds a point.
fn holds([a, b, c]: &[[f64; 2]; 3], [x, y]: &[f64; 2]) -> bool {
    let left_of = |from: &[f64; 2], to: &[f64; 2]| {
        (to[0] - from[0]) * (y - from[1]) >= (to[1] - from[1]) * (x - from[0])
    };
    left_of(a, b) && left_of(b, c) && left_of(c, a)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashfall_core::vec3;

    const SPACE: Dimension = Dimension::Three;

    fn disc(normal: [f64; 3], radius: f64) -> Opening<'static> {
        Opening::Disc { centre: [1.0, 2.0, 3.0], normal, radius }
    }

    fn places(dimension: Dimension, opening: &Opening, d: f64) -> Vec<[f64; 3]> {
        layer(dimension, opening, d, 0).unwrap().places
    }

    #[test]
    fn a_rectangle_is_filled_from_edge_to_edge() {
        let size = [0.4, 0.2];
        let opening = Opening::Rectangle { centre: [0.0; 3], normal: [2.0, 0.0, 0.0], size };
        let upright = places(SPACE, &opening, 0.1);
        assert_eq!(upright.len(), 8);
        let most = |a: usize| upright.iter().map(|x| x[a]).fold(f64::MIN, f64::max);
        // Level edges lie along y.
        let found = [0, 1, 2].map(most);
        let wanted = [0.0, 0.15, 0.05];
        assert!(found.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-12), "{found:?}");
        let inflow = Opening::Rectangle { centre: [0.0; 3], normal: [0.0, 0.0, 1.0], size };
        let flat = places(SPACE, &inflow, 0.1);
        assert!(flat.iter().any(|x| (x[0] - 0.15).abs() < 1e-12 && (x[1] - 0.05).abs() < 1e-12));
    }

    #[test]
    fn a_disc_has_nearly_its_area_and_lies_in_its_plane() {
        for radius in [0.06, 0.1, 0.13, 0.2, 0.5] {
            let normal = [1.0, -2.0, 0.5];
            let layer = layer(SPACE, &disc(normal, radius), 0.05, 0).unwrap();
            let area = PI * (radius / 0.05_f64).powi(2);
            let off = layer.places.len() as f64 / area - 1.0;
            assert!(off.abs() < if radius < 0.1 { 0.35 } else { 0.1 }, "{radius}: {off}");
            for place in &layer.places {
                let apart = [0, 1, 2].map(|a| place[a] - [1.0, 2.0, 3.0][a]);
                let height: f64 = (0..3).map(|a| apart[a] * layer.normal[a]).sum();
                assert!(height.abs() < 1e-12);
            }
        }
    }

    #[test]
    fn in_the_plane_an_opening_is_a_row() {
        for (normal, along) in [([0.0, 0.0, 1.0], 0), ([-1.0, 0.0, 0.0], 2)] {
            let centre = [0.5, 0.0, 0.5];
            let disc = Opening::Disc { centre, normal, radius: 0.15 };
            let size = if along == 0 { [0.3, 0.0] } else { [0.0, 0.3] };
            let line = Opening::Rectangle { centre, normal, size };
            for opening in [disc, line] {
                let places = places(Dimension::Two, &opening, 0.1);
                assert_eq!(places.len(), 3, "{opening:?}");
                assert!(places.iter().all(|x| x[1].abs() < 1e-12));
                assert!((places[2][along] - places[0][along]).abs() > 0.19);
            }
        }
    }

    /// A flat square of 0.4 m with a quarter missing.
    fn corner() -> TriangleMesh {
        let at = |x: f64, y: f64| vec3([x, y, 1.0]);
        TriangleMesh {
            vertices: vec![
                at(0.0, 0.0),
                at(0.4, 0.0),
                at(0.4, 0.2),
                at(0.2, 0.2),
                at(0.2, 0.4),
                at(0.0, 0.4),
            ],
            triangles: vec![[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 5]],
        }
    }

    #[test]
    fn a_mesh_is_filled_where_it_has_faces() {
        let layer = |mesh: &TriangleMesh| layer(SPACE, &Opening::Mesh(mesh), 0.1, 1);
        let filled = layer(&corner()).unwrap();
        assert_eq!((filled.places.len(), filled.normal), (12, [0.0, 0.0, 1.0]));
        assert_eq!(filled.rim.len(), 36 - 12);
        let mut bent = corner();
        bent.vertices[1].z = 1.2;
        assert!(layer(&bent).is_err());
        let mut turned = corner();
        turned.triangles[2].reverse();
        assert!(layer(&turned).is_err());
    }
}
