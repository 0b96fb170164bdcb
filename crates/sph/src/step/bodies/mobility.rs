//! How bodies answer wrenches: the linear map from impulses to twists.
//!
//! What holds a body, be it a lock, another body or a joint, belongs into this map. A body that is
//! stopped after the pressures are known makes a wrong flow for ever: the fluid sees it fall by
//! (ρ/ρ_s − 1) g dt in each step.
//!
//! Symbols: W mobility \[1/kg, 1/(kg m), 1/(kg m²)\], R orientation \[–\], ρ, ρ_s densities of
//! fluid and solid \[kg/m³\]. Wrenches and torques are about the bodies' centres of mass.

use crate::world::{FreeBody, World};
use hashfall_bodies::{Twist, Wrench};
use hashfall_solid::BodyState;
use nalgebra::{Matrix3, Matrix6};
use std::fmt::Debug;

/// A symmetric positive semidefinite map from the impulses on all free bodies to the changes of
/// their twists.
pub trait Mobility: Debug + Send + Sync {
    /// Writes W times `wrenches`, one for each free body.
    fn apply(&self, wrenches: &[Wrench], twists: &mut [Twist]);

    /// What an impulse on a body alone does to itself, or somewhat more.
    fn block(&self, body: usize) -> &Matrix6<f64>;
}

/// That of bodies which nothing holds but locks.
#[derive(Clone, Debug, Default)]
pub struct IndependentBodies {
    blocks: Vec<Matrix6<f64>>,
}

impl IndependentBodies {
    /// Takes the bodies as they are turned now, in a step that began at a time \[s\].
    pub fn update(&mut self, world: &World, start: f64) {
        self.blocks.clear();
        self.blocks.extend(world.free_bodies.iter().map(|free| {
            let state = world.solids.body_state(free.body);
            match state.filter(|_| !free.is_held(start)) {
                Some(state) => inverse_mass(free, state),
                None => Matrix6::zeros(),
            }
        }));
    }
}

impl Mobility for IndependentBodies {
    fn apply(&self, wrenches: &[Wrench], twists: &mut [Twist]) {
        for ((twist, block), wrench) in twists.iter_mut().zip(&self.blocks).zip(wrenches) {
            *twist = Twist::from_vector(&(block * wrench.to_vector()));
        }
    }

    fn block(&self, body: usize) -> &Matrix6<f64> {
        &self.blocks[body]
    }
}

/// I in the axes of the world \[kg m²\].
pub fn world_inertia(free: &FreeBody, state: &BodyState) -> Matrix3<f64> {
    let turn = state.orientation.matrix();
    turn * free.inertia * turn.transpose()
}

/// Pᵀ (P I Pᵀ)⁻¹ P with P the projection on the axes that are not locked.
pub fn unlocked_inverse(inertia: &Matrix3<f64>, locks: [bool; 3]) -> Matrix3<f64> {
    let is_free = |i: usize, j: usize| !locks[i] && !locks[j];
    let scale = inertia.diagonal().amax();
    // A diagonal in place of what is locked, which is cut off again.
    let cut = Matrix3::from_fn(|i, j| match (is_free(i, j), i == j) {
        (true, _) => inertia[(i, j)],
        (false, true) => scale,
        (false, false) => 0.0,
    });
    let inverse = cut.try_inverse().unwrap_or_default();
    let mean = |i, j| 0.5 * (inverse[(i, j)] + inverse[(j, i)]);
    Matrix3::from_fn(|i, j| if is_free(i, j) { mean(i, j) } else { 0.0 })
}

/// W of a body alone.
fn inverse_mass(free: &FreeBody, state: &BodyState) -> Matrix6<f64> {
    let [x, y, z, a, b, c] = free.locks;
    let mut block = Matrix6::zeros();
    for (axis, _) in [x, y, z].iter().enumerate().filter(|(_, is_locked)| !**is_locked) {
        block[(axis, axis)] = 1.0 / free.mass;
    }
    let angular = unlocked_inverse(&world_inertia(free, state), [a, b, c]);
    block.fixed_view_mut::<3, 3>(3, 3).copy_from(&angular);
    block
}
