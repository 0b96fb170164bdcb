//! The exchange: emitters let fluid in, sinks take it away. [`crate::world::Emitter`] tells how
//! layers follow each other; here they move.
//!
//! - In the nozzle particles go with the emitter's velocity: their accelerations are zero, and no
//!   contact and no pressure moves them ([`crate::step::boundary::openings`] tells what of solids).
//!   They have densities and pressures as all others do, by which they push; in the projection as
//!   if they were endlessly heavy, and what is compressed in the nozzle stays so.
//! - An emitter waits for a step, its nozzle at rest, if a layer is due in it for which the world
//!   has no room; and while a particle in its nozzle is compressed by [`PRESSED`].
//! - It stalls, and waits for the time of a layer, where the step would have a mean pressure before
//!   its nozzle beyond what its [`pump`] gives, if the pressure was found that sets the fluid into
//!   motion; else if any is. What is there cannot give way; that step is taken back, lest it shoots
//!   off to where there is no room.
//! - A place of a layer is left out if a particle is nearer to it than [`TAKEN`] spacings. That is
//!   so where fluid has come to stand behind the opening.
//!
//! Particles come and go after the drift, at their new places, and before neighbours are searched:
//! a step that is taken back has let nobody in.

use crate::step::inflow::nozzle::emitter_of;
use crate::step::inflow::pump;
use crate::step::report::StepReport;
use crate::step::schemes::scheme::PressureScheme;
use crate::world::World;
use hashfall_core::cell::{cell_key, cell_of};
use hashfall_core::{Real, Vec3, parallel, vec3};
use hashfall_search::NeighborLists;

/// The compression in a nozzle beyond which its emitter waits \[–\].
const PRESSED: Real = 0.1;
/// A place is taken by a particle nearer than this, in spacings: more than from the middle of a
/// cube of a lattice to its corners, √3/2.
const TAKEN: Real = 0.9;
/// A particle is free when it is this much short of half a spacing out, in spacings: rounding must
/// not part a layer.
const ROUNDING: f64 = 1e-3;

/// Emitters and sinks at work; keeps its buffers between steps.
#[derive(Debug, Default)]
pub struct Nozzles {
    /// How far the fluid of each emitter goes in the step under way \[m\].
    travels: Vec<f64>,
    /// The part of its speed that each has in it \[–\].
    speed_ratios: Vec<f64>,
    /// By how much it is faster across the opening than in the step before \[m/s\].
    gains: Vec<f64>,
    /// Layers that come in in it.
    layers: Vec<u64>,
    /// Which particles go out.
    gone: Vec<bool>,
    /// Particles around places that are to be filled, by their cells of size d.
    around: Vec<(u64, Vec3)>,
    /// Who comes in: where, and where in front of the opening \[m\].
    coming: Vec<(Vec3, f64)>,
}

impl Nozzles {
    /// Decides who waits in a step of `dt` \[s\], and gives particles in nozzles their velocity.
    pub fn begin(&mut self, world: &mut World, scheme: &dyn PressureScheme, dt: f64) {
        self.travels.clear();
        self.speed_ratios.clear();
        self.gains.clear();
        self.layers.clear();
        if world.open_boundaries.emitters.is_empty() {
            return;
        }
        let d = f64::from(world.spacing());
        let mut room = room(world);
        for e in 0..world.open_boundaries.emitters.len() {
            let emitter = &world.open_boundaries.emitters[e];
            let before = world.open_boundaries.budget.emitters[e];
            let speed_ratio = pump::speed_ratio(world, e, scheme, dt);
            let wanted = if is_spent(world, e) { 0.0 } else { emitter.travel(world.time, dt) };
            let travel = speed_ratio * wanted;
            let due = emitter.layers_due(world.time + dt, before.travelled + travel, d);
            let layers = due.saturating_sub(before.layers);
            let needed = layers.saturating_mul(emitter.places.len() as u64);
            let has_no_room = needed > room;
            let rests = world.time < before.rests_until;
            let is_pressed = wanted > 0.0 && (rests || is_pressed(world, e));
            let waits = has_no_room || is_pressed;
            room -= if waits { 0 } else { needed };
            self.travels.push(if waits { 0.0 } else { travel });
            self.speed_ratios.push(speed_ratio);
            self.gains
                .push((speed_ratio * emitter.speed_across() - pump::speed(world, e)).max(0.0));
            self.layers.push(if waits { 0 } else { layers });
            let (time, progress) = (world.time, &mut world.open_boundaries.budget.emitters[e]);
            progress.for_room.note(has_no_room, time, dt);
            progress.for_pressed.note(is_pressed && !has_no_room, time, dt);
        }
        let before = world.kinetic_energy_in_nozzles();
        let (emitters, in_nozzle) = (&world.open_boundaries.emitters, &world.particles.in_nozzle);
        parallel::fill(&mut world.particles.velocity, |i, v| {
            if let Some(e) = emitter_of(in_nozzle[i]) {
                let speed_ratio = if self.travels[e] > 0.0 { self.speed_ratios[e] } else { 0.0 };
                *v = vec3(emitters[e].velocity.map(|v| v * speed_ratio));
            }
        });
        let gain = world.kinetic_energy_in_nozzles() - before;
        world.open_boundaries.budget.outside.nozzles += gain;
    }

