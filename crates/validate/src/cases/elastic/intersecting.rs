//! Bodies that would intersect: a cloth that is twisted, one that is crushed to a ball, and thirty
//! bodies in a box. No edge crosses a triangle at the end of any step.

use crate::{Case, Findings, Goal, Measured, Samples, Watch};
use hashfall_core::to_f64;
use hashfall_geometry::Point;
use hashfall_sph::step::StepReport;
use hashfall_sph::world::World;

/// A small cloth that is twisted.
pub const TWIST: Case = Case {
    name: "elastic_twist",
    about: "A cloth of 648 triangles is twisted three times, and does not cross itself",
    scene: include_str!("../../../scenes/elastic_twist.ron"),
    is_quick: true,
    meshes: &[],
    watch: || Box::new(Crossings::default()),
};

/// A large one.
pub const LARGE_TWIST: Case = Case {
    name: "elastic_twist_10000",
    about: "A cloth of 10 000 triangles is twisted ten times, and does not cross itself",
    scene: include_str!("../../../scenes/elastic_twist_10000.ron"),
    is_quick: false,
    meshes: &[],
    watch: || Box::new(Crossings::default()),
};

/// A small cloth that is crushed.
pub const CRUMPLE: Case = Case {
    name: "elastic_crumple",
    about: "A cloth of 512 triangles is crushed to a ball, and does not cross itself",
    scene: include_str!("../../../scenes/elastic_crumple.ron"),
    is_quick: true,
    meshes: &[],
    watch: || Box::new(Crossings::default()),
};

/// A large one.
pub const LARGE_CRUMPLE: Case = Case {
    name: "elastic_crumple_10000",
    about: "A cloth of 10 000 triangles is crushed to a ball, and does not cross itself",
    scene: include_str!("../../../scenes/elastic_crumple_10000.ron"),
    is_quick: false,
    meshes: &[],
    watch: || Box::new(Crossings::default()),
};

/// Bodies that are thrown into a box.
pub const BODIES: Case = Case {
    name: "elastic_bodies",
    about: "Thirty bodies of springs are thrown into a box, and do not cross for 500 steps",
    scene: include_str!("../../../scenes/elastic_bodies.ron"),
    is_quick: true,
    meshes: &[],
    watch: || Box::new(Crossings::default()),
};

/// The same for long.
pub const MANY_STEPS: Case = Case {
    name: "elastic_bodies_10000",
    about: "Thirty bodies of springs are thrown into a box, and do not cross for 10 000 steps",
    scene: include_str!("../../../scenes/elastic_bodies_10000.ron"),
    is_quick: false,
    meshes: &[],
    watch: || Box::new(Crossings::default()),
};

#[derive(Default)]
struct Crossings {
    /// Of all steps.
    crossings: usize,
    /// Nodes outside the domain, of all steps.
    outside: usize,
    steps: u64,
    substeps: u64,
    contacts: u64,
}

/// How many nodes lie outside the domain.
fn nodes_outside(world: &World) -> usize {
    let Some(elastic) = &world.elastic else { return 0 };
    let (low, high) = (to_f64(&world.solids.domain.min), to_f64(&world.solids.domain.max));
    let is_outside = |x: &&Point| !(0..3).all(|a| (low[a]..=high[a]).contains(&x[a]));
    elastic.state.position.iter().filter(is_outside).count()
}

impl Watch for Crossings {
    fn step(&mut self, world: &World, step: &StepReport) {
        self.crossings += world.elastic_intersections().unwrap_or(0);
        self.outside += nodes_outside(world);
        self.steps += 1;
        self.substeps += step.elastic.substeps;
        self.contacts += step.elastic.contact.contacts;
    }

    fn findings(&self, _: &Samples) -> Findings {
        let (substeps, contacts) = (self.substeps as f64, self.contacts as f64);
        let zero = |quantity, count: usize| Measured {
            quantity,
            value: if self.steps > 0 { count as f64 } else { f64::NAN },
            reference: Some(0.0),
            goal: Goal::AtMost(0.0),
            unit: "",
        };
        let measured = vec![
            zero("edges that cross triangles, in all steps", self.crossings),
            zero("nodes outside the domain, in all steps", self.outside),
            Measured {
                quantity: "contacts in a substep, mean",
                value: contacts / substeps,
                reference: None,
                goal: Goal::AtLeast(1.0),
                unit: "",
            },
        ];
        Findings { measured, panels: Vec::new() }
    }
}
