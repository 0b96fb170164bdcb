//! The forces are those of sums over all pairs, steps are of second order, and drops get round.

use super::*;
use crate::step::tests::{box_of_one, splash};
use crate::step::{Limit, Stepper};
use crate::world::{BodyForce, Interface, Solver};
use hashfall_core::Dimension;
use hashfall_core::kernel::KernelKind;
use hashfall_search::Structures;

const SETTINGS: Multiphase = Multiphase {
    stiffness: 20.0,
    exponent: 1.0,
    wet_friction: 0.0,
    courant: 0.3,
    time_step: None,
    individual_steps: 0.0,
};

/// Two fluids far from all walls, of random places and velocities, without body forces.
fn cloud(settings: Multiphase) -> World {
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
    world.solids = hashfall_solid::Solids::new(
        hashfall_geometry::Aabb::new(Vec3::zeros(), Vec3::repeat(3.0)),
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
        let (displacement, volume) = (x(i) - x(j), mass(j) / f64::from(p.density[j]));
        let r = displacement.norm();
        if r >= h {
            continue;
        }
        if j != i {
            let slope = -45.0 / (pi * h.powi(6)) * (h - r).powi(2);
            force -= displacement / r * (volume * (pressure(i) + pressure(j)) / 2.0 * slope);
            let diffusion = 45.0 / (pi * h.powi(6)) * (h - r);
            let relative = p.velocity[j].map(f64::from) - p.velocity[i].map(f64::from);
            force += relative * (volume * (mu(i) + mu(j)) / 2.0 * diffusion);
        }
        let (h2, r2) = (h * h, r * r);
        let field = usize::from(p.phase[j] != p.phase[i]);
        for field in 0..=field {
            normals[field] += displacement * (volume * -6.0 * poly6 * (h2 - r2).powi(2));
            curved[field] += volume * -6.0 * poly6 * (h2 - r2) * (3.0 * h2 - 7.0 * r2);
        }
    }
    let between = world.interfaces.first().map_or(0.0, |interface| f64::from(interface.tension));
    for (field, tension) in [f64::from(fluid(i).surface_tension), between].into_iter().enumerate() {
        let length = normals[field].norm();
        if tension > 0.0 && length > f64::from(MIN_GRADIENT) / h {
            force -= normals[field] * (tension * curved[field] / length);
        }
    }
    (density, force / f64::from(p.density[i]))
}

