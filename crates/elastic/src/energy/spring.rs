//! Springs between two nodes, with damping along them: the model of Ahmad's deformable objects,
//! and the tension of ropes.
//!
//! W = k (L − L₀)²/2. With the direction n from the first corner to the second, the second is
//! pulled by −(k (L − L₀) + c n·(v₁ − v₀)) n, with c = β k. The stiffness of the pair is
//! k n nᵀ + g (I − n nᵀ), g = k (1 − L₀/L): what is across the spring is negative in compression,
//! and is left out of the projected one.
//!
//! Symbols: k stiffness \[N/m\], L length, L₀ that at rest \[m\], c damping \[N·s/m\], β damping
//! time \[s\], A cross-section \[m²\].

use super::element::{Blocks, Element};
use hashfall_geometry::Point;
use nalgebra::Matrix3;

/// A spring.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spring {
    /// k \[N/m\].
    pub stiffness: f64,
    /// L₀ \[m\].
    pub length: f64,
    /// A \[m²\]: what its tension acts on.
    pub area: f64,
    /// β \[s\].
    pub damping_time: f64,
}

impl Spring {
    /// Length \[m\] and direction; none of a spring of no length.
    fn line(x: &[Point; 2]) -> (f64, Point) {
        let way = x[1] - x[0];
        let length = way.norm();
        (length, if length > 0.0 { way / length } else { Point::zeros() })
    }

    /// k (L − L₀) \[N\].
    fn tension(&self, length: f64) -> f64 {
        self.stiffness * (length - self.length)
    }

    /// The stiffness of the pair, without what is negative.
    fn pair_stiffness(&self, x: &[Point; 2]) -> Matrix3<f64> {
        let (length, n) = Spring::line(x);
        let across = if length > self.length { self.tension(length) / length } else { 0.0 };
        n * n.transpose() * (self.stiffness - across) + Matrix3::from_diagonal_element(across)
    }
}

/// The matrix of forces that are equal and opposite.
fn opposite(m: Matrix3<f64>) -> Blocks<2> {
    [[m, -m], [-m, m]]
}

impl Element<2> for Spring {
    const NAME: &'static str = "spring";

    fn energy(&self, x: &[Point; 2]) -> f64 {
        let stretch = Spring::line(x).0 - self.length;
        0.5 * self.stiffness * stretch * stretch
    }

    fn forces(&self, x: &[Point; 2], v: &[Point; 2]) -> [Point; 2] {
        let (length, n) = Spring::line(x);
        let damping = self.damping_time * self.stiffness * n.dot(&(v[1] - v[0]));
        let force = n * (self.tension(length) + damping);
        [force, -force]
    }

    fn stiffness(&self, x: &[Point; 2]) -> Blocks<2> {
        opposite(self.pair_stiffness(x))
    }

    fn damping(&self, x: &[Point; 2]) -> Blocks<2> {
        let n = Spring::line(x).1;
        opposite(n * n.transpose() * (self.damping_time * self.stiffness))
    }

    fn damping_time(&self) -> f64 {
        self.damping_time
    }

    /// |a − b|² ≤ 2 |a|² + 2 |b|².
    fn bound(&self, x: &[Point; 2]) -> [Matrix3<f64>; 2] {
        [self.pair_stiffness(x) * 2.0; 2]
    }

    fn volume(&self) -> f64 {
        self.area * self.length
    }

    fn stress(&self, x: &[Point; 2]) -> f64 {
        self.tension(Spring::line(x).0) / self.area
    }

    fn is_valid(&self, x: &[Point; 2]) -> bool {
        let length = Spring::line(x).0;
        length > 0.0 && length.is_finite()
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_forces, assert_matrices};
    use super::*;

    #[test]
    fn forces_and_matrices_are_those_of_the_energy() {
        let spring = Spring { stiffness: 30.0, length: 0.4, area: 1e-4, damping_time: 0.02 };
        let a = Point::new(0.3, -0.2, 0.5);
        for (length, is_stretched) in [(0.1, false), (0.39, false), (0.41, true), (1.3, true)] {
            let x = [a, a + Point::new(2.0, -1.0, 2.0) / 3.0 * length];
            assert_forces(&spring, &x, length, spring.stiffness);
            assert_matrices(&spring, &x, length, is_stretched);
        }
    }

    #[test]
    fn a_spring_pulls_along_itself_with_its_tension_and_damping() {
        let spring = Spring { stiffness: 100.0, length: 0.5, area: 2e-4, damping_time: 0.01 };
        let x = [Point::zeros(), Point::x() * 0.6];
        let [a, b] = spring.forces(&x, &[Point::y(), Point::new(-2.0, 3.0, 0.0)]);
        assert!((a - Point::x() * 8.0).norm() < 1e-13 && a == -b, "10 N less 1 N·s/m of 2 m/s");
        assert!((spring.stress(&x) - 5e4).abs() < 1e-8);
        assert!(!spring.is_valid(&[x[0], x[0]]) && spring.is_valid(&x));
    }
}
