//! Whether the values of a [`Model`] can be meant: every bad one is found, all in one go.
//!
//! ron lets `NaN` and `1e999` (infinity) through, and serde knows no limits; both are held here.
//! Limits are wide: they refuse what cannot be meant or cannot be computed in single precision,
//! not what is unusual.

mod contacts;
mod exchange;
mod fluids;
mod forces;
mod interfaces;
mod motions;
mod multiphase;
mod names;
mod probes;
mod search;
mod shapes;
mod solids;
mod space;
mod staying;

pub use fluids::{reach_out_of, too_many_particles};
pub use staying::what_must_stay;

use super::diagnostic::Severity;
use super::model::{
    BallisticModel, DfsphModel, Domain, Model, SolverModel, ViscosityModel, WcsphModel,
};
use crate::settings::{PREVIEW_ANGLES, PREVIEW_SIDES};
use hashfall_core::kernel::KernelKind;
use hashfall_sph::world::{Density, EnergyLimit};
use hashfall_surface::ANISOTROPY;
use std::ops::RangeInclusive;

/// The most particles of a scene: about 14 GB at work with the usual support radius, which a
/// workstation has; and far from where their 32-bit numbers end, with room for their surface's.
pub const MOST_PARTICLES: f64 = 20e6;
/// More solid balls than this cannot be meant.
pub const MOST_SPHERES: f64 = 10e6;
/// Lengths and coordinates stay below this \[m\].
pub const FARTHEST: f64 = 1e6;
/// Factors on the lengths of a mesh \[–\].
pub const SCALES: RangeInclusive<f64> = 1e-9..=1e9;
/// Coordinates stay below this many particle spacings, so that single precision still tells 1/250
/// of a spacing.
const FARTHEST_IN_SPACINGS: f64 = 32768.0;
/// Narrower kernels see one layer of a surface, which comes off: the least width, in radii.
const LEAST_SUPPORT_OF_TENSION: f64 = 5.0;
/// Boxes may miss each other by rounding, in particle spacings.
pub const SLACK: f64 = 1e-6;

/// A problem with values, told by their key paths.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// How bad it is.
    pub severity: Severity,
    /// The values concerned, the most telling first.
    pub paths: Vec<String>,
    /// What is wrong.
    pub message: String,
    /// What would be right.
    pub help: Option<String>,
    /// How many characters into the first value it is, if that is known.
    pub at: Option<usize>,
}

impl Problem {
    /// An error at one value.
    pub fn error(path: impl Into<String>, message: impl Into<String>, help: &str) -> Self {
        Problem {
            severity: Severity::Error,
            paths: vec![path.into()],
            message: message.into(),
            help: (!help.is_empty()).then(|| help.to_owned()),
            at: None,
        }
    }

    /// A warning at one value.
    pub fn warning(path: impl Into<String>, message: impl Into<String>, help: &str) -> Self {
        Problem { severity: Severity::Warning, ..Problem::error(path, message, help) }
    }

    /// The same, concerning another value too.
    pub fn and(mut self, path: impl Into<String>) -> Self {
        self.paths.push(path.into());
        self
    }

    /// The same, concerning other values too.
    pub fn and_all(mut self, paths: impl IntoIterator<Item = String>) -> Self {
        self.paths.extend(paths);
        self
    }
}

/// Every problem of the values, in the order of the keys.
pub fn check(model: &Model) -> Vec<Problem> {
    let mut checks = Checks { model, problems: Vec::new() };
    checks.frames();
    checks.vector("gravity", &model.gravity, 1e6, "m/s²");
    checks.forces();
    let domain_is_sound = checks.domain();
    checks.plane();
    let sizes_are_sound = checks.sizes(domain_is_sound);
    checks.fluids(domain_is_sound && sizes_are_sound);
    checks.interfaces();
    checks.solids();
    checks.motions();
    checks.exchange();
    checks.solver();
    checks.search();
    checks.surface();
    checks.probes(domain_is_sound);
    checks.checkpoints();
    checks.limits();
    checks.preview();
    checks.problems
}

/// The checks of one model.
struct Checks<'a> {
    model: &'a Model,
    problems: Vec<Problem>,
}

