//! The energy of the fluid and its free bodies, and the power of what is outside.
//!
//! The energy E, kinetic and potential, of the fluid and of the bodies that move freely with it
//! changes by what comes and goes with particles, and by work from outside: of solids that move by
//! a law, of surfaces that move in themselves, of nozzles, of accelerations that have no potential.
//! All else takes energy away. So E less all of these can only fall ([`World::net_energy`]).
//!
//! - Accelerations a that are not those of the [audit](super::Audit)'s potential φ do the work
//!   ∫ Σ m (a + ∇φ)·v dt, by the trapezoidal rule over each step.
//! - Particles in nozzles keep their velocity, so that a nozzle does Σ m ∇φ·v against the weight
//!   in it; and it does flow work, p A s where fluid of the pressure p goes on by s through the
//!   opening A. What is known of p is a mean over the particles before the opening.
//! - A particle that goes out through a periodic side comes in where its potential is another.
//!
//! Symbols: E energy \[J\], m mass \[kg\], v velocity, a acceleration, φ potential \[J/kg\].

use super::{Audit, BodyForce, FreeBody, World};
use hashfall_core::{parallel, to_f64};
use hashfall_geometry::Point;

impl World {
    /// Kinetic and potential energy of the bodies that move freely \[J\].
    pub fn free_body_energy(&self) -> [f64; 2] {
        let mut sums = [0.0; 2];
        for free in &self.free_bodies {
            let Some(state) = self.solids.body_state(free.body) else { continue };
            let speed = free.speed(&state.orientation.matrix(), &state.twist());
            sums[0] += 0.5 * free.mass * speed * speed;
            sums[1] += free.mass * self.potential(&state.position.into());
        }
        sums
    }

    /// Kinetic and potential energy of the fluid and the free bodies, less the energy that came in
    /// with particles and the work from outside \[J\]: what can only fall, but for energy that
    /// pressure and tension store.
    pub fn net_energy(&self) -> f64 {
        let budget = &self.open_boundaries.budget;
        self.energy_inside() - budget.energy - budget.outside.total()
    }

    /// Kinetic and potential energy of the fluid and the free bodies \[J\].
    pub fn energy_inside(&self) -> f64 {
        let [kinetic, potential] = self.mechanical_energy();
        let [of_bodies, potential_of_bodies] = self.free_body_energy();
        kinetic + potential + of_bodies + potential_of_bodies
    }

    /// φ of the audit at a place: of gravity and central forces \[J/kg\].
    pub fn potential(&self, place: &[f64; 3]) -> f64 {
        let gravity = to_f64(&self.gravity);
        let springs: f64 = self.forces.iter().map(|force| force.potential(place)).sum();
        springs - (0..3).map(|a| gravity[a] * place[a]).sum::<f64>()
    }

    /// A lower bound of φ in the domain \[J/kg\].
    pub fn lowest_potential(&self) -> f64 {
        let (min, max) = (to_f64(&self.solids.domain.min), to_f64(&self.solids.domain.max));
        let gravity = to_f64(&self.gravity);
        (0..3).map(|a| (-gravity[a] * min[a]).min(-gravity[a] * max[a])).sum()
    }

    /// Whether accelerations act that have no potential.
    fn has_outside_forces(&self) -> bool {
        let is_table = |rows: &[(f64, [f64; 3])]| rows.iter().any(|(_, a)| *a != [0.0; 3]);
        self.frame.is_some() || self.forces.iter().any(|force| force.table().is_some_and(is_table))
    }

    /// The power of accelerations without a potential \[W\].
    pub(crate) fn power_of_forces(&self) -> f64 {
        if !self.has_outside_forces() {
            return 0.0;
        }
        let (p, field) = (&self.particles, self.body_field());
        let without_potential =
            |place: &[f64; 3]| Point::from(field.acceleration(place)) - self.pull(place);
        let [fluid] = parallel::sum(p.len(), |i| match p.in_nozzle[i] {
            0 => {
                let v = Point::from(to_f64(&p.velocity[i]));
                let a = without_potential(&to_f64(&p.position[i]));
                [self.particle_mass(p.phase[i]) * a.dot(&v)]
            }
            _ => [0.0],
        });
        let of_body = |free: &FreeBody| {
            let state = self.solids.body_state(free.body)?;
            Some(free.mass * without_potential(&state.position.into()).dot(&state.velocity))
        };
        fluid + self.free_bodies.iter().filter_map(of_body).sum::<f64>()
    }

    /// The power of nozzles against the weight in them \[W\].
    pub(crate) fn power_of_nozzles(&self) -> f64 {
        let p = &self.particles;
        let power = |i: usize| {
            let v = Point::from(to_f64(&p.velocity[i]));
            -self.particle_mass(p.phase[i]) * self.pull(&to_f64(&p.position[i])).dot(&v)
        };
        self.in_nozzles().map(power).sum()
    }

    /// Kinetic energy of the particles in nozzles \[J\].
    pub(crate) fn kinetic_energy_in_nozzles(&self) -> f64 {
        self.in_nozzles().map(|i| Audit::energies(self, i)[0]).sum()
    }

    /// The few particles that nozzles hold.
    fn in_nozzles(&self) -> impl Iterator<Item = usize> {
        let in_nozzle = &self.particles.in_nozzle;
        (0..in_nozzle.len()).filter(|&i| in_nozzle[i] > 0)
    }

    /// −∇φ \[m/s²\].
    fn pull(&self, place: &[f64; 3]) -> Point {
        let mut pull = Point::from(to_f64(&self.gravity));
        for (centre, stiffness) in self.forces.iter().filter_map(BodyForce::central) {
            pull -= (Point::from(*place) - Point::from(*centre)) * stiffness;
        }
        pull
    }

    /// Whether φ differs between both ends of a periodic axis.
    pub(crate) fn has_periodic_fall(&self) -> bool {
        let pulls = |force: &BodyForce| force.central().is_some_and(|(_, k)| k > 0.0);
        (0..3).any(|a| self.periodic[a] && self.gravity[a] != 0.0)
            || self.is_periodic() && self.forces.iter().any(pulls)
    }

    /// Φ of the fluid \[J\].
    pub(crate) fn potential_energy(&self) -> f64 {
        let [sum] = parallel::sum(self.particles.len(), |i| [Audit::energies(self, i)[1]]);
        sum
    }
}
