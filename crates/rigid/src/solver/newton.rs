//! Newton's method with an augmented Lagrangian for the contact problem of a small island.
//!
//! Sweeps and gradients converge slowly where bodies wedge each other or stand in high stacks; an
//! island of few bodies is then finished by second order. With V = V₀ + S z and M⁻¹ = S Sᵀ the
//! method of multipliers minimises, for the impulses p and sliding speeds s of the last round,
//!
//!   φ(z) = ½ |z|² + Σ d/(2ρ) |Π(p − ρ/d (u(z) + n s))|²,
//!
//! and takes p = Π(p − ρ/d (u + n s)) and s = μ|u_t| for the next (Rockafellar 1976; the fixed
//! point in s as in [`super::apgd`]). φ is convex and once differentiable, its gradient piecewise
//! smooth: Newton steps with the generalised Hessian 1 + Σ (J S)ᵀ (ρ/d) ∂Π J S, and halving. The
//! more ρ, the fewer rounds; impulses that bodies cannot tell apart do not matter.
//!
//! Symbols: z scaled change of the twists, S root of M⁻¹, ρ penalty \[–\], the rest as in
//! [`super::apgd`].

use super::apgd::{Apgd, Convergence, Solved};
use super::cone::project;
use super::islands::IMMOBILE;
use super::mass_blocks::square_root;
use super::rows::Row;
use nalgebra::{Cholesky, DMatrix, DVector, Matrix3, Matrix3x6, Vector3};

/// Bodies of the largest island that it is for.
pub(crate) const MAX_BODIES: usize = 16;
/// ρ.
const PENALTY: f64 = 1e4;
/// The most Newton steps of a round.
const MAX_STEPS: u32 = 30;
/// Halvings of a Newton step, at most.
const MAX_HALVINGS: u32 = 30;
/// The decrease of φ that a step must have, as part of what its slope says (Armijo).
const DECREASE: f64 = 1e-4;
/// The gradient of φ at which a round ends, as part of the tolerance of the problem \[–\].
const INNER_RATIO: f64 = 1e-2;

/// The iteration on an island.
pub(crate) struct Newton<'a, 'b> {
    problem: &'b mut Apgd<'a>,
    /// J S of both bodies of each contact.
    jacobians: Vec<[Matrix3x6<f64>; 2]>,
    z: DVector<f64>,
    impulses: Vec<Vector3<f64>>,
}

impl<'a, 'b> Newton<'a, 'b> {
    /// From the impulses and sliding speeds that a problem has.
    pub(crate) fn new(problem: &'b mut Apgd<'a>) -> Self {
        let factors: Vec<[Matrix3<f64>; 2]> =
            problem.bodies.inverse_mass.iter().map(square_root).collect();
        let jacobians: Vec<[Matrix3x6<f64>; 2]> = problem
            .rows
            .iter()
            .map(|row| {
                let side = |k: usize, sign: f64| scaled_jacobian(row, k, &factors) * sign;
                [side(0, -1.0), side(1, 1.0)]
            })
            .collect();
        let n = 6 * factors.len();
        let impulses = vec![Vector3::zeros(); jacobians.len()];
        Newton { problem, jacobians, z: DVector::zeros(n), impulses }
    }

    /// Goes on with `solved` until the problem is solved or the iterations are spent.
    pub(crate) fn solve(&mut self, convergence: &Convergence, solved: &mut Solved) {
        let goal = convergence.tolerance * solved.speed;
        self.z = self.scaled_change(self.problem.vectors.p);
        while solved.residual > goal && solved.iterations < convergence.max_iterations {
            self.minimize(goal * INNER_RATIO, convergence.max_iterations, solved);
            // A round counts, even if it finds nothing to do.
            solved.iterations += 1;
            self.problem.vectors.p.copy_from_slice(&self.impulses);
            self.problem.update_gradient();
            self.problem.update_sliding();
            solved.residual = self.problem.coulomb_residual();
        }
    }

    /// Minimises φ; `impulses` are then those of the next round.
    fn minimize(&mut self, goal: f64, max_iterations: u32, solved: &mut Solved) {
        let mut value = self.evaluate(&self.z.clone());
        for _ in 0..MAX_STEPS {
            let gradient = &self.z - self.scaled_change(&self.impulses);
            // A change of z is a momentum over √m: its speed needs the smallest mass of all.
            let speed = gradient.amax() * self.root_scale();
            if speed <= goal || solved.iterations >= max_iterations {
                return;
            }
            solved.iterations += 1;
            let Some(factor) = Cholesky::new(self.hessian()) else { return };
            let step = -factor.solve(&gradient);
            let slope = gradient.dot(&step);
            let mut length = 1.0;
            for _ in 0..MAX_HALVINGS {
                let next = &self.z + &step * length;
                let found = self.evaluate(&next);
                if found <= value + DECREASE * length * slope + f64::EPSILON * value.abs() {
                    (self.z, value) = (next, found);
                    break;
                }
                length *= 0.5;
            }
        }
    }

    /// φ at `z`; the impulses there.
    fn evaluate(&mut self, z: &DVector<f64>) -> f64 {
        let mut value = 0.5 * z.norm_squared();
        for i in 0..self.jacobians.len() {
            let row = &self.problem.rows[i];
            self.impulses[i] = project(&self.target(i, z), &row.normal, row.friction);
            value += row.metric / (2.0 * PENALTY) * self.impulses[i].norm_squared();
        }
        value
    }

