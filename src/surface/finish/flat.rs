//! Fluid that rests against walls and solids has a flat surface there.
//!
//! The centres of particles stay a radius off a solid, and the surface around them ends up to a
//! third of a radius before it or behind it, bumpy. So vertices that face a solid from closer than
//! [`REACH`] are put on it, and so are all that lie beyond a wall or in a ball. Which way a vertex
//! faces is told by its normal n and that of the solid m, which points to the fluid: n·m ≤
//! −[`FACING`]. Distances to meshes have no sign; a vertex within reach faces a mesh if |n·m| is
//! large, from whichever side.
//!
//! A vertex may touch two walls, or a wall and a ball: it is put on one after the other until it
//! lies on both.
//!
//! Sources: none; particle fluids elsewhere subtract the solid from the field (Houdini, FLIP
//! Fluids), which leaves a gap where the field does not reach it.

use crate::base::{Real, Vec3, parallel, to_f64, vec3};
use crate::geometry::triangle::offset_to_triangle;
use crate::geometry::{Aabb, Point};
use crate::search::{BroadPhase, HierarchicalHash};
use crate::solid::Solids;

/// How far from a solid the surface may be to be put on it, in particle radii.
const REACH: Real = 1.0;

/// Cosine of the largest angle between the surface and a solid that it faces: 60°.
const FACING: Real = 0.5;

/// Times that a vertex on two solids is put on one after the other.
const ROUNDS: usize = 12;

/// What a vertex lies on.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Contact {
    /// A bit for each wall: low x, high x, low y, …
    walls: u8,
    /// One more than the object, ball or triangle; 0 for none.
    object: u32,
}

impl Contact {
    /// Whether the vertex lies on anything.
    pub fn is_any(&self) -> bool {
        *self != Contact::default()
    }
}

/// Solids that a surface may lie against.
pub(super) struct Obstacles<'a> {
    solids: &'a Solids,
    /// The corners of all meshes' triangles, objects after the balls.
    triangles: Vec<[Point; 3]>,
    objects: HierarchicalHash,
    /// How far vertices may be from what they are put on \[m\].
    reach: Real,
}

impl<'a> Obstacles<'a> {
    pub fn new(solids: &'a Solids, particle_radius: Real) -> Self {
        let exact = |v: Vec3| Point::from(to_f64(&v));
        let corners = |mesh| {
            let mesh: &crate::geometry::TriangleMesh = mesh;
            (0..mesh.triangles.len()).map(move |t| mesh.corners(t).map(exact))
        };
        let triangles = solids.meshes.iter().flat_map(corners).collect();
        let mut objects = HierarchicalHash::default();
        objects.rebuild(&solids.object_boxes(), 2.0 * REACH * particle_radius);
        Obstacles { solids, triangles, objects, reach: REACH * particle_radius }
    }

    /// Puts vertices that face a solid on it; returns what each one lies on.
    pub fn flatten(&self, positions: &mut [Vec3], normals: &[Vec3]) -> Vec<Contact> {
        let mut contacts = vec![Contact::default(); positions.len()];
        parallel::fill_both(positions, &mut contacts, |v, place, contact| {
            *contact = self.contact(place, &normals[v]);
            self.settle(place, contact);
        });
        contacts
    }

    /// Puts vertices that got beyond a wall or into a ball back on it.
    pub fn keep_out(&self, positions: &mut [Vec3]) {
        parallel::fill(positions, |_, place| self.keep_one_out(place));
    }

    /// Puts a vertex that got beyond a wall or into a ball back on it.
    pub fn keep_one_out(&self, place: &mut Vec3) {
        // A vertex without a normal faces nothing.
        let contact = self.contact(place, &Vec3::zeros());
        self.settle(place, &contact);
    }

    /// What a vertex should lie on.
    fn contact(&self, x: &Vec3, normal: &Vec3) -> Contact {
        let mut walls = 0;
        for wall in (0..6).filter(|wall| !self.solids.open[wall / 2]) {
            let (distance, sign) = self.to_wall(wall, x);
            let is_faced = distance <= self.reach && sign * normal[wall / 2] <= -FACING;
            walls |= u8::from(is_faced || distance <= 0.0) << wall;
        }
        let mut nearest = (self.reach, 0);
        self.objects.candidates(&Aabb::of_ball(x, self.reach), |id| {
            let (distance, is_faced) = self.look_at(id, x, normal);
            // Of equal ones the first, in whatever order they come.
            if is_faced && (distance, id + 1) < nearest {
                nearest = (distance, id + 1);
            }
        });
        Contact { walls, object: nearest.1 }
    }

    /// The distance inwards from a wall, and the direction of inwards along its axis.
    fn to_wall(&self, wall: usize, x: &Vec3) -> (Real, Real) {
        let Aabb { min, max } = &self.solids.domain;
        let axis = wall / 2;
        if is_low(wall) { (x[axis] - min[axis], 1.0) } else { (max[axis] - x[axis], -1.0) }
    }

    /// The distance to an object, and whether a vertex faces it or lies in it.
    fn look_at(&self, id: u32, x: &Vec3, normal: &Vec3) -> (Real, bool) {
        let offset = self.offset_to(id, x);
        let distance = offset.norm();
        let across = offset.dot(normal);
        let is_faced = match self.solids.spheres.get(id as usize) {
            Some(ball) if (x - ball.centre).norm() <= ball.radius => true,
            Some(_) => across >= FACING * distance && across > 0.0,
            None => across.abs() >= FACING * distance && *normal != Vec3::zeros(),
        };
        (distance, is_faced)
    }

    /// The vector from a point to the nearest one of an object's surface \[m\].
    fn offset_to(&self, id: u32, x: &Vec3) -> Vec3 {
        let (balls, at) = (&self.solids.spheres, Point::from(to_f64(x)));
        let Some(ball) = balls.get(id as usize) else {
            let corners = &self.triangles[id as usize - balls.len()];
            return vec3(offset_to_triangle(&at, corners).into());
        };
        let out = at - Point::from(to_f64(&ball.centre));
        let direction = out.try_normalize(0.0).unwrap_or_else(Point::z);
        vec3((direction * f64::from(ball.radius) - out).into())
    }

    /// Puts a vertex on what it touches; it comes from near by.
    pub fn settle(&self, x: &mut Vec3, contact: &Contact) {
        let rounds = if contact.object > 0 && contact.walls > 0 { ROUNDS } else { 1 };
        for _ in 0..rounds {
            if contact.object > 0 {
                let object = self.nearest_like(contact.object - 1, x);
                *x += self.offset_to(object, x);
            }
            let mut walls = contact.walls;
            while walls != 0 {
                let wall = walls.trailing_zeros() as usize;
                walls &= walls - 1;
                let Aabb { min, max } = &self.solids.domain;
                let axis = wall / 2;
                x[axis] = if is_low(wall) { min[axis] } else { max[axis] };
            }
        }
    }

    /// The ball itself; of a mesh, the nearest triangle, as a vertex slides from one to the next.
    fn nearest_like(&self, object: u32, x: &Vec3) -> u32 {
        let balls = self.solids.spheres.len() as u32;
        if object < balls {
            return object;
        }
        let mut nearest = (self.offset_to(object, x).norm(), object);
        self.objects.candidates(&Aabb::of_ball(x, nearest.0), |id| {
            if id >= balls {
                let distance = self.offset_to(id, x).norm();
                if (distance, id) < nearest {
                    nearest = (distance, id);
                }
            }
        });
        nearest.1
    }
}

/// Whether a wall stands at the low end of its axis.
fn is_low(wall: usize) -> bool {
    wall & 1 == 0
}
