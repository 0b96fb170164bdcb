//! The forces are those of sums over all pairs, and steps of one's own keep what others keep.

use super::super::tests::{WCSPH, splash};
use super::super::{Limit, Stepper};
use super::*;
use crate::kernel::KernelKind;
use crate::search::Structures;
use crate::world::{Audit, Interface, Solver};

const SETTINGS: world::Multiphase = world::Multiphase {
    exponent: 1,
    wet_friction: 0.0,
    courant: 0.3,
    time_step: None,
    individual_steps: 0,
};

/// Two fluids far from all walls, of random places and velocities, without body forces.
fn cloud(settings: world::Multiphase) -> World {
    let mut world = splash(Solver::Multiphase(settings));
    world.kernel = KernelKind::Mueller;
    world.support_radius = 0.08;
    (world.gravity, world.forces) = (Vec3::zeros(), vec![]);
    for (fluid, stiffness) in world.fluids.iter_mut().zip([20.0, 50.0]) {
        (fluid.stiffness, fluid.viscosity) = (stiffness, 0.01);
    }
    let p = &mut world.particles;
    for i in 0..p.len() {
        p.position[i] += Vec3::repeat(1.0);
        p.velocity[i] = (p.position[i] * 50.0).map(Real::sin);
    }
    world.solids = crate::solid::Solids::new(
        crate::geometry::Aabb::new(Vec3::zeros(), Vec3::repeat(3.0)),
        vec![],
        vec![],
    );
    world
}

/// By sums over all pairs in double precision: density, then the acceleration.
fn by_brute_force(world: &World, i: usize) -> (f64, nalgebra::Vector3<f64>) {
    let (h, pi) = (f64::from(world.support_radius), std::f64::consts::PI);
    let p = &world.particles;
    let v0 = f64::from(world.kernel().rest_volume(world.spacing()));
    let fluid = |i: usize| &world.fluids[usize::from(p.phase[i])];
    let mass = |i: usize| f64::from(fluid(i).rest_density) * v0;
    let x = |i: usize| p.position[i].map(f64::from);
    let poly6 = 315.0 / (64.0 * pi * h.powi(9));
    let all = || 0..p.len();
    let density = all()
        .map(|j| (x(i) - x(j)).norm_squared())
        .zip(all())
        .filter(|(r2, _)| *r2 < h * h)
        .map(|(r2, j)| mass(j) * poly6 * (h * h - r2).powi(3))
        .sum();
    let pressure = |i: usize| {
        f64::from(fluid(i).stiffness) * (f64::from(p.density[i]) - f64::from(fluid(i).rest_density))
    };
    let mu = |i: usize| f64::from(fluid(i).viscosity * fluid(i).rest_density);
    let zero = nalgebra::Vector3::zeros;
    let (mut force, mut normals, mut curved) = (zero(), [zero(), zero()], [0.0, 0.0]);
    for j in all() {
        let (apart, volume) = (x(i) - x(j), mass(j) / f64::from(p.density[j]));
        let r = apart.norm();
        if r >= h {
            continue;
        }
        if j != i {
            let slope = -45.0 / (pi * h.powi(6)) * (h - r).powi(2);
            force -= apart / r * (volume * (pressure(i) + pressure(j)) / 2.0 * slope);
            let diffusion = 45.0 / (pi * h.powi(6)) * (h - r);
            let relative = p.velocity[j].map(f64::from) - p.velocity[i].map(f64::from);
            force += relative * (volume * (mu(i) + mu(j)) / 2.0 * diffusion);
        }
        let (h2, r2) = (h * h, r * r);
        let field = usize::from(p.phase[j] != p.phase[i]);
        for field in 0..=field {
            normals[field] += apart * (volume * -6.0 * poly6 * (h2 - r2).powi(2));
            curved[field] += volume * -6.0 * poly6 * (h2 - r2) * (3.0 * h2 - 7.0 * r2);
        }
    }
    let between = world.interfaces.first().map_or(0.0, |interface| f64::from(interface.tension));
    for (field, tension) in [f64::from(fluid(i).surface_tension), between].into_iter().enumerate() {
        let length = normals[field].norm();
        if tension > 0.0 && length > f64::from(LEAST_GRADIENT) / h {
            force -= normals[field] * (tension * curved[field] / length);
        }
    }
    (density, force / f64::from(p.density[i]))
}

#[test]
fn densities_and_forces_are_the_sums_over_all_pairs() {
    for (exponent, tension, between) in [(1, 0.0, 0.0), (1, 0.5, 0.0), (1, 0.5, 0.7)] {
        let mut world = cloud(world::Multiphase { exponent, ..SETTINGS });
        world.fluids.iter_mut().for_each(|fluid| fluid.surface_tension = tension);
        if between > 0.0 {
            world.interfaces = vec![Interface { fluids: [0, 1], tension: between }];
        }
        Stepper::new(&Structures::default(), &mut world).unwrap();
        let p = &world.particles;
        let largest = p.acceleration.iter().map(|a| f64::from(a.norm())).fold(0.0, f64::max);
        let (mut farthest, mut pulled) = (0.0_f64, 0);
        for i in (0..p.len()).step_by(7) {
            let (density, acceleration) = by_brute_force(&world, i);
            assert!((f64::from(p.density[i]) / density - 1.0).abs() < 1e-5);
            let off = (p.acceleration[i].map(f64::from) - acceleration).norm();
            // Where the colour's gradient is at the threshold, rounding decides.
            if off > 1e-3 * largest {
                pulled += 1;
            } else {
                farthest = farthest.max(off);
            }
        }
        assert!(farthest < 1e-3 * largest && pulled <= 2, "{farthest} of {largest}, {pulled}");
    }
}

