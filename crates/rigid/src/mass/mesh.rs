//! Mass properties of what a closed mesh encloses.
//!
//! Mirtich, Fast and Accurate Computation of Polyhedral Mass Properties (1996), turns integrals of
//! polynomials over a polyhedron into sums over its faces by the divergence theorem. For triangles
//! these sums are those over tetrahedra with the corners a, b, c and a common point o at 0 (Tonon
//! 2004), of either sign: with D = a·(b × c),
//!   ∫1 = D/6,  ∫x = D (a + b + c)/24,  ∫xxᵀ = D (ssᵀ + aaᵀ + bbᵀ + ccᵀ)/120,  s = a + b + c.
//! They are taken about the middle of the box first, for the centre, and about the centre then, so
//! that a place far from the origin costs no digits. All are exact but for rounding.

use super::error::MassError;
use super::properties::{Amount, MassProperties};
use hashfall_core::to_f64;
use hashfall_geometry::TriangleMesh;
use nalgebra::{Matrix3, Vector3};

/// A smaller share of the sum of all tetrahedra's sizes is rounding \[–\].
const MIN_VOLUME: f64 = 1e-12;

/// What a closed mesh encloses, of an even density.
///
/// # Errors
/// If the mesh is not closed, faces inwards or encloses nothing, or the amount is not positive.
pub fn mesh_mass(mesh: &TriangleMesh, amount: Amount) -> Result<MassProperties, MassError> {
    mesh.check_closed()?;
    let vertices: Vec<Vector3<f64>> =
        mesh.vertices.iter().map(|v| Vector3::from(to_f64(v))).collect();
    triangles_mass(&vertices, &mesh.triangles, amount)
}

/// The same of triangles in double precision, which the caller knows to be closed.
///
/// # Errors
/// If a triangle names a corner that is missing or not finite, all face inwards or enclose nothing,
/// or the amount is not positive.
pub fn triangles_mass(
    vertices: &[Vector3<f64>],
    triangles: &[[u32; 3]],
    amount: Amount,
) -> Result<MassProperties, MassError> {
    let is_good =
        |v: u32| vertices.get(v as usize).is_some_and(|p| p.iter().all(|x| x.is_finite()));
    if let Some(bad) = triangles.iter().position(|t| !t.iter().all(|&v| is_good(v))) {
        return Err(MassError::BadTriangle(bad));
    }
    let corners = || triangles.iter().map(|t| t.map(|v| vertices[v as usize]));
    let low = corners().flatten().fold(Vector3::repeat(f64::INFINITY), |low, p| low.inf(&p));
    let high = corners().flatten().fold(Vector3::repeat(f64::NEG_INFINITY), |high, p| high.sup(&p));
    if triangles.is_empty() {
        return Err(MassError::Empty { what: "volume" });
    }
    let middle = 0.5 * (low + high);
    let rough = Integrals::new(corners(), &middle);
    rough.check()?;
    let center = middle + rough.first / rough.volume;
    let exact = Integrals::new(corners(), &center);
    // What rounding left of the first moment.
    let shift = exact.first / exact.volume;
    let moments = exact.second - shift * shift.transpose() * exact.volume;
    MassProperties::from_moments(exact.volume, center + shift, &moments, amount)
}

/// Integrals over a volume, about a point.
struct Integrals {
    volume: f64,
    first: Vector3<f64>,
    second: Matrix3<f64>,
    /// Sum of the sizes of all tetrahedra: what rounding is relative to \[m³\].
    size: f64,
}

impl Integrals {
    fn new(triangles: impl Iterator<Item = [Vector3<f64>; 3]>, about: &Vector3<f64>) -> Self {
        let zero =
            Integrals { volume: 0.0, first: Vector3::zeros(), second: Matrix3::zeros(), size: 0.0 };
        triangles.fold(zero, |mut sums, corners| {
            let [a, b, c] = corners.map(|p| p - about);
            let determinant = a.dot(&b.cross(&c));
            let sum = a + b + c;
            let square = |v: &Vector3<f64>| v * v.transpose();
            let squares = square(&sum) + square(&a) + square(&b) + square(&c);
            sums.volume += determinant / 6.0;
            sums.first += sum * (determinant / 24.0);
            sums.second += squares * (determinant / 120.0);
            sums.size += determinant.abs() / 6.0;
            sums
        })
    }

