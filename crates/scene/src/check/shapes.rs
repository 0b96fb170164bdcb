//! Checks of single shapes of fluid: their position, velocity field and support by the solver.

use super::checks::{Checks, brief};
use crate::check::reach_out_of;
use crate::model::limits::{MAX_COORDINATE, SLACK};
use crate::model::{Jitter, Region, SolverModel, VelocityField};
use crate::problem::Problem;
use hashfall_geometry::prism::crossing_edges;

/// Entries of a velocity gradient \[1/s\].
const MAX_GRADIENT: f64 = 1e6;
/// Corners of a polygon; each edge is compared with each other.
const MAX_CORNERS: usize = 10_000;

impl Checks<'_> {
    /// What every shape has.
    pub(super) fn start(
        &mut self,
        path: &str,
        (velocity, field, _): ([f64; 3], VelocityField, Option<Jitter>),
    ) {
        self.vector(&format!("{path}.velocity"), &velocity, 1e4, "m/s");
        self.velocity_field(&format!("{path}.initial_velocity"), field);
    }

    fn velocity_field(&mut self, path: &str, field: VelocityField) {
        match field {
            VelocityField::Still => {}
            VelocityField::Linear { centre, rows } => {
                self.point(&format!("{path}.centre"), &centre);
                for (i, row) in rows.iter().enumerate() {
                    self.vector(&format!("{path}.rows[{i}]"), row, MAX_GRADIENT, "1/s");
                }
            }
            VelocityField::TaylorGreen { .. } | VelocityField::InterfaceWave { .. } => {}
            VelocityField::StandingWave { .. } => {
                let [x, y, z] = self.model.gravity;
                if x != 0.0 || y != 0.0 || z >= 0.0 {
                    let message = "a standing wave needs gravity straight down";
                    let help = "initial_velocity: Still, or gravity: (0.0, 0.0, -9.81)";
                    self.push(Problem::error(path, message, help).also_at("gravity"));
                }
            }
        }
    }

    /// A polygon of the plane: a simple one, with an area.
    pub(super) fn polygon(&mut self, path: &str, points: &[[f64; 2]]) {
        let key = format!("{path}.points");
        if !self.is_plane() {
            let message = "a polygon lies in the plane";
            let help = "dimensions: Two, or a Box or a Mesh";
            self.push(Problem::error(path, message, help).also_at("dimensions"));
        }
        if !(3..=MAX_CORNERS).contains(&points.len()) {
            let message = format!("a polygon of {} corners", points.len());
            let help = format!("from 3 to {MAX_CORNERS} corners (x, z)");
            self.push(Problem::error(key, message, &help));
            return;
        }
        let range = -MAX_COORDINATE..=MAX_COORDINATE;
        let is_sound = points.iter().flatten().enumerate().fold(true, |sound, (k, x)| {
            self.within(&format!("{key}[{}][{}]", k / 2, k % 2), *x, range.clone(), "m") && sound
        });
        if !is_sound {
            return;
        }
        if let Some([a, b]) = crossing_edges(points) {
            let message =
                format!("edges of this polygon cross: after corner {a} and after corner {b}");
            let help = "corners in order around it, each once";
            let problem = Problem::error(format!("{key}[{a}]"), message, help);
            self.push(problem.also_at(format!("{key}[{b}]")));
        }
    }

    /// Particles that may lie in one place are for the solver that does not mind. Returns whether
    /// they can be laid out.
    pub(super) fn random_places(&mut self, path: &str, region: &Region) -> bool {
        if !matches!(self.model.solver, SolverModel::Ballistic(_)) {
            let message = "random positions are for the solver `Ballistic` only";
            let help = "solver: Ballistic(), or a shape with a lattice: Box(…), Ball(…) or Mesh(…)";
            self.push(Problem::error(path, message, help).also_at("solver"));
        }
        self.corners(&format!("{path}.region"), &region.min, &region.max)
    }

    /// Returns whether the ball can be laid out.
    pub(super) fn ball(&mut self, path: &str, centre: &[f64; 3]) -> bool {
        let is_placed = self.point(&format!("{path}.centre"), centre);
        self.is_sound(&format!("{path}.radius")) && is_placed
    }

    /// A ball must lie inside the domain and hold particles.
    pub(super) fn ball_in_space(&mut self, path: &str, centre: &[f64; 3], radius: f64) {
        let d = 2.0 * self.model.particle_radius;
        let bounds = [centre.map(|c| c - radius), centre.map(|c| c + radius)];
        if let Some(out) = reach_out_of(&self.model.domain, bounds, SLACK * d) {
            let (axis, at, wall) = (out.axis, brief(out.at), out.wall);
            let message = format!(
                "fluid outside the domain: the ball reaches to {axis} = {at}, the wall stands at \
                 {wall}"
            );
            let help = "the balls of fluid lie inside the domain";
            let keys = ["", ".radius", ".centre"].map(|key| format!("{path}{key}"));
            self.push(
                Problem::error(path, message, help).also_at_all(keys).also_at(out.wall_path()),
            );
        }
        // The nearest places lie half a spacing from the centre along each axis.
        let least = 0.75_f64.sqrt() * d;
        if radius <= least {
            let message = format!("a ball of radius {radius} m holds no particle");
            let help = format!("a radius above {} m or a smaller `particle_radius`", brief(least));
            let problem = Problem::error(format!("{path}.radius"), message, &help);
            self.push(problem.also_at("particle_radius"));
        }
    }
}
