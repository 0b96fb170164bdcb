//! Functions of Python as body forces.
//!
//! A step asks for accelerations in one of its threads, which hands the question to the thread of
//! Python that steps. The function gets copies: what it keeps is its own. It is tried before it is
//! added. What it raises later makes the step fail, and is raised by who steps: no step goes on
//! without a force.

use crate::calls::{ForceState, Request};
use crate::functions::Function;
use crate::state::Pending;
use crate::waiting::Desk;
use hashfall::core::{Real, Vec3};
use hashfall::world::World;
use pyo3::prelude::*;
use std::sync::PoisonError;
use std::sync::mpsc::channel;

/// The force that a function gives, which the thread that waits for the step calls; what it raises
/// is stored.
pub fn force(
    function: Function,
    pending: Pending,
    desk: Desk,
) -> impl FnMut(&World, &mut [Vec3]) + Send + 'static {
    move |world, accelerations| {
        let mut pending = pending.lock().unwrap_or_else(PoisonError::into_inner);
        let given = if pending.is_none() { ask(&function, &desk, world) } else { None };
        match given {
            Some(Ok(given)) => accelerations.iter_mut().zip(given).for_each(|(to, a)| *to += a),
            // No step may go on without a force: it fails.
            other => {
                accelerations.fill(Vec3::repeat(Real::NAN));
                *pending = pending.take().or(other.and_then(Result::err));
            }
        }
    }
}

/// Asks the thread that waits; `None` if nobody does.
fn ask(function: &Function, desk: &Desk, world: &World) -> Option<PyResult<Vec<Vec3>>> {
    let (reply, answer) = channel();
    let particles = &world.particles;
    let state = ForceState::new(world.time, &particles.position, &particles.velocity);
    let is_taken = desk.ask(Request { function: function.clone(), state, reply });
    answer.recv().ok().filter(|_| is_taken)
}
