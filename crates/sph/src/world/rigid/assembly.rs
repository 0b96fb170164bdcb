//! Contact of the bodies of a world: its bodies, and whether it belongs to the world.

use super::contact::RigidContact;
use super::obstacles::obstacles;
use super::states::in_matrix;
use crate::world::{FreeBody, World, WorldError};
use hashfall_bodies::BodyState;
use hashfall_rigid::{
    BodyError, Locks, MassProperties, Material, RigidBody, RigidError, RigidSettings, RigidSystem,
    Shape,
};
use nalgebra::Vector3;
use std::sync::Arc;

impl RigidContact {
    /// That of the free bodies of a world. `shapes` has one for each of them, about its centre of
    /// mass and turned as the scene places it ([`free_shapes`](crate::world::free_shapes)).
    /// `materials` has one for each of them, too: what is not free takes the friction of what
    /// touches it.
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
        for found in [shapes.len(), materials.len()] {
            if found != frees.len() {
                return Err(WorldError::ContactShapes { found, bodies: frees.len() });
            }
        }
        let (mut bodies, mut states, mut owners) = (Vec::new(), Vec::new(), Vec::new());
        for ((free, shape), material) in frees.iter().zip(shapes).zip(materials) {
            let own = free_body(free, shape, *material)
                .map_err(|error| WorldError::body_contact(free.body, error.to_string()))?;
            let state = world.solids.body_state(free.body);
            bodies.push(own);
            states.push(state.copied().unwrap_or_else(|| BodyState::at_rest(Vector3::zeros())));
            owners.push(free.body);
        }
        for obstacle in obstacles(world)? {
            bodies.push(match obstacle.moves {
                true => RigidBody::prescribed(&obstacle.shape, Material::AS_THE_OTHER),
                false => RigidBody::fixed(&obstacle.shape, Material::AS_THE_OTHER),
            });
            states.push(obstacle.state);
            owners.push(obstacle.owner);
        }
        let bodies = Arc::new(bodies);
        let system = RigidSystem::from_shared(bodies.clone(), states, settings)
            .map_err(|error| WorldError::body_contact(0, error.to_string()))?;
        let state = system.snapshot();
        Ok(RigidContact { bodies, owners: owners.into(), settings, state })
    }
}

impl World {
    /// Puts bodies in contact into a state of [`RigidContact::state_bytes`], between steps and
    /// before a stepper is made.
    ///
    /// # Errors
    /// If the bytes are not of a state of these bodies.
    pub fn set_contact_state(&mut self, bytes: &[u8]) -> Result<(), WorldError> {
        let refuse = |error: RigidError| WorldError::body_contact(0, error.to_string());
        let Some(contact) = &mut self.rigid else { return Err(refuse(RigidError::Bytes)) };
        let mut system = contact.system().map_err(refuse)?;
        system.set_state_bytes(bytes).map_err(refuse)?;
        contact.state = system.snapshot();
        for (free, state) in self.free_bodies.iter().zip(contact.state.states()) {
            self.solids
                .set_body_state(free.body, in_matrix(state))
                .map_err(|error| WorldError::body_contact(free.body, error.to_string()))?;
        }
        Ok(())
    }

    /// Puts bodies in contact where the solids have them, if a caller has set these.
    ///
    /// # Errors
    /// Never, unless bodies are nowhere.
    pub(crate) fn place_bodies_in_contact(&mut self) -> Result<(), WorldError> {
        let Some(contact) = &mut self.rigid else { return Ok(()) };
        let mut states = contact.state.states().to_vec();
        let mut is_set = false;
        for (free, state) in self.free_bodies.iter().zip(&mut states) {
            let of_solids = self.solids.body_state(free.body);
            if let Some(own) = of_solids.filter(|own| **own != in_matrix(state)) {
                (*state, is_set) = (*own, true);
            }
        }
        if is_set {
            let bodies = contact.bodies.clone();
            let system = RigidSystem::from_shared(bodies, states, contact.settings)
                .map_err(|error| WorldError::body_contact(0, error.to_string()))?;
            contact.state = system.snapshot();
        }
        Ok(())
    }

    pub(in crate::world) fn validate_contact(&self) -> Result<(), WorldError> {
        let Some(contact) = &self.rigid else { return Ok(()) };
        let owners = contact.owners.iter();
        let frees = contact.bodies.iter().filter(|body| body.mass().is_finite());
        let is_same = self.free_bodies.iter().zip(owners).all(|(free, own)| free.body == *own);
        let found = frees.count();
        if !is_same || found != self.free_bodies.len() {
            return Err(WorldError::ContactShapes { found, bodies: self.free_bodies.len() });
        }
        match self.free_bodies.first() {
            Some(first) if self.solids.has_deforming() => Err(WorldError::body_contact(
                first.body,
                "solids that deform do not touch it".into(),
            )),
            _ => Ok(()),
        }
    }
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
