//! Bending of an isotropic elastic rod at a node between two segments.
//!
//! W = (EI/l̄) (|κb| − κ₀)², with the curvature binormal κb = 2 e₁ × e₂/(|e₁||e₂| + e₁·e₂) and
//! l̄ = l₁ + l₂ (Bergou et al. 2008, *Discrete Elastic Rods*, eqs. 1 and 5). |κb| = 2 tan(φ/2) of
//! the angle φ between the segments: a rod resists being folded back without bound.
//!
//! Deviation: no twist. What is bent at rest has the rest value κ₀ of |κb|, in whatever plane the
//! segments are.
//!
//! Damped is the rate of |κb|, and so of the angle: a rod that turns, about itself too, is not.
//!
//! The projected stiffness is 2 (EI/l̄) Jᵀ J (Gauss–Newton), with J = ∂κb/∂x, or its part along κb
//! if κ₀ is above zero.
//!
//! Symbols: EI bending stiffness \[N·m²\], e₁, e₂ segments \[m\], l₁, l₂ their lengths at rest
//! \[m\], κb curvature binormal \[–\].

use super::element::{Blocks, Element, gershgorin};
use hashfall_geometry::Point;
use nalgebra::Matrix3;

/// Bending between the segments x₀x₁ and x₁x₂.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RodBending {
    /// EI \[N·m²\].
    pub bending_stiffness: f64,
    /// l̄ \[m\].
    pub length: f64,
    /// κ₀ \[–\].
    pub rest_curvature: f64,
    /// Of the round section \[m\].
    pub radius: f64,
    /// β \[s\].
    pub damping_time: f64,
}

/// κb and its derivatives by the three corners.
struct Curvature {
    binormal: Point,
    by_corner: [Matrix3<f64>; 3],
}

impl RodBending {
    /// Of a rod that has no stress where its corners are at `rest`, with a round section of a
    /// radius \[m\].
    pub fn new(rest: &[Point; 3], bending_stiffness: f64, radius: f64, damping_time: f64) -> Self {
        let length = (rest[1] - rest[0]).norm() + (rest[2] - rest[1]).norm();
        let curvature = Curvature::new(rest).binormal.norm();
        RodBending {
            bending_stiffness,
            length,
            // What is straight but for rounding is straight.
            rest_curvature: if curvature < 1e-9 { 0.0 } else { curvature },
            radius,
            damping_time,
        }
    }

    /// 2 EI/l̄ \[N·m\].
    fn modulus(&self) -> f64 {
        2.0 * self.bending_stiffness / self.length
    }

    /// The part of κb that is not at rest.
    fn excess(&self, binormal: &Point) -> Point {
        let norm = binormal.norm();
        if norm == 0.0 { Point::zeros() } else { binormal * (1.0 - self.rest_curvature / norm) }
    }

    /// The derivatives of what is resisted: of κb, or of its length if it has one at rest.
    fn resisted(&self, curvature: &Curvature) -> [Matrix3<f64>; 3] {
        if self.rest_curvature == 0.0 { curvature.by_corner } else { curvature.of_length() }
    }
}

/// Jᵀ J times a factor.
fn squared(j: &[Matrix3<f64>; 3], factor: f64) -> Blocks<3> {
    std::array::from_fn(|a| std::array::from_fn(|b| j[a].transpose() * j[b] * factor))
}

impl Curvature {
    fn new(x: &[Point; 3]) -> Self {
        let (e1, e2) = (x[1] - x[0], x[2] - x[1]);
        let (l1, l2) = (e1.norm(), e2.norm());
        let sum = l1 * l2 + e1.dot(&e2);
        let binormal = e1.cross(&e2) * (2.0 / sum);
        let by =
            |cross: Matrix3<f64>, slope: Point| (cross * 2.0 - binormal * slope.transpose()) / sum;
        let by_first = by(-e2.cross_matrix(), e1 * (l2 / l1) + e2);
        let by_second = by(e1.cross_matrix(), e2 * (l1 / l2) + e1);
        let by_corner = [-by_first, by_first - by_second, by_second];
        Curvature { binormal, by_corner }
    }

    /// The derivatives along κb: those that a rotation does not change. Where there is no κb, all
    /// do.
    fn of_length(&self) -> [Matrix3<f64>; 3] {
        let norm = self.binormal.norm();
        if norm == 0.0 {
            return self.by_corner;
        }
        let u = self.binormal / norm;
        self.by_corner.map(|j| u * (u.transpose() * j))
    }
}

