//! The body forces on elastic nodes, at any time within a step.
//!
//! Substeps are many, and ask at each node; a field that depends on time is found at
//! [`SAMPLES`] + 1 times of the step once, and is linear between them. In a frame that turns the
//! Coriolis acceleration −2 ω × v is part of it.

use crate::world::{BodyField, BodyForce, World};
use hashfall_core::to_f64;
use hashfall_geometry::Point;

/// Parts of a step, in each of which the field is linear in time.
const SAMPLES: usize = 64;

/// The field in a step.
#[derive(Debug)]
pub struct StepField {
    time: f64,
    dt: f64,
    /// One if it does not depend on time; else at the ends of all parts of the step.
    samples: Vec<Sample>,
}

#[derive(Clone, Copy, Debug)]
struct Sample {
    field: BodyField,
    /// ω of the frame \[1/s\].
    angular_velocity: Point,
}

impl Sample {
    fn new(world: &World, time: f64) -> Self {
        let gravity = to_f64(&world.gravity);
        match &world.frame {
            None => Sample {
                field: BodyField::new(gravity, &world.forces, time),
                angular_velocity: Point::zeros(),
            },
            Some(frame) => Sample {
                field: BodyField::in_frame(gravity, &world.forces, frame, time),
                angular_velocity: frame.frame_motion(time).angular_velocity,
            },
        }
    }

    fn acceleration(&self, x: &Point, v: &Point) -> Point {
        let field = Point::from(self.field.acceleration(&(*x).into()));
        if self.angular_velocity == Point::zeros() {
            return field;
        }
        field - self.angular_velocity.cross(v) * 2.0
    }
}

impl StepField {
    /// That of a step of `dt` \[s\] from now.
    pub fn new(world: &World, dt: f64) -> Self {
        let is_table = |force: &BodyForce| force.table().is_some();
        let parts = match world.frame.is_some() || world.forces.iter().any(is_table) {
            true => SAMPLES,
            false => 0,
        };
        let at = |k: usize| world.time + dt * k as f64 / SAMPLES as f64;
        let samples = (0..=parts).map(|k| Sample::new(world, at(k))).collect();
        StepField { time: world.time, dt, samples }
    }

    /// Whether the frame turns, so that there are Coriolis forces.
    pub fn is_velocity_dependent(&self) -> bool {
        self.samples.iter().any(|sample| sample.angular_velocity != Point::zeros())
    }

    /// The acceleration \[m/s²\] at a place \[m\] of what moves like this \[m/s\], at a time of the
    /// step \[s\].
    pub fn acceleration(&self, x: &Point, v: &Point, time: f64) -> Point {
        if let [sample] = &self.samples[..] {
            return sample.acceleration(x, v);
        }
        let at = ((time - self.time) / self.dt * SAMPLES as f64).clamp(0.0, SAMPLES as f64);
        let k = (at as usize).min(SAMPLES - 1);
        let part = at - k as f64;
        let [before, after] = [k, k + 1].map(|k| self.samples[k].acceleration(x, v));
        before + (after - before) * part
    }
}
