//! Solids that move: bodies whose balls and triangles stand where they are at the present time.
//!
//! A body has a state ([`BodyState`]). Its kinematic law sets the state at the end of each step, or
//! the caller sets its velocity. In a step of dt each point x of a body goes to B A⁻¹ x, with A and
//! B the poses before and after. Two fields of velocity are of use: *along the step*
//! (B A⁻¹ x − x)/dt, which leaves no gap in front of a body that speeds up, for what happens until
//! its end, and at the instant of the present positions.
//!
//! A step is [`Solids::begin_step`], [`Solids::move_bodies`], [`Solids::end_step`];
//! [`Solids::restore`] takes it back.
//!
//! Symbols: A, B poses, x place \[m\], dt time step \[s\].

use super::body_state::BodyState;
use super::kinematic_body::{BodyStep, KinematicBody};
use super::kinematic_law::KinematicLaw;
use super::pose::{Pose, VelocityField};
use super::speed_samples::SpeedSample;
use crate::precision::{to_point, to_vec3};
use crate::solids::Solids;
use crate::surfaces::SurfaceId;
use hashfall_core::Vec3;
use hashfall_core::digest::Digest;
use hashfall_geometry::{Aabb, Point};
use std::sync::Arc;
use thiserror::Error;

/// The times within a step at which speeds are looked at.
const SAMPLES: u32 = 8;

/// Why a body can not be driven.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum DriveError {
    /// It stands, or moves by a law of its own.
    #[error("body {0} is not driven: give it `KinematicLaw::driven`")]
    NotDriven(usize),
    /// A number is not finite.
    #[error("the state of body {0} is not finite")]
    NotFinite(usize),
    /// The orientation stretches or mirrors.
    #[error("the orientation of body {0} is not a rotation")]
    NotARotation(usize),
}

impl Solids {
    /// The same, with bodies that move: a law or none for each entry ([`Solids::with_bodies`]) in
    /// their order. They stand where they are at the time 0.
    pub fn with_kinematic_laws(mut self, motions: Vec<Option<KinematicLaw>>) -> Self {
        let (mut ball, mut mesh, mut triangle, mut end) = (0, 0, 0, 0);
        let mut bodies = Vec::new();
        let shares = self.shapes.laws.shares();
        for (number, (motion, (balls, meshes))) in motions.into_iter().zip(shares).enumerate() {
            let (balls, meshes) = (ball..ball + balls, mesh..mesh + meshes);
            let own = &self.shapes.meshes[meshes.clone()];
            let triangles =
                triangle..triangle + own.iter().map(|m| m.triangles.len()).sum::<usize>();
            let ends = end..end + own.iter().filter(|m| !m.triangles.is_empty()).count();
            (ball, mesh, triangle, end) = (balls.end, meshes.end, triangles.end, ends.end);
            let Some(motion) = motion else { continue };
            let from_axis = |x: &Vec3| motion.reach(&to_point(x));
            let vertices = own.iter().flat_map(|m| &m.vertices).map(from_axis);
            let own = self.shapes.spheres[balls.clone()].iter();
            let to_balls = own.map(|b| from_axis(&b.centre) + f64::from(b.radius));
            let reach = to_balls.chain(vertices).fold(0.0, f64::max);
            let surface = SurfaceId::from_entry(number);
            bodies.push(KinematicBody { surface, motion, balls, meshes, ends, triangles, reach });
        }
        let states: Vec<_> = bodies.iter().map(|body| body.motion.state_at(0.0)).collect();
        Arc::make_mut(&mut self.shapes).bodies = bodies;
        self.steps =
            self.shapes.bodies.iter().zip(&states).map(|(m, s)| BodyStep::new(m, s)).collect();
        self.states = states;
        // The identity would turn −0 into 0.
        let still = Pose { turn: nalgebra::Matrix3::identity(), shift: Point::zeros() };
        let moved = (0..self.steps.len()).filter(|&body| self.steps[body].pose != still);
        moved.collect::<Vec<_>>().into_iter().for_each(|body| self.place(body));
        self
    }

    /// Whether any body moves.
    pub fn has_moving_bodies(&self) -> bool {
        !self.states.is_empty()
    }

