//! Where diffuse particles are removed, and none is emitted: the boxes of the settings, and the
//! drains of the fluid.

use crate::settings::Region;
use hashfall_core::{Vec3, to_f64};

/// Boxes and balls that remove what is in them.
#[derive(Clone, Debug)]
pub(crate) struct Removal {
    boxes: Vec<Region>,
    /// Centres and radii \[m\].
    balls: Vec<([f64; 3], f64)>,
}

impl Removal {
    /// Of the boxes of the settings, and those and the balls of drains.
    pub fn new(regions: &[Region], drains: &[Region], balls: &[([f64; 3], f64)]) -> Self {
        Removal { boxes: [regions, drains].concat(), balls: balls.to_vec() }
    }

    /// Whether what is at a place \[m\] is removed.
    pub fn removes(&self, x: &Vec3) -> bool {
        let x = to_f64(x);
        let drains = |(centre, radius): &([f64; 3], f64)| {
            let square: f64 = (0..3).map(|a| (x[a] - centre[a]) * (x[a] - centre[a])).sum();
            square < radius * radius
        };
        self.boxes.iter().any(|region| region.contains(&x)) || self.balls.iter().any(drains)
    }
}
