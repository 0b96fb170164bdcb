//! Checks of the solver's parameters.

use super::checks::Checks;
use crate::model::{DfsphModel, SolverModel, ViscosityModel, WcsphModel};
use crate::problem::Problem;
use hashfall_core::kernel::KernelKind;

impl Checks<'_> {
    pub(super) fn solver(&mut self) {
        match self.model.solver {
            SolverModel::Dfsph(dfsph) => self.dfsph(dfsph),
            SolverModel::Wcsph(wcsph) => self.wcsph(wcsph),
            SolverModel::Multiphase(multiphase) => self.multiphase(multiphase),
            SolverModel::Ballistic(_) => self.ballistic(),
        }
    }

    pub(super) fn dfsph(&mut self, dfsph: DfsphModel) {
        if self.model.kernel == KernelKind::Mueller {
            let message = "`Dfsph` does not support the kernel `Mueller`, whose density and \
                           pressure use different functions";
            let help = "kernel: CubicSpline or WendlandC2, or solver: Wcsph()";
            self.push(Problem::error("kernel", message, help).also_at("solver"));
        }
        let count = dfsph.max_iterations;
        if self.is_sound("solver.max_iterations") && count.fract() != 0.0 {
            let message = format!("`max_iterations` is not a whole number: {count}");
            self.push(Problem::error("solver.max_iterations", message, "a whole number, as 200.0"));
        }
    }

    pub(super) fn wcsph(&mut self, wcsph: WcsphModel) {
        let exponent = wcsph.exponent;
        if self.is_sound("solver.exponent") && exponent.fract() != 0.0 {
            let message = format!("`exponent` is not a whole number: {exponent}");
            self.push(Problem::error("solver.exponent", message, "a whole number; 7.0 for water"));
        }
        self.individual_steps(wcsph.individual_steps);
    }

    /// Particles that do not feel each other have no kernel of their own, and no viscosity.
    pub(super) fn ballistic(&mut self) {
        if self.model.kernel == KernelKind::Mueller {
            let message = "`Ballistic` does not support the kernel `Mueller`";
            let help = "leave it out, or solver: Wcsph()";
            self.push(Problem::error("kernel", message, help).also_at("solver"));
        }
        if self.model.viscosity_solver == ViscosityModel::Implicit {
            let message = "the solver `Ballistic` has no viscosity";
            let help = "viscosity_solver: Auto, or solver: Dfsph()";
            self.push(Problem::error("viscosity_solver", message, help).also_at("solver"));
        }
    }
}
