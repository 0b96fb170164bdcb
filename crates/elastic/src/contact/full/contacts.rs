//! The contacts of a substep: pairs and walls that come to their distance if nothing is done.
//!
//! A pair acts if its gap is not wider than what its primitives approach in the substep, nor than
//! what their clusters may. Its constraint lets the gap close and no more: b = −max(0, gap)/dt (a
//! *speculative* contact), so that what arrives in the middle of a substep stops at its distance,
//! and not where the substep before ended.
//!
//! Where the nearest points are corners or on edges, many pairs are one contact: a vertex over a
//! vertex is one of six triangles and 36 pairs of edges. Of pairs whose nearest points are the same
//! corners, or a corner and the same edge, the first acts.
//!
//! Pairs are in the order of their bounds, the narrowest gaps first, and walls come last. Where
//! several hold the same points, the narrowest is to take the load: had another taken it first, it
//! would have to hand it over, and a sweep of the [solver](super::solver) hands over no more than
//! what the bounds differ by. That was what most visits were for.

use super::candidates::Candidates;
use super::constraint::Constraint;
use super::features::{Feature, Features};
use super::group::Near;
use super::obstacles::{Obstacles, Wall};
use super::pair::Pair;
use super::points::Points;
use super::primitives::Primitives;
use crate::contact::error::ContactError;
use hashfall_geometry::Point;

/// The contacts of a substep.
#[derive(Clone, Debug, Default)]
pub(super) struct Contacts {
    pub constraints: Vec<Constraint>,
    /// By constraint: its gap where the substep starts, and the distance that it keeps \[m\].
    pub gaps: Vec<[f64; 2]>,
    /// Of constraints between corners and edges.
    features: Features,
    /// Memory to arrange them.
    order: Vec<u32>,
    arranged: (Vec<Constraint>, Vec<[f64; 2]>),
}

impl Contacts {
    /// Forgets all.
    pub fn clear(&mut self) {
        self.constraints.clear();
        self.gaps.clear();
    }

    /// Adds the pairs that act in the motion under way; returns how many were tested.
    ///
    /// # Errors
    /// If primitives touch.
    pub fn add_pairs(
        &mut self,
        primitives: &Primitives,
        points: &Points,
        candidates: &mut Candidates,
        time: f64,
        dt: f64,
    ) -> Result<u64, ContactError> {
        let tested = candidates.find_near(primitives, points);
        let Contacts { constraints, gaps, features, .. } = self;
        features.clear(primitives.points());
        for Near { pair, nearest } in candidates.near() {
            let apart = nearest.distance();
            if apart == 0.0 {
                let place = points.start[pair.points[0] as usize].into();
                return Err(ContactError::Intersecting { place, time });
            }
            let (gap, normal) = (apart - pair.distance, nearest.offset / apart);
            let friction = primitives.friction(pair.points[0], pair.points[3]);
            let bound = min_normal_velocity(gap, dt);
            let (weights, inverse) = (nearest.weights, &points.inverse_mass);
            let feature = Feature::new(pair, &weights);
            if feature.is_some_and(|feature| !features.insert(feature)) {
                continue;
            }
            let constraint =
                Constraint::new(pair.points, weights, normal, bound, friction, inverse);
            let spin_velocity = spin_velocity(primitives, points, pair, &normal);
            constraints.push(constraint.with_spin_velocity(spin_velocity));
            gaps.push([gap, pair.distance]);
        }
        self.arrange();
        Ok(tested)
    }

    /// Puts all in the order of their bounds.
    fn arrange(&mut self) {
        let Contacts { constraints, gaps, order, arranged, .. } = self;
        order.clear();
        order.extend(0..constraints.len() as u32);
        // Zeros of both signs are one.
        let bound = |k: u32| constraints[k as usize].bound + 0.0;
        order.sort_unstable_by(|a, b| bound(*b).total_cmp(&bound(*a)).then(a.cmp(b)));
        arranged.0.clear();
        arranged.0.extend(order.iter().map(|k| constraints[*k as usize]));
        arranged.1.clear();
        arranged.1.extend(order.iter().map(|k| gaps[*k as usize]));
        std::mem::swap(constraints, &mut arranged.0);
        std::mem::swap(gaps, &mut arranged.1);
    }

    /// Adds the walls that nodes come to.
    pub fn add_walls(
        &mut self,
        primitives: &Primitives,
        points: &Points,
        obstacles: &Obstacles,
        dt: f64,
    ) {
        for &vertex in primitives.elastic_vertices() {
            for wall in &obstacles.walls {
                let radius = primitives.radius[vertex as usize];
                let gap = wall.normal.dot(&points.start[vertex as usize]) - wall.offset - radius;
                if gap <= points.displacement[vertex as usize].norm() {
                    self.add_wall(primitives, points, vertex, wall, dt);
                }
            }
        }
    }

    /// Adds a wall to which a vertex comes.
    pub fn add_wall(
        &mut self,
        primitives: &Primitives,
        points: &Points,
        vertex: u32,
        wall: &Wall,
        dt: f64,
    ) {
        let radius = primitives.radius[vertex as usize];
        let gap = wall.normal.dot(&points.start[vertex as usize]) - wall.offset - radius;
        let friction = primitives.friction_with(vertex, wall.friction_root);
        let (weights, inverse) = ([1.0, 0.0, 0.0, 0.0], &points.inverse_mass);
        let (points, bound) = ([vertex; 4], min_normal_velocity(gap, dt));
        let constraint = Constraint::new(points, weights, wall.normal, bound, friction, inverse);
        self.push(constraint, gap, radius);
    }

    /// Adds a pair that would come through at a part of the motion, with the normal that it has
    /// there.
    pub fn add_impact(
        &mut self,
        primitives: &Primitives,
        points: &Points,
        pair: &Pair,
        part: f64,
        dt: f64,
    ) {
        let [start, displacement] =
            [&points.start, &points.displacement].map(|all| pair.gather(all));
        let nearest = pair.nearest(&std::array::from_fn(|k| start[k] + displacement[k] * part));
        let normal = nearest.offset.normalize();
        let apart: Point = start.iter().zip(nearest.weights).map(|(x, w)| x * w).sum();
        let gap = normal.dot(&apart) - pair.distance;
        let friction = primitives.friction(pair.points[0], pair.points[3]);
        let (weights, bound) = (nearest.weights, min_normal_velocity(gap, dt));
        let inverse = &points.inverse_mass;
        let constraint = Constraint::new(pair.points, weights, normal, bound, friction, inverse);
        let spin_velocity = spin_velocity(primitives, points, pair, &normal);
        self.push(constraint.with_spin_velocity(spin_velocity), gap, pair.distance);
    }

    /// How many of them act.
    pub fn acting(&self) -> u64 {
        self.constraints.iter().filter(|c| c.normal_impulse() > 0.0).count() as u64
    }

    fn push(&mut self, constraint: Constraint, gap: f64, distance: f64) {
        self.constraints.push(constraint);
        self.gaps.push([gap, distance]);
    }
}

/// The bound of the normal velocity that lets a gap \[m\] close in a substep and no more \[m/s\].
fn min_normal_velocity(gap: f64, dt: f64) -> f64 {
    -gap.max(0.0) / dt
}

/// What the spin of obstacles about their points adds to the relative velocity of the first surface
/// of a pair, with the normal towards it.
fn spin_velocity(primitives: &Primitives, points: &Points, pair: &Pair, normal: &Point) -> Point {
    let spins = &points.angular_velocity;
    primitives.spin_velocity(pair.points[0], &-normal, spins)
        - primitives.spin_velocity(pair.points[3], normal, spins)
}
