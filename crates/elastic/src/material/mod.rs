//! Materials of bodies: what each makes of the elements of a mesh, a file each.

mod parts;
mod rope;
mod shell;
mod solid;
mod springs;

pub use parts::BodyParts;
pub(crate) use parts::not_negative;
pub use rope::Rope;
pub use shell::Shell;
pub use solid::{ElementOrder, Solid};
pub use springs::{SpringMass, SpringStiffness, Springs};

use crate::error::MaterialError;
use crate::mesh::ElasticMesh;

/// What a body is made of.
#[derive(Clone, Debug, PartialEq)]
pub enum Material {
    /// Springs along the edges.
    Springs(Springs),
    /// Tension and bending of segments.
    Rope(Rope),
    /// Membrane and bending of triangles.
    Shell(Shell),
    /// Stable neo-Hookean tetrahedra.
    Solid(Solid),
}

impl Material {
    /// Adds elements and masses to a body: those of the part of its mesh that the material takes.
    ///
    /// # Errors
    /// If a parameter or an element of the mesh is of no use.
    pub fn add_to(&self, mesh: &ElasticMesh, parts: &mut BodyParts) -> Result<(), MaterialError> {
        match self {
            Material::Springs(springs) => springs.add_to(mesh, parts),
            Material::Rope(rope) => rope.add_to(mesh, parts),
            Material::Shell(shell) => shell.add_to(mesh, parts),
            Material::Solid(solid) => solid.add_to(mesh, parts),
        }
    }

    /// Whether it needs nodes in the middles of the edges of tetrahedra.
    pub(crate) fn needs_edge_nodes(&self) -> bool {
        matches!(self, Material::Solid(Solid { order: ElementOrder::Quadratic, .. }))
    }

    /// How thick the body is where others touch it, unless it says so itself \[m\].
    pub fn thickness(&self) -> f64 {
        match self {
            Material::Springs(springs) => springs.thickness,
            Material::Rope(rope) => rope.diameter,
            Material::Shell(shell) => shell.thickness,
            Material::Solid(_) => 0.0,
        }
    }
}
