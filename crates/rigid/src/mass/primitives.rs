//! Closed forms of simple solids, in the frames of their [shapes](crate::Shape): along z.

use super::error::{MassError, check_positive};
use super::properties::{Amount, MassProperties};
use nalgebra::{Matrix3, Vector3};
use std::f64::consts::PI;

/// A ball, by its radius \[m\]: ∫x² = V r²/5.
///
/// # Errors
/// If a length or the amount is not positive and finite, as of all solids.
pub fn ball_mass(radius: f64, amount: Amount) -> Result<MassProperties, MassError> {
    check_positive(&[("radius", radius)])?;
    let volume = 4.0 / 3.0 * PI * radius * radius * radius;
    round(volume, 0.0, [volume * radius * radius / 5.0; 2], amount)
}

/// A box, by half its extents \[m\]: ∫x² = V a²/3.
///
/// # Errors
/// See [`ball_mass`].
pub fn cuboid_mass(
    half_extents: Vector3<f64>,
    amount: Amount,
) -> Result<MassProperties, MassError> {
    let [x, y, z] = half_extents.into();
    check_positive(&[("extent x", x), ("extent y", y), ("extent z", z)])?;
    let volume = 8.0 * x * y * z;
    let squares = half_extents.component_mul(&half_extents);
    let moments = Matrix3::from_diagonal(&(squares * (volume / 3.0)));
    MassProperties::from_moments(volume, Vector3::zeros(), &moments, amount)
}

/// A cylinder \[m\]: ∫x² = V r²/4, ∫z² = V h²/3 with h half its height.
///
/// # Errors
/// See [`ball_mass`].
pub fn cylinder_mass(
    half_height: f64,
    radius: f64,
    amount: Amount,
) -> Result<MassProperties, MassError> {
    check_positive(&[("height", half_height), ("radius", radius)])?;
    let (volume, across, along) = cylinder(half_height, radius);
    round(volume, 0.0, [across, along], amount)
}

/// A capsule, with half the length of its segment \[m\]: a cylinder and two halves of a ball, whose
/// centres are 3r/8 beyond its ends.
///
/// # Errors
/// See [`ball_mass`].
pub fn capsule_mass(
    half_height: f64,
    radius: f64,
    amount: Amount,
) -> Result<MassProperties, MassError> {
    check_positive(&[("height", half_height), ("radius", radius)])?;
    let (h, r) = (half_height, radius);
    let (middle, across, along) = cylinder(h, r);
    let ends = 4.0 / 3.0 * PI * r * r * r;
    // ∫(h + z)² over half a ball: h² + 2h(3r/8) + r²/5, times its volume.
    let along = along + ends * (h * h + 0.75 * h * r + r * r / 5.0);
    round(middle + ends, 0.0, [across + ends * r * r / 5.0, along], amount)
}

/// A cone, the tip at +h and the base at −h with h half its height \[m\]: its centre is at −h/2,
/// about which ∫x² = 3V r²/20, ∫z² = 3V (2h)²/80.
///
/// # Errors
/// See [`ball_mass`].
pub fn cone_mass(
    half_height: f64,
    radius: f64,
    amount: Amount,
) -> Result<MassProperties, MassError> {
    check_positive(&[("height", half_height), ("radius", radius)])?;
    frustum(half_height, [radius, 0.0], amount)
}

/// A frustum of a cone, with the radii of its base at −h and of its top at +h \[m\].
///
/// # Errors
/// See [`ball_mass`].
pub fn frustum_mass(
    half_height: f64,
    [radius, top_radius]: [f64; 2],
    amount: Amount,
) -> Result<MassProperties, MassError> {
    let lengths = [("height", half_height), ("radius", radius), ("upper radius", top_radius)];
    check_positive(&lengths)?;
    frustum(half_height, [radius, top_radius], amount)
}

