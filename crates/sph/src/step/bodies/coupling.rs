//! The bodies that the fluid moves, and the fluid, within a step.
//!
//! Bodies take the same half kicks as particles. In each, a body gets its weight and, turned round,
//! all impulses that it gave to particles ([`Reactions`]): what the fluid loses is what bodies win,
//! to rounding. The pressures of the [projection](crate::step::schemes::projection) are found with
//! the bodies' twists as unknowns. With T* the twists by all else, W their
//! [mobility](super::mobility) and B what they do to the divergence ([`super::rows`]), half a kick
//! of τ with the pressure p₀ + δ leads to
//!
//! - v = v* − τ ρ₀⁻¹ G δ,  T = T* + τ W Bᵀ δ,
//!
//! so that D v + B T = 0 is
//!
//! - (−D ρ₀⁻¹ G + B W Bᵀ + ε S) δ = −(D v* + B T*)/τ − ε S p₀ + free,
//!
//! symmetric and positive as before. A body that is lighter than the fluid makes B W Bᵀ the larger
//! part where it is near; with V J·W J in the diagonal it costs few iterations. The wrench of p₀,
//! which acts through the consistent gradient and not through G, is known before and a part of T*.
//!
//! Contact of particles with free bodies is solved together with their twists ([`super::contact`]).
//! Forces that are known before a half kick (viscosity, tension, all of explicit schemes) act on
//! both sides alike, with the velocities at which they were found.
//!
//! Bodies in contact with each other or with solids ([`super::body_contact`]) answer by another W
//! at each solution. T* is that by contact with the known pressures, W the one there; if with δ
//! other contacts hold, so that T is not what was predicted, pressures are found again with T* and
//! W of the new state: Newton's method on what contact leaves.
//!
//! Symbols: v, T velocities of particles and twists of bodies, τ half a step \[s\], p₀, δ \[Pa\].

use crate::step::bodies::body_contact::BodyContact;
use crate::step::bodies::films::Films;
use crate::step::bodies::mobility::{IndependentBodies, Mobility, unlocked_inverse, world_inertia};
use crate::step::bodies::motions::{BodyMotions, FreeIndex};
use crate::step::bodies::rows::BodyRows;
use crate::step::bodies::surface_samples::{BodySurface, body_surfaces};
use crate::step::bodies::viscous_step::{ease, longest_step};
use crate::step::boundary::reactions::Reactions;
use crate::step::pairs::moment::Moment;
use crate::step::pairs::neighborhood::Neighborhood;
use crate::step::report::ContactSummary;
use crate::world::{FreeBody, World};
use hashfall_bodies::{Twist, Wrench};
use hashfall_core::Real;
use hashfall_geometry::Point;
use hashfall_rigid::RigidError;
use hashfall_solid::BodyState;
use nalgebra::Matrix6;

/// Couples the free bodies of a world; does nothing if there are none.
#[derive(Debug)]
pub struct BodyCoupling {
    pub(super) index: FreeIndex,
    pub(super) independent: IndependentBodies,
    /// Where bodies touch anything.
    pub(super) contact: Option<BodyContact>,
    pub(super) rows: BodyRows,
    /// When the step under way began \[s\]: who was held then is held in all of it.
    start: f64,
    /// Of the impulses of the step under way, what bodies have taken.
    taken: Vec<Wrench>,
    /// Twists at the start of the step under way; then what its first half kick has changed.
    first_kick: Vec<Twist>,
    /// What the known pressures give \[N, N m\].
    pub(super) known: Reactions,
    /// What the present pressures give to free bodies, where they do not act yet \[N, N m\].
    pressing: Vec<Wrench>,
    /// Of each free body.
    pub(super) surfaces: Vec<BodySurface>,
    /// Where they are, and the films beneath them.
    pub(super) films: Films,
    /// The body that stands and takes what films give; none if films do nothing.
    pub(super) receiver: Option<usize>,
    /// How easily viscosity moves each \[m²/kg\].
    eases: Vec<f64>,
    /// T*, and where the bodies are.
    pub(super) predicted: BodyMotions,
}

