//! Swept contact: the motion of a particle's centre, which stops at surfaces and slides along them.
//!
//! A contact is the centre at distance r from a surface. The solids are convex features, and the
//! nearest impact on the way is found by conservative advancement ([`super::advancement`]). At the
//! impact the rest of the motion and the velocity lose what points into the touched surfaces (see
//! [`super::cone`]), and the motion continues: collide and slide. Where a surface rubs or gives
//! back, its law says what is left ([`super::impact`]).
//!
//! A centre comes to rest half a *skin* above distance r, so that rounding does not put it below.
//! A motion never gets longer, so only the features within its length of the start are looked at
//! again on the way.
//!
//! A feature that lies wholly behind the plane of a touched feature can not be hit by a motion that
//! stays in front of that plane, and is passed over; without this, a particle that slides over a
//! floor of many triangles would stumble over each inner edge. It may stand in front of the plane
//! by the touched feature's gap: more would let a centre sink at each edge of a shallow hollow.
//!
//! Symbols: r particle radius \[m\], gap = distance − r \[m\].

use super::advancement::Impact;
use super::cone::is_allowed;
use super::impact::{Contacts, MAX_CONTACTS};
use super::step_acceleration::StepAcceleration;
use super::sweep_buffer::{CLEARANCE, Impulse, SKIN, SweepBuffer};
use super::sweep_filter::SweepFilter;
use super::swept_motion::{Path, Sweep};
use super::touching::{Touch, Touching};
use crate::convex_feature::{ConvexFeature, Nearest};
use crate::precision::{to_point, to_vec3};
use crate::solids::Solids;
use crate::surfaces::SurfaceId;
use hashfall_core::{Real, Vec3};
use hashfall_geometry::triangle::is_crossing;
use hashfall_geometry::{Aabb, Point};

/// Straight segments of a motion; a motion that needs more stops where it is.
const MAX_SEGMENTS: usize = 8;
/// Rounds that free a centre which starts below distance r.
const MAX_PUSHES: usize = 8;
/// How much farther than it is too deep these may take a centre: in a V-shaped groove, where each
/// push off one side leads into the other, up to 2.6 times as far.
const MAX_PUSHED: Real = 3.0;

/// Where a swept motion ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// The centre, at distance r or more from every surface up to rounding \[m\].
    pub position: Vec3,
    /// The velocity without what pointed into touched surfaces \[m/s\].
    pub velocity: Vec3,
    /// Impacts on the way.
    pub hits: u32,
    /// How deep the centre lies beyond the surfaces offset by r \[m\]; 0 if it is free.
    pub penetration: Real,
}

/// The box in which the objects of a sweep lie: a slide may turn the motion any way.
pub fn sweep_box(from: &Vec3, to: &Vec3, r: Real) -> Aabb {
    Aabb::of_ball(from, 1.01 * ((to - from).norm() + r))
}

/// How far from its start triangles may stand in the way of a sweep of this `length` \[m\] and
/// radius `r` \[m\] that starts `deep` \[m\] too near to some, and 2 % more for rounding.
pub fn sweep_reach(length: Real, r: Real, deep: Real) -> Real {
    1.02 * (length + r) + MAX_PUSHED * deep
}

impl Solids {
    /// Moves a particle of radius `r` \[m\] from `from` towards `to`, without crossing a surface.
    ///
    /// `objects` are all that overlap [`sweep_box`], ascending; more do no harm. A motion that
    /// meets nothing ends exactly at `to`; so does one that is not finite, for the step to find.
    /// Afterwards `buffer` holds the impulses on the way.
    pub fn sweep(
        &self,
        objects: &[u32],
        from: &Vec3,
        to: &Vec3,
        velocity: &Vec3,
        r: Real,
        buffer: &mut SweepBuffer,
    ) -> Contact {
        self.sweep_accelerated(objects, from, to, velocity, StepAcceleration::default(), r, buffer)
    }

    /// As [`Solids::sweep`], with bounces by the velocity at their instant, see
    /// [`StepAcceleration`].
    ///
    /// They may make the motion longer by [`StepAcceleration::extra_length`]; `objects` are all
    /// that it can reach.
    #[allow(clippy::too_many_arguments, reason = "a motion, and where it takes place")]
    pub fn sweep_accelerated(
        &self,
        objects: &[u32],
        from: &Vec3,
        to: &Vec3,
        velocity: &Vec3,
        acceleration: StepAcceleration,
        r: Real,
        buffer: &mut SweepBuffer,
    ) -> Contact {
        buffer.impulses.clear();
        let (start, end) = (to_point(from), to_point(to));
        let length = (end - start).norm();
        if !length.is_finite() || !velocity.iter().all(|c| c.is_finite()) {
            return Contact { position: *to, velocity: *velocity, hits: 0, penetration: 0.0 };
        }
        let (r, skin) = (f64::from(r), SKIN * f64::from(r));
        let filter = SweepFilter::All;
        let length = length + acceleration.extra_length();
        let mut sweep =
            Sweep { solids: self, objects, filter, buffer, length, acceleration, r, skin };
        let Some((path, arrived)) = sweep.go(start, end - start, to_point(velocity)) else {
            return Contact { position: *to, velocity: *velocity, hits: 0, penetration: 0.0 };
        };
        let position =
            if path.is_free(arrived, &start) { *to } else { to_vec3(&path.end(arrived)) };
        Contact {
            position,
            velocity: to_vec3(&path.v),
            hits: path.hits,
            penetration: depth(sweep.features().iter().map(|(_, feature)| *feature), &position, r),
        }
    }

