//! Individual time steps: particles that may take longer steps than others have their forces found
//! less often.
//!
//! Onderik & Ďurikovič 2008, §3.3 (after Desbrun & Cani 1996): each particle has a step dtᵢ, eq. 12,
//! and moves by dt/2ⁿ, with the least n for which that is no longer than dtᵢ. A whole step is dt
//! long; at its end all particles are in step, and n is found anew for the next.
//!
//! All particles go in the shortest steps δ of any, but only those whose own step ends find their
//! neighbours' forces; the others go on with the accelerations they have. So at each instant they
//! are on the parabola of their own kick-drift-kick, and this is the correction of eq. 13: midway in
//! a step the straight path is a dt²/8 off it. What is left to correct is the velocity at the end of
//! an own step, as half of the step had the acceleration of its start: v += ½ (dtᵢ − δ)(a − aᵒˡᵈ).
//!
//! Deviation: neighbours' steps differ by a factor of two at most (Saitoh & Makino 2009), as else
//! what is slow would not feel in time what hits it.
//!
//! Symbols: dt whole step \[s\], dtᵢ step of a particle \[s\], δ shortest step \[s\], n level \[–\].

use super::collide::Deepest;
use super::governor::Bounds;
use super::neighborhood::Neighborhood;
use super::{Stepper, forces, guard};
use crate::base::timer::Stage;
use crate::base::{Real, Vec3, parallel};
use crate::step::BlowUp;
use crate::world::World;

/// The shortest step of all is that of some particle, up to this part.
const ROUNDING: f64 = 1e-6;

/// The steps of the particles.
#[derive(Debug, Default)]
pub struct Individual {
    /// The most that steps are halved; 0 if all take the same.
    most: u32,
    /// n of each particle at the start of the whole step, in the order of the particles.
    pub levels: Vec<u8>,
    others: Vec<u8>,
    /// The same by id.
    by_id: Vec<u8>,
    /// Whether particles keep their forces; empty if all are found.
    pub idle: Vec<bool>,
    accelerations: Vec<Vec3>,
}

impl Individual {
    /// With steps that are halved so many times at most.
    pub fn new(most: u32) -> Self {
        Individual { most, ..Individual::default() }
    }

    /// Whether particles take steps of their own.
    pub fn is_on(&self) -> bool {
        self.most > 0
    }

    /// The whole step \[s\], where the shortest of all particles is `dt` \[s\]: that, doubled as long
    /// as somebody may take it.
    pub fn longest(&self, world: &World, bounds: &Bounds, dt: f64) -> f64 {
        let longest = parallel::max(world.particles.len(), 0.0, |i| own_step(world, bounds, i));
        let doubled = |k: u32| dt * f64::from(1_u32 << k);
        (1..=self.most).map(doubled).take_while(|dt| *dt <= longest).last().unwrap_or(dt)
    }

    /// Finds the levels for a whole step of `dt` \[s\]; returns the highest.
    pub fn find(&mut self, world: &World, near: &Neighborhood, bounds: &Bounds, dt: f64) -> u32 {
        let count = world.particles.len();
        let most = self.most;
        self.levels.resize(count, 0);
        parallel::fill(&mut self.levels, |i, level| {
            let own = own_step(world, bounds, i);
            let fits = |n: &u32| dt / f64::from(1_u32 << n) <= own * (1.0 + ROUNDING);
            *level = (0..most).find(fits).unwrap_or(most) as u8;
        });
        for _ in 1..most {
            let levels = &self.levels;
            self.others.resize(count, 0);
            parallel::fill(&mut self.others, |i, level| {
                let near = near.lists.of(i).iter().filter_map(|&j| levels.get(j as usize));
                *level = near.fold(levels[i], |own, other| own.max(other.saturating_sub(1)));
            });
            std::mem::swap(&mut self.levels, &mut self.others);
        }
        self.by_id.clear();
        let ids = &world.particles.id;
        let last = ids.iter().max().map_or(0, |id| *id as usize);
        let highest = self.levels.iter().max().copied().unwrap_or(0);
        // Who comes in the step has no force of before.
        self.by_id.resize(last + 1, highest);
        for (id, level) in ids.iter().zip(&self.levels) {
            self.by_id[*id as usize] = *level;
        }
        u32::from(highest)
    }

    /// Notes whose steps do not end after `k` of the 2ⁿ shortest.
    fn begin(&mut self, k: u32, highest: u32) {
        let levels = &self.levels;
        self.idle.resize(levels.len(), false);
        parallel::fill(&mut self.idle, |i, idle| {
            *idle = !k.is_multiple_of(1 << (highest - u32::from(levels[i])));
        });
    }

    /// Keeps the present accelerations.
    pub fn keep(&mut self, world: &World) {
        self.accelerations.clone_from(&world.particles.acceleration);
    }

    /// Brings the velocities of those whose steps end to what the new accelerations make of them,
    /// where the shortest step is `dt` \[s\].
    pub fn correct(&self, world: &mut World, highest: u32, dt: Real) {
        let p = &mut world.particles;
        let (ids, accelerations, before) = (&p.id, &p.acceleration, &self.accelerations);
        parallel::fill(&mut p.velocity, |i, v| {
            if !self.idle.get(i).is_some_and(|idle| *idle) {
                let level = self.by_id.get(ids[i] as usize).map_or(highest, |n| u32::from(*n));
                let more = ((1_u32 << (highest - level.min(highest))) - 1) as Real;
                *v += (accelerations[i] - before[i]) * (0.5 * dt * more);
            }
        });
    }
}

/// The step that particle `i` may take, eq. 12 and the bounds of the governor \[s\].
fn own_step(world: &World, bounds: &Bounds, i: usize) -> f64 {
    let (p, d) = (&world.particles, f64::from(world.spacing()));
    let speed = f64::from(p.velocity[i].norm());
    let sound = bounds.courant * d / (bounds.sound_speed.unwrap_or(0.0) + speed);
    let force = 0.25 * (d / f64::from(p.acceleration[i].norm())).sqrt();
    let viscosity = 0.125 * d * d / bounds.viscosity;
    sound.min(force).min(viscosity)
}

impl Stepper {
    /// All of a whole step but the last of its 2ⁿ shortest, each of `dt` \[s\].
    ///
    /// # Errors
    /// If the state has become something that is not finite.
    pub(super) fn take_short_steps(
        &mut self,
        world: &mut World,
        highest: u32,
        dt: f64,
    ) -> Result<Deepest, BlowUp> {
        let (start, mut deepest) = (world.time, Deepest::default());
        for k in 1..1_u32 << highest {
            self.individual.begin(k, highest);
            self.reactions.kick(0.5 * dt);
            self.times.time(Stage::Integrate, || forces::kick(world, (0.5 * dt) as Real));
            deepest = deepest.or(self.drift(world, dt as Real));
            world.time = start + f64::from(k) * dt;
            guard::check(world, self.cell_size)?;
            self.look_again(world);
            self.find_and_correct(world, highest, dt as Real);
            self.reactions.kick(0.5 * dt);
            self.times.time(Stage::Integrate, || forces::kick(world, (0.5 * dt) as Real));
        }
        self.individual.idle.clear();
        Ok(deepest)
    }

    /// The forces at the present places, with velocities that are due to them.
    pub(super) fn find_and_correct(&mut self, world: &mut World, highest: u32, dt: Real) {
        if highest == 0 {
            return self.find_forces(world);
        }
        self.individual.keep(world);
        self.find_forces(world);
        self.individual.correct(world, highest, dt);
    }
}
