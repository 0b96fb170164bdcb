//! The last resort: what still comes through moves as one rigid piece for a substep.
//!
//! Provot 1997; Harmon et al. 2008 (inelastic projection). Points of hits that share a point form a
//! zone. A zone of free points takes the rigid motion that has its momentum and its angular
//! momentum; one with points that are not free takes the motion of these, and one at a wall stops.
//! The rigid motion of free points lets no two come nearer: straight paths of a rotation grow all
//! distances, by the second order. Of all velocities of that momentum and angular momentum it has
//! the least kinetic energy, so energy never grows.
//!
//! Zones join where hits do, and there are only so many points: so this ends, unless what is not
//! free closes on a zone from two sides.

use super::hit::{Hit, HitKind};
use super::points::Points;
use hashfall_geometry::{DisjointSets, Point};
use nalgebra::Matrix3;

/// The zones of a substep.
#[derive(Clone, Debug, Default)]
pub(super) struct Zones {
    /// The points of all hits, each point once, ascending.
    members: Vec<u32>,
    /// All hits so far.
    hits: Vec<Hit>,
}

/// The least inertia about one axis over that about the others \[–\]: a zone below it is a line,
/// and its spin about itself would be rounding alone.
const LINE: f64 = 1e-8;

impl Zones {
    /// Forgets all.
    pub fn clear(&mut self) {
        self.hits.clear();
    }

    /// Adds hits and makes each zone rigid. `velocity` gives the velocity that the moving body of a
    /// point that is not free has at a place; none if the point is of no such body.
    pub fn make_rigid(
        &mut self,
        hits: &[Hit],
        points: &mut Points,
        velocity: impl Fn(u32, &Point) -> Option<Point>,
    ) {
        self.hits.extend(hits);
        self.members.clear();
        self.members.extend(self.hits.iter().flat_map(|hit| hit.points));
        self.members.sort_unstable();
        self.members.dedup();
        let place = |point: u32| self.members.partition_point(|member| *member < point);
        let mut sets = DisjointSets::new(self.members.len());
        let mut is_at_wall = vec![false; self.members.len()];
        for Hit { kind, points, .. } in &self.hits {
            points.iter().for_each(|point| sets.union(place(points[0]), place(*point)));
            is_at_wall[place(points[0])] |= matches!(kind, HitKind::Wall(_));
        }
        let mut zones: Vec<(usize, u32)> =
            (0..self.members.len()).map(|k| (sets.find(k), self.members[k])).collect();
        zones.sort_unstable();
        for zone in zones.chunk_by(|a, b| a.0 == b.0) {
            let mut each = zone.iter().map(|(_, point)| *point);
            if let Some(fixed) = each.clone().find(|k| points.inverse_mass[*k as usize] == 0.0) {
                let own = points.velocity[fixed as usize];
                follow(zone, points, |x| velocity(fixed, x).unwrap_or(own));
            } else if each.any(|point| is_at_wall[place(point)]) {
                follow(zone, points, |_| Point::zeros());
            } else {
                stiffen(zone, points);
            }
        }
    }
}

