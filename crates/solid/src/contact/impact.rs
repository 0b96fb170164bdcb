//! What contacts do to a motion: they stop what enters the surfaces, rub, and give back.
//!
//! Source: Jean, The non-smooth contact dynamics method (1999), §7: contacts take turns, each
//! exchanging what its law asks for with the motion as the others left it (nonlinear Gauss–Seidel):
//!
//! - normal: the least P ≥ 0 with n·v⁺ ≥ −e n·v⁻ (Newton's restitution),
//! - tangential: T against v⁺ − vˢ along the surface, |T| ≤ μP, and no more than ends the sliding
//!   (Coulomb's friction).
//!
//! with v less the body's own velocity u where the body moves, for each contact its own.
//!
//! One contact takes one turn, and so do several at right angles. Where no contact rubs or gives
//! back, the motion is the projection of [`super::cone`], and turns only tell who gave what.
//!
//! Symbols: v⁻, v⁺ velocity before and after, vˢ of the surface in itself, u of the body \[m/s\],
//! n normal, P, T impulses over mass \[m/s\], e restitution, μ friction \[–\].

use super::cone::project;
use crate::contact_law::ContactLaw;
use crate::surfaces::{SurfaceId, SurfaceLaws};
use hashfall_geometry::Point;

/// Turns of every contact; more are needed only between normals at less than right angles.
const MAX_TURNS: usize = 64;
/// Turns end when they change less than this share of a motion.
const CONVERGED: f64 = 1e-12;
/// The most contacts at one place.
pub(crate) const MAX_CONTACTS: usize = 9;

/// The contacts at one place.
pub(crate) struct Contacts<'a> {
    /// How surfaces act.
    pub laws: &'a SurfaceLaws,
    /// Away from each surface.
    pub normals: &'a [Point],
    /// Which surfaces they are, at least one.
    pub surfaces: &'a [SurfaceId],
    /// Of their bodies at this place \[m/s\].
    pub velocities: &'a [Point],
    /// Factor on every e: 1, or 0 for contacts that give nothing back.
    pub elasticity: f64,
}

