//! Individual time steps: particles that may take longer steps than others have their forces
//! found less often.
//!
//! Onderik & Ďurikovič 2008, §3.3 (after Desbrun & Cani 1996): each particle has a step dtᵢ, by
//! eq. 12, and moves by dt/2ⁿ, with the least n for which that is no longer than dtᵢ. A whole step
//! is dt long; at its end all particles are in step, and n is found anew for the next.
//!
//! All particles go in the shortest steps δ of any, but only those whose own step ends find their
//! neighbours and forces; the others continue with the accelerations they have. So at each instant
//! they are on the parabola of their own kick-drift-kick, and this is the correction of eq. 13:
//! midway in a step the straight path is a dt²/8 off it. What is left to correct is the velocity at
//! the end of an own step of m δ, as half of it had the acceleration of its start:
//! v += ½ (m − 1) δ (a − aᵒˡᵈ).
//!
//! Deviations:
//! - the steps of neighbours differ by a factor of two at most (Saitoh & Makino 2009), within a
//!   whole step as well: who comes near wakes the slow, and who is hit takes shorter steps at once.
//!   Else what is slow would not feel in time what hits it;
//! - dtᵢ is also bound by the particle's acceleration and by its fluid's viscosity and tension, as
//!   common steps are, each by what is its own.
//!
//! Densities and pressures of those that continue are those of the start of their steps. A pair
//! whose steps differ does not feel the same force at the same time, so momentum is kept only so
//! well as forces are smooth over a step. Where all are in step it is kept as always.
//!
//! Symbols: dt whole step \[s\], dtᵢ step of a particle \[s\], δ shortest step \[s\], n level
//! \[–\], m shortest steps in a step of one's own \[–\].

use crate::step::pairs::inactive::is_inactive;
use crate::step::pairs::neighborhood::Neighborhood;
use crate::step::pairs::pair_data::PairData;
use crate::step::time_step::limits::{self, StepBounds};
use crate::world::World;
use hashfall_core::{Real, Vec3, parallel};

/// The shortest step of all is that of some particle, up to this part.
const ROUNDING: f64 = 1e-6;

/// The steps of the particles.
#[derive(Debug, Default)]
pub struct IndividualSteps {
    /// The most that steps are halved; 0 if all take the same.
    most: u32,
    /// How often the whole step is halved for the shortest.
    pub max_level: u32,
    /// Shortest steps since the whole began, at the forces that are found next.
    count: u32,
    /// The whole step \[s\].
    dt: f64,
    /// What all may take \[s\].
    common: f64,
    /// What bounds the steps of each fluid.
    bounds: Vec<StepBounds>,
    /// The step that capillary waves allow all \[s\].
    tension: f64,
    /// n of each particle as it stands, where levels are found.
    levels: Vec<u8>,
    others: Vec<u8>,
    /// The steps of the particles by their ids.
    steps: Vec<ParticleStep>,
    /// Whether particles keep their forces; empty if all are found.
    pub inactive: Vec<bool>,
    accelerations: Vec<Vec3>,
}

/// The step of a particle.
#[derive(Clone, Copy, Debug, Default)]
struct ParticleStep {
    /// n.
    level: u8,
    /// Shortest steps since the whole began when it did.
    start: u32,
}

impl IndividualSteps {
    /// With steps that are halved at most this number of times.
    pub fn new(most: u32) -> Self {
        IndividualSteps { most, ..IndividualSteps::default() }
    }

    /// Whether particles take steps of their own.
    pub fn is_on(&self) -> bool {
        self.most > 0
    }

    /// The whole step \[s\], where the shortest of all particles is `dt` \[s\]: that, doubled as
    /// long as somebody may take it. `bounds` are those of each fluid.
    pub fn longest_step(
        &mut self,
        world: &World,
        bounds: impl Iterator<Item = StepBounds>,
        dt: f64,
    ) -> f64 {
        self.common = dt;
        self.bounds.clear();
        self.bounds.extend(bounds);
        self.tension = limits::by_tension(world);
        let longest = parallel::max(world.particles.len(), 0.0, |i| self.particle_step(world, i));
        let doubled = |k: u32| dt * f64::from(1_u32 << k);
        (1..=self.most).map(doubled).take_while(|dt| *dt <= longest).last().unwrap_or(dt)
    }