/// B W Bᵀ.
#[derive(Debug)]
pub struct BodyOperator<'a> {
    rows: &'a mut BodyRows,
    mobility: &'a dyn Mobility,
}

impl BodyOperator<'_> {
    /// Takes the argument of the next [`Self::add`].
    pub fn respond(&mut self, pressures: &[Real]) {
        self.rows.respond(pressures, self.mobility);
    }

    /// Adds the product to the numbers of a chunk of particles.
    pub fn add(&self, chunk: usize, numbers: &mut [Real]) {
        self.rows.add_fluxes(chunk, numbers);
    }
}

impl BodyCoupling {
    /// That of a world.
    pub fn new(world: &World) -> Self {
        let bodies = world.solids.body_count();
        let surfaces = body_surfaces(world);
        let all = world.free_bodies.iter().zip(&surfaces);
        BodyCoupling {
            index: FreeIndex::new(world),
            independent: IndependentBodies::default(),
            contact: BodyContact::new(world),
            rows: BodyRows::default(),
            start: world.time,
            taken: vec![Wrench::default(); bodies],
            first_kick: vec![Twist::default(); world.free_bodies.len()],
            known: Reactions::new(bodies),
            pressing: vec![Wrench::default(); world.free_bodies.len()],
            eases: all.map(|(free, surface)| ease(free, surface)).collect(),
            surfaces,
            films: Films::default(),
            receiver: None,
            predicted: BodyMotions::default(),
        }
    }

    /// Whether anything is to be done.
    pub fn is_needed(world: &World) -> bool {
        !world.free_bodies.is_empty()
    }

    /// The longest step \[s\] that viscosity as a force allows the bodies.
    pub fn longest_step(&self, world: &World) -> f64 {
        longest_step(world, &self.eases)
    }

    /// Begins a step, and forgets one that was not ended.
    pub fn begin_step(&mut self, world: &World, dt: f64) {
        self.taken.fill(Wrench::default());
        self.first_kick = self.motions(world).twists;
        self.start = world.time;
        if let Some(contact) = &mut self.contact {
            contact.begin_step(world, dt);
        }
    }

    /// Returns to the state of a world after a step that was rolled back.
    pub fn rollback(&mut self, world: &World) {
        if let Some(contact) = &mut self.contact {
            contact.restore(world);
        }
    }

    /// Takes what bodies are let go with, and how solids move now; the clock was at `before` \[s\].
    pub fn end_motion(&mut self, world: &World, before: f64) {
        if let Some(contact) = &mut self.contact {
            contact.end_motion(world, before);
        }
    }

    /// Ends the step, with the state of bodies in contact.
    ///
    /// # Errors
    /// If a body is nowhere.
    pub fn end_step(&mut self, world: &mut World) -> Result<(), RigidError> {
        self.contact.as_mut().map_or(Ok(()), |contact| contact.end_step(world))
    }

    /// How contact was solved in the step.
    pub fn contact_summary(&self) -> ContactSummary {
        self.contact.as_ref().map(|contact| *contact.summary()).unwrap_or_default()
    }

    /// What solids that move by a law did to free bodies in the step, by contact \[J\].
    pub fn work_of_driven(&self) -> f64 {
        self.contact.as_ref().map_or(0.0, BodyContact::work_of_driven)
    }

    /// How bodies answer impulses.
    pub(super) fn mobility(&self) -> &dyn Mobility {
        present(&self.contact, &self.independent)
    }

    /// W times impulses.
    pub fn answer(&self, impulses: &[Wrench], twists: &mut [Twist]) {
        self.mobility().apply(impulses, twists);
    }

