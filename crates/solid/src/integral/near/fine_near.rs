//! What is known of a fine mesh near a particle.

use crate::mesh_tree::NearTriangle;
use crate::near_solid::NearSolid;
use crate::surfaces::SurfaceId;

/// A fine mesh near a particle.
#[derive(Clone, Copy, Debug)]
pub(super) struct FineNear {
    /// Among those that have triangles.
    pub mesh: usize,
    /// Its number among all surfaces.
    pub surface: SurfaceId,
    /// Its nearest triangle.
    pub nearest: NearTriangle,
    /// Its nearest face that is none of those known so far.
    pub next_face: Option<NearSolid>,
}
