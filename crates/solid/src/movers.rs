//! Solids that move: bodies whose balls and triangles stand where they are at the present time.
//!
//! A pose is a function of the time alone, so that nothing of it need be remembered: a resumed run
//! and a step that is taken back set the poses by the clock. In a step of dt each point x of a body
//! goes to B A⁻¹ x, with A and B the poses before and after. Two fields of velocity are of use:
//! *along the step* (B A⁻¹ x − x)/dt, which leaves no gap in front of a body that speeds up, for
//! what happens until its end, and at the instant of the present positions.
//!
//! Symbols: A, B poses, x place \[m\], dt time step \[s\].

use super::motion::{Flow, Motion, Pace, Pose};
use super::piece::{exact, rounded};
use super::{Solids, SurfaceId};
use hashfall_core::Vec3;
use hashfall_geometry::{Aabb, Point};
use std::ops::Range;

/// The times within a step at which speeds are looked at.
const LOOKS: u32 = 8;

/// A body that moves.
#[derive(Clone, Debug)]
pub(super) struct Mover {
    pub surface: SurfaceId,
    motion: Motion,
    /// Of the solids' balls.
    balls: Range<usize>,
    /// Where the scene places their centres.
    centres: Vec<Vec3>,
    /// Of the solids' meshes.
    meshes: Range<usize>,
    /// Of the solids' meshes that have triangles.
    ends: Range<usize>,
    /// Where the scene places their vertices, one mesh after the other.
    vertices: Vec<Vec3>,
    /// Of the solids' triangles.
    triangles: Range<usize>,
    /// The largest [reach](Motion::reach) of its points \[m\].
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

/// Two are equal that are the same body at the same place, whatever the step before was.
impl PartialEq for Mover {
    fn eq(&self, other: &Self) -> bool {
        let what = |it: &Self| (it.surface, it.pose, it.flow);
        let is_same_body = self.centres == other.centres && self.vertices == other.vertices;
        what(self) == what(other) && self.motion == other.motion && is_same_body
    }
}

impl Solids {
    /// The same, with bodies that move: a motion or none for each obstacle in their order. They
    /// stand where they are at the time 0.
    pub fn with_motions(mut self, motions: Vec<Option<Motion>>) -> Self {
        let (mut ball, mut mesh, mut triangle, mut end) = (0, 0, 0, 0);
        let shares: Vec<(usize, usize)> = self.laws.shares().to_vec();
        for (number, (motion, (balls, meshes))) in motions.into_iter().zip(shares).enumerate() {
            let (balls, meshes) = (ball..ball + balls, mesh..mesh + meshes);
            let own = &self.meshes[meshes.clone()];
            let triangles =
                triangle..triangle + own.iter().map(|m| m.triangles.len()).sum::<usize>();
            let ends = end..end + own.iter().filter(|m| !m.triangles.is_empty()).count();
            (ball, mesh, triangle, end) = (balls.end, meshes.end, triangles.end, ends.end);
            let Some(motion) = motion else { continue };
            let vertices: Vec<Vec3> = own.iter().flat_map(|m| m.vertices.iter().copied()).collect();
            let own = &self.spheres[balls.clone()];
            let centres: Vec<Vec3> = own.iter().map(|ball| ball.centre).collect();
            let from_axis = |x: &Vec3| motion.reach(&exact(x));
            let to_balls = own.iter().map(|b| from_axis(&b.centre) + f64::from(b.radius));
            let reach = to_balls.chain(vertices.iter().map(from_axis)).fold(0.0, f64::max);
            let still = Pose { turn: nalgebra::Matrix3::identity(), shift: Point::zeros() };
            self.movers.push(Mover {
                surface: SurfaceId::of_obstacle(number),
                motion,
                balls,
                centres,
                meshes,
                ends,
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
        self.mover_of_mesh(mesh).is_some()
    }

    /// The moving body that a mesh is part of, by its number among these.
    pub(super) fn mover_of_mesh(&self, mesh: usize) -> Option<usize> {
        // Ranges of meshes ascend; the first that ends behind this one may hold it.
        let at = self.movers.partition_point(|mover| mover.meshes.end <= mesh);
        self.movers.get(at).is_some_and(|mover| mover.meshes.contains(&mesh)).then_some(at)
    }

    /// Where the scene places the vertices of a mesh.
    pub(super) fn rest_vertices(&self, mesh: usize) -> &[Vec3] {
        let Some(mover) = self.mover_of_mesh(mesh) else { return &self.meshes[mesh].vertices };
        let Mover { meshes, vertices, .. } = &self.movers[mover];
        let count = |mesh: usize| self.meshes[mesh].vertices.len();
        let first: usize = (meshes.start..mesh).map(count).sum();
        &vertices[first..first + count(mesh)]
    }

    /// Where a moving body is, by its number among these.
    pub(super) fn pose_of(&self, mover: usize) -> &Pose {
        &self.movers[mover].pose
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

    /// Each body that moves, with its obstacle's number: alone, where it stands now, without walls.
    pub fn moving_bodies(&self) -> impl Iterator<Item = (usize, Solids)> {
        self.movers.iter().map(|mover| {
            let balls = self.spheres[mover.balls.clone()].to_vec();
            let meshes = self.meshes[mover.meshes.clone()].to_vec();
            let alone = Solids::new(self.domain, balls, meshes).with_open_axes([true; 3]);
            (mover.surface.body() - 1, alone)
        })
    }

    /// The obstacles that move, and whose boxes lie outside the domain at all of these times \[s\].
    pub fn always_outside<T: Iterator<Item = f64>>(&self, times: impl Fn() -> T) -> Vec<usize> {
        let comes_in = |mover: &Mover| {
            let radii = self.spheres[mover.balls.clone()].iter().map(|ball| ball.radius);
            let balls = mover.centres.iter().zip(radii).map(|(x, r)| Aabb::of_ball(x, r));
            let rest = balls.fold(Aabb::around(&mover.vertices), |all, ball| all.union(&ball));
            let ends = [rest.min, rest.max];
            let corner = |i: usize| exact(&Vec3::from_fn(|a, _| ends[i >> a & 1][a]));
            times().any(|time| {
                let (pose, _) = mover.motion.at(time);
                let corners: [Vec3; 8] = std::array::from_fn(|i| rounded(&pose.apply(&corner(i))));
                Aabb::around(&corners).overlaps(&self.domain)
            })
        };
        let outside = self.movers.iter().filter(|mover| !comes_in(mover));
        outside.map(|mover| mover.surface.body() - 1).collect()
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
        let own = self.meshes[mover.meshes.clone()].iter();
        let with_triangles = own.filter(|mesh| !mesh.triangles.is_empty());
        for (mesh, (_, bounds)) in with_triangles.zip(&mut self.mesh_ends[mover.ends.clone()]) {
            *bounds = mesh.bounds();
        }
    }

    /// Whether a surface is that of a body that moves.
    pub(super) fn moves(&self, surface: SurfaceId) -> bool {
        self.mover(surface).is_some()
    }

    /// The body of a surface, if it moves.
    fn mover(&self, surface: SurfaceId) -> Option<&Mover> {
        let at = self.movers.binary_search_by_key(&surface.body(), |mover| mover.surface.body());
        at.ok().map(|at| &self.movers[at])
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

    /// Of each body that moves the obstacle's number, the largest [reach](Motion::reach) of its
    /// points \[m\], and its paces from 0 to `end` \[s\] of which one is the fastest.
    pub fn paces(&self, end: f64) -> impl Iterator<Item = (usize, f64, Vec<Pace>)> {
        self.movers
            .iter()
            .map(move |mover| (mover.surface.body() - 1, mover.reach, mover.motion.paces(end)))
    }

    /// The largest speed of a moving body's points at a time \[s\] \[m/s\].
    fn fastest_at(&self, time: f64) -> f64 {
        let speeds = self.movers.iter().map(|mover| mover.motion.speed(time, mover.reach));
        speeds.fold(0.0, f64::max)
    }

    /// The same from `time` \[s\] on, for `dt` \[s\].
    pub fn fastest(&self, time: f64, dt: f64) -> f64 {
        let dt = if dt.is_finite() { dt } else { 0.0 };
        let times = (0..=LOOKS).map(|k| time + dt * f64::from(k) / f64::from(LOOKS));
        if self.has_movers() { times.map(|t| self.fastest_at(t)).fold(0.0, f64::max) } else { 0.0 }
    }

    /// The work \[J\] that bodies do along the last step, who give these momenta \[N s\] and
    /// angular momenta about the origin \[N m s\], by body.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Key, Obstacle, Sphere, SweepBuffer, Turn};
    use hashfall_core::{Real, vec3};
    use hashfall_geometry::random::Random;
    use hashfall_geometry::shape::{box_mesh, sphere_mesh};

    const R: Real = 0.02;

    fn far_walls() -> Aabb {
        Aabb::new(Vec3::repeat(-9.0), Vec3::repeat(9.0))
    }

    /// In a second by `shift` and `degrees` about an axis.
    fn leap(shift: [f64; 3], axis: [f64; 3], degrees: f64) -> Motion {
        let key = |time, shift, degrees| Key { time, shift, turn: Turn { axis, degrees } };
        Motion::through(
            [0.0; 3],
            &[key(0.0, [0.0; 3], 0.0), key(1.0, shift, degrees)],
            false,
            false,
        )
    }

    fn carried(solids: &Solids, x: &Vec3) -> Vec3 {
        let objects: Vec<u32> = (0..solids.object_count() as u32).collect();
        let mut buffer = SweepBuffer::default();
        let (place, short) = solids.carry(&objects, x, R, &mut buffer);
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
                .with_motions(vec![Some(motion.clone())]);
            solids.move_to(1.0);
            let (pose, _) = motion.at(1.0);
            for _ in 0..100 {
                let x = rounded(&random.point(-0.6, 0.6));
                if x.z.abs() < 0.006 + R {
                    continue;
                }
                let place = carried(&solids, &x);
                let seen = pose.turn.transpose() * (exact(&place) - pose.shift);
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
                Obstacle { spheres: balls.len(), meshes: meshes.len(), ..Obstacle::default() };
            let motion = leap([0.2, 0.1, 0.4], [0.0, 1.0, 0.0], 70.0);
            let mut solids = Solids::new(far_walls(), balls, meshes)
                .with_obstacles(&[obstacle])
                .with_motions(vec![Some(motion.clone())]);
            solids.move_to(1.0);
            assert!(solids.farthest_step() > 0.4);
            let now = motion.at(1.0).0.apply(&exact(&centre));
            let mut pushed = 0;
            for _ in 0..3000 {
                let x = rounded(&random.point(-0.6, 0.6));
                if (x - centre).norm() < 0.16 + R {
                    continue;
                }
                let place = carried(&solids, &x);
                let gap = (exact(&place) - now).norm() - 0.15 - f64::from(R);
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
            Solids::new(far_walls(), vec![], vec![mesh]).with_motions(vec![Some(motion)]);
        let start = solids.object_boxes();
        solids.move_to(0.7);
        assert_ne!(solids.object_boxes(), start);
        assert_eq!(solids.moving_boxes().collect::<Vec<_>>(), solids.object_boxes());
        solids.move_to(0.0);
        assert_eq!(solids.object_boxes(), start);
    }

    #[test]
    fn who_moves_is_told_by_objects_meshes_and_balls() {
        let ball = |x: Real| Sphere { centre: Vec3::new(x, 0.0, 0.0), radius: 0.1 };
        let meshes = [0.0, 1.0, 2.0].map(|x| sphere_mesh(&Vec3::new(x, 1.0, 0.0), 0.1, 0));
        let of = |spheres, meshes| Obstacle { spheres, meshes, ..Obstacle::default() };
        let still = || Some(leap([0.0; 3], [0.0, 0.0, 1.0], 0.0));
        let solids =
            Solids::new(far_walls(), vec![ball(0.0), ball(1.0), ball(2.0)], meshes.to_vec())
                .with_obstacles(&[of(0, 1), of(1, 0), of(2, 0), of(0, 2)])
                .with_motions(vec![None, still(), None, still()]);
        assert_eq!(solids.moving_obstacles().collect::<Vec<_>>(), [1, 3]);
        let expected: Vec<u32> = [0].into_iter().chain(3 + 20..3 + 60).collect();
        assert_eq!(solids.moving_objects().collect::<Vec<_>>(), expected);
        assert_eq!([0, 1, 2].map(|mesh| solids.is_moving_mesh(mesh)), [false, true, true]);
        assert!(solids.has_moving_balls());
    }
}
