//! A ball of rubber that is dropped on the floor: contact never gives energy.

use crate::{Case, Findings, Goal, Measured, Samples, Watch};
use hashfall_output::curves::Curve;
use hashfall_output::plot::{Line, Panel};
use hashfall_sph::step::StepReport;
use hashfall_sph::world::World;

/// The case.
pub const CASE: Case = Case {
    name: "elastic_bounce",
    about: "A ball of rubber is dropped on the floor, and contact gives it no energy",
    scene: include_str!("../../../scenes/elastic_bounce.ron"),
    is_quick: true,
    meshes: &[],
    watch: || Box::new(Bounce::default()),
};

#[derive(Default)]
struct Bounce {
    /// Time \[s\] and energy \[J\].
    energy: Vec<[f64; 2]>,
    /// Steps up to the first with contact.
    flight: Option<usize>,
    contacts: u64,
}

impl Watch for Bounce {
    fn sample(&mut self, world: &World) {
        if self.energy.is_empty() {
            self.energy.extend(world.elastic_audit().map(|audit| [world.time, audit.energy()]));
        }
    }

    fn step(&mut self, world: &World, step: &StepReport) {
        self.contacts += step.elastic.contact.contacts;
        if self.flight.is_none() && self.contacts > 0 {
            self.flight = Some(self.energy.len());
        }
        self.energy.extend(world.elastic_audit().map(|audit| [world.time, audit.energy()]));
    }

    fn findings(&self, _: &Samples) -> Findings {
        let start = self.energy.first().map_or(f64::NAN, |[_, energy]| *energy);
        let largest = |steps: &[[f64; 2]]| {
            steps.iter().map(|[_, energy]| energy / start - 1.0).fold(f64::NEG_INFINITY, f64::max)
        };
        let flight = &self.energy[..self.flight.unwrap_or(0)];
        let change = flight.iter().map(|[_, energy]| (energy / start - 1.0).abs());
        let rises = self.energy.windows(2).map(|pair| (pair[1][1] - pair[0][1]) / start);
        let at_most = |quantity, value| Measured {
            quantity,
            value,
            reference: None,
            goal: Goal::AtMost(1e-10),
            unit: "",
        };
        let measured = vec![
            at_most(
                "largest change of the energy before it touches",
                change.fold(f64::NAN, f64::max),
            ),
            at_most("largest energy over that at the start, less 1", largest(&self.energy)),
            at_most("largest rise of the energy in a step", rises.fold(f64::NAN, f64::max)),
            Measured {
                quantity: "contacts",
                value: self.contacts as f64,
                reference: None,
                goal: Goal::AtLeast(100.0),
                unit: "",
            },
        ];
        let energy = Curve::new(self.energy.clone());
        let lines = vec![Line { label: "ball", is_reference: false, curve: energy }];
        let title = "Kinetic, elastic and potential energy";
        let panels = vec![Panel { title, x: "time [s]", y: "energy [J]", log: false, lines }];
        Findings { measured, panels }
    }
}
