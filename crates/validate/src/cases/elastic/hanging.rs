//! A rope and a cloth that hang between two supports as the elastic catenary.

use super::catenary::ElasticCatenary;
use crate::{Case, Findings, Goal, Measured, Samples, Watch};
use hashfall_sph::step::StepReport;
use hashfall_sph::world::World;

/// The rope.
pub const ROPE: Case = Case {
    name: "elastic_rope",
    about: "A rope hangs between two supports as the elastic catenary",
    scene: include_str!("../../../scenes/elastic_rope.ron"),
    is_quick: true,
    meshes: &[],
    watch: || Box::new(Hanging::default()),
};

/// The cloth.
pub const CLOTH: Case = Case {
    name: "elastic_cloth",
    about: "A cloth hangs between two supports as the elastic catenary",
    scene: include_str!("../../../scenes/elastic_cloth.ron"),
    is_quick: true,
    meshes: &[],
    watch: || Box::new(Hanging::default()),
};

/// The weight that the stiffness EA is over.
const STIFFNESS_RATIO: f64 = 2000.0;
/// Where the supports come to \[m\]: that of the first, and their height.
const SUPPORT: [f64; 2] = [0.15, 1.0];

#[derive(Default)]
struct Hanging {
    /// The largest distance of a node from its place on the catenary, over the sag.
    error: Option<f64>,
    /// The sag over that of the catenary.
    sag: f64,
}

impl Watch for Hanging {
    fn step(&mut self, world: &World, _: &StepReport) {
        let Some(elastic) = &world.elastic else { return };
        // A metre of it weighs one: only the ratio counts.
        let catenary = ElasticCatenary::new(STIFFNESS_RATIO, 1.0);
        let sag = -catenary.place(0.5)[1];
        let rest = &elastic.system.start().position;
        let nodes = elastic.state.position.iter().zip(rest);
        let off = nodes.map(|(x, rest)| {
            let [right, up] = catenary.place(rest.x);
            (x.x - SUPPORT[0] - right).hypot(x.z - SUPPORT[1] - up)
        });
        self.error = Some(off.fold(0.0, f64::max) / sag);
        let lowest = elastic.state.position.iter().map(|x| x.z).fold(f64::INFINITY, f64::min);
        self.sag = (SUPPORT[1] - lowest) / sag;
    }

    fn findings(&self, _: &Samples) -> Findings {
        let measured = vec![
            Measured {
                quantity: "largest distance from the catenary over the sag",
                value: self.error.unwrap_or(f64::NAN),
                reference: None,
                goal: Goal::AtMost(5e-3),
                unit: "",
            },
            Measured {
                quantity: "sag over that of the catenary",
                value: self.sag,
                reference: Some(1.0),
                goal: Goal::Within(0.995, 1.005),
                unit: "",
            },
        ];
        Findings { measured, panels: Vec::new() }
    }
}