/// Gives the free points of a zone the velocities at their places.
fn follow(zone: &[(usize, u32)], points: &mut Points, velocity: impl Fn(&Point) -> Point) {
    for &(_, point) in zone {
        let point = point as usize;
        if points.inverse_mass[point] > 0.0 {
            points.velocity[point] = velocity(&points.start[point]);
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
    let spin = spin(&inertia, &momentum);
    for (_, point) in zone {
        let point = *point as usize;
        points.velocity[point] = velocity + spin.cross(&(points.start[point] - centre));
    }
}

/// The angular velocity \[1/s\] of an inertia \[kg m²\] with an angular momentum \[kg m²/s\].
fn spin(inertia: &Matrix3<f64>, momentum: &Point) -> Point {
    // Two axes of a line have this inertia, and the third has none.
    let across = 0.5 * inertia.trace();
    if across == 0.0 {
        return Point::zeros();
    }
    match (inertia / across).try_inverse() {
        Some(inverse) if (inertia / across).determinant() > LINE => inverse * momentum / across,
        _ => momentum / across,
    }
}

#[cfg(test)]
mod tests {
    use super::super::pair::{Pair, PairKind};
    use super::*;
    use hashfall_core::geometry::random::Random;

    /// Points with random masses and velocities, and a hit between each four.
    fn problem(start: Vec<Point>, random: &mut Random) -> (Points, Vec<Hit>) {
        let count = start.len();
        let points = Points {
            velocity: (0..count).map(|_| random.point(-1.0, 1.0)).collect(),
            displacement: vec![Point::zeros(); count],
            inverse_mass: (0..count).map(|_| 1.0 / random.number(0.1, 10.0)).collect(),
            start,
            ..Points::default()
        };
        let hit = |first: u32| {
            let points = [first, first + 1, first + 2, first + 3];
            let pair = Pair { kind: PairKind::EdgeEdge, points, distance: 0.0, is_reduced: true };
            Hit { kind: HitKind::Pair(pair), points, part: 0.5 }
        };
        (points, (0..count as u32 - 3).step_by(3).map(hit).collect())
    }

    /// Momentum, angular momentum and kinetic energy.
    fn account(points: &Points) -> (Point, Point, f64) {
        let mut sums = (Point::zeros(), Point::zeros(), 0.0);
        for ((x, v), inverse) in points.start.iter().zip(&points.velocity).zip(&points.inverse_mass)
        {
            sums.0 += v / *inverse;
            sums.1 += x.cross(v) / *inverse;
            sums.2 += 0.5 * v.norm_squared() / inverse;
        }
        sums
    }

    #[test]
    fn free_zones_keep_momentum_and_distances_and_gain_no_energy() {
        let mut random = Random::new(3);
        let line = random.direction();
        for case in 0..200 {
            // In space, on a line, and on a line but for rounding.
            let place = |k: usize, random: &mut Random| match case % 3 {
                0 => random.point(-1.0, 1.0),
                1 => Point::x() * (0.1 + k as f64),
                _ => Point::repeat(5.0) + line * k as f64,
            };
            let start = (0..7).map(|k| place(k, &mut random)).collect();
            let (mut points, hits) = problem(start, &mut random);
            let before = account(&points);
            Zones::default().make_rigid(&hits, &mut points, |_, _| None);
            let after = account(&points);
            assert!((after.0 - before.0).norm() < 1e-12 * (1.0 + before.0.norm()), "{case}");
            assert!((after.1 - before.1).norm() < 1e-6 * (1.0 + before.1.norm()), "{case}");
            assert!(after.2 <= before.2 * (1.0 + 1e-9), "{case}: {} of {}", after.2, before.2);
            for a in 0..7 {
                for b in 0..a {
                    let apart = points.start[a] - points.start[b];
                    let rate = apart.dot(&(points.velocity[a] - points.velocity[b]));
                    assert!(rate.abs() < 1e-9 * apart.norm_squared(), "{case}: {rate}");
                }
            }
        }
    }

    #[test]
    fn zones_at_what_is_not_free_take_its_motion_and_zones_at_walls_stop() {
        let mut random = Random::new(4);
        let spin = |x: &Point| Point::new(1.0, 2.0, 3.0) + Point::z().cross(x);
        let place = |_| random.point(-1.0, 1.0);
        let start: Vec<Point> = (0..4).map(place).collect();
        let (mut points, mut hits) = problem(start, &mut random);
        points.inverse_mass[2] = 0.0;
        let own = points.velocity[2];
        let mut nailed = points.clone();
        Zones::default().make_rigid(&hits, &mut nailed, |_, _| None);
        assert!(nailed.velocity.iter().all(|v| *v == own));
        let mut carried = points.clone();
        Zones::default().make_rigid(&hits, &mut carried, |point, x| {
            assert_eq!(point, 2);
            Some(spin(x))
        });
        for k in [0, 1, 3] {
            assert_eq!(carried.velocity[k], spin(&points.start[k]));
        }
        points.inverse_mass[2] = 1.0;
        hits.push(Hit { kind: HitKind::Wall(0), points: [3; 4], part: 0.5 });
        Zones::default().make_rigid(&hits, &mut points, |_, _| None);
        assert_eq!(points.velocity, [Point::zeros(); 4]);
    }
}
