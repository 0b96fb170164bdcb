//! Solids that move: bodies whose balls, solids of revolution and triangles stand where they are
//! at the present time.
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

use super::kinematic_body::{BodyStep, KinematicBody};
use super::kinematic_law::KinematicLaw;
use super::states::DriveError;
use crate::precision::{to_point, to_vec3};
use crate::solids::Solids;
use crate::surfaces::SurfaceId;
use hashfall_bodies::{BodyState, Pose, VelocityField};
use hashfall_core::{Real, Vec3};
use hashfall_geometry::{Aabb, Point, RoundSolid};
use std::ops::Range;
use std::sync::{Arc, OnceLock};

impl Solids {
    /// The same, with bodies that move: a law or none for each entry ([`Solids::with_bodies`]) in
    /// their order. They stand where they are at the time 0.
    pub fn with_kinematic_laws(mut self, motions: Vec<Option<KinematicLaw>>) -> Self {
        let (mut ball, mut round, mut mesh, mut triangle, mut end) = (0, 0, 0, 0, 0);
        let mut bodies = Vec::new();
        let specs = self.shapes.laws.specs();
        for (number, (motion, spec)) in motions.into_iter().zip(specs).enumerate() {
            let (balls, meshes) = (ball..ball + spec.spheres, mesh..mesh + spec.meshes);
            let rounds = round..round + spec.rounds;
            let own = &self.shapes.meshes[meshes.clone()];
            let triangles =
                triangle..triangle + own.iter().map(|m| m.triangles.len()).sum::<usize>();
            let ends = end..end + own.iter().filter(|m| !m.triangles.is_empty()).count();
            (ball, round, mesh) = (balls.end, rounds.end, meshes.end);
            (triangle, end) = (triangles.end, ends.end);
            let Some(motion) = motion else { continue };
            let from_axis = |x: &Vec3| motion.reach(&to_point(x));
            let vertices = own.iter().flat_map(|m| &m.vertices).map(from_axis);
            let own = self.shapes.spheres[balls.clone()].iter();
            let to_balls = own.map(|b| from_axis(&b.centre) + f64::from(b.radius));
            let of_rounds = self.shapes.rounds[rounds.clone()].iter();
            let to_rounds = of_rounds.flat_map(RoundSolid::balls_at_ends);
            let to_rounds = to_rounds.map(|(x, radius)| motion.reach(&x) + radius);
            let reach = to_balls.chain(to_rounds).chain(vertices).fold(0.0, f64::max);
            let surface = SurfaceId::from_entry(number);
            bodies.push(KinematicBody {
                surface,
                motion,
                balls,
                rounds,
                meshes,
                ends,
                triangles,
                reach,
            });
        }
        let states: Vec<_> = bodies.iter().map(|body| body.motion.state_at(0.0)).collect();
        let shapes = Arc::make_mut(&mut self.shapes);
        shapes.bodies = bodies;
        shapes.note_moving();
        // Those found before stand for bodies that did not move.
        self.driven_boxes = OnceLock::new();
        self.steps =
            self.shapes.bodies.iter().zip(&states).map(|(m, s)| BodyStep::new(m, s)).collect();
        self.states = states;
        // The identity would turn −0 into 0.
        let still = Pose { turn: nalgebra::Matrix3::identity(), shift: Point::zeros() };
        let moved = (0..self.steps.len()).filter(|&body| self.steps[body].pose != still);
        moved.collect::<Vec<_>>().into_iter().for_each(|body| self.place(body));
        self
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

    /// Where each moving body is, and where the step that began last takes it: a body's points
    /// in the frame of the scene to those in the present, and at the end of the step.
    pub fn step_poses(&self) -> impl Iterator<Item = (Pose, Pose)> {
        let bodies = self.shapes.bodies.iter().zip(&self.steps);
        bodies.map(|(body, it)| (it.pose, it.next.pose(body.motion.pivot())))
    }

    /// The surface of each moving body, with what the last step did to it.
    pub(crate) fn last_steps(&self) -> impl Iterator<Item = (SurfaceId, &Pose)> {
        self.shapes.bodies.iter().zip(&self.steps).map(|(body, it)| (body.surface, &it.step))
    }

    /// The same of bodies that have solids of revolution.
    pub(crate) fn last_steps_of_rounds(&self) -> impl Iterator<Item = (SurfaceId, &Pose)> {
        let all = self.shapes.bodies.iter().zip(&self.steps);
        let with_rounds = all.filter(|(body, _)| !body.rounds.is_empty());
        with_rounds.map(|(body, it)| (body.surface, &it.step))
    }

    /// The objects that move, ascending, but for triangles of fine meshes.
    pub fn moving_objects(&self) -> impl Iterator<Item = u32> {
        let (balls, first) = (self.spheres.len(), self.first_triangle());
        let bodies = &self.shapes.bodies;
        let rounds = bodies.iter().flat_map(|body| body.rounds.clone());
        let rounds = rounds.map(move |round| balls + round);
        let balls = bodies.iter().flat_map(|body| body.balls.clone());
        let triangles = self.indexed_moving().flatten();
        let triangles = triangles.map(move |triangle| first + triangle);
        balls.chain(rounds).chain(triangles).map(|object| object as u32)
    }

    /// The boxes of these, in their order.
    pub fn moving_boxes(&self) -> impl Iterator<Item = Aabb> {
        let bodies = &self.shapes.bodies;
        let balls = bodies.iter().flat_map(|body| &self.spheres[body.balls.clone()]);
        let triangles = self.indexed_moving().flat_map(|range| &self.triangles[range]);
        let rounds = bodies.iter().flat_map(|body| &self.rounds[body.rounds.clone()]);
        balls
            .map(|ball| Aabb::of_ball(&ball.centre, ball.radius))
            .chain(rounds.map(RoundSolid::aabb))
            .chain(triangles.map(Aabb::around))
    }

    /// The triangles that move, mesh by mesh, but for those of fine meshes.
    fn indexed_moving(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        let moves = |range: &Range<usize>| {
            let all = &self.shapes.moving_triangles;
            let at = all.partition_point(|it| it.end <= range.start);
            all.get(at).is_some_and(|it| it.start <= range.start)
        };
        let meshes = (0..self.mesh_ends.len()).filter(|&mesh| !self.is_driven_mesh(mesh));
        meshes.map(|mesh| self.triangles_of(mesh)).filter(move |range| moves(range))
    }

    /// Whether the surface of a moving body is within `reach` \[m\] of `x`, or `x` in its balls.
    pub fn is_near_moving(&self, x: &Vec3, reach: Real) -> bool {
        let (at, ball) = (to_point(x), Aabb::of_ball(x, reach));
        self.make_trees();
        let mut near = self.moving_objects().zip(self.moving_boxes());
        self.has_driven_within(x, reach)
            || near.any(|(object, its_box)| {
                its_box.overlaps(&ball)
                    && self.object(object).nearest(&at).distance < f64::from(reach)
            })
    }

    /// Each body that moves as a whole, with its obstacle's number: alone, where it stands now,
    /// without walls.
    pub fn moving_bodies(&self) -> impl Iterator<Item = (usize, Solids)> {
        self.shapes.bodies.iter().map(|body| {
            let balls = self.spheres[body.balls.clone()].to_vec();
            let meshes = self.meshes[body.meshes.clone()].to_vec();
            let rounds = self.rounds[body.rounds.clone()].to_vec();
            let alone = Solids::from_shared(self.domain, balls, meshes).with_rounds(rounds);
            (body.obstacle(), alone.with_open_axes([true; 3]))
        })
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
        self.begin_deforming(dt);
    }

    /// The state of a body at the end of the step that began last, by its number among
    /// [all bodies](Solids::body_count); `None` if it stands.
    pub fn step_end(&self, body: usize) -> Option<&BodyState> {
        self.moving_index(body).map(|at| &self.steps[at].next)
    }

    /// Sets where a [driven](KinematicLaw::driven) body is at the end of the step of `dt` \[s\]
    /// that began last, by its number among [all bodies](Solids::body_count); the bodies have
    /// not moved.
    ///
    /// So a solver of rigid bodies takes it elsewhere than its velocity at the start of the step
    /// would.
    ///
    /// # Errors
    /// As [`Solids::set_body_state`].
    pub fn set_step_end(
        &mut self,
        body: usize,
        next: BodyState,
        dt: f64,
    ) -> Result<(), DriveError> {
        let at = self.driven_index(body, &next)?;
        let it = &mut self.steps[at];
        let step = next.pose(self.shapes.bodies[at].motion.pivot()).relative_to(&it.pose);
        it.next = next;
        it.along = if dt > 0.0 { VelocityField::along(&step, dt) } else { next.flow() };
        it.flow = it.along;
        Ok(())
    }

    /// Puts each body where the step ends; the velocities stay those along the step.
    pub fn move_bodies(&mut self) {
        self.note_step_start();
        self.move_deforming();
        for body in 0..self.states.len() {
            self.move_body(body, self.steps[body].next);
        }
    }

    /// Ends the step: the velocities are those at the instant.
    pub fn end_step(&mut self) {
        let instants = self.states.iter().map(BodyState::flow);
        self.steps.iter_mut().zip(instants).for_each(|(it, instant)| it.flow = instant);
        self.end_deforming();
    }

    /// Puts a body into a state, with its velocity at that instant.
    pub(super) fn set_state(&mut self, body: usize, state: BodyState) {
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

    /// Puts the balls, solids of revolution and triangles of a body into its pose.
    fn place(&mut self, body: usize) {
        let (body, pose) = (&self.shapes.bodies[body], &self.steps[body].pose);
        let placed = |x: &Vec3| to_vec3(&pose.apply(&to_point(x)));
        if !body.balls.is_empty() {
            let rest = &self.shapes.spheres[body.balls.clone()];
            let balls = &mut Arc::make_mut(&mut self.spheres)[body.balls.clone()];
            balls.iter_mut().zip(rest).for_each(|(ball, rest)| ball.centre = placed(&rest.centre));
        }
        if !body.rounds.is_empty() {
            let rest = &self.shapes.rounds[body.rounds.clone()];
            let rounds = &mut Arc::make_mut(&mut self.rounds)[body.rounds.clone()];
            let moved = rest.iter().map(|rest| rest.moved(&pose.turn, &pose.shift));
            rounds.iter_mut().zip(moved).for_each(|(round, moved)| *round = moved);
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
        self.driven_boxes = OnceLock::new();
    }

    /// Whether a surface is not where the scene has it, or on its way.
    pub fn has_moved(&self, surface: SurfaceId) -> bool {
        self.moving_index(surface.body()).is_some_and(|at| {
            let it = &self.steps[at];
            !it.pose.is_identity() || it.flow.at_origin != Point::zeros()
        }) || self.has_deformed(surface)
    }

    /// Whether a surface is that of a body that moves as a whole.
    pub(crate) fn moves(&self, surface: SurfaceId) -> bool {
        self.moving_index(surface.body()).is_some()
    }

    /// The number of a body among those that move, if it does.
    #[inline]
    pub(crate) fn moving_index(&self, body: usize) -> Option<usize> {
        let number = self.shapes.moving_numbers.get(body).filter(|number| **number != u32::MAX);
        number.map(|number| *number as usize)
    }

    /// The field of velocities of a surface, if it moves.
    fn velocity_field(&self, surface: SurfaceId) -> Option<&VelocityField> {
        if self.steps.is_empty() {
            return None;
        }
        self.moving_index(surface.body()).map(|at| &self.steps[at].flow)
    }

    /// The velocity of a surface at a place \[m/s\], along the step or at the instant, as was asked
    /// for last; zero of one that stands, or [deforms](Solids::surface_velocity).
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
}
