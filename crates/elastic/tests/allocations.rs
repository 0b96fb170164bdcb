//! Steps keep their memory: once it is large enough, advancing elastic bodies allocates nothing.

#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

use hashfall_core::Vec3;
use hashfall_core::allocations::{CountingAllocator, allocation_count};
use hashfall_elastic::{
    Acceleration, BodySpec, Collisions, ElasticStep, ElasticStepper, ElasticSystem, FullContact,
    Material, NoCollisions, Rope, SpatialHashContact, SpatialHashSettings, SpringMass,
    SpringStiffness, Springs, Symplectic, SymplecticSettings, rope, sheet,
};
use hashfall_geometry::{Aabb, Point, Sphere};
use hashfall_search::BroadPhaseKind;
use hashfall_solid::Solids;
use std::sync::Arc;

#[global_allocator]
static COUNTING: CountingAllocator = CountingAllocator;

/// Springs of sheets.
fn springs(damping_time: f64) -> Material {
    Material::Springs(Springs {
        stiffness: SpringStiffness::Modulus(1e5),
        across: 0.1,
        mass: SpringMass::Density(300.0),
        thickness: 0.01,
        damping_time,
    })
}

/// A sheet of springs and a rope.
fn bodies() -> ElasticSystem {
    let mesh = sheet(Point::zeros(), Point::x(), Point::y(), [30, 40]).unwrap();
    let cloth = BodySpec::new("cloth", mesh, springs(1e-3));
    let mesh = rope(Point::z(), Point::new(1.0, 0.0, 1.0), 50).unwrap();
    let line = BodySpec::new("line", mesh, Material::Rope(Rope::rod(1e6, 1000.0, 0.01)));
    ElasticSystem::new(vec![cloth, line]).unwrap()
}

/// What steps with this contact allocate, one after the other.
fn allocations(system: &Arc<ElasticSystem>, collisions: Box<dyn Collisions>) -> [usize; 3] {
    let integrator = Box::new(Symplectic::new(SymplecticSettings::default()));
    let mut state = system.start().clone();
    state.velocity.iter_mut().zip(&state.position).for_each(|(v, x)| v.z = x.x * x.y);
    let mut stepper = ElasticStepper::new(system.clone(), integrator, collisions);
    let acceleration = Acceleration::Uniform(Point::z() * -9.81);
    [0, 1, 2].map(|k| {
        let (time, dt) = (f64::from(k) * 5e-3, 5e-3);
        let before = allocation_count();
        let step = ElasticStep { time, dt, acceleration, motions: &[] };
        let report = stepper.advance(&mut state, &step).unwrap();
        assert!(report.substeps > 10, "{report:?}");
        allocation_count() - before
    })
}

/// Two sheets that lie on each other and slide over a floor.
fn stack(damping_time: f64) -> (Arc<ElasticSystem>, Solids) {
    let layer = |number: u32| {
        let low = Point::z() * (0.0051 + 0.0102 * f64::from(number));
        let mesh = sheet(low, Point::x() * 0.5, Point::y() * 0.5, [14, 14]).unwrap();
        let spec = BodySpec::new(format!("layer {number}"), mesh, springs(damping_time));
        BodySpec { velocity: Point::x() * 2.0, ..spec }
    };
    let system = ElasticSystem::new(vec![layer(0), layer(1)]).unwrap();
    let domain = Aabb::new(Vec3::new(-9.0, -9.0, 0.0), Vec3::repeat(9.0));
    (Arc::new(system), Solids::new(domain, vec![], vec![]))
}

/// The same motion again allocates nothing: what comes near, or touches at more places than ever
/// before, lengthens lists.
fn check_full_contact(damping_time: f64) {
    let (system, solids) = stack(damping_time);
    let contact = FullContact::new(&system, &solids, BroadPhaseKind::default());
    let integrator = Box::new(Symplectic::new(SymplecticSettings::default()));
    let mut stepper = ElasticStepper::new(system.clone(), integrator, Box::new(contact));
    let acceleration = Acceleration::Uniform(Point::z() * -9.81);
    let mut state = system.start().clone();
    let (mut allocated, mut contacts) = ([0; 2], 0);
    for allocated in &mut allocated {
        state.position.copy_from_slice(&system.start().position);
        state.velocity.copy_from_slice(&system.start().velocity);
        let before = allocation_count();
        for number in 0..30 {
            let (time, dt) = (f64::from(number) * 2e-3, 2e-3);
            let step = ElasticStep { time, dt, acceleration, motions: &[] };
            contacts += stepper.advance(&mut state, &step).unwrap().contact.contacts;
        }
        *allocated = allocation_count() - before;
    }
    println!("damped by {damping_time} s: {contacts} contacts, {allocated:?} allocations");
    assert!(contacts > 5000 && allocated[0] > 0, "{contacts}, {allocated:?}");
    assert_eq!(allocated[1], 0, "{allocated:?}");
}

#[test]
fn steps_after_the_first_allocate_nothing() {
    // The thread itself is the pool: handing work over to another allocates at times.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build();
    pool.expect("a pool of one").install(|| {
        let system = Arc::new(bodies());
        let domain = Aabb::new(Vec3::repeat(-9.0), Vec3::repeat(9.0));
        let ball = Sphere { centre: Vec3::new(0.5, 0.5, -0.4), radius: 0.4 };
        let solids = Solids::new(domain, vec![ball], vec![]);
        let hashed =
            SpatialHashContact::new(&system, &solids, SpatialHashSettings::default()).unwrap();
        let modes: [Box<dyn Collisions>; 2] = [Box::new(NoCollisions), Box::new(hashed)];
        for collisions in modes {
            let mode = format!("{collisions:?}");
            let allocated = allocations(&system, collisions);
            assert!(allocated[0] > 0, "the counter counts");
            assert_eq!(allocated[1..], [0, 0], "{allocated:?} {:.20}", mode);
        }
        check_full_contact(1e-3);
        check_full_contact(0.0);
    });
}
