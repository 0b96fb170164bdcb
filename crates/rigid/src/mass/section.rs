//! Mass properties of bodies of plane scenes: sections at y = 0, of a metre of depth.
//!
//! Bodies of a plane scene move in x and z and spin about y. Green's theorem gives the moments of
//! the area as sums over its segments, as Mirtich's do for volumes: with D = a_x b_z − a_z b_x of a
//! segment from a to b,
//!   ∫1 = D/2,  ∫x = D (a + b)/6,  ∫xxᵀ = D (ssᵀ + aaᵀ + bbᵀ)/24,  s = a + b.
//! The inertia is that of the area itself, without depth: ∫z², ∫(x² + z²), ∫x² on the diagonal, so
//! that nothing of it depends on what a metre is. Only the one about y is ever seen.

use super::error::{MassError, check_positive};
use super::properties::{Amount, MassProperties};
use hashfall_geometry::prism::Segment;
use nalgebra::{Matrix3, Vector2, Vector3};

/// A smaller share of the sum of all triangles' sizes is rounding \[–\].
const MIN_AREA: f64 = 1e-12;

/// What closed loops of segments enclose, with the inside on their left as x points right and z up:
/// mass of a metre of depth \[kg/m\].
///
/// # Errors
/// If the inside is on the right, they enclose nothing, or the amount is not positive.
pub fn section_mass(segments: &[Segment], amount: Amount) -> Result<MassProperties, MassError> {
    let point = |p: [hashfall_core::Real; 2]| Vector2::from(p.map(f64::from));
    let ends: Vec<[Vector2<f64>; 2]> = segments.iter().map(|s| s.map(point)).collect();
    let Some(&[origin, _]) = ends.first() else {
        return Err(MassError::Empty { what: "area" });
    };
    let rough = Integrals::new(&ends, &origin);
    rough.check()?;
    let center = origin + rough.first / rough.area;
    let exact = Integrals::new(&ends, &center);
    let [xx, xz, zz] = exact.second;
    let moments = Matrix3::new(xx, 0.0, xz, 0.0, 0.0, 0.0, xz, 0.0, zz);
    let center = Vector3::new(center.x, 0.0, center.y);
    MassProperties::from_moments(exact.area, center, &moments, amount)
}

/// A disc at y = 0 by its radius \[m\], about the origin: ∫x² = A r²/4.
///
/// # Errors
/// If the radius or the amount is not positive and finite.
pub fn disc_mass(radius: f64, amount: Amount) -> Result<MassProperties, MassError> {
    check_positive(&[("radius", radius)])?;
    let area = std::f64::consts::PI * radius * radius;
    let across = area * radius * radius / 4.0;
    let moments = Matrix3::from_diagonal(&Vector3::new(across, 0.0, across));
    MassProperties::from_moments(area, Vector3::zeros(), &moments, amount)
}

/// Integrals over an area, about a point.
struct Integrals {
    area: f64,
    first: Vector2<f64>,
    /// ∫x², ∫xz, ∫z².
    second: [f64; 3],
    size: f64,
}

impl Integrals {
    fn new(segments: &[[Vector2<f64>; 2]], about: &Vector2<f64>) -> Self {
        let zero = Integrals { area: 0.0, first: Vector2::zeros(), second: [0.0; 3], size: 0.0 };
        segments.iter().fold(zero, |mut sums, ends| {
            let [a, b] = ends.map(|p| p - about);
            let determinant = a.perp(&b);
            let s = a + b;
            sums.area += determinant / 2.0;
            sums.first += s * (determinant / 6.0);
            for (sum, (i, k)) in sums.second.iter_mut().zip([(0, 0), (0, 1), (1, 1)]) {
                *sum += (s[i] * s[k] + a[i] * a[k] + b[i] * b[k]) * (determinant / 24.0);
            }
            sums.size += determinant.abs() / 2.0;
            sums
        })
    }

    fn check(&self) -> Result<(), MassError> {
        let least = MIN_AREA * self.size;
        if self.area > least {
            Ok(())
        } else if self.area < -least {
            Err(MassError::Inward { what: "area", value: self.area })
        } else {
            Err(MassError::Empty { what: "area" })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mass::mesh_mass;
    use hashfall_core::Real;
    use hashfall_geometry::prism::{polygon_segments, prism};

    const HOOK: [[Real; 2]; 6] =
        [[1.0, 2.0], [2.0, 2.0], [2.0, 2.5], [1.25, 2.5], [1.25, 3.5], [1.0, 3.5]];

    #[test]
    fn a_section_is_its_prism_of_a_metre_seen_along_y() {
        let segments = polygon_segments(&HOOK);
        let solid = mesh_mass(&prism(&segments, 0.5, false), Amount::Density(500.0)).unwrap();
        let plane = section_mass(&segments, Amount::Density(500.0)).unwrap();
        assert!((plane.mass - solid.mass).abs() < 1e-12 * solid.mass);
        assert!((plane.center - solid.center).norm() < 1e-14);
        for (row, column) in [(1, 1), (0, 2)] {
            let [a, b] = [&plane, &solid].map(|m| m.inertia[(row, column)]);
            assert!((a - b).abs() < 1e-12 * solid.inertia.norm(), "{a} {b}");
        }
        // A prism has m/12 more about x and z for its depth of a metre.
        let depth = solid.mass / 12.0;
        for axis in [0, 2] {
            let [a, b] = [&plane, &solid].map(|m| m.inertia[(axis, axis)]);
            assert!((a + depth - b).abs() < 1e-12 * solid.inertia.norm());
        }
    }

    #[test]
    fn a_disc_of_many_segments_has_half_m_r_squared() {
        let n = 4096;
        let corner = |k: i32| {
            let (sin, cos) = libm::sincos(f64::from(k) * std::f64::consts::TAU / f64::from(n));
            [cos as Real, sin as Real]
        };
        let corners: Vec<[Real; 2]> = (0..n).map(corner).collect();
        let disc = section_mass(&polygon_segments(&corners), Amount::Mass(2.0)).unwrap();
        assert!((disc.inertia[(1, 1)] - 1.0).abs() < 1e-6);
        assert_eq!(disc.mass, 2.0);
        let exact = disc_mass(1.0, Amount::Mass(2.0)).unwrap();
        assert!((exact.inertia - disc.inertia).norm() < 1e-6 && exact.mass == 2.0);
        let inward: Vec<Segment> =
            polygon_segments(&corners).into_iter().map(|[a, b]| [b, a]).collect();
        let wrong = section_mass(&inward, Amount::Mass(2.0)).unwrap_err();
        assert!(matches!(wrong, MassError::Inward { what: "area", .. }));
        assert!(section_mass(&[], Amount::Mass(2.0)).is_err());
    }
}
