//! Contact of diffuse particles with exact solids: swept motion, as that of the fluid's particles.
//!
//! A particle of radius r moves straight to its target, stops where it would come nearer than r to
//! a surface, and slides on; a body that moves pushes it before. So none gets into a solid or
//! through a wall, however thin the one and fast the other is. What two solids crush is removed.

use crate::advection::Laws;
use crate::diffuse::{Kind, Particle};
use crate::fluid_cells::FluidSample;
use crate::surroundings::{NearObjects, Surroundings};
use hashfall_core::{Real, Vec3};
use hashfall_solid::{SweepBuffer, sweep_reach};

/// How far a particle is carried at the most, over how far a body goes (as in the drift of the
/// fluid).
const CARRIED: Real = 4.0;
/// A particle that is left deeper than this part of its radius is between solids that close.
const CRUSHED: Real = 0.5;

/// What contact needs, kept from one particle to the next.
#[derive(Clone, Debug, Default)]
pub(crate) struct ContactBuffer {
    pub near: NearObjects,
    sweep: SweepBuffer,
    /// Distances to the solids near a place \[m\].
    distances: Vec<Real>,
}

impl Surroundings {
    /// Moves a particle by `way` \[m\] after the step of the bodies, which may change its
    /// velocity; returns whether it is free then.
    #[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f32")]
    pub(crate) fn advance(
        &self,
        particle: &mut Particle,
        way: &Vec3,
        buffer: &mut ContactBuffer,
    ) -> bool {
        self.sweep(particle, way, self.solids.max_displacement() as Real, buffer)
    }

    /// Moves a particle by `way` \[m\] among the bodies where they are: they have pushed it.
    pub(crate) fn displace(
        &self,
        particle: &mut Particle,
        way: &Vec3,
        buffer: &mut ContactBuffer,
    ) -> bool {
        self.sweep(particle, way, 0.0, buffer)
    }

    /// Moves a particle by `way` \[m\] after bodies have gone up to `carry` \[m\].
    fn sweep(
        &self,
        particle: &mut Particle,
        way: &Vec3,
        carry: Real,
        buffer: &mut ContactBuffer,
    ) -> bool {
        let Particle { position: x, velocity, radius, .. } = *particle;
        let target = x + way;
        if !target.iter().chain(velocity.iter()).all(|c| c.is_finite()) {
            return false;
        }
        let reach = sweep_reach(way.norm() + CARRIED * carry, radius, radius);
        let ContactBuffer { near, sweep, .. } = buffer;
        self.objects(&x, reach, near);
        if near.objects.is_empty() && !self.is_wall_within(&x, reach) {
            particle.position = target;
            return true;
        }
        let (from, short) = match carry {
            0.0 => (x, 0.0),
            _ => self.solids.push_out(&near.objects, &x, radius, sweep),
        };
        let contact = self.solids.sweep(&near.objects, &from, &target, &velocity, radius, sweep);
        (particle.position, particle.velocity) = (contact.position, contact.velocity);
        contact.penetration.max(short) < CRUSHED * radius
    }

    /// What a particle is at a place, from the fluid there and the solids near it, and from what it
    /// was `before`, if it is not new.
    pub(crate) fn kind(
        &self,
        laws: &Laws,
        x: &Vec3,
        fluid: &FluidSample,
        before: Option<Kind>,
        buffer: &mut ContactBuffer,
    ) -> Kind {
        let alone = laws.kind(fluid.count, std::iter::empty(), before);
        if alone == Kind::Bubble || fluid.count == 0 {
            return alone;
        }
        let ContactBuffer { near, distances, .. } = buffer;
        distances.clear();
        self.for_each_nearest(x, near, |solid| distances.push(solid.distance));
        laws.kind(fluid.count, distances.iter().copied(), before)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashfall_core::geometry::random::Random;
    use hashfall_geometry::Aabb;
    use hashfall_solid::{KinematicLaw, Solids, Sphere};

    const H: Real = 0.05;

    fn balls() -> Vec<Sphere> {
        let mut random = Random::new(11);
        let ball = |_| Sphere { centre: random.vec3(0.2, 0.8), radius: random.real(0.03, 0.12) };
        (0..40).map(ball).collect()
    }

    fn domain() -> Aabb {
        Aabb::new(Vec3::zeros(), Vec3::repeat(1.0))
    }

    /// How far a place is from all solids, computed one by one.
    fn clearance(x: &Vec3, balls: &[Sphere]) -> Real {
        let to_walls = x.inf(&(Vec3::repeat(1.0) - x)).min();
        balls.iter().map(|ball| (x - ball.centre).norm() - ball.radius).fold(to_walls, Real::min)
    }

    #[test]
    fn nothing_gets_into_balls_or_through_walls_at_any_speed() {
        let balls = balls();
        let around = Surroundings::new(Solids::new(domain(), balls.clone(), vec![]), H);
        let (mut random, mut buffer) = (Random::new(2), ContactBuffer::default());
        let (mut moved, mut stopped, radius) = (0, 0, 0.002);
        while moved < 3000 {
            let position = random.vec3(0.01, 0.99);
            if clearance(&position, &balls) < radius {
                continue;
            }
            // From a part of a radius to many cells.
            let way = random.vec3(-1.0, 1.0) * power(10.0, random.real(-3.0, 0.3));
            let mut particle = Particle { position, velocity: way, radius, ..Particle::default() };
            assert!(around.advance(&mut particle, &way, &mut buffer));
            let left = clearance(&particle.position, &balls);
            assert!(left > 0.99 * radius, "{left} of {radius}");
            stopped += usize::from(particle.position != position + way);
            moved += 1;
        }
        assert!(stopped > 500 && stopped < 2500, "{stopped}");
    }

    fn power(base: Real, exponent: Real) -> Real {
        base.powf(exponent)
    }

    #[test]
    fn a_ball_that_moves_pushes_what_is_in_its_way() {
        let ball = Sphere { centre: Vec3::new(0.3, 0.5, 0.5), radius: 0.1 };
        let law = KinematicLaw::driven([0.3, 0.5, 0.5]);
        let solids = Solids::new(domain(), vec![ball], vec![]);
        let mut around = Surroundings::new(solids.with_kinematic_laws(vec![Some(law)]), H);
        around.solids.set_body_velocity(1, [2.0, 0.0, 0.0].into(), Default::default()).unwrap();
        let mut random = Random::new(6);
        let mut particles: Vec<Particle> = (0..6000)
            .map(|_| Particle {
                position: random.vec3(0.2, 0.8),
                radius: 0.004,
                ..Default::default()
            })
            .filter(|it| (it.position - ball.centre).norm() > 0.105)
            .collect();
        let mut buffer = ContactBuffer::default();
        for step in 1..=4 {
            around.solids.begin_step(0.05 * f64::from(step), 0.05);
            around.solids.move_bodies();
            around.renew();
            // The objects of a cell are those of a step.
            buffer.near = NearObjects::default();
            let centre = around.solids.spheres()[0].centre;
            for particle in &mut particles {
                assert!(around.advance(particle, &Vec3::zeros(), &mut buffer));
                let left = (particle.position - centre).norm() - 0.1;
                assert!(left > 0.99 * 0.004, "{left} after step {step}");
            }
            around.solids.end_step();
        }
        let pushed = particles.iter().filter(|it| it.position.x > 0.75).count();
        assert!(pushed > 5, "{pushed} are in front of it");
    }
}