    /// At the end of the step: particles that left their nozzle move freely, those in a sink are
    /// removed, and layers come in.
    pub fn transfer(&mut self, world: &mut World) {
        for (progress, travel) in
            world.open_boundaries.budget.emitters.iter_mut().zip(&self.travels)
        {
            progress.travelled += travel;
        }
        self.drain(world);
        release(world);
        self.fill_all(world);
    }

    /// The emitters whose pushing stalled in the step that was taken: what is before them has
    /// nowhere to go.
    pub fn stalled(
        &self,
        world: &World,
        scheme: &dyn PressureScheme,
        lists: &NeighborLists,
        StepReport { dt, density, divergence, .. }: &StepReport,
    ) -> Vec<usize> {
        if !scheme.settings().has_interactions() {
            return Vec::new();
        }
        let capped = density.capped || divergence.capped;
        let stalls = |e: &usize| {
            let most = pump::pressure(world, *e, scheme);
            let jerk = pump::column(world) * self.gains[*e] / dt;
            let (mut sum, mut largest, mut count) = (0.0, 0.0, 0.0);
            for pressure in pressures_before(world, *e, lists) {
                (sum, largest, count) = (sum + pressure, f64::max(largest, pressure), count + 1.0);
            }
            sum > (most + jerk) * count || (capped && largest > most)
        };
        self.pushing().filter(stalls).collect()
    }

    /// The emitters whose fluid moves in the step.
    pub fn pushing(&self) -> impl Iterator<Item = usize> {
        (0..self.travels.len()).filter(|&e| self.travels[e] > 0.0)
    }

    /// The flow work of the step that was taken: of each nozzle on the fluid before it, whose
    /// pressure is taken as the mean of what is there \[J\].
    pub fn flow_work(
        &self,
        world: &World,
        scheme: &dyn PressureScheme,
        lists: &NeighborLists,
    ) -> f64 {
        if !scheme.settings().has_interactions() {
            return 0.0;
        }
        let place = f64::from(world.particle_volume() / world.spacing());
        let work = |e: usize| {
            let (mut sum, mut count) = (0.0, 0.0);
            for pressure in pressures_before(world, e, lists) {
                (sum, count) = (sum + pressure, count + 1.0);
            }
            let area = world.open_boundaries.emitters[e].places.len() as f64 * place;
            if count > 0.0 { sum / count * area * self.travels[e] } else { 0.0 }
        };
        self.pushing().map(work).sum()
    }

    /// Fills the nozzles of emitters that give fluid from the start on.
    pub fn open(&mut self, world: &mut World, scheme: &dyn PressureScheme) {
        self.begin(world, scheme, 0.0);
        self.fill_all(world);
    }

    /// Lets the layers in that are due.
    fn fill_all(&mut self, world: &mut World) {
        for e in 0..self.layers.len() {
            self.fill(world, e, self.layers[e]);
        }
    }

    /// Takes out what is in sinks.
    fn drain(&mut self, world: &mut World) {
        let (sinks, particles) = (&world.open_boundaries.sinks, &world.particles);
        if sinks.is_empty() {
            return;
        }
        self.gone.resize(particles.len(), false);
        parallel::fill(&mut self.gone, |i, gone| {
            let x = &particles.position[i];
            *gone = particles.in_nozzle[i] == 0 && sinks.iter().any(|sink| sink.takes(x));
        });
        if self.gone.contains(&true) {
            world.remove_particles(&self.gone);
        }
    }

    /// Lets the next layers of an emitter in, but where others are.
    fn fill(&mut self, world: &mut World, e: usize, layers: u64) {
        if layers == 0 {
            return;
        }
        let d = f64::from(world.spacing());
        let emitter = &world.open_boundaries.emitters[e];
        let progress = world.open_boundaries.budget.emitters[e];
        let s = |layer: u64| progress.travelled - (layer as f64 + 0.5) * d;
        let (first, end) = (progress.layers, progress.layers + layers);
        self.collect_around(world, e, [s(end - 1), s(first)]);
        self.coming.clear();
        for layer in first..end {
            for place in &emitter.places {
                let x = emitter.at(place, s(layer));
                if !self.is_taken(&x, world.spacing()) {
                    self.coming.push((x, s(layer)));
                }
            }
        }
        let places = (end - first) * emitter.places.len() as u64;
        let progress = &mut world.open_boundaries.budget.emitters[e];
        progress.layers = end;
        progress.left_out += places - self.coming.len() as u64;
        for &(x, s) in &self.coming {
            let is_in_nozzle = !is_out(s, d);
            let birth = if is_in_nozzle { world.time } else { birth(world, e, s) };
            world.emit(e, x, self.speed_ratios[e], birth, is_in_nozzle);
        }
    }

