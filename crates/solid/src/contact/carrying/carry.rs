//! Where surfaces that deform and move leave a particle that stands in their way.
//!
//! Idea: conservative advancement of time (Mirtich, Impulse-based dynamic simulation (1996), §2.3).
//! The particle stands while time goes on, until a surface could have come to half the distance
//! that it keeps from it, or had; there time stops, and the particle goes the shortest way that
//! takes it in front of the planes through the nearest points of all that is nearer than r
//! ([`super::least_move`]). So it is never nearer than half of what it was, and no surface gets
//! past it, however far and however crookedly that goes: both the pauses and the moves are proved
//! before they are made, by a direction that separates the particle from each triangle
//! ([`super::mover`]). A surface that slides along a particle does not take it along.
//!
//! Where surfaces leave less than 2r the particle stays in the middle, as if its radius were half
//! the room. Walls and balls that stand tell inside from outside, and may be entered by whom a
//! surface pushes; triangles never are.
//!
//! Solids of revolution that move push afterwards, as [`super::super::push_out`] says, as if all
//! else had gone its way.
//!
//! Symbols: r particle radius, d distance, δ move, all \[m\], n unit normal, t part of the step.

use super::super::push_out::Push;
use super::super::sweep::{CLEARANCE, SKIN, SweepBuffer};
use super::super::sweep_filter::SweepFilter;
use super::least_move::least_move;
use super::mover::Mover;
use crate::convex_feature::{ConvexFeature, Nearest};
use crate::precision::to_point;
use crate::solids::Solids;
use hashfall_geometry::Point;
use hashfall_geometry::triangle::{barycentric, offset_to_triangle, unit_normal};

/// A surface may come to this part of its distance, or of r, before the particle goes away.
const NEARER: f64 = 0.5;
/// Moves at one instant.
const MAX_MOVES: usize = 16;
/// Pauses of a particle that surfaces squeeze, beside those that their ways ask for.
const MAX_PAUSES: usize = 96;
/// The most planes that a particle is between.
const MAX_PLANES: usize = 9;
/// Halvings to the largest radius for which there is room.
const HALVINGS: u32 = 16;
/// A particle is carried so many times as far as the farthest vertex goes, at the most.
const REACH: f64 = 2.0;

/// What carrying needs, kept from one particle to the next.
#[derive(Clone, Debug, Default)]
pub(crate) struct CarryBuffer {
    movers: Vec<Mover>,
    /// The nearest point of each, from where the particle is now.
    seen: Vec<Nearest>,
    /// What is near enough to matter, nearest first.
    near: Vec<u32>,
    /// Planes that the particle has to be in front of.
    planes: Vec<Plane>,
}

/// The plane through the nearest point of a feature, square to the way there.
#[derive(Clone, Copy, Debug)]
struct Plane {
    normal: Point,
    distance: f64,
    is_hard: bool,
}

/// A particle that is carried.
struct Carried<'a> {
    buffer: &'a mut CarryBuffer,
    /// Where it was.
    start: Point,
    r: f64,
    /// How far it may get from there \[m\].
    reach: f64,
}

impl Solids {
    /// Where the last step leaves a particle of radius `r` \[m\] that was at `x`, and how far \[m\]
    /// solids kept it from where they push it, if some deform. `objects` are as those of
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

    /// Where triangles and balls leave it.
    fn carried(&self, objects: &[u32], x: &Point, r: f64, buffer: &mut CarryBuffer) -> Point {
        let reach = REACH * self.max_displacement();
        self.find_movers(objects, x, r + reach, buffer);
        let mut carried = Carried { buffer, start: *x, r, reach };
        if carried.is_left_alone() { *x } else { carried.go() }
    }

    /// Takes what may come within `reach` \[m\] of `x` in the step.
    fn find_movers(&self, objects: &[u32], x: &Point, reach: f64, buffer: &mut CarryBuffer) {
        buffer.movers.clear();
        buffer.seen.clear();
        let walls = self.walls().map(|wall| Mover::Still(self.wall(wall)));
        let objects = objects.iter().filter_map(|id| self.mover(*id));
        for mover in walls.chain(objects) {
            let seen = mover.at(0.0).nearest(x);
            if seen.distance <= reach + mover.way() {
                buffer.movers.push(mover);
                buffer.seen.push(seen);
            }
        }
    }

    /// An object on its way through the last step; none if it pushes later.
    fn mover(&self, id: u32) -> Option<Mover> {
        let (at, balls) = (id as usize, self.spheres.len());
        match self.object(id) {
            ConvexFeature::Triangle(to) => {
                let from = self.before.triangles[at - self.first_triangle()].map(|c| to_point(&c));
                let stands = from == to;
                Some(if stands { Mover::Still(self.object(id)) } else { Mover::Triangle(from, to) })
            }
            ConvexFeature::Ball { centre, radius } => {
                let from = to_point(&self.before.centres[at]);
                let stands = from == centre;
                let moving = Mover::Ball(from, centre, radius);
                Some(if stands { Mover::Still(self.object(id)) } else { moving })
            }
            ConvexFeature::Round(_) if self.is_moving_round(at - balls) => None,
            still => Some(Mover::Still(still)),
        }
    }
}