    /// p − ρ/d (u + n s) of a contact at `z`.
    fn target(&self, i: usize, z: &DVector<f64>) -> Vector3<f64> {
        let (row, v) = (&self.problem.rows[i], &self.problem.vectors);
        let mut u = v.drive[i] + row.normal * v.sliding[i];
        for (body, jacobian) in row.bodies.into_iter().zip(&self.jacobians[i]) {
            if body != IMMOBILE {
                u += jacobian * z.fixed_rows::<6>(6 * body as usize);
            }
        }
        v.p[i] - u * (PENALTY / row.metric)
    }

    /// (J S)ᵀ p.
    fn scaled_change(&self, p: &[Vector3<f64>]) -> DVector<f64> {
        let mut sum = DVector::zeros(self.z.len());
        for ((row, jacobians), p) in self.problem.rows.iter().zip(&self.jacobians).zip(p) {
            for (body, jacobian) in row.bodies.into_iter().zip(jacobians) {
                if body != IMMOBILE {
                    let mut part = sum.fixed_rows_mut::<6>(6 * body as usize);
                    part += jacobian.tr_mul(p);
                }
            }
        }
        sum
    }

    /// The largest root of an inverse mass.
    fn root_scale(&self) -> f64 {
        let inverse = self.problem.bodies.inverse_mass.iter();
        inverse.map(|inverse| inverse.linear.amax()).fold(0.0, f64::max).sqrt()
    }

    /// 1 + Σ (J S)ᵀ (ρ/d) ∂Π J S at the present z.
    fn hessian(&self) -> DMatrix<f64> {
        let mut hessian = DMatrix::identity(self.z.len(), self.z.len());
        for (i, row) in self.problem.rows.iter().enumerate() {
            let slope = projection_slope(&self.target(i, &self.z), row) * (PENALTY / row.metric);
            for (a, left) in row.bodies.into_iter().zip(&self.jacobians[i]) {
                for (b, right) in row.bodies.into_iter().zip(&self.jacobians[i]) {
                    if a != IMMOBILE && b != IMMOBILE {
                        let [a, b] = [a, b].map(|body| 6 * body as usize);
                        let mut block = hessian.fixed_view_mut::<6, 6>(a, b);
                        block += left.tr_mul(&(slope * right));
                    }
                }
            }
        }
        hessian
    }
}

/// How the projection on the cone of a contact changes at `x`: a symmetric matrix from 0 to 1.
fn projection_slope(x: &Vector3<f64>, row: &Row) -> Matrix3<f64> {
    let (n, mu) = (&row.normal, row.friction);
    let along = n.dot(x);
    let across = x - n * along;
    let length = across.norm();
    if mu == 0.0 {
        return if along > 0.0 { n * n.transpose() } else { Matrix3::zeros() };
    }
    if length <= mu * along {
        return Matrix3::identity();
    }
    let onto = (along + mu * length) / (1.0 + mu * mu);
    if onto <= 0.0 {
        return Matrix3::zeros();
    }
    let t = across / length;
    let mantle = n + t * mu;
    let round = Matrix3::identity() - n * n.transpose() - t * t.transpose();
    mantle * mantle.transpose() / (1.0 + mu * mu) + round * (mu * onto / length)
}

/// The velocity at the contact by the scaled change of its body number `side`.
fn scaled_jacobian(row: &Row, side: usize, factors: &[[Matrix3<f64>; 2]]) -> Matrix3x6<f64> {
    let mut jacobian = Matrix3x6::zeros();
    if row.bodies[side] != IMMOBILE {
        let [linear, angular] = &factors[row.bodies[side] as usize];
        jacobian.fixed_view_mut::<3, 3>(0, 0).copy_from(linear);
        let turn = -row.arms[side].cross_matrix() * angular;
        jacobian.fixed_view_mut::<3, 3>(0, 3).copy_from(&turn);
    }
    jacobian
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashfall_core::geometry::random::Random;

    #[test]
    fn the_slope_of_the_projection_is_its_difference_quotient() {
        let mut random = Random::new(31);
        let mut seen = [0; 3];
        for case in 0..300 {
            let row = Row {
                bodies: [IMMOBILE; 2],
                normal: random.direction(),
                arms: [Vector3::zeros(); 2],
                friction: [0.0, 0.3, 1.2][case % 3],
                metric: 1.0,
            };
            let x = random.point(-1.0, 1.0);
            let slope = projection_slope(&x, &row);
            for axis in [Vector3::x(), Vector3::y(), Vector3::z()] {
                let at = |h: f64| project(&(x + axis * h), &row.normal, row.friction);
                let quotient = (at(1e-6) - at(-1e-6)) / 2e-6;
                assert!((quotient - slope * axis).norm() < 1e-6, "case {case}");
            }
            let rank = slope.symmetric_eigenvalues().iter().filter(|x| **x > 1e-9).count();
            seen[rank.min(2)] += 1;
        }
        assert!(seen.iter().all(|&count| count > 20), "{seen:?}");
    }
}
