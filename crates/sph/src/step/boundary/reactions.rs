//! What solids give to the fluid, summed for each body: the forces on the bodies, turned round.
//!
//! Solids act in two ways, and the fluid's momentum changes by nothing else but body forces and
//! what surfaces pull:
//!
//! - as forces at the places of the particles: pressure and, where fluid sticks, viscosity; where a
//!   surface that pulls meets them, its drag. Each half kick adds half a step of them.
//! - as impulses: contacts in the drift, and, divergence-free, the pressures of a projection with
//!   the contacts in it.
//!
//! A surface that deforms does work that no wrench on the whole body tells; it is summed with the
//! forces, by the velocity of the surface where each acts.
//!
//! A force acts at the centre of its particle; torques are about the origin. Sums over particles
//! are exact, so that no split into chunks shows. A step counts when it ends: one that is rolled
//! back leaves nothing.

use crate::step::boundary::giver::Giver;
use hashfall_bodies::Wrench;
use hashfall_core::exact_sum::ExactSum;
use hashfall_core::parallel::{self, CHUNK};
use hashfall_core::to_f64;

/// What bodies gave to a chunk of particles; keeps its memory when it is cleared.
#[derive(Clone, Debug, Default)]
pub struct WrenchSums {
    /// Each body once, in the order in which they came.
    bodies: Vec<u32>,
    /// Exact sums for each of them; what follows is memory for more.
    sums: Vec<[ExactSum; 6]>,
    /// What surfaces that deform do \[W\] or \[J\].
    work: ExactSum,
}

impl WrenchSums {
    /// Adds what a surface gave \[N\] or \[N s\] to a particle at `x` \[m\].
    pub fn add(&mut self, giver: Giver, x: [f64; 3], given: [f64; 3]) {
        self.add_wrench(giver.surface.body(), x, given);
        if let Some(velocity) = giver.velocity {
            let [u, v, w] = to_f64(&velocity);
            self.work.add(given[0] * u + given[1] * v + given[2] * w);
        }
    }

    fn add_wrench(&mut self, body: usize, x: [f64; 3], given: [f64; 3]) {
        let wrench = Wrench::from_force_at(given.into(), &x.into());
        let body = body as u32;
        let known = self.bodies.iter().position(|known| *known == body);
        let at = known.unwrap_or_else(|| self.begin(body));
        self.sums[at].iter_mut().zip(wrench.to_array()).for_each(|(sum, x)| sum.add(x));
    }

    /// Empty sums for one body more; returns where they are.
    fn begin(&mut self, body: u32) -> usize {
        let at = self.bodies.len();
        self.bodies.push(body);
        match self.sums.get_mut(at) {
            Some(sums) => *sums = Default::default(),
            None => self.sums.push(Default::default()),
        }
        at
    }

    fn clear(&mut self) {
        self.bodies.clear();
        self.work = ExactSum::default();
    }
}

/// What bodies give; keeps its buffers between steps.
#[derive(Debug)]
pub struct Reactions {
    sums_by_chunk: Vec<WrenchSums>,
    /// The sums of each body in the chunks: body, chunk, place in it; sorted.
    places: Vec<[u32; 3]>,
    /// Forces at the present places, by body.
    acting: Vec<Wrench>,
    /// Those before the step under way.
    acting_before: Vec<Wrench>,
    /// Impulses of the step under way.
    step: Vec<Wrench>,
    /// Impulses of all steps since they were taken.
    total: Vec<Wrench>,
    /// Of surfaces that deform.
    work: WorkSums,
}

/// What surfaces that deform do.
#[derive(Clone, Copy, Debug, Default)]
struct WorkSums {
    /// By the forces at the present places \[W\].
    acting: f64,
    /// By those before the step under way \[W\].
    acting_before: f64,
    /// In the step under way \[J\].
    step: f64,
}