    /// The distance from `x` to the nearest surface \[m\]; negative in walls and solids but meshes.
    ///
    /// `objects` are the candidates of the broad phase, ascending; without the nearest of them the
    /// distance is to the nearest of the others and the walls.
    #[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f32")]
    pub fn distance(&self, objects: &[u32], x: &Vec3) -> Real {
        let at = to_point(x);
        let distances = self.features(objects).map(|(_, feature)| feature.nearest(&at).distance);
        distances.fold(f64::INFINITY, f64::min) as Real
    }

    /// The distance from `x` to the nearest of these objects, walls left out \[m\].
    #[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f32")]
    pub(crate) fn distance_to_objects(&self, objects: &[u32], x: &Vec3) -> Real {
        let at = to_point(x);
        let distances = objects.iter().map(|&id| self.object(id).nearest(&at).distance);
        distances.fold(f64::INFINITY, f64::min) as Real
    }

    /// How deep a centre lies beyond the surfaces offset by `r` \[m\]; 0 if it is free. Outside the
    /// domain it grows with the distance from it.
    ///
    /// `objects` are all that overlap the ball of radius `r` around `x`, ascending.
    pub fn penetration(&self, objects: &[u32], x: &Vec3, r: Real) -> Real {
        depth(self.features(objects).map(|(_, feature)| feature), x, f64::from(r))
    }
}

/// How deep a centre lies beyond the surfaces of `features`, offset by `r`.
#[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f32")]
fn depth(features: impl Iterator<Item = ConvexFeature>, x: &Vec3, r: f64) -> Real {
    let at = to_point(x);
    let distance =
        features.fold(f64::INFINITY, |least, feature| least.min(feature.nearest(&at).distance));
    (r - distance).max(0.0) as Real
}

