//! What a world must hold, to be stepped.
//!
//! Each check has its [`WorldError`]. Without them a wrong world would panic deep inside the step,
//! or be stepped without forces in silence, as a scheme does nothing with a kernel that it has no
//! equations for.

use super::{Elastic, Feature, ViscositySolver, WholeNumber, World, WorldError};
use hashfall_core::{Dimension, Vec3};

/// The most halvings of steps: levels are shifts of 32 bits.
const MAX_HALVINGS: u32 = 16;
/// The most fluids, and emitters: particles hold their numbers in a byte, 0 for none.
const MAX_COUNT: usize = 255;

impl World {
    /// Checks that the world can be stepped. [`Stepper::new`](crate::step::Stepper::new) does so.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn validate(&self) -> Result<(), WorldError> {
        self.validate_lengths()?;
        self.validate_domain()?;
        self.validate_fluids()?;
        self.validate_scheme()?;
        self.validate_combinations()?;
        self.validate_emitters()?;
        self.validate_elastic()?;
        self.validate_free_bodies()?;
        self.validate_contact()?;
        self.validate_particles()
    }

    fn validate_elastic(&self) -> Result<(), WorldError> {
        let Some(Elastic { system, state, .. }) = &self.elastic else { return Ok(()) };
        let counts = [state.position.len(), state.velocity.len()];
        let problems = [
            (self.dimension == Dimension::Two, "are for three dimensions"),
            (self.is_periodic(), "do not go across periodic sides"),
            (self.solver.settings().halvings() > 0, "are not supported beside individual steps"),
            (counts != [system.node_count(); 2], "have another number of nodes than their state"),
            (
                system.tied_bodies() > self.solids.body_states().len(),
                "are tied to a solid that does not move",
            ),
        ];
        match problems.into_iter().find(|(is_there, _)| *is_there) {
            Some((_, problem)) => Err(WorldError::Elastic { problem }),
            None => Ok(()),
        }
    }

    fn validate_lengths(&self) -> Result<(), WorldError> {
        positive("particle_radius", f64::from(self.particle_radius))?;
        positive("support_radius", f64::from(self.support_radius))?;
        let (support_radius, spacing) = (self.support_radius, self.spacing());
        if support_radius < spacing {
            return Err(WorldError::SupportRadius { support_radius, spacing });
        }
        not_negative("time", self.time)?;
        self.gravity.iter().try_for_each(|&a| finite("gravity", f64::from(a)))
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

    fn validate_emitters(&self) -> Result<(), WorldError> {
        let (emitters, account) = (&self.open_boundaries.emitters, &self.open_boundaries.budget);
        for (k, emitter) in emitters.iter().enumerate() {
            let problem = if usize::from(emitter.phase) >= self.fluids.len() {
                "a fluid that is not there"
            } else if emitter.places.is_empty() {
                "no place for a particle"
            } else if !emitter.speed_across().is_finite() || emitter.speed_across() <= 0.0 {
                "no speed out of its opening"
            } else {
                continue;
            };
            return Err(WorldError::Emitter { emitter: k, problem });
        }
        let counts = [account.emitted.len(), account.removed.len()];
        let is_of_fluids = counts.iter().all(|&count| count == self.fluids.len());
        let is_of_emitters = account.emitters.len() == emitters.len();
        let is_needed = self.open_boundaries.is_open();
        if is_needed && !(is_of_fluids && is_of_emitters) {
            return Err(WorldError::Account);
        }
        Ok(())
    }

    fn validate_particles(&self) -> Result<(), WorldError> {
        let p = &self.particles;
        let count = p.len();
        for (array, length) in [
            ("velocity", p.velocity.len()),
            ("acceleration", p.acceleration.len()),
            ("density", p.density.len()),
            ("fluid_fraction", p.fluid_fraction.len()),
            ("pressure", p.pressure.len()),
            ("id", p.id.len()),
            ("phase", p.phase.len()),
            ("birth", p.birth.len()),
            ("in_nozzle", p.in_nozzle.len()),
        ] {
            if length != count {
                return Err(WorldError::ArrayLength { array, length, count });
            }
        }
        let (fluids, emitters) = (self.fluids.len(), self.open_boundaries.emitters.len());
        for (i, &particle) in p.id.iter().enumerate() {
            let is_finite = |v: &Vec3| v.iter().all(|c| c.is_finite());
            let quantities = [(&p.position[i], "position"), (&p.velocity[i], "velocity")];
            if let Some((_, quantity)) = quantities.into_iter().find(|(v, _)| !is_finite(v)) {
                return Err(WorldError::NotFinite { particle, quantity });
            }
            let phase = p.phase[i];
            if usize::from(phase) >= fluids {
                return Err(WorldError::Phase { particle, phase, fluids });
            }
            if usize::from(p.in_nozzle[i]) > emitters {
                let emitter = usize::from(p.in_nozzle[i]) - 1;
                return Err(WorldError::Nozzle { particle, emitter, emitters });
            }
        }
        if p.has_each_id_once() { Ok(()) } else { Err(WorldError::ParticleIds) }
    }
}