    /// The states of the bodies that move, in the order of the obstacles.
    pub fn body_states(&self) -> &[BodyState] {
        &self.states
    }

    /// The state of a body, by its number among [all bodies](Solids::body_count): the walls are 0,
    /// obstacle k is k + 1; `None` if it stands.
    pub fn body_state(&self, body: usize) -> Option<&BodyState> {
        self.moving_index(body).map(|at| &self.states[at])
    }

    /// Sets velocity \[m/s\] and angular velocity \[1/s\] of a [driven](KinematicLaw::driven) body,
    /// by its number among [all bodies](Solids::body_count). In the next steps the body moves by
    /// them.
    ///
    /// So a solver of rigid bodies couples to a fluid: after each step it reads the impulse on the
    /// body (`Stepper::take_impulses`, numbered alike), and sets the velocity for the next.
    ///
    /// ```
    /// use hashfall_core::Vec3;
    /// use hashfall_geometry::{Aabb, Point};
    /// use hashfall_solid::{KinematicLaw, Solids, Sphere};
    ///
    /// let domain = Aabb::new(Vec3::zeros(), Vec3::repeat(1.0));
    /// let ball = Sphere { centre: Vec3::repeat(0.5), radius: 0.1 };
    /// let law = KinematicLaw::driven([0.5, 0.5, 0.5]); // angular velocities are about this point
    /// let mut solids =
    ///     Solids::new(domain, vec![ball], vec![]).with_kinematic_laws(vec![Some(law)]);
    ///
    /// let (mass, dt, force) = (2.0, 0.01, Point::new(0.0, 0.0, -19.62));
    /// for step in 1..=10 {
    ///     let state = *solids.body_state(1).unwrap();
    ///     let velocity = state.velocity + force * (dt / mass);
    ///     solids.set_body_velocity(1, velocity, state.angular_velocity)?;
    ///     // What a step of the fluid does with its solids:
    ///     solids.begin_step(dt * f64::from(step), dt);
    ///     solids.move_bodies();
    ///     solids.end_step();
    /// }
    /// assert!((solids.body_state(1).unwrap().velocity.z + 0.981).abs() < 1e-12);
    /// assert!((solids.spheres()[0].centre.z - (0.5 - 0.053955)).abs() < 1e-6);
    /// # Ok::<(), hashfall_solid::DriveError>(())
    /// ```
    ///
    /// # Errors
    /// If the body is not driven, or a number is not finite.
    pub fn set_body_velocity(
        &mut self,
        body: usize,
        velocity: Point,
        angular_velocity: Point,
    ) -> Result<(), DriveError> {
        let state = *self.body_state(body).ok_or(DriveError::NotDriven(body))?;
        self.set_body_state(body, BodyState { velocity, angular_velocity, ..state })
    }

    /// Sets the state of a [driven](KinematicLaw::driven) body, by its number among all bodies.
    ///
    /// A new position or orientation is a leap, past all that is on the way; use it before a
    /// stepper is made. Between steps set the velocity.
    ///
    /// # Errors
    /// If the body is not driven, a number is not finite, or the orientation is not a rotation.
    pub fn set_body_state(&mut self, body: usize, state: BodyState) -> Result<(), DriveError> {
        let driven = |at: &usize| self.shapes.bodies[*at].motion.is_driven();
        let at = self.moving_index(body).filter(driven).ok_or(DriveError::NotDriven(body))?;
        if !state.is_finite() {
            return Err(DriveError::NotFinite(body));
        }
        if !state.is_rigid() {
            return Err(DriveError::NotARotation(body));
        }
        self.set_state(at, state);
        Ok(())
    }

    /// Puts the moving bodies into these states, one for each in the order of the obstacles, as if
    /// no step were under way.
    ///
    /// # Panics
    /// If there are more or fewer of them than bodies that move.
    pub fn restore(&mut self, states: &[BodyState]) {
        assert_eq!(states.len(), self.states.len(), "a state for each body that moves");
        states.iter().enumerate().for_each(|(body, state)| self.set_state(body, *state));
    }

