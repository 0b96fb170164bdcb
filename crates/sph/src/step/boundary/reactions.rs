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
//! A surface that deforms, or moves in itself as a belt does, does work that no wrench on the whole
//! body tells; it is summed with the forces, by the velocity of the surface where each acts.
//!
//! A force acts at the centre of its particle; torques are about the origin. Sums over particles
//! are in [fixed point](crate::step::body_sums), so that no split into chunks and no order shows:
//! what is given is noted, and summed when all is known. A step counts when it ends: one that is
//! rolled back leaves nothing.

use crate::step::body_sums::{BodySums, WrenchSource};
use crate::step::boundary::acting_surface::ActingSurface;
use hashfall_bodies::Wrench;
use hashfall_core::parallel::{self, CHUNK};
use hashfall_core::{Vec3, to_f64};

/// What bodies gave to a chunk of particles; keeps its memory when it is cleared.
#[derive(Clone, Debug, Default)]
pub struct WrenchSums {
    /// Each body once, in the order in which they came.
    bodies: Vec<u32>,
    forces: Vec<PointForce>,
    /// Impulses in more than the state's precision, with the place of the body among them.
    impulses: Vec<(u32, [f64; 6])>,
    /// What surfaces that deform or move in themselves do \[W\] or \[J\].
    work: Vec<f64>,
}

/// The force of a body on a particle, or its impulse.
#[derive(Clone, Copy, Debug)]
struct PointForce {
    /// The place of the body among the chunk's.
    slot: u32,
    /// Where \[m\].
    at: Vec3,
    /// \[N\] or \[N s\]
    force: Vec3,
}

impl WrenchSums {
    /// Adds the force of a surface on a particle at `at` \[m\], or its impulse \[N\] or \[N s\].
    pub fn add(&mut self, acting: ActingSurface, at: Vec3, force: Vec3) {
        self.note(acting.surface.body(), at, force);
        self.add_work(acting, to_f64(&force));
    }

    fn note(&mut self, body: usize, at: Vec3, force: Vec3) {
        let slot = self.slot(body);
        self.forces.push(PointForce { slot, at, force });
    }

    /// The same in doubles.
    pub fn add_impulse(&mut self, acting: ActingSurface, at: [f64; 3], impulse: [f64; 3]) {
        self.note_impulse(acting.surface.body(), at, impulse);
        self.add_work(acting, impulse);
    }

    fn note_impulse(&mut self, body: usize, at: [f64; 3], impulse: [f64; 3]) {
        let slot = self.slot(body);
        self.impulses.push((slot, wrench(at, impulse)));
    }

    fn add_work(&mut self, acting: ActingSurface, force: [f64; 3]) {
        if let Some(velocity) = acting.velocity() {
            let [u, v, w] = to_f64(&velocity);
            self.work.push(force[0] * u + force[1] * v + force[2] * w);
        }
    }

    /// The place of a body among the chunk's, new if it came not before.
    fn slot(&mut self, body: usize) -> u32 {
        let body = body as u32;
        let known = self.bodies.iter().position(|known| *known == body);
        let slot = known.unwrap_or_else(|| {
            self.bodies.push(body);
            self.bodies.len() - 1
        });
        slot as u32
    }

    fn clear(&mut self) {
        self.bodies.clear();
        self.forces.clear();
        self.impulses.clear();
        self.work.clear();
    }
}

/// The wrench of a force about the origin.
fn wrench(at: [f64; 3], force: [f64; 3]) -> [f64; 6] {
    Wrench::from_force_at(force.into(), &at.into()).to_array()
}

impl WrenchSource for Vec<WrenchSums> {
    fn chunks(&self) -> usize {
        self.len()
    }

    fn bodies(&self, chunk: usize) -> &[u32] {
        &self[chunk].bodies
    }

    fn for_each(&self, chunk: usize, mut give: impl FnMut(usize, &[f64; 6])) {
        let WrenchSums { forces, impulses, .. } = &self[chunk];
        for PointForce { slot, at, force } in forces {
            give(*slot as usize, &wrench(to_f64(at), to_f64(force)));
        }
        impulses.iter().for_each(|(slot, wrench)| give(*slot as usize, wrench));
    }
}

/// What bodies give; keeps its buffers between steps.
#[derive(Debug)]
pub struct Reactions {
    sums_by_chunk: Vec<WrenchSums>,
    body_sums: BodySums,
    /// The works in all chunks.
    work_list: Vec<f64>,
    /// Forces at the present places, by body.
    acting: Vec<Wrench>,
    /// Those before the step under way.
    acting_before: Vec<Wrench>,
    /// Impulses of the step under way.
    step: Vec<Wrench>,
    /// Impulses of all steps since they were taken.
    total: Vec<Wrench>,
    /// Of surfaces that deform or move in themselves.
    work: WorkSums,
}

/// What surfaces that deform or move in themselves do.
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
            body_sums: BodySums::default(),
            work_list: Vec::new(),
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
        self.body_sums.add_to(&mut self.acting, &self.sums_by_chunk);
        self.work.acting += self.sum_work();
    }

    /// Takes the accounts for impulses.
    pub fn strike(&mut self) {
        self.body_sums.add_to(&mut self.step, &self.sums_by_chunk);
        self.work.step += self.sum_work();
    }

    /// What such surfaces do in all chunks.
    fn sum_work(&mut self) -> f64 {
        self.work_list.clear();
        self.work_list.extend(self.sums_by_chunk.iter().flat_map(|sums| &sums.work));
        let [sum] = parallel::sum(self.work_list.len(), |k| [self.work_list[k]]);
        sum
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

    /// What surfaces that deform or move in themselves did in the step under way \[J\].
    pub fn work_of_step(&self) -> f64 {
        self.work.step
    }

    /// What such surfaces do by the acting forces \[W\].
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forces_count_by_time_impulses_at_once_and_a_step_taken_back_not_at_all() {
        let mut reactions = Reactions::new(2);
        let (at, force) = (Vec3::new(0.0, 2.0, 0.0), Vec3::new(1.0, 0.0, -3.0));
        let mut items = vec![0; 3 * CHUNK];
        reactions.fill(&mut items, |i, _, sums| sums.note(i % 2, at, force));
        reactions.act();
        reactions.begin_step();
        reactions.kick(0.5);
        reactions.begin_step();
        reactions.kick(0.25);
        reactions.fill(&mut items, |_, _, sums| sums.note_impulse(1, [0.0; 3], [0.0, 8.0, 0.0]));
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
