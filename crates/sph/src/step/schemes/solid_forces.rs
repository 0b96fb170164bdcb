//! What solids push the fluid by, where its pressure is known.
//!
//! A particle with the pressure p feels −2 p L ∇λ of the solids near it, and what the consistent
//! gradient gives beyond the adjoint one, its *excess* ([`KnownForce`]). No pair gives the excess
//! of particles that no solid is near: it comes from solids, too, axis by axis from each as it
//! pushes, so that nothing is lost between fluid and solids.
//!
//! Symbols: p \[Pa\], λ the solids' part of the kernel \[–\], L gradient correction \[–\].

use crate::step::boundary::reactions::WrenchSums;
use crate::step::pairs::moment::Moment;
use crate::step::pairs::neighborhood::Neighborhood;
use crate::step::schemes::known_pressure::KnownForce;
use hashfall_core::{Real, Vec3, parallel, to_f64};

/// The fluid and how its pressure acts.
#[derive(Clone, Copy)]
pub struct Pressed<'a> {
    /// Solids near each particle.
    pub neighborhood: &'a Neighborhood,
    /// L.
    pub moments: &'a [Moment],
    /// Excess \[Pa/m\].
    pub known: &'a [KnownForce],
    /// Places \[m\].
    pub positions: &'a [Vec3],
    /// p.
    pub pressures: &'a [Real],
    /// What is in a nozzle feels no solid.
    pub in_nozzle: &'a [u8],
}

/// The forces of solids on particles.
pub struct SolidForces<'a> {
    fluid: Pressed<'a>,
    /// By axis, the excess far from solids over what they push \[–\].
    share: Vec3,
}

impl<'a> SolidForces<'a> {
    /// Finds how much the solids give beyond what they push particles near them by.
    #[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f32")]
    pub fn new(fluid: Pressed<'a>) -> Self {
        let sums = parallel::sum(fluid.known.len(), |i| {
            if fluid.in_nozzle[i] > 0 {
                return [0.0; 6];
            }
            if !fluid.neighborhood.boundary.can_push(i) {
                let [x, y, z] = to_f64(&-fluid.known[i].excess);
                return [x, y, z, 0.0, 0.0, 0.0];
            }
            let [x, y, z] = to_f64(&fluid.push(i)).map(f64::abs);
            [0.0, 0.0, 0.0, x, y, z]
        });
        let share = Vec3::from_fn(|axis, _| {
            let (excess, pushed) = (sums[axis], sums[3 + axis]);
            if pushed > 0.0 { (excess / pushed) as Real } else { 0.0 }
        });
        SolidForces { fluid, share }
    }

    /// Adds the forces of solids on particle `i`, times `scale` \[m³, or m³ s for impulses\].
    pub fn add_reaction(&self, i: usize, scale: Real, account: &mut WrenchSums) {
        let fluid = &self.fluid;
        if fluid.in_nozzle[i] > 0 || !fluid.neighborhood.boundary.can_push(i) {
            return;
        }
        let push = fluid.push(i);
        let by_solids = push + push.abs().component_mul(&self.share);
        fluid.neighborhood.boundary.distribute_force(i, by_solids, |acting, force| {
            account.add(acting, fluid.positions[i], force * scale);
        });
    }
}

impl Pressed<'_> {
    /// The force of solids on a particle near them \[N/m³\].
    fn push(&self, i: usize) -> Vec3 {
        let slope = self.neighborhood.boundary.gradient[i] * (2.0 * self.pressures[i]);
        -(self.moments[i].correction * slope + self.known[i].excess)
    }
}