    fn check(&self) -> Result<(), MassError> {
        let least = MIN_VOLUME * self.size;
        if self.volume > least {
            Ok(())
        } else if self.volume < -least {
            Err(MassError::Inward { what: "volume", value: self.volume })
        } else {
            Err(MassError::Empty { what: "volume" })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mass::{ball_mass, cuboid_mass};
    use hashfall_core::Vec3;
    use hashfall_core::geometry::Aabb;
    use hashfall_geometry::shape::{box_mesh, unit_sphere};
    use nalgebra::{Isometry3, UnitQuaternion};

    fn unit_box() -> TriangleMesh {
        box_mesh(&Aabb::new(Vec3::new(-0.5, -0.25, -1.0), Vec3::new(0.5, 0.25, 1.0)))
    }

    #[test]
    fn a_turned_box_far_away_has_the_closed_form() {
        let mesh = unit_box();
        let turn = UnitQuaternion::from_euler_angles(0.4, 1.1, -0.6);
        let exact = cuboid_mass(Vector3::new(0.5, 0.25, 1.0), Amount::Density(800.0)).unwrap();
        for (scale, far) in [(1.0, 0.0), (1.0, 1e4), (1e-3, 10.0), (1e3, 1e6)] {
            let place = Vector3::new(far, -2.0 * far, 0.3 * far);
            let pose = Isometry3::from_parts(place.into(), turn);
            let moved = |v: &Vec3| turn * (Vector3::from(to_f64(v)) * scale) + place;
            let vertices: Vec<_> = mesh.vertices.iter().map(moved).collect();
            let found = triangles_mass(&vertices, &mesh.triangles, Amount::Density(800.0)).unwrap();
            let expected = exact.placed(&pose);
            // Corners are rounded where they lie.
            let rounding = 1e-14 * (1.0 + 10.0 * far / scale);
            assert!((found.mass / (exact.mass * scale.powi(3)) - 1.0).abs() < rounding);
            assert!((found.center - expected.center).norm() < rounding * scale);
            let difference = found.inertia / scale.powi(5) - expected.inertia;
            assert!(difference.norm() < rounding * exact.inertia.norm(), "{scale} {far}");
        }
    }

    #[test]
    fn finer_spheres_come_nearer_to_the_ball() {
        let exact = ball_mass(1.0, Amount::Density(1.0)).unwrap();
        let error = |subdivisions| {
            let (vertices, triangles) = unit_sphere(subdivisions);
            let found = triangles_mass(&vertices, &triangles, Amount::Density(1.0)).unwrap();
            assert!(found.center.norm() < 1e-14);
            let volume = 1.0 - found.mass / exact.mass;
            (volume, 1.0 - found.inertia[(0, 0)] / exact.inertia[(0, 0)])
        };
        let (coarse, fine) = (error(3), error(4));
        // Second order: a quarter with half the edge.
        for (a, b) in [(coarse.0, fine.0), (coarse.1, fine.1)] {
            assert!(b > 0.0 && (3.9..4.1).contains(&(a / b)), "{a} {b}");
        }
        assert!(fine.1 < 5e-3);
    }

    #[test]
    fn a_hole_is_taken_away() {
        let mut shell = unit_box();
        let hole = box_mesh(&Aabb::new(Vec3::new(-0.25, -0.125, 0.0), Vec3::new(0.25, 0.125, 0.5)));
        shell.append(&hole.flipped());
        let found = mesh_mass(&shell, Amount::Density(3.0)).unwrap();
        assert!((found.mass - 3.0 * (1.0 - 0.0625)).abs() < 1e-14);
        assert!((found.center.z + 0.0625 * 0.25 / 0.9375).abs() < 1e-15);
        let whole = mesh_mass(&unit_box(), Amount::Mass(5.0)).unwrap();
        assert_eq!(whole.mass, 5.0);
    }

    #[test]
    fn meshes_without_a_volume_are_refused_with_the_reason() {
        let mut open = unit_box();
        open.triangles.pop();
        assert!(matches!(mesh_mass(&open, Amount::Mass(1.0)), Err(MassError::Open(_))));
        let inward = mesh_mass(&unit_box().flipped(), Amount::Mass(1.0)).unwrap_err();
        assert_eq!(inward.to_string(), "faces point inwards: the enclosed volume is -1.000e0");
        let mut sheet = unit_box();
        sheet.triangles = vec![[0, 1, 2], [2, 1, 0]];
        let empty = mesh_mass(&sheet, Amount::Mass(1.0)).unwrap_err();
        assert_eq!(empty, MassError::Empty { what: "volume" });
        let missing = triangles_mass(&[Vector3::zeros()], &[[0, 0, 1]], Amount::Mass(1.0));
        assert_eq!(missing, Err(MassError::BadTriangle(0)));
    }
}
