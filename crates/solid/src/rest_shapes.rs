//! Shapes as the scene places them, for those who follow bodies in double precision.

use crate::solids::Solids;
use crate::surfaces::SurfaceId;
use hashfall_core::geometry::{RoundSolid, Sphere};
use hashfall_geometry::TriangleMesh;
use std::sync::Arc;

impl Solids {
    /// Solid balls as the scene places them.
    pub fn rest_spheres(&self) -> &[Sphere] {
        &self.shapes.spheres
    }

    /// Solids of revolution as the scene places them.
    pub fn rest_rounds(&self) -> &[RoundSolid] {
        &self.shapes.rounds
    }

    /// Solid meshes as the scene places them.
    pub fn rest_meshes(&self) -> &[Arc<TriangleMesh>] {
        &self.shapes.meshes
    }

    /// The surface of an object.
    ///
    /// # Panics
    /// If there is no such object.
    pub fn surface_of(&self, object: u32) -> SurfaceId {
        assert!((object as usize) < self.object_count(), "there is no object {object}");
        self.surface_laws().surface_of(object)
    }

    /// The number of a surface's body among those that [move](Solids::step_poses), if it does.
    pub fn moving_number(&self, surface: SurfaceId) -> Option<usize> {
        self.moving_index(surface.body())
    }
}
