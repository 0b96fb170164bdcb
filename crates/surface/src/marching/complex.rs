//! The surfaces between several fluids and the air as one complex, and as a mesh for each fluid.
//!
//! The complex consists of *patches*, which separate two labels, and *junction curves*, along which
//! patches meet. A vertex lies on a patch or on a junction curve. Every triangle has a vertex on a
//! patch, which tells the two labels of the triangle however vertices merge or move.

use crate::mesh::SurfaceMesh;
use crate::phases::label::{AIR, Label, Sides};
use hashfall_core::Vec3;

/// Surfaces that share their vertices.
#[derive(Default)]
pub(crate) struct Complex {
    /// Vertices \[m\].
    pub positions: Vec<Vec3>,
    /// Counter-clockwise seen from the side of the lesser label.
    pub triangles: Vec<[u32; 3]>,
    /// The labels that each triangle separates.
    pub sides: Vec<Sides>,
}

/// The two labels that a vertex separates; none on a junction curve.
pub(crate) type VertexSides = Option<Sides>;

impl Complex {
    /// The labels that each vertex separates.
    pub fn vertex_sides(&self) -> Vec<VertexSides> {
        const UNSEEN: u8 = 0;
        const PATCH: u8 = 1;
        const CURVE: u8 = 2;
        let nothing = Sides { greater: AIR, lesser: AIR };
        let mut vertex_sides = vec![(UNSEEN, nothing); self.positions.len()];
        for (triangle, &sides) in self.triangles.iter().zip(&self.sides) {
            for &v in triangle {
                let (kind, first) = &mut vertex_sides[v as usize];
                if *kind == UNSEEN {
                    (*kind, *first) = (PATCH, sides);
                } else if *first != sides {
                    *kind = CURVE;
                }
            }
        }
        vertex_sides.into_iter().map(|(kind, sides)| (kind == PATCH).then_some(sides)).collect()
    }
}

/// The labels that a triangle separates.
pub(crate) fn triangle_sides(triangle: &[u32; 3], vertex_sides: &[VertexSides]) -> Sides {
    let of_patch = triangle.iter().find_map(|&v| vertex_sides[v as usize]);
    // Every triangle has a vertex on a patch.
    of_patch.unwrap_or(Sides { greater: AIR, lesser: AIR })
}

/// The mesh of one fluid, and which vertex of the complex each of its vertices is.
pub(crate) struct FluidMesh {
    pub mesh: SurfaceMesh,
    pub vertices: Vec<u32>,
}

/// The mesh of a fluid: the triangles on its side, in their order.
pub(crate) fn fluid_mesh(
    positions: &[Vec3],
    triangles: &[[u32; 3]],
    vertex_sides: &[VertexSides],
    label: Label,
) -> FluidMesh {
    const NONE: u32 = u32::MAX;
    let mut places = vec![NONE; positions.len()];
    let mut oriented: Vec<[u32; 3]> = Vec::new();
    for triangle @ &[a, b, c] in triangles {
        let sides = triangle_sides(triangle, vertex_sides);
        if sides.greater == label {
            oriented.push([a, b, c]);
        } else if sides.lesser == label {
            oriented.push([b, a, c]);
        }
    }
    oriented.iter().flatten().for_each(|&v| places[v as usize] = 0);
    let vertices: Vec<u32> =
        (0..positions.len() as u32).filter(|&v| places[v as usize] != NONE).collect();
    vertices.iter().zip(0..).for_each(|(&v, place)| places[v as usize] = place);
    oriented.iter_mut().flatten().for_each(|v| *v = places[*v as usize]);
    let mesh = SurfaceMesh {
        positions: vertices.iter().map(|&v| positions[v as usize]).collect(),
        triangles: oriented,
        ..SurfaceMesh::default()
    };
    FluidMesh { mesh, vertices }
}
