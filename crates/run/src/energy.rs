//! `limits.energy_gain`: a run that gains energy from nowhere is not to be believed.
//!
//! The energy E is kinetic and potential, less what emitters brought, sinks took and moving solids
//! did. A fixed limit in joules is held at frames, against the start. With `Auto` a run in which
//! nothing supplies energy ([`World::energy_source`]) is checked every few steps as well. What
//! E + U has fallen to, with the energy of compression U, must not come back: the gain
//! G = E − min(E + U) has the bounds
//!
//! - ε (A + L) + D, as far as it is kinetic, and
//! - ε (A + L + S) + D in all, which leaves room for fluid that swells,
//!
//! with the scales of [`EnergyScales`] and ε = 1/10. Where no force acts and nothing moves,
//! A = L = 0, and the kinetic energy of a tenth of a spacing a frame counts for A.
//!
//! Symbols: E, U, G energies \[J\], ε tolerance \[–\].

use super::limits::Breach;
use super::plan::Plan;
use hashfall_core::{Dimension, format_significant};
use hashfall_scene::Limits;
use hashfall_sph::step::{StartError, Stepper};
use hashfall_sph::world::{Density, EnergyLimit, EnergyScales, Solver, World};
use serde::{Deserialize, Serialize};

/// ε.
const TOLERANCE: f64 = 0.1;
/// Steps from one check of the energy to the next, beside those at frames.
const CHECK_INTERVAL: u64 = 16;
/// A negligible displacement from frame to frame, in spacings.
const NEGLIGIBLE: f64 = 0.1;
/// From this fraction of the domain's volume on a fluid fills it.
const FULL: f64 = 0.98;

/// The energy that gains are counted from, and what `Auto` allows.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct EnergyReference {
    /// E at the start \[J\].
    pub start: f64,
    /// The least E + U so far \[J\].
    least: f64,
    /// When that was \[s\].
    least_at: f64,
    /// The most that the fluid may gain as kinetic energy, and in all \[J\]; `None` if something
    /// supplies energy.
    pub allowance: Option<[f64; 2]>,
}

impl EnergyReference {
    /// That of a world between steps, in a run of so many frames a second \[1/s\].
    pub fn new(world: &World, rate: f64) -> Self {
        let start = net_energy(world, world.mechanical_energy());
        let least = start + world.compression_energy();
        let allowance = world.energy_source().is_none().then(|| allowance(world, rate));
        EnergyReference { start, least, least_at: world.time, allowance }
    }

    /// That of a plan; takes as long as the first step.
    ///
    /// # Errors
    /// If the start is already beyond computing.
    pub fn from_plan(plan: &Plan) -> Result<Self, StartError> {
        let mut world = plan.world.clone();
        Stepper::new(&plan.structures, &mut world)?;
        Ok(EnergyReference::new(&world, plan.frames.rate))
    }

    /// Whether an energy E \[J\], of which so much is kinetic \[J\], is more than `Auto` allows.
    /// What is not a number is more.
    pub fn is_passed(&self, energy: f64, kinetic: f64) -> bool {
        let gain = energy - self.least;
        let is_within = |[moving, all]: [f64; 2]| gain.min(kinetic) <= moving && gain <= all;
        self.allowance.is_some_and(|allowance| gain.is_nan() || !is_within(allowance))
    }

    /// Checks the energy of a world, and keeps the least.
    fn check(&mut self, world: &World) -> Option<Breach> {
        self.allowance?;
        let energies = world.mechanical_energy();
        let now = net_energy(world, energies);
        let breach = self.is_passed(now, energies[0]).then(|| self.breach(world, now, energies[0]));
        let total = now + world.compression_energy();
        if total < self.least {
            (self.least, self.least_at) = (total, world.time);
        }
        breach
    }

