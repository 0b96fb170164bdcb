//! How velocities change over a particle's neighbourhood, as rows: Σⱼ sᵢⱼ vᵢⱼ xᵢⱼᵀ.
//!
//! Rows of four hold three entries of it each, as products of registers give them:
//! (ux, vy, wz), (uy, vz, wx), (uz, vx, wy).

use crate::step::pairs::neighborhood::Neighborhood;
use crate::step::pairs::tensor::Tensor;
use hashfall_core::simd::F32x8;
use hashfall_core::{Real, Vec3};
use nalgebra::Matrix3;

/// Adds s u xᵀ to its three sums; returns s u.
#[inline(always)]
pub fn add_rates<V: F32x8>(sums: &mut [V], u: V, x: V, slope: V) -> V {
    let u = slope * u;
    sums[0] += u * x;
    sums[1] += u * x.rotate_left();
    sums[2] += u * x.rotate_right();
    u
}

/// The divergence D of particle `i` of this velocity by its sums: 2 (u − v)·L ∇λ of the solids near
/// it, with `flux` for the part of their velocities u \[1/s\], less V L : Σ s v xᵀ.
#[inline(always)]
pub fn divergence(
    neighborhood: &Neighborhood,
    i: usize,
    correction: &Tensor,
    velocity: &Vec3,
    flux: Real,
    rates: &[[Real; 4]; 3],
) -> Real {
    let walls = *correction * (neighborhood.boundary.gradient[i] * 2.0);
    flux - walls.dot(velocity) - neighborhood.volume * contract(rates, correction)
}

/// L : Σ s v xᵀ.
#[inline(always)]
fn contract(rates: &[[Real; 4]; 3], correction: &Tensor) -> Real {
    let [[ux, vy, wz, _], [uy, vz, wx, _], [uz, vx, wy, _]] = *rates;
    let symmetric = [ux, vy, wz, 0.5 * (uy + vx), 0.5 * (uz + wx), 0.5 * (vz + wy)];
    correction.contract(&Tensor(symmetric))
}

/// The rows of the matrix of such sums.
#[inline(always)]
pub fn matrix_rows(rates: &[[Real; 4]; 3]) -> [Vec3; 3] {
    let [[ux, vy, wz, _], [uy, vz, wx, _], [uz, vx, wy, _]] = *rates;
    [Vec3::new(ux, uy, uz), Vec3::new(vx, vy, vz), Vec3::new(wx, wy, wz)]
}

/// The rows of a matrix, which [`rates_times`] takes: its cyclic diagonals.
#[inline]
pub fn cyclic_rows(m: &Matrix3<Real>) -> [[Real; 4]; 3] {
    [
        [m[(0, 0)], m[(1, 1)], m[(2, 2)], 0.0],
        [m[(0, 1)], m[(1, 2)], m[(2, 0)], 0.0],
        [m[(0, 2)], m[(1, 0)], m[(2, 1)], 0.0],
    ]
}

/// The matrix of such rows of a particle times x.
#[inline]
pub fn cyclic_times([first, second, third]: [&[Real; 4]; 3], x: &Vec3) -> Vec3 {
    Vec3::new(
        first[0] * x.x + second[0] * x.y + third[0] * x.z,
        first[1] * x.y + second[1] * x.z + third[1] * x.x,
        first[2] * x.z + second[2] * x.x + third[2] * x.y,
    )
}

/// The matrix of such rows times x.
#[inline(always)]
pub fn rates_times<V: F32x8>([first, second, third]: [V; 3], x: V) -> V {
    first * x + second * x.rotate_left() + third * x.rotate_right()
}