    /// What impulses on a body do to itself.
    pub fn block(&self, body: usize) -> &Matrix6<f64> {
        self.mobility().block(body)
    }

    /// The motions to which weight, the forces that act and the present pressures lead in `dt`
    /// \[s\].
    pub fn motions_without_viscosity(
        &mut self,
        world: &World,
        reactions: &Reactions,
        dt: f64,
    ) -> BodyMotions {
        self.independent.update(world, self.start);
        let field = world.body_field();
        let force = |(free, pressure): (&FreeBody, &Wrench)| {
            let acting = &reactions.acting()[free.body];
            let mut wrench = about_centre(world, free, &(-*acting - *pressure));
            if let Some(state) = world.solids.body_state(free.body) {
                wrench.force += Point::from(field.acceleration(&state.position.into())) * free.mass;
            }
            wrench * dt
        };
        let all = world.free_bodies.iter().zip(&self.pressing);
        let impulses: Vec<Wrench> = all.map(force).collect();
        let mut motions = self.motions(world);
        if let Some(contact) = &mut self.contact {
            motions.twists = contact.twists_after(&impulses, dt);
            return motions;
        }
        let mut changes = vec![Twist::default(); impulses.len()];
        self.independent.apply(&impulses, &mut changes);
        motions.twists.iter_mut().zip(&changes).for_each(|(twist, change)| *twist += *change);
        motions
    }

    /// The present twists without what the first half kick of the step under way has changed.
    pub fn twists_without_kick(&self, world: &World) -> Vec<Twist> {
        let present = self.motions(world).twists;
        present.iter().zip(&self.first_kick).map(|(twist, kick)| *twist + *kick * -1.0).collect()
    }

    /// Notes the known forces as those of the present pressures, which do not act yet.
    pub fn note_pressing(&mut self, world: &World) {
        let acting = self.known.acting();
        self.pressing = world.free_bodies.iter().map(|free| acting[free.body]).collect();
    }

    /// The known forces on each free body, about its centre.
    pub fn known_wrenches(&self, world: &World) -> Vec<Wrench> {
        let acting = self.known.acting();
        let received = |free: &FreeBody| -acting[free.body];
        world.free_bodies.iter().map(|free| about_centre(world, free, &received(free))).collect()
    }

    /// Half a kick of `dt` \[s\]: weight, and what has been given since it was taken last.
    pub fn kick(&mut self, world: &mut World, reactions: &Reactions, dt: f64) {
        self.independent.update(world, self.start);
        let field = world.body_field();
        let mut impulses = self.received(world, reactions);
        for (impulse, free) in impulses.iter_mut().zip(&world.free_bodies) {
            let Some(state) = world.solids.body_state(free.body) else { continue };
            let weight = Point::from(field.acceleration(&state.position.into())) * free.mass;
            impulse.force += weight * dt;
        }
        self.strike(world, &impulses);
    }

    /// Bodies take the impulses that have been given since.
    pub fn take_impulses(&mut self, world: &mut World, reactions: &Reactions) {
        let impulses = self.received(world, reactions);
        self.strike(world, &impulses);
    }

    /// What each free body has been given since it was taken last, about its centre.
    fn received(&mut self, world: &World, reactions: &Reactions) -> Vec<Wrench> {
        let given = reactions.of_step();
        let of_body = |free: &FreeBody| {
            let about_origin = self.taken[free.body] - given[free.body];
            about_centre(world, free, &about_origin)
        };
        let received = world.free_bodies.iter().map(of_body).collect();
        self.taken.copy_from_slice(given);
        received
    }

