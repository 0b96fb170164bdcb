//! The contacts of an island as the matrix N of its problem, which is never formed.
//!
//! Impulses p of contacts make wrenches Jᵀp on the bodies, these the twists M⁻¹Jᵀp, and these the
//! relative velocities N p = J M⁻¹ Jᵀ p at the contacts. All three stand in the world's axes.
//!
//! The metric of a contact scales its steps (Jacobi): d = k₁ tr K₁/3 + k₂ tr K₂/3, where K₁ and K₂
//! say how its bodies answer an impulse at the point and k₁, k₂ count their contacts. With λ_max
//! in place of tr/3 N would be at most D (by Cauchy & Schwarz on each body), so that the largest
//! eigenvalue of D⁻¹N is about one or less whatever the masses and sizes. It is one number for all
//! three directions: in such a metric a friction cone is still round.
//!
//! Symbols: p impulses \[N s\], J from twists to relative velocities of the second body at each
//! point, M mass matrix, d metric \[1/kg\].

use super::islands::IMMOBILE;
use crate::body::InverseMass;
use hashfall_bodies::{Twist, Wrench};
use nalgebra::Vector3;

/// A contact point of an island.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    /// Places of its bodies in the island, or [`IMMOBILE`].
    pub(crate) bodies: [u32; 2],
    /// n, from the first body to the second.
    pub(crate) normal: Vector3<f64>,
    /// From the centres of both bodies to the point \[m\].
    pub(crate) arms: [Vector3<f64>; 2],
    /// μ \[–\].
    pub(crate) friction: f64,
    /// d \[1/kg\].
    pub(crate) metric: f64,
}

/// The bodies of an island and what its contacts do to them.
pub(crate) struct IslandBodies<'a> {
    pub(crate) inverse_mass: &'a [InverseMass],
    /// Jᵀp.
    pub(crate) impulse: &'a mut [Wrench],
    /// M⁻¹Jᵀp.
    pub(crate) change: &'a mut [Twist],
}

impl IslandBodies<'_> {
    /// The twists that impulses make.
    pub(crate) fn respond(&mut self, rows: &[Row], p: &[Vector3<f64>]) {
        self.impulse.fill(Wrench::default());
        for (row, p) in rows.iter().zip(p) {
            let [a, b] = row.bodies;
            if a != IMMOBILE {
                self.impulse[a as usize] += Wrench::from_force_at(-p, &row.arms[0]);
            }
            if b != IMMOBILE {
                self.impulse[b as usize] += Wrench::from_force_at(*p, &row.arms[1]);
            }
        }
        for ((change, inverse), impulse) in
            self.change.iter_mut().zip(self.inverse_mass).zip(&*self.impulse)
        {
            *change = inverse.apply(impulse);
        }
    }

    /// The relative velocity at a contact by the twists of its bodies.
    pub(crate) fn relative_velocity(&self, row: &Row) -> Vector3<f64> {
        relative_velocity(row, self.change)
    }
}

/// The velocity of the second body relative to the first at a contact, of those that move.
#[inline]
pub(crate) fn relative_velocity(row: &Row, twists: &[Twist]) -> Vector3<f64> {
    let [a, b] = row.bodies;
    let mut relative = Vector3::zeros();
    if b != IMMOBILE {
        relative += twists[b as usize].velocity_at(&row.arms[1]);
    }
    if a != IMMOBILE {
        relative -= twists[a as usize].velocity_at(&row.arms[0]);
    }
    relative
}

/// Sets the metric of all contacts of an island; `counts` is a buffer.
pub(crate) fn set_metric(rows: &mut [Row], inverse_mass: &[InverseMass], counts: &mut Vec<u32>) {
    counts.clear();
    counts.resize(inverse_mass.len(), 0);
    for row in rows.iter() {
        for body in row.bodies.into_iter().filter(|&body| body != IMMOBILE) {
            counts[body as usize] += 1;
        }
    }
    for row in rows {
        row.metric = 0.0;
        for (body, arm) in row.bodies.into_iter().zip(&row.arms) {
            if body != IMMOBILE {
                let trace = inverse_mass[body as usize].at(arm).trace();
                row.metric += f64::from(counts[body as usize]) * trace / 3.0;
            }
        }
    }
}
