//! Flight without pressure: free fall in closed form, no energy gained, and nothing inside spheres.

use super::support;
use hashfall_core::{Real, Vec3};
use hashfall_geometry::Aabb;
use hashfall_search::Structures;
use hashfall_solid::{BodySpec, ContactLaw, Solids, Sphere};
use hashfall_sph::step::Stepper;
use hashfall_sph::world::{Audit, Ballistic, Solver, World};

const SOLVER: Solver = Solver::Ballistic(Ballistic { courant: 1.0 });

/// Two particles in one place and a block, a metre wide all around.
fn world() -> World {
    let mut world = support::world([1.0; 3], &[1000.0], 1e-6, SOLVER);
    let drift = Vec3::new(0.1, 0.0, 0.0);
    support::fill(&mut world, Vec3::new(0.3, 0.5, 0.9), [1, 1, 1], 0, |_| drift);
    support::fill(&mut world, Vec3::new(0.3, 0.5, 0.9), [9, 9, 3], 0, |_| Vec3::zeros());
    world
}

fn stepper(world: &mut World) -> Stepper {
    Stepper::new(&Structures::default(), world).unwrap()
}

#[test]
fn particles_fall_freely_and_do_not_feel_each_other() {
    let mut world = world();
    let start = world.particles.position.clone();
    let mut stepper = stepper(&mut world);
    while world.time < 0.3 {
        let report = stepper.step(&mut world, 0.3).unwrap();
        assert_eq!((report.rejected, report.density_error_max), (0, 0.0));
    }
    let fallen = Vec3::new(0.0, 0.0, -0.5 * 9.81 * 0.09);
    for (place, &id) in world.particles.id.iter().enumerate() {
        let drift = if id == 0 { Vec3::new(0.03, 0.0, 0.0) } else { Vec3::zeros() };
        let expected = start[id as usize] + fallen + drift;
        let off = (world.particles.position[place] - expected).norm();
        assert!(off < 2e-6, "particle {id} is {off} m off");
    }
}

#[test]
fn among_spheres_energy_never_grows_and_no_particle_is_inside_one() {
    let mut world = world();
    let places = (0..64).map(|n| [n % 4, n / 4 % 4, n / 16].map(|i| 0.14 + 0.24 * i as Real));
    let spheres: Vec<Sphere> =
        places.map(|[x, y, z]| Sphere { centre: Vec3::new(x, y, 0.8 * z), radius: 0.07 }).collect();
    let law = ContactLaw { restitution: 0.5, friction: 0.3, ..ContactLaw::default() };
    let domain = Aabb::new(Vec3::zeros(), Vec3::from([1.0; 3]));
    let obstacles = [BodySpec { spheres: spheres.len(), contact: law, ..BodySpec::default() }];
    world.solids =
        Solids::new(domain, spheres, vec![]).with_walls([law; 6]).with_bodies(&obstacles);
    let mut stepper = stepper(&mut world);
    let energy = |world: &World| Audit::new(world).energy();
    let mut before = energy(&world);
    while world.time < 1.0 {
        let report = stepper.step(&mut world, 1.0).unwrap();
        assert!(report.deepest_penetration < 1e-3, "{report:?}");
        let after = energy(&world);
        assert!(after < before + 1e-5 * before.abs(), "{after} J after {before} J");
        before = after;
    }
    let spheres = world.solids.spheres();
    let clearance = |x: &Vec3| {
        let gaps = spheres.iter().map(|s| (x - s.centre).norm() - s.radius - support::RADIUS);
        gaps.fold(Real::INFINITY, Real::min)
    };
    let least = world.particles.position.iter().map(clearance).fold(Real::INFINITY, Real::min);
    assert!(least > -1e-4 * support::RADIUS, "{least}");
}
