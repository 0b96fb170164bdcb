//! Elements of a continuum: a hyperelastic material, integrated over a simplex.
//!
//! F = Σᵢ xᵢ gᵢᵀ at each point of quadrature, with the gradients gᵢ of the shape functions at rest;
//! W = Σ w Ψ(F), and the force on corner i is −Σ w P gᵢ. Damping is that of Kelvin and Voigt in the
//! Green strain E: the stress β (λ tr Ė I + 2μ Ė), so that rigid motions damp nothing.
//!
//! The stiffness is projected at each point of quadrature, mode by mode. What bounds it keeps the
//! direction in which the volume changes: (Σ aᵢ·δxᵢ)² ≤ Σ (aᵢ·δxᵢ)²/tᵢ for any tᵢ > 0 of sum one,
//! here tᵢ = |aᵢ|/Σ|aⱼ|.
//!
//! Symbols: w volume at rest of a point \[m³\], gᵢ \[1/m\], β damping time \[s\].

use super::hyperelastic::{Gradient, Hyperelastic};
use crate::energy::element::{Blocks, Element};
use hashfall_geometry::Point;
use nalgebra::{Matrix3, SVector};

/// A point of quadrature.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct QuadraturePoint<const N: usize, const D: usize> {
    /// w.
    pub weight: f64,
    /// gᵢ.
    pub gradients: [SVector<f64, D>; N],
}

/// An element of N corners in D dimensions at rest, with Q points of quadrature.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContinuumElement<M, const N: usize, const D: usize, const Q: usize> {
    /// What it is made of.
    pub material: M,
    /// Where it is integrated.
    pub points: [QuadraturePoint<N, D>; Q],
    /// β.
    pub damping_time: f64,
}

impl<const N: usize, const D: usize> QuadraturePoint<N, D> {
    /// Σ xᵢ gᵢᵀ.
    fn gradient(&self, x: &[Point; N]) -> Gradient<D> {
        let terms = x.iter().zip(&self.gradients);
        terms.fold(Gradient::zeros(), |sum, (x, g)| sum + x * g.transpose())
    }

    /// w A gᵢ for each corner.
    fn spread(&self, a: &Gradient<D>) -> [Point; N] {
        self.gradients.map(|g| a * g * self.weight)
    }

    /// Adds a bound of w c |Σ δxᵢ gᵢᵀ|² for each corner: by Gershgorin's circles.
    fn add_isotropic(&self, c: f64, out: &mut [Matrix3<f64>; N]) {
        for (out, g) in out.iter_mut().zip(&self.gradients) {
            let row: f64 = self.gradients.iter().map(|other| g.dot(other).abs()).sum();
            *out += Matrix3::from_diagonal_element(self.weight * c * row);
        }
    }

    /// Adds a bound of w c (A : Σ δxᵢ gᵢᵀ)² for each corner.
    fn add_along(&self, c: f64, a: &Gradient<D>, out: &mut [Matrix3<f64>; N]) {
        let directions = self.gradients.map(|g| a * g);
        let sum: f64 = directions.iter().map(Point::norm).sum();
        for (out, a) in out.iter_mut().zip(&directions) {
            let norm = a.norm();
            if norm > 0.0 {
                *out += a * a.transpose() * (self.weight * c * sum / norm);
            }
        }
    }
}

impl<M: Hyperelastic<D>, const N: usize, const D: usize, const Q: usize>
    ContinuumElement<M, N, D, Q>
{
    /// A bound of the stiffness, and of what damps, if that is asked for.
    fn bound_where(&self, x: &[Point; N], is_damped: bool) -> [Matrix3<f64>; N] {
        let mut out = [Matrix3::zeros(); N];
        for point in &self.points {
            let f = point.gradient(x);
            let mut bound = self.material.bound(&f);
            if is_damped {
                let [lambda, mu] = self.material.lame();
                bound.isotropic = bound.isotropic.max(2.0 * mu * largest_square(&f));
                bound.along[0].0 = bound.along[0].0.max(lambda);
            }
            point.add_isotropic(bound.isotropic, &mut out);
            bound.along.iter().for_each(|(c, a)| point.add_along(*c, a, &mut out));
        }
        out
    }

    /// β (λ tr Ė F + 2μ F Ė): what damps at a point.
    fn damping_stress(&self, f: &Gradient<D>, rate: &Gradient<D>) -> Gradient<D> {
        let [lambda, mu] = self.material.lame();
        let product = f.transpose() * rate;
        let strain_rate = (product + product.transpose()) * 0.5;
        (f * strain_rate * (2.0 * mu) + f * (lambda * strain_rate.trace())) * self.damping_time
    }
}