    /// A digest of the states of all bodies that move, to the bit.
    pub fn body_digest(&self) -> u64 {
        let mut digest = Digest::default();
        for (body, state) in self.shapes.bodies.iter().zip(&self.states) {
            digest.word(body.surface.body() as u64);
            state.feed(&mut digest);
        }
        digest.value()
    }

    /// The obstacles that move, by their numbers, ascending.
    pub fn moving_obstacles(&self) -> impl Iterator<Item = usize> {
        self.shapes.bodies.iter().map(KinematicBody::obstacle)
    }

    /// Whether a ball moves.
    pub fn has_moving_balls(&self) -> bool {
        self.shapes.bodies.iter().any(|body| !body.balls.is_empty())
    }

    /// Whether a mesh moves, by its number.
    pub fn is_moving_mesh(&self, mesh: usize) -> bool {
        self.moving_body_of_mesh(mesh).is_some()
    }

    /// The moving body that a mesh is part of, by its number among these.
    pub(crate) fn moving_body_of_mesh(&self, mesh: usize) -> Option<usize> {
        // Ranges of meshes ascend; the first that ends behind this one may hold it.
        let bodies = &self.shapes.bodies;
        let at = bodies.partition_point(|body| body.meshes.end <= mesh);
        bodies.get(at).is_some_and(|body| body.meshes.contains(&mesh)).then_some(at)
    }

    /// Where the scene places the vertices of a mesh.
    pub(crate) fn rest_vertices(&self, mesh: usize) -> &[Vec3] {
        &self.shapes.meshes[mesh].vertices
    }

    /// Where a moving body is, by its number among these.
    pub(crate) fn pose_of(&self, body: usize) -> &Pose {
        &self.steps[body].pose
    }

    /// The surface of each moving body, with what the last step did to it.
    pub(crate) fn last_steps(&self) -> impl Iterator<Item = (SurfaceId, &Pose)> {
        self.shapes.bodies.iter().zip(&self.steps).map(|(body, it)| (body.surface, &it.step))
    }

    /// The objects that move, ascending.
    pub fn moving_objects(&self) -> impl Iterator<Item = u32> {
        let first = self.spheres.len();
        let bodies = &self.shapes.bodies;
        let balls = bodies.iter().flat_map(|body| body.balls.clone());
        let triangles = bodies.iter().flat_map(|body| body.triangles.clone());
        balls.chain(triangles.map(move |triangle| first + triangle)).map(|object| object as u32)
    }

    /// The boxes of these, in their order.
    pub fn moving_boxes(&self) -> impl Iterator<Item = Aabb> {
        let bodies = &self.shapes.bodies;
        let balls = bodies.iter().flat_map(|body| &self.spheres[body.balls.clone()]);
        let triangles = bodies.iter().flat_map(|body| &self.triangles[body.triangles.clone()]);
        balls
            .map(|ball| Aabb::of_ball(&ball.centre, ball.radius))
            .chain(triangles.map(Aabb::around))
    }

    /// Each body that moves, with its obstacle's number: alone, where it stands now, without walls.
    pub fn moving_bodies(&self) -> impl Iterator<Item = (usize, Solids)> {
        self.shapes.bodies.iter().map(|body| {
            let balls = self.spheres[body.balls.clone()].to_vec();
            let meshes = self.meshes[body.meshes.clone()].to_vec();
            let alone = Solids::from_shared(self.domain, balls, meshes).with_open_axes([true; 3]);
            (body.obstacle(), alone)
        })
    }

