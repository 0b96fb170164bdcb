//! Contact of free bodies with each other, with walls and with all other solids.
//!
//! A world without it lets free bodies pass through everything but fluid. What never changes of the
//! bodies is shared by all copies of a world; where they are, how they move and how they press on
//! each other is a value, which snapshots and checkpoints copy. Poses and twists of free bodies are
//! those of this value; the solids get them from it in each step.
//!
//! Bodies here are the free ones in their order, then one for each wall, ball, solid of revolution
//! and mesh of the other solids. Solids that deform would be passed through, so that a world with
//! both is refused, as is one with a body that may cross a periodic side, where nothing of it would
//! come in.

mod free_shapes;
mod objects;
mod obstacles;
mod overlaps;

pub use free_shapes::{FreeShape, free_shapes};
pub(crate) use obstacles::from_z;
pub use overlaps::BodyOverlap;

use super::{FreeBody, World, WorldError};
use hashfall_bodies::BodyState;
use hashfall_core::digest::Digest;
use hashfall_geometry::Point;
use hashfall_rigid::{
    BodyError, BodyKind, ContactPoint, Locks, MassProperties, Material, RigidBody, RigidError,
    RigidSettings, RigidSnapshot, RigidSystem, Shape,
};
use nalgebra::Vector3;
use std::sync::Arc;

/// The bodies of a world that touch each other, and their state.
#[derive(Clone, Debug)]
pub struct RigidContact {
    bodies: Arc<Vec<RigidBody>>,
    /// Of which body of the solids each is; 0 are the walls.
    owners: Arc<[usize]>,
    settings: RigidSettings,
    /// Between steps.
    pub(crate) state: RigidSnapshot,
}

/// Two are equal whose bodies are those of the same solids and in the same state.
impl PartialEq for RigidContact {
    fn eq(&self, other: &Self) -> bool {
        self.owners == other.owners && self.settings == other.settings && self.state == other.state
    }
}

impl RigidContact {
    /// That of the free bodies of a world. `shapes` has one for each of them, about its centre of
    /// mass and turned as the scene places it ([`free_shapes`]). `materials` has one for each of
    /// them, too: what is not free takes the friction of what touches it.
    ///
    /// ```
    /// use hashfall_rigid::{Amount, Material, RigidSettings, Shape, ball_mass};
    /// use hashfall_sph::world::{Fluid, FreeBody, RigidContact, World};
    /// use hashfall_solid::KinematicLaw;
    ///
    /// // A ball of 10 cm in an empty box.
    /// let world = World::builder().fluid(Fluid::default()).sphere([0.5, 0.5, 0.3], 0.1);
    /// let mut world = world.build()?;
    /// let law = KinematicLaw::driven([0.5, 0.5, 0.3]);
    /// world.solids = world.solids.with_kinematic_laws(vec![Some(law)]);
    /// let mass = ball_mass(0.1, Amount::Density(500.0))?;
    /// world.free_bodies = vec![FreeBody::new(1, mass.mass, mass.inertia)];
    /// let materials = [Material { friction: 0.3, restitution: 0.5 }];
    /// let contact =
    ///     RigidContact::new(&world, &[Shape::ball(0.1)?], &materials, RigidSettings::default())?;
    /// world.rigid = Some(contact);
    /// assert!(world.validate().is_ok());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If there is not a shape and a material for each free body, a body cannot be
    /// free, or a solid has a shape that bodies cannot touch.
    pub fn new(
        world: &World,
        shapes: &[Shape],
        materials: &[Material],
        settings: RigidSettings,
    ) -> Result<Self, WorldError> {
        let frees = &world.free_bodies;
        let found = shapes.len().min(materials.len());
        if found != frees.len() {
            return Err(WorldError::ContactShapes { found, bodies: frees.len() });
        }
        let (mut bodies, mut states, mut owners) = (Vec::new(), Vec::new(), Vec::new());
        for ((free, shape), material) in frees.iter().zip(shapes).zip(materials) {
            let own = free_body(free, shape, *material)
                .map_err(|error| refusal(free.body, error.to_string()))?;
            let state = world.solids.body_state(free.body);
            bodies.push(own);
            states.push(state.copied().unwrap_or_else(|| BodyState::at_rest(Point::zeros())));
            owners.push(free.body);
        }
        for obstacle in obstacles::obstacles(world)? {
            bodies.push(match obstacle.moves {
                true => RigidBody::prescribed(&obstacle.shape, Material::AS_THE_OTHER),
                false => RigidBody::fixed(&obstacle.shape, Material::AS_THE_OTHER),
            });
            states.push(obstacle.state);
            owners.push(obstacle.owner);
        }
        let bodies = Arc::new(bodies);
        let system = RigidSystem::from_shared(bodies.clone(), states, settings)
            .map_err(|error| refusal(0, error.to_string()))?;
        let state = system.snapshot();
        Ok(RigidContact { bodies, owners: owners.into(), settings, state })
    }

