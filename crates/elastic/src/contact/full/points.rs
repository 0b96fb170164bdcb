//! All points in a substep: where they start, and how they move.

use super::obstacles::Obstacles;
use crate::contact::collisions::{NodeMotion, SolidMotion};
use crate::contact::error::ContactError;
use hashfall_bodies::{Pose, RigidMotion};
use hashfall_core::{Real, parallel};
use hashfall_geometry::Point;

/// The points of a substep; nodes of elastic bodies first.
#[derive(Clone, Debug, Default)]
pub(super) struct Points {
    /// Where the substep starts \[m\].
    pub start: Vec<Point>,
    /// Velocities, which contact changes \[m/s\].
    pub velocity: Vec<Point>,
    /// What each point moves by in the whole substep \[m\].
    pub displacement: Vec<Point>,
    /// 0 of obstacles \[1/kg\].
    pub inverse_mass: Vec<f64>,
    /// ω of moving bodies \[rad/s\].
    pub angular_velocity: Vec<Point>,
}

/// What the solids do in a step of the world, and in a substep of it.
#[derive(Clone, Debug, Default)]
pub(super) struct Step {
    /// Of each moving body.
    pub motions: Vec<RigidMotion>,
    /// Which part of the step the substep is, from 0 to 1.
    pub parts: [f64; 2],
    /// Where the substep takes each body.
    poses: Vec<[Pose; 2]>,
}

impl Step {
    /// Takes a substep; returns whether it is one of another step, or of an earlier part of this
    /// one, as after a return to its start.
    pub fn update(&mut self, solids: &SolidMotion<'_>) -> bool {
        let is_earlier = solids.parts[0] < self.parts[0];
        self.parts = solids.parts;
        let is_other = is_earlier || self.motions != solids.motions;
        if is_other {
            self.motions.clear();
            self.motions.extend_from_slice(solids.motions);
        }
        self.poses.clear();
        self.poses.extend(self.motions.iter().map(|motion| self.parts.map(|s| motion.at(s))));
        is_other
    }

    /// Where the substep takes a point of a body that is at `x` where it starts \[m\].
    pub fn end_of(&self, body: usize, x: &Point) -> Point {
        let [from, to] = &self.poses[body];
        to.apply(&from.apply_inverse(x))
    }
}

/// How far from the origin nodes may be or come \[m\]: boxes grow by more than a motion.
pub(super) fn max_travel() -> f64 {
    1e-3 * f64::from(Real::MAX)
}

/// Refuses nodes that are, or would come, where no box can be.
///
/// # Errors
/// If there is one.
pub(super) fn check(motion: &NodeMotion<'_>, velocity: &[Point]) -> Result<(), ContactError> {
    let limit = max_travel();
    let is_near = |(x, v): (&f64, &f64)| x.abs() + (v * motion.dt).abs() <= limit;
    let is_far = |node: usize| !motion.position[node].iter().zip(&velocity[node]).all(is_near);
    match parallel::find_first_by(velocity.len(), parallel::CHUNK, is_far) {
        Some(node) => Err(ContactError::NotFinite {
            node,
            place: motion.position[node].into(),
            velocity: velocity[node].into(),
            time: motion.time,
        }),
        None => Ok(()),
    }
}

impl Points {
    /// Takes the nodes of a substep, and puts the points of obstacles where it starts.
    pub fn begin(
        &mut self,
        motion: &NodeMotion<'_>,
        velocity: &[Point],
        obstacles: &Obstacles,
        step: &Step,
    ) {
        let (nodes, dt) = (velocity.len(), motion.dt);
        let all = nodes + obstacles.points.len();
        let is_first = self.start.len() != all;
        for of_points in [&mut self.start, &mut self.velocity, &mut self.displacement] {
            of_points.resize(all, Point::zeros());
        }
        self.inverse_mass.resize(all, 0.0);
        self.start[..nodes].copy_from_slice(motion.position);
        self.velocity[..nodes].copy_from_slice(velocity);
        self.inverse_mass[..nodes].copy_from_slice(motion.inverse_mass);
        if is_first {
            let rests = obstacles.points.iter().map(|point| point.rest);
            self.start[nodes..].iter_mut().zip(rests).for_each(|(start, rest)| *start = rest);
        }
        let turns = step.motions.iter().map(|of_body| of_body.angular_velocity(step.parts, dt));
        self.angular_velocity.clear();
        self.angular_velocity.extend(turns);
        for (k, body, rest) in obstacles.moving() {
            let [start, end] = step.poses[body].map(|pose| pose.apply(rest));
            self.start[nodes + k] = start;
            self.velocity[nodes + k] = (end - start) / dt;
        }
    }

    /// Sets the displacements to what the velocities make of them in `dt` \[s\].
    pub fn follow_velocities(&mut self, dt: f64) {
        let velocity = &self.velocity;
        parallel::fill(&mut self.displacement, |point, displacement| {
            *displacement = velocity[point] * dt
        });
    }
}
