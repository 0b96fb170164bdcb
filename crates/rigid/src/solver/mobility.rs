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
//! Bodies without held contacts have their own 6×6 blocks. Bodies that contacts hold together are
//! a dense matrix, if there are few: with M⁻¹ = S Sᵀ and P the projection on what the rows of C S
//! leave free, W = S P Sᵀ, and P is found from the identity, one row at a time. Many are solved for
//! by conjugate gradients at each call ([`super::held_island`]), or cut into parts of which each is
//! a matrix ([`super::held_parts`]): that answers by more than W where contacts between parts hold.
//! Matrices whose contacts hold as before are taken over.
//!
//! Symbols: M mass matrix, C constraint rows, W mobility \[1/kg …\], f wrenches.

use super::contact_solver::{ContactSolver, ContactState};
use super::held_island::HeldIsland;
use super::held_parts::{Held, Part, parts};
use super::islands::{IMMOBILE, Islands};
use super::mass_blocks::{block_matrix, square_root};
use super::rows::Row;
use crate::body::InverseMass;
use hashfall_bodies::{Twist, Wrench};
use hashfall_core::parallel;
use nalgebra::{DMatrix, DVector, Matrix3, Matrix6, Vector3, Vector6};
use std::sync::Arc;

/// Bodies of the largest set that is a dense matrix.
pub(crate) const MAX_DENSE: usize = 24;
/// What is left of a row by others, as part of it, up to which it depends on them \[–\].
const DEPENDENT: f64 = 1e-9;
/// The same where rounding asks for a second projection.
const INEXACT: f64 = 1e-3;
/// Parts a thread makes at a time.
const CHUNK: usize = 8;

/// The linear map from wrenches to rates of change of twists, with contacts and locks held.
#[derive(Clone, Debug, Default)]
pub struct Mobility {
    /// Of each body without contacts.
    blocks: Vec<InverseMass>,
    dense: Vec<Arc<DenseIsland>>,
    large: Vec<HeldIsland>,
}

/// A set of bodies whose map is a matrix.
#[derive(Clone, Debug)]
struct DenseIsland {
    bodies: Vec<u32>,
    matrix: DMatrix<f64>,
    /// What it follows from.
    inverse_mass: Vec<InverseMass>,
    held: Vec<Held>,
}

impl Mobility {
    /// Of bodies that nothing touches.
    pub(crate) fn of_free_bodies(blocks: &[InverseMass]) -> Self {
        Mobility { blocks: blocks.to_vec(), ..Mobility::default() }
    }

    /// At the solution of a contact problem; sets of up to `max_dense` bodies are matrices.
    pub(crate) fn at_solution(
        solver: &ContactSolver,
        blocks: &[InverseMass],
        max_dense: usize,
    ) -> Self {
        let mut mobility = Mobility::of_free_bodies(blocks);
        let found = mobility.hold(solver, usize::MAX);
        let (small, large): (Vec<_>, Vec<_>) =
            found.into_iter().partition(|(_, part)| part.bodies.len() <= max_dense);
        mobility.dense = dense_islands(&small, &Mobility::default(), blocks);
        mobility.large = large
            .iter()
            .map(|(bodies, part)| {
                let own: Vec<_> = bodies.iter().map(|&body| blocks[body as usize]).collect();
                HeldIsland::new(bodies, &own, &part.held)
            })
            .collect();
        mobility
    }

    /// The same, or more where more than `max_bodies` hold each other; takes over what it can of
    /// the `last` one.
    pub(crate) fn bounding(
        solver: &ContactSolver,
        blocks: &[InverseMass],
        max_bodies: usize,
        last: &Mobility,
    ) -> Self {
        let mut mobility = Mobility::of_free_bodies(blocks);
        let found = mobility.hold(solver, max_bodies);
        mobility.dense = dense_islands(&found, last, blocks);
        mobility
    }

