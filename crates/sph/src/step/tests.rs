//! Worlds to step, and that every instruction set and number of threads takes the same steps.

use super::pairs::neighborhood::Neighborhood;
use super::pairs::order::Order;
use super::pairs::pair_data::PairData;
use super::{Limit, Stepper};
use crate::world::{
    BodyForce, Density, Dfsph, Fluid, Interface, OpenBoundaries, Particles, Solver,
    ViscositySolver, Wcsph, World,
};
use hashfall_core::Real;
use hashfall_core::kernel::KernelKind;
use hashfall_core::simd::Isa;
use hashfall_core::{Dimension, Vec3};
use hashfall_geometry::Aabb;
use hashfall_geometry::random::Random;
use hashfall_geometry::shape::sphere_mesh;
use hashfall_search::{BroadPhaseKind, NeighborSearch, SortedCells, Structures};
use hashfall_solid::{BodySpec, ContactAngle, ContactLaw, Slip, Solids, Sphere};

pub(crate) const WCSPH: Solver = Solver::Wcsph(Wcsph {
    sound_speed: Some(30.0),
    exponent: 7.0,
    artificial_viscosity: Some(0.05),
    courant: Some(0.4),
    density: Some(Density::Summation),
    shifting: 0.0,
    background_pressure: 0.0,
    interface_sharpening: 0.0,
    individual_steps: 0.0,
});

pub(crate) const DFSPH: Solver = Solver::Dfsph(Dfsph {
    max_density_error: 1e-4,
    max_divergence_error: 1e-4,
    max_iterations: 100.0,
    artificial_viscosity: 0.05,
    courant: 0.4,
});

/// Two fluids that fall onto a ball in a box.
pub(crate) fn splash(solver: Solver) -> World {
    let fluid = |rest_density| Fluid {
        name: String::new(),
        rest_density,
        viscosity: 1e-3,
        surface_tension: 0.0,
        stiffness: 0.0,
    };
    let ball = Sphere { centre: Vec3::new(0.2, 0.2, 0.1), radius: 0.08 };
    let domain = Aabb::new(Vec3::zeros(), Vec3::new(0.4, 0.4, 0.6));
    let mut random = Random::new(11);
    let mut particles = Particles::default();
    for n in 0..16 * 16 * 10 {
        let place = Vec3::new((n % 16) as Real, (n / 16 % 16) as Real, (n / 256) as Real);
        let jitter = random.point(-0.05, 0.05).map(|x| x as Real);
        let x = (place + jitter).add_scalar(0.5) * 0.025 + Vec3::z() * 0.2;
        particles.push(x, -Vec3::z(), (n % 16 / 8) as u8, [1000.0, 600.0][n % 16 / 8]);
    }
    World {
        dimension: Dimension::Three,
        kernel: KernelKind::CubicSpline,
        particles,
        fluids: vec![fluid(1000.0), fluid(600.0)],
        solids: Solids::new(domain, vec![ball], vec![]),
        free_bodies: Vec::new(),
        rigid: None,
        elastic: None,
        periodic: [false; 3],
        gravity: Vec3::new(0.0, 0.0, -9.81),
        frame: None,
        forces: vec![
            BodyForce::Central { centre: [0.2, 0.2, 0.0], stiffness: 3.0 },
            BodyForce::Table(vec![(0.0, [1.0, 0.0, 0.0]), (0.1, [-1.0, 2.0, 0.0])]),
        ],
        particle_radius: 0.0125,
        support_radius: 0.05,
        solver,
        interfaces: Vec::new(),
        open_boundaries: OpenBoundaries::default(),
        viscosity: Default::default(),
        time: 0.0,
        steps: 0,
    }
}

/// A lone particle in a box of edge 1 m.
pub(crate) fn box_of_one(x: Vec3) -> World {
    let mut particles = Particles::default();
    particles.push(x, Vec3::zeros(), 0, 1000.0);
    let domain = Aabb::new(Vec3::zeros(), Vec3::repeat(1.0));
    World { particles, solids: Solids::new(domain, vec![], vec![]), ..splash(WCSPH) }
}

