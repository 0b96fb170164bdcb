//! Convex hulls of points, whatever their size and however thin they are.
//!
//! Points are added one by one, the farthest from the middle first: the faces that a point sees are
//! replaced by triangles from their rim to it. What it sees is told by exact signs (Shewchuk 1997),
//! so that the rim is always one closed loop. Points that the hull so far holds within rounding are
//! skipped: the clipped faces of a cell have many. (Why not parry's quickhull: the signs here are
//! exact, and the result depends on nothing but the points and their order.)
//! How far, and whether there is a volume at all, is measured in the eigenframe of the covariance,
//! divided by the span along each axis: a plate or a needle of any thickness is as wide there in
//! each direction.

use super::error::ShapeError;
use hashfall_bodies::SymmetricEigen;
use nalgebra::{Matrix3, Vector3};
use robust::{Coord3D, orient3d};

/// A point is on the hull if it is no farther out than this, in spans of the points \[–\].
const ON_HULL: f64 = 1e-9;
/// Thinner points than this share of their length enclose no volume that rounding leaves \[–\].
const MIN_THICKNESS: f64 = 1e-10;

/// A convex polyhedron: the corners on its boundary, and triangles that face outwards.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ConvexHull {
    pub(crate) vertices: Vec<Vector3<f64>>,
    pub(crate) triangles: Vec<[u32; 3]>,
}

/// The volume of the convex hull of points \[m³\].
///
/// # Errors
/// If a point is not finite, or they enclose no volume.
pub fn hull_volume(points: &[Vector3<f64>]) -> Result<f64, ShapeError> {
    ConvexHull::new(points).map(|hull| hull.volume())
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
        let faces = Faces::new(points, &white).ok_or(failure.clone())?;
        let hull = faces.hull(points);
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

    /// Whether a point lies inside, or on the boundary: exact.
    #[cfg(test)]
    pub(crate) fn contains(&self, point: &Vector3<f64>) -> bool {
        let all: Vec<Vector3<f64>> = self.vertices.iter().chain([point]).copied().collect();
        let last = self.vertices.len();
        self.triangles.iter().all(|t| height(&all, &t.map(|v| v as usize), last) <= 0.0)
    }
}

/// A hull that grows: triangles of points, which face outwards.
struct Faces {
    triangles: Vec<[usize; 3]>,
}

impl Faces {
    /// The hull of points, which are measured where they are `white`; none if all lie in a plane.
    fn new(points: &[Vector3<f64>], white: &[Vector3<f64>]) -> Option<Self> {
        let mut faces = Faces { triangles: first_tetrahedron(points, white)? };
        let mut order: Vec<usize> = (0..points.len()).collect();
        order.sort_by(|&a, &b| white[b].norm_squared().total_cmp(&white[a].norm_squared()));
        for point in order {
            if faces.distance(white, point) > ON_HULL {
                faces.add(points, point);
            }
        }
        Some(faces)
    }

    /// How far a point lies outside, or less than nothing.
    fn distance(&self, white: &[Vector3<f64>], point: usize) -> f64 {
        let outside = |t: &[usize; 3]| {
            let [a, b, c] = t.map(|v| white[v]);
            let normal = (b - a).cross(&(c - a));
            let length = normal.norm();
            if length == 0.0 { 0.0 } else { normal.dot(&(white[point] - a)) / length }
        };
        self.triangles.iter().map(outside).fold(f64::NEG_INFINITY, f64::max)
    }

    /// Replaces the triangles that see a point.
    fn add(&mut self, points: &[Vector3<f64>], point: usize) {
        let (seen, mut kept): (Vec<_>, Vec<_>) =
            self.triangles.iter().partition(|t| height(points, t, point) > 0.0);
        let edges = |t: &[usize; 3]| [[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]];
        let all: Vec<[usize; 2]> = seen.iter().flat_map(edges).collect();
        let rim = all.iter().filter(|[a, b]| !all.contains(&[*b, *a]));
        kept.extend(rim.map(|&[a, b]| [a, b, point]));
        self.triangles = kept;
    }

    /// With the corners that it uses alone, in the order of the points.
    fn hull(&self, points: &[Vector3<f64>]) -> ConvexHull {
        let mut used: Vec<usize> = self.triangles.iter().flatten().copied().collect();
        used.sort_unstable();
        used.dedup();
        let number = |v: usize| used.binary_search(&v).unwrap_or(0) as u32;
        let vertices = used.iter().map(|&v| points[v]).collect();
        ConvexHull { vertices, triangles: self.triangles.iter().map(|t| t.map(number)).collect() }
    }
}

/// The sign of the height of a point above a triangle is exact.
fn height(points: &[Vector3<f64>], triangle: &[usize; 3], point: usize) -> f64 {
    let coordinates = |v: usize| Coord3D { x: points[v].x, y: points[v].y, z: points[v].z };
    let [a, b, c] = triangle.map(coordinates);
    // Shewchuk's is positive below.
    -orient3d(a, b, c, coordinates(point))
}

/// Four points that are far apart; none if all lie in a plane.
fn first_tetrahedron(points: &[Vector3<f64>], white: &[Vector3<f64>]) -> Option<Vec<[usize; 3]>> {
    let farthest = |measure: &dyn Fn(&Vector3<f64>) -> f64| {
        (0..white.len()).max_by(|&i, &k| measure(&white[i]).total_cmp(&measure(&white[k])))
    };
    let a = farthest(&|p| p.norm_squared())?;
    let b = farthest(&|p| (p - white[a]).norm_squared())?;
    let along = white[b] - white[a];
    let c = farthest(&|p| along.cross(&(p - white[a])).norm_squared())?;
    let normal = along.cross(&(white[c] - white[a]));
    let d = farthest(&|p| normal.dot(&(p - white[a])).abs())?;
    let sign = height(points, &[a, b, c], d);
    if sign == 0.0 {
        return None;
    }
    let [b, c] = if sign > 0.0 { [c, b] } else { [b, c] };
    Some(vec![[a, b, c], [a, c, d], [c, b, d], [b, a, d]])
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
    let (_, frame) = SymmetricEigen::new(&covariance).ascending();
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
    fn points_on_lines_and_in_planes_have_a_closed_hull_of_triangles_with_areas() {
        let mut random = Random::new(7);
        let mut coordinate = || Vector3::from_fn(|_, _| random.number(0.0, 4.0).floor());
        for _ in 0..500 {
            let points: Vec<_> = (0..16).map(|_| coordinate()).collect();
            let Ok(hull) = ConvexHull::new(&points) else { continue };
            for t in &hull.triangles {
                let [a, b, c] = t.map(|v| hull.vertices[v as usize]);
                assert!((b - a).cross(&(c - a)).norm_squared() >= 1.0);
            }
            // Euler's formula for triangles.
            assert_eq!(hull.triangles.len(), 2 * hull.vertices.len() - 4);
            assert!(points.iter().all(|p| hull.contains(p)));
            let middle = points.iter().sum::<Vector3<f64>>() / 16.0;
            assert!(points.iter().all(|p| hull.contains(&p.lerp(&middle, 0.5))));
        }
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
