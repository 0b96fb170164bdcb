//! The numbers of the solvers, with defaults that depend on the scene.

use super::expected_speed::sound_speed;
use crate::layout::filled_shape::FilledShape;
use crate::model::{FluidModel, Model, ViscosityModel};
use crate::problem::Problem;
use hashfall_sph::step::longest_step_by_force;
use hashfall_sph::world::{Feature, Solver, ViscositySolver, World};

/// The solver with all its numbers, among bodies of this speed \[m/s\].
pub fn solver(
    model: &Model,
    filled_shapes: &[FilledShape],
    fastest: f64,
) -> Result<Solver, Problem> {
    let mut solver = model.solver;
    let is_needed = solver.settings().needs_sound_speed();
    let chosen = is_needed.then(|| sound_speed(model, filled_shapes, fastest)).transpose()?;
    solver.settings_mut().complete(chosen);
    Ok(solver)
}

/// The stiffness of a fluid \[m²/s²\]; 0 where the solver asks for none.
pub fn stiffness(model: &Model, fluid: &FluidModel) -> f64 {
    let usual = model.solver.settings().stiffness();
    usual.map_or(0.0, |usual| fluid.stiffness.unwrap_or(usual))
}

/// Implicit, unless told otherwise, where as a force viscosity would bind the time step more than
/// the largest speed to expect, or sound, does.
pub fn viscosity_solver(model: &Model, solver: &Solver, speed: f64) -> ViscositySolver {
    if solver.settings().refuses(Feature::ImplicitViscosity).is_some() {
        return ViscositySolver::Explicit;
    }
    let signal = signal(solver, speed);
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

/// The same of a world with its bodies: implicit as well where one that fluid sticks to is so light
/// that the force would bind the step.
pub fn viscosity_solver_with_bodies(model: &Model, world: &World, speed: f64) -> ViscositySolver {
    let can_be_implicit = world.solver.settings().refuses(Feature::ImplicitViscosity).is_none();
    let is_open = model.viscosity_solver == ViscosityModel::Auto && can_be_implicit;
    let longest = 2.0 * model.particle_radius() / signal(&world.solver, speed);
    if is_open && longest_step_by_force(world) < longest {
        return ViscositySolver::Implicit;
    }
    world.viscosity
}

/// The largest speed to expect, or of sound, over the Courant number \[m/s\].
fn signal(solver: &Solver, speed: f64) -> f64 {
    let settings = solver.settings();
    settings.tait().map_or(speed, |tait| tait.sound_speed) / settings.courant()
}