#[test]
fn densities_and_forces_are_the_sums_over_all_pairs() {
    for (exponent, tension, between) in [(1.0, 0.0, 0.0), (1.0, 0.5, 0.0), (1.0, 0.5, 0.7)] {
        let mut world = cloud(Multiphase { exponent, ..SETTINGS });
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
fn an_interface_does_not_depend_on_stronger_ones_elsewhere() {
    let mut world = cloud(SETTINGS);
    world.interfaces = vec![Interface { fluids: [0, 1], tension: 0.1 }];
    let mut other = world.clone();
    let none = world.fluids[0].clone();
    other.fluids.push(none);
    other.interfaces.push(Interface { fluids: [0, 2], tension: 10.0 });
    for world in [&mut world, &mut other] {
        Stepper::new(&Structures::default(), world).unwrap();
    }
    assert_eq!(world.particles.acceleration, other.particles.acceleration);
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
fn wet_friction_gives_solids_what_it_takes_from_the_fluid() {
    let mut world = box_of_one(Vec3::new(0.3, 0.5, 0.5));
    world.particles.position[0].z = 0.75 * world.spacing();
    world.solver = Solver::Multiphase(Multiphase { wet_friction: 5.0, ..SETTINGS });
    world.kernel = KernelKind::Mueller;
    (world.gravity, world.forces) = (Vec3::zeros(), vec![]);
    world.fluids[0].stiffness = 20.0;
    world.particles.velocity[0] = Vec3::new(0.4, 0.1, 0.0);
    let mass = world.particle_mass(0);
    let mut stepper = Stepper::new(&Structures::default(), &mut world).unwrap();
    for _ in 0..20 {
        stepper.step(&mut world, 10.0).unwrap();
    }
    let [walls, ..] = stepper.take_impulses()[..] else { panic!("the walls") };
    let left = world.particles.velocity[0].map(f64::from);
    let lost = [0.4 - left.x, 0.1 - left.y].map(|speed| mass * speed);
    assert!(lost[0] > 0.1 * mass * 0.4, "the floor slows the particle: {left:?}, {} s", world.time);
    for (given, lost) in [walls.force.x, walls.force.y].into_iter().zip(lost) {
        assert!((given / lost - 1.0).abs() < 1e-3, "{given} of {lost} N s");
    }
}

#[test]
fn fixed_steps_are_as_long_as_the_scene_says_and_land_on_the_frame() {
    let mut world = cloud(Multiphase { time_step: Some(0.002), ..SETTINGS });
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

/// How far from its place after 1 s a particle is that swings about a point with 10 rad/s, with
/// steps of `dt` [s].
fn error_of_a_spring(dt: f64) -> f64 {
    let mut world = box_of_one(Vec3::new(0.7, 0.5, 0.5));
    world.solver = Solver::Multiphase(Multiphase { time_step: Some(dt), ..SETTINGS });
    world.kernel = KernelKind::Mueller;
    world.gravity = Vec3::zeros();
    world.forces = vec![BodyForce::Central { centre: [0.5; 3], stiffness: 100.0 }];
    world.fluids[0].stiffness = 20.0;
    let mut stepper = Stepper::new(&Structures::default(), &mut world).unwrap();
    while world.time < 1.0 {
        stepper.step(&mut world, 1.0).unwrap();
    }
    f64::from(world.particles.position[0].x) - (0.5 + 0.2 * 10.0_f64.cos())
}

#[test]
fn steps_are_of_second_order() {
    let errors = [0.02, 0.01, 0.005].map(error_of_a_spring);
    for pair in errors.windows(2) {
        let order = (pair[0] / pair[1]).log2();
        assert!((order - 2.0).abs() < 0.1, "{errors:?}");
    }
}

/// The nearest part of the edge over the farthest, by the farthest particles in 16 directions.
fn roundness(world: &World) -> f64 {
    let x = &world.particles.position;
    let centre = x.iter().sum::<Vec3>() / x.len() as Real;
    let polar = |x: &Vec3| {
        let x = (x - centre).map(f64::from);
        (x.z.atan2(x.x), x.norm())
    };
    let edge = (0..16).map(|k| {
        let to = f64::from(k) * std::f64::consts::PI / 8.0;
        let is_there = |(angle, _): &(f64, f64)| (angle - to).cos() > 0.2_f64.cos();
        x.iter().map(polar).filter(is_there).map(|(_, r)| r).fold(0.0, f64::max)
    });
    let (least, most) = edge.fold((f64::INFINITY, 0.0_f64), |(a, b), r| (a.min(r), b.max(r)));
    least / most
}

#[test]
fn a_square_drop_in_the_plane_gets_round() {
    let mut world = box_of_one(Vec3::zeros());
    world.dimension = Dimension::Two;
    world.solver = Solver::Multiphase(SETTINGS);
    world.kernel = KernelKind::Mueller;
    (world.particle_radius, world.support_radius) = (0.005, 0.04);
    (world.gravity, world.forces) = (Vec3::zeros(), vec![]);
    world.particles = Default::default();
    for n in 0..144 {
        let x = Vec3::new((n % 12) as Real, 0.0, (n / 12) as Real) * 0.01;
        world.particles.push(x + Vec3::new(0.45, 0.0, 0.45), Vec3::zeros(), 0, 1000.0);
    }
    let fluid = &mut world.fluids[0];
    (fluid.stiffness, fluid.viscosity, fluid.surface_tension) = (20.0, 0.05, 1.0);
    let mut stepper = Stepper::new(&Structures::default(), &mut world).unwrap();
    assert!(roundness(&world) < 0.75);
    while world.time < 0.5 {
        stepper.step(&mut world, 0.5).unwrap();
    }
    assert!(roundness(&world) > 0.9, "{}", roundness(&world));
}
