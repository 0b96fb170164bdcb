//! The position of a particle after surfaces that deform and move have pushed it out of their way.
//!
//! Idea: conservative advancement of time (Mirtich, Impulse-based dynamic simulation (1996), §2.3).
//! The particle stands while time advances, until a surface could have come to half of its present
//! distance, or half of r; at that pause the particle takes the shortest move in front of the
//! planes through the nearest points of all that is nearer than r ([`super::least_move`]). So it is
//! never nearer than half of its distance before, and no surface gets past it, however far that
//! goes: both the advances of time and the moves are bounded beforehand by a direction that
//! separates the particle from each triangle ([`super::moving_feature`]). A surface that slides
//! along a particle does not take it along.
//!
//! Not proved: a particle that surfaces squeeze to nothing, so that the pauses run out. For the
//! rest of the step it follows the nearest point of the nearest triangle; others may then pass it.
//!
//! In a gap narrower than 2r the particle stays in the middle, as if its radius were half the gap.
//! A particle that a surface pushes may enter walls and balls that stand, which tell inside from
//! outside; it never enters triangles.
//!
//! Solids of revolution that move push afterwards, as [`super::super::push_out`] says, as if all
//! else had gone its way.
//!
//! Symbols: r particle radius, d distance, δ move, all \[m\], n unit normal, t part of the step.

use super::super::push_out::Push;
use super::super::sweep_buffer::{CLEARANCE, SKIN, SweepBuffer};
use super::super::sweep_filter::SweepFilter;
use super::carry_buffer::{CarryBuffer, Plane};
use super::least_move::least_move;
use super::moving_feature::MovingFeature;
use crate::convex_feature::{ConvexFeature, Nearest};
use crate::precision::to_point;
use crate::solids::Solids;
use hashfall_geometry::Point;
use hashfall_geometry::triangle::{barycentric, offset_to_triangle, unit_normal};

/// A surface may come to this part of its distance, or of r, before the particle goes away.
const NEARER: f64 = 0.5;
/// Moves at one instant.
const MAX_MOVES: usize = 16;
/// Pauses of a particle that surfaces squeeze, beside those for their displacement.
const MAX_PAUSES: usize = 96;
/// The nearest planes that a move takes into account, at the most.
const MAX_PLANES: usize = 9;
/// Bisections for the largest radius that fits the gap.
const BISECTIONS: u32 = 16;
/// The farthest that a particle is carried, over the largest displacement of a vertex.
const MAX_CARRY: f64 = 2.0;

/// A particle that is carried.
struct CarriedParticle<'a> {
    buffer: &'a mut CarryBuffer,
    /// Its position at the start of the step \[m\].
    start: Point,
    r: f64,
    /// How far it may get from there \[m\].
    reach: f64,
}

impl Solids {
    /// The position after the last step of a particle of radius `r` \[m\] that was at `x`, and how
    /// far \[m\] solids kept it from where they push it, if some deform. `objects` are as those of
    /// [`Solids::push_out`].
    pub(crate) fn carry(
        &self,
        objects: &[u32],
        x: &Point,
        r: f64,
        buffer: &mut SweepBuffer,
    ) -> (Point, f64) {
        let place = self.carried(objects, x, r, &mut buffer.carry);
        let (mut place, mut short) = (place, 0.0);
        for (surface, step) in self.last_steps_of_rounds() {
            let filters = [SweepFilter::RoundsOf(surface), SweepFilter::NeverEntered(surface)];
            let push = Push { solids: self, objects, surface, filters, r };
            if let Some((left, lack)) = push.from(&step.apply(&place), &place, buffer) {
                (place, short) = (left, f64::max(short, lack));
            }
        }
        (place, short)
    }

    /// Its position after triangles and balls have pushed it.
    fn carried(&self, objects: &[u32], x: &Point, r: f64, buffer: &mut CarryBuffer) -> Point {
        let reach = MAX_CARRY * self.max_displacement();
        self.find_features(objects, x, r + reach, buffer);
        let mut carried = CarriedParticle { buffer, start: *x, r, reach };
        if carried.is_untouched() { *x } else { carried.advance() }
    }

