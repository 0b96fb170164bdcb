//! The last resort: what still comes through moves as one rigid piece for a substep.
//!
//! Provot 1997; Harmon et al. 2008 (inelastic projection). Points of hits that share a point form a
//! zone. A zone of free points takes the rigid motion that has its momentum and its angular
//! momentum; one with points that are not free takes the motion of these. A rigid motion lets no
//! two points come nearer: straight ways of a rotation grow all distances, by the second order. Of
//! all velocities of that momentum and angular momentum it has the least kinetic energy, so energy
//! never grows.
//!
//! Zones join where hits do, and there are only so many points: so this ends, unless what is not
//! free closes on a zone from two sides.

use super::guard::Hit;
use super::points::Points;
use hashfall_geometry::{DisjointSets, Point};
use nalgebra::Matrix3;

/// The zones of a substep.
#[derive(Clone, Debug, Default)]
pub(super) struct Zones {
    /// The points of all hits, each point once, ascending.
    members: Vec<u32>,
    /// All hits so far.
    hits: Vec<[u32; 4]>,
}

impl Zones {
    /// Forgets all.
    pub fn clear(&mut self) {
        self.hits.clear();
    }

    /// Adds hits and makes each zone rigid. `spin` is the velocity of a point that is not free's
    /// rigid body at a place.
    pub fn make_rigid(
        &mut self,
        hits: &[Hit],
        points: &mut Points,
        body_velocity: &dyn Fn(u32, &Point) -> Point,
    ) {
        self.hits.extend(hits.iter().map(|hit| hit.points));
        self.members.clear();
        self.members.extend(self.hits.iter().flatten());
        self.members.sort_unstable();
        self.members.dedup();
        let place = |point: u32| self.members.partition_point(|member| *member < point);
        let mut sets = DisjointSets::new(self.members.len());
        for hit in &self.hits {
            hit.iter().for_each(|point| sets.union(place(hit[0]), place(*point)));
        }
        let mut zones: Vec<(usize, u32)> =
            (0..self.members.len()).map(|k| (sets.find(k), self.members[k])).collect();
        zones.sort_unstable();
        for zone in zones.chunk_by(|a, b| a.0 == b.0) {
            let held = zone.iter().find(|(_, point)| points.inverse_mass[*point as usize] == 0.0);
            match held {
                Some(&(_, held)) => follow(zone, held, points, body_velocity),
                None => stiffen(zone, points),
            }
        }
    }
}

/// Gives the free points of a zone the motion of one that is not free.
fn follow(
    zone: &[(usize, u32)],
    held: u32,
    points: &mut Points,
    body_velocity: &dyn Fn(u32, &Point) -> Point,
) {
    for &(_, point) in zone {
        let point = point as usize;
        if points.inverse_mass[point] > 0.0 {
            points.velocity[point] = body_velocity(held, &points.start[point]);
        }
    }
}

/// Gives a zone of free points the rigid motion of its momentum and angular momentum.
fn stiffen(zone: &[(usize, u32)], points: &mut Points) {
    let each = || zone.iter().map(|(_, point)| *point as usize);
    let mass = |point: usize| 1.0 / points.inverse_mass[point];
    let total: f64 = each().map(mass).sum();
    let mean = |of: &[Point]| each().map(|p| of[p] * mass(p)).sum::<Point>() / total;
    let (centre, velocity) = (mean(&points.start), mean(&points.velocity));
    let (mut momentum, mut inertia) = (Point::zeros(), Matrix3::zeros());
    for point in each() {
        let arm = points.start[point] - centre;
        momentum += arm.cross(&(points.velocity[point] - velocity)) * mass(point);
        let square = Matrix3::from_diagonal_element(arm.norm_squared());
        inertia += (square - arm * arm.transpose()) * mass(point);
    }
    // Points on a line have no inertia about it, and no angular momentum.
    let spin = inertia.try_inverse().map_or_else(Point::zeros, |inverse| inverse * momentum);
    for (_, point) in zone {
        let point = *point as usize;
        points.velocity[point] = velocity + spin.cross(&(points.start[point] - centre));
    }
}
