//! Elastic bodies in a world: alone, with solids that move, taken back, and resumed.

use crate::step::Stepper;
use crate::step::time_step::limits::{Limit, StepLength};
use crate::world::{BodyForce, ContactMode, Elastic, World};
use hashfall_core::Vec3;
use hashfall_elastic::{
    BodySpec, ElasticSystem, Fixing, Material, SpringMass, SpringStiffness, Springs, rope, sheet,
};
use hashfall_geometry::Point;
use hashfall_search::{BroadPhaseKind, Structures};
use hashfall_solid::{BodySpec as SolidSpec, ContactLaw, KinematicLaw, Solids, Sphere};
use std::sync::Arc;

const SPRINGS: Springs = Springs {
    stiffness: SpringStiffness::Modulus(1e5),
    across: 0.1,
    mass: SpringMass::Density(500.0),
    thickness: 0.01,
    damping_time: 1e-4,
};

/// A rope with one end fixed, and a sheet of which a corner is tied to a ball that spins.
fn bodies() -> Elastic {
    let line = rope(Point::new(0.1, 0.1, 0.9), Point::new(0.5, 0.1, 0.9), 10).unwrap();
    let mut rope = BodySpec::new("rope", line, Material::Springs(SPRINGS));
    rope.fixings.push((0, Fixing::Fixed));
    let [origin, u, v] = [[0.3, 0.3, 0.8], [0.4, 0.0, 0.0], [0.0, 0.4, 0.0]].map(Point::from);
    let mesh = sheet(origin, u, v, [4, 4]).unwrap();
    let mut cloth = BodySpec::new("cloth", mesh, Material::Springs(SPRINGS));
    cloth.fixings.push((0, Fixing::Tied { body: 0, local: origin }));
    cloth.damping_rate = 0.5;
    Elastic::new(Arc::new(ElasticSystem::new(vec![rope, cloth]).unwrap()))
}

/// A world of these bodies alone; the ball turns ten times a second.
fn world() -> World {
    let mut world = crate::step::tests::splash(crate::step::tests::DFSPH);
    world.particles = Default::default();
    world.fluids.clear();
    world.forces = vec![BodyForce::Table(vec![(0.0, [0.0; 3]), (0.1, [5.0, 0.0, 0.0])])];
    let ball = Sphere { centre: Vec3::new(0.3, 0.3, 0.8), radius: 0.01 };
    let spin = KinematicLaw::spin([0.35, 0.3, 0.8], [0.0, 0.0, 1.0], 600.0);
    world.solids = Solids::new(world.solids.domain, vec![ball], vec![])
        .with_bodies(&[SolidSpec { spheres: 1, ..SolidSpec::default() }])
        .with_kinematic_laws(vec![Some(spin)]);
    world.elastic = Some(Elastic { contact: None, ..bodies() });
    world
}

fn stepper(world: &mut World) -> Stepper {
    Stepper::new(&Structures::default(), world).unwrap()
}

#[test]
fn bodies_alone_take_a_step_a_frame_unless_solids_turn() {
    let mut still = world();
    still.solids = Solids::new(still.solids.domain, vec![], vec![]);
    let system = ElasticSystem::new(vec![BodySpec::new(
        "rope",
        rope(Point::zeros(), Point::x(), 4).unwrap(),
        Material::Springs(SPRINGS),
    )]);
    still.elastic = Some(Elastic { contact: None, ..Elastic::new(Arc::new(system.unwrap())) });
    let report = stepper(&mut still).step(&mut still, 0.02).unwrap();
    assert_eq!((report.dt, report.limit), (0.02, Limit::Frame));
    assert!(report.elastic.substeps > 1, "{report:?}");
    // Free fall, and the push of a table that grows by 50 m/s³, for 0.02 s.
    let v = still.elastic.as_ref().unwrap().state.velocity[2];
    let expected = Point::new(50.0 * 0.02 * 0.02 / 2.0, 0.0, -9.81 * 0.02);
    assert!((v - expected).norm() < 1e-5, "{v}");

    let mut turning = world();
    let report = stepper(&mut turning).step(&mut turning, 0.02).unwrap();
    assert!((report.dt - 0.25 / 62.83).abs() < 1e-5, "{report:?}");
    assert_eq!(report.limit, Limit::Speed);
}