impl Carried<'_> {
    /// Whether nothing that moves comes to touch it.
    fn is_left_alone(&self) -> bool {
        let (x, r) = (&self.start, self.r);
        let mut moving = self.buffer.movers.iter().zip(&self.buffer.seen);
        moving.all(|(mover, seen)| match mover {
            Mover::Still(_) => true,
            _ => mover.safe_part(seen, [0.0, 1.0], [x, x], r) == 1.0,
        })
    }

    /// Where it is at the end of the step.
    fn go(&mut self) -> Point {
        let (mut t, mut p) = (0.0, self.start);
        let way = self.buffer.movers.iter().map(Mover::way).fold(0.0, f64::max);
        let pauses = MAX_PAUSES + (8.0 * way / self.r).min(1e4) as usize;
        for _ in 0..pauses {
            self.look(t, &p);
            let part = self.safe_part([t, 1.0], [&p, &p]);
            t = if part < 1.0 { t + (1.0 - t) * part } else { 1.0 };
            p = self.freed(t, p);
            if t == 1.0 {
                return p;
            }
        }
        let p = self.ridden(t, &p);
        self.freed(1.0, p)
    }

    /// Finds the nearest point of everything.
    fn look(&mut self, t: f64, p: &Point) {
        let CarryBuffer { movers, seen, .. } = &mut *self.buffer;
        movers.iter().zip(seen).for_each(|(mover, seen)| *seen = mover.at(t).nearest(p));
    }

    /// The part of a straight way that is surely safe, with what was seen at its start.
    fn safe_part(&self, times: [f64; 2], way: [&Point; 2]) -> f64 {
        let all = self.buffer.movers.iter().zip(&self.buffer.seen);
        let hard = all.filter(|(mover, seen)| mover.is_hard() && seen.distance > 0.0);
        let parts = hard.map(|(mover, seen)| {
            let least = NEARER * seen.distance.min(self.r);
            mover.safe_part(seen, times, way, least)
        });
        parts.fold(1.0, f64::min)
    }

    /// Where a particle at p goes at an instant, so that nothing is nearer than r; or as near to it
    /// as there is room.
    fn freed(&mut self, t: f64, mut p: Point) -> Point {
        for _ in 0..MAX_MOVES {
            self.look(t, &p);
            self.find_planes();
            if self.buffer.planes.first().is_none_or(|plane| plane.distance >= self.r) {
                break;
            }
            let to = p + self.best_move(&p);
            let part = self.safe_part([t, t], [&p, &to]);
            let next = if part < 1.0 { p + (to - p) * part } else { to };
            let is_done = (next - p).norm() <= 0.01 * SKIN * self.r;
            p = next;
            if is_done {
                break;
            }
        }
        p
    }

    /// Takes the planes of what is near, nearest first, without those that a nearer one hides.
    fn find_planes(&mut self) {
        let CarryBuffer { movers, seen, near, planes } = &mut *self.buffer;
        let least = seen.iter().map(|seen| seen.distance).fold(f64::INFINITY, f64::min);
        planes.clear();
        near.clear();
        // So far a move may lead.
        let reach = self.r + 2.0 * (self.r - least).max(0.0) + SKIN * self.r;
        near.extend((0..seen.len() as u32).filter(|k| seen[*k as usize].distance < reach));
        near.sort_unstable_by(|a, b| {
            seen[*a as usize].distance.total_cmp(&seen[*b as usize].distance).then(a.cmp(b))
        });
        let slack = SKIN * self.r;
        for k in near.iter().map(|k| *k as usize) {
            let Nearest { normal, distance } = seen[k];
            let hides = |known: &Plane| {
                known.distance >= 0.0
                    && known.distance - distance * known.normal.dot(&normal) <= slack
            };
            if planes.len() < MAX_PLANES && !planes.iter().any(hides) {
                planes.push(Plane { normal, distance, is_hard: movers[k].is_hard() });
            }
        }
    }

    /// The shortest move in front of all planes, at distance r, or at the largest that there is
    /// room for.
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

    /// The shortest move to these distances from the planes, if there is one and it leads not too
    /// far.
    fn move_by(&self, p: &Point, wanted: impl Fn(&Plane) -> Option<f64>) -> Option<Point> {
        let mut needs = [(Point::zeros(), 0.0); MAX_PLANES];
        let mut count = 0;
        for plane in &self.buffer.planes {
            if let Some(wanted) = wanted(plane) {
                needs[count] = (plane.normal, wanted - plane.distance);
                count += 1;
            }
        }
        let leads_far = |move_by: &Point| {
            let (before, after) = ((p - self.start).norm(), (p + move_by - self.start).norm());
            after > self.reach && after > before
        };
        least_move(&needs[..count]).filter(|move_by| !leads_far(move_by))
    }

    /// Where the nearest triangle takes a particle that has no room at all, from t to the end: with
    /// the point of it that is nearest.
    fn ridden(&self, t: f64, p: &Point) -> Point {
        let distance = |k: &usize| self.buffer.seen[*k].distance;
        let hard = (0..self.buffer.movers.len()).filter(|k| self.buffer.movers[*k].is_hard());
        let nearest = hard.min_by(|a, b| distance(a).total_cmp(&distance(b)));
        let Some(Mover::Triangle(_, to)) = nearest.map(|k| self.buffer.movers[k]) else {
            return *p;
        };
        let Some(ConvexFeature::Triangle(now)) = nearest.map(|k| self.buffer.movers[k].at(t))
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
    for _ in 0..HALVINGS {
        let middle = 0.5 * (low + high);
        match find(middle) {
            Some(found) => (low, best) = (middle, found),
            None => high = middle,
        }
    }
    Some(best)
}
