//! Bodies that fly and spin freely: energy, momentum and angular momentum stay.

use crate::{Case, Findings, Goal, Measured, Samples, Watch};
use hashfall_elastic::ElasticAccount;
use hashfall_geometry::Point;
use hashfall_sph::step::StepReport;
use hashfall_sph::world::World;

/// The case.
pub const CASE: Case = Case {
    name: "elastic_flight",
    about: "A box of springs, a solid and a shell fly and spin, and keep energy and momentum",
    scene: include_str!("../../../scenes/elastic_flight.ron"),
    is_quick: true,
    meshes: &[],
    watch: || Box::new(Flight::default()),
};

#[derive(Default)]
struct Flight {
    start: Option<ElasticAccount>,
    /// The largest changes of energy, momentum and angular momentum, over those at the start.
    largest: [f64; 3],
    /// The largest elastic energy over the kinetic one at the start.
    elastic_ratio: f64,
}

fn account(world: &World) -> Option<ElasticAccount> {
    let elastic = world.elastic.as_ref()?;
    Some(ElasticAccount::new(&elastic.system, &elastic.state, &Point::zeros()))
}

impl Watch for Flight {
    fn sample(&mut self, world: &World) {
        self.start = self.start.or_else(|| account(world));
    }

    fn step(&mut self, world: &World, _: &StepReport) {
        let (Some(start), Some(now)) = (self.start, account(world)) else { return };
        let ratio = |now: Point, start: Point| (now - start).norm() / start.norm();
        let changes = [
            (now.energy() / start.energy() - 1.0).abs(),
            ratio(now.momentum, start.momentum),
            ratio(now.angular_momentum, start.angular_momentum),
        ];
        self.largest = std::array::from_fn(|k| self.largest[k].max(changes[k]));
        self.elastic_ratio = self.elastic_ratio.max(now.elastic / start.kinetic);
    }

    fn findings(&self, _: &Samples) -> Findings {
        let [energy, momentum, angular] = match self.start {
            Some(_) => self.largest,
            None => [f64::NAN; 3],
        };
        let change = |quantity, value| Measured {
            quantity,
            value,
            reference: None,
            goal: Goal::AtMost(1e-10),
            unit: "",
        };
        let measured = vec![
            change("largest change of the energy", energy),
            change("largest change of the momentum", momentum),
            change("largest change of the angular momentum", angular),
            Measured {
                quantity: "largest elastic energy over the kinetic energy at the start",
                value: self.elastic_ratio,
                reference: None,
                goal: Goal::AtLeast(1e-3),
                unit: "",
            },
        ];
        Findings { measured, panels: Vec::new() }
    }
}