    /// Changes the twists of all bodies by impulses.
    fn strike(&mut self, world: &mut World, impulses: &[Wrench]) {
        let twists = match &mut self.contact {
            Some(contact) => contact.strike(impulses),
            None => {
                let mut twists = vec![Twist::default(); impulses.len()];
                self.independent.apply(impulses, &mut twists);
                for (twist, before) in twists.iter_mut().zip(&self.motions(world).twists) {
                    *twist = *before + *twist;
                }
                twists
            }
        };
        let World { free_bodies, solids, .. } = world;
        for (free, twist) in free_bodies.iter().zip(&twists) {
            let Twist { velocity, spin } = *twist;
            // A number that is not finite comes from a particle, where the guard finds it.
            let _ = solids.set_body_velocity(free.body, velocity, spin);
        }
    }

    /// Tells the solids where bodies are at the end of a step of `dt` \[s\]. The angular momentum
    /// stays: a body turns with the spin that it has halfway.
    pub fn lead(&mut self, world: &mut World, dt: f64) {
        let kicked = self.motions(world).twists;
        for (change, twist) in self.first_kick.iter_mut().zip(kicked) {
            *change = twist + *change * -1.0;
        }
        let in_contact = self.contact.as_mut().map(|contact| contact.drift(dt));
        let World { free_bodies, solids, .. } = world;
        for (number, free) in free_bodies.iter().enumerate() {
            let Some(state) = solids.body_state(free.body) else { continue };
            let end = match &in_contact {
                Some(ends) => ends[number],
                None => advanced(free, state, dt),
            };
            // As above.
            let _ = solids.set_step_end(free.body, end, dt);
        }
    }

    /// The motions of the bodies now.
    pub fn motions(&self, world: &World) -> BodyMotions {
        let of = |free: &FreeBody| world.solids.body_state(free.body).copied();
        let states = || world.free_bodies.iter().filter_map(of);
        BodyMotions {
            index: self.index.clone(),
            centres: states().map(|state| state.position).collect(),
            twists: states().map(|state| state.twist()).collect(),
        }
    }

    /// Takes the surroundings of the particles for a projection.
    pub fn begin_projection(
        &mut self,
        world: &World,
        neighborhood: &Neighborhood,
        moments: &[Moment],
    ) {
        self.predicted = self.motions(world);
        self.rows.update(world, neighborhood, moments, &self.predicted);
    }

    /// Where the forces of the known pressures are to be summed.
    pub fn known(&mut self) -> &mut Reactions {
        &mut self.known
    }

    /// What these forces are.
    pub fn known_forces(&self) -> &Reactions {
        &self.known
    }

    /// Adds the diagonal of B W Bᵀ \[1/(Pa s²)\].
    pub fn add_diagonal(&self, diagonal: &mut [Real]) {
        self.rows.add_diagonal(self.mobility(), diagonal);
    }

    /// B W Bᵀ.
    pub fn operator(&mut self) -> BodyOperator<'_> {
        BodyOperator { rows: &mut self.rows, mobility: present(&self.contact, &self.independent) }
    }
}

/// How bodies answer impulses: in contact, or each by itself.
fn present<'a>(
    contact: &'a Option<BodyContact>,
    independent: &'a IndependentBodies,
) -> &'a dyn Mobility {
    match contact {
        Some(contact) => contact.mobility(),
        None => independent,
    }
}

/// A wrench about the origin, about the centre of mass of a body.
fn about_centre(world: &World, free: &FreeBody, wrench: &Wrench) -> Wrench {
    let centre = world.solids.body_state(free.body).map_or_else(Point::zeros, |it| it.position);
    wrench.about(&centre)
}

/// A state after `dt` \[s\] without a wrench.
fn advanced(free: &FreeBody, state: &BodyState, dt: f64) -> BodyState {
    let [.., a, b, c] = free.locks;
    let momentum = world_inertia(free, state) * state.angular_velocity;
    let spin_in =
        |state: &BodyState| unlocked_inverse(&world_inertia(free, state), [a, b, c]) * momentum;
    let halfway = spin_in(&state.advanced(0.5 * dt));
    let end = BodyState { angular_velocity: halfway, ..*state }.advanced(dt);
    BodyState { angular_velocity: spin_in(&end), ..end }
}
