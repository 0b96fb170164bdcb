//! How fast and how far bodies go: bounds for the time step, the broad phase and the work.

use super::kinematic_body::{BodyStep, KinematicBody};
#[cfg(doc)]
use super::kinematic_law::KinematicLaw;
use super::speed_samples::SpeedSample;
use crate::precision::{to_point, to_vec3};
use crate::solids::Solids;
use hashfall_bodies::{BodyState, Pose, Wrench};
use hashfall_core::Vec3;
use hashfall_geometry::{Aabb, RoundSolid};

/// The times within a step at which speeds are looked at.
const SAMPLES: u32 = 8;

impl Solids {
    /// The obstacles that move, and whose boxes lie outside the domain at all of these times \[s\].
    pub fn always_outside<T: Iterator<Item = f64>>(&self, times: impl Fn() -> T) -> Vec<usize> {
        let comes_in = |body: &KinematicBody| {
            let balls = self.shapes.spheres[body.balls.clone()].iter();
            let balls = balls.map(|ball| Aabb::of_ball(&ball.centre, ball.radius));
            let rounds = self.shapes.rounds[body.rounds.clone()].iter().map(RoundSolid::aabb);
            let meshes = &self.shapes.meshes[body.meshes.clone()];
            let vertices = Aabb::around(meshes.iter().flat_map(|mesh| &mesh.vertices));
            let rest = balls.chain(rounds).fold(vertices, |all, ball| all.union(&ball));
            let ends = [rest.min, rest.max];
            let corner = |i: usize| to_point(&Vec3::from_fn(|a, _| ends[i >> a & 1][a]));
            times().any(|time| {
                let (pose, _) = body.motion.at(time);
                let corners: [Vec3; 8] = std::array::from_fn(|i| to_vec3(&pose.apply(&corner(i))));
                Aabb::around(&corners).overlaps(&self.domain)
            })
        };
        let outside = self.shapes.bodies.iter().filter(|body| !comes_in(body));
        outside.map(KinematicBody::obstacle).collect()
    }

    /// How far a point of a body that moves or deforms goes at the most in the step to the present
    /// poses \[m\].
    pub fn max_displacement(&self) -> f64 {
        let way = |(body, it): (&KinematicBody, &BodyStep)| {
            let center = it.pose.apply(body.motion.pivot());
            let Pose { turn, shift } = it.step;
            let before = turn.transpose() * (center - shift);
            let turned = (turn - nalgebra::Matrix3::identity()).norm() * body.reach;
            (center - before).norm() + turned
        };
        let of_deforming = self.deforming_way();
        self.shapes.bodies.iter().zip(&self.steps).map(way).fold(of_deforming, f64::max)
    }

    /// Of each body that moves the number of its entry, the largest [reach](KinematicLaw::reach) of
    /// its points \[m\], and samples of its speed from 0 to `end` \[s\], one of which is the
    /// fastest.
    pub fn speed_samples(&self, end: f64) -> impl Iterator<Item = (usize, f64, Vec<SpeedSample>)> {
        let bodies = self.shapes.bodies.iter();
        bodies.map(move |body| (body.obstacle(), body.reach, body.motion.speed_samples(end)))
    }

    /// The largest speed of a moving body's points at a time \[s\] \[m/s\].
    fn max_speed_at(&self, time: f64) -> f64 {
        let bodies = self.shapes.bodies.iter().zip(&self.states);
        bodies.map(|(body, state)| body.speed(state, time)).fold(0.0, f64::max)
    }

    /// The same from `time` \[s\] on, for `dt` \[s\].
    pub fn max_speed(&self, time: f64, dt: f64) -> f64 {
        let dt = if dt.is_finite() { dt } else { 0.0 };
        let times = (0..=SAMPLES).map(|k| time + dt * f64::from(k) / f64::from(SAMPLES));
        if self.has_moving_bodies() {
            times.map(|t| self.max_speed_at(t)).fold(self.deforming_speed(), f64::max)
        } else {
            0.0
        }
    }

    /// The largest angular velocity of a moving body from `time` \[s\] on, for `dt` \[s\]
    /// \[1/s\].
    pub fn max_angular_velocity(&self, time: f64, dt: f64) -> f64 {
        let dt = if dt.is_finite() { dt } else { 0.0 };
        let times = (0..=SAMPLES).map(|k| time + dt * f64::from(k) / f64::from(SAMPLES));
        let at = |time: f64| {
            let bodies = self.shapes.bodies.iter().zip(&self.states);
            bodies.map(|(body, state)| body.angular_speed(state, time)).fold(0.0, f64::max)
        };
        times.map(at).fold(0.0, f64::max)
    }

    /// The work \[J\] that each body which moves as a whole does along the last step, with its
    /// number among [all bodies](Solids::body_count), if they give these momenta \[N s\] and
    /// angular momenta about the origin \[N m s\], by body.
    pub fn works(&self, given: &[Wrench]) -> impl Iterator<Item = (usize, f64)> {
        self.shapes.bodies.iter().zip(&self.steps).map(|(body, it)| {
            let body = body.surface.body();
            let Wrench { force, torque } = &given[body];
            (body, it.along.at_origin.dot(force) + it.along.spin().dot(torque))
        })
    }

    /// Whether every motion is told at a time \[s\]; else the first obstacle whose is not.
    pub fn first_undefined_at(&self, time: f64) -> Option<usize> {
        let mut bodies = self.shapes.bodies.iter().zip(&self.states);
        let is_lost = |(body, state): &(&KinematicBody, &BodyState)| {
            !body.state_after(state, time, 0.0).is_finite()
        };
        bodies.find(is_lost).map(|(body, _)| body.obstacle())
    }
}