    /// The obstacles that move, and whose boxes lie outside the domain at all of these times \[s\].
    pub fn always_outside<T: Iterator<Item = f64>>(&self, times: impl Fn() -> T) -> Vec<usize> {
        let comes_in = |body: &KinematicBody| {
            let balls = self.shapes.spheres[body.balls.clone()].iter();
            let balls = balls.map(|ball| Aabb::of_ball(&ball.centre, ball.radius));
            let meshes = &self.shapes.meshes[body.meshes.clone()];
            let vertices = Aabb::around(meshes.iter().flat_map(|mesh| &mesh.vertices));
            let rest = balls.fold(vertices, |all, ball| all.union(&ball));
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

    /// Puts each body where its motion has it at a time \[s\], with its velocity at that instant.
    /// Driven bodies stay where they are.
    pub fn move_to(&mut self, time: f64) {
        for body in 0..self.states.len() {
            let state = self.shapes.bodies[body].state_after(&self.states[body], time, 0.0);
            self.set_state(body, state);
        }
    }

    /// Begins a step to a time \[s\], `dt` \[s\] from now: the velocities are those along it.
    pub fn begin_step(&mut self, time: f64, dt: f64) {
        for ((body, state), it) in self.shapes.bodies.iter().zip(&self.states).zip(&mut self.steps)
        {
            it.next = body.state_after(state, time, dt);
            let step = it.next.pose(body.motion.pivot()).relative_to(&it.pose);
            it.along = if dt > 0.0 { VelocityField::along(&step, dt) } else { state.flow() };
            it.flow = it.along;
        }
    }

    /// Puts each body where the step ends; the velocities stay those along the step.
    pub fn move_bodies(&mut self) {
        for body in 0..self.states.len() {
            self.move_body(body, self.steps[body].next);
        }
    }

    /// Ends the step: the velocities are those at the instant.
    pub fn end_step(&mut self) {
        let instants = self.states.iter().map(BodyState::flow);
        self.steps.iter_mut().zip(instants).for_each(|(it, instant)| it.flow = instant);
    }

    /// Puts a body into a state, with its velocity at that instant.
    fn set_state(&mut self, body: usize, state: BodyState) {
        self.move_body(body, state);
        self.steps[body].flow = state.flow();
    }

    /// Puts a body where a state has it.
    fn move_body(&mut self, body: usize, state: BodyState) {
        let pose = state.pose(self.shapes.bodies[body].motion.pivot());
        let it = &mut self.steps[body];
        it.step = pose.relative_to(&it.pose);
        self.states[body] = state;
        if pose != it.pose {
            it.pose = pose;
            self.place(body);
        }
    }

    /// Puts the balls and triangles of a body into its pose.
    fn place(&mut self, body: usize) {
        let (body, pose) = (&self.shapes.bodies[body], &self.steps[body].pose);
        let placed = |x: &Vec3| to_vec3(&pose.apply(&to_point(x)));
        if !body.balls.is_empty() {
            let rest = &self.shapes.spheres[body.balls.clone()];
            let balls = &mut Arc::make_mut(&mut self.spheres)[body.balls.clone()];
            balls.iter_mut().zip(rest).for_each(|(ball, rest)| ball.centre = placed(&rest.centre));
        }
        if body.triangles.is_empty() {
            return;
        }
        let meshes = &mut self.meshes[body.meshes.clone()];
        for (mesh, rest) in meshes.iter_mut().zip(&self.shapes.meshes[body.meshes.clone()]) {
            let vertices = Arc::make_mut(mesh).vertices.iter_mut();
            vertices.zip(&rest.vertices).for_each(|(x, rest)| *x = placed(rest));
        }
        let corners = meshes.iter().flat_map(|m| (0..m.triangles.len()).map(|t| m.corners(t)));
        let triangles = &mut Arc::make_mut(&mut self.triangles)[body.triangles.clone()];
        triangles.iter_mut().zip(corners).for_each(|(a, b)| *a = b);
        let with_triangles = meshes.iter().filter(|mesh| !mesh.triangles.is_empty());
        let ends = &mut Arc::make_mut(&mut self.mesh_ends)[body.ends.clone()];
        for (mesh, (_, bounds)) in with_triangles.zip(ends) {
            *bounds = mesh.bounds();
        }
    }

    /// Whether a surface is that of a body that moves.
    pub(crate) fn moves(&self, surface: SurfaceId) -> bool {
        self.moving_index(surface.body()).is_some()
    }

    /// The number of a body among those that move, if it does.
    fn moving_index(&self, body: usize) -> Option<usize> {
        self.shapes.bodies.binary_search_by_key(&body, |body| body.surface.body()).ok()
    }

    /// The field of velocities of a surface, if it moves.
    fn velocity_field(&self, surface: SurfaceId) -> Option<&VelocityField> {
        if self.steps.is_empty() {
            return None;
        }
        self.moving_index(surface.body()).map(|at| &self.steps[at].flow)
    }

    /// The velocity of a surface at a place \[m/s\], along the step or at the instant, as was asked
    /// for last; zero of one that stands.
    pub fn velocity(&self, surface: SurfaceId, x: &Point) -> Point {
        self.velocity_field(surface).map_or_else(Point::zeros, |flow| flow.at(x))
    }

    /// The same in the precision of the state.
    pub fn velocity_at(&self, surface: SurfaceId, x: &Vec3) -> Vec3 {
        match self.velocity_field(surface) {
            Some(flow) => to_vec3(&flow.at(&to_point(x))),
            None => Vec3::zeros(),
        }
    }

    /// How far a point of a moving body goes at the most in the step to the present poses \[m\].
    pub fn max_displacement(&self) -> f64 {
        let way = |(body, it): (&KinematicBody, &BodyStep)| {
            let center = it.pose.apply(body.motion.pivot());
            let Pose { turn, shift } = it.step;
            let before = turn.transpose() * (center - shift);
            let turned = (turn - nalgebra::Matrix3::identity()).norm() * body.reach;
            (center - before).norm() + turned
        };
        self.shapes.bodies.iter().zip(&self.steps).map(way).fold(0.0, f64::max)
    }

    /// Of each body that moves the obstacle's number, the largest [reach](KinematicLaw::reach) of its
    /// points \[m\], and its paces from 0 to `end` \[s\] of which one is the fastest.
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
            times.map(|t| self.max_speed_at(t)).fold(0.0, f64::max)
        } else {
            0.0
        }
    }

