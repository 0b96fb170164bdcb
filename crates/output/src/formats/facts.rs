//! What the scripts that open a run must be told; everything else they see in its folder.

use hashfall_core::{Dimension, to_f64};
use hashfall_sph::world::World;
use serde::Serialize;

/// Stands for the facts in a script's template.
const MARKER: &str = "\"@RUN@\"";

/// The facts.
#[derive(Clone, Debug, Serialize)]
pub struct Facts<'a> {
    name: &'a str,
    /// Frames per second of simulated time \[1/s\].
    frame_rate: f64,
    /// 2 or 3.
    dimensions: u32,
    domain_min: [f64; 3],
    domain_max: [f64; 3],
    /// The radius of particles \[m\].
    particle_radius: f64,
    /// The fluids' names in those of files.
    fluids: Vec<String>,
    /// The elastic bodies' names in those of files.
    elastic: Vec<String>,
}

impl<'a> Facts<'a> {
    /// Of a run of this name, with its frames per second \[1/s\] and the names that its fluids and
    /// elastic bodies have in those of files.
    pub fn new(
        name: &'a str,
        frame_rate: f64,
        world: &World,
        fluids: Vec<String>,
        elastic: Vec<String>,
    ) -> Self {
        Facts {
            name,
            frame_rate,
            dimensions: match world.dimension {
                Dimension::Two => 2,
                Dimension::Three => 3,
            },
            domain_min: to_f64(&world.solids.domain.min),
            domain_max: to_f64(&world.solids.domain.max),
            particle_radius: f64::from(world.particle_radius),
            fluids,
            elastic,
        }
    }

    /// The template with the facts in place of its marker.
    pub(crate) fn fill(&self, template: &str) -> String {
        // Strings, finite numbers, lists and string keys: JSON that is a Python literal, too.
        let literal = serde_json::to_string_pretty(self).expect("facts are plain data");
        template.replacen(MARKER, &literal, 1)
    }
}