impl<M: Hyperelastic<D>, const N: usize, const D: usize, const Q: usize> Element<N>
    for ContinuumElement<M, N, D, Q>
{
    const NAME: &'static str = M::NAME;

    fn energy(&self, x: &[Point; N]) -> f64 {
        let of =
            |point: &QuadraturePoint<N, D>| point.weight * self.material.energy(&point.gradient(x));
        self.points.iter().map(of).sum()
    }

    fn forces(&self, x: &[Point; N], v: &[Point; N]) -> [Point; N] {
        let mut forces = [Point::zeros(); N];
        for point in &self.points {
            let f = point.gradient(x);
            let mut stress = self.material.stress(&f);
            if self.damping_time > 0.0 {
                stress += self.damping_stress(&f, &point.gradient(v));
            }
            forces.iter_mut().zip(point.spread(&stress)).for_each(|(f, part)| *f -= part);
        }
        forces
    }

    fn stiffness(&self, x: &[Point; N]) -> Blocks<N> {
        let mut blocks = [[Matrix3::zeros(); N]; N];
        for point in &self.points {
            for (value, mode) in self.material.modes(&point.gradient(x)) {
                if value > 0.0 {
                    let ways = point.gradients.map(|g| mode * g);
                    for (i, row) in blocks.iter_mut().enumerate() {
                        let scaled = ways[i] * (point.weight * value);
                        let columns = row.iter_mut().zip(&ways);
                        columns.for_each(|(block, way)| *block += scaled * way.transpose());
                    }
                }
            }
        }
        blocks
    }

    fn damping(&self, x: &[Point; N]) -> Blocks<N> {
        let mut blocks = [[Matrix3::zeros(); N]; N];
        if self.damping_time == 0.0 {
            return blocks;
        }
        let [lambda, mu] = self.material.lame();
        for point in &self.points {
            let f = point.gradient(x);
            let left = f * f.transpose();
            let ways = point.gradients.map(|g| f * g);
            let scale = point.weight * self.damping_time;
            for (i, row) in blocks.iter_mut().enumerate() {
                for (j, block) in row.iter_mut().enumerate() {
                    let along = point.gradients[i].dot(&point.gradients[j]);
                    let (a, b) = (&ways[i], &ways[j]);
                    *block +=
                        (left * (mu * along) + b * a.transpose() * mu + a * b.transpose() * lambda)
                            * scale;
                }
            }
        }
        blocks
    }

    fn damping_time(&self) -> f64 {
        self.damping_time
    }

    /// Of the stiffness; where there is damping, of what it damps with, too.
    fn bound(&self, x: &[Point; N]) -> [Matrix3<f64>; N] {
        self.bound_where(x, self.damping_time > 0.0)
    }

    fn bound_of_stiffness(&self, x: &[Point; N]) -> [Matrix3<f64>; N] {
        self.bound_where(x, false)
    }

    fn volume(&self) -> f64 {
        self.points.iter().map(|point| point.weight).sum()
    }

    fn stress(&self, x: &[Point; N]) -> f64 {
        let of = |point: &QuadraturePoint<N, D>| {
            point.weight * self.material.equivalent_stress(&point.gradient(x))
        };
        self.points.iter().map(of).sum::<f64>() / self.volume()
    }
}

/// At least the square of the largest stretch.
fn largest_square<const D: usize>(f: &Gradient<D>) -> f64 {
    let right = f.transpose() * f;
    let rows = (0..D).map(|k| right.row(k).iter().map(|x| x.abs()).sum::<f64>());
    rows.fold(0.0, f64::max)
}
