//! Triangle meshes of fluids.

use hashfall_core::{Attribute, Vec3};

/// A closed triangle mesh with what Blender and ParaView need at each vertex.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SurfaceMesh {
    /// Vertex positions \[m\].
    pub positions: Vec<Vec3>,
    /// Unit normals, pointing out of the fluid.
    pub normals: Vec<Vec3>,
    /// What the fluid carries there: the attributes of the splats, in their order.
    pub attributes: Vec<Attribute<'static>>,
    /// Vertex indices, counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
}

/// The surfaces of a fluid.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Surfaces {
    /// All bodies, or those that are large enough.
    pub main: SurfaceMesh,
    /// The smaller ones, if they are wanted apart.
    pub spray: Option<SurfaceMesh>,
}

impl Surfaces {
    /// The surfaces that there are, the main one first.
    pub fn iter(&self) -> impl Iterator<Item = &SurfaceMesh> {
        [&self.main].into_iter().chain(&self.spray)
    }

    /// Triangles of all.
    pub fn triangles(&self) -> usize {
        self.iter().map(|mesh| mesh.triangles.len()).sum()
    }

    /// Volume that all enclose \[m³\].
    pub fn volume(&self) -> f64 {
        self.iter().map(SurfaceMesh::volume).sum()
    }
}

impl From<SurfaceMesh> for Surfaces {
    fn from(main: SurfaceMesh) -> Self {
        Surfaces { main, spray: None }
    }
}
