//! The particles that a surface is made of.

use hashfall_core::{Attribute, Real, Vec3};

/// The particles that a surface is made of.
#[derive(Clone, Copy, Debug)]
pub struct SurfaceInput<'a> {
    /// Centres \[m\], finite, sorted by cells of the support radius.
    pub positions: &'a [Vec3],
    /// Attributes that are interpolated to the vertices, such as velocities.
    pub attributes: &'a [Attribute<'a>],
    /// Volumes m/ρ \[m³\], with the fluid-only density ρ.
    pub volumes: &'a [Real],
    /// Support radius h of the kernel \[m\].
    pub support_radius: Real,
}

/// The fluid of each particle.
#[derive(Clone, Copy, Debug)]
pub struct Phases<'a> {
    /// The fluid of each particle, in the order of the input.
    pub fluid_of: &'a [u8],
    /// How many fluids there are, at most 255, with or without particles.
    pub count: usize,
}