#[test]
fn tied_nodes_are_where_their_solid_takes_them_and_fixed_ones_stay() {
    let mut world = world();
    let mut stepper = stepper(&mut world);
    while world.time < 0.02 {
        stepper.step(&mut world, 0.02).unwrap();
    }
    let state = &world.elastic.as_ref().unwrap().state;
    let (sin, cos) = (62.831_853_071_795_86_f64 * 0.02).sin_cos();
    let expected = Point::new(0.35 - 0.05 * cos, 0.3 - 0.05 * sin, 0.8);
    assert!((state.position[11] - expected).norm() < 1e-12, "{}", state.position[11]);
    let rate = Point::new(sin, -cos, 0.0) * (0.05 * 62.831_853_071_795_86);
    // That of the arc of the last step.
    assert!((state.velocity[11] - rate).norm() < 1e-6, "{} {rate}", state.velocity[11]);
    assert_eq!(state.position[0], Point::new(0.1, 0.1, 0.9));
}

#[test]
fn a_step_that_is_taken_back_and_one_that_is_resumed_leave_no_trace() {
    let (mut world, mut other) = (world(), world());
    let (mut first, mut second) = (stepper(&mut world), stepper(&mut other));
    for _ in 0..10 {
        first.snapshot.save(&world);
        first.try_step(&mut world, StepLength::new(0.003, Limit::Frame), 10.0).unwrap();
        assert_ne!(world.elastic_digest(), other.elastic_digest());
        first.rollback(&mut world);
        assert_eq!(world, other);
        first.step(&mut world, 10.0).unwrap();
        second.step(&mut other, 10.0).unwrap();
        assert_eq!(world, other);
        second = Stepper::resume(&Structures::default(), &mut other, &second.memory()).unwrap();
    }
}

#[test]
fn bits_are_the_same_for_any_number_of_threads() {
    let run = |threads| {
        hashfall_core::parallel::with_threads(threads, || {
            let mut world = world();
            let mut stepper = stepper(&mut world);
            while world.time < 0.02 {
                stepper.step(&mut world, 0.02).unwrap();
            }
            world.elastic_digest().unwrap()
        })
    };
    assert_eq!(run(3), run(1));
}

/// A free body in a frame that turns: seen from outside it rests.
#[test]
fn in_a_frame_that_turns_a_body_at_rest_goes_round() {
    let mut world = world();
    world.solids = Solids::new(world.solids.domain, vec![], vec![]);
    world.forces.clear();
    world.gravity = Vec3::zeros();
    world.frame = Some(KinematicLaw::spin([0.0; 3], [0.0, 0.0, 1.0], 60.0));
    let line = rope(Point::new(0.1, 0.0, 0.5), Point::new(0.2, 0.0, 0.5), 4).unwrap();
    let spec = BodySpec::new("rope", line, Material::Springs(SPRINGS));
    let mut elastic = Elastic::new(Arc::new(ElasticSystem::new(vec![spec]).unwrap()));
    let omega = std::f64::consts::TAU;
    let Elastic { state, .. } = &mut elastic;
    for (x, v) in state.position.iter().zip(&mut state.velocity) {
        *v = -Point::z().cross(x) * omega;
    }
    world.elastic = Some(Elastic { contact: None, ..elastic });
    let mut stepper = stepper(&mut world);
    while world.time < 0.25 {
        stepper.step(&mut world, 0.25).unwrap();
    }
    // After a quarter of a turn.
    let x = world.elastic.unwrap().state.position[4];
    assert!((x - Point::new(0.0, -0.2, 0.5)).norm() < 1e-4, "{x}");
}