/// With L = 2h from the base: V = πL(R² + Rr + r²)/3, ∫z = πL²(R² + 2Rr + 3r²)/12,
/// ∫z² = πL³(R² + 3Rr + 6r²)/30, ∫x² = πL(R⁴ + R³r + R²r² + Rr³ + r⁴)/20.
fn frustum(h: f64, [base, top]: [f64; 2], amount: Amount) -> Result<MassProperties, MassError> {
    let (length, product) = (2.0 * h, base * top);
    let (base2, top2) = (base * base, top * top);
    let volume = PI * length * (base2 + product + top2) / 3.0;
    let first = PI * length * length * (base2 + 2.0 * product + 3.0 * top2) / 12.0;
    let second = PI * length.powi(3) * (base2 + 3.0 * product + 6.0 * top2) / 30.0;
    let fourth = base2 * base2 + product * (base2 + product + top2) + top2 * top2;
    let across = PI * length * fourth / 20.0;
    let center = first / volume;
    round(volume, center - h, [across, second - volume * center * center], amount)
}

/// Volume, ∫x² and ∫z² of a cylinder.
fn cylinder(h: f64, r: f64) -> (f64, f64, f64) {
    let volume = 2.0 * PI * r * r * h;
    (volume, volume * r * r / 4.0, volume * h * h / 3.0)
}

/// A solid of revolution about z, by ∫x² and ∫z².
fn round(
    volume: f64,
    center: f64,
    [across, along]: [f64; 2],
    amount: Amount,
) -> Result<MassProperties, MassError> {
    let moments = Matrix3::from_diagonal(&Vector3::new(across, across, along));
    MassProperties::from_moments(volume, Vector3::z() * center, &moments, amount)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The solid of revolution with the radius `r(z)`, in thin discs.
    fn by_discs(span: [f64; 2], r: impl Fn(f64) -> f64) -> [f64; 4] {
        let n = 200_000;
        let dz = (span[1] - span[0]) / f64::from(n);
        let mut sums = [0.0; 4];
        for k in 0..n {
            let z = span[0] + (f64::from(k) + 0.5) * dz;
            let (area, r2) = (PI * r(z) * r(z) * dz, r(z) * r(z));
            for (sum, part) in sums.iter_mut().zip([1.0, z, z * z, r2 / 4.0]) {
                *sum += area * part;
            }
        }
        sums
    }

    #[test]
    fn closed_forms_are_those_of_thin_discs() {
        let density = Amount::Density(2.0);
        let (h, r) = (0.7, 0.4);
        let capped = move |z: f64| {
            let over = (z.abs() - h).max(0.0);
            (r * r - over * over).sqrt()
        };
        let cases = [
            (ball_mass(r, density), by_discs([-r, r], |z| (r * r - z * z).sqrt())),
            (cylinder_mass(h, r, density), by_discs([-h, h], |_| r)),
            (capsule_mass(h, r, density), by_discs([-h - r, h + r], capped)),
            (cone_mass(h, r, density), by_discs([-h, h], |z| r * (h - z) / (2.0 * h))),
            (
                frustum_mass(h, [r, 0.1], density),
                by_discs([-h, h], |z| r + (0.1 - r) * (h + z) / (2.0 * h)),
            ),
        ];
        for (number, (found, [volume, first, second, across])) in cases.into_iter().enumerate() {
            let found = found.unwrap();
            let center = first / volume;
            let along = second - volume * center * center;
            let expected = [2.0 * volume, center, 2.0 * (across + along), 4.0 * across];
            let got = [found.mass, found.center.z, found.inertia[(0, 0)], found.inertia[(2, 2)]];
            for (a, b) in got.iter().zip(expected) {
                assert!((a - b).abs() < 1e-8, "{number}: {got:?} {expected:?}");
            }
        }
    }

    #[test]
    fn what_is_not_positive_is_refused() {
        let wrong = ball_mass(0.0, Amount::Mass(1.0)).unwrap_err();
        assert_eq!(wrong.to_string(), "the radius must be positive and finite, and is 0");
        let wrong = ball_mass(1.0, Amount::Density(f64::NAN)).unwrap_err();
        assert!(wrong.to_string().starts_with("the density must be"), "{wrong}");
        assert!(cuboid_mass(Vector3::new(1.0, -1.0, 1.0), Amount::Mass(1.0)).is_err());
    }
}
