//! The nearest point of one solid, as the density and the forces at walls see it.

use crate::surfaces::SurfaceId;
use hashfall_core::{Real, Vec3};

/// The nearest point of one solid, seen from a particle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NearSolid {
    /// Unit vector from the solid to the particle's centre.
    pub normal: Vec3,
    /// Distance from the surface to the particle's centre \[m\]; negative inside walls and spheres.
    pub distance: Real,
    /// 1/R of a sphere \[1/m\]; 0 where the solid is taken for flat.
    pub curvature: Real,
    /// What it is the surface of.
    pub surface: SurfaceId,
}
