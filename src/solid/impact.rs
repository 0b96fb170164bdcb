//! What contacts do to a motion: they stop what enters the surfaces, rub, and give back.
//!
//! Source: Jean, The non-smooth contact dynamics method (1999), §7: contacts take turns, each
//! exchanging what its law asks for with the motion as the others left it (nonlinear Gauss–Seidel):
//!
//! - normal: the least P ≥ 0 with n·v⁺ ≥ −e n·v⁻ (Newton's restitution),
//! - tangential: T against v⁺ − vˢ along the surface, |T| ≤ μP, and no more than ends the sliding
//!   (Coulomb's friction).
//!
//! One contact takes one turn, and so do several at right angles. Where no contact rubs or gives
//! back, the motion is the projection of [`super::cone`], and turns only tell who gave what.
//!
//! Symbols: v⁻, v⁺ velocity before and after, vˢ of the surface \[m/s\], n normal, P, T impulses
//! over mass \[m/s\], e restitution, μ friction \[–\].

use super::cone::project;
use super::law::Laws;
use super::{ContactLaw, SurfaceId};
use crate::geometry::Point;

/// Turns of every contact; more are needed only between normals at less than right angles.
const MAX_TURNS: usize = 64;
/// Turns end when they change less than this share of a motion.
const SETTLED: f64 = 1e-12;
/// The most contacts at one place.
pub(super) const MAX_CONTACTS: usize = 9;

/// The contacts at one place.
pub(super) struct Contacts<'a> {
    /// How surfaces act.
    pub laws: &'a Laws,
    /// Away from each surface.
    pub normals: &'a [Point],
    /// Which surfaces they are, at least one.
    pub surfaces: &'a [SurfaceId],
}

impl Contacts<'_> {
    /// What is left of a velocity \[m/s\]; `given` is told what each surface added to it.
    pub fn answer(&self, velocity: &Point, mut given: impl FnMut(SurfaceId, Point)) -> Point {
        let body = self.surfaces[0].body();
        let is_one_body = self.surfaces.iter().all(|surface| surface.body() == body);
        if self.is_plain() && is_one_body {
            let left = project(velocity, self.normals);
            given(self.surfaces[0], left - velocity);
            return left;
        }
        let (left, gifts) = self.take_turns(velocity, 1.0);
        let left = project(if self.is_plain() { velocity } else { &left }, self.normals);
        let mut rest = left - velocity;
        for (surface, gift) in self.surfaces.iter().zip(gifts) {
            given(*surface, gift);
            rest -= gift;
        }
        // What turns left unsettled.
        given(self.surfaces[0], rest);
        left
    }

    /// What is left of a way \[m\] that takes `time` \[s\]; never longer than before.
    pub fn divert(&self, way: &Point, time: f64) -> Point {
        if self.is_plain() {
            return project(way, self.normals);
        }
        let left = project(&self.take_turns(way, time).0, self.normals);
        // A surface that moves may draw a particle along; the sweep has not looked that far.
        let (length, most) = (left.norm(), way.norm());
        if length > most { left * (most / length) } else { left }
    }

    fn law(&self, k: usize) -> &ContactLaw {
        self.laws.of(self.surfaces[k])
    }

    fn is_plain(&self) -> bool {
        (0..self.surfaces.len()).all(|k| self.law(k).is_plain())
    }

    /// The motion after all turns, and what each contact added to it. A surface goes `time` times
    /// its velocity.
    fn take_turns(&self, motion: &Point, time: f64) -> (Point, [Point; MAX_CONTACTS]) {
        let mut pushes = [0.0; MAX_CONTACTS];
        let mut rubs = [Point::zeros(); MAX_CONTACTS];
        let mut now = *motion;
        for _ in 0..MAX_TURNS {
            let mut change: f64 = 0.0;
            for (k, n) in self.normals.iter().enumerate() {
                let (law, before) = (self.law(k), now);
                let bounce = law.restitution * (-n.dot(motion)).max(0.0);
                let push = (pushes[k] + bounce - n.dot(&now)).max(0.0);
                now += n * (push - pushes[k]);
                pushes[k] = push;
                if law.friction > 0.0 {
                    let sliding = now - Point::from(law.velocity) * time;
                    let wanted = rubs[k] - (sliding - n * n.dot(&sliding));
                    let (size, most) = (wanted.norm(), law.friction * push);
                    let rub = if size > most { wanted * (most / size) } else { wanted };
                    now += rub - rubs[k];
                    rubs[k] = rub;
                }
                change = change.max((now - before).norm());
            }
            if change <= SETTLED * motion.norm() {
                break;
            }
        }
        let given = std::array::from_fn(|k| match self.normals.get(k) {
            Some(n) => n * pushes[k] + rubs[k],
            None => Point::zeros(),
        });
        (now, given)
    }
}