/// Water on a cloth that hangs by its rim: the fluid meets the nodes where they are, after a
/// resumption too.
#[test]
fn fluid_meets_the_surfaces_of_elastic_bodies_and_goes_on_after_a_resumption() {
    let start = || {
        let mut world = crate::step::tests::splash(crate::step::tests::DFSPH);
        let [origin, u, v] = [[0.0, 0.0, 0.19], [0.4, 0.0, 0.0], [0.0, 0.4, 0.0]].map(Point::from);
        let mesh = sheet(origin, u, v, [6, 6]).unwrap();
        let mut cloth = BodySpec::new("cloth", mesh, Material::Springs(SPRINGS));
        let is_rim = |x: &Point| [x.x, x.y].iter().any(|c| *c < 1e-6 || *c > 0.4 - 1e-6);
        let rim = (0..).zip(&cloth.mesh.nodes).filter(|(_, x)| is_rim(x)).map(|(k, _)| k);
        cloth.fixings = rim.map(|node: u32| (node, Fixing::Fixed)).collect();
        world.solids = Solids::new(world.solids.domain, vec![], vec![]);
        let system = Arc::new(ElasticSystem::new(vec![cloth]).unwrap());
        world.elastic = Some(Elastic { contact: None, ..Elastic::new(system) });
        world.add_elastic_surfaces(&[ContactLaw::default()]);
        world
    };
    let (mut world, mut other) = (start(), start());
    let (mut first, mut second) = (stepper(&mut world), stepper(&mut other));
    for step in 0..20 {
        first.step(&mut world, 10.0).unwrap();
        if step % 5 == 4 {
            // As a run that is read back: the solids are those of the scene.
            other.solids = start().solids;
            second = Stepper::resume(&Structures::default(), &mut other, &second.memory()).unwrap();
        }
        second.step(&mut other, 10.0).unwrap();
        assert_eq!(
            (world.digest(), world.elastic_digest()),
            (other.digest(), other.elastic_digest())
        );
        assert_eq!(world.solids.body_digest(), other.solids.body_digest(), "step {step}");
    }
    let state = &world.elastic.as_ref().unwrap().state;
    assert_eq!(world.solids.deforming_positions(0).unwrap(), &state.position[..]);
    let lowest = state.position.iter().map(|x| x.z).fold(1.0, f64::min);
    assert!(lowest < 0.189, "it sags: {lowest}");
    let passed = world.particles.position.iter().filter(|x| f64::from(x.z) < lowest).count();
    assert_eq!(passed, 0);
}

/// A sheet that falls on a ball and on itself, in a box that it does not fit.
fn falling(contact: Option<ContactMode>) -> World {
    let mut world = world();
    world.forces.clear();
    let ball = Sphere { centre: Vec3::new(0.2, 0.2, 0.15), radius: 0.1 };
    world.solids = Solids::new(world.solids.domain, vec![ball], vec![]);
    let [origin, u, v] = [[0.05, 0.06, 0.26], [0.3, 0.0, 0.0], [0.0, 0.3, 0.01]].map(Point::from);
    let mesh = sheet(origin, u, v, [6, 6]).unwrap();
    let spec = BodySpec::new("cloth", mesh, Material::Springs(SPRINGS));
    let system = Arc::new(ElasticSystem::new(vec![spec]).unwrap());
    world.elastic = Some(Elastic { contact, ..Elastic::new(system) });
    world
}

#[test]
fn contact_is_the_same_for_any_broad_phase_and_after_a_resumption() {
    let run = |broad_phase, resumes: bool| {
        let structures = Structures { broad_phase, ..Structures::default() };
        let mut world = falling(Some(ContactMode::Full));
        let mut stepper = Stepper::new(&structures, &mut world).unwrap();
        let mut contacts = 0;
        for frame in 1..=6 {
            let until = f64::from(frame) / 60.0;
            while world.time < until {
                let report = stepper.step(&mut world, until).unwrap();
                contacts += report.elastic.contact.contacts;
                if resumes {
                    stepper = Stepper::resume(&structures, &mut world, &stepper.memory()).unwrap();
                }
            }
        }
        assert!(contacts > 0);
        world.elastic_digest()
    };
    let expected = run(BroadPhaseKind::default(), false);
    assert_eq!(run(BroadPhaseKind::default(), true), expected);
    for kind in BroadPhaseKind::ALL {
        assert_eq!(run(kind, false), expected, "{kind:?}");
    }
}