impl Contacts<'_> {
    /// What is left of a velocity \[m/s\]; `given` is told what each contact added to it.
    pub fn answer(&self, velocity: &Point, mut given: impl FnMut(usize, Point)) -> Point {
        if self.is_moving() {
            return self.answer_moving(velocity, given);
        }
        let body = self.surfaces[0].body();
        let is_one_body = self.surfaces.iter().all(|surface| surface.body() == body);
        if self.is_plain() && is_one_body {
            let left = project(velocity, self.normals);
            given(0, left - velocity);
            return left;
        }
        let (left, gifts) = self.take_turns(velocity, 1.0);
        let left = project(if self.is_plain() { velocity } else { &left }, self.normals);
        let mut rest = left - velocity;
        for (k, gift) in gifts.iter().enumerate().take(self.surfaces.len()) {
            given(k, *gift);
            rest -= gift;
        }
        // What turns left unresolved.
        given(0, rest);
        left
    }

    /// What is left of the velocity v with which a particle drifts, at an instant when its velocity
    /// is v + `offset` \[m/s\], as it is in the midst of a step with constant acceleration.
    ///
    /// The velocity of that instant bounces; the drift after it must not enter the surfaces.
    pub fn bounce(
        &self,
        velocity: &Point,
        offset: &Point,
        mut given: impl FnMut(usize, Point),
    ) -> Point {
        let drift = self.answer(&(velocity + offset), &mut given) - offset;
        Contacts { elasticity: 0.0, ..*self }.answer(&drift, given)
    }

    /// Whether a surface gives back.
    pub fn gives_back(&self) -> bool {
        (0..self.surfaces.len()).any(|k| self.law(k).restitution > 0.0)
    }

    /// What contacts with moving bodies leave of a velocity \[m/s\].
    fn answer_moving(&self, velocity: &Point, mut given: impl FnMut(usize, Point)) -> Point {
        let (left, gifts) = self.take_turns(velocity, 1.0);
        (0..self.surfaces.len()).for_each(|k| given(k, gifts[k]));
        left
    }

    /// Whether a body moves.
    pub fn is_moving(&self) -> bool {
        self.velocities.iter().any(|u| *u != Point::zeros())
    }

    /// What is left of a way \[m\] that takes `time` \[s\]; never longer than before.
    pub fn divert(&self, way: &Point, time: f64) -> Point {
        // Bodies have gone their ways already, and rub by the velocity alone.
        if self.is_plain() || self.is_moving() {
            return project(way, self.normals);
        }
        let left = project(&self.take_turns(way, time).0, self.normals);
        // A surface that moves may draw a particle along; the sweep has not looked that far.
        let (length, most) = (left.norm(), way.norm());
        if length > most { left * (most / length) } else { left }
    }

    fn law(&self, k: usize) -> &ContactLaw {
        self.laws.get(self.surfaces[k])
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
                let (law, before, u) = (self.law(k), now, &self.velocities[k]);
                let e = self.elasticity * law.restitution;
                let bounce = e * (-n.dot(&(motion - u))).max(0.0);
                let push = (pushes[k] + bounce - n.dot(&(now - u))).max(0.0);
                now += n * (push - pushes[k]);
                pushes[k] = push;
                if law.friction > 0.0 {
                    let sliding = now - u - Point::from(law.velocity) * time;
                    let wanted = rubs[k] - (sliding - n * n.dot(&sliding));
                    let (size, most) = (wanted.norm(), law.friction * push);
                    let rub = if size > most { wanted * (most / size) } else { wanted };
                    now += rub - rubs[k];
                    rubs[k] = rub;
                }
                change = change.max((now - before).norm());
            }
            if change <= CONVERGED * motion.norm() {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::BodySpec;
    use hashfall_geometry::random::Random;

    /// An obstacle with this law, and what is left of a motion that meets it with one normal.
    fn met(law: ContactLaw, normal: Point, motion: Point) -> Point {
        let laws = SurfaceLaws::new(
            &[BodySpec { spheres: 1, contact: law, ..BodySpec::default() }],
            [].into_iter(),
        );
        let surfaces = [laws.surface_of(0)];
        let velocities = &[Point::zeros()];
        let contacts = Contacts {
            laws: &laws,
            normals: &[normal],
            surfaces: &surfaces,
            velocities,
            elasticity: 1.0,
        };
        let mut total = Point::zeros();
        let left = contacts.answer(&motion, |k, given| {
            assert_eq!(k, 0);
            total += given;
        });
        assert!((left - motion - total).norm() < 1e-12);
        left
    }

    fn law(friction: f64, restitution: f64, along: f64) -> ContactLaw {
        let velocity = [along, 0.0, 7.0];
        ContactLaw { friction, restitution, velocity, ..ContactLaw::default() }
    }

    #[test]
    fn one_contact_gives_back_and_rubs_by_its_law() {
        let motion = Point::new(3.0, 0.0, -4.0);
        let after = |law| met(law, Point::z(), motion);
        let near = |a: Point, x: f64, z: f64| (a - Point::new(x, 0.0, z)).norm() < 1e-12;
        assert!(near(after(law(0.0, 0.5, 0.0)), 3.0, 2.0));
        // The push is 4 + 2 m/s, of which a quarter rubs.
        assert!(near(after(law(0.25, 0.5, 0.0)), 1.5, 2.0));
        assert!(near(after(law(9.0, 0.0, 0.0)), 0.0, 0.0), "it stops, and does not turn back");
        assert!(near(after(law(0.25, 0.0, 9.0)), 4.0, 0.0), "a belt draws it along");
        assert!(near(after(law(9.0, 0.0, 5.0)), 5.0, 0.0), "up to its own speed");
        let leaving = Point::new(3.0, 0.0, 4.0);
        assert_eq!(met(law(0.25, 0.5, 1.0), Point::z(), leaving), leaving);
    }

    #[test]
    fn several_contacts_stop_a_motion_as_the_cone_does_and_each_pushes_along_its_normal() {
        let obstacles: Vec<_> =
            (0..3).map(|_| BodySpec { spheres: 1, ..BodySpec::default() }).collect();
        let laws = SurfaceLaws::new(&obstacles, [].into_iter());
        let mut random = Random::new(4);
        for case in 0..2000 {
            let count = 2 + case % 2;
            let normals: Vec<Point> = (0..count).map(|_| random.direction()).collect();
            let surfaces: Vec<_> = (0..count as u32).map(|k| laws.surface_of(k)).collect();
            let motion = random.direction() * random.number(0.1, 10.0);
            let velocities = &[Point::zeros(); 3];
            let contacts = Contacts {
                laws: &laws,
                normals: &normals,
                surfaces: &surfaces,
                velocities,
                elasticity: 1.0,
            };
            let mut given = [Point::zeros(); 4];
            let left = contacts.answer(&motion, |k, part| given[surfaces[k].body()] += part);
            assert_eq!(left, project(&motion, &normals));
            let total: Point = given.iter().sum();
            assert!((left - motion - total).norm() < 1e-12 * motion.norm());
            // What the turns leave unresolved between normals that nearly meet goes to the first.
            let own = |k: usize| given[k + 1] - normals[k] * normals[k].dot(&given[k + 1]);
            assert!((1..count).all(|k| own(k).norm() < 1e-12 * motion.norm()));
        }
    }
}
