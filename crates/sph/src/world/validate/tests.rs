//! Each wrong world has its error.

use super::*;
use crate::step::{StepError, Stepper};
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
        Err(StepError::World(error)) => error,
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
    assert_eq!(position.to_string(), "`particles.position` of particle 5 is not finite");
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
    for max_iterations in [0.0, 2.5] {
        let dfsph = Dfsph { max_iterations, ..Dfsph::default() };
        assert_eq!(name(error(|it| it.solver = Solver::Dfsph(dfsph))), "max_iterations");
    }
    for exponent in [0.0, 101.0] {
        let wcsph = Wcsph { sound_speed: Some(30.0), exponent, ..Wcsph::default() };
        assert_eq!(name(error(|it| it.solver = Solver::Wcsph(wcsph))), "exponent");
    }
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