    /// The work \[J\] that bodies do along the last step, who give these momenta \[N s\] and
    /// angular momenta about the origin \[N m s\], by body.
    pub fn work(&self, given: &[[f64; 6]]) -> f64 {
        let of = |(body, it): (&KinematicBody, &BodyStep)| {
            let [x, y, z, u, v, w] = given[body.surface.body()];
            let along = &it.along;
            along.at_origin.dot(&Point::new(x, y, z)) + along.spin().dot(&Point::new(u, v, w))
        };
        self.shapes.bodies.iter().zip(&self.steps).map(of).sum()
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AxisAngle, BodySpec, Keyframe, Sphere, SweepBuffer};
    use hashfall_core::{Real, vec3};
    use hashfall_geometry::random::Random;
    use hashfall_geometry::shape::{box_mesh, sphere_mesh};

    const R: Real = 0.02;

    fn far_walls() -> Aabb {
        Aabb::new(Vec3::repeat(-9.0), Vec3::repeat(9.0))
    }

    /// In a second by `shift` and `degrees` about an axis.
    fn leap(shift: [f64; 3], axis: [f64; 3], degrees: f64) -> KinematicLaw {
        let key =
            |time, shift, degrees| Keyframe { time, shift, turn: AxisAngle { axis, degrees } };
        KinematicLaw::through(
            [0.0; 3],
            &[key(0.0, [0.0; 3], 0.0), key(1.0, shift, degrees)],
            false,
            false,
        )
    }

    fn pushed_out(solids: &Solids, x: &Vec3) -> Vec3 {
        let objects: Vec<u32> = (0..solids.object_count() as u32).collect();
        let mut buffer = SweepBuffer::default();
        let (place, short) = solids.push_out(&objects, x, R, &mut buffer);
        assert_eq!(short, 0.0);
        place
    }

    #[test]
    fn a_plate_that_leaps_over_many_radii_has_everyone_on_the_side_where_they_were() {
        let plate =
            || box_mesh(&Aabb::new(Vec3::new(-5.0, -5.0, -0.005), Vec3::new(5.0, 5.0, 0.005)));
        let mut random = Random::new(17);
        let (mut pushed, mut stayed) = (0, 0);
        for leap_number in 0..40 {
            let axis: [f64; 3] = random.direction().into();
            let shift: [f64; 3] = (random.direction() * random.number(0.0, 0.5)).into();
            let motion = leap(shift, axis, random.number(-40.0, 40.0));
            let mut solids = Solids::new(far_walls(), vec![], vec![plate()])
                .with_kinematic_laws(vec![Some(motion.clone())]);
            solids.move_to(1.0);
            let (pose, _) = motion.at(1.0);
            for _ in 0..100 {
                let x = to_vec3(&random.point(-0.6, 0.6));
                if x.z.abs() < 0.006 + R {
                    continue;
                }
                let place = pushed_out(&solids, &x);
                let seen = pose.turn.transpose() * (to_point(&place) - pose.shift);
                let height = seen.z * f64::from(x.z).signum() - 0.005;
                assert!(height > 0.9999 * f64::from(R), "{leap_number}: {x} is at {height}");
                if place == x { stayed += 1 } else { pushed += 1 }
            }
        }
        assert!(pushed > 500 && stayed > 500, "{pushed} {stayed}");
    }

