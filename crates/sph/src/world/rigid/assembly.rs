//! Contact of the bodies of a world: its bodies, and whether it belongs to the world.

use super::contact::RigidContact;
use super::obstacles::obstacles;
use crate::world::{FreeBody, World, WorldError};
use hashfall_rigid::{
    BodyError, Locks, MassProperties, Material, RigidBody, RigidSettings, RigidSnapshot, Shape,
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
        let (mut bodies, mut fixed, mut owners) = (Vec::new(), Vec::new(), Vec::new());
        for ((free, shape), material) in frees.iter().zip(shapes).zip(materials) {
            let body = free_body(free, shape, *material)
                .map_err(|error| WorldError::body_contact(free.body, error.to_string()))?;
            bodies.push(body);
            fixed.push(None);
            owners.push(free.body);
        }
        for obstacle in obstacles(world)? {
            bodies.push(match obstacle.fixed {
                None => RigidBody::prescribed(&obstacle.shape, Material::AS_THE_OTHER),
                Some(_) => RigidBody::fixed(&obstacle.shape, Material::AS_THE_OTHER),
            });
            fixed.push(obstacle.fixed);
            owners.push(obstacle.owner);
        }
        let state = RigidSnapshot::new(bodies.len());
        let (bodies, owners, fixed) = (Arc::new(bodies), owners.into(), fixed.into());
        Ok(RigidContact { bodies, owners, fixed, settings, state })
    }
}

impl World {
    pub(in crate::world) fn validate_contact(&self) -> Result<(), WorldError> {
        let Some(contact) = &self.rigid else { return Ok(()) };
        let owners = contact.owners.iter();
        let frees = contact.bodies.iter().filter(|body| body.mass().is_finite());
        let is_same = self.free_bodies.iter().zip(owners).all(|(free, owner)| free.body == *owner);
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
