//! A body that moves: what never changes of it, and what follows from its state.

use super::kinematic_law::KinematicLaw;
use crate::surfaces::SurfaceId;
use hashfall_bodies::{BodyState, Pose, VelocityField};
use hashfall_geometry::Point;
use std::ops::Range;

/// A body that moves: what never changes of it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct KinematicBody {
    pub surface: SurfaceId,
    pub motion: KinematicLaw,
    /// Of the solids' balls.
    pub balls: Range<usize>,
    /// Of the solids of revolution.
    pub rounds: Range<usize>,
    /// Of the solids' meshes.
    pub meshes: Range<usize>,
    /// Of the solids' meshes that have triangles.
    pub ends: Range<usize>,
    /// Of the solids' triangles.
    pub triangles: Range<usize>,
    /// The largest [reach](KinematicLaw::reach) of its points \[m\].
    pub reach: f64,
}

/// What follows from the state of a body, and from the step under way.
#[derive(Clone, Debug)]
pub(crate) struct BodyStep {
    pub pose: Pose,
    /// From the pose before to the present one.
    pub step: Pose,
    /// The field of velocities that counts.
    pub flow: VelocityField,
    /// That along the step that began last.
    pub along: VelocityField,
    /// The state at the end of that step.
    pub next: BodyState,
}

impl KinematicBody {
    /// The state at a time \[s\], which is `dt` \[s\] after `state`.
    pub fn state_after(&self, state: &BodyState, time: f64, dt: f64) -> BodyState {
        if self.motion.is_driven() { state.advanced(dt) } else { self.motion.state_at(time) }
    }

    /// The speed of its fastest point \[m/s\] at a time \[s\]; of one that is driven, at present.
    pub fn speed(&self, state: &BodyState, time: f64) -> f64 {
        if self.motion.is_driven() {
            return state.velocity.norm() + state.angular_velocity.norm() * self.reach;
        }
        self.motion.speed(time, self.reach)
    }

    /// Its angular speed \[1/s\] at a time \[s\]; of one that is driven, at present.
    pub fn angular_speed(&self, state: &BodyState, time: f64) -> f64 {
        self.state_after(state, time, 0.0).angular_velocity.norm()
    }

    /// Its number among the obstacles.
    pub fn obstacle(&self) -> usize {
        self.surface.body() - 1
    }
}

impl BodyStep {
    /// Of a body that rests in this state.
    pub fn new(body: &KinematicBody, state: &BodyState) -> Self {
        let (pose, flow) = (state.pose(body.motion.pivot()), state.flow());
        let still = Pose { turn: nalgebra::Matrix3::identity(), shift: Point::zeros() };
        BodyStep { pose, step: still, flow, along: flow, next: *state }
    }
}
