//! Solids that move: bodies whose balls and triangles stand where they are at the present time.
//!
//! A pose is a function of the time alone, so that nothing of it need be remembered: a resumed run
//! and a step that is taken back set the poses by the clock. In a step of dt each point x of a body
//! goes to B A⁻¹ x, with A and B the poses before and after. Two fields of velocity are of use:
//! *along the step* (B A⁻¹ x − x)/dt, which leaves no gap in front of a body that speeds up, for
//! what happens until its end, and at the instant of the present positions.
//!
//! Symbols: A, B poses, x place \[m\], dt time step \[s\].

use super::motion::{Flow, Motion, Pose};
use super::piece::{exact, rounded};
use super::{Solids, SurfaceId};
use crate::base::Vec3;
use crate::geometry::{Aabb, Point};
use std::ops::Range;

/// The times within a step at which speeds are looked at.
const LOOKS: u32 = 8;

/// A body that moves.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Mover {
    pub surface: SurfaceId,
    motion: Motion,
    /// Of the solids' balls.
    balls: Range<usize>,
    /// Where the scene places their centres.
    centres: Vec<Vec3>,
    /// Of the solids' meshes.
    meshes: Range<usize>,
    /// Where the scene places their vertices, one mesh after the other.
    vertices: Vec<Vec3>,
    /// Of the solids' triangles.
    triangles: Range<usize>,
    /// From the pivot to its farthest point \[m\].
    reach: f64,
    pose: Pose,
    /// From the pose before to the present one.
    pub step: Pose,
    /// The field of velocities that counts.
    flow: Flow,
    /// That at the instant of the pose.
    instant: Flow,
    /// That along the step that was aimed at last.
    along: Flow,
}

impl Solids {
    /// The same, with bodies that move: a motion or none for each obstacle in their order. They
    /// stand where they are at the time 0.
    pub fn with_motions(mut self, motions: Vec<Option<Motion>>) -> Self {
        let (mut ball, mut mesh, mut triangle) = (0, 0, 0);
        let shares: Vec<(usize, usize)> = self.laws.shares().to_vec();
        for (number, (motion, (balls, meshes))) in motions.into_iter().zip(shares).enumerate() {
            let (balls, meshes) = (ball..ball + balls, mesh..mesh + meshes);
            let own = &self.meshes[meshes.clone()];
            let triangles =
                triangle..triangle + own.iter().map(|m| m.triangles.len()).sum::<usize>();
            (ball, mesh, triangle) = (balls.end, meshes.end, triangles.end);
            let Some(motion) = motion else { continue };
            let vertices: Vec<Vec3> = own.iter().flat_map(|m| m.vertices.iter().copied()).collect();
            let own = &self.spheres[balls.clone()];
            let centres: Vec<Vec3> = own.iter().map(|ball| ball.centre).collect();
            let from_pivot = |x: &Vec3| (exact(x) - motion.pivot()).norm();
            let to_balls = own.iter().map(|b| from_pivot(&b.centre) + f64::from(b.radius));
            let reach = to_balls.chain(vertices.iter().map(from_pivot)).fold(0.0, f64::max);
            let still = Pose { turn: nalgebra::Matrix3::identity(), shift: Point::zeros() };
            self.movers.push(Mover {
                surface: SurfaceId::of_obstacle(number),
                motion,
                balls,
                centres,
                meshes,
                vertices,
                triangles,
                reach,
                pose: still,
                step: still,
                flow: Flow::none(),
                instant: Flow::none(),
                along: Flow::none(),
            });
        }
        self.move_to(0.0);
        self
    }

    /// Whether any body moves.
    pub fn has_movers(&self) -> bool {
        !self.movers.is_empty()
    }

    /// The obstacles that move, by their numbers, ascending.
    pub fn moving_obstacles(&self) -> impl Iterator<Item = usize> {
        self.movers.iter().map(|mover| mover.surface.body() - 1)
    }

    /// Whether a ball moves.
    pub fn has_moving_balls(&self) -> bool {
        self.movers.iter().any(|mover| !mover.balls.is_empty())
    }

    /// Whether a mesh moves, by its number.
    pub fn is_moving_mesh(&self, mesh: usize) -> bool {
        self.movers.iter().any(|mover| mover.meshes.contains(&mesh))
    }

    /// The objects that move, ascending.
    pub fn moving_objects(&self) -> impl Iterator<Item = u32> {
        let first = self.spheres.len();
        let balls = self.movers.iter().flat_map(|mover| mover.balls.clone());
        let triangles = self.movers.iter().flat_map(|mover| mover.triangles.clone());
        balls.chain(triangles.map(move |triangle| first + triangle)).map(|object| object as u32)
    }

    /// The boxes of these, in their order.
    pub fn moving_boxes(&self) -> impl Iterator<Item = Aabb> {
        let balls = self.movers.iter().flat_map(|mover| &self.spheres[mover.balls.clone()]);
        let triangles =
            self.movers.iter().flat_map(|mover| &self.triangles[mover.triangles.clone()]);
        balls
            .map(|ball| Aabb::of_ball(&ball.centre, ball.radius))
            .chain(triangles.map(Aabb::around))
    }