#[test]
fn tait_is_as_stiff_as_the_gas_equation_at_rest_and_stiffer_beyond() {
    let world = cloud(SETTINGS);
    let fluid = &world.fluids[0];
    assert!((pressure_at(1001.0, fluid, 1) - 20.0).abs() < 0.01);
    assert!((pressure_at(1001.0, fluid, 7) / 20.0 - 1.0).abs() < 0.01);
    let wanted = 20.0 * 1000.0 / 7.0 * (1.1_f64.powi(7) - 1.0);
    assert!((f64::from(pressure_at(1100.0, fluid, 7)) / wanted - 1.0).abs() < 1e-4);
}

#[test]
fn momentum_is_kept() {
    let mut world = cloud(SETTINGS);
    let mut stepper = Stepper::new(&Structures::default(), &mut world).unwrap();
    let momentum = |world: &World| {
        let p = &world.particles;
        (0..p.len())
            .map(|i| p.velocity[i].map(f64::from) * world.particle_mass(p.phase[i]))
            .sum::<nalgebra::Vector3<f64>>()
    };
    let sizes: f64 = (0..world.particles.len())
        .map(|i| {
            let v = f64::from(world.particles.velocity[i].norm());
            v * world.particle_mass(world.particles.phase[i])
        })
        .sum();
    let before = momentum(&world);
    for _ in 0..20 {
        stepper.step(&mut world, 10.0).unwrap();
    }
    assert!((momentum(&world) - before).norm() < 1e-5 * sizes);
}

#[test]
fn fixed_steps_are_as_long_as_the_scene_says_and_land_on_the_frame() {
    let mut world = cloud(world::Multiphase { time_step: Some(0.002), ..SETTINGS });
    let mut stepper = Stepper::new(&Structures::default(), &mut world).unwrap();
    let mut steps = Vec::new();
    while world.time < 0.005 {
        let report = stepper.step(&mut world, 0.005).unwrap();
        assert_eq!(report.rejected, 0);
        steps.push((report.dt, report.limit));
    }
    assert_eq!(steps.len(), 3);
    assert_eq!(steps[..2], [(0.002, Limit::Fixed); 2]);
    assert!((steps[2].0 - 0.001).abs() < 1e-12 && steps[2].1 == Limit::Frame);
}

/// A world whose particles of one corner are so fast that their steps are shorter.
fn with_fast_ones(individual_steps: u32) -> World {
    let Solver::Wcsph(wcsph) = WCSPH else { unreachable!("by its name") };
    let settings = world::Wcsph { individual_steps, sound_speed: 10.0, ..wcsph };
    let mut world = splash(Solver::Wcsph(settings));
    let p = &mut world.particles;
    for i in 0..p.len() {
        let x = p.position[i];
        p.velocity[i] = if x.x < 0.1 && x.y < 0.1 { Vec3::z() * 20.0 } else { Vec3::zeros() };
    }
    world
}

#[test]
fn steps_of_ones_own_are_those_of_all_where_nobody_is_faster() {
    let run = |individual_steps| {
        let Solver::Wcsph(wcsph) = WCSPH else { unreachable!("by its name") };
        let mut world = splash(Solver::Wcsph(world::Wcsph { individual_steps, ..wcsph }));
        let mut stepper = Stepper::new(&Structures::default(), &mut world).unwrap();
        for _ in 0..20 {
            stepper.step(&mut world, 10.0).unwrap();
        }
        world.digest()
    };
    // Sound at 30 m/s leaves all of them a step within a factor of two.
    assert_eq!(run(4), run(0));
}

#[test]
fn steps_of_ones_own_keep_what_all_steps_keep() {
    let run = |individual_steps| {
        let mut world = with_fast_ones(individual_steps);
        let mut stepper = Stepper::new(&Structures::default(), &mut world).unwrap();
        let mut levels = 0;
        while world.time < 0.02 {
            stepper.step(&mut world, 0.02).unwrap();
            levels = levels.max(stepper.individual.levels.iter().max().copied().unwrap_or(0));
        }
        let centre: nalgebra::Vector3<f64> =
            world.particles.position.iter().map(|x| x.map(f64::from)).sum();
        (centre / world.particles.len() as f64, Audit::of(&world).kinetic_energy, levels)
    };
    let ((all, energy, _), (own, own_energy, levels)) = (run(0), run(4));
    assert!(levels > 0, "somebody takes shorter steps");
    // A fiftieth of a spacing.
    assert!((all - own).norm() < 5e-4, "{all} {own}");
    assert!((own_energy / energy - 1.0).abs() < 0.02, "{own_energy} for {energy}");
}

#[test]
fn steps_of_ones_own_go_on_from_anywhere_on_any_number_of_threads() {
    let run = |threads| {
        parallel::with_threads(threads, || {
            let mut world = with_fast_ones(4);
            let mut first = Stepper::new(&Structures::default(), &mut world).unwrap();
            for _ in 0..12 {
                let mut other = world.clone();
                let mut second =
                    Stepper::resume(&Structures::default(), &mut other, &first.memory()).unwrap();
                let report = first.step(&mut world, 10.0).unwrap();
                assert_eq!(second.step(&mut other, 10.0).unwrap(), report);
                assert_eq!(other, world);
            }
            world.digest()
        })
    };
    assert_eq!(run(3), run(1));
}