    /// A system in this state.
    ///
    /// # Errors
    /// Never, unless bodies are nowhere.
    pub(crate) fn system(&self) -> Result<RigidSystem, RigidError> {
        let states = self.state.states().to_vec();
        let mut system = RigidSystem::from_shared(self.bodies.clone(), states, self.settings)?;
        system.rollback(&self.state);
        Ok(system)
    }

    /// The bodies: the free ones of the world, then what they may touch.
    pub fn bodies(&self) -> &[RigidBody] {
        &self.bodies
    }

    /// Of which [body of the solids](hashfall_solid::Solids::body_count) each is; 0 are the walls.
    pub fn owners(&self) -> &[usize] {
        &self.owners
    }

    /// The points where bodies touch or nearly do, by their number among [`Self::bodies`], and the
    /// force of each \[N\] on its second body.
    pub fn contacts(&self) -> impl Iterator<Item = (&ContactPoint, &Vector3<f64>)> {
        self.state.contacts()
    }

    /// The state as bytes, for checkpoints.
    pub fn state_bytes(&self) -> Vec<u8> {
        self.state.state_bytes()
    }

    /// Checks that bytes are of a state of these bodies, in which those that are fixed are where
    /// they are.
    ///
    /// # Errors
    /// If they are not, or a number is not finite.
    pub fn check_state(&self, bytes: &[u8]) -> Result<(), RigidError> {
        let numbers = bytes.as_chunks::<8>().0;
        if !numbers.iter().all(|x| f64::from_le_bytes(*x).is_finite()) {
            return Err(RigidError::Bytes);
        }
        let mut system = self.system()?;
        system.set_state_bytes(bytes)?;
        let all = self.bodies.iter().zip(self.state.states().iter().zip(system.states()));
        let is_moved = |(body, (own, new)): (&RigidBody, (&BodyState, &BodyState))| {
            body.kind() == BodyKind::Fixed && own != new
        };
        if all.into_iter().any(is_moved) || !system.states().iter().all(BodyState::is_rigid) {
            return Err(RigidError::Bytes);
        }
        Ok(())
    }

    /// Feeds the state to a digest, to the bit.
    pub(crate) fn feed(&self, digest: &mut Digest) {
        self.state.feed(digest);
    }
}

impl World {
    /// Puts bodies in contact into a state of [`RigidContact::state_bytes`], between steps and
    /// before a stepper is made.
    ///
    /// # Errors
    /// If the bytes are not of a state of these bodies.
    pub fn set_contact_state(&mut self, bytes: &[u8]) -> Result<(), WorldError> {
        let refuse = |error: RigidError| refusal(0, error.to_string());
        let Some(contact) = &mut self.rigid else { return Err(refuse(RigidError::Bytes)) };
        let mut system = contact.system().map_err(refuse)?;
        system.set_state_bytes(bytes).map_err(refuse)?;
        contact.state = system.snapshot();
        for (free, state) in self.free_bodies.iter().zip(contact.state.states()) {
            self.solids
                .set_body_state(free.body, in_matrix(state))
                .map_err(|error| refusal(free.body, error.to_string()))?;
        }
        Ok(())
    }

    pub(super) fn validate_contact(&self) -> Result<(), WorldError> {
        let Some(contact) = &self.rigid else { return Ok(()) };
        let owners = contact.owners.iter();
        let frees = contact.bodies.iter().filter(|body| body.mass().is_finite());
        let is_same = self.free_bodies.iter().zip(owners).all(|(free, own)| free.body == *own);
        let found = frees.count();
        if !is_same || found != self.free_bodies.len() {
            return Err(WorldError::ContactShapes { found, bodies: self.free_bodies.len() });
        }
        match self.free_bodies.first() {
            Some(first) if self.solids.has_deforming() => {
                Err(refusal(first.body, "solids that deform do not touch it".into()))
            }
            _ => Ok(()),
        }
    }
}

/// Says which body cannot touch others.
fn refusal(body: usize, problem: String) -> WorldError {
    WorldError::BodyContact { body, problem }
}

/// A free body with its shape.
fn free_body(free: &FreeBody, shape: &Shape, material: Material) -> Result<RigidBody, BodyError> {
    let (center, inertia) = (Vector3::zeros(), free.inertia);
    let properties = MassProperties { mass: free.mass, center, inertia };
    let sets = [Locks::X, Locks::Y, Locks::Z, Locks::SPIN_X, Locks::SPIN_Y, Locks::SPIN_Z];
    let locked = sets.iter().zip(free.locks).filter(|(_, is_locked)| *is_locked);
    let locks = locked.fold(Locks::NONE, |all, (one, _)| all | *one);
    Ok(RigidBody::free(&properties, shape, material)?.with_locks(locks))
}

/// The state of a body in contact for the solids, which have matrices.
pub(crate) fn in_matrix(state: &BodyState) -> BodyState {
    BodyState { orientation: state.orientation.matrix().into(), ..*state }
}
