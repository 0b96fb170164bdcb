//! What elastic bodies meet that is not elastic: walls, and the points, edges and triangles of
//! solids.
//!
//! A ball is a point with a radius, and an edge from it to itself, so that ropes meet it too. A
//! capsule is an edge with a radius. The triangles of meshes have none. All these are exact.
//! Cylinders and cones are the meshes of [`round_mesh`] with 96 corners around, which lie at most
//! 6 · 10⁻⁴ of the radius below the surface.
//!
//! Positions are in double precision in the frame in which the scene places a solid, and poses lead
//! from there, so that nothing is rounded on the way but the shapes themselves.

use hashfall_core::{Vec3, to_f64};
use hashfall_geometry::{Meridian, Point, RoundSolid, TriangleMesh, round_mesh};
use hashfall_solid::{Solids, SurfaceId};

/// The number of the rigid part that a point is of: 0 for what stands, k + 1 for moving body k.
pub(in crate::contact) type RigidPart = u32;

/// A point of an obstacle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::contact) struct ObstaclePoint {
    /// In the frame of the scene \[m\].
    pub rest: Point,
    /// \[m\]
    pub radius: f64,
    /// μ of its surface \[–\].
    pub friction: f64,
    /// 0 if it stands, k + 1 on moving body k.
    pub part: RigidPart,
}

/// A wall of the domain: the plane n · x = offset, with bodies on the side of n.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::contact) struct Wall {
    /// n.
    pub normal: Point,
    /// \[m\]
    pub offset: f64,
    /// √μ.
    pub friction_root: f64,
}

/// All obstacles, by numbers of their own.
#[derive(Clone, Debug, Default)]
pub(in crate::contact) struct Obstacles {
    pub points: Vec<ObstaclePoint>,
    pub edges: Vec<[u32; 2]>,
    pub triangles: Vec<[u32; 3]>,
    pub walls: Vec<Wall>,
    /// Points of bodies that move.
    moving: Vec<u32>,
}

impl Obstacles {
    /// Those of some solids, whichever state they are in.
    pub fn new(solids: &Solids) -> Self {
        let mut obstacles = Obstacles { walls: walls(solids), ..Obstacles::default() };
        let mut object = 0;
        let mut next = |count: usize| {
            let surface = (count > 0).then(|| solids.surface_of(object));
            object += count as u32;
            surface
        };
        for ball in solids.rest_spheres() {
            let Some(surface) = next(1) else { continue };
            let (centre, radius) = (point(&ball.centre), f64::from(ball.radius));
            let own = obstacles.add_point(solids, surface, centre, radius);
            obstacles.edges.push([own, own]);
        }
        for round in solids.rest_rounds() {
            let Some(surface) = next(1) else { continue };
            obstacles.add_round(solids, surface, round);
        }
        for mesh in solids.rest_meshes() {
            let surface = next(mesh.triangles.len());
            // What deforms is an elastic body itself.
            let Some(surface) = surface.filter(|it| !solids.deforms(*it)) else { continue };
            obstacles.add_mesh(solids, surface, mesh);
        }
        obstacles
    }

    /// The points of bodies that move: their numbers, the bodies', and where they are at rest.
    pub fn moving(&self) -> impl Iterator<Item = (usize, usize, &Point)> {
        self.moving.iter().map(|&k| {
            let point = &self.points[k as usize];
            (k as usize, point.part as usize - 1, &point.rest)
        })
    }

    fn add_point(&mut self, solids: &Solids, surface: SurfaceId, rest: Point, radius: f64) -> u32 {
        let friction = solids.contact_law(surface).friction;
        let part = solids.moving_number(surface).map_or(0, |body| body as RigidPart + 1);
        let number = self.points.len() as u32;
        self.points.push(ObstaclePoint { rest, radius, friction, part });
        if part > 0 {
            self.moving.push(number);
        }
        number
    }

