//! Checks of single shapes of fluid: their position, velocity field and support by the solver.

use super::checks::{Checks, brief};
use crate::check::reach_out_of;
use crate::model::limits::{MAX_COORDINATE, SLACK};
use crate::model::{
    BallShape, BoxShape, CapsuleShape, ConeShape, CylinderShape, FillShape, FluidShape, MeshShape,
    ParticlesShape, PolygonShape, RandomShape, Region, Start, VelocityField,
};
use crate::problem::Problem;
use hashfall_formula::{FormulaError, PlaceFormula};
use hashfall_geometry::prism::crossing_edges;
use hashfall_sph::world::Feature;

/// Entries of a velocity gradient \[1/s\].
const MAX_GRADIENT: f64 = 1e6;
/// Axes and radii of round shapes are not shorter than this \[m\].
const MIN_LENGTH: f64 = 1e-6;
/// Corners of a polygon; each edge is compared with each other.
const MAX_CORNERS: usize = 10_000;

impl Checks<'_> {
    /// What every shape has.
    pub(super) fn start(&mut self, path: &str, start: &Start) {
        self.vector(&format!("{path}.velocity"), &start.velocity, 1e4, "m/s");
        self.velocity_field(&format!("{path}.initial_velocity"), start.initial_velocity);
    }

    /// What a shape says of its place; returns whether it can be laid out without its files.
    pub(super) fn fluid_shape(&mut self, path: &str, shape: &FluidShape) -> bool {
        match shape {
            FluidShape::Box(BoxShape { min, max, pressure, .. }) => {
                self.start_pressure(&format!("{path}.pressure"), *pressure);
                self.corners(path, min, max)
            }
            FluidShape::Ball(BallShape { centre, .. }) => self.ball(path, centre),
            FluidShape::Cylinder(CylinderShape { from, to, .. })
            | FluidShape::Capsule(CapsuleShape { from, to, .. }) => {
                let is_axis = self.axis_ends(path, from, to);
                self.is_sound(&format!("{path}.radius")) && is_axis
            }
            FluidShape::Cone(cone) => self.cone(path, cone),
            FluidShape::Mesh(MeshShape { path: file, rotate, translate, .. }) => {
                self.mesh(path, file, rotate, translate);
                // Where it lies is known when its file is read.
                false
            }
            FluidShape::Polygon(PolygonShape { points, .. }) => {
                self.polygon(path, points);
                false
            }
            FluidShape::Particles(ParticlesShape { path: file, rotate, translate, .. }) => {
                self.file(path, file, "particle");
                self.placement(path, rotate, translate);
                false
            }
            FluidShape::Fill(fill) => {
                self.fill(path, fill);
                // What it holds is known when the solids stand.
                false
            }
            FluidShape::Random(RandomShape { region, .. }) => self.random_places(path, region),
            FluidShape::Union(_) | FluidShape::Intersection(_) | FluidShape::Difference(_) => {
                self.composition(path, shape)
            }
        }
    }

    /// The parts of a composition say where they are, and nothing else.
    fn composition(&mut self, path: &str, shape: &FluidShape) -> bool {
        let parts = shape.parts();
        let is_list = !matches!(shape, FluidShape::Difference(_));
        if is_list && parts.is_empty() {
            let message = format!("a {} of no shapes", shape.name().to_lowercase());
            let help = "such as of: [Box(min: (…), max: (…)), Ball(centre: (…), radius: …)]";
            self.push(Problem::error(format!("{path}.of"), message, help));
            return false;
        }
        parts.into_iter().fold(true, |all, (end, part)| {
            let path = format!("{path}{end}");
            self.start_of_part(&path, part, shape.name());
            let is_sound = match part {
                FluidShape::Random(_) | FluidShape::Particles(_) => {
                    let help = "a shape that holds space, such as Box, Ball or Mesh";
                    self.push(Problem::error(&path, "single particles have no inside", help));
                    false
                }
                FluidShape::Fill(_) => {
                    let message = "what fills a vessel is no part of a composition";
                    let help = "a shape of its own beside this one";
                    self.push(Problem::error(&path, message, help));
                    false
                }
                part => self.fluid_shape(&path, part),
            };
            is_sound && all
        })
    }

    /// A part has no start of its own.
    fn start_of_part(&mut self, path: &str, part: &FluidShape, whole: &str) {
        let start = part.start();
        let is_hydrostatic =
            matches!(part, FluidShape::Box(it) if it.pressure != Default::default());
        for (key, is_set) in [
            ("velocity", start.velocity != [0.0; 3]),
            ("initial_velocity", *start.initial_velocity != VelocityField::Still),
            ("jitter", start.jitter.is_some()),
            ("replaces", start.replaces),
            ("pressure", is_hydrostatic),
        ] {
            if is_set {
                let message = format!("`{key}` of a part of a {}", whole.to_lowercase());
                let help = match key {
                    "pressure" => "a Box of its own, or none".to_owned(),
                    _ => format!("`{key}` beside the parts: {whole}(of: …, {key}: …)"),
                };
                self.push(Problem::error(format!("{path}.{key}"), message, &help));
            }
        }
    }

    /// The ends of an axis, which differ.
    pub(super) fn axis_ends(&mut self, path: &str, from: &[f64; 3], to: &[f64; 3]) -> bool {
        let [start, end] = [("from", from), ("to", to)]
            .map(|(key, place)| self.point(&format!("{path}.{key}"), place));
        if !(start && end) {
            return false;
        }
        let length = (0..3).map(|a| (to[a] - from[a]) * (to[a] - from[a])).sum::<f64>().sqrt();
        if length < MIN_LENGTH {
            let message = "`from` and `to` are one place: the axis has no direction";
            let problem = Problem::error(format!("{path}.to"), message, "two places");
            self.push(problem.also_at(format!("{path}.from")));
        }
        length >= MIN_LENGTH
    }

    fn cone(&mut self, path: &str, cone: &ConeShape) -> bool {
        let is_axis = self.axis_ends(path, &cone.from, &cone.to);
        let keys = ["radius", "tip_radius"].map(|key| format!("{path}.{key}"));
        let mut is_sound = keys.iter().all(|key| self.is_sound(key));
        if is_sound && cone.radius.max(cone.tip_radius) < MIN_LENGTH {
            let message = "a cone whose ends both have no radius";
            let problem = Problem::error(&keys[0], message, "a positive `radius`");
            self.push(problem.also_at(&keys[1]));
            is_sound = false;
        }
        is_sound && is_axis
    }

    pub(super) fn velocity_field(&mut self, path: &str, field: &VelocityField) {
        match field {
            VelocityField::Still => {}
            VelocityField::Linear { centre, rows } => {
                self.point(&format!("{path}.centre"), centre);
                for (i, row) in rows.iter().enumerate() {
                    self.vector(&format!("{path}.rows[{i}]"), row, MAX_GRADIENT, "1/s");
                }
            }
            VelocityField::Formula { x, y, z } => {
                for (key, text) in [("x", x), ("y", y), ("z", z)] {
                    let path = format!("{path}.{key}");
                    match PlaceFormula::parse(text) {
                        // Its values are checked where particles are laid.
                        Ok(_) => {}
                        Err(FormulaError { at, message, help }) => {
                            let problem = Problem::error(path, message, &help);
                            // After the opening quote.
                            self.push(Problem { at: Some(at + 1), ..problem });
                        }
                    }
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

    /// A vessel is filled from a place to a level, or with a volume.
    fn fill(&mut self, path: &str, fill: &FillShape) {
        self.point(&format!("{path}.from"), &fill.from);
        self.start_pressure(&format!("{path}.pressure"), fill.pressure);
        if let Some(level) = fill.level {
            let range = -MAX_COORDINATE..=MAX_COORDINATE;
            self.within(&format!("{path}.level"), level, range, "m");
        }
        let help = "either `level`, a height in m, or `volume`, in m³";
        match (fill.level, fill.volume) {
            (Some(_), Some(_)) => {
                let message = "both `level` and `volume` are given";
                let problem = Problem::error(format!("{path}.volume"), message, help);
                self.push(problem.also_at(format!("{path}.level")));
            }
            (None, None) => {
                self.push(Problem::error(path, "how much to fill in is not given", help));
            }
            _ => {}
        }
        if fill.replaces {
            let message = "what fills a vessel replaces nothing";
            let help = "`replaces` at the other shapes, which then take its particles";
            self.push(Problem::error(format!("{path}.replaces"), message, help));
        }
    }

    /// Particles that may lie in one place are for the solver that does not mind. Returns whether
    /// they can be laid out.
    pub(super) fn random_places(&mut self, path: &str, region: &Region) -> bool {
        self.needs(Feature::RandomPositions, path);
        self.corners(&format!("{path}.region"), &region.min, &region.max)
    }

    /// Returns whether the ball can be laid out.
    pub(super) fn ball(&mut self, path: &str, centre: &[f64; 3]) -> bool {
        let is_placed = self.point(&format!("{path}.centre"), centre);
        self.is_sound(&format!("{path}.radius")) && is_placed
    }

    /// A ball must lie inside the domain and hold particles.
    pub(super) fn ball_in_space(&mut self, path: &str, centre: &[f64; 3], radius: f64) {
        let d = 2.0 * self.model.particle_radius();
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
