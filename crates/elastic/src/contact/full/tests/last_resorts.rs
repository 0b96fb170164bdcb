//! What the solver alone does not do: new speeds, constraints at an impact, rigid zones, and cuts.

use super::world::{body, empty, springs};
use crate::contact::{Collisions, ContactCounts, Drift, FullContact, NodeMotion, SolidMotion};
use crate::meshing::rope;
use crate::system::{BodySpec, ElasticSystem};
use hashfall_core::Vec3;
use hashfall_geometry::{Aabb, Point};
use hashfall_search::BroadPhaseKind;
use hashfall_solid::Solids;

/// How long a substep is \[s\].
const DT: f64 = 0.5;

/// A rope of one segment with a thickness of 0.01 m.
fn thread(name: &str, from: [f64; 3], to: [f64; 3]) -> BodySpec {
    let mesh = rope(Point::from(from), Point::from(to), 1).unwrap();
    body(name, mesh, &springs(1.0, 0.0, 0.01), 0.0)
}

/// Threads that cross, one above the other by 0.1 m, the first of which falls.
struct Stack {
    contact: FullContact,
    position: Vec<Point>,
    velocity: Vec<Point>,
    inverse_mass: Vec<f64>,
}

impl Stack {
    fn new(inverse_masses: &[f64], speed: f64, solids: &Solids) -> Self {
        let spec = |k: usize| {
            let [from, to] = [-0.5, 0.5].map(|end| {
                let angle = k as f64;
                [end * angle.cos(), end * angle.sin(), -0.1 * k as f64]
            });
            thread(&format!("thread {k}"), from, to)
        };
        let system = ElasticSystem::new((0..inverse_masses.len()).map(spec).collect()).unwrap();
        let position = system.start().position.clone();
        let mut velocity = vec![Point::zeros(); position.len()];
        velocity[..2].fill(Point::new(0.0, 0.0, -speed));
        Stack {
            contact: FullContact::new(&system, solids, BroadPhaseKind::default()),
            position,
            velocity,
            inverse_mass: inverse_masses.iter().flat_map(|inverse| [*inverse; 2]).collect(),
        }
    }

    /// One substep; returns the part of it that was free.
    fn advance(&mut self) -> f64 {
        let Stack { contact, position, velocity, inverse_mass } = self;
        let (inverse_mass, solids) = (&inverse_mass[..], SolidMotion::default());
        let motion = NodeMotion { position, inverse_mass, time: 0.0, dt: DT, solids };
        let part = contact.resolve(&motion, velocity).unwrap();
        let drift = Drift { inverse_mass, time: 0.0, dt: part * DT, solids };
        contact.drift(&drift, position, velocity);
        part
    }

    /// How far each thread is above the next \[m\]: below 0 if it went through.
    fn gaps(&self) -> Vec<f64> {
        let heights: Vec<f64> = self.position.iter().step_by(2).map(|x| x.z).collect();
        heights.windows(2).map(|pair| pair[0] - pair[1]).collect()
    }

    fn momentum(&self) -> f64 {
        self.velocity.iter().zip(&self.inverse_mass).map(|(v, inverse)| v.z / inverse).sum()
    }

    fn energy(&self) -> f64 {
        let both = self.velocity.iter().zip(&self.inverse_mass);
        both.map(|(v, inverse)| 0.5 * v.norm_squared() / inverse).sum()
    }

    fn counts(&mut self) -> ContactCounts {
        self.contact.take_counts()
    }
}

#[test]
fn a_light_thread_that_a_heavy_one_stops_starts_no_endless_search() {
    let mut stack = Stack::new(&[1.0, 0.01], 10.0, &empty());
    assert_eq!(stack.advance(), 1.0);
    assert!((stack.gaps()[0] - 0.01).abs() < 1e-9, "{:?}", stack.gaps());
}

#[test]
fn what_is_set_going_is_stopped_by_what_it_meets_in_the_same_substep() {
    // A light thread at rest is hit by a heavy one, and would go through a third.
    let mut stack = Stack::new(&[0.01, 1.0, 1.0], 2.0, &empty());
    let (momentum, energy) = (stack.momentum(), stack.energy());
    assert_eq!(stack.advance(), 1.0);
    let counts = stack.counts();
    assert!(counts.impacts > 0 && counts.cuts == 0, "{counts:?}");
    assert!(stack.gaps().iter().all(|gap| *gap > 1e-3), "{:?}", stack.gaps());
    assert!((stack.momentum() - momentum).abs() < 1e-12 * momentum.abs());
    assert!(stack.energy() <= energy);
}

#[test]
fn what_is_set_going_is_stopped_by_a_wall_in_the_same_substep() {
    // The floor is 0.2 m below the light thread.
    let low = Vec3::new(-9.0, -9.0, -0.3);
    let solids = Solids::new(Aabb::new(low, Vec3::repeat(9.0)), vec![], vec![]);
    let mut stack = Stack::new(&[0.2, 1.0], 2.0, &solids);
    assert_eq!(stack.advance(), 1.0);
    let counts = stack.counts();
    assert!((1..10).contains(&counts.impacts) && counts.cuts == 0, "{counts:?}");
    assert!(stack.position[2].z > -0.3 && stack.gaps()[0] > 1e-3, "{:?}", stack.position);
}

#[test]
fn zones_stop_what_constraints_do_not() {
    let mut stack = Stack::new(&[0.01, 1.0, 1.0], 2.0, &empty());
    stack.contact.max_rounds = 0;
    let (momentum, energy) = (stack.momentum(), stack.energy());
    assert_eq!(stack.advance(), 1.0);
    let counts = stack.counts();
    assert!(counts.impacts > 0 && counts.cuts == 0, "{counts:?}");
    assert!(stack.gaps().iter().all(|gap| *gap > 1e-3), "{:?}", stack.gaps());
    assert!((stack.momentum() - momentum).abs() < 1e-12 * momentum.abs());
    assert!(stack.energy() <= energy);
}

#[test]
fn a_zone_at_a_wall_stops() {
    let low = Vec3::new(-9.0, -9.0, -0.3);
    let solids = Solids::new(Aabb::new(low, Vec3::repeat(9.0)), vec![], vec![]);
    let mut stack = Stack::new(&[0.01, 1.0], 2.0, &solids);
    stack.contact.max_rounds = 0;
    assert_eq!(stack.advance(), 1.0);
    assert_eq!(stack.counts().cuts, 0);
    assert!(stack.position[2].z > -0.3 && stack.gaps()[0] > 1e-3, "{:?}", stack.position);
}

#[test]
fn substeps_are_cut_where_nothing_else_helps_and_nothing_passes() {
    let mut stack = Stack::new(&[0.01, 1.0, 1.0], 2.0, &empty());
    [stack.contact.max_rounds, stack.contact.max_zones] = [0; 2];
    let energy = stack.energy();
    let part = stack.advance();
    assert!(part > 0.0 && part < 1.0, "{part}");
    // Nine tenths of the gap are used up where the second thread comes to the third.
    let gap = stack.gaps()[1];
    assert!((0.0..0.02).contains(&gap), "{gap} m in {part}");
    for _ in 0..20 {
        stack.advance();
        assert!(stack.gaps().iter().all(|gap| *gap > 0.0), "{:?}", stack.gaps());
        assert!(stack.energy() <= energy * (1.0 + 1e-12));
    }
    assert!(stack.counts().cuts > 0);
}