    /// Finds the features that may come within `reach` \[m\] of `x` in the step.
    fn find_features(&self, objects: &[u32], x: &Point, reach: f64, buffer: &mut CarryBuffer) {
        buffer.features.clear();
        buffer.nearest.clear();
        let walls = self.walls().map(|wall| MovingFeature::Still(self.wall(wall)));
        let objects = objects.iter().filter_map(|id| self.feature(*id));
        for feature in walls.chain(objects) {
            let nearest = feature.at(0.0).nearest(x);
            if nearest.distance <= reach + feature.displacement() {
                buffer.features.push(feature);
                buffer.nearest.push(nearest);
            }
        }
    }

    /// An object with its motion in the last step; none if it pushes later.
    fn feature(&self, id: u32) -> Option<MovingFeature> {
        let (at, balls) = (id as usize, self.spheres.len());
        match self.object(id) {
            ConvexFeature::Triangle(to) => {
                let from =
                    self.step_start.triangles[at - self.first_triangle()].map(|c| to_point(&c));
                let stands = from == to;
                Some(if stands {
                    MovingFeature::Still(self.object(id))
                } else {
                    MovingFeature::Triangle(from, to)
                })
            }
            ConvexFeature::Ball { centre, radius } => {
                let from = to_point(&self.step_start.centres[at]);
                let stands = from == centre;
                let moving = MovingFeature::Ball(from, centre, radius);
                Some(if stands { MovingFeature::Still(self.object(id)) } else { moving })
            }
            ConvexFeature::Round(_) if self.is_moving_round(at - balls) => None,
            still => Some(MovingFeature::Still(still)),
        }
    }
}

