//! The mobility of bodies in contact: how their twists answer wrenches while contacts hold.
//!
//! A solver of fluid pressures needs the bodies' answer as a linear map. At the solution of a
//! contact problem each contact is open, slides or sticks. As long as they stay so, V = V₀ + dt W
//! (f − f₀), where W is the motion under the constraints C V = const: all three components of the
//! relative velocity of a contact that sticks, the normal one of a contact that slides (its
//! friction stays what it is, which keeps W symmetric):
//!
//!   W = M⁻¹ − M⁻¹Cᵀ (C M⁻¹ Cᵀ)⁺ C M⁻¹.
//!
//! So a body that rests on the ground does not sink into it. W is symmetric and positive
//! semidefinite, and the pseudo-inverse takes constraints that say the same twice, as the corners
//! of a block do. Locks are within M⁻¹.
//!
//! Bodies without held contacts have their own 6×6 blocks. A small island is a dense matrix: with
//! M⁻¹ = S Sᵀ and Q an orthonormal basis of the rows of C S (Gram–Schmidt, twice), W = S Sᵀ −
//! (S Q)(S Q)ᵀ. A large one solves for the constraint impulses by conjugate gradients at each call
//! ([`super::held_island`]).
//!
//! Symbols: M mass matrix, C constraint rows, W mobility \[1/kg …\], f wrenches.

use super::contact_solver::{ContactSolver, ContactState};
use super::held_island::HeldIsland;
use super::islands::{IMMOBILE, Islands};
use super::rows::Row;
use crate::body::{InverseMass, Twist, Wrench};
use nalgebra::{DMatrix, DVector, Matrix3, Matrix6, Vector3, Vector6};

/// Bodies of the largest island that is a dense matrix.
pub(crate) const MAX_DENSE: usize = 24;
/// What is left of a row by others, as part of it, up to which it depends on them \[–\].
const DEPENDENT: f64 = 1e-9;

/// The linear map from wrenches to rates of change of twists, with contacts and locks held.
#[derive(Clone, Debug, Default)]
pub struct Mobility {
    /// Of each body without contacts.
    blocks: Vec<InverseMass>,
    dense: Vec<DenseIsland>,
    large: Vec<HeldIsland>,
}

/// An island whose map is a matrix.
#[derive(Clone, Debug)]
struct DenseIsland {
    bodies: Vec<u32>,
    matrix: DMatrix<f64>,
}

impl Mobility {
    /// Of bodies that nothing touches.
    pub(crate) fn of_free_bodies(blocks: &[InverseMass]) -> Self {
        Mobility { blocks: blocks.to_vec(), ..Mobility::default() }
    }

    /// At the solution of a contact problem; islands up to so many bodies are dense.
    pub(crate) fn at_solution(
        solver: &ContactSolver,
        blocks: &[InverseMass],
        max_dense: usize,
    ) -> Self {
        let mut mobility = Mobility::of_free_bodies(blocks);
        let Islands { bodies, ranges, .. } = &solver.islands;
        for (body_range, contact_range) in ranges {
            let states = &solver.states[contact_range.clone()];
            let rows = solver.rows[contact_range.clone()].iter().zip(states);
            let held: Vec<(Row, bool)> = rows
                .filter(|(_, state)| **state != ContactState::Open)
                .map(|(row, state)| (*row, *state == ContactState::Sticking))
                .collect();
            if held.is_empty() {
                continue;
            }
            let members = &bodies[body_range.clone()];
            let inverse_mass = &solver.inverse_mass[body_range.clone()];
            for &body in members {
                mobility.blocks[body as usize] = InverseMass::default();
            }
            if members.len() <= max_dense {
                let matrix = dense_matrix(inverse_mass, &held);
                mobility.dense.push(DenseIsland { bodies: members.to_vec(), matrix });
            } else {
                mobility.large.push(HeldIsland::new(members, inverse_mass, &held));
            }
        }
        mobility
    }

    /// The rate at which all twists change by a change of the wrenches, W f. One wrench and one
    /// twist for each body of the system, in its order.
    pub fn apply(&self, wrenches: &[Wrench], twists: &mut [Twist]) {
        for ((twist, block), wrench) in twists.iter_mut().zip(&self.blocks).zip(wrenches) {
            *twist = block.apply(wrench);
        }
        for island in &self.dense {
            island.apply(wrenches, twists);
        }
        for island in &self.large {
            island.apply(wrenches, twists);
        }
    }

    /// The 6×6 block of W of a body: how it answers a wrench of its own, with all others free of
    /// change. The diagonal of a pressure solver needs it.
    pub fn block(&self, body: usize) -> Matrix6<f64> {
        let member = |bodies: &[u32]| bodies.iter().position(|&k| k as usize == body);
        if let Some((island, k)) = self.dense.iter().find_map(|i| Some((i, member(&i.bodies)?))) {
            return island.matrix.fixed_view::<6, 6>(6 * k, 6 * k).into_owned();
        }
        if let Some((island, k)) = self.large.iter().find_map(|i| Some((i, member(i.bodies())?))) {
            return island.own_block(k);
        }
        block_matrix(&self.blocks[body])
    }
}