impl Checks<'_> {
    fn push(&mut self, problem: Problem) {
        self.problems.push(problem);
    }

    /// Refuses a number outside a range; returns whether it is sound.
    fn within(&mut self, path: &str, x: f64, range: RangeInclusive<f64>, unit: &str) -> bool {
        let sound = range.contains(&x);
        if !sound {
            let key = path.rsplit('.').next().unwrap_or(path);
            let reason = match x {
                x if x.is_nan() => "is not a number".to_owned(),
                x if x.is_infinite() => "is infinite".to_owned(),
                x if x <= 0.0 && *range.start() > 0.0 => {
                    format!("must be positive, not {}", brief(x))
                }
                x if x < 0.0 && *range.start() == 0.0 => {
                    format!("must not be negative, as {} is", brief(x))
                }
                x if x > *range.end() => format!("is too large: {}", brief(x)),
                x => format!("is too small: {}", brief(x)),
            };
            let (low, high) = (brief(*range.start()), brief(*range.end()));
            let unit = if unit.is_empty() { String::new() } else { format!(" {unit}") };
            let help = format!("from {low} to {high}{unit}");
            self.push(Problem::error(path, format!("`{key}` {reason}"), &help));
        }
        sound
    }

    /// Refuses a vector with a component that is not finite or beyond `largest`.
    fn vector(&mut self, path: &str, v: &[f64; 3], largest: f64, unit: &str) -> bool {
        (0..3).fold(true, |sound, a| {
            let component = format!("{path}[{a}]");
            self.within(&component, v[a], -largest..=largest, unit) && sound
        })
    }

    fn point(&mut self, path: &str, p: &[f64; 3]) -> bool {
        self.vector(path, p, FARTHEST, "m")
    }

    /// Refuses a box whose corners are not points or are not in order.
    fn corners(&mut self, path: &str, min: &[f64; 3], max: &[f64; 3]) -> bool {
        let low = self.point(&format!("{path}.min"), min);
        let high = self.point(&format!("{path}.max"), max);
        if !(low && high) {
            return false;
        }
        let Some(&a) = self.axes().iter().find(|&&a| min[a] >= max[a]) else { return true };
        let axis = ["x", "y", "z"][a];
        let message = format!(
            "a box without inside: along {axis}, `min` {} is not below `max` {}",
            min[a], max[a]
        );
        let help = "`min` is the lowest corner and `max` the highest";
        self.push(Problem::error(format!("{path}.max"), message, help).and(format!("{path}.min")));
        false
    }

    fn frames(&mut self) {
        let frames = &self.model.frames;
        self.within("frames.count", f64::from(frames.count), 1.0..=1e6, "frames");
        self.within("frames.rate", frames.rate, 1e-3..=1e6, "frames per second");
    }

    fn checkpoints(&mut self) {
        let Some(checkpoints) = self.model.checkpoints else { return };
        if let Some(frames) = checkpoints.frames {
            self.within("checkpoints.frames", f64::from(frames), 1.0..=1e6, "frames");
        }
        if let Some(minutes) = checkpoints.minutes {
            self.within("checkpoints.minutes", minutes, 0.0..=1e6, "minutes");
        }
    }

    fn limits(&mut self) {
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

    fn preview(&mut self) {
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

    /// Returns whether particles can be laid out.
    fn sizes(&mut self, domain_is_sound: bool) -> bool {
        let r = self.model.particle_radius;
        if !self.within("particle_radius", r, 1e-6..=1e3, "m") {
            return false;
        }
        if let Some(h) = self.model.support_radius {
            let sound = (3.0 * r * (1.0 - SLACK)..=10.0 * r * (1.0 + SLACK)).contains(&h);
            if !sound {
                let message = format!("`support_radius` {h} does not suit `particle_radius` {r}");
                let (low, high) = (brief(3.0 * r), brief(10.0 * r));
                let help = format!("from {low} to {high} m: 3 to 10 particle radii; 4 is usual");
                self.push(Problem::error("support_radius", message, &help).and("particle_radius"));
            } else if self.model.has_tension() && h < LEAST_SUPPORT_OF_TENSION * r * (1.0 - SLACK) {
                let message = format!("surface tension needs a wider kernel than {h}");
                let low = brief(LEAST_SUPPORT_OF_TENSION * r);
                let help = format!("from {low} m, 5 particle radii; 6 are usual with tension");
                self.push(Problem::error("support_radius", message, &help).and("particle_radius"));
            }
        }
        if domain_is_sound {
            self.domain_in_spacings(2.0 * r);
            self.periodic_sides(self.model.support_radius());
        }
        domain_is_sound
    }

    /// The domain must hold particles, and not so far out that their places blur.
    fn domain_in_spacings(&mut self, d: f64) {
        let Domain::Box { min, max, .. } = &self.model.domain;
        let is_thin = |a: &&usize| max[**a] - min[**a] < 2.0 * d * (1.0 - SLACK);
        if let Some(&a) = self.axes().iter().find(is_thin) {
            let axis = ["x", "y", "z"][a];
            let message = format!(
                "the domain is {} m thin along {axis}, less than two particles of {} m",
                brief(max[a] - min[a]),
                brief(d)
            );
            let help = "a wider domain or a smaller `particle_radius`";
            let problem = Problem::error("domain", message, help).and("particle_radius");
            self.push(problem.and("domain.max").and("domain.min"));
        }
        let farthest = min.iter().chain(max).fold(0.0, |far: f64, x| far.max(x.abs()));
        if farthest > FARTHEST_IN_SPACINGS * d {
            let message = format!(
                "the domain reaches {farthest} m from the origin, {:.0} particle spacings",
                farthest / d
            );
            let help = "at most 32768 spacings, or single precision blurs the particles' places";
            let problem = Problem::error("domain", message, help).and("particle_radius");
            self.push(problem.and("domain.max").and("domain.min"));
        }
    }

    fn solver(&mut self) {
        match self.model.solver {
            SolverModel::Dfsph(dfsph) => self.dfsph(dfsph),
            SolverModel::Wcsph(wcsph) => self.wcsph(wcsph),
            SolverModel::Multiphase(multiphase) => self.multiphase(multiphase),
            SolverModel::Ballistic(ballistic) => self.ballistic(ballistic),
        }
    }

    fn dfsph(&mut self, dfsph: DfsphModel) {
        if self.model.kernel == KernelKind::Mueller {
            let message = "the kernel `Mueller` is not for `Dfsph`: what holds the density there \
                           needs the slope of the kernel that sums it";
            let help = "kernel: CubicSpline or WendlandC2, or solver: Wcsph()";
            self.push(Problem::error("kernel", message, help).and("solver"));
        }
        self.within("solver.max_density_error", dfsph.max_density_error, 1e-6..=0.1, "");
        self.within("solver.max_divergence_error", dfsph.max_divergence_error, 1e-6..=0.1, "");
        let count = dfsph.max_iterations;
        if self.within("solver.max_iterations", count, 1.0..=1e5, "") && count.fract() != 0.0 {
            let message = format!("`max_iterations` is not a whole number: {count}");
            self.push(Problem::error("solver.max_iterations", message, "a whole number, as 200.0"));
        }
        self.within("solver.artificial_viscosity", dfsph.artificial_viscosity, 0.0..=10.0, "");
        self.within("solver.courant", dfsph.courant, 1e-3..=1.0, "");
    }

    fn wcsph(&mut self, wcsph: WcsphModel) {
        if let Some(c) = wcsph.sound_speed {
            self.within("solver.sound_speed", c, 1e-3..=1e5, "m/s");
        }
        let exponent = wcsph.exponent;
        if self.within("solver.exponent", exponent, 1.0..=10.0, "") && exponent.fract() != 0.0 {
            let message = format!("`exponent` is not a whole number: {exponent}");
            self.push(Problem::error("solver.exponent", message, "a whole number; 7.0 for water"));
        }
        self.within("solver.artificial_viscosity", wcsph.artificial_viscosity, 0.0..=10.0, "");
        self.within("solver.courant", wcsph.courant, 1e-3..=1.0, "");
        self.within("solver.shifting", wcsph.shifting, 0.0..=10.0, "");
        let pressure = wcsph.background_pressure;
        self.within("solver.background_pressure", pressure, 0.0..=1e9, "Pa");
        self.within("solver.interface_repulsion", wcsph.interface_repulsion, 0.0..=1.0, "");
        self.individual_steps(wcsph.individual_steps);
        if let Density::Continuity { diffusion } = wcsph.density {
            self.within("solver.density.diffusion", diffusion, 0.0..=1.0, "");
        }
    }

    /// Particles that do not feel each other have no kernel of their own, and no viscosity.
    fn ballistic(&mut self, ballistic: BallisticModel) {
        if self.model.kernel == KernelKind::Mueller {
            let message = "the kernel `Mueller` is not for `Ballistic`: its particles do not feel \
                           each other";
            let help = "leave it out, or solver: Wcsph()";
            self.push(Problem::error("kernel", message, help).and("solver"));
        }
        if self.model.viscosity_solver == ViscosityModel::Implicit {
            let message = "there is no viscosity in the solver `Ballistic`";
            let help = "viscosity_solver: Auto, or solver: Dfsph()";
            self.push(Problem::error("viscosity_solver", message, help).and("solver"));
        }
        self.within("solver.courant", ballistic.courant, 1e-3..=1.0, "");
    }

    fn surface(&mut self) {
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

/// A number for a message.
fn brief(x: f64) -> String {
    hashfall_core::short(x, 6)
}
