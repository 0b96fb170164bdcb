//! `limits.energy_gain`: energy that nothing supplies is not plausible.
//!
//! E is the kinetic and potential energy of the fluid and of the bodies that move freely with it,
//! less all that came in with particles and the work of what is outside
//! ([`World::net_energy`]): it can only fall. A fixed limit in joules is checked at frames, against
//! the start. `Auto` is also checked every few steps. With the energy of compression U, that of
//! later states and not of the start, E must not return above the minimum that E + U has reached:
//! the gain G = E − min(E + U) has the bounds
//!
//! - ε (A + L) + β B + T, as far as the kinetic energy is beyond A + B, and
//! - ε (A + L + S) + β B + T in all, which allows for fluid that swells,
//!
//! with the scales of [`EnergyScales`], what was brought from outside since the start, B, ε =
//! 1/100, and β = 1/20, as the work on fluid that is hit is known to some hundredths (a wedge that
//! enters water: 0.025 B). Where no force acts and nothing moves, A = L = 0, and A is the kinetic
//! energy of a motion of a tenth of a spacing per frame. T bounds the energy of surfaces with
//! tension, which the gain is then counted from the start for. What pressures store at the start
//! allows for nothing: such a start is loaded ([`EnergyReference::load`]).
//!
//! Symbols: E, U, G energies \[J\], ε, β tolerances \[–\].

use super::limits::Breach;
use super::plan::Plan;
use hashfall_core::{Dimension, format_significant};
use hashfall_scene::Limits;
use hashfall_sph::step::{StepError, Stepper};
use hashfall_sph::world::{EnergyLimit, EnergyScales, World};
use serde::{Deserialize, Serialize};

/// ε.
const TOLERANCE: f64 = 0.01;
/// β.
const TOLERANCE_OF_WORK: f64 = 0.05;
/// Steps between checks of the energy, in addition to those at frames.
const CHECK_INTERVAL: u64 = 16;
/// A negligible displacement between frames, in spacings.
const NEGLIGIBLE: f64 = 0.1;
/// A fluid of at least this fraction of the domain's volume fills it.
const FULL: f64 = 0.98;

/// The energy that gains are measured against, and the gain that `Auto` allows.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct EnergyReference {
    /// E at the start \[J\].
    pub start: f64,
    /// The minimum of E + U so far \[J\].
    #[serde(rename = "least")]
    min: f64,
    /// The time of that minimum \[s\].
    #[serde(rename = "least_at")]
    min_time: f64,
    /// The largest gain of kinetic energy, and of all energy, by what the start has \[J\]; `None`
    /// in a run begun when work from outside was not accounted for.
    pub allowance: Option<[f64; 2]>,
    /// A \[J\].
    #[serde(default)]
    available: f64,
    /// T of the start \[J\].
    #[serde(default)]
    tension: f64,
    /// What had been supplied from outside at the start \[J\].
    #[serde(default)]
    supplied: f64,
    /// What the pressures of the start store, and let go, if that is more than the limit allows
    /// \[J\].
    #[serde(default)]
    pub load: Option<f64>,
}

impl EnergyReference {
    /// The reference of a world between steps, in a run with `rate` frames per second \[1/s\].
    pub fn new(world: &World, rate: f64) -> Self {
        let start = world.net_energy();
        let scales = EnergyScales::new(world);
        let [moving, total] = allowance(world, &scales, rate);
        let stored = world.compression_energy() + scales.disorder;
        EnergyReference {
            start,
            min: start,
            min_time: world.time,
            allowance: Some([moving, total]),
            available: scales.available,
            tension: world.tension_energy_bound(),
            supplied: world.open_boundaries.budget.outside.supplied,
            load: (stored > moving).then_some(stored),
        }
    }

    /// The reference of a plan; takes as long as the first step.
    ///
    /// # Errors
    /// If the initial state cannot be computed.
    pub fn from_plan(plan: &Plan) -> Result<Self, StepError> {
        let mut world = plan.world.clone();
        Stepper::new(&plan.structures, &mut world)?;
        Ok(EnergyReference::new(&world, plan.frames.rate))
    }