/// Sorts a world and finds the surroundings and densities of its particles.
pub(crate) fn neighborhood(world: &mut World) -> (Neighborhood, PairData) {
    let mut search = SortedCells::default();
    let h = world.support_radius;
    let index = BroadPhaseKind::default().index(world.solids.object_boxes(), h);
    let mut order = Order::default();
    order.sort(&mut world.particles, h);
    let mut neighborhood = Neighborhood::new(world, Isa::current());
    search.rebuild(&world.particles.position, h);
    let mut pairs = PairData::default();
    pairs.update(world);
    neighborhood.find(&mut search, world, &pairs, &[]);
    neighborhood.boundary.update_shares(index.as_ref(), world);
    neighborhood.hide(world, &pairs, &[]);
    neighborhood.evaluate(world, &[]);
    neighborhood.sum_densities(world, &[]);
    (neighborhood, pairs)
}

/// One fluid with a periodic side, density that flows, shifting, and Müller's viscosity.
fn drift() -> World {
    let Solver::Wcsph(settings) = WCSPH else { unreachable!("what its name says") };
    let density = Some(Density::Continuity { diffusion: 0.1 });
    let mut world = splash(Solver::Wcsph(Wcsph { density, shifting: 5.0, ..settings }));
    world.fluids.truncate(1);
    world.particles.phase.fill(0);
    World { kernel: KernelKind::Mueller, periodic: [true, false, false], ..world }
}

/// Two fluids that pull on each other and at the air, and stick to what they fall onto, so thick
/// that their viscosity is implicit.
fn syrup(solver: Solver) -> World {
    let mut world = splash(solver);
    world.support_radius = 6.0 * world.particle_radius;
    for fluid in &mut world.fluids {
        (fluid.surface_tension, fluid.viscosity) = (0.5, 0.5);
    }
    world.interfaces = vec![Interface { fluids: [0, 1], tension: 0.3 }];
    world.viscosity = ViscositySolver::Implicit;
    let law = ContactLaw {
        slip: Slip::No,
        contact_angle: ContactAngle::new(50.0),
        ..ContactLaw::default()
    };
    let ball = BodySpec { spheres: 1, contact: law, ..BodySpec::default() };
    world.solids = world.solids.with_walls([law; 6]).with_bodies(&[ball]);
    world
}

#[test]
fn syrup_takes_the_same_steps_when_it_goes_on_from_what_was_remembered() {
    for solver in [WCSPH, DFSPH] {
        let mut world = syrup(solver);
        let mut stepper = Stepper::new(&Structures::default(), &mut world).unwrap();
        for _ in 0..20 {
            stepper.step(&mut world, 10.0).unwrap();
        }
        let mut other = world.clone();
        let mut again =
            Stepper::resume(&Structures::default(), &mut other, &stepper.memory()).unwrap();
        for _ in 0..20 {
            let (first, second) = (stepper.step(&mut world, 10.0), again.step(&mut other, 10.0));
            assert_eq!(first.unwrap(), second.unwrap(), "{solver:?}");
        }
        assert_eq!(world, other, "{solver:?}");
    }
}

#[test]
fn a_step_is_little_longer_than_the_one_that_implicit_viscosity_was_solved_for() {
    for solver in [WCSPH, DFSPH] {
        let mut world = syrup(solver);
        // Far faster than sound.
        world.particles.velocity[0] = Vec3::x() * 1000.0;
        let stepper = Stepper::new(&Structures::default(), &mut world).unwrap();
        let (solved, limit) = stepper.stable_step(&world);
        assert_ne!(limit, Limit::Viscosity, "{solver:?}");
        world.particles.velocity.fill(Vec3::zeros());
        let (longest, limit) = stepper.stable_step(&world);
        let is_bound = limit == Limit::Viscosity && (longest / (1.5 * solved) - 1.0).abs() < 1e-6;
        assert!(is_bound, "{solver:?}: {longest} s by {limit:?} after {solved} s");
    }
}

