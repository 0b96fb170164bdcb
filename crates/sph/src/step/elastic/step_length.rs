//! The length of a step where there is no fluid.
//!
//! Elastic bodies take substeps of their own, whatever the step. What bounds it is how solids move
//! within it: along arcs of constant velocity. So no solid turns by more than ¼ rad in a step, and
//! none goes farther than the mean edge of the elastic bodies. Otherwise a step is a frame.

use crate::step::time_step::limits::{Limit, StepLength};
use crate::world::{Elastic, World};

/// The most that a solid turns in a step \[rad\].
const MAX_TURN: f64 = 0.25;

/// The longest step of a world without fluid, `remaining` \[s\] before the next frame.
pub fn step_without_fluid(world: &World, remaining: f64) -> StepLength {
    let edge = world.elastic.as_ref().map(Elastic::mean_edge);
    // Bodies without edges bound nothing.
    let edge = edge.filter(|edge| *edge > 0.0).unwrap_or(f64::INFINITY);
    let solids = &world.solids;
    let bound = |dt: f64| {
        let way = edge / solids.max_speed(world.time, dt);
        way.min(MAX_TURN / solids.max_angular_velocity(world.time, dt))
    };
    // Solids that are fast late in a frame may be slower within a shorter step.
    let longest = bound(remaining);
    let step = if longest < remaining { bound(longest).clamp(longest, remaining) } else { longest };
    StepLength::new(step, Limit::Speed)
}
