//! Triangle meshes of fluids.

use hashfall_core::{Attribute, Vec3};

/// A closed triangle mesh with what Blender and ParaView need at each vertex.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SurfaceMesh {
    /// Vertex positions \[m\].
    pub positions: Vec<Vec3>,
    /// Unit normals, pointing out of the fluid.
    pub normals: Vec<Vec3>,
    /// Attributes of the fluid at each vertex, in the order of the input.
    pub attributes: Vec<Attribute<'static>>,
    /// Vertex indices, counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
}

/// The surfaces of a fluid.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Surfaces {
    /// All components, or those of at least the minimum volume.
    pub main: SurfaceMesh,
    /// The smaller components, if the settings ask for them.
    pub spray: Option<SurfaceMesh>,
}

impl Surfaces {
    /// All surfaces, the main one first.
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