    #[test]
    fn round_bodies_that_leap_push_everyone_out() {
        let mut random = Random::new(18);
        let centre = vec3([0.1, 0.0, -0.1]);
        let ball = Sphere { centre, radius: 0.15 };
        for is_mesh in [false, true] {
            let (balls, meshes) = if is_mesh {
                (vec![], vec![sphere_mesh(&centre, 0.15, 3)])
            } else {
                (vec![ball], vec![])
            };
            let obstacle =
                BodySpec { spheres: balls.len(), meshes: meshes.len(), ..BodySpec::default() };
            let motion = leap([0.2, 0.1, 0.4], [0.0, 1.0, 0.0], 70.0);
            let mut solids = Solids::new(far_walls(), balls, meshes)
                .with_bodies(&[obstacle])
                .with_kinematic_laws(vec![Some(motion.clone())]);
            solids.move_to(1.0);
            assert!(solids.max_displacement() > 0.4);
            let now = motion.at(1.0).0.apply(&to_point(&centre));
            let mut pushed = 0;
            for _ in 0..3000 {
                let x = to_vec3(&random.point(-0.6, 0.6));
                if (x - centre).norm() < 0.16 + R {
                    continue;
                }
                let place = pushed_out(&solids, &x);
                let gap = (to_point(&place) - now).norm() - 0.15 - f64::from(R);
                assert!(gap > if is_mesh { -0.002 } else { -1e-6 }, "{x}: {gap}");
                pushed += u32::from(place != x);
            }
            assert!(pushed > 50, "{pushed}");
        }
    }

    #[test]
    fn a_step_there_and_back_leaves_geometry_and_bounds_as_they_were() {
        let mesh = sphere_mesh(&vec3([0.3, 0.2, 0.1]), 0.2, 2);
        let motion = leap([0.5, 0.0, 0.0], [1.0, 1.0, 0.0], 100.0);
        let mut solids =
            Solids::new(far_walls(), vec![], vec![mesh]).with_kinematic_laws(vec![Some(motion)]);
        let start = solids.object_boxes();
        solids.move_to(0.7);
        assert_ne!(solids.object_boxes(), start);
        assert_eq!(solids.moving_boxes().collect::<Vec<_>>(), solids.object_boxes());
        solids.move_to(0.0);
        assert_eq!(solids.object_boxes(), start);
    }

    #[test]
    fn clones_share_what_never_changes_and_what_stands() {
        let ball = Sphere { centre: Vec3::zeros(), radius: 0.1 };
        let meshes = [0.0, 1.0].map(|x| sphere_mesh(&Vec3::new(x, 1.0, 0.0), 0.1, 1));
        let motion = leap([0.5, 0.0, 0.0], [1.0, 1.0, 0.0], 100.0);
        let solids = Solids::new(far_walls(), vec![ball], meshes.to_vec())
            .with_kinematic_laws(vec![None, None, Some(motion)]);
        let mut other = solids.clone();
        assert_eq!(other, solids);
        other.move_to(0.5);
        assert_ne!(other, solids);
        assert!(Arc::ptr_eq(&other.shapes, &solids.shapes));
        assert!(Arc::ptr_eq(&other.spheres, &solids.spheres));
        assert!(Arc::ptr_eq(&other.meshes[0], &solids.meshes[0]));
        assert!(other.meshes[1] != solids.meshes[1] && other.triangles != solids.triangles);
    }