    /// The largest gain of kinetic energy, and of all energy, after so much was supplied from
    /// outside in all, and with surfaces of this energy \[J\].
    fn allowed(&self, supplied: f64, tension: f64) -> Option<[f64; 2]> {
        let more = TOLERANCE_OF_WORK * self.brought(supplied) + tension;
        self.allowance.map(|start| start.map(|start| start + more))
    }

    /// B, of what was supplied in all \[J\].
    fn brought(&self, supplied: f64) -> f64 {
        supplied - self.supplied
    }

    /// Whether E \[J\], with the kinetic energy \[J\], is more than ends a run of a world with
    /// `Auto` after so much was supplied \[J\]; true for NaN.
    pub fn ends_run(&self, world: &World, [net, kinetic, supplied]: [f64; 3]) -> bool {
        let allowed = self.allowed(supplied, self.tension);
        let ratio = allowed.map_or(0.0, |allowed| self.ratio([net, kinetic, supplied], allowed));
        is_beyond_known_errors(world, ratio)
    }

    /// The gain over what is allowed; infinite for NaN.
    fn ratio(&self, [net, kinetic, supplied]: [f64; 3], [moving, total]: [f64; 2]) -> f64 {
        let gain = net - self.min;
        let beyond = kinetic - self.available - self.brought(supplied);
        let ratio = (gain.min(beyond) / moving).max(gain / total);
        if gain.is_nan() { f64::INFINITY } else { ratio.max(0.0) }
    }

    /// Checks the energy of a world, and updates the minimum.
    fn check(&mut self, world: &World) -> Option<EnergyBreach> {
        let tension = self.tension + emitted_tension(world);
        let supplied = world.open_boundaries.budget.outside.supplied;
        let allowed = self.allowed(supplied, tension)?;
        let now = world.net_energy();
        let kinetic = world.mechanical_energy()[0] + world.free_body_energy()[0];
        let ratio = self.ratio([now, kinetic, supplied], allowed);
        let breach = (ratio > 1.0).then(|| EnergyBreach {
            breach: self.breach(world, [now, kinetic, allowed[1]]),
            ends_run: is_beyond_known_errors(world, ratio),
        });
        let total = now + world.compression_energy();
        if total < self.min && tension == 0.0 {
            (self.min, self.min_time) = (total, world.time);
        }
        breach
    }

    fn breach(&self, world: &World, numbers: [f64; 3]) -> Breach {
        let figures = |x| format_significant(x, 4);
        let [min, at] = [self.min, self.min_time].map(figures);
        let [now, kinetic, allowed] = numbers.map(figures);
        let load = self.load.map_or(String::new(), |load| {
            let load = format_significant(load, 4);
            format!("; the pressures of the start store {load} J, as particles stand too close")
        });
        let gain = format!(
            "kinetic and potential energy, less what was supplied, grew from {min} J at {at} s to \
             {now} J ({kinetic} J kinetic), by more than {allowed} J \
             (`limits.energy_gain: Auto`){load}"
        );
        Breach::new(world, format!("{gain}; check {}", suspects(world).join(", ")))
    }
}

/// Whether a gain, over what is allowed, is more than errors that are known make: those of the
/// solver, and any where bodies move freely.
fn is_beyond_known_errors(world: &World, ratio: f64) -> bool {
    ratio > world.solver.settings().energy_errors() && world.free_bodies.is_empty()
}

/// No less than the tension's energy of what emitters gave, a face of a cell for each particle
/// \[J\].
fn emitted_tension(world: &World) -> f64 {
    let emitted = world.open_boundaries.budget.emitted.iter().enumerate();
    let face = f64::from(world.particle_volume() / world.spacing());
    emitted.map(|(phase, &count)| count as f64 * face * world.max_tension(phase)).sum()
}