impl DenseIsland {
    fn apply(&self, wrenches: &[Wrench], twists: &mut [Twist]) {
        let mut sums = DVector::zeros(6 * self.bodies.len());
        for (k, &body) in self.bodies.iter().enumerate() {
            let Wrench { force, torque } = wrenches[body as usize];
            for (axis, x) in force.iter().chain(&torque).enumerate() {
                if *x != 0.0 {
                    sums.axpy(*x, &self.matrix.column(6 * k + axis), 1.0);
                }
            }
        }
        for (k, &body) in self.bodies.iter().enumerate() {
            let numbers: Vector6<f64> = sums.fixed_rows::<6>(6 * k).into_owned();
            twists[body as usize] = Twist {
                velocity: numbers.fixed_rows::<3>(0).into_owned(),
                spin: numbers.fixed_rows::<3>(3).into_owned(),
            };
        }
    }
}

/// diag(1/m, I⁻¹).
pub(crate) fn block_matrix(inverse: &InverseMass) -> Matrix6<f64> {
    let mut matrix = Matrix6::zeros();
    matrix.fixed_view_mut::<3, 3>(0, 0).set_diagonal(&inverse.linear);
    matrix.fixed_view_mut::<3, 3>(3, 3).copy_from(&inverse.angular);
    matrix
}

/// W of an island, of contacts that hold: all ways where told, else along the normal.
fn dense_matrix(inverse_mass: &[InverseMass], held: &[(Row, bool)]) -> DMatrix<f64> {
    let n = 6 * inverse_mass.len();
    let factors: Vec<[Matrix3<f64>; 2]> = inverse_mass.iter().map(square_root).collect();
    let basis = constraint_basis(&factors, held);
    let mut matrix = DMatrix::zeros(n, n);
    for (k, inverse) in inverse_mass.iter().enumerate() {
        matrix.fixed_view_mut::<6, 6>(6 * k, 6 * k).copy_from(&block_matrix(inverse));
    }
    if basis.len() == n {
        return DMatrix::zeros(n, n);
    }
    let mut column = DVector::zeros(n);
    for q in &basis {
        for (k, [linear, angular]) in factors.iter().enumerate() {
            let at = 6 * k;
            column.fixed_rows_mut::<3>(at).copy_from(&(linear * q.fixed_rows::<3>(at)));
            column.fixed_rows_mut::<3>(at + 3).copy_from(&(angular * q.fixed_rows::<3>(at + 3)));
        }
        matrix.ger(-1.0, &column, &column, 1.0);
    }
    matrix
}

/// An orthonormal basis of the rows of C S.
fn constraint_basis(factors: &[[Matrix3<f64>; 2]], held: &[(Row, bool)]) -> Vec<DVector<f64>> {
    let n = 6 * factors.len();
    let mut basis: Vec<DVector<f64>> = Vec::new();
    let axes = [Vector3::x(), Vector3::y(), Vector3::z()];
    for (row, sticks) in held {
        let directions = if *sticks { &axes[..] } else { std::slice::from_ref(&row.normal) };
        for direction in directions {
            if basis.len() == n {
                return basis;
            }
            let mut v = constraint_row(factors, row, direction);
            let length = v.norm();
            for _ in 0..2 {
                for q in &basis {
                    let along = q.dot(&v);
                    v.axpy(-along, q, 1.0);
                }
            }
            let rest = v.norm();
            if rest > DEPENDENT * length {
                basis.push(v / rest);
            }
        }
    }
    basis
}

/// The row of C S of the relative velocity at a contact in a direction.
fn constraint_row(
    factors: &[[Matrix3<f64>; 2]],
    row: &Row,
    direction: &Vector3<f64>,
) -> DVector<f64> {
    let mut v = DVector::zeros(6 * factors.len());
    for ((body, arm), sign) in row.bodies.into_iter().zip(&row.arms).zip([-1.0, 1.0]) {
        if body != IMMOBILE {
            let [linear, angular] = &factors[body as usize];
            let at = 6 * body as usize;
            v.fixed_rows_mut::<3>(at).copy_from(&(linear.tr_mul(direction) * sign));
            let turn = angular.tr_mul(&arm.cross(direction)) * sign;
            v.fixed_rows_mut::<3>(at + 3).copy_from(&turn);
        }
    }
    v
}

/// The blocks of S with S Sᵀ = M⁻¹: the root along the axes, and Cholesky's factor of the spins, in
/// which a locked axis has zeros.
pub(crate) fn square_root(inverse: &InverseMass) -> [Matrix3<f64>; 2] {
    let a = &inverse.angular;
    let mut l: Matrix3<f64> = Matrix3::zeros();
    for j in 0..3 {
        let done: f64 = (0..j).map(|k| l[(j, k)] * l[(j, k)]).sum();
        let pivot = a[(j, j)] - done;
        if a[(j, j)] == 0.0 || pivot <= 0.0 {
            continue;
        }
        l[(j, j)] = pivot.sqrt();
        for i in j + 1..3 {
            let done: f64 = (0..j).map(|k| l[(i, k)] * l[(j, k)]).sum();
            l[(i, j)] = (a[(i, j)] - done) / l[(j, j)];
        }
    }
    [Matrix3::from_diagonal(&inverse.linear.map(f64::sqrt)), l]
}
