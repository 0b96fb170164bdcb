//! What a world must hold, to be stepped.
//!
//! Each check has its [`WorldError`]. Without them a wrong world would panic deep inside the step,
//! or be stepped without forces in silence, as a scheme does nothing with a kernel that it has no
//! equations for.

mod elastic;
mod emitters;
mod particles;
mod ranges;
mod surroundings;
#[cfg(test)]
mod tests;

use super::{Density, Solver, ViscositySolver, World, WorldError};
use hashfall_core::{Dimension, Real};
use ranges::{at_least_one, fraction, not_negative, out_of_range, positive};

/// The most halvings of steps: levels are shifts of 32 bits.
const MAX_HALVINGS: u32 = 16;
/// The most fluids, and emitters: particles hold their numbers in a byte, 0 for none.
const MAX_COUNT: usize = 255;
/// The longest support radius, in spacings: a particle has a hundred thousand neighbours then.
const MAX_SUPPORT: Real = 32.0;
/// The largest exponent of Tait's equation; that of water is 7.
const MAX_EXPONENT: u32 = 100;
/// Up to so many steps are whole numbers of records.
const MAX_STEPS: u64 = 1 << 53;

impl World {
    /// Checks that the world can be stepped. [`Stepper::new`](crate::step::Stepper::new) does so.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn validate(&self) -> Result<(), WorldError> {
        self.validate_settings()?;
        self.validate_contact_laws()?;
        self.validate_shapes()?;
        self.validate_nodes()?;
        self.validate_particles()
    }

    /// Checks all but particles, elastic nodes and shapes, which takes no time.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub(crate) fn validate_settings(&self) -> Result<(), WorldError> {
        self.validate_lengths()?;
        self.validate_domain()?;
        self.validate_fluids()?;
        self.validate_scheme()?;
        self.validate_combinations()?;
        self.validate_forces()?;
        self.validate_emitters()?;
        self.validate_elastic()?;
        self.validate_free_bodies()?;
        self.validate_contact()
    }

    fn validate_lengths(&self) -> Result<(), WorldError> {
        positive("particle_radius", f64::from(self.particle_radius))?;
        positive("support_radius", f64::from(self.support_radius))?;
        let (support_radius, spacing) = (self.support_radius, self.spacing());
        if support_radius < spacing {
            return Err(WorldError::SupportRadius { support_radius, spacing });
        }
        if support_radius > MAX_SUPPORT * spacing {
            let range = "at most 32 spacings";
            return Err(out_of_range("support_radius", support_radius.into(), range));
        }
        not_negative("time", self.time)?;
        match self.steps < MAX_STEPS {
            true => Ok(()),
            false => Err(out_of_range("steps", self.steps as f64, "below 2^53")),
        }
    }

    fn validate_domain(&self) -> Result<(), WorldError> {
        let extent = self.solids.domain.extent();
        for axis in 0..3 {
            let length = extent[axis];
            if axis == 1 && self.dimension == Dimension::Two {
                // The plane y = 0 has no extent across.
                continue;
            }
            if !length.is_finite() || length <= 0.0 {
                return Err(WorldError::Domain { axis });
            }
            if self.periodic[axis] && length <= self.support_radius {
                return Err(WorldError::PeriodicAxis { axis, length });
            }
        }
        Ok(())
    }

    fn validate_fluids(&self) -> Result<(), WorldError> {
        if self.fluids.is_empty() && self.elastic.is_none() {
            return Err(WorldError::NoFluid);
        }
        let (fluids, emitters) = (self.fluids.len(), self.open_boundaries.emitters.len());
        for (things, count) in [("fluids", fluids), ("emitters", emitters)] {
            if count > MAX_COUNT {
                return Err(WorldError::TooMany { things, count });
            }
        }
        for (k, fluid) in self.fluids.iter().enumerate() {
            let name = |field: &str| format!("fluids[{k}].{field}");
            positive(&name("rest_density"), f64::from(fluid.rest_density))?;
            not_negative(&name("viscosity"), f64::from(fluid.viscosity))?;
            not_negative(&name("surface_tension"), f64::from(fluid.surface_tension))?;
            if matches!(self.solver, Solver::Multiphase(_)) {
                not_negative(&name("stiffness"), f64::from(fluid.stiffness))?;
            }
        }
        for (k, interface) in self.interfaces.iter().enumerate() {
            let [a, b] = interface.fluids.map(usize::from);
            if a == b || a.max(b) >= self.fluids.len() {
                return Err(WorldError::Interface { interface: k });
            }
            positive(&format!("interfaces[{k}].tension"), f64::from(interface.tension))?;
        }
        Ok(())
    }

    fn validate_scheme(&self) -> Result<(), WorldError> {
        if !self.solver.takes(self.kernel) {
            return Err(WorldError::Kernel { scheme: self.solver.name(), kernel: self.kernel });
        }
        positive("courant", self.solver.courant())?;
        let halvings = f64::from(self.solver.halvings());
        if halvings > f64::from(MAX_HALVINGS) {
            return Err(out_of_range("individual_steps", halvings, "at most 16"));
        }
        match &self.solver {
            Solver::Dfsph(dfsph) => {
                positive("max_density_error", dfsph.max_density_error)?;
                positive("max_divergence_error", dfsph.max_divergence_error)?;
                at_least_one("max_iterations", dfsph.max_iterations)?;
                not_negative("artificial_viscosity", dfsph.artificial_viscosity)
            }
            Solver::Wcsph(wcsph) => {
                positive("sound_speed", wcsph.sound_speed)?;
                exponent(wcsph.exponent)?;
                not_negative("artificial_viscosity", wcsph.artificial_viscosity)?;
                not_negative("shifting", wcsph.shifting)?;
                not_negative("background_pressure", wcsph.background_pressure)?;
                not_negative("interface_sharpening", wcsph.interface_sharpening)?;
                match wcsph.density {
                    Density::Summation => Ok(()),
                    Density::Continuity { diffusion } => fraction("diffusion", diffusion),
                }
            }
            Solver::Multiphase(multiphase) => {
                exponent(multiphase.exponent)?;
                not_negative("wet_friction", multiphase.wet_friction)?;
                multiphase.time_step.map_or(Ok(()), |dt| positive("time_step", dt))
            }
            Solver::Ballistic(_) => Ok(()),
        }
    }

    /// Checks that the scheme supports all that the world has.
    fn validate_combinations(&self) -> Result<(), WorldError> {
        let is_implicit = self.viscosity == ViscositySolver::Implicit;
        if matches!(self.solver, Solver::Multiphase(_)) && is_implicit {
            let what = "implicit viscosity";
            return Err(WorldError::Unsupported { scheme: "Multiphase", what });
        }
        if self.solver.halvings() == 0 {
            return Ok(());
        }
        let has_flowing_density =
            matches!(&self.solver, Solver::Wcsph(wcsph) if wcsph.density != Density::Summation);
        let is_wcsph = matches!(self.solver, Solver::Wcsph(_));
        let has_tension = self.fluids.iter().any(|fluid| fluid.surface_tension > 0.0)
            || !self.interfaces.is_empty();
        let unsupported = [
            (has_flowing_density, "densities by continuity"),
            (is_wcsph && has_tension, "surface tension"),
            (is_implicit, "implicit viscosity"),
            (!self.open_boundaries.emitters.is_empty(), "emitters"),
            (self.solids.has_moving_bodies(), "solids that move"),
        ];
        match unsupported.into_iter().find(|(is_there, _)| *is_there) {
            Some((_, what)) => Err(WorldError::Unsupported { scheme: "individual_steps", what }),
            None => Ok(()),
        }
    }
}

/// Powers are products, factor by factor.
fn exponent(exponent: u32) -> Result<(), WorldError> {
    match (1..=MAX_EXPONENT).contains(&exponent) {
        true => Ok(()),
        false => Err(out_of_range("exponent", exponent.into(), "from 1 to 100")),
    }
}