impl Reactions {
    /// Of so many bodies; none has given anything.
    pub fn new(bodies: usize) -> Self {
        let nothing = vec![Wrench::default(); bodies];
        Reactions {
            sums_by_chunk: Vec::new(),
            places: Vec::new(),
            acting: nothing.clone(),
            acting_before: nothing.clone(),
            step: nothing.clone(),
            total: nothing,
            work: WorkSums::default(),
        }
    }

    /// Empty accounts, one for each chunk of so many particles.
    pub fn sums_by_chunk(&mut self, particles: usize) -> &mut [WrenchSums] {
        self.sums_by_chunk.resize_with(particles.div_ceil(CHUNK), WrenchSums::default);
        self.sums_by_chunk.iter_mut().for_each(WrenchSums::clear);
        &mut self.sums_by_chunk
    }

    /// Calls `write(i, &mut items[i], account)` for an item of every particle.
    pub fn fill<T: Send>(
        &mut self,
        items: &mut [T],
        write: impl Fn(usize, &mut T, &mut WrenchSums) + Sync,
    ) {
        let sums_by_chunk = self.sums_by_chunk(items.len());
        parallel::fill_chunks_with(items, sums_by_chunk, &|chunk, items, sums| {
            for (k, item) in items.iter_mut().enumerate() {
                write(chunk * CHUNK + k, item, sums);
            }
        });
    }

    /// Takes the accounts for forces that act until they are taken anew.
    pub fn act(&mut self) {
        self.acting.fill(Wrench::default());
        self.work.acting = 0.0;
        self.act_too();
    }

    /// Takes the accounts for further such forces.
    pub fn act_too(&mut self) {
        add_sums(&self.sums_by_chunk, &mut self.places, &mut self.acting);
        self.work.acting += work_of(&self.sums_by_chunk);
    }

    /// Takes the accounts for impulses.
    pub fn strike(&mut self) {
        add_sums(&self.sums_by_chunk, &mut self.places, &mut self.step);
        self.work.step += work_of(&self.sums_by_chunk);
    }

    /// The acting forces have acted for `dt` \[s\].
    pub fn kick(&mut self, dt: f64) {
        for (step, acting) in self.step.iter_mut().zip(&self.acting) {
            *step += *acting * dt;
        }
        self.work.step += self.work.acting * dt;
    }

    /// Forgets a step that was not ended.
    pub fn begin_step(&mut self) {
        self.step.fill(Wrench::default());
        self.acting_before.clone_from(&self.acting);
        self.work = WorkSums { step: 0.0, acting_before: self.work.acting, ..self.work };
    }

    /// The forces are those from before the step again.
    pub fn rollback(&mut self) {
        self.acting.clone_from(&self.acting_before);
        self.work.acting = self.work.acting_before;
    }

    /// The acting forces, and the impulses since they were taken.
    pub fn remembered(&self) -> (Vec<Wrench>, Vec<Wrench>) {
        (self.acting.clone(), self.total.clone())
    }

    /// Brings back what was remembered of the same bodies; of others nothing is.
    pub fn recall(&mut self, acting: &[Wrench], total: &[Wrench]) {
        if acting.len() == self.acting.len() && total.len() == self.total.len() {
            self.acting.copy_from_slice(acting);
            self.total.copy_from_slice(total);
        }
    }

    /// The forces at the present places \[N, N m\].
    pub fn acting(&self) -> &[Wrench] {
        &self.acting
    }

    /// Sets the acting force of a body; what it was more is given to another.
    pub fn pass_on(&mut self, body: usize, force: Wrench, other: usize) {
        let before = std::mem::replace(&mut self.acting[body], force);
        self.acting[other] += before;
        self.acting[other] -= force;
    }

    /// A body receives a force beside those that particles gave, and another gives it.
    pub fn exchange_force(&mut self, body: usize, received: &Wrench, other: usize) {
        self.acting[body] -= *received;
        self.acting[other] += *received;
    }

    /// The same of an impulse in the step under way.
    pub fn exchange_impulse(&mut self, body: usize, received: &Wrench, other: usize) {
        self.step[body] -= *received;
        self.step[other] += *received;
    }