    /// Puts each body where it is at a time \[s\], with its velocity at that instant.
    pub fn move_to(&mut self, time: f64) {
        self.advance_to(time);
        self.settle();
    }

    /// From now on the velocities are those at the instant.
    pub fn settle(&mut self) {
        self.movers.iter_mut().for_each(|mover| mover.flow = mover.instant);
    }

    /// Puts each body where it is at a time \[s\]; the velocities stay those along the step.
    pub fn advance_to(&mut self, time: f64) {
        let mut movers = std::mem::take(&mut self.movers);
        for mover in &mut movers {
            let (pose, instant) = mover.motion.at(time);
            (mover.step, mover.instant) = (pose.relative_to(&mover.pose), instant);
            if pose != mover.pose {
                mover.pose = pose;
                self.place(mover);
            }
        }
        self.movers = movers;
    }

    /// Takes the velocities along the step to a time \[s\], `dt` \[s\] from now.
    pub fn aim(&mut self, time: f64, dt: f64) {
        for mover in &mut self.movers {
            let step = mover.motion.at(time).0.relative_to(&mover.pose);
            mover.along = if dt > 0.0 { Flow::along(&step, dt) } else { mover.instant };
            mover.flow = mover.along;
        }
    }

    /// Puts the balls and triangles of a body into its pose.
    fn place(&mut self, mover: &Mover) {
        let placed = |x: &Vec3| rounded(&mover.pose.apply(&exact(x)));
        for (ball, centre) in self.spheres[mover.balls.clone()].iter_mut().zip(&mover.centres) {
            ball.centre = placed(centre);
        }
        let meshes = &mut self.meshes[mover.meshes.clone()];
        let vertices = meshes.iter_mut().flat_map(|mesh| &mut mesh.vertices);
        vertices.zip(&mover.vertices).for_each(|(x, rest)| *x = placed(rest));
        let corners = meshes.iter().flat_map(|m| (0..m.triangles.len()).map(|t| m.corners(t)));
        self.triangles[mover.triangles.clone()].iter_mut().zip(corners).for_each(|(a, b)| *a = b);
        let numbered = self.meshes.iter().enumerate();
        let with_triangles = numbered.filter(|(_, mesh)| !mesh.triangles.is_empty());
        for ((number, mesh), (_, bounds)) in with_triangles.zip(&mut self.mesh_ends) {
            if mover.meshes.contains(&number) {
                *bounds = mesh.bounds();
            }
        }
    }

    /// The body of a surface, if it moves.
    fn mover(&self, surface: SurfaceId) -> Option<&Mover> {
        self.movers.iter().find(|mover| mover.surface == surface)
    }

    /// The velocity of a surface at a place \[m/s\], along the step or at the instant, as was asked
    /// for last; zero of one that stands.
    pub fn velocity(&self, surface: SurfaceId, x: &Point) -> Point {
        self.mover(surface).map_or_else(Point::zeros, |mover| mover.flow.at(x))
    }

    /// The same in the precision of the state.
    pub fn velocity_at(&self, surface: SurfaceId, x: &Vec3) -> Vec3 {
        match self.mover(surface) {
            Some(mover) => rounded(&mover.flow.at(&exact(x))),
            None => Vec3::zeros(),
        }
    }

    /// How far a point of a moving body goes at the most in the step to the present poses \[m\].
    pub fn farthest_step(&self) -> f64 {
        let way = |mover: &Mover| {
            let center = mover.pose.apply(mover.motion.pivot());
            let Pose { turn, shift } = mover.step;
            let before = turn.transpose() * (center - shift);
            let turned = (turn - nalgebra::Matrix3::identity()).norm() * mover.reach;
            (center - before).norm() + turned
        };
        self.movers.iter().map(way).fold(0.0, f64::max)
    }

    /// The largest speed of a moving body's points from `time` \[s\] on, for `dt` \[s\] \[m/s\].
    pub fn fastest(&self, time: f64, dt: f64) -> f64 {
        let times = || (0..=LOOKS).map(|k| time + dt * f64::from(k) / f64::from(LOOKS));
        let speeds =
            |mover: &Mover| times().map(|t| mover.motion.speed(t, mover.reach)).fold(0.0, f64::max);
        if dt.is_finite() {
            self.movers.iter().map(speeds).fold(0.0, f64::max)
        } else {
            self.movers
                .iter()
                .map(|mover| mover.motion.speed(time, mover.reach))
                .fold(0.0, f64::max)
        }
    }

    /// The work \[J\] that bodies do along the last step, who give these momenta \[N s\] and angular
    /// momenta about the origin \[N m s\], by body.
    pub fn work(&self, given: &[[f64; 6]]) -> f64 {
        let of = |mover: &Mover| {
            let [x, y, z, u, v, w] = given[mover.surface.body()];
            let Flow { at_origin, .. } = mover.along;
            at_origin.dot(&Point::new(x, y, z)) + mover.along.spin().dot(&Point::new(u, v, w))
        };
        self.movers.iter().map(of).sum()
    }

    /// Whether every motion is told at a time \[s\]; else the first obstacle whose is not.
    pub fn lost_at(&self, time: f64) -> Option<usize> {
        let lost = self.movers.iter().find(|mover| !mover.motion.is_finite_at(time));
        lost.map(|mover| mover.surface.body() - 1)
    }
}