    fn add_round(&mut self, solids: &Solids, surface: SurfaceId, round: &RoundSolid) {
        if let Meridian::Capsule { radius, .. } = round.meridian() {
            let ends = round.axis_ends().map(|end| self.add_point(solids, surface, end, radius));
            self.edges.push(ends);
            return;
        }
        self.add_mesh(solids, surface, &round_mesh(round).0.welded());
    }

    fn add_mesh(&mut self, solids: &Solids, surface: SurfaceId, mesh: &TriangleMesh) {
        let first = self.points.len() as u32;
        for vertex in &mesh.vertices {
            self.add_point(solids, surface, point(vertex), 0.0);
        }
        let triangles = mesh.triangles.iter().map(|corners| corners.map(|v| first + v));
        let corners = triangles.clone().flat_map(|[a, b, c]| [[a, b], [b, c], [c, a]]);
        let mut edges: Vec<_> = corners.map(|[a, b]| [a.min(b), a.max(b)]).collect();
        edges.sort_unstable();
        edges.dedup();
        self.edges.extend(edges);
        self.triangles.extend(triangles);
    }
}

/// A point of the state in double precision.
fn point(v: &Vec3) -> Point {
    Point::from(to_f64(v))
}

/// The walls that there are: low x, high x, low y, …
fn walls(solids: &Solids) -> Vec<Wall> {
    let [low, high] = [solids.domain.min, solids.domain.max].map(|corner| point(&corner));
    let wall = |number: usize| {
        let (axis, is_high) = (number / 2, number % 2 == 1);
        let sign = if is_high { -1.0 } else { 1.0 };
        let mut normal = Point::zeros();
        normal[axis] = sign;
        let offset = sign * if is_high { high[axis] } else { low[axis] };
        let friction_root = solids.contact_laws()[number].friction.sqrt();
        Wall { normal, offset, friction_root }
    };
    (0..6).filter(|number| !solids.open[number / 2]).map(wall).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashfall_geometry::{Aabb, Sphere, shape};
    use hashfall_solid::{BodySpec, ContactLaw, KinematicLaw};

    #[test]
    fn every_solid_becomes_points_edges_and_triangles_with_its_friction_and_body() {
        let domain = Aabb::new(Vec3::zeros(), Vec3::repeat(1.0));
        let ball = Sphere { centre: Vec3::repeat(0.5), radius: 0.1 };
        let (from, to) = (Point::repeat(0.2), Point::new(0.2, 0.2, 0.4));
        let rounds = vec![RoundSolid::capsule(from, to, 0.05), RoundSolid::cylinder(from, to, 0.1)];
        let block = shape::box_mesh(&domain);
        let rough = |friction| ContactLaw { friction, ..ContactLaw::default() };
        let specs = [
            BodySpec { spheres: 1, contact: rough(0.1), ..BodySpec::default() },
            BodySpec { rounds: 2, contact: rough(0.2), ..BodySpec::default() },
            BodySpec { meshes: 1, contact: rough(0.3), ..BodySpec::default() },
        ];
        let solids = Solids::new(domain, vec![ball], vec![block])
            .with_rounds(rounds)
            .with_bodies(&specs)
            .with_kinematic_laws(vec![None, None, Some(KinematicLaw::driven([0.0; 3]))])
            .with_open_axes([false, true, false]);
        let obstacles = Obstacles::new(&solids);
        assert_eq!(obstacles.walls.len(), 4);
        assert_eq!(obstacles.walls[3].normal.z * obstacles.walls[3].offset, 1.0);
        let of = |part, friction, radius: f64| {
            let points = obstacles.points.iter();
            points
                .filter(|p| p.part == part && p.friction == friction && p.radius == radius)
                .count()
        };
        assert_eq!((of(0, 0.1, f64::from(ball.radius)), of(0, 0.2, 0.05)), (1, 2));
        assert_eq!((of(0, 0.2, 0.0), of(1, 0.3, 0.0)), (2 * 96 + 2, 8));
        assert_eq!(obstacles.triangles.len(), 4 * 96 + 12);
        assert_eq!(obstacles.edges.len(), 1 + 1 + 6 * 96 + 18);
    }
}
