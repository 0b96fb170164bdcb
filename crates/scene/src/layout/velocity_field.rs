//! Velocity fields that fluid starts with, all without divergence but for a linear one that is
//! asked to have some.
//!
//! - *linear*: v = A (x − c); a rotation if A is antisymmetric, a strain if symmetric.
//! - *Taylor–Green* (Taylor & Green 1937), in the planes of x and z:
//!   u = −U cos(2πx/L) sin(2πz/L), w = U sin(2πx/L) cos(2πz/L).
//! - *standing wave* (linear theory, as in Lamb, Hydrodynamics (1932), §228) at an instant when the
//!   surface is flat: with k = 2π/λ, ω² = g k tanh kH and the height s above the floor,
//!   u = −A ω cosh(ks)/sinh(kH) sin(kx), w = A ω sinh(ks)/sinh(kH) cos(kx), the gradient of a
//!   potential. The surface rises to z₀ + H + A cos(kx) a quarter of a period later. Outside the
//!   water, 0 ≤ s ≤ H, the velocity is that at its edge: the formula grows without bound.
//! - *wave of an interface* (Lamb, §231): the same field below it, W in place of Aω, and mirrored
//!   above it, so that w is one on both sides and u jumps.
//! - *formula*: what the scene says, component by component.
//!
//! Functions are those of the crate libm, which have the same bits on every machine.
//!
//! Symbols: u, w velocity along x and z \[m/s\], A gradient \[1/s\] or amplitude \[m\], U speed
//! \[m/s\], L, λ wavelengths, H depth, z₀ floor, all \[m\], g gravity \[m/s²\].

use crate::model::VelocityField;
use hashfall_formula::PlaceFormula;
use std::f64::consts::TAU;

/// A field that is ready to be asked.
pub struct Field<'a> {
    said: &'a VelocityField,
    /// The formulas of its components, if it has some.
    formulas: Option<[PlaceFormula; 3]>,
}

impl<'a> Field<'a> {
    /// The field that a checked model asks for.
    pub fn new(said: &'a VelocityField) -> Self {
        let formulas = match said {
            VelocityField::Formula { x, y, z } => {
                let [x, y, z] = [x, y, z].map(|text| PlaceFormula::parse(text).ok());
                x.zip(y).zip(z).map(|((x, y), z)| [x, y, z])
            }
            _ => None,
        };
        Field { said, formulas }
    }

    /// The velocity at `x` \[m\] under gravity `g` straight down \[m/s²\].
    pub fn velocity(&self, x: &[f64; 3], g: f64) -> [f64; 3] {
        match &self.formulas {
            Some(formulas) => [0, 1, 2].map(|a| formulas[a].at(x)),
            None => self.said.velocity(x, g),
        }
    }
}

impl VelocityField {
    /// The velocity at `x` \[m\] under gravity `g` straight down \[m/s²\], but of formulas.
    fn velocity(&self, x: &[f64; 3], g: f64) -> [f64; 3] {
        match *self {
            VelocityField::Still | VelocityField::Formula { .. } => [0.0; 3],
            VelocityField::Linear { centre, rows } => {
                let [a, b, c] = [0, 1, 2].map(|axis| x[axis] - centre[axis]);
                rows.map(|row| row[0] * a + row[1] * b + row[2] * c)
            }
            VelocityField::TaylorGreen { speed, wavelength } => {
                let ((sin_x, cos_x), (sin_z, cos_z)) =
                    (sin_cos(TAU * x[0] / wavelength), sin_cos(TAU * x[2] / wavelength));
                [-speed * cos_x * sin_z, 0.0, speed * sin_x * cos_z]
            }
            VelocityField::StandingWave { amplitude, wavelength, depth, bottom } => {
                let k = TAU / wavelength;
                let speed = amplitude * (g * k * libm::tanh(k * depth)).sqrt();
                let height = (x[2] - bottom).clamp(0.0, depth);
                let (cosh, sinh) = over_sinh(k, height, depth);
                let (sin, cos) = sin_cos(k * x[0]);
                [-speed * cosh * sin, 0.0, speed * sinh * cos]
            }
            VelocityField::InterfaceWave { speed, wavelength, interface, below, above } => {
                let k = TAU / wavelength;
                let rise = x[2] - interface;
                let (along, depth) = if rise < 0.0 { (-speed, below) } else { (speed, above) };
                let (cosh, sinh) = over_sinh(k, (depth - rise.abs()).max(0.0), depth);
                let (sin, cos) = sin_cos(k * x[0]);
                [along * cosh * sin, 0.0, speed * sinh * cos]
            }
        }
    }
}

fn sin_cos(angle: f64) -> (f64, f64) {
    (libm::sin(angle), libm::cos(angle))
}

