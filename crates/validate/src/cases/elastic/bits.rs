//! Elastic bodies to the bit: every broad phase, one to three threads, and a resume before every
//! step.
//!
//! Beside the run goes another world for each broad phase, from the same start, on its own number
//! of threads; and each step is done again from the state before it by a stepper that has seen
//! nothing, as after a kill or a step that was taken back.

use crate::{Case, Findings, Goal, Measured, Samples, Watch};
use hashfall_search::{BroadPhaseKind, Structures};
use hashfall_sph::step::{StepReport, Stepper};
use hashfall_sph::world::World;

/// The case.
pub const CASE: Case = Case {
    name: "elastic_bits",
    about: "Elastic bodies have the same bits for every broad phase, any threads and after resumes",
    scene: include_str!("../../../scenes/elastic_bits.ron"),
    is_quick: true,
    meshes: &[],
    watch: || Box::new(Bits::default()),
};

#[derive(Default)]
struct Bits {
    /// One by broad phase.
    others: Vec<Other>,
    /// The state before the step.
    before: Option<World>,
    /// Steps in which the bits of another differ, by another broad phase and after a resume.
    different: [u64; 2],
    steps: u64,
    contacts: u64,
    high_order: u64,
}

struct Other {
    world: World,
    stepper: Stepper,
    threads: rayon::ThreadPool,
}

impl Other {
    fn new(world: &World, broad_phase: BroadPhaseKind, threads: usize) -> Option<Self> {
        let mut world = world.clone();
        let structures = Structures { broad_phase, ..Structures::default() };
        let stepper = Stepper::new(&structures, &mut world).ok()?;
        let threads = rayon::ThreadPoolBuilder::new().num_threads(threads).build().ok()?;
        Some(Other { world, stepper, threads })
    }

    /// Steps to a time; returns whether the bits are then those of the world.
    fn follows(&mut self, world: &World) -> bool {
        let Other { world: own, stepper, threads } = self;
        let is_done = threads.install(|| {
            while own.time < world.time {
                if stepper.step(own, world.time).is_err() {
                    return false;
                }
            }
            true
        });
        is_done && own.elastic_digest() == world.elastic_digest()
    }
}

impl Watch for Bits {
    fn sample(&mut self, world: &World) {
        if self.before.is_none() {
            let kinds = BroadPhaseKind::ALL.into_iter().enumerate();
            self.others =
                kinds.filter_map(|(k, kind)| Other::new(world, kind, 1 + k % 3)).collect();
            self.before = Some(world.clone());
        }
    }

    fn step(&mut self, world: &World, step: &StepReport) {
        let Some(before) = &self.before else { return };
        let are_same = self.others.iter_mut().all(|other| other.follows(world));
        let is_resumed_same = Other::new(before, BroadPhaseKind::default(), 2)
            .is_some_and(|mut resumed| resumed.follows(world));
        self.different[0] += u64::from(!are_same);
        self.different[1] += u64::from(!is_resumed_same);
        self.before = Some(world.clone());
        self.steps += 1;
        self.contacts += step.elastic.contact.contacts;
        self.high_order += step.elastic.high_order_substeps;
    }

    fn findings(&self, _: &Samples) -> Findings {
        let is_complete = self.others.len() == BroadPhaseKind::ALL.len() && self.steps > 0;
        let different = |quantity, count: u64| Measured {
            quantity,
            value: if is_complete { count as f64 } else { f64::NAN },
            reference: Some(0.0),
            goal: Goal::AtMost(0.0),
            unit: "",
        };
        let at_least = |quantity, count: u64, least| Measured {
            quantity,
            value: count as f64,
            reference: None,
            goal: Goal::AtLeast(least),
            unit: "",
        };
        let measured = vec![
            different("steps that differ by the broad phase or threads", self.different[0]),
            different("steps that differ after a resume", self.different[1]),
            at_least("contacts", self.contacts, 100.0),
            at_least("substeps of high order", self.high_order, 10.0),
        ];
        Findings { measured, panels: Vec::new() }
    }
}