    /// The bodies that contacts hold, with these, in parts; they have no blocks of their own.
    fn hold(&mut self, solver: &ContactSolver, max_bodies: usize) -> Vec<(Vec<u32>, Part)> {
        let Islands { bodies, ranges, .. } = &solver.islands;
        let mut found = Vec::new();
        for (body_range, contact_range) in ranges {
            let states = &solver.states[contact_range.clone()];
            let rows = solver.rows[contact_range.clone()].iter().zip(states);
            let held: Vec<Held> = rows
                .filter(|(_, state)| **state != ContactState::Open)
                .map(|(row, state)| (*row, *state == ContactState::Sticking))
                .collect();
            let members = &bodies[body_range.clone()];
            for part in parts(members.len(), &held, max_bodies) {
                let own: Vec<u32> = part.bodies.iter().map(|&k| members[k as usize]).collect();
                own.iter().for_each(|&body| self.blocks[body as usize] = InverseMass::default());
                found.push((own, part));
            }
        }
        found
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

    /// The 6×6 blocks of W of all bodies: how each answers a wrench of its own, with all others
    /// free of change. The diagonal of a pressure solver needs them.
    pub fn blocks(&self) -> Vec<Matrix6<f64>> {
        let mut found: Vec<_> = self.blocks.iter().map(block_matrix).collect();
        for island in &self.dense {
            for (k, &body) in island.bodies.iter().enumerate() {
                found[body as usize] = island.matrix.fixed_view::<6, 6>(6 * k, 6 * k).into_owned();
            }
        }
        for island in &self.large {
            for (k, &body) in island.bodies().iter().enumerate() {
                found[body as usize] = island.own_block(k);
            }
        }
        found
    }
}

/// The matrices of parts, by the blocks of all bodies; those of `last` whose contacts hold as
/// before.
fn dense_islands(
    parts: &[(Vec<u32>, Part)],
    last: &Mobility,
    blocks: &[InverseMass],
) -> Vec<Arc<DenseIsland>> {
    // By the first body.
    let mut known: Vec<Option<&Arc<DenseIsland>>> = vec![None; blocks.len()];
    for island in &last.dense {
        if let Some(entry) = island.bodies.first().and_then(|&k| known.get_mut(k as usize)) {
            *entry = Some(island);
        }
    }
    let make = |k: usize| {
        let (bodies, part) = &parts[k];
        let inverse_mass: Vec<_> = bodies.iter().map(|&body| blocks[body as usize]).collect();
        let last = bodies.first().and_then(|&k| known[k as usize]);
        let is_same = |it: &&Arc<DenseIsland>| {
            it.bodies == *bodies && it.inverse_mass == inverse_mass && hold_alike(&it.held, part)
        };
        last.filter(is_same).cloned().unwrap_or_else(|| {
            let matrix = dense_matrix(&inverse_mass, &part.held);
            let held = part.held.clone();
            Arc::new(DenseIsland { bodies: bodies.clone(), matrix, inverse_mass, held })
        })
    };
    parallel::map_by(parts.len(), CHUNK, make)
}

/// Whether contacts are those of a part.
fn hold_alike(held: &[Held], part: &Part) -> bool {
    let same = |((a, sticks), (b, other)): (&Held, &Held)| {
        sticks == other && a.bodies == b.bodies && a.normal == b.normal && a.arms == b.arms
    };
    held.len() == part.held.len() && held.iter().zip(&part.held).all(same)
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

/// W of a set of bodies, of contacts that hold: all ways where told, else along the normal.
fn dense_matrix(inverse_mass: &[InverseMass], held: &[Held]) -> DMatrix<f64> {
    let n = 6 * inverse_mass.len();
    let factors: Vec<[Matrix3<f64>; 2]> = inverse_mass.iter().map(square_root).collect();
    let Some(mut matrix) = free_motions(&factors, held) else { return DMatrix::zeros(n, n) };
    // S P Sᵀ, one side at a time.
    for _ in 0..2 {
        for (k, [linear, angular]) in factors.iter().enumerate() {
            for (at, factor) in [(6 * k, linear), (6 * k + 3, angular)] {
                let rows = factor * matrix.fixed_rows::<3>(at);
                matrix.fixed_rows_mut::<3>(at).copy_from(&rows);
            }
        }
        matrix.transpose_mut();
    }
    matrix
}

/// P, the projection on the motions that the rows of C S leave free; none if nothing is left.
fn free_motions(factors: &[[Matrix3<f64>; 2]], held: &[Held]) -> Option<DMatrix<f64>> {
    let n = 6 * factors.len();
    let mut projection = DMatrix::identity(n, n);
    let mut rank = 0;
    let axes = [Vector3::x(), Vector3::y(), Vector3::z()];
    for (row, sticks) in held {
        let directions = if *sticks { &axes[..] } else { std::slice::from_ref(&row.normal) };
        for direction in directions {
            let constraint = constraint_row(factors, row, direction);
            let mut v = DVector::zeros(n);
            let mut length = 0.0;
            for (at, x) in constraint.iter().enumerate().filter(|(_, x)| **x != 0.0) {
                v.axpy(*x, &projection.column(at), 1.0);
                length += x * x;
            }
            let mut rest = v.norm_squared();
            if rest <= DEPENDENT * DEPENDENT * length {
                continue;
            }
            if rest <= INEXACT * INEXACT * length {
                v = &projection * v;
                rest = v.norm_squared();
            }
            rank += 1;
            if rank == n {
                return None;
            }
            projection.ger(-1.0 / rest, &v, &v, 1.0);
        }
    }
    Some(projection)
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
