//! Checks of the solver: its numbers, and what it does not have.

use super::checks::Checks;
use crate::model::{BodyMotion, ViscosityModel};
use crate::problem::Problem;
use hashfall_core::kernel::KernelKind;
use hashfall_solid::{ContactLaw, Slip};
use hashfall_sph::world::{Feature, KeyProblem, Refusal, WholeNumber};

impl Checks<'_> {
    pub(super) fn solver(&mut self) {
        let model = self.model;
        self.kernel();
        if model.viscosity_solver == ViscosityModel::Implicit {
            self.needs(Feature::ImplicitViscosity, "viscosity_solver");
        }
        if !model.emitters.is_empty() {
            self.needs(Feature::Emitters, "emitters");
        }
        self.whole_numbers();
        for KeyProblem { key, also_at, message, help } in model.solver.settings().key_conflicts() {
            let path = format!("solver.{key}");
            if self.is_sound(&path) {
                self.push(Problem::error(path, message, &help).also_at(also_at));
            }
        }
        self.individual_steps();
    }

    /// Refuses what needs a feature that the solver does not have.
    pub(super) fn needs(&mut self, feature: Feature, path: &str) {
        if let Some(Refusal { message, help }) = self.model.solver.settings().refuses(feature) {
            self.push(Problem::error(path, message, help).also_at("solver"));
        }
    }

    /// A scene that names no kernel chose its solver only.
    fn kernel(&mut self) {
        let kernel = self.model.kernel;
        let is_default = kernel == KernelKind::default();
        let [path, other] = if is_default { ["solver", "kernel"] } else { ["kernel", "solver"] };
        let refusal = self.model.solver.settings().refuses_kernel(kernel);
        if let Some(Refusal { message, help }) = refusal {
            self.push(Problem::error(path, message, help).also_at(other));
        }
    }

    fn whole_numbers(&mut self) {
        for WholeNumber { key, value, help } in self.model.solver.settings().whole_numbers() {
            let path = format!("solver.{key}");
            if self.is_sound(&path) && value.fract() != 0.0 {
                let message = format!("`{key}` is not a whole number: {value}");
                self.push(Problem::error(path, message, help));
            }
        }
    }

    /// What does not go with steps of single particles.
    fn individual_steps(&mut self) {
        let (model, path) = (self.model, "solver.individual_steps");
        let settings = model.solver.settings();
        if !self.is_sound(path) || settings.halvings() == 0 {
            return;
        }
        let has = |feature| settings.refuses(feature).is_none();
        let moves = model.solids.iter().any(|solid| *solid.motion() != BodyMotion::Still);
        for (found, what, key) in [
            (
                model.has_tension() && !has(Feature::TensionInIndividualSteps),
                "no tension",
                "fluids",
            ),
            (
                model.viscosity_solver != ViscosityModel::Explicit
                    && has(Feature::ImplicitViscosity),
                "viscosity as a force",
                "viscosity_solver",
            ),
            (!model.emitters.is_empty() && has(Feature::Emitters), "no emitters", "emitters"),
            (moves, "solids that rest", "solids"),
        ] {
            if found {
                let message = format!("`individual_steps` need {what}");
                let help = "individual_steps: 0.0, or viscosity_solver: Explicit and none of these";
                self.push(Problem::error(path, message, help).also_at(key));
            }
        }
    }

    /// What surfaces do not do to fluid of this solver; the angle may be wrong by itself.
    pub(super) fn solver_contact(&mut self, path: &str, contact: &ContactLaw, is_angle: bool) {
        if is_angle && contact.contact_angle != ContactLaw::default().contact_angle {
            self.needs(Feature::ContactAngles, &format!("{path}.contact_angle"));
        }
        if contact.slip == Slip::No {
            self.needs(Feature::NoSlip, &format!("{path}.slip"));
        }
    }

    /// The stiffness of fluid `i`.
    pub(super) fn stiffness(&mut self, i: usize) {
        let path = format!("fluids[{i}].stiffness");
        let is_sound = self.model.fluids[i].stiffness.is_some() && self.is_sound(&path);
        if is_sound && self.model.solver.settings().stiffness().is_none() {
            let message = "`stiffness` is for the solver `Multiphase` only";
            let help = "leave it out, or solver: Multiphase()";
            self.push(Problem::error(path, message, help).also_at("solver"));
        }
    }
}
