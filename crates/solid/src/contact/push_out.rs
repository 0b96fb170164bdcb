//! Push-out: particles in the way of a moving body move to where the body leaves room.
//!
//! In a step a body goes from one pose to the next. Seen from it, a particle that stays at x comes
//! from B A⁻¹ x. That way, swept against the body where it is after the step, ends where the body
//! pushes the particle: however far the body went, nothing gets into it or through it.
//!
//! A pushed particle may meet other solids. It never passes a mesh. It may enter a wall or a ball,
//! which tell inside from outside, and leaves when there is room again: between a body and a wall
//! that leave no room, a particle stays between the two, too deep in both.
//!
//! Bodies push one after the other; a body does not block those before it.
//!
//! Symbols: A, B poses before and after \[–\], x place \[m\].

use super::step_acceleration::StepAcceleration;
use super::sweep::{SKIN, Sweep, SweepBuffer, SweepFilter};
use crate::precision::{to_point, to_vec3};
use crate::solids::Solids;
use hashfall_core::{Real, Vec3};
use hashfall_geometry::Point;

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
        let was = to_point(x);
        let (mut place, mut short): (Point, f64) = (was, 0.0);
        for (surface, step) in self.last_steps() {
            let seen = step.apply(&was);
            if seen == place {
                continue;
            }
            let only = SweepFilter::Only(surface);
            let pushed = self.swept(objects, only, (seen, place), r, buffer);
            if pushed != place {
                let others = SweepFilter::MeshesBefore(surface);
                let left = self.swept(objects, others, (place, pushed), r, buffer);
                short = short.max((pushed - left).norm());
                place = left;
            }
        }
        let at = if place == was { *x } else { to_vec3(&place) };
        (at, short as Real)
    }

    /// Where a way from one point to another ends among the solids that count.
    fn swept(
        &self,
        objects: &[u32],
        filter: SweepFilter,
        (from, to): (Point, Point),
        r: Real,
        buffer: &mut SweepBuffer,
    ) -> Point {
        let (r, length) = (f64::from(r), (to - from).norm());
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
