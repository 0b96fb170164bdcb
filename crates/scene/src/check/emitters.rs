//! Checks of emitters, sinks and the maximum number of particles.

use super::checks::Checks;
use crate::model::limits::MAX_COORDINATE;
use crate::model::{EmitterModel, Opening, SinkModel};
use crate::problem::Problem;

/// A particle's nozzle is told in a byte.
pub(super) const MAX_EMITTERS: usize = 255;
/// Sizes of openings and sinks \[m\].
const SIZES: std::ops::RangeInclusive<f64> = 1e-6..=MAX_COORDINATE;

impl Checks<'_> {
    pub(super) fn exchange(&mut self) {
        let model = self.model;
        if model.emitters.len() > MAX_EMITTERS {
            let message = format!("{} emitters; at most {MAX_EMITTERS}", model.emitters.len());
            self.push(Problem::error("emitters", message, "a mesh is one opening of many faces"));
        }
        // What is wrong with those beyond the limit is that they are too many.
        for (i, emitter) in model.emitters.iter().enumerate().take(MAX_EMITTERS) {
            self.emitter(&format!("emitters[{i}]"), emitter);
        }
        for (i, sink) in model.sinks.iter().enumerate() {
            self.sink(&format!("sinks[{i}]"), sink);
        }
        if model.max_particles.is_some() && model.emitters.is_empty() {
            let message = "`max_particles` is for emitters, and there are none";
            let help = "max_particles: None, or a list of `emitters`";
            self.push(Problem::error("max_particles", message, help));
        }
    }

    fn emitter(&mut self, path: &str, emitter: &EmitterModel) {
        self.fluid_of(path, emitter);
        if let Some(direction) = &emitter.direction {
            self.direction(&format!("{path}.direction"), direction);
        }
        let starts = self.is_sound(&format!("{path}.start"));
        if let Some(end) = emitter.end {
            let place = format!("{path}.end");
            if self.is_sound(&place) && starts && end <= emitter.start {
                let message = format!("this emitter ends at {end} s, before its start");
                let help = format!("after `start`, {} s, or None", emitter.start);
                self.push(Problem::error(place, message, &help).also_at(format!("{path}.start")));
            }
        }
        let from = format!("{path}.from");
        match &emitter.from {
            Opening::Disc { centre, normal, .. } => {
                self.point(&format!("{from}.centre"), centre);
                self.direction(&format!("{from}.normal"), normal);
                self.point_in_plane(&format!("{from}.centre"), centre);
            }
            Opening::Rectangle { centre, normal, size: (a, b) } => {
                self.point(&format!("{from}.centre"), centre);
                self.direction(&format!("{from}.normal"), normal);
                self.edges(&format!("{from}.size"), [*a, *b]);
                self.point_in_plane(&format!("{from}.centre"), centre);
            }
            Opening::Mesh { path: file, rotate, translate, .. } => {
                self.mesh(&from, file, rotate, translate);
                if self.is_plane() {
                    self.mesh_in_plane(&from);
                }
            }
        }
    }

    /// The edges of a rectangle; in the plane one of them does not count.
    pub(super) fn edges(&mut self, path: &str, edges: [f64; 2]) {
        for (k, edge) in edges.into_iter().enumerate() {
            let least = if self.is_plane() { 0.0 } else { *SIZES.start() };
            self.within(&format!("{path}[{k}]"), edge, least..=*SIZES.end(), "m");
        }
    }

    /// Refuses a direction of no length.
    pub(super) fn direction(&mut self, path: &str, direction: &[f64; 3]) {
        if self.vector(path, direction, MAX_COORDINATE, "")
            && direction.iter().all(|x| x.abs() < 1e-9)
        {
            let message = "direction of zero length";
            self.push(Problem::error(path, message, "such as (0.0, 0.0, 1.0)"));
        }
        self.point_in_plane(path, direction);
    }

    fn point_in_plane(&mut self, path: &str, x: &[f64; 3]) {
        if self.is_plane() {
            self.in_plane(path, x[1]);
        }
    }

    /// An emitter must say which fluid it gives, if there are several.
    fn fluid_of(&mut self, path: &str, emitter: &EmitterModel) {
        if self.model.fluid_of(emitter).is_some() || self.model.fluids.is_empty() {
            return;
        }
        let problem = match &emitter.fluid {
            Some(name) => self.unknown_fluid(&format!("{path}.fluid"), name),
            None => {
                let message = "the emitter does not name its fluid";
                Problem::error(path, message, &self.known_fluids())
            }
        };
        self.push(problem);
    }

    fn sink(&mut self, path: &str, sink: &SinkModel) {
        match sink {
            SinkModel::Box { min, max } => {
                self.corners(path, min, max);
                self.point_in_plane(&format!("{path}.min"), min);
                self.point_in_plane(&format!("{path}.max"), max);
            }
            SinkModel::Ball { centre, .. } => {
                self.point(&format!("{path}.centre"), centre);
                self.point_in_plane(&format!("{path}.centre"), centre);
            }
        }
    }
}
