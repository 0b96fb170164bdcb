//! Free bodies of many triangles, of which fields and lists are kept in their frames: no result
//! depends on who came there first.

use crate::step::bodies::lab::{dfsph, state, water, with_contact};
use crate::step::stepper::Stepper;
use crate::world::{FreeBody, World};
use hashfall_core::{Real, parallel, vec3};
use hashfall_geometry::shape::sphere_mesh;
use hashfall_rigid::{Amount, Shape, ball_mass};
use hashfall_search::{BroadPhaseKind, Structures};
use hashfall_solid::KinematicLaw;

const RADIUS: f64 = 0.06;

/// Stones of one shape, of 320 triangles, in water.
fn stones(centres: &[[f64; 3]], density: f64) -> World {
    let mut builder = water(0.025, [0.4, 0.4, 0.5], dfsph());
    for centre in centres {
        builder = builder.mesh(sphere_mesh(&vec3(*centre), RADIUS as Real, 2));
    }
    let mut world = builder.block([0.0; 3], [0.4, 0.4, 0.35]).build().unwrap();
    let laws = centres.iter().map(|centre| Some(KinematicLaw::driven(*centre)));
    world.solids = world.solids.with_kinematic_laws(laws.collect());
    let mass = ball_mass(RADIUS, Amount::Density(density)).unwrap();
    let bodies = (1..=centres.len()).map(|k| FreeBody::new(k, mass.mass, mass.inertia));
    world.free_bodies = bodies.collect();
    let shapes: Vec<Shape> = centres.iter().map(|_| Shape::ball(RADIUS).unwrap()).collect();
    with_contact(world, &shapes)
}

#[test]
fn bits_are_the_same_for_any_threads_any_broad_phase_and_when_resumed() {
    let run = |threads, structures: &Structures, resumed_at: usize| {
        parallel::with_threads(threads, || {
            // One falls on the other.
            let mut world = stones(&[[0.2, 0.21, 0.07], [0.22, 0.2, 0.195]], 2500.0);
            let mut stepper = Stepper::new(structures, &mut world).unwrap();
            assert!(world.solids.indexed_objects().is_empty(), "triangles are no objects");
            for step in 0..16 {
                if step == resumed_at {
                    let memory = stepper.memory();
                    stepper = Stepper::resume(structures, &mut world, &memory).unwrap();
                }
                stepper.step(&mut world, 10.0).unwrap();
            }
            assert!(state(&world, 2).velocity.norm() > 1e-3);
            (world.digest(), world.body_digest(), stepper.memory())
        })
    };
    let expected = run(1, &Structures::default(), 100);
    assert_eq!(run(3, &Structures::default(), 9), expected);
    for broad_phase in BroadPhaseKind::ALL {
        let structures = Structures { broad_phase, ..Structures::default() };
        assert_eq!(run(2, &structures, 5), expected, "{broad_phase:?}");
    }
}
