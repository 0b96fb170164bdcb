//! Explicit viscosity: the forces of the present velocities.

use crate::step::boundary::boundary_share::WallMotion;
use crate::step::schemes::context::StageContext;
use crate::step::schemes::scheme::PressureScheme;
use crate::step::terms::term::ForceTerm;
use crate::step::terms::viscosity::operator::{ViscousOperator, has_one_viscosity};
use crate::step::terms::viscosity::stress::ViscousVelocities;
use crate::world::{ViscositySolver, World};
use hashfall_core::simd::Isa;
use hashfall_core::{Vec3, parallel};

/// Viscosity as a force; keeps its buffers between steps.
#[derive(Debug)]
pub struct ExplicitViscosity {
    operator: ViscousOperator,
    forces: Vec<Vec3>,
}

impl ExplicitViscosity {
    /// The viscosity of a world's fluids; `None` where it is implicit or summed with the pressure
    /// of pairs, or there is none.
    pub fn for_world(
        world: &World,
        scheme: &dyn PressureScheme,
        isa: Isa,
    ) -> Option<Box<dyn ForceTerm>> {
        let is_explicit = world.viscosity == ViscositySolver::Explicit;
        let is_viscous = world.fluids.iter().any(|fluid| fluid.viscosity > 0.0);
        let acts = is_explicit && is_viscous && !world.has_pairwise_viscosity();
        (acts && scheme.settings().has_interactions()).then(|| {
            let operator = ViscousOperator::new(isa);
            Box::new(ExplicitViscosity { operator, forces: Vec::new() }) as Box<dyn ForceTerm>
        })
    }
}

impl ForceTerm for ExplicitViscosity {
    fn add(
        &mut self,
        world: &mut World,
        context: &mut StageContext<'_>,
        scheme: &mut dyn PressureScheme,
    ) {
        let StageContext { neighborhood, pairs, reactions, .. } = context;
        let (operator, forces) = (&mut self.operator, &mut self.forces);
        let velocities = &world.particles.velocity;
        let field = ViscousVelocities { particles: velocities, walls: WallMotion::OF_SOLIDS };
        forces.resize(velocities.len(), Vec3::zeros());
        match scheme.velocity_moments() {
            Some(moments) if has_one_viscosity(world) => {
                operator.apply_by_moments(world, neighborhood, pairs, moments, forces);
            }
            _ => {
                operator.update(world, neighborhood, pairs, false);
                operator.apply(world, neighborhood, pairs, field, forces);
            }
        }
        operator.add_reactions(world, neighborhood, field, reactions);
        reactions.act_too();
        let (forces, fluids, p) = (&self.forces, &world.fluids, &mut world.particles);
        let phases = &p.phase;
        parallel::fill(&mut p.acceleration, |i, acceleration| {
            *acceleration += forces[i] / fluids[usize::from(phases[i])].rest_density;
        });
    }
}
