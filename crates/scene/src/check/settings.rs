//! Checks of what a run is asked to do beside the physics.

use super::checks::Checks;
use crate::problem::Problem;
use crate::settings::{PREVIEW_ANGLES, PREVIEW_SIDES};
use hashfall_sph::world::EnergyLimit;
use hashfall_surface::ANISOTROPY;

impl Checks<'_> {
    pub(super) fn frames(&mut self) {
        let frames = &self.model.frames;
        self.within("frames.count", f64::from(frames.count), 1.0..=1e6, "frames");
        self.within("frames.rate", frames.rate, 1e-3..=1e6, "frames per second");
    }

    pub(super) fn checkpoints(&mut self) {
        let Some(checkpoints) = self.model.checkpoints else { return };
        if let Some(frames) = checkpoints.frames {
            self.within("checkpoints.frames", f64::from(frames), 1.0..=1e6, "frames");
        }
        if let Some(minutes) = checkpoints.minutes {
            self.within("checkpoints.minutes", minutes, 0.0..=1e6, "minutes");
        }
    }

    pub(super) fn limits(&mut self) {
        let limits = &self.model.limits;
        let energy_gain = match limits.energy_gain {
            Some(EnergyLimit::Joules(joules)) => Some(joules),
            Some(EnergyLimit::Auto) | None => None,
        };
        for (key, limit, unit) in [
            ("compression", limits.compression, ""),
            ("penetration", limits.penetration, "particle spacings"),
            ("speed", limits.speed, "m/s"),
            ("energy_gain", energy_gain, "J"),
        ] {
            if let Some(limit) = limit {
                self.within(&format!("limits.{key}"), limit, 0.0..=1e30, unit);
            }
        }
    }

    pub(super) fn preview(&mut self) {
        let Some(preview) = self.model.preview else { return };
        self.within("preview.every", f64::from(preview.every), 1.0..=1e6, "frames");
        let (width, height) = preview.size;
        for (side, name) in [(width, "width"), (height, "height")] {
            if !PREVIEW_SIDES.contains(&side) {
                let (least, most) = (PREVIEW_SIDES.start(), PREVIEW_SIDES.end());
                let message = format!("the {name} of `size` cannot be {side}");
                let help = format!("from {least} to {most} pixels");
                self.push(Problem::error("preview.size", message, &help));
            }
        }
        if let Some((azimuth, elevation)) = preview.view {
            for angle in [azimuth, elevation] {
                self.within("preview.view", angle, PREVIEW_ANGLES, "degrees");
            }
        }
    }

    pub(super) fn surface(&mut self) {
        if let Some(surface) = self.model.surface {
            // A hash cell of size h is cut into 1 to 32 marching-cubes cells along its edge.
            let h = self.model.support_radius();
            let ratio = h / self.model.particle_radius;
            if ratio.is_finite() && ratio > 0.0 {
                self.within("surface.cell", surface.cell, ratio / 32.0..=ratio, "particle radii");
            }
            self.within("surface.iso", surface.iso, 0.05..=0.95, "");
            self.within("surface.anisotropy", surface.anisotropy, ANISOTROPY, "");
            let smoothing = f64::from(surface.smoothing);
            self.within("surface.smoothing", smoothing, 0.0..=1000.0, "iterations");
            let normals = f64::from(surface.normals_iterations());
            self.within("surface.normals_smoothing", normals, 0.0..=1000.0, "iterations");
            let decimation = surface.decimation;
            self.within("surface.decimation", decimation, 0.0..=2.0, "particle radii");
            let smallest = surface.min_component_volume;
            self.within(
                "surface.min_component_volume",
                smallest,
                0.0..=1e9,
                "volumes of a particle",
            );
            if surface.spray && smallest == 0.0 {
                let message = "no body is too small, so that there is no `spray`".to_owned();
                let help = "give a `min_component_volume`, such as 5.0";
                self.push(Problem::error("surface.spray", message, help));
            }
        }
    }
}
