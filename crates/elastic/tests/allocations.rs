//! Steps keep their memory: once it is large enough, advancing elastic bodies allocates nothing.

#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

use hashfall_elastic::{
    BodySpec, ElasticStep, ElasticStepper, ElasticSystem, Material, NoCollisions, Rope, SpringMass,
    SpringStiffness, Springs, Symplectic, SymplecticSettings, rope, sheet,
};
use hashfall_geometry::Point;
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

struct Counting;

static ALLOCATIONS: AtomicUsize = AtomicUsize::new(0);

// SAFETY: everything is left to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Relaxed);
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// A sheet of springs and a rope.
fn bodies() -> ElasticSystem {
    let springs = Springs {
        stiffness: SpringStiffness::Modulus(1e5),
        across: 0.1,
        mass: SpringMass::Density(300.0),
        thickness: 0.01,
        damping_time: 1e-3,
    };
    let mesh = sheet(Point::zeros(), Point::x(), Point::y(), [30, 40]).unwrap();
    let cloth = BodySpec::new("cloth", mesh, Material::Springs(springs));
    let mesh = rope(Point::z(), Point::new(1.0, 0.0, 1.0), 50).unwrap();
    let line = BodySpec::new("line", mesh, Material::Rope(Rope::rod(1e6, 1000.0, 0.01)));
    ElasticSystem::new(vec![cloth, line]).unwrap()
}

#[test]
fn steps_after_the_first_allocate_nothing() {
    // The thread itself is the pool: handing work over to another allocates at times.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build();
    pool.expect("a pool of one").install(|| {
        let integrator = Box::new(Symplectic::new(SymplecticSettings::default()));
        let system = Arc::new(bodies());
        let mut state = system.start().clone();
        state.velocity.iter_mut().zip(&state.position).for_each(|(v, x)| v.z = x.x * x.y);
        let mut stepper = ElasticStepper::new(system, integrator, Box::new(NoCollisions));
        let acceleration = |_: &Point, _: &Point, _: f64| Point::z() * -9.81;
        let mut allocated = Vec::new();
        for k in 0..3 {
            let (time, dt) = (f64::from(k) * 5e-3, 5e-3);
            let before = ALLOCATIONS.load(Relaxed);
            let step = ElasticStep { time, dt, acceleration: &acceleration, motions: &[] };
            let report = stepper.advance(&mut state, &step).unwrap();
            allocated.push(ALLOCATIONS.load(Relaxed) - before);
            assert!(report.substeps > 10, "{report:?}");
        }
        assert!(allocated[0] > 0, "the counter counts");
        assert_eq!(allocated[1..], [0, 0], "in all {allocated:?}");
    });
}
