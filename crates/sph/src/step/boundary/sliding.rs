//! Sliding along surfaces: the velocity that a surface sees, and the friction against it.

use crate::step::boundary::acting_surface::ActingSurface;
use hashfall_core::{Length, Real, Vec3};
use hashfall_solid::ContactLaw;

/// What friction along one solid does to a particle.
#[derive(Clone, Copy, Debug)]
pub struct WallFriction {
    /// The solid.
    pub acting: ActingSurface,
    /// What it adds to the particle's velocity \[m/s\].
    pub change: Vec3,
    /// Away from the solid.
    pub normal: Vec3,
    /// How fast the solid pushes the particle away \[m/s\].
    pub push: Real,
}

/// The velocity `v` \[m/s\] along a surface, as the surface sees it.
pub fn sliding(v: Vec3, normal: Vec3, law: &ContactLaw) -> Vec3 {
    let relative = v - law.surface_velocity();
    relative - normal * normal.dot(&relative)
}

/// What friction adds to the velocity `v` \[m/s\] of a particle that a surface has pushed away by
/// `push` \[m/s\]: never more than ends the sliding.
#[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f32")]
pub fn friction(v: Vec3, normal: Vec3, push: Real, law: &ContactLaw) -> Vec3 {
    let sliding = sliding(v, normal, law);
    let (size, most) = (sliding.length(), law.friction as Real * push);
    sliding * -(if size > most { most / size } else { 1.0 })
}