    /// Begins a whole step of `dt` \[s\]: finds the levels. Returns the shortest step \[s\].
    pub fn begin(
        &mut self,
        world: &World,
        neighborhood: &Neighborhood,
        pairs: &PairData,
        dt: f64,
    ) -> f64 {
        let ghosts = pairs.ghosts();
        let count = world.particles.len();
        (self.dt, self.count) = (dt, 0);
        if dt <= self.common {
            self.max_level = 0;
            return dt;
        }
        let mut levels = std::mem::take(&mut self.levels);
        levels.resize(count, 0);
        parallel::fill(&mut levels, |i, level| *level = self.level(world, i, self.most));
        self.max_level = u32::from(levels.iter().max().copied().unwrap_or(0));
        if self.max_level == 0 {
            self.levels = levels;
            return dt;
        }
        for _ in 1..self.max_level {
            self.others.resize(count, 0);
            parallel::fill(&mut self.others, |i, level| {
                let others = neighborhood.lists.of(i).iter().map(|&j| ghosts.particle(j, count));
                *level = others.fold(levels[i], |most, j| most.max(levels[j].saturating_sub(1)));
            });
            std::mem::swap(&mut levels, &mut self.others);
        }
        self.steps.clear();
        let ids = &world.particles.id;
        let last = ids.iter().max().map_or(0, |id| *id as usize);
        self.steps.resize(last + 1, ParticleStep::default());
        for (id, &level) in ids.iter().zip(&levels) {
            self.steps[*id as usize].level = level;
        }
        self.levels = levels;
        dt / f64::from(1_u32 << self.max_level)
    }

    /// The least n up to `most` that is enough for particle `i`.
    fn level(&self, world: &World, i: usize, most: u32) -> u8 {
        let longest = self.particle_step(world, i) * (1.0 + ROUNDING);
        let fits = |n: &u32| self.dt / f64::from(1_u32 << n) <= longest;
        (0..most).find(fits).unwrap_or(most) as u8
    }

    /// The step that particle `i` may take, eq. 12 and the other bounds of its fluid \[s\].
    fn particle_step(&self, world: &World, i: usize) -> f64 {
        let (p, d) = (&world.particles, f64::from(world.spacing()));
        let bounds = &self.bounds[usize::from(p.phase[i])];
        let [speed, acceleration] = [p.velocity[i], p.acceleration[i]].map(|v| f64::from(v.norm()));
        let sound = bounds.courant * d / (bounds.sound_speed.unwrap_or(0.0) + speed);
        let others = [
            limits::by_force(d, acceleration),
            limits::by_viscosity(d, bounds.viscosity),
            self.tension,
        ];
        others.into_iter().fold(sound, f64::min)
    }

    /// Goes on by one of the shortest steps: notes whose own steps do not end there.
    pub fn advance_substep(&mut self, world: &World) {
        self.count += 1;
        let IndividualSteps { count, max_level, steps, .. } = self;
        let ids = &world.particles.id;
        self.inactive.resize(ids.len(), false);
        parallel::fill(&mut self.inactive, |i, inactive| {
            let level = u32::from(steps[ids[i] as usize].level);
            *inactive = !count.is_multiple_of(1 << (*max_level - level));
        });
    }

    /// Ends the whole step, with which the steps of all end.
    pub fn end(&mut self) {
        self.count = 1 << self.max_level;
        self.inactive.clear();
    }

    /// Copies the accelerations before they are found anew.
    pub fn save_accelerations(&mut self, world: &World) {
        self.accelerations.clone_from(&world.particles.acceleration);
    }

    /// Brings the velocities of those whose steps end to what the new accelerations make of them.
    pub fn correct(&self, world: &mut World) {
        let shortest = self.dt / f64::from(1_u32 << self.max_level);
        let p = &mut world.particles;
        let (ids, accelerations, before) = (&p.id, &p.acceleration, &self.accelerations);
        parallel::fill(&mut p.velocity, |i, v| {
            if !is_inactive(&self.inactive, i) {
                let more = self.count - self.steps[ids[i] as usize].start - 1;
                let half = 0.5 * shortest * f64::from(more);
                *v += (accelerations[i] - before[i]) * half as Real;
            }
        });
    }

    /// Whose steps ended begin new ones, which are shorter where that has become necessary, and
    /// wake neighbours whose steps are longer than two of theirs.
    pub fn begin_particle_steps(
        &mut self,
        world: &World,
        neighborhood: &Neighborhood,
        pairs: &PairData,
    ) {
        let ghosts = pairs.ghosts();
        let ids = &world.particles.id;
        let mut levels = std::mem::take(&mut self.levels);
        levels.resize(ids.len(), 0);
        parallel::fill(&mut levels, |i, level| {
            *level = match self.inactive[i] {
                true => 0,
                false => self.level(world, i, self.max_level),
            };
        });
        for i in (0..ids.len()).filter(|&i| !self.inactive[i]) {
            let step = &mut self.steps[ids[i] as usize];
            *step = ParticleStep { level: step.level.max(levels[i]), start: self.count };
            let wanted = step.level.saturating_sub(1);
            if wanted == 0 {
                continue;
            }
            for &j in neighborhood.lists.of(i) {
                let other = ghosts.particle(j, ids.len());
                let other = &mut self.steps[ids[other] as usize];
                other.level = other.level.max(wanted);
            }
        }
        self.levels = levels;
    }
}

#[cfg(test)]
mod tests;
