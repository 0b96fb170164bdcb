//! Push-out: particles in the way of a moving body move to where the body leaves room.
//!
//! In a step a body goes from one pose to the next. Seen from it, a particle that stays at x comes
//! from B A⁻¹ x. That way, swept against the body where it is after the step, ends where the body
//! pushes the particle: however far the body went, nothing gets into it or through it.
//!
//! A pushed particle may meet other solids. It never passes a mesh or a solid of revolution, which
//! may be thin. It may enter a wall or a ball, which tell inside from outside, and leaves when
//! there is room again. Where a body and what is
//! beyond leave less than 2r, the particle stays halfway between the two, too deep in both: it is
//! pushed as if its radius were half the room, down to [`CLEARANCE`].
//!
//! Bodies push one after the other; a body does not block those before it. Where meshes deform, all
//! triangles push together ([`super::carrying`]).
//!
//! Symbols: A, B poses before and after \[–\], x place \[m\].

use super::step_acceleration::StepAcceleration;
use super::sweep_buffer::{CLEARANCE, SKIN, SweepBuffer};
use super::sweep_filter::SweepFilter;
use super::swept_motion::Sweep;
use crate::precision::{to_point, to_vec3};
use crate::solids::Solids;
use crate::surfaces::SurfaceId;
use hashfall_core::{Real, Vec3};
use hashfall_geometry::Point;

/// The room that may lack unseen, in radii.
const MAX_LACK: f64 = 0.01;

impl Solids {
    /// Where the last step of the bodies leaves a particle of radius `r` \[m\] that was at `x`, and
    /// how far \[m\] other solids kept it from where they push it.
    ///
    /// `objects` are all that come within four times [`Solids::max_displacement`] and r of it,
    /// ascending; more do no harm.
    #[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f32")]
    pub fn push_out(
        &self,
        objects: &[u32],
        x: &Vec3,
        r: Real,
        buffer: &mut SweepBuffer,
    ) -> (Vec3, Real) {
        let (was, r) = (to_point(x), f64::from(r));
        let (mut place, mut short): (Point, f64) = (was, 0.0);
        if self.has_deforming() {
            (place, short) = self.carry(objects, &was, r, buffer);
        } else {
            // A body of which nothing is near pushes nothing.
            let near = self.moving_bodies_of(objects, std::mem::take(&mut buffer.bodies));
            for &number in &near {
                let Some((surface, step)) = self.last_steps().nth(number) else { continue };
                let filters = [SweepFilter::Only(surface), SweepFilter::MeshesBefore(surface)];
                let push = Push { solids: self, objects, surface, filters, r };
                if let Some((left, lack)) = push.from(&step.apply(&was), &place, buffer) {
                    (place, short) = (left, short.max(lack));
                }
            }
            buffer.bodies = near;
        }
        let at = if place == was { *x } else { to_vec3(&place) };
        (at, short as Real)
    }

    /// The moving bodies that have some of these objects, ascending, in memory that is there.
    fn moving_bodies_of(&self, objects: &[u32], mut found: Vec<usize>) -> Vec<usize> {
        found.clear();
        let mut last = None;
        for &object in objects {
            let surface = self.shapes.laws.surface_of(object);
            if last != Some(surface) {
                found.extend(self.moving_number(surface));
                last = Some(surface);
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The distance from `x` to the nearest wall or ball but those of the surface `own` \[m\];
    /// negative in one.
    fn least_distance_to_others(&self, objects: &[u32], own: SurfaceId, x: &Point) -> f64 {
        let others = self
            .features(objects)
            .filter(|(surface, feature)| *surface != own && !feature.is_never_entered());
        others.map(|(_, feature)| feature.nearest(x).distance).fold(f64::INFINITY, f64::min)
    }

    /// Where a way from one point to another ends among the solids that count.
    fn swept(
        &self,
        objects: &[u32],
        filter: SweepFilter,
        from: Point,
        to: Point,
        r: f64,
        buffer: &mut SweepBuffer,
    ) -> Point {
        let length = (to - from).norm();
        if !length.is_finite() {
            return to;
        }
        let (acceleration, skin) = (StepAcceleration::default(), SKIN * r);
        let mut sweep =
            Sweep { solids: self, objects, filter, buffer, length, acceleration, r, skin };
        match sweep.go(from, to - from, Point::zeros()) {
            Some((path, arrived)) if !path.is_free(arrived, &from) => path.end(arrived),
            _ => to,
        }
    }
}

/// What one body may push.
pub(super) struct Push<'a> {
    pub solids: &'a Solids,
    pub objects: &'a [u32],
    /// Of the body.
    pub surface: SurfaceId,
    /// What of it pushes, and what blocks.
    pub filters: [SweepFilter; 2],
    pub r: f64,
}

impl Push<'_> {
    /// Where a particle at `place` is pushed that the body sees come from `seen`, and how far \[m\]
    /// others keep it from there; `None` if it is left alone.
    pub fn from(
        &self,
        seen: &Point,
        place: &Point,
        buffer: &mut SweepBuffer,
    ) -> Option<(Point, f64)> {
        let &Push { solids, objects, surface, filters: [only, others], r } = self;
        if seen == place {
            return None;
        }
        let mut push = |r: f64| {
            let pushed = solids.swept(objects, only, *seen, *place, r, buffer);
            let left = match pushed == *place {
                true => *place,
                false => solids.swept(objects, others, *place, pushed, r, buffer),
            };
            (left, (pushed - left).norm())
        };
        let (mut left, mut lack) = push(r);
        if left == *place && lack == 0.0 {
            return None;
        }
        let lacks = lack.max(r - solids.least_distance_to_others(objects, surface, &left));
        if lacks > MAX_LACK * r {
            (left, lack) = push((r - 0.5 * lacks).max(CLEARANCE * r));
        }
        Some((left, lack))
    }
}
