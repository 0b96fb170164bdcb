//! Warnings about properties of fluids that are probably given in another unit.

use crate::model::Model;
use crate::problem::Problem;
use hashfall_core::format_significant;
use hashfall_sph::world::KeyProblem;

/// Surface tension of metals that melt above 1000 °C, at the most \[N/m\].
const HIGHEST_TENSION: f64 = 3.0;
/// Surface tension of liquids lighter than this, beyond doubt: water has 0.073, models of low
/// resolution take up to 0.6 \[N/m\], \[kg/m³\].
const LIGHT: (f64, f64) = (1.0, 2000.0);
/// Rest densities of water, fresh to salt \[kg/m³\].
const WATER: std::ops::RangeInclusive<f64> = 950.0..=1050.0;
/// The dynamic viscosity of water between 0 and 60 °C as a number \[Pa s\].
const DYNAMIC: std::ops::RangeInclusive<f64> = 4.5e-4..=1.8e-3;

/// What goes wrong where surfaces pull, by the keys of the solver.
fn tension_by_solver(model: &Model) -> Option<Problem> {
    let problem = model.solver.settings().tension_problem().filter(|_| model.has_free_tension());
    problem.map(|KeyProblem { key, also_at, message, help }| {
        Problem::warning(format!("solver.{key}"), message, &help).also_at(also_at)
    })
}

/// Warnings of surface tensions in mN/m, and of dynamic viscosities of water.
pub fn fluid_lints(model: &Model) -> Vec<Problem> {
    let mut warnings = Vec::new();
    let has_weight = model.gravity.iter().any(|g| *g != 0.0);
    for (i, fluid) in model.fluids.iter().enumerate() {
        let sigma = fluid.surface_tension;
        if sigma > HIGHEST_TENSION || (sigma > LIGHT.0 && fluid.rest_density < LIGHT.1) {
            let message = format!(
                "a surface tension of {} N/m: water has 0.073 N/m",
                format_significant(sigma, 4)
            );
            let help = format!("is it in mN/m? {} N/m", format_significant(1e-3 * sigma, 4));
            warnings.push(Problem::warning(format!("fluids[{i}].surface_tension"), message, &help));
        }
        // Set-ups without gravity choose the viscosity by a Reynolds number.
        let is_water = has_weight && fluid.name.to_lowercase().contains("water");
        if is_water && WATER.contains(&fluid.rest_density) && DYNAMIC.contains(&fluid.viscosity) {
            let message = format!(
                "a viscosity of {} m²/s: that of water is about 1e-6 m²/s",
                format_significant(fluid.viscosity, 4)
            );
            let kinematic = fluid.viscosity / fluid.rest_density;
            let help = format!(
                "is it the dynamic viscosity in Pa s? The kinematic one is that over the density: \
                 {}",
                format_significant(kinematic, 4)
            );
            warnings.push(Problem::warning(format!("fluids[{i}].viscosity"), message, &help));
        }
    }
    warnings.extend(tension_by_solver(model));
    warnings
}
