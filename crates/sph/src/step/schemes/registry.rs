//! The list of pressure schemes: a line in each function. No other file chooses by solver.

use crate::step::schemes::ballistic::BallisticScheme;
use crate::step::schemes::dfsph::DfsphScheme;
use crate::step::schemes::multiphase::MultiphaseScheme;
use crate::step::schemes::scheme::PressureScheme;
use crate::step::schemes::wcsph::WcsphScheme;
use crate::world::{Solver, SolverSettings};
use hashfall_core::simd::Isa;

/// The scheme that a world's settings ask for.
pub fn new_scheme(settings: &Solver, isa: Isa) -> Box<dyn PressureScheme> {
    match settings {
        Solver::Dfsph(settings) => Box::new(DfsphScheme::new(settings, isa)),
        Solver::Wcsph(settings) => Box::new(WcsphScheme::new(settings, isa)),
        Solver::Multiphase(settings) => Box::new(MultiphaseScheme::new(settings, isa)),
        Solver::Ballistic(settings) => Box::new(BallisticScheme::new(settings)),
    }
}

impl Solver {
    /// What the scheme tells about itself.
    pub fn settings(&self) -> &dyn SolverSettings {
        match self {
            Solver::Dfsph(settings) => settings,
            Solver::Wcsph(settings) => settings,
            Solver::Multiphase(settings) => settings,
            Solver::Ballistic(settings) => settings,
        }
    }

    /// As [`Solver::settings`], to be completed.
    pub fn settings_mut(&mut self) -> &mut dyn SolverSettings {
        match self {
            Solver::Dfsph(settings) => settings,
            Solver::Wcsph(settings) => settings,
            Solver::Multiphase(settings) => settings,
            Solver::Ballistic(settings) => settings,
        }
    }
}
