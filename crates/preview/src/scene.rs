//! What a picture shows: balls, meshes, whitewater and the domain.

use super::foam::FoamPoint;
use super::samples::{Material, Paint};
use hashfall_core::Vec3;
use hashfall_geometry::Aabb;

/// A ball to draw.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ball {
    /// Centre \[m\].
    pub centre: Vec3,
    /// Radius \[m\].
    pub radius: f32,
    /// Its colour.
    pub paint: Paint,
}

/// A mesh to draw; its triangles are counter-clockwise seen from outside.
#[derive(Clone, Debug, PartialEq)]
pub struct RenderMesh {
    /// Vertices \[m\].
    pub positions: Vec<Vec3>,
    /// A unit normal for each.
    pub normals: Vec<nalgebra::Vector3<f32>>,
    /// A colour (sRGB) for each.
    pub colours: Vec<[u8; 3]>,
    /// Vertex indices.
    pub triangles: Vec<[u32; 3]>,
    /// The material of the surface.
    pub material: Material,
}

/// Solid balls and meshes to draw.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SolidShapes {
    /// Balls.
    pub balls: Vec<Ball>,
    /// Meshes.
    pub meshes: Vec<RenderMesh>,
}

/// The content of a picture.
#[derive(Clone, Debug)]
pub struct Scene<'a> {
    /// The domain, whose edges are drawn \[m\].
    pub bounds: Aabb,
    /// Whether there is a floor below it.
    pub has_floor: bool,
    /// Balls, in any number of lists.
    pub balls: Vec<&'a [Ball]>,
    /// Surfaces and meshes.
    pub meshes: Vec<&'a RenderMesh>,
    /// Whitewater, in any number of lists.
    pub foam: Vec<&'a [FoamPoint]>,
}