    #[test]
    fn states_take_bodies_back_to_where_they_were() {
        let mesh = sphere_mesh(&vec3([0.3, 0.2, 0.1]), 0.2, 2);
        let motion = KinematicLaw::spin([0.1, 0.2, 0.0], [0.0, 1.0, 1.0], 60.0);
        let mut solids =
            Solids::new(far_walls(), vec![], vec![mesh]).with_kinematic_laws(vec![Some(motion)]);
        solids.move_to(0.3);
        let (before, states, digest) =
            (solids.clone(), solids.body_states().to_vec(), solids.body_digest());
        solids.begin_step(0.4, 0.1);
        solids.move_bodies();
        solids.end_step();
        assert_ne!(solids.body_digest(), digest);
        let mut direct = before.clone();
        direct.move_to(0.4);
        assert_eq!(solids, direct, "a step sets the state by the motion");
        solids.restore(&states);
        let x = Point::new(0.2, 0.3, 0.1);
        let at = |solids: &Solids| solids.velocity(SurfaceId::from_entry(0), &x);
        assert_eq!((&solids, solids.object_boxes()), (&before, before.object_boxes()));
        assert_eq!((at(&solids), solids.body_digest()), (at(&before), digest));
    }

    #[test]
    fn a_driven_body_moves_by_the_velocity_that_it_is_given() {
        let ball = |x: Real| Sphere { centre: Vec3::new(x, 0.0, 0.0), radius: 0.1 };
        let of = BodySpec { spheres: 1, ..BodySpec::default() };
        let mut solids = Solids::new(far_walls(), vec![ball(0.0), ball(1.0)], vec![])
            .with_bodies(&[of, of])
            .with_kinematic_laws(vec![None, Some(KinematicLaw::driven([1.0, 0.0, 0.0]))]);
        let (velocity, spin) = (Point::new(0.5, 0.0, -1.0), Point::zeros());
        assert_eq!(solids.set_body_velocity(1, velocity, spin), Err(DriveError::NotDriven(1)));
        assert_eq!(
            solids.set_body_velocity(2, velocity * f64::NAN, spin),
            Err(DriveError::NotFinite(2))
        );
        solids.set_body_velocity(2, velocity, spin).unwrap();
        assert_eq!(solids.max_speed(0.0, 1.0), velocity.norm());
        for step in 1..=4 {
            solids.begin_step(0.25 * f64::from(step), 0.25);
            solids.move_bodies();
            solids.end_step();
        }
        assert_eq!(solids.body_state(2).unwrap().position, Point::new(1.5, 0.0, -1.0));
        assert_eq!(solids.spheres()[1].centre, Vec3::new(1.5, 0.0, -1.0));
        assert_eq!(solids.spheres()[0], ball(0.0));
        let mut mirrored = *solids.body_state(2).unwrap();
        mirrored.orientation *= -1.0;
        assert_eq!(solids.set_body_state(2, mirrored), Err(DriveError::NotARotation(2)));
    }

    #[test]
    fn who_moves_is_told_by_objects_meshes_and_balls() {
        let ball = |x: Real| Sphere { centre: Vec3::new(x, 0.0, 0.0), radius: 0.1 };
        let meshes = [0.0, 1.0, 2.0].map(|x| sphere_mesh(&Vec3::new(x, 1.0, 0.0), 0.1, 0));
        let of = |spheres, meshes| BodySpec { spheres, meshes, ..BodySpec::default() };
        let still = || Some(leap([0.0; 3], [0.0, 0.0, 1.0], 0.0));
        let solids =
            Solids::new(far_walls(), vec![ball(0.0), ball(1.0), ball(2.0)], meshes.to_vec())
                .with_bodies(&[of(0, 1), of(1, 0), of(2, 0), of(0, 2)])
                .with_kinematic_laws(vec![None, still(), None, still()]);
        assert_eq!(solids.moving_obstacles().collect::<Vec<_>>(), [1, 3]);
        let expected: Vec<u32> = [0].into_iter().chain(3 + 20..3 + 60).collect();
        assert_eq!(solids.moving_objects().collect::<Vec<_>>(), expected);
        assert_eq!([0, 1, 2].map(|mesh| solids.is_moving_mesh(mesh)), [false, true, true]);
        assert!(solids.has_moving_balls());
    }
}
