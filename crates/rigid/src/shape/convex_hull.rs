//! Convex hulls of points, whatever their size and however thin they are.
//!
//! Affine maps keep what lies on a hull, and parry's has thresholds for points of unit span. So the
//! points are turned into the eigenframe of their covariance and divided by their span along each
//! axis first: a plate or a needle of any thickness becomes as wide in each direction. The triangles
//! found hold for the points themselves.

use super::error::ShapeError;
use super::jacobi::symmetric_eigen;
use super::scaled::vector;
use nalgebra::{Matrix3, Vector3};
use parry3d_f64::transformation::try_convex_hull;

/// Thinner points than this share of their length enclose no volume that rounding leaves \[–\].
const MIN_THICKNESS: f64 = 1e-10;

/// A convex polyhedron: the corners on its boundary, and triangles that face outwards.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ConvexHull {
    pub(crate) vertices: Vec<Vector3<f64>>,
    pub(crate) triangles: Vec<[u32; 3]>,
}

impl ConvexHull {
    /// The hull of points \[m\].
    ///
    /// # Errors
    /// If a point is not finite, or they enclose no volume.
    pub(crate) fn new(points: &[Vector3<f64>]) -> Result<Self, ShapeError> {
        if let Some(number) = points.iter().position(|p| !p.iter().all(|x| x.is_finite())) {
            return Err(ShapeError::NotFinite(number));
        }
        if points.len() < 4 {
            return Err(ShapeError::FewCorners(points.len()));
        }
        let white = whiten(points)?;
        let failure = ShapeError::Hull { corners: points.len() };
        let mapped: Vec<_> = white.iter().map(vector).collect();
        let (corners, triangles) = try_convex_hull(&mapped).map_err(|_| failure.clone())?;
        // The hull's corners are some of the points mapped, bit by bit.
        let source = |corner| mapped.iter().position(|p| p == corner).map(|i| points[i]);
        let vertices: Option<Vec<_>> = corners.iter().map(source).collect();
        let hull = ConvexHull { vertices: vertices.ok_or(failure.clone())?, triangles };
        if hull.volume() > 0.0 { Ok(hull) } else { Err(failure) }
    }

    /// The enclosed volume \[m³\].
    pub(crate) fn volume(&self) -> f64 {
        let origin = self.vertices[0];
        let six_fold = |t: &[u32; 3]| {
            let [a, b, c] = t.map(|v| self.vertices[v as usize] - origin);
            a.dot(&b.cross(&c))
        };
        self.triangles.iter().map(six_fold).sum::<f64>() / 6.0
    }

    /// Whether a point lies inside, or on the boundary.
    pub(crate) fn contains(&self, point: &Vector3<f64>) -> bool {
        self.triangles.iter().all(|t| {
            let [a, b, c] = t.map(|v| self.vertices[v as usize]);
            (b - a).cross(&(c - a)).dot(&(point - a)) <= 0.0
        })
    }
}

/// The points about their mean, mapped so that they span about 1 in each direction.
fn whiten(points: &[Vector3<f64>]) -> Result<Vec<Vector3<f64>>, ShapeError> {
    let low = points.iter().fold(points[0], |low, p| low.inf(p));
    let high = points.iter().fold(points[0], |high, p| high.sup(p));
    let (centre, scale) = (0.5 * (low + high), (high - low).max());
    if scale <= 0.0 {
        return Err(ShapeError::Flat { thickness: 0.0 });
    }
    let arms: Vec<_> = points.iter().map(|p| (p - centre) / scale).collect();
    let count = arms.len() as f64;
    let mean = arms.iter().sum::<Vector3<f64>>() / count;
    let outer = |p: &Vector3<f64>| (p - mean) * (p - mean).transpose();
    let covariance = arms.iter().map(outer).sum::<Matrix3<f64>>() / count;
    let (_, frame) = symmetric_eigen(&covariance);
    // Of the least values rounding leaves little, so the spans along the axes are measured.
    let turned: Vec<_> = arms.iter().map(|p| frame.tr_mul(&(p - mean))).collect();
    let span = turned.iter().fold(Vector3::zeros(), |s: Vector3<f64>, p| s.sup(&p.abs()));
    let thickness = span.min() / span.max();
    if thickness < MIN_THICKNESS {
        return Err(ShapeError::Flat { thickness });
    }
    Ok(turned.iter().map(|p| p.component_div(&span)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashfall_core::geometry::random::Random;
    use nalgebra::{Rotation3, Unit};

    fn cube(half: Vector3<f64>) -> Vec<Vector3<f64>> {
        let sign = |bit: usize, a: usize| if bit >> a & 1 == 0 { -1.0 } else { 1.0 };
        (0..8).map(|i| Vector3::from_fn(|a, _| sign(i, a) * half[a])).collect()
    }

    #[test]
    fn hulls_of_any_size_and_thickness_have_their_volume() {
        let mut random = Random::new(5);
        for thickness in [1.0, 1e-3, 1e-6, 1e-8] {
            for scale in [1e-6, 1.0, 1e6] {
                let axis = Unit::new_normalize(random.direction());
                let turn = Rotation3::from_axis_angle(&axis, random.number(0.0, 3.0));
                let half = Vector3::new(1.0, 0.7, thickness) * scale;
                let mut points: Vec<_> = cube(half).iter().map(|p| turn * p).collect();
                // Points inside are no corners.
                points.extend(cube(half * 0.5).iter().map(|p| turn * p));
                let hull = ConvexHull::new(&points).unwrap();
                assert_eq!((hull.vertices.len(), hull.triangles.len()), (8, 12));
                let share = hull.volume() / (8.0 * half.product());
                assert!((share - 1.0).abs() < 1e-14 / thickness, "{thickness} {scale} {share}");
            }
        }
    }

    #[test]
    fn a_hull_holds_its_points_and_no_others() {
        let mut random = Random::new(6);
        let points: Vec<_> = (0..300).map(|_| random.point(-1.0, 1.0)).collect();
        let hull = ConvexHull::new(&points).unwrap();
        let centre = points.iter().sum::<Vector3<f64>>() / 300.0;
        for p in &points {
            assert!(hull.contains(&(centre + (p - centre) * (1.0 - 1e-9))));
        }
        assert!(hull.vertices.iter().all(|p| !hull.contains(&(centre + (p - centre) * 1.001))));
    }

    #[test]
    fn points_without_a_volume_are_refused() {
        let flat = cube(Vector3::new(1.0, 1.0, 0.0));
        assert!(matches!(ConvexHull::new(&flat), Err(ShapeError::Flat { .. })));
        let line: Vec<_> = (0..9).map(|i| Vector3::new(1.0, 2.0, 3.0) * f64::from(i)).collect();
        assert!(matches!(ConvexHull::new(&line), Err(ShapeError::Flat { .. })));
        let point = vec![Vector3::repeat(1.0); 5];
        assert_eq!(ConvexHull::new(&point), Err(ShapeError::Flat { thickness: 0.0 }));
        assert_eq!(ConvexHull::new(&point[..3]), Err(ShapeError::FewCorners(3)));
        let mut lost = cube(Vector3::repeat(1.0));
        lost[5].y = f64::NAN;
        assert_eq!(ConvexHull::new(&lost), Err(ShapeError::NotFinite(5)));
    }
}