impl Element<3> for RodBending {
    const NAME: &'static str = "rod joint";

    fn energy(&self, x: &[Point; 3]) -> f64 {
        let excess = Curvature::new(x).binormal.norm() - self.rest_curvature;
        0.5 * self.modulus() * excess * excess
    }

    fn forces(&self, x: &[Point; 3], v: &[Point; 3]) -> [Point; 3] {
        let curvature = Curvature::new(x);
        let by_corner = curvature.of_length();
        let rate: Point = by_corner.iter().zip(v).map(|(j, v)| j * v).sum();
        let moment = self.excess(&curvature.binormal);
        std::array::from_fn(|corner| {
            let elastic = curvature.by_corner[corner].transpose() * moment;
            let damping = by_corner[corner].transpose() * rate * self.damping_time;
            (elastic + damping) * -self.modulus()
        })
    }

    fn stiffness(&self, x: &[Point; 3]) -> Blocks<3> {
        squared(&self.resisted(&Curvature::new(x)), self.modulus())
    }

    fn damping(&self, x: &[Point; 3]) -> Blocks<3> {
        squared(&Curvature::new(x).of_length(), self.modulus() * self.damping_time)
    }

    fn damping_time(&self) -> f64 {
        self.damping_time
    }

    /// That of Jᵀ J, and a factor for what it leaves out: with τ = tan(φ/2) the second derivative
    /// of τ² by the angle is (1 + 3τ²)/(1 + τ²) of its part in Jᵀ J, and those of the angle by the
    /// corners add no more than 2τ/(1 + τ²).
    fn bound(&self, x: &[Point; 3]) -> [Matrix3<f64>; 3] {
        let curvature = Curvature::new(x);
        let tau = 0.5 * curvature.binormal.norm();
        let factor = (1.0 + 3.0 * tau * tau + 2.0 * tau) / (1.0 + tau * tau);
        gershgorin(&squared(&curvature.by_corner, self.modulus())).map(|bound| bound * factor)
    }

    fn volume(&self) -> f64 {
        0.0
    }

    /// The bending stress at the surface, M r/I with I = π r⁴/4.
    fn stress(&self, x: &[Point; 3]) -> f64 {
        let moment = self.modulus() * self.excess(&Curvature::new(x).binormal).norm();
        4.0 * moment / (std::f64::consts::PI * self.radius.powi(3))
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_forces, assert_matrices, random_vector};
    use super::*;
    use hashfall_core::rng::RandomStream;

    #[test]
    fn forces_and_matrices_are_those_of_the_energy() {
        let straight = [Point::zeros(), Point::x() * 0.3, Point::x() * 0.5];
        let bent = [Point::zeros(), Point::x() * 0.3, Point::new(0.4, 0.2, 0.0)];
        let mut rng = RandomStream::new(5);
        for rest in [straight, bent] {
            let rod = RodBending::new(&rest, 0.02, 0.01, 0.03);
            for size in [1e-3, 0.05, 0.15] {
                let x = rest.map(|x| x + random_vector(&mut rng) * size);
                let stiffness = 20.0;
                assert_forces(&rod, &x, 0.3, stiffness);
                assert_matrices(&rod, &x, 0.3, false);
            }
            assert_eq!(rod.energy(&rest), 0.0);
        }
        // At rest the Gauss–Newton stiffness is the whole one.
        let rod = RodBending::new(&straight, 0.02, 0.01, 0.03);
        assert_matrices(&rod, &straight, 0.3, true);
    }

    #[test]
    fn an_arc_has_the_energy_of_its_curvature() {
        // EI L/(2 R²) of a third of a circle of 2 m.
        let (radius, n) = (2.0, 200);
        let at = |k: usize| {
            let (sin, cos) = (k as f64 / n as f64 * 2.0).sin_cos();
            Point::new(cos, sin, 0.0) * radius
        };
        let straight = [Point::zeros(), Point::x(), Point::x() * 2.0];
        let length = 2.0 * radius;
        let energy = (1..n).map(|k| {
            let x = [at(k - 1), at(k), at(k + 1)];
            let rest = straight.map(|p| p * (length / n as f64));
            RodBending::new(&rest, 7.0, 0.01, 0.0).energy(&x)
        });
        let exact = 7.0 * length / (2.0 * radius * radius) * (n - 1) as f64 / n as f64;
        let found: f64 = energy.sum();
        assert!((found / exact - 1.0).abs() < 1e-4, "{found} for {exact}");
    }
}