#[test]
fn every_instruction_set_takes_the_same_steps_to_the_last_bit() {
    let starts = [(splash(WCSPH), 100), (splash(DFSPH), 30), (drift(), 100), (syrup(DFSPH), 30)];
    for (mut start, steps) in starts {
        // Down to where it touches the ball from the first step.
        start.particles.position.iter_mut().for_each(|x| x.z -= 0.02);
        let run = |isa| {
            let mut world = start.clone();
            let mut stepper = Stepper::with_isa(isa, &Structures::default(), &mut world).unwrap();
            for _ in 0..steps {
                stepper.step(&mut world, 10.0).unwrap();
            }
            assert!(world.particles.pressure.iter().any(|&p| p > 0.0));
            let [.., ball] = stepper.take_impulses()[..] else { panic!("a ball") };
            assert!(ball.force.z < 0.0, "the fluid falls onto the ball: {ball:?}");
            world.digest()
        };
        let digests: Vec<_> = Isa::available().into_iter().map(|isa| (isa, run(isa))).collect();
        assert!(digests.iter().all(|(_, digest)| *digest == digests[0].1), "{digests:x?}");
    }
}

#[test]
fn any_number_of_threads_takes_the_same_steps_to_the_last_bit() {
    let run = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut world = syrup(DFSPH);
            let (domain, spheres) = (world.solids.domain, world.solids.spheres().to_vec());
            let mesh = sphere_mesh(&Vec3::new(0.3, 0.1, 0.15), 0.09, 2);
            world.solids = Solids::new(domain, spheres, vec![mesh]);
            let mut stepper = Stepper::new(&Structures::default(), &mut world).unwrap();
            for _ in 0..50 {
                stepper.step(&mut world, 10.0).unwrap();
            }
            world.digest()
        })
    };
    assert_eq!([run(2), run(5)], [run(1); 2]);
}

/// The forces of the library's user are found anew before the first step, and a stepper that
/// resumes takes those that were found.
#[test]
fn a_force_of_the_user_acts_from_the_first_step_and_through_a_resumption() {
    let wind = |world: &World, accelerations: &mut [Vec3]| {
        let velocities = &world.particles.velocity;
        accelerations.iter_mut().zip(velocities).for_each(|(a, v)| a.x += 50.0 - v.x);
    };
    for solver in [WCSPH, DFSPH] {
        let mut world = splash(solver);
        let mut still = splash(solver);
        let mut stepper = Stepper::new(&Structures::default(), &mut world).unwrap();
        let mut other = Stepper::new(&Structures::default(), &mut still).unwrap();
        stepper.add_force(wind);
        let dt = stepper.step(&mut world, 1e-4).unwrap().dt;
        other.step(&mut still, 1e-4).unwrap();
        let mut pulled = splash(solver);
        pulled.gravity.x += 50.0;
        let mut third = Stepper::new(&Structures::default(), &mut pulled).unwrap();
        third.step(&mut pulled, 1e-4).unwrap();
        // As much as by gravity, of which walls and pressure take the same part.
        let speed = |world: &World| world.particles.velocity.iter().map(|v| v.x).sum::<Real>();
        let [gained, wanted] = [&world, &pulled].map(|w| speed(w) - speed(&still));
        assert!((gained / wanted - 1.0).abs() < 0.02, "{gained} of {wanted} in {dt} s");
        let all = 50.0 * dt as Real * world.particles.len() as Real;
        assert!(wanted > 0.6 * all, "{wanted} of {all}");
        for _ in 0..5 {
            stepper.step(&mut world, 10.0).unwrap();
        }
        let mut again = world.clone();
        let memory = stepper.memory();
        let mut resumed = Stepper::resume(&Structures::default(), &mut again, &memory).unwrap();
        resumed.add_force(wind);
        for _ in 0..5 {
            stepper.step(&mut world, 10.0).unwrap();
            resumed.step(&mut again, 10.0).unwrap();
        }
        assert_eq!(world, again, "{solver:?}");
    }
}
