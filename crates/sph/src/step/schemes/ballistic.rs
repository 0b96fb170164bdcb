//! Particles without pressure: each flies as body forces pull it, and solids alone stop it.
//!
//! The "particle-based model with simple collision response" of Pouchol et al. 2009, §4.2.
//! Particles do not feel each other, so nobody looks for neighbours, and densities stay those of
//! the start.

use crate::step::schemes::context::StageContext;
use crate::step::schemes::scheme::{DensityKind, PressureScheme};
use crate::step::time_step::limits::StepBounds;
use crate::world::{
    Ballistic, Feature, Fluid, Refusal, SolverSettings, WholeNumber, World, WorldError,
};
use hashfall_core::kernel::KernelKind;
use hashfall_core::{Dimension, parallel};

/// Flight without pressure.
#[derive(Debug)]
pub struct BallisticScheme {
    settings: Ballistic,
}

impl BallisticScheme {
    /// With these settings.
    pub fn new(settings: &Ballistic) -> Self {
        BallisticScheme { settings: *settings }
    }
}

impl SolverSettings for Ballistic {
    fn name(&self) -> &'static str {
        "Ballistic"
    }

    fn validate(&self) -> Result<(), WorldError> {
        Ok(())
    }

    fn whole_numbers(&self) -> Vec<WholeNumber> {
        Vec::new()
    }

    fn refuses_kernel(&self, kernel: KernelKind) -> Option<Refusal> {
        (kernel == KernelKind::Mueller).then_some(Refusal {
            message: "`Ballistic` does not support the kernel `Mueller`",
            help: "leave it out, or solver: Wcsph()",
        })
    }

    fn refuses(&self, feature: Feature) -> Option<Refusal> {
        match feature {
            Feature::ImplicitViscosity => Some(Refusal {
                message: "the solver `Ballistic` has no viscosity",
                help: "viscosity_solver: Auto, or solver: Dfsph()",
            }),
            Feature::SurfaceTension | Feature::TensionInIndividualSteps => Some(Refusal {
                message: "the solver `Ballistic` has no surface tension",
                help: "solver: Dfsph() or Wcsph(), or leave the tension out",
            }),
            Feature::ContactAngles
            | Feature::NoSlip
            | Feature::Emitters
            | Feature::RandomPositions => None,
        }
    }

    fn has_interactions(&self) -> bool {
        false
    }

    fn courant(&self) -> f64 {
        self.courant
    }

    fn default_support(&self, _: Dimension, _: KernelKind) -> f64 {
        4.0
    }

    fn contact_radius(&self) -> f64 {
        1.0
    }

    fn has_pairwise_viscosity(&self) -> bool {
        true
    }

    fn is_incompressible(&self) -> bool {
        false
    }

    fn energy_keys(&self, _: bool) -> Vec<&'static str> {
        Vec::new()
    }
}

impl PressureScheme for BallisticScheme {
    fn settings(&self) -> &dyn SolverSettings {
        &self.settings
    }

    fn bounds(&self, _: &World, _: &[Fluid]) -> StepBounds {
        StepBounds {
            sound_speed: None,
            pressure_speed: 0.0,
            courant: self.settings.courant,
            viscosity: 0.0,
            acceleration: None,
            fixed: None,
        }
    }

    fn density_kind(&self) -> DensityKind {
        DensityKind::Constant
    }

    /// The accelerations by body forces.
    fn update_accelerations(&mut self, world: &mut World, _: &mut StageContext<'_>) {
        let body = world.body_field();
        let particles = &mut world.particles;
        let positions = &particles.position;
        parallel::fill(&mut particles.acceleration, |i, a| *a = body.at(&positions[i]));
    }
}
