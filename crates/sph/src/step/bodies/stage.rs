//! The stages of a step that move free bodies; without any they do nothing.

use crate::step::bodies::coupling::BodyCoupling;
use crate::step::schemes::contact;
use crate::step::schemes::context::StageContext;
use crate::step::stepper::Stepper;
use crate::world::World;
use hashfall_core::Real;

impl Stepper {
    /// Half a kick of bodies by their weight and by the forces that are known.
    pub(in crate::step) fn kick_bodies(&mut self, world: &mut World, half_dt: f64) {
        if BodyCoupling::is_needed(world) {
            self.bodies.kick(world, &self.reactions, half_dt);
            self.neighborhood.boundary.take_velocities(world);
        }
    }

    /// Ends the first half kick of bodies, in a step of `dt` \[s\]: their velocities are those with
    /// which they drift. Schemes that leave contact to the drift would let particles push bodies
    /// when these have gone their way; here both are stopped before.
    pub(in crate::step) fn lead_bodies(&mut self, world: &mut World, dt: Real) {
        if !BodyCoupling::is_needed(world) {
            return;
        }
        let Stepper { neighborhood, pairs, reactions, bodies, scheme, .. } = self;
        if !scheme.stops_at_solids() {
            let context =
                &mut StageContext { neighborhood, pairs, bodies, reactions, inactive: &[] };
            contact::stop_at_solids(world, context, dt);
        }
        bodies.lead(world, f64::from(dt));
        neighborhood.boundary.take_velocities(world);
    }
}