impl Sweep<'_> {
    /// Goes on from `x` as far as solids let it, and whether that is all of the way; none if they
    /// are out of reach.
    pub fn go(&mut self, x: Point, rest: Point, v: Point) -> Option<(Path, bool)> {
        let touching = self.reach_from(&x);
        if touching.least_gap > self.skin + self.length {
            return None;
        }
        let room = self.length;
        let mut path = Path { x, rest, v, touching, time: 0.0, room, hits: 0 };
        self.free_start(&mut path);
        let mut arrived = false;
        for _ in 0..MAX_SEGMENTS {
            arrived = self.advance_segment(&mut path);
            if arrived {
                break;
            }
        }
        Some((path, arrived))
    }

    /// Takes the features that a motion from `x` can touch, however it turns; returns those that it
    /// touches there.
    fn reach_from(&mut self, x: &Point) -> Touching {
        self.buffer.reached.clear();
        let mut touching = Touching::NOTHING;
        let &mut Sweep { solids, objects, filter, .. } = self;
        let counted =
            solids.features(objects).filter(|(of, feature)| filter.has(*of, feature, solids));
        for (surface, feature) in counted {
            let Nearest { normal, distance } = feature.nearest(x);
            let gap = distance - self.r;
            touching.least_gap = touching.least_gap.min(gap);
            if gap <= self.length + 2.0 * self.skin {
                self.buffer.reached.push((surface, feature));
                if gap <= 2.0 * self.skin {
                    touching.insert(Touch { surface, normal, distance });
                }
            }
        }
        touching.drop_hidden(self.skin);
        touching
    }

    fn touching(&self, x: &Point) -> Touching {
        let mut touching = Touching::NOTHING;
        for &(surface, feature) in self.features() {
            let Nearest { normal, distance } = feature.nearest(x);
            if distance - self.r <= 2.0 * self.skin {
                // The plane is told by its distance from x.
                touching.insert(Touch { surface, normal, distance });
            }
        }
        touching.drop_hidden(self.skin);
        touching
    }

    /// Moves a centre that rounding put too near a surface back to the middle of the skin; where
    /// there is no room for it, to the best place on the way.
    fn free_start(&mut self, path: &mut Path) {
        let (mut best, mut best_gap) = (path.x, path.touching.least_gap);
        for _ in 0..MAX_PUSHES {
            let Some(deepest) = path.touching.list().first() else { return };
            let gap = deepest.distance - self.r;
            if gap >= 0.0 {
                return;
            }
            let Some(way) = self.free_way(&path.x, &deepest.normal, 0.5 * self.skin - gap) else {
                break;
            };
            path.x += deepest.normal * way;
            path.touching = self.reach_from(&path.x);
            if path.touching.least_gap > best_gap {
                (best, best_gap) = (path.x, path.touching.least_gap);
            }
        }
        if path.x != best {
            path.x = best;
            path.touching = self.reach_from(&best);
        }
    }

    /// How much of a way along `normal` \[m\] frees a centre at `x`. Between solids that close on
    /// it a mesh is the last to give way: only it cannot tell inside from outside. So it stays
    /// clear of meshes on the way; `None` if they leave nothing.
    fn free_way(&self, x: &Point, normal: &Point, whole: f64) -> Option<f64> {
        if whole <= 1.5 * self.skin || !self.is_crossed(x, &(x + normal * whole)) {
            return Some(whole);
        }
        let halves = (1..=MAX_PUSHES as i32).map(|k| whole * 0.5_f64.powi(k));
        let is_clear = |way: &f64| !self.is_crossed(x, &(x + normal * (way + CLEARANCE * self.r)));
        halves.take_while(|way| *way > self.skin).find(is_clear)
    }

    /// Whether a triangle or a solid of revolution stands between two points.
    fn is_crossed(&self, from: &Point, to: &Point) -> bool {
        let of_mesh = |(_, feature): &(SurfaceId, ConvexFeature)| match feature {
            ConvexFeature::Triangle(corners) => is_crossing(from, to, corners),
            // From inside it, the way out is free.
            ConvexFeature::Round(round) => {
                let enters = |(first, _): &(f64, f64)| (0.0..=1.0).contains(first);
                round.chord(from, &(to - from)).as_ref().is_some_and(enters)
            }
            ConvexFeature::Wall { .. } | ConvexFeature::Ball { .. } => false,
        };
        self.solids.features(self.objects).any(|feature| of_mesh(&feature))
    }

    /// Goes straight on to the next impact and turns there; true if there was none.
    fn advance_segment(&mut self, path: &mut Path) -> bool {
        let length = path.rest.norm();
        if length == 0.0 {
            return true;
        }
        let direction = path.rest / length;
        let Some(Impact { way, normal, surface }) = self.first_impact(path, &direction, length)
        else {
            return true;
        };
        path.x += direction * way;
        path.touching = self.touching(&path.x);
        let (mut normals, mut surfaces) = ([normal; MAX_CONTACTS], [surface; MAX_CONTACTS]);
        let mut distances = [self.r; MAX_CONTACTS];
        let mut count = 0;
        for touch in path.touching.list() {
            (normals[count], surfaces[count]) = (touch.normal, touch.surface);
            distances[count] = touch.distance;
            count += 1;
        }
        if is_allowed(&direction, &normals[..count]) {
            // No touched surface stands in the way but the one that was hit: at an edge that the
            // surface before it hides.
            (normals[count], surfaces[count]) = (normal, surface);
            count += 1;
        }
        let velocities: [Point; MAX_CONTACTS] = std::array::from_fn(|k| match k < count {
            true => self.velocity(surfaces[k], &path.x, &(normals[k] * distances[k])),
            false => Point::zeros(),
        });
        let contacts = Contacts {
            laws: &self.solids.shapes.laws,
            normals: &normals[..count],
            surfaces: &surfaces[..count],
            velocities: &velocities[..count],
            elasticity: 1.0,
        };
        let (rest, speed, at) = (length - way, path.v.norm(), path.x);
        let left = if speed > 0.0 { rest / speed } else { 0.0 };
        path.time += (1.0 - path.time) * (way / length);
        path.room -= way;
        let impulses = &mut self.buffer.impulses;
        let given = |k: usize, change| {
            let (surface, normal, velocity) = (surfaces[k], normals[k], velocities[k]);
            impulses.push(Impulse { surface, normal, velocity, at, change });
        };
        if contacts.gives_back() && !contacts.is_moving() && !self.acceleration.is_none() {
            path.v = contacts.bounce(&path.v, &self.acceleration.offset(path.time), given);
            path.rest = (path.v * left).cap_magnitude(path.room);
        } else {
            path.rest = contacts.divert(&(direction * rest), left);
            path.v = contacts.answer(&path.v, given);
        }
        path.hits += 1;
        false
    }

    /// The velocity of a surface that is touched from `x`, whose nearest point is `arm` behind it.
    fn velocity(&self, surface: SurfaceId, x: &Point, arm: &Point) -> Point {
        match self.solids.deforms(surface) {
            true => self.solids.surface_velocity(self.objects, surface, &(x - arm)),
            false => self.solids.velocity(surface, x),
        }
    }
}