    /// The acting forces of others act, too.
    pub fn act_with(&mut self, others: &Reactions) {
        for (acting, other) in self.acting.iter_mut().zip(&others.acting) {
            *acting += *other;
        }
        self.work.acting += others.work.acting;
    }

    /// The acting forces of others have acted for `dt` \[s\].
    pub fn kick_with(&mut self, others: &Reactions, dt: f64) {
        for (step, other) in self.step.iter_mut().zip(&others.acting) {
            *step += *other * dt;
        }
        self.work.step += others.work.acting * dt;
    }

    /// What bodies gave in the step under way \[N s, N m s\].
    pub fn of_step(&self) -> &[Wrench] {
        &self.step
    }

    /// What surfaces that deform did in the step under way \[J\].
    pub fn work_of_step(&self) -> f64 {
        self.work.step
    }

    /// What surfaces that deform do by the acting forces \[W\].
    pub fn acting_power(&self) -> f64 {
        self.work.acting
    }

    /// Brings that back.
    pub fn recall_power(&mut self, power: f64) {
        self.work.acting = power;
    }

    /// The step counts.
    pub fn end_step(&mut self) {
        for (total, step) in self.total.iter_mut().zip(&self.step) {
            *total += *step;
        }
    }

    /// What the fluid gave to each body in all steps since this was asked last \[N s, N m s\].
    pub fn take(&mut self) -> Vec<Wrench> {
        let received = self.total.iter().map(received).collect();
        self.total.fill(Wrench::default());
        received
    }
}

/// What the fluid receives of what a body gives, turned round: zeros are positive.
pub fn received(given: &Wrench) -> Wrench {
    Wrench::default() - *given
}

/// What surfaces that deform do in all chunks, summed exactly and rounded once.
fn work_of(chunks: &[WrenchSums]) -> f64 {
    let mut total = ExactSum::default();
    chunks.iter().for_each(|sums| total.merge(&sums.work));
    total.value()
}

/// Adds to the wrench of each body what all chunks have of it, summed exactly and rounded once.
fn add_sums(chunks: &[WrenchSums], places: &mut Vec<[u32; 3]>, wrenches: &mut [Wrench]) {
    places.clear();
    for (chunk, sums) in chunks.iter().enumerate() {
        let bodies = sums.bodies.iter().enumerate();
        places.extend(bodies.map(|(at, &body)| [body, chunk as u32, at as u32]));
    }
    places.sort_unstable();
    for places in places.chunk_by(|a, b| a[0] == b[0]) {
        let mut total: [ExactSum; 6] = Default::default();
        for &[_, chunk, at] in places {
            let sums = &chunks[chunk as usize].sums[at as usize];
            total.iter_mut().zip(sums).for_each(|(total, sum)| total.merge(sum));
        }
        wrenches[places[0][0] as usize] += Wrench::from(total.map(|sum| sum.value()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forces_count_by_time_impulses_at_once_and_a_step_taken_back_not_at_all() {
        let mut reactions = Reactions::new(2);
        let at = [0.0, 2.0, 0.0];
        let mut items = vec![0; 3 * CHUNK];
        reactions.fill(&mut items, |i, _, sums| sums.add_wrench(i % 2, at, [1.0, 0.0, -3.0]));
        reactions.act();
        reactions.begin_step();
        reactions.kick(0.5);
        reactions.begin_step();
        reactions.kick(0.25);
        reactions.fill(&mut items, |_, _, sums| sums.add_wrench(1, [0.0; 3], [0.0, 8.0, 0.0]));
        reactions.strike();
        reactions.end_step();
        let n = 1.5 * CHUNK as f64;
        let pushed = [-0.25 * n, 0.0, 0.75 * n, 1.5 * n, 0.0, 0.5 * n];
        let mut struck = pushed;
        struck[1] = -16.0 * n;
        assert_eq!(reactions.take(), [pushed, struck].map(Wrench::from));
        assert_eq!(reactions.take(), [Wrench::default(); 2]);
    }
}
