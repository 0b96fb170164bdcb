//! Checks of the solver `Multiphase` and of the keys that it restricts.

use super::checks::{Checks, brief};
use crate::model::{BodyMotion, MultiphaseModel, SolverModel, ViscosityModel};
use crate::problem::Problem;
use hashfall_core::kernel::KernelKind;
use hashfall_solid::{ContactLaw, Slip};
use hashfall_sph::world::Density;

impl Checks<'_> {
    pub(super) fn multiphase(&mut self, solver: MultiphaseModel) {
        if self.model.kernel != KernelKind::Mueller {
            let message = "the solver `Multiphase` needs a kernel each for density, pressure and \
                           viscosity";
            let help = "kernel: Mueller, with a `support_radius` of 6 to 10 particle radii";
            self.push(Problem::error("solver", message, help).also_at("kernel"));
        }
        if self.model.viscosity_solver == ViscosityModel::Implicit {
            let message = "the solver `Multiphase` has no implicit viscosity";
            let help = "viscosity_solver: Auto, or solver: Wcsph()";
            self.push(Problem::error("viscosity_solver", message, help).also_at("solver"));
        }
        if !self.model.emitters.is_empty() {
            let message = "the solver `Multiphase` does not support emitters: free fluid \
                           contracts back into the opening";
            let help = "no `emitters`, or solver: Wcsph()";
            self.push(Problem::error("emitters", message, help).also_at("solver"));
        }
        let exponent = solver.exponent;
        if self.is_sound("solver.exponent") && exponent.fract() != 0.0 {
            let message = format!("`exponent` is not a whole number: {exponent}");
            let help = "a whole number; 1.0 for the gas equation";
            self.push(Problem::error("solver.exponent", message, help));
        }
        if let Some(dt) = solver.time_step {
            if solver.individual_steps > 0.0 {
                let message =
                    "`individual_steps` go by the Courant condition, not by a `time_step`";
                let help = "leave one of them out";
                let problem = Problem::error("solver.individual_steps", message, help);
                self.push(problem.also_at("solver.time_step"));
            }
            if solver.wet_friction * dt > 1.0 {
                let message = format!(
                    "a `wet_friction` of {} 1/s reverses velocities in a step of {} s",
                    brief(solver.wet_friction),
                    brief(dt)
                );
                let help = format!("at most {} 1/s, or a shorter `time_step`", brief(1.0 / dt));
                let problem = Problem::error("solver.wet_friction", message, &help);
                self.push(problem.also_at("solver.time_step"));
            }
        }
        self.individual_steps(solver.individual_steps);
    }

    /// How many times steps may be halved, and whether all else goes with steps of one's own.
    pub(super) fn individual_steps(&mut self, count: f64) {
        let path = "solver.individual_steps";
        if !self.is_sound(path) || count == 0.0 {
            return;
        }
        if count.fract() != 0.0 {
            let message = format!("`individual_steps` is not a whole number: {count}");
            self.push(Problem::error(path, message, "a whole number, as 3.0"));
        }
        let model = self.model;
        let is_wcsph = matches!(model.solver, SolverModel::Wcsph(_));
        let flows = matches!(
            model.solver,
            SolverModel::Wcsph(wcsph) if wcsph.density() != Density::Summation
        );
        for (found, what, key) in [
            (flows, "densities that are sums", "solver"),
            (is_wcsph && model.has_tension(), "no tension", "fluids"),
            (
                is_wcsph && model.viscosity_solver != ViscosityModel::Explicit,
                "viscosity as a force",
                "viscosity_solver",
            ),
            (is_wcsph && !model.emitters.is_empty(), "no emitters", "emitters"),
            (
                model.solids.iter().any(|s| *s.motion() != BodyMotion::Still),
                "solids that rest",
                "solids",
            ),
        ] {
            if found {
                let message = format!("`individual_steps` need {what}");
                let help = "individual_steps: 0.0, or viscosity_solver: Explicit and none of these";
                self.push(Problem::error(path, message, help).also_at(key));
            }
        }
    }

    /// What surfaces do not do to fluid of `Multiphase`; the angle may be wrong by itself.
    pub(super) fn multiphase_contact(&mut self, path: &str, contact: &ContactLaw, is_angle: bool) {
        if !matches!(self.model.solver, SolverModel::Multiphase(_)) {
            return;
        }
        if is_angle && contact.contact_angle != ContactLaw::default().contact_angle {
            let message = "the solver `Multiphase` has no contact angles";
            let help = "leave it out, or solver: Wcsph()";
            let problem = Problem::error(format!("{path}.contact_angle"), message, help);
            self.push(problem.also_at("solver"));
        }
        if contact.slip == Slip::No {
            let message = "the solver `Multiphase` has no viscosity between fluid and solids";
            let help = "slip: Free, and solver: Multiphase(wet_friction: 10.0)";
            self.push(Problem::error(format!("{path}.slip"), message, help).also_at("solver"));
        }
    }

    /// The stiffness of fluid `i`.
    pub(super) fn stiffness(&mut self, i: usize) {
        let path = format!("fluids[{i}].stiffness");
        let is_sound = self.model.fluids[i].stiffness.is_some() && self.is_sound(&path);
        if is_sound && !matches!(self.model.solver, SolverModel::Multiphase(_)) {
            let message = "`stiffness` is for the solver `Multiphase` only";
            let help = "leave it out, or solver: Multiphase()";
            self.push(Problem::error(path, message, help).also_at("solver"));
        }
    }
}
