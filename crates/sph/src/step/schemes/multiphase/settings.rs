//! What [`Multiphase`] tells about the model of averaged forces.

use crate::world::{
    Feature, KeyProblem, Multiphase, Refusal, SolverSettings, WholeNumber, WorldError,
    not_negative, positive, tait_exponent,
};
use hashfall_core::kernel::KernelKind;
use hashfall_core::{Dimension, format_significant};

impl SolverSettings for Multiphase {
    fn name(&self) -> &'static str {
        "Multiphase"
    }

    fn validate(&self) -> Result<(), WorldError> {
        not_negative("stiffness", self.stiffness)?;
        tait_exponent(self.exponent)?;
        not_negative("wet_friction", self.wet_friction)?;
        self.time_step.map_or(Ok(()), |dt| positive("time_step", dt))
    }

    fn whole_numbers(&self) -> Vec<WholeNumber> {
        let gas = "a whole number; 1.0 for the gas equation";
        vec![
            WholeNumber { key: "exponent", value: self.exponent, help: gas },
            WholeNumber::individual_steps(self.individual_steps),
        ]
    }

    fn key_conflicts(&self) -> Vec<KeyProblem> {
        let Some(dt) = self.time_step else { return Vec::new() };
        let also_at = "solver.time_step";
        let halves = (self.individual_steps > 0.0).then(|| KeyProblem {
            key: "individual_steps",
            also_at,
            message: "`individual_steps` go by the Courant condition, not by a `time_step`".into(),
            help: "leave one of them out".into(),
        });
        let brief = |x| format_significant(x, 6);
        let reverses = (self.wet_friction * dt > 1.0).then(|| KeyProblem {
            key: "wet_friction",
            also_at,
            message: format!(
                "a `wet_friction` of {} 1/s reverses velocities in a step of {} s",
                brief(self.wet_friction),
                brief(dt)
            ),
            help: format!("at most {} 1/s, or a shorter `time_step`", brief(1.0 / dt)),
        });
        halves.into_iter().chain(reverses).collect()
    }

    fn refuses_kernel(&self, kernel: KernelKind) -> Option<Refusal> {
        (kernel != KernelKind::Mueller).then_some(Refusal {
            message: "the solver `Multiphase` needs a kernel each for density, pressure and \
                      viscosity",
            help: "kernel: Mueller, with a `support_radius` of 6 to 10 particle radii",
        })
    }

    fn refuses(&self, feature: Feature) -> Option<Refusal> {
        let (message, help) = match feature {
            Feature::ImplicitViscosity => (
                "the solver `Multiphase` has no implicit viscosity",
                "viscosity_solver: Auto, or solver: Wcsph()",
            ),
            Feature::ContactAngles => (
                "the solver `Multiphase` has no contact angles",
                "leave it out, or solver: Wcsph()",
            ),
            Feature::NoSlip => (
                "the solver `Multiphase` has no viscosity between fluid and solids",
                "slip: Free, and solver: Multiphase(wet_friction: 10.0)",
            ),
            Feature::Emitters => (
                "the solver `Multiphase` does not support emitters: free fluid contracts back into \
                 the opening",
                "no `emitters`, or solver: Wcsph()",
            ),
            Feature::RandomPositions => return Some(Refusal::RANDOM_POSITIONS),
            Feature::SurfaceTension | Feature::TensionInIndividualSteps => return None,
        };
        Some(Refusal { message, help })
    }

    fn has_interactions(&self) -> bool {
        true
    }

    fn courant(&self) -> f64 {
        self.courant
    }

    fn halvings(&self) -> u32 {
        self.individual_steps as u32
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

    fn stiffness(&self) -> Option<f64> {
        Some(self.stiffness)
    }

    /// Averaged forces do not derive from an energy.
    fn energy_errors(&self) -> f64 {
        10.0
    }

    fn energy_keys(&self, _: bool) -> Vec<&'static str> {
        Vec::new()
    }
}
