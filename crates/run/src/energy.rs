//! `limits.energy_gain`: a run that gains energy without a source is not plausible.
//!
//! The energy E is kinetic plus potential, less the energy that emitters add, that sinks remove (as
//! a negative term) and the work of moving solids. A fixed limit in joules is checked at frames,
//! against the start. With `Auto` a run without an energy source ([`World::energy_source`]) is also
//! checked every few steps. With the energy of compression U, the energy must not return above the
//! minimum that E + U has reached: the gain G = E − min(E + U) has the bounds
//!
//! - ε (A + L) + D for its kinetic part, and
//! - ε (A + L + S) + D for all of it, which allows for fluid that swells,
//!
//! with the scales of [`EnergyScales`] and ε = 1/10. Where no force acts and nothing moves,
//! A = L = 0, and A is the kinetic energy of a motion of a tenth of a spacing per frame.
//!
//! Symbols: E, U, G energies \[J\], ε tolerance \[–\].

use super::limits::Breach;
use super::plan::Plan;
use hashfall_core::{Dimension, format_significant};
use hashfall_scene::Limits;
use hashfall_sph::step::{StepError, Stepper};
use hashfall_sph::world::{EnergyLimit, EnergyScales, World};
use serde::{Deserialize, Serialize};

/// ε.
const TOLERANCE: f64 = 0.1;
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
    /// The largest gain of kinetic energy, and of all energy \[J\]; `None` if something supplies
    /// energy.
    pub allowance: Option<[f64; 2]>,
}

impl EnergyReference {
    /// The reference of a world between steps, in a run with `rate` frames per second \[1/s\].
    pub fn new(world: &World, rate: f64) -> Self {
        let start = net_energy(world, world.mechanical_energy());
        let min = start + world.compression_energy();
        let allowance = world.energy_source().is_none().then(|| allowance(world, rate));
        EnergyReference { start, min, min_time: world.time, allowance }
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

    /// Whether an energy E \[J\] with its kinetic part \[J\] is more than `Auto` allows; true for
    /// NaN.
    pub fn is_exceeded(&self, energy: f64, kinetic: f64) -> bool {
        let gain = energy - self.min;
        let is_within = |[moving, total]: [f64; 2]| gain.min(kinetic) <= moving && gain <= total;
        self.allowance.is_some_and(|allowance| gain.is_nan() || !is_within(allowance))
    }

    /// Checks the energy of a world, and updates the minimum.
    fn check(&mut self, world: &World) -> Option<Breach> {
        self.allowance?;
        let energies = world.mechanical_energy();
        let now = net_energy(world, energies);
        let breach =
            self.is_exceeded(now, energies[0]).then(|| self.breach(world, now, energies[0]));
        let total = now + world.compression_energy();
        if total < self.min {
            (self.min, self.min_time) = (total, world.time);
        }
        breach
    }

    fn breach(&self, world: &World, now: f64, kinetic: f64) -> Breach {
        let [min, at, now, kinetic] =
            [self.min, self.min_time, now, kinetic].map(|x| format_significant(x, 4));
        let gain = format!(
            "kinetic and potential energy grew from {min} J at {at} s to {now} J ({kinetic} J \
             kinetic), but nothing in the scene supplies energy (`limits.energy_gain: Auto`)"
        );
        Breach::new(world, format!("{gain}; check {}", suspects(world).join(", ")))
    }
}

/// Kinetic and potential energy, less the inflow and the work of solids \[J\].
fn net_energy(world: &World, [kinetic, potential]: [f64; 2]) -> f64 {
    kinetic + potential - world.open_boundaries.budget.brought()
}

/// The largest gain of a closed world: of kinetic energy, and of all energy \[J\].
fn allowance(world: &World, rate: f64) -> [f64; 2] {
    let EnergyScales { available, lift, height, disorder } = EnergyScales::new(world);
    let scale = match available + lift {
        0.0 => {
            let speed = NEGLIGIBLE * f64::from(world.spacing()) * rate;
            let masses = world.particles.phase.iter().map(|&phase| world.particle_mass(phase));
            0.5 * masses.sum::<f64>() * speed * speed
        }
        scale => scale,
    };
    let moving = TOLERANCE * scale + disorder;
    [moving, moving + TOLERANCE * height]
}

/// A check of the energy against a limit.
pub type Check = fn(&Limits, &World, &mut EnergyReference) -> Option<Breach>;

/// The breach of the energy limit after a step, if any; `Auto` is checked at some steps, a fixed
/// limit at none.
pub fn after_step(
    limits: &Limits,
    world: &World,
    reference: &mut EnergyReference,
) -> Option<Breach> {
    let is_due = world.steps.is_multiple_of(CHECK_INTERVAL);
    match limits.energy_gain? {
        EnergyLimit::Auto if is_due => reference.check(world),
        EnergyLimit::Auto | EnergyLimit::Joules(_) => None,
    }
}

/// The breach of the energy limit at a frame, if any.
pub fn at_frame(limits: &Limits, world: &World, reference: &mut EnergyReference) -> Option<Breach> {
    match limits.energy_gain? {
        EnergyLimit::Auto => reference.check(world),
        EnergyLimit::Joules(limit) => fixed_breach(world, reference.start, limit),
    }
}

/// The breach of a fixed limit \[J\] on the gain since the start, if any.
fn fixed_breach(world: &World, start: f64, limit: f64) -> Option<Breach> {
    let gain = net_energy(world, world.mechanical_energy()) - start;
    let what = || {
        format!(
            "the fluid gained {gain} J of kinetic and potential energy (`limits.energy_gain` is \
             {limit})"
        )
    };
    // NaN exceeds any limit.
    (gain.is_nan() || gain > limit).then(|| Breach::new(world, what()))
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
