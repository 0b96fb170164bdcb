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

use super::{Feature, ViscositySolver, WholeNumber, World, WorldError};
use hashfall_core::{Dimension, Real};
use ranges::out_of_range;
pub(crate) use ranges::{at_least_one, fraction, not_negative, positive, tait_exponent};

/// The most halvings of steps: levels are shifts of 32 bits.
const MAX_HALVINGS: u32 = 16;
/// The most fluids, and emitters: particles hold their numbers in a byte, 0 for none.
const MAX_COUNT: usize = 255;
/// The longest support radius, in spacings: a particle has a hundred thousand neighbours then.
const MAX_SUPPORT: Real = 32.0;
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
            if self.solver.settings().stiffness().is_some() {
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
        let settings = self.solver.settings();
        if settings.refuses_kernel(self.kernel).is_some() {
            return Err(WorldError::Kernel { scheme: settings.name(), kernel: self.kernel });
        }
        positive("courant", settings.courant())?;
        let halvings = f64::from(settings.halvings());
        if halvings > f64::from(MAX_HALVINGS) {
            return Err(out_of_range("individual_steps", halvings, "at most 16"));
        }
        for WholeNumber { key, value, .. } in settings.whole_numbers() {
            not_negative(key, value)?;
            if value.fract() != 0.0 {
                return Err(out_of_range(key, value, "a whole number"));
            }
        }
        settings.validate()
    }

    /// Checks that the scheme supports all that the world has.
    fn validate_combinations(&self) -> Result<(), WorldError> {
        let settings = self.solver.settings();
        let is_implicit = self.viscosity == ViscositySolver::Implicit;
        if is_implicit && settings.refuses(Feature::ImplicitViscosity).is_some() {
            let what = "implicit viscosity";
            return Err(WorldError::Unsupported { scheme: settings.name(), what });
        }
        if settings.halvings() == 0 {
            return Ok(());
        }
        let has_no_tension = settings.refuses(Feature::TensionInIndividualSteps).is_some();
        let has_tension = self.fluids.iter().any(|fluid| fluid.surface_tension > 0.0)
            || !self.interfaces.is_empty();
        let unsupported = [
            (has_no_tension && has_tension, "surface tension"),
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
