//! The face of a sensor: a disc or a rectangle, in the plane a line.

use hashfall_core::Dimension;
use hashfall_geometry::Point;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The face of a sensor.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub enum Face {
    /// A disc; in the plane a line as long as its diameter.
    Disc {
        /// Centre \[m\].
        centre: [f64; 3],
        /// Normal, which points into the fluid; any length but zero.
        normal: [f64; 3],
        /// Radius \[m\].
        #[schemars(range(min = 1e-6, max = 1e6))]
        radius: f64,
    },
    /// A rectangle; in the plane a line.
    Rectangle {
        /// Centre \[m\].
        centre: [f64; 3],
        /// Normal, which points into the fluid; any length but zero.
        normal: [f64; 3],
        /// Lengths of the horizontal edges and of the others; along x and y if the face is
        /// horizontal \[m\].
        size: (f64, f64),
    },
}

/// Points per spacing d along each edge of a face.
const POINTS_PER_SPACING: f64 = 2.0;
/// Points along an edge at most: a larger face has them farther apart.
const MAX_POINTS: f64 = 64.0;
/// Normals whose vertical part is at least this are vertical.
const VERTICAL: f64 = 1.0 - 1e-12;

/// Points that sample a face evenly.
pub(super) struct FacePoints {
    /// The points \[m\].
    pub points: Vec<Point>,
    /// Unit normal, into the fluid.
    pub normal: Point,
    /// Area \[m²\]; of a line in the plane, which is a metre thick, length times a metre.
    pub area: f64,
}

impl Face {
    /// Its centre \[m\].
    pub fn centre(&self) -> [f64; 3] {
        match *self {
            Face::Disc { centre, .. } | Face::Rectangle { centre, .. } => centre,
        }
    }

    /// Its normal, of any length.
    pub fn normal(&self) -> [f64; 3] {
        match *self {
            Face::Disc { normal, .. } | Face::Rectangle { normal, .. } => normal,
        }
    }

    /// Points of the face at spacing `d` \[m\]; midpoints of equal cells.
    pub(super) fn sample(&self, dimension: Dimension, d: f64) -> FacePoints {
        let normal = Point::from(self.normal()).normalize();
        let is_flat = normal.z.abs() > VERTICAL;
        let is_plane = dimension == Dimension::Two;
        let u = match (is_plane, is_flat) {
            (true, _) => Point::new(normal.z, 0.0, -normal.x),
            (false, true) => Point::x(),
            (false, false) => Point::z().cross(&normal).normalize(),
        };
        let v = if is_plane { Point::y() } else { normal.cross(&u) };
        let [a, b] = match *self {
            Face::Disc { radius, .. } => [2.0 * radius; 2],
            Face::Rectangle { size, .. } if is_plane && !is_flat => [size.1; 2],
            Face::Rectangle { size, .. } => [size.0, size.1],
        };
        let count = |edge: f64| (POINTS_PER_SPACING * edge / d).ceil().clamp(1.0, MAX_POINTS);
        let (n, m) = (count(a), if is_plane { 1.0 } else { count(b) });
        let middle = |k: usize, n: f64| (k as f64 + 0.5) / n - 0.5;
        let places = (0..m as usize).flat_map(|j| (0..n as usize).map(move |i| (i, j)));
        let places = places.map(|(i, j)| [a * middle(i, n), b * middle(j, m)]);
        let is_inside = |[x, y]: &[f64; 2]| match self {
            Face::Disc { radius, .. } => is_plane || x * x + y * y <= radius * radius,
            Face::Rectangle { .. } => true,
        };
        let centre = Point::from(self.centre());
        let place = |[x, y]: [f64; 2]| centre + u * x + v * y;
        FacePoints {
            points: places.filter(is_inside).map(place).collect(),
            normal,
            area: match *self {
                _ if is_plane => a,
                Face::Disc { radius, .. } => std::f64::consts::PI * radius * radius,
                Face::Rectangle { .. } => a * b,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_lie_in_the_face_about_its_centre() {
        let (centre, radius) = ([0.3, 0.4, 0.5], 0.11);
        for normal in [[0.0, 0.0, 2.0], [1.0, 0.0, 0.0], [1.0, -2.0, 0.5]] {
            let faces = [
                Face::Disc { centre, normal, radius },
                Face::Rectangle { centre, normal, size: (0.2, 0.1) },
            ];
            for face in faces {
                let FacePoints { points, normal, .. } = face.sample(Dimension::Three, 0.01);
                let mean = points.iter().sum::<Point>() / points.len() as f64;
                assert!((mean - Point::from(centre)).norm() < 1e-14);
                let far = points.iter().map(|x| (x - Point::from(centre)).norm());
                assert!(far.fold(0.0, f64::max) <= 0.112);
                let off = |x: &Point| (x - Point::from(centre)).dot(&normal).abs();
                assert!(points.iter().all(|x| off(x) < 1e-15));
            }
        }
        let wall = Face::Rectangle { centre, normal: [1.0, 0.0, 0.0], size: (9.0, 0.2) };
        let line = wall.sample(Dimension::Two, 0.1);
        assert_eq!((line.points.len(), line.area), (4, 0.2), "a line along z");
    }
}
