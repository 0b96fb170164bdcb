//! A symmetric 3 × 3 matrix: xx, yy, zz, xy, xz, yz.

use hashfall_core::{Real, Vec3};
use nalgebra::Matrix3;
use std::ops::{Add, AddAssign, Mul};

/// A symmetric matrix.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tensor(pub [Real; 6]);

/// Sweeps of rotations: each squares what is left beside the diagonal, and three suffice for f32.
const SWEEPS: usize = 4;

impl Tensor {
    /// v vᵀ.
    pub fn outer(v: &Vec3) -> Self {
        Tensor([v.x * v.x, v.y * v.y, v.z * v.z, v.x * v.y, v.x * v.z, v.y * v.z])
    }

    /// Σ `aᵢⱼ bᵢⱼ` over all nine entries.
    #[inline(always)]
    pub fn contract(&self, other: &Tensor) -> Real {
        let ([a, b, c, d, e, f], [k, l, m, n, o, p]) = (self.0, other.0);
        a * k + b * l + c * m + 2.0 * (d * n + e * o + f * p)
    }

    /// The product with itself.
    #[inline]
    pub fn squared(&self) -> Self {
        let [a, b, c, d, e, f] = self.0;
        Tensor([
            a * a + d * d + e * e,
            d * d + b * b + f * f,
            e * e + f * f + c * c,
            a * d + d * b + e * f,
            a * e + d * f + e * c,
            d * e + b * f + f * c,
        ])
    }

    /// This number times the identity.
    #[inline(always)]
    pub fn diagonal(number: Real) -> Self {
        Tensor([number, number, number, 0.0, 0.0, 0.0])
    }

    /// xx + yy + zz.
    #[inline(always)]
    pub fn trace(&self) -> Real {
        self.0[0] + self.0[1] + self.0[2]
    }

    /// Whether all eigenvalues are above zero: the leading minors are.
    #[inline(always)]
    pub fn is_positive(&self) -> bool {
        let [xx, yy, _, xy, ..] = self.0;
        xx > 0.0 && xx * yy - xy * xy > 0.0 && self.determinant() > 0.0
    }

    /// The determinant.
    #[inline(always)]
    fn determinant(&self) -> Real {
        let [xx, yy, zz, xy, xz, yz] = self.0;
        xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz)
    }

    /// The inverse of a matrix that has one.
    #[inline(always)]
    pub fn inverse(&self) -> Self {
        let [xx, yy, zz, xy, xz, yz] = self.0;
        let cofactors = Tensor([
            yy * zz - yz * yz,
            xx * zz - xz * xz,
            xx * yy - xy * xy,
            xz * yz - xy * zz,
            xy * yz - xz * yy,
            xy * xz - xx * yz,
        ]);
        cofactors * (1.0 / self.determinant())
    }

    /// The matrix of the same eigenvectors whose eigenvalues are `map` of this one's, by Jacobi's
    /// rotations, which need no function but the square root.
    pub fn map_eigenvalues(&self, map: impl Fn(Real) -> Real) -> Self {
        let [xx, yy, zz, xy, xz, yz] = self.0;
        let mut a = [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]];
        let mut vectors = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        for _ in 0..SWEEPS {
            for (p, q) in [(0, 1), (0, 2), (1, 2)] {
                rotate(&mut a, &mut vectors, p, q);
            }
        }
        let mut sum = Tensor::default();
        for (k, row) in a.iter().enumerate() {
            let v = Vec3::new(vectors[0][k], vectors[1][k], vectors[2][k]);
            sum += Tensor::outer(&v) * map(row[k]);
        }
        sum
    }
}

/// Takes the entry p, q of `a` to zero by a rotation, which `vectors` collect.
#[inline]
fn rotate(a: &mut [[Real; 3]; 3], vectors: &mut [[Real; 3]; 3], p: usize, q: usize) {
    let off = a[p][q];
    let gap = a[q][q] - a[p][p];
    if off == 0.0 || off * off <= Real::EPSILON * Real::EPSILON * (a[p][p] * a[q][q]).abs() {
        return;
    }
    // tan of the angle: the smaller root of t² + 2 t gap/(2 off) − 1 = 0.
    let half = 0.5 * gap / off;
    let t = if half >= 0.0 { 1.0 } else { -1.0 } / (half.abs() + (half * half + 1.0).sqrt());
    let cos = 1.0 / (t * t + 1.0).sqrt();
    let sin = t * cos;
    for row in a.iter_mut() {
        (row[p], row[q]) = (cos * row[p] - sin * row[q], sin * row[p] + cos * row[q]);
    }
    let (upper, lower) = (a[p], a[q]);
    a[p] = std::array::from_fn(|k| cos * upper[k] - sin * lower[k]);
    a[q] = std::array::from_fn(|k| sin * upper[k] + cos * lower[k]);
    for row in vectors.iter_mut() {
        (row[p], row[q]) = (cos * row[p] - sin * row[q], sin * row[p] + cos * row[q]);
    }
}

impl Add for Tensor {
    type Output = Tensor;

    #[inline(always)]
    fn add(mut self, other: Tensor) -> Tensor {
        self += other;
        self
    }
}

impl From<Tensor> for Matrix3<Real> {
    #[inline(always)]
    fn from(Tensor([xx, yy, zz, xy, xz, yz]): Tensor) -> Self {
        Matrix3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz)
    }
}

impl AddAssign for Tensor {
    #[inline(always)]
    fn add_assign(&mut self, other: Tensor) {
        self.0.iter_mut().zip(other.0).for_each(|(a, b)| *a += b);
    }
}

impl Mul<Real> for Tensor {
    type Output = Tensor;

    #[inline(always)]
    fn mul(self, factor: Real) -> Tensor {
        Tensor(self.0.map(|a| a * factor))
    }
}

impl Mul<Vec3> for Tensor {
    type Output = Vec3;

    #[inline(always)]
    fn mul(self, v: Vec3) -> Vec3 {
        let [xx, yy, zz, xy, xz, yz] = self.0;
        Vec3::new(
            xx * v.x + xy * v.y + xz * v.z,
            xy * v.x + yy * v.y + yz * v.z,
            xz * v.x + yz * v.y + zz * v.z,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashfall_geometry::random::Random;

    #[test]
    fn eigenvalues_map_as_those_of_the_inverse_and_the_square() {
        let mut random = Random::new(3);
        let mut number = || random.number(-1.0, 1.0) as Real;
        for _ in 0..1000 {
            let [u, v, w] = [0; 3].map(|_| Vec3::new(number(), number(), number()));
            let a = Tensor::outer(&u)
                + Tensor::outer(&v)
                + Tensor::outer(&w)
                + Tensor([0.1, 0.1, 0.1, 0.0, 0.0, 0.0]);
            let x = Vec3::new(number(), number(), number());
            let back = a.map_eigenvalues(|b| 1.0 / b) * (a * x);
            assert!((back - x).norm() < 1e-4, "{a:?}: {back} of {x}");
            assert!(a.is_positive() && !(a + Tensor::diagonal(-9.0)).is_positive(), "{a:?}");
            let back = a.inverse() * (a * x);
            assert!((back - x).norm() < 1e-4, "{a:?}: {back} of {x}");
            let square = a.squared();
            let mapped = a.map_eigenvalues(|b| b * b);
            for (s, m) in square.0.iter().zip(mapped.0) {
                assert!((s - m).abs() < 1e-4, "{a:?}");
            }
        }
    }
}