    /// Notes the particles near the places of layers that stand from `low` to `high` in front of
    /// the opening \[m\]; those of the nozzle itself keep their distance.
    fn collect_around(&mut self, world: &World, e: usize, [low, high]: [f64; 2]) {
        let (emitter, d) = (&world.open_boundaries.emitters[e], world.spacing());
        let (mut min, mut max) = (Vec3::repeat(Real::INFINITY), Vec3::repeat(-Real::INFINITY));
        for place in &emitter.places {
            for s in [low, high] {
                let x = emitter.at(place, s);
                (min, max) = (min.inf(&x), max.sup(&x));
            }
        }
        let (min, max) = (min.add_scalar(-d), max.add_scalar(d));
        let particles = &world.particles;
        self.around.clear();
        self.around.extend(particles.position.iter().zip(&particles.in_nozzle).filter_map(
            |(x, &in_nozzle)| {
                let is_within = (0..3).all(|a| (min[a]..=max[a]).contains(&x[a]));
                let is_other = emitter_of(in_nozzle) != Some(e);
                (is_within && is_other).then(|| (cell_key(cell_of(x, d)), *x))
            },
        ));
        self.around.sort_by_key(|(cell, _)| *cell);
    }

    /// Whether one of the particles that were noted is in a place.
    fn is_taken(&self, x: &Vec3, d: Real) -> bool {
        if self.around.is_empty() {
            return false;
        }
        let [i, j, k] = cell_of(x, d);
        let reach = TAKEN * d;
        let is_within_reach = |(_, other): &(u64, Vec3)| (other - x).norm_squared() < reach * reach;
        let cells = (-1..=1)
            .flat_map(|a| (-1..=1).flat_map(move |b| (-1..=1).map(move |c| [i + a, j + b, k + c])));
        cells.map(cell_key).any(|cell| {
            let start = self.around.partition_point(|(other, _)| *other < cell);
            self.around[start..].iter().take_while(|(other, _)| *other == cell).any(is_within_reach)
        })
    }
}

/// The pressures \[Pa\] of the particles before the nozzle of an emitter.
fn pressures_before(world: &World, e: usize, lists: &NeighborLists) -> impl Iterator<Item = f64> {
    let p = &world.particles;
    let in_nozzle = (0..p.len()).filter(move |&i| emitter_of(p.in_nozzle[i]) == Some(e));
    // Images have no pressure of their own; what is held is not before the nozzle.
    let around = in_nozzle.flat_map(|i| lists.of(i)).map(|&i| i as usize);
    let free = around.filter(|&i| i < p.len() && p.in_nozzle[i] == 0);
    free.map(|i| f64::from(p.pressure[i]))
}

/// Particles for which there still is room: in the world, and among the ids.
fn room(world: &World) -> u64 {
    let count = world.particles.len() as u64;
    let most = world.open_boundaries.most_particles.map_or(u64::MAX, |most| most as u64);
    let ids = u64::from(u32::MAX - world.particles.next_id);
    most.saturating_sub(count).min(ids)
}

/// Whether an emitter has ended and its nozzle is empty: then it goes no further, so that a later
/// end begins with a nozzle that is filled anew.
fn is_spent(world: &World, e: usize) -> bool {
    let has_ended = world.time >= world.open_boundaries.emitters[e].end;
    has_ended
        && !world.particles.in_nozzle.iter().any(|&in_nozzle| emitter_of(in_nozzle) == Some(e))
}

/// Whether fluid is pressed against an emitter.
fn is_pressed(world: &World, e: usize) -> bool {
    let (p, emitter) = (&world.particles, &world.open_boundaries.emitters[e]);
    let rest_density = world.fluids[usize::from(emitter.phase)].rest_density;
    let most = (1.0 + PRESSED) * rest_density;
    let in_nozzle = e as u8 + 1;
    p.in_nozzle
        .iter()
        .zip(&p.density)
        .any(|(&other, &density)| other == in_nozzle && density > most)
}

/// Whether a particle in front of the opening by `s` \[m\] is out as a whole.
fn is_out(s: f64, d: f64) -> bool {
    s >= (0.5 - ROUNDING) * d
}

/// When a particle came out that now is in front of the opening by `s` \[m\] \[s\].
fn birth(world: &World, e: usize, s: f64) -> f64 {
    let over = (s - 0.5 * f64::from(world.spacing())).max(0.0);
    (world.time - over / world.open_boundaries.emitters[e].speed_across()).max(0.0)
}

/// Frees the particles that have come out of their nozzles.
#[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f32")]
fn release(world: &mut World) {
    let d = f64::from(world.spacing());
    for i in 0..world.particles.len() {
        let Some(e) = emitter_of(world.particles.in_nozzle[i]) else { continue };
        let s = world.open_boundaries.emitters[e].out(&world.particles.position[i]);
        if is_out(s, d) {
            world.particles.birth[i] = birth(world, e, s) as Real;
            world.particles.in_nozzle[i] = 0;
        }
    }
}

/// Lets emitters rest for as long as a layer takes.
pub fn rest(world: &mut World, emitters: &[usize]) {
    let d = f64::from(world.spacing());
    for &e in emitters {
        let speed = world.open_boundaries.emitters[e].speed_across();
        world.open_boundaries.budget.emitters[e].rests_until = world.time + d / speed;
    }
}
