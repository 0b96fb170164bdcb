//! Checks of the settings of spray, foam and bubbles: pairs in order, boxes, solids by name, and
//! frames that hold what is needed.

use super::checks::Checks;
use crate::output::ParticleFormat;
use crate::problem::Problem;
use hashfall_sph::world::SolidReference;

impl Checks<'_> {
    pub(super) fn foam(&mut self) {
        let Some(foam) = &self.model.foam else { return };
        if !self.model.has_fluid() {
            let help = "leave `foam` out, or add a fluid";
            self.push(Problem::error("foam", "a scene without fluid has no foam", help));
        }
        let has_state = |format: &ParticleFormat| *format != ParticleFormat::Bgeo;
        if !self.model.output.particles.iter().any(has_state) {
            let message = "foam is computed from the particles of frames, and none are written";
            let help = "add `Vtp` to the formats of `output.particles`";
            self.push(Problem::error("foam", message, help).also_at("output.particles"));
        }
        let every = self.model.output.particles_every;
        if every > 1 {
            let message =
                format!("foam is computed from every frame, but one in {every} has particles");
            let help = "leave `output.particles_every` out";
            self.push(Problem::error("foam", message, help).also_at("output.particles_every"));
        }
        let sources = [
            ("foam.trapped_air.limits", foam.trapped_air.limits),
            ("foam.wave_crest.limits", foam.wave_crest.limits),
            ("foam.vorticity.limits", foam.vorticity.limits),
            ("foam.energy", foam.energy),
            ("foam.lifetime", foam.lifetime),
            ("foam.radius", Some(foam.radius)),
        ];
        for (path, pair) in sources {
            if let Some((low, high)) = pair.filter(|(low, high)| low > high) {
                let message = format!("the lower number {low} is above the upper {high}");
                self.push(Problem::error(path, message, "the lower number first"));
            }
        }
        for (key, boxes) in [("emit_in", &foam.emit_in), ("remove_in", &foam.remove_in)] {
            for (i, region) in boxes.iter().enumerate() {
                self.corners(&format!("foam.{key}[{i}]"), &region.min, &region.max);
            }
        }
        for (i, name) in foam.emit_from.iter().enumerate() {
            let solid = SolidReference::Name(name.clone());
            self.solid_reference(&format!("foam.emit_from[{i}]"), &solid);
        }
    }
}