/// The largest gain of a world that nothing is supplied to: of kinetic energy, and of all energy
/// \[J\].
fn allowance(world: &World, scales: &EnergyScales, rate: f64) -> [f64; 2] {
    let EnergyScales { available, lift, height, .. } = *scales;
    let scale = match available + lift {
        0.0 => {
            let speed = NEGLIGIBLE * f64::from(world.spacing()) * rate;
            let masses = world.particles.phase.iter().map(|&phase| world.particle_mass(phase));
            let bodies = world.free_bodies.iter().map(|free| free.mass);
            0.5 * masses.chain(bodies).sum::<f64>() * speed * speed
        }
        scale => scale,
    };
    let moving = TOLERANCE * scale;
    [moving, moving + TOLERANCE * height]
}

/// A gain beyond the limit.
#[derive(Clone, Debug, PartialEq)]
pub struct EnergyBreach {
    /// What was gained.
    pub breach: Breach,
    /// Whether the run ends. It does not yet where errors are known that make so much: where bodies
    /// move freely, whose coupling with thin fluid makes energy, and by those of the solver.
    pub ends_run: bool,
}

/// A check of the energy against a limit.
pub type Check = fn(&Limits, &World, &mut EnergyReference) -> Option<EnergyBreach>;

/// The breach of the energy limit after a step, if any; `Auto` is checked at some steps, a fixed
/// limit at none.
pub fn after_step(
    limits: &Limits,
    world: &World,
    reference: &mut EnergyReference,
) -> Option<EnergyBreach> {
    let is_due = world.steps.is_multiple_of(CHECK_INTERVAL);
    match limits.energy_gain? {
        EnergyLimit::Auto if is_due => reference.check(world),
        EnergyLimit::Auto | EnergyLimit::Joules(_) => None,
    }
}

/// The breach of the energy limit at a frame, if any.
pub fn at_frame(
    limits: &Limits,
    world: &World,
    reference: &mut EnergyReference,
) -> Option<EnergyBreach> {
    match limits.energy_gain? {
        EnergyLimit::Auto => reference.check(world),
        EnergyLimit::Joules(limit) => fixed_breach(world, reference.start, limit),
    }
}

/// The breach of a fixed limit \[J\] on the gain since the start, if any.
fn fixed_breach(world: &World, start: f64, limit: f64) -> Option<EnergyBreach> {
    let gain = world.net_energy() - start;
    let what = || {
        format!(
            "the fluid gained {gain} J of kinetic and potential energy (`limits.energy_gain` is \
             {limit})"
        )
    };
    // NaN exceeds any limit.
    (gain.is_nan() || gain > limit)
        .then(|| EnergyBreach { breach: Breach::new(world, what()), ends_run: true })
}

/// The keys that may be the cause, the most likely first.
fn suspects(world: &World) -> Vec<String> {
    let mut keys = Vec::new();
    let mut suspect = |is_one: bool, key: &str| keys.extend(is_one.then(|| key.to_owned()));
    let laws = world.solids.contact_laws();
    let bounces = |of_walls| {
        laws.iter().enumerate().any(|(k, law)| (k < 6) == of_walls && law.restitution > 0.0)
    };
    suspect(bounces(true), "`restitution` of `domain.contact` and `domain.sides`");
    suspect(bounces(false), "`contact.restitution` of `solids`");
    let solver = world.solver.settings();
    for key in solver.energy_keys(is_full(world)) {
        suspect(true, &format!("`solver.{key}`"));
    }
    suspect(true, "`solver.courant`");
    suspect(solver.has_interactions(), "`support_radius` and `kernel`");
    keys
}

/// Whether the fluid fills its domain; the volume of solids is not subtracted.
fn is_full(world: &World) -> bool {
    let domain = &world.solids.domain;
    let size = [0, 1, 2].map(|a| f64::from(domain.max[a] - domain.min[a]));
    let volume: f64 = match world.dimension {
        Dimension::Two => size[0] * size[2],
        Dimension::Three => size.iter().product(),
    };
    world.particles.len() as f64 * f64::from(world.particle_volume()) >= FULL * volume
}
