//! Worlds to attack: between them, each field of a world has something in it.

use hashfall::core::Real;
use hashfall::elastic::{BodySpec, ElasticSystem, Material, Rope, rope};
use hashfall::prelude::*;
use hashfall::rigid::{Amount, Material as Friction, RigidSettings, Shape, ball_mass};
use hashfall::world::{
    BodyForce, Elastic, Emitter, FreeBody, Interface, OpenBoundaries, RigidContact, Sink,
    WorldBuilder,
};
use std::sync::Arc;

/// 27 particles of two fluids over a ball, in a box.
fn builder() -> WorldBuilder {
    let oil = Fluid { name: "oil".to_owned(), rest_density: 900.0, ..Fluid::default() };
    World::builder()
        .domain([0.0; 3], [0.4, 0.4, 0.5])
        .spacing(0.05)
        .fluid(Fluid::default())
        .block([0.1; 3], [0.25, 0.25, 0.2])
        .fluid(oil)
        .block([0.1, 0.1, 0.2], [0.25, 0.25, 0.25])
        .sphere([0.3, 0.3, 0.1], 0.06)
}

/// Sound ten times as fast as any particle.
pub fn wcsph() -> Wcsph {
    Wcsph { sound_speed: Some(30.0), ..Wcsph::default() }
}

/// That which a scheme steps.
pub fn fluids(solver: Solver) -> World {
    let mut world = builder().build().unwrap();
    world.solver = solver;
    world.fluids.iter_mut().for_each(|fluid| fluid.stiffness = 100.0);
    if solver.settings().name() == "Multiphase" {
        world.kernel = KernelKind::Mueller;
        world.support_radius = 0.2;
    }
    world
}

/// With tensions, forces, a sink, and an emitter whose nozzle is full.
pub fn fountain() -> World {
    let mut world = fluids(Solver::default());
    world.interfaces = vec![Interface { fluids: [0, 1], tension: 0.02 }];
    world.forces = vec![
        BodyForce::Central { centre: [0.2; 3], stiffness: 1.0 },
        BodyForce::Table(vec![(0.0, [0.0; 3]), (1.0, [1.0, 0.0, 0.0])]),
    ];
    let emitter = Emitter {
        phase: 0,
        places: vec![Vec3::new(0.3, 0.1, 0.1)],
        normal: [0.0, 0.0, 1.0],
        velocity: [0.0, 0.0, 1.0],
        start: 0.0,
        end: f64::INFINITY,
        depth: 2,
        tunnel: vec![],
        rim: vec![],
    };
    let sink = Sink::Box { min: [0.0, 0.0, 0.4], max: [0.4, 0.4, 0.5] };
    world.open_boundaries = OpenBoundaries::new(vec![emitter], vec![sink], None, 2);
    world
}

/// In the plane.
pub fn plane() -> World {
    let builder = World::builder().dimension(Dimension::Two).spacing(0.05);
    let builder = builder.domain([0.0; 3], [0.5, 0.0, 0.5]).fluid(Fluid::default());
    builder.block([0.1, 0.0, 0.1], [0.3, 0.0, 0.3]).build().unwrap()
}

/// A free ball that touches what it meets.
pub fn free_ball() -> World {
    let mut world = fluids(Solver::default());
    let centre = [0.3, 0.3, 0.1];
    world.solids = world.solids.with_kinematic_laws(vec![Some(KinematicLaw::driven(centre))]);
    let mass = ball_mass(0.06, Amount::Density(500.0)).unwrap();
    world.free_bodies = vec![FreeBody::new(1, mass.mass, mass.inertia)];
    let friction = [Friction { friction: 0.3, restitution: 0.5 }];
    let shapes = [Shape::ball(0.06).unwrap()];
    let contact = RigidContact::new(&world, &shapes, &friction, RigidSettings::default());
    world.rigid = Some(contact.unwrap());
    world
}

/// Beside a rope.
pub fn rope_beside() -> World {
    let mut world = fluids(Solver::default());
    let mesh = rope(Point::new(0.05, 0.05, 0.3), Point::new(0.05, 0.3, 0.3), 4).unwrap();
    let material = Material::Rope(Rope::rod(1e5, 1000.0, 0.01));
    let spec = BodySpec::new("rope", mesh, material);
    world.elastic = Some(Elastic::new(Arc::new(ElasticSystem::new(vec![spec]).unwrap())));
    world
}

/// Every one of them, with its name.
pub fn all() -> Vec<(&'static str, World)> {
    let schemes = [
        ("Dfsph", Solver::Dfsph(Dfsph::default())),
        ("Wcsph", Solver::Wcsph(wcsph())),
        ("Multiphase", Solver::Multiphase(Multiphase::default())),
        ("Ballistic", Solver::Ballistic(hashfall::world::Ballistic::default())),
    ];
    let by_scheme = schemes.map(|(name, solver)| (name, fluids(solver)));
    let others = [
        ("fountain", fountain()),
        ("plane", plane()),
        ("free ball", free_ball()),
        ("rope", rope_beside()),
    ];
    by_scheme.into_iter().chain(others).collect()
}

/// Wrong numbers, and odd ones.
pub const NUMBERS: [Real; 8] =
    [Real::NAN, Real::INFINITY, -Real::INFINITY, -1.0, 0.0, 1e-30, 1e30, Real::MAX];
