//! The mobility of a large island, by conjugate gradients at each call.
//!
//! The constraint impulses λ that keep C V make C M⁻¹ Cᵀ λ = −C M⁻¹ f. The matrix is symmetric and
//! positive semidefinite, and the right-hand side lies in its range: conjugate gradients in the
//! metric of [`super::rows`] converge whether or not constraints say the same twice. A constraint
//! vector of a contact stands in the world's axes, and has only the part along the normal where it
//! slides.
//!
//! Symbols: C constraint rows, M mass matrix, λ impulses \[N s\], d metric \[1/kg\].

use super::mass_blocks::block_matrix;
use super::rows::{IslandBodies, Row, relative_velocity};
use crate::body::InverseMass;
use hashfall_bodies::{Twist, Wrench};
use nalgebra::{Matrix6, Vector3};

/// The residual at which λ is found, as part of the right-hand side \[–\].
const TOLERANCE: f64 = 1e-12;
/// Iterations for each unknown, at most; rounding makes it more than one.
const MAX_ROUNDS: usize = 4;

/// An island with the contacts that hold.
#[derive(Clone, Debug)]
pub(crate) struct HeldIsland {
    bodies: Vec<u32>,
    inverse_mass: Vec<InverseMass>,
    rows: Vec<Row>,
    sticks: Vec<bool>,
}

impl HeldIsland {
    /// Of bodies of the system, their inverse masses, and the contacts that hold: all ways where
    /// told, else along the normal.
    pub(crate) fn new(bodies: &[u32], inverse_mass: &[InverseMass], held: &[(Row, bool)]) -> Self {
        HeldIsland {
            bodies: bodies.to_vec(),
            inverse_mass: inverse_mass.to_vec(),
            rows: held.iter().map(|(row, _)| *row).collect(),
            sticks: held.iter().map(|(_, sticks)| *sticks).collect(),
        }
    }

    /// Its bodies, by their indices in the system.
    pub(crate) fn bodies(&self) -> &[u32] {
        &self.bodies
    }

    /// The rates at which its twists change by wrenches on all bodies of the system.
    pub(crate) fn apply(&self, wrenches: &[Wrench], twists: &mut [Twist]) {
        let own: Vec<Wrench> = self.bodies.iter().map(|&body| wrenches[body as usize]).collect();
        for (&body, twist) in self.bodies.iter().zip(self.solve(&own)) {
            twists[body as usize] = twist;
        }
    }

    /// The block of W of its body number `k`.
    pub(crate) fn own_block(&self, k: usize) -> Matrix6<f64> {
        let mut block = block_matrix(&self.inverse_mass[k]);
        for axis in 0..6 {
            let mut wrenches = vec![Wrench::default(); self.bodies.len()];
            let Wrench { force, torque } = &mut wrenches[k];
            if axis < 3 {
                force[axis] = 1.0
            } else {
                torque[axis - 3] = 1.0
            }
            let Twist { velocity, spin } = self.solve(&wrenches)[k];
            block.fixed_view_mut::<3, 1>(0, axis).copy_from(&velocity);
            block.fixed_view_mut::<3, 1>(3, axis).copy_from(&spin);
        }
        block
    }

    /// The twists' rates by wrenches on its bodies.
    fn solve(&self, wrenches: &[Wrench]) -> Vec<Twist> {
        let n = self.rows.len();
        let free: Vec<Twist> =
            self.inverse_mass.iter().zip(wrenches).map(|(m, w)| m.apply(w)).collect();
        let mut impulse = vec![Wrench::default(); self.bodies.len()];
        let mut change = vec![Twist::default(); self.bodies.len()];
        let mut bodies = IslandBodies {
            inverse_mass: &self.inverse_mass,
            impulse: &mut impulse,
            change: &mut change,
        };
        let mut lambda = vec![Vector3::zeros(); n];
        let mut residual: Vec<Vector3<f64>> =
            (0..n).map(|i| -self.held_part(i, &relative_velocity(&self.rows[i], &free))).collect();
        let mut z = self.scaled(&residual);
        let mut p = z.clone();
        let mut ap = vec![Vector3::zeros(); n];
        let mut rz = dot(&residual, &z);
        let goal = rz * TOLERANCE * TOLERANCE;
        for _ in 0..3 * n * MAX_ROUNDS {
            if rz <= goal {
                break;
            }
            bodies.respond(&self.rows, &p);
            for (i, ap) in ap.iter_mut().enumerate() {
                *ap = self.held_part(i, &bodies.relative_velocity(&self.rows[i]));
            }
            let p_ap = dot(&p, &ap);
            if p_ap <= 0.0 {
                break;
            }
            let alpha = rz / p_ap;
            for i in 0..n {
                lambda[i] += p[i] * alpha;
                residual[i] -= ap[i] * alpha;
            }
            z = self.scaled(&residual);
            let next = dot(&residual, &z);
            let beta = next / rz;
            for i in 0..n {
                p[i] = z[i] + p[i] * beta;
            }
            rz = next;
        }
        bodies.respond(&self.rows, &lambda);
        free.iter().zip(&change).map(|(free, change)| *free + *change).collect()
    }

    /// What of a velocity the contact number `i` holds.
    fn held_part(&self, i: usize, u: &Vector3<f64>) -> Vector3<f64> {
        let normal = &self.rows[i].normal;
        if self.sticks[i] { *u } else { normal * normal.dot(u) }
    }

    /// D⁻¹ r.
    fn scaled(&self, r: &[Vector3<f64>]) -> Vec<Vector3<f64>> {
        r.iter().zip(&self.rows).map(|(r, row)| r / row.metric).collect()
    }
}

fn dot(a: &[Vector3<f64>], b: &[Vector3<f64>]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a.dot(b)).sum()
}
