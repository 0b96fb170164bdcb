//! Checks of the settings of the surface whose bounds depend on other values.

use super::checks::Checks;
use crate::problem::Problem;

impl Checks<'_> {
    pub(super) fn surface(&mut self) {
        let Some(surface) = self.model.surface else { return };
        // A hash cell of size h is cut into 1 to 32 marching-cubes cells along its edge.
        let ratio = self.model.support_radius() / self.model.particle_radius();
        if ratio.is_finite() && ratio > 0.0 {
            self.within("surface.cell", surface.cell, ratio / 32.0..=ratio, "particle radii");
        }
        if surface.spray && surface.min_component_volume == 0.0 {
            let message = "`spray` needs a `min_component_volume` above 0";
            let help = "give a `min_component_volume`, such as 5.0";
            self.push(Problem::error("surface.spray", message, help));
        }
    }
}