impl CarriedParticle<'_> {
    /// Whether nothing that moves comes to touch it.
    fn is_untouched(&self) -> bool {
        let (x, r) = (&self.start, self.r);
        let mut moving = self.buffer.features.iter().zip(&self.buffer.nearest);
        moving.all(|(feature, nearest)| match feature {
            MovingFeature::Still(_) => true,
            _ => feature.safe_fraction(nearest, [0.0, 1.0], [x, x], r) == 1.0,
        })
    }

    /// Its position at the end of the step.
    fn advance(&mut self) -> Point {
        let (mut t, mut p) = (0.0, self.start);
        let way = self.buffer.features.iter().map(MovingFeature::displacement).fold(0.0, f64::max);
        let pauses = MAX_PAUSES + (8.0 * way / self.r).min(1e4) as usize;
        for _ in 0..pauses {
            self.update_nearest(t, &p);
            let part = self.safe_fraction([t, 1.0], [&p, &p]);
            t = if part < 1.0 { t + (1.0 - t) * part } else { 1.0 };
            p = self.separate(t, p);
            if t == 1.0 {
                return p;
            }
        }
        let p = self.follow_nearest_triangle(t, &p);
        self.separate(1.0, p)
    }

    /// Finds the nearest point of each feature.
    fn update_nearest(&mut self, t: f64, p: &Point) {
        let CarryBuffer { features, nearest, .. } = &mut *self.buffer;
        features
            .iter()
            .zip(nearest)
            .for_each(|(feature, nearest)| *nearest = feature.at(t).nearest(p));
    }

    /// The fraction of a straight way that is provably safe, by the nearest points at its start.
    fn safe_fraction(&self, times: [f64; 2], way: [&Point; 2]) -> f64 {
        let all = self.buffer.features.iter().zip(&self.buffer.nearest);
        let hard = all.filter(|(feature, nearest)| feature.is_hard() && nearest.distance > 0.0);
        let parts = hard.map(|(feature, nearest)| {
            let least = NEARER * nearest.distance.min(self.r);
            feature.safe_fraction(nearest, times, way, least)
        });
        parts.fold(1.0, f64::min)
    }

    /// The position near p at an instant where nothing is nearer than r, or as much of r as the gap
    /// allows.
    fn separate(&mut self, t: f64, mut p: Point) -> Point {
        for _ in 0..MAX_MOVES {
            self.update_nearest(t, &p);
            self.find_planes();
            if self.buffer.planes.first().is_none_or(|plane| plane.distance >= self.r) {
                break;
            }
            let to = p + self.best_move(&p);
            let part = self.safe_fraction([t, t], [&p, &to]);
            let next = if part < 1.0 { p + (to - p) * part } else { to };
            let is_done = (next - p).norm() <= 0.01 * SKIN * self.r;
            p = next;
            if is_done {
                break;
            }
        }
        p
    }

    /// Collects the planes of near features, nearest first, without those that a nearer one covers.
    fn find_planes(&mut self) {
        let CarryBuffer { features, nearest, near, planes } = &mut *self.buffer;
        let least = nearest.iter().map(|nearest| nearest.distance).fold(f64::INFINITY, f64::min);
        planes.clear();
        near.clear();
        // A move leads so far at the most.
        let reach = self.r + 2.0 * (self.r - least).max(0.0) + SKIN * self.r;
        near.extend((0..nearest.len() as u32).filter(|k| nearest[*k as usize].distance < reach));
        near.sort_unstable_by(|a, b| {
            nearest[*a as usize].distance.total_cmp(&nearest[*b as usize].distance).then(a.cmp(b))
        });
        let slack = SKIN * self.r;
        for k in near.iter().map(|k| *k as usize) {
            let Nearest { normal, distance } = nearest[k];
            let covers = |known: &Plane| {
                known.distance >= 0.0
                    && known.distance - distance * known.normal.dot(&normal) <= slack
            };
            if planes.len() < MAX_PLANES && !planes.iter().any(covers) {
                planes.push(Plane { normal, distance, is_hard: features[k].is_hard() });
            }
        }
    }

    /// The shortest move in front of all planes, at distance r or the largest that fits the gap.
    fn best_move(&self, p: &Point) -> Point {
        let full = self.r * (1.0 + 0.5 * SKIN);
        if let Some(whole) = self.move_by(p, |_| Some(full)) {
            return whole;
        }
        let clear = CLEARANCE * self.r;
        // Walls and balls give way, triangles do not.
        let yielding = |radius: f64| {
            self.move_by(p, |plane| Some(if plane.is_hard { radius.max(clear) } else { radius }))
        };
        let hard_alone = |radius: f64| self.move_by(p, |plane| plane.is_hard.then_some(radius));
        let found = largest([-full - self.reach, full], yielding);
        found.or_else(|| largest([0.0, clear], hard_alone)).unwrap_or_else(Point::zeros)
    }

    /// The shortest move to the distances that `distance` gives for planes, without those for which
    /// it gives none; `None` if there is no such move or it leads too far.
    fn move_by(&self, p: &Point, distance: impl Fn(&Plane) -> Option<f64>) -> Option<Point> {
        let mut needs = [(Point::zeros(), 0.0); MAX_PLANES];
        let mut count = 0;
        for plane in &self.buffer.planes {
            if let Some(distance) = distance(plane) {
                needs[count] = (plane.normal, distance - plane.distance);
                count += 1;
            }
        }
        let leads_far = |move_by: &Point| {
            let (before, after) = ((p - self.start).norm(), (p + move_by - self.start).norm());
            after > self.reach && after > before
        };
        least_move(&needs[..count]).filter(|move_by| !leads_far(move_by))
    }

    /// The position at the end of the step of a particle that has no gap left at t: it follows the
    /// nearest point of the nearest triangle.
    fn follow_nearest_triangle(&self, t: f64, p: &Point) -> Point {
        let distance = |k: &usize| self.buffer.nearest[*k].distance;
        let hard = (0..self.buffer.features.len()).filter(|k| self.buffer.features[*k].is_hard());
        let nearest = hard.min_by(|a, b| distance(a).total_cmp(&distance(b)));
        let Some(MovingFeature::Triangle(_, to)) = nearest.map(|k| self.buffer.features[k]) else {
            return *p;
        };
        let Some(ConvexFeature::Triangle(now)) = nearest.map(|k| self.buffer.features[k].at(t))
        else {
            return *p;
        };
        let offset = offset_to_triangle(p, &now);
        let shares = barycentric(&(p + offset), &now);
        let foot: Point = to.iter().zip(shares).map(|(corner, share)| corner * share).sum();
        let [before, after] =
            [&now, &to].map(|corners| unit_normal(corners).unwrap_or_else(Point::z));
        let side = if offset.dot(&before) > 0.0 { -1.0 } else { 1.0 };
        foot + after * (side * CLEARANCE * self.r)
    }
}

/// What `find` gives for the largest number within a range for which it gives something, up to
/// halvings; none if it gives nothing for the lowest.
fn largest<T>([low, high]: [f64; 2], find: impl Fn(f64) -> Option<T>) -> Option<T> {
    let (mut low, mut high, mut best) = (low, high, find(low)?);
    for _ in 0..BISECTIONS {
        let middle = 0.5 * (low + high);
        match find(middle) {
            Some(found) => (low, best) = (middle, found),
            None => high = middle,
        }
    }
    Some(best)
}