fn out_of_range(name: &str, value: f64, range: &'static str) -> WorldError {
    WorldError::Value { name: name.to_owned(), value, range }
}

fn finite(name: &str, value: f64) -> Result<(), WorldError> {
    if value.is_finite() { Ok(()) } else { Err(out_of_range(name, value, "finite")) }
}

pub(crate) fn positive(name: &str, value: f64) -> Result<(), WorldError> {
    let is_in_range = value.is_finite() && value > 0.0;
    if is_in_range { Ok(()) } else { Err(out_of_range(name, value, "positive and finite")) }
}

pub(crate) fn not_negative(name: &str, value: f64) -> Result<(), WorldError> {
    let is_in_range = value.is_finite() && value >= 0.0;
    if is_in_range { Ok(()) } else { Err(out_of_range(name, value, "finite and not negative")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::step::{StartError, Stepper};
    use crate::world::{Ballistic, Density, Dfsph, Fluid, Multiphase, Solver, Wcsph};
    use hashfall_core::Real;
    use hashfall_core::kernel::KernelKind;
    use hashfall_search::Structures;

    fn dam() -> World {
        let block = ([0.0; 3], [0.2, 0.2, 0.2]);
        let domain = ([0.0; 3], [0.4, 0.2, 0.4]);
        let builder = World::builder().domain(domain.0, domain.1).spacing(0.05);
        builder.fluid(Fluid::default()).block(block.0, block.1).build().unwrap()
    }

    /// The error of a dam that was spoilt.
    fn error(spoil: impl FnOnce(&mut World)) -> WorldError {
        let mut world = dam();
        spoil(&mut world);
        match Stepper::new(&Structures::default(), &mut world) {
            Err(StartError::World(error)) => error,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_dam_can_be_stepped() {
        assert_eq!(dam().validate(), Ok(()));
    }

    #[test]
    fn particles_that_do_not_fit_the_world_are_refused() {
        let array = error(|world| world.particles.density.truncate(3));
        assert_eq!(array, WorldError::ArrayLength { array: "density", length: 3, count: 64 });
        assert_eq!(error(|world| world.particles.id[1] = 0), WorldError::ParticleIds);
        let phase = error(|world| world.particles.phase[2] = 1);
        assert_eq!(phase, WorldError::Phase { particle: 2, phase: 1, fluids: 1 });
        let nozzle = error(|world| world.particles.in_nozzle[2] = 1);
        assert_eq!(nozzle, WorldError::Nozzle { particle: 2, emitter: 0, emitters: 0 });
        let position = error(|world| world.particles.position[5].x = Real::NAN);
        assert_eq!(position, WorldError::NotFinite { particle: 5, quantity: "position" });
        assert_eq!(position.to_string(), "particle 5 has a position that is not finite");
    }

    #[test]
    fn numbers_out_of_range_are_refused() {
        assert_eq!(error(|world| world.fluids.clear()), WorldError::NoFluid);
        let support = error(|world| world.support_radius = 0.04);
        let expected = WorldError::SupportRadius { support_radius: 0.04, spacing: 0.05 };
        assert_eq!(support, expected);
        let name = |error| match error {
            WorldError::Value { name, .. } => name,
            other => panic!("{other:?}"),
        };
        assert_eq!(name(error(|it| it.fluids[0].rest_density = 0.0)), "fluids[0].rest_density");
        assert_eq!(name(error(|it| it.fluids[0].viscosity = -1.0)), "fluids[0].viscosity");
        assert_eq!(name(error(|it| it.particle_radius = 0.0)), "particle_radius");
        assert_eq!(name(error(|it| it.time = f64::NAN)), "time");
        assert_eq!(name(error(|it| it.gravity.y = Real::INFINITY)), "gravity");
        let wcsph = Wcsph { sound_speed: Some(0.0), ..Wcsph::default() };
        assert_eq!(name(error(|it| it.solver = Solver::Wcsph(wcsph))), "sound_speed");
        let unknown = Solver::Wcsph(Wcsph::default());
        assert_eq!(name(error(|it| it.solver = unknown)), "sound_speed");
        let dfsph = Dfsph { max_iterations: 2.5, ..Dfsph::default() };
        assert_eq!(name(error(|it| it.solver = Solver::Dfsph(dfsph))), "max_iterations");
        let domain = error(|world| world.solids.domain.max.z = 0.0);
        assert_eq!(domain, WorldError::Domain { axis: 2 });
        let periodic = error(|world| {
            world.periodic[1] = true;
            world.support_radius = 0.2;
        });
        assert!(matches!(periodic, WorldError::PeriodicAxis { axis: 1, .. }), "{periodic:?}");
    }

    #[test]
    fn a_plane_has_no_extent_across() {
        let builder = World::builder().dimension(Dimension::Two).fluid(Fluid::default());
        let builder = builder.domain([0.0; 3], [1.0, 0.0, 1.0]).spacing(0.1);
        let world = builder.block([0.0; 3], [0.5, 0.0, 0.5]).build().unwrap();
        assert_eq!(world.particles.len(), 25);
    }

    /// Stepped, such a world would feel no force at all, not even gravity.
    #[test]
    fn a_kernel_that_a_scheme_has_no_equations_for_is_refused() {
        let spoil = |world: &mut World| {
            world.solver = Solver::Multiphase(Multiphase::default());
            world.fluids[0].stiffness = 20.0;
        };
        let kernel = KernelKind::CubicSpline;
        assert_eq!(error(spoil), WorldError::Kernel { scheme: "Multiphase", kernel });
        let mut world = dam();
        spoil(&mut world);
        world.kernel = KernelKind::Mueller;
        assert_eq!(world.validate(), Ok(()));
    }

    #[test]
    fn what_a_scheme_does_not_support_is_refused() {
        let wcsph = |individual_steps| {
            let (sound_speed, density) = (Some(30.0), None);
            Solver::Wcsph(Wcsph { sound_speed, individual_steps, density, ..Wcsph::default() })
        };
        let what = |error| match error {
            WorldError::Unsupported { what, .. } => what,
            other => panic!("{other:?}"),
        };
        let implicit = |world: &mut World| {
            world.solver = wcsph(2.0);
            world.viscosity = ViscositySolver::Implicit;
        };
        assert_eq!(what(error(implicit)), "implicit viscosity");
        let flying = |world: &mut World| {
            world.solver = Solver::Ballistic(Ballistic::default());
            world.viscosity = ViscositySolver::Implicit;
        };
        assert_eq!(what(error(flying)), "implicit viscosity");
        let flowing = |world: &mut World| {
            let (density, individual_steps) = (Some(Density::FLOWING), 2.0);
            let sound_speed = Some(30.0);
            let wcsph = Wcsph { sound_speed, density, individual_steps, ..Wcsph::default() };
            world.solver = Solver::Wcsph(wcsph);
        };
        assert_eq!(what(error(flowing)), "densities by continuity");
        let tension = |world: &mut World| {
            world.solver = wcsph(2.0);
            world.fluids[0].surface_tension = 0.07;
        };
        assert_eq!(what(error(tension)), "surface tension");
        let kernel = KernelKind::Mueller;
        assert_eq!(
            error(|world| world.kernel = kernel),
            WorldError::Kernel { scheme: "Dfsph", kernel }
        );
        let many = error(|world| world.fluids = vec![Fluid::default(); 300]);
        assert_eq!(many, WorldError::TooMany { things: "fluids", count: 300 });
        let mut world = dam();
        world.solver = wcsph(2.0);
        assert_eq!(world.validate(), Ok(()));
    }

    #[test]
    fn a_builder_refuses_a_spacing_before_it_fills() {
        for spacing in [0.0, -1.0, Real::NAN, Real::INFINITY] {
            let builder = World::builder().fluid(Fluid::default()).spacing(spacing);
            let built = builder.block([0.0; 3], [1.0; 3]).build();
            assert!(matches!(built, Err(WorldError::Value { .. })), "{spacing}: {built:?}");
        }
        let endless = World::builder().fluid(Fluid::default());
        let built = endless.block([0.0; 3], [Real::INFINITY, 1.0, 1.0]).build();
        assert!(matches!(built, Err(WorldError::Value { .. })), "{built:?}");
    }
}
