//! The numbers of the solvers, with defaults that depend on the scene.

use super::expected_speed::sound_speed;
use crate::layout::filled_shape::FilledShape;
use crate::model::{FluidModel, Model, SolverModel, ViscosityModel};
use crate::problem::Problem;
use hashfall_sph::world::{Ballistic, Dfsph, Multiphase, Solver, ViscositySolver, Wcsph};

/// The solver with all its numbers, among bodies of this speed \[m/s\].
pub fn solver(
    model: &Model,
    filled_shapes: &[FilledShape],
    fastest: f64,
) -> Result<Solver, Problem> {
    Ok(match model.solver {
        SolverModel::Dfsph(dfsph) => Solver::Dfsph(Dfsph {
            max_density_error: dfsph.max_density_error,
            max_divergence_error: dfsph.max_divergence_error,
            max_iterations: dfsph.max_iterations as u32,
            artificial_viscosity: dfsph.artificial_viscosity,
            courant: dfsph.courant,
        }),
        SolverModel::Wcsph(wcsph) => Solver::Wcsph(Wcsph {
            sound_speed: wcsph
                .sound_speed
                .map_or_else(|| sound_speed(model, filled_shapes, fastest), Ok)?,
            exponent: wcsph.exponent as u32,
            artificial_viscosity: wcsph.artificial_viscosity(),
            courant: wcsph.courant(),
            density: wcsph.density(),
            shifting: wcsph.shifting,
            background_pressure: wcsph.background_pressure,
            interface_sharpening: wcsph.interface_sharpening,
            individual_steps: wcsph.individual_steps as u32,
        }),
        SolverModel::Multiphase(multiphase) => Solver::Multiphase(Multiphase {
            exponent: multiphase.exponent as u32,
            wet_friction: multiphase.wet_friction,
            courant: multiphase.courant,
            time_step: multiphase.time_step,
            individual_steps: multiphase.individual_steps as u32,
        }),
        SolverModel::Ballistic(ballistic) => {
            Solver::Ballistic(Ballistic { courant: ballistic.courant })
        }
    })
}

/// The stiffness of a fluid \[m²/s²\]; 0 where the solver asks for none.
pub fn stiffness(model: &Model, fluid: &FluidModel) -> f64 {
    match model.solver {
        SolverModel::Multiphase(solver) => fluid.stiffness.unwrap_or(solver.stiffness),
        SolverModel::Dfsph(_) | SolverModel::Wcsph(_) | SolverModel::Ballistic(_) => 0.0,
    }
}

/// Implicit, unless told otherwise, where as a force viscosity would bind the time step more than
/// the largest speed to expect, or sound, does.
pub fn viscosity_solver(model: &Model, solver: &Solver, speed: f64) -> ViscositySolver {
    let signal = match solver {
        Solver::Multiphase(_) | Solver::Ballistic(_) => return ViscositySolver::Explicit,
        Solver::Dfsph(dfsph) => speed / dfsph.courant,
        Solver::Wcsph(wcsph) => wcsph.sound_speed / wcsph.courant,
    };
    let most = model.fluids.iter().map(|fluid| fluid.viscosity).fold(0.0, f64::max);
    match model.viscosity_solver {
        ViscosityModel::Explicit => ViscositySolver::Explicit,
        ViscosityModel::Implicit => ViscositySolver::Implicit,
        // ⅛ d²/ν, the longest step with the force, against C d/v.
        ViscosityModel::Auto if 8.0 * most > 2.0 * model.particle_radius() * signal => {
            ViscositySolver::Implicit
        }
        ViscosityModel::Auto => ViscositySolver::Explicit,
    }
}