    fn breach(&self, world: &World, now: f64, kinetic: f64) -> Breach {
        let [least, at, now, kinetic] =
            [self.least, self.least_at, now, kinetic].map(|x| format_significant(x, 4));
        let grown = format!(
            "kinetic and potential energy grew from {least} J at {at} s to {now} J, of which \
             {kinetic} J are kinetic, and nothing in the scene supplies energy \
             (`limits.energy_gain: Auto`)"
        );
        Breach::new(world, format!("{grown}; look at {}", suspects(world).join(", ")))
    }
}

/// Kinetic and potential energy, less what came in and what solids did \[J\].
fn net_energy(world: &World, [kinetic, potential]: [f64; 2]) -> f64 {
    kinetic + potential - world.open_boundaries.budget.brought()
}

/// The most that a closed world may gain as kinetic energy, and in all \[J\].
fn allowance(world: &World, rate: f64) -> [f64; 2] {
    let EnergyScales { available, lift, height, disorder } = EnergyScales::of(world);
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

/// Whether the energy is beyond its limit after a step; `Auto` is checked at some steps, a fixed
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

/// Whether the energy is beyond its limit at a frame.
pub fn at_frame(limits: &Limits, world: &World, reference: &mut EnergyReference) -> Option<Breach> {
    match limits.energy_gain? {
        EnergyLimit::Auto => reference.check(world),
        EnergyLimit::Joules(limit) => beyond_fixed(world, reference.start, limit),
    }
}

/// Whether the gain since the start is beyond a fixed limit \[J\].
fn beyond_fixed(world: &World, start: f64, limit: f64) -> Option<Breach> {
    let gain = net_energy(world, world.mechanical_energy()) - start;
    let what = || {
        let all = format!("the fluid has gained {gain} J of kinetic and potential energy");
        format!("{all}, over `limits.energy_gain` of {limit}")
    };
    // What is not a number is beyond any limit.
    (gain.is_nan() || gain > limit).then(|| Breach::new(world, what()))
}

/// The keys that may be the cause, the likeliest first.
fn suspects(world: &World) -> Vec<String> {
    let mut keys = Vec::new();
    let mut suspect = |is_one: bool, key: &str| keys.extend(is_one.then(|| key.to_owned()));
    let laws = world.solids.contact_laws();
    let bounces = |of_walls| {
        laws.iter().enumerate().any(|(k, law)| (k < 6) == of_walls && law.restitution > 0.0)
    };
    if let Solver::Wcsph(settings) = world.solver {
        suspect(settings.shifting > 0.0, "`solver.shifting`");
    }
    suspect(bounces(true), "`restitution` of `domain.contact` and `domain.sides`");
    suspect(bounces(false), "`contact.restitution` of `solids`");
    match world.solver {
        Solver::Wcsph(settings) => {
            let flows = matches!(settings.density, Density::Continuity { .. });
            suspect(flows, "`solver.density`");
            suspect(settings.background_pressure > 0.0, "`solver.background_pressure`");
            suspect(settings.individual_steps > 0, "`solver.individual_steps`");
            suspect(true, "`solver.sound_speed`");
        }
        Solver::Dfsph(_) => {
            let full = "`solver` (the fluid fills its domain to the last corner: \
                        `Wcsph(background_pressure: …)` is for that)";
            suspect(is_full(world), full);
            suspect(true, "`solver.max_density_error`");
        }
        Solver::Multiphase(_) | Solver::Ballistic(_) => {}
    }
    suspect(true, "`solver.courant`");
    suspect(!matches!(world.solver, Solver::Ballistic(_)), "`support_radius` and `kernel`");
    keys
}

/// Whether the fluid fills its domain; the volume of solids is not taken off.
fn is_full(world: &World) -> bool {
    let domain = &world.solids.domain;
    let size = [0, 1, 2].map(|a| f64::from(domain.max[a] - domain.min[a]));
    let volume: f64 = match world.dimension {
        Dimension::Two => size[0] * size[2],
        Dimension::Three => size.iter().product(),
    };
    world.particles.len() as f64 * f64::from(world.particle_volume()) >= FULL * volume
}
