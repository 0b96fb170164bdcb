//! Checks of the solver's parameters.

use super::checks::Checks;
use crate::model::{BallisticModel, DfsphModel, SolverModel, ViscosityModel, WcsphModel};
use crate::problem::Problem;
use hashfall_core::kernel::KernelKind;
use hashfall_sph::world::Density;

impl Checks<'_> {
    pub(super) fn solver(&mut self) {
        match self.model.solver {
            SolverModel::Dfsph(dfsph) => self.dfsph(dfsph),
            SolverModel::Wcsph(wcsph) => self.wcsph(wcsph),
            SolverModel::Multiphase(multiphase) => self.multiphase(multiphase),
            SolverModel::Ballistic(ballistic) => self.ballistic(ballistic),
        }
    }

    pub(super) fn dfsph(&mut self, dfsph: DfsphModel) {
        if self.model.kernel == KernelKind::Mueller {
            let message = "the kernel `Mueller` is not for `Dfsph`: what holds the density there \
                           needs the slope of the kernel that sums it";
            let help = "kernel: CubicSpline or WendlandC2, or solver: Wcsph()";
            self.push(Problem::error("kernel", message, help).and("solver"));
        }
        self.within("solver.max_density_error", dfsph.max_density_error, 1e-6..=0.1, "");
        self.within("solver.max_divergence_error", dfsph.max_divergence_error, 1e-6..=0.1, "");
        let count = dfsph.max_iterations;
        if self.within("solver.max_iterations", count, 1.0..=1e5, "") && count.fract() != 0.0 {
            let message = format!("`max_iterations` is not a whole number: {count}");
            self.push(Problem::error("solver.max_iterations", message, "a whole number, as 200.0"));
        }
        self.within("solver.artificial_viscosity", dfsph.artificial_viscosity, 0.0..=10.0, "");
        self.within("solver.courant", dfsph.courant, 1e-3..=1.0, "");
    }

    pub(super) fn wcsph(&mut self, wcsph: WcsphModel) {
        if let Some(c) = wcsph.sound_speed {
            self.within("solver.sound_speed", c, 1e-3..=1e5, "m/s");
        }
        let exponent = wcsph.exponent;
        if self.within("solver.exponent", exponent, 1.0..=10.0, "") && exponent.fract() != 0.0 {
            let message = format!("`exponent` is not a whole number: {exponent}");
            self.push(Problem::error("solver.exponent", message, "a whole number; 7.0 for water"));
        }
        self.within("solver.artificial_viscosity", wcsph.artificial_viscosity, 0.0..=10.0, "");
        self.within("solver.courant", wcsph.courant, 1e-3..=1.0, "");
        self.within("solver.shifting", wcsph.shifting, 0.0..=10.0, "");
        let pressure = wcsph.background_pressure;
        self.within("solver.background_pressure", pressure, 0.0..=1e9, "Pa");
        self.within("solver.interface_sharpening", wcsph.interface_sharpening, 0.0..=1.0, "");
        self.individual_steps(wcsph.individual_steps);
        if let Density::Continuity { diffusion } = wcsph.density {
            self.within("solver.density.diffusion", diffusion, 0.0..=1.0, "");
        }
    }

    /// Particles that do not feel each other have no kernel of their own, and no viscosity.
    pub(super) fn ballistic(&mut self, ballistic: BallisticModel) {
        if self.model.kernel == KernelKind::Mueller {
            let message = "the kernel `Mueller` is not for `Ballistic`: its particles do not feel \
                           each other";
            let help = "leave it out, or solver: Wcsph()";
            self.push(Problem::error("kernel", message, help).and("solver"));
        }
        if self.model.viscosity_solver == ViscosityModel::Implicit {
            let message = "there is no viscosity in the solver `Ballistic`";
            let help = "viscosity_solver: Auto, or solver: Dfsph()";
            self.push(Problem::error("viscosity_solver", message, help).and("solver"));
        }
        self.within("solver.courant", ballistic.courant, 1e-3..=1.0, "");
    }
}