/// cosh(ks)/sinh(kH) and sinh(ks)/sinh(kH) for 0 ≤ s ≤ H, by exponentials that do not overflow in
/// deep water.
fn over_sinh(k: f64, s: f64, depth: f64) -> (f64, f64) {
    let (from_above, from_below) = (libm::exp(k * (s - depth)), libm::exp(-k * (s + depth)));
    let whole = -libm::expm1(-2.0 * k * depth);
    ((from_above + from_below) / whole, (from_above - from_below) / whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    const WAVE: VelocityField =
        VelocityField::StandingWave { amplitude: 0.05, wavelength: 1.5, depth: 0.6, bottom: -0.1 };
    const VORTICES: VelocityField = VelocityField::TaylorGreen { speed: 2.0, wavelength: 0.8 };
    const INTERFACE: VelocityField = VelocityField::InterfaceWave {
        speed: 0.3,
        wavelength: 1.5,
        interface: 0.2,
        below: 0.3,
        above: 0.6,
    };
    const G: f64 = 9.81;

    /// ∂vᵢ/∂xⱼ by central differences.
    fn gradient(field: &VelocityField, x: [f64; 3]) -> [[f64; 3]; 3] {
        let step = 1e-5;
        let mut rows = [[0.0; 3]; 3];
        for j in 0..3 {
            let moved = |by: f64| {
                let mut x = x;
                x[j] += by;
                field.velocity(&x, G)
            };
            let (ahead, behind) = (moved(step), moved(-step));
            (0..3).for_each(|i| rows[i][j] = (ahead[i] - behind[i]) / (2.0 * step));
        }
        rows
    }

    fn places() -> impl Iterator<Item = [f64; 3]> {
        // In the water of the wave, and clear of its surface and floor.
        (0..60).map(|n| {
            let n = f64::from(n);
            [0.37 * n - 4.0, 0.11 * n, 0.45 * (0.618 * n).fract() - 0.05]
        })
    }

    #[test]
    fn vortices_and_waves_have_no_divergence_and_waves_no_curl() {
        for field in [VORTICES, WAVE, INTERFACE] {
            let mut steepest: f64 = 0.0;
            for x in places() {
                let rows = gradient(&field, x);
                let divergence = rows[0][0] + rows[1][1] + rows[2][2];
                assert!(divergence.abs() < 1e-7, "{field:?} at {x:?}: {divergence}");
                steepest = steepest.max(rows[0][0].abs());
                if field != VORTICES {
                    let curl = rows[0][2] - rows[2][0];
                    assert!(curl.abs() < 1e-7, "{x:?}: {curl}");
                }
            }
            assert!(steepest > 0.1, "{field:?} moves: {steepest}");
        }
    }

    #[test]
    fn a_linear_field_is_its_gradient_and_its_centre_rests() {
        let rows = [[1.0, 2.0, -3.0], [0.5, -1.5, 0.0], [4.0, 0.25, 0.5]];
        let field = VelocityField::Linear { centre: [1.0, -2.0, 0.5], rows };
        assert_eq!(field.velocity(&[1.0, -2.0, 0.5], G), [0.0; 3]);
        assert_eq!(field.velocity(&[2.0, -2.0, 0.5], G), [1.0, 0.5, 4.0]);
        for (found, row) in
            gradient(&field, [0.3, 0.2, 0.1]).iter().flatten().zip(rows.as_flattened())
        {
            assert!((found - row).abs() < 1e-6);
        }
    }

    #[test]
    fn a_standing_wave_meets_floor_and_surface() {
        let (k, depth): (f64, f64) = (TAU / 1.5, 0.6);
        let omega = (G * k * (k * depth).tanh()).sqrt();
        for x in [-0.4, 0.0, 0.3, 2.0] {
            let floor = WAVE.velocity(&[x, 5.0, -0.1], G);
            assert_eq!([floor[1], floor[2]], [0.0; 2], "nothing goes through the floor");
            let surface = WAVE.velocity(&[x, 0.0, -0.1 + depth], G)[2];
            assert!((surface - 0.05 * omega * (k * x).cos()).abs() < 1e-12, "{surface}");
            assert_eq!(WAVE.velocity(&[x, 0.0, 9.0], G)[2], surface, "bounded above the water");
        }
    }

    #[test]
    fn an_interface_moves_as_one_between_floor_and_ceiling() {
        for x in [-0.4, 0.0, 0.3, 2.0] {
            let at = |z| INTERFACE.velocity(&[x, 5.0, z], G);
            assert_eq!([at(-0.1)[2], at(0.8)[2]], [0.0; 2], "nothing goes through the edges");
            let (under, over) = (at(0.2 - 1e-12), at(0.2 + 1e-12));
            let rising = 0.3 * (TAU / 1.5 * x).cos();
            assert!((under[2] - rising).abs() < 1e-9 && (over[2] - rising).abs() < 1e-9);
            assert!(under[0] * over[0] <= 0.0, "the layers slide along each other");
        }
    }

    #[test]
    fn very_deep_and_very_shallow_water_have_finite_waves() {
        for (wavelength, depth) in [(1e-3, 1e3), (1e6, 1e-3), (1.0, 1.0)] {
            let wave =
                VelocityField::StandingWave { amplitude: 1e-4, wavelength, depth, bottom: 0.0 };
            let v = wave.velocity(&[0.1 * wavelength, 0.0, depth], G);
            assert!(v.iter().all(|c| c.is_finite()), "{wave:?}: {v:?}");
            assert!(v[0] < 0.0 && v[2] > 0.0, "{wave:?}: {v:?}");
        }
    }

    #[test]
    fn vortices_turn_at_their_speed() {
        let edge = VORTICES.velocity(&[0.2, 0.0, 0.0], G);
        assert!((edge[2] - 2.0).abs() < 1e-15 && edge[0].abs() < 1e-15, "{edge:?}");
        let centre = VORTICES.velocity(&[0.0, 0.3, 0.0], G);
        assert_eq!([centre[1], centre[2]], [0.0; 2]);
    }
}
