//! Whether the meshes of several fluids share their interfaces: no gap, no overlap.

use crate::mesh::SurfaceMesh;
use hashfall_core::to_f64;
use std::collections::HashMap;

/// Faults between meshes; see [`InterfaceAudit::new`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct InterfaceAudit {
    /// Triangles that two meshes have, one reversed.
    pub shared_triangles: usize,
    /// Triangles that meshes have in common in another way.
    pub overlapping_triangles: usize,
    /// Sides of other triangles that do not have as many opposites: gaps between meshes.
    pub open_sides: usize,
}

impl InterfaceAudit {
    /// Compares meshes, each of which is closed. Vertices are the same if their places are, to the
    /// bit.
    pub fn new(meshes: &[&SurfaceMesh]) -> Self {
        let mut audit = InterfaceAudit::default();
        let mut places: HashMap<[u64; 3], u32> = HashMap::new();
        // Corners in order, then the corners as they turn.
        let mut triangles: Vec<([u32; 3], [u32; 3])> = Vec::new();
        for mesh in meshes {
            let number = |v: &nalgebra::Vector3<_>| {
                let next = places.len() as u32;
                *places.entry(to_f64(v).map(f64::to_bits)).or_insert(next)
            };
            let numbers: Vec<u32> = mesh.positions.iter().map(number).collect();
            triangles.extend(mesh.triangles.iter().map(|triangle| {
                let corners = triangle.map(|v| numbers[v as usize]);
                let mut sorted = corners;
                sorted.sort_unstable();
                (sorted, from_least(corners))
            }));
        }
        triangles.sort_unstable();
        let mut sides: Vec<[u32; 2]> = Vec::new();
        for same in triangles.chunk_by(|a, b| a.0 == b.0) {
            match same {
                [(_, [a, b, c])] => sides.extend([[*a, *b], [*b, *c], [*c, *a]]),
                [(_, one), (_, other)] if one != other => audit.shared_triangles += 1,
                _ => audit.overlapping_triangles += same.len(),
            }
        }
        sides.sort_unstable();
        let count = |side: &[u32; 2]| {
            sides.partition_point(|s| s <= side) - sides.partition_point(|s| s < side)
        };
        for same in sides.chunk_by(|a, b| a == b) {
            let [a, b] = same[0];
            audit.open_sides += same.len().saturating_sub(count(&[b, a]));
        }
        audit
    }

    /// Whether meshes fit together.
    pub fn is_sound(&self) -> bool {
        self.overlapping_triangles == 0 && self.open_sides == 0
    }
}

/// The corners of a triangle as they turn, from the least on.
fn from_least(corners: [u32; 3]) -> [u32; 3] {
    let least = (0..3).min_by_key(|&k| corners[k]).unwrap_or(0);
    [0, 1, 2].map(|k| corners[(least + k) % 3])
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashfall_core::vec3;

    /// A tetrahedron over a triangle, to one of its sides.
    fn tetrahedron(height: f64) -> SurfaceMesh {
        let corners = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0.2, 0.2, height]];
        let up = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
        let triangles = if height > 0.0 { up } else { up.map(|[a, b, c]| [b, a, c]) };
        SurfaceMesh {
            positions: corners.map(vec3).to_vec(),
            triangles: triangles.to_vec(),
            ..SurfaceMesh::default()
        }
    }

    #[test]
    fn shared_triangles_are_told_from_overlaps_and_gaps() {
        let (above, below) = (tetrahedron(1.0), tetrahedron(-1.0));
        let audit = InterfaceAudit::new(&[&above, &below]);
        assert!(audit.is_sound());
        assert_eq!(audit.shared_triangles, 1);
        let twice = InterfaceAudit::new(&[&above, &above]);
        assert_eq!(twice.overlapping_triangles, 8);
        let mut moved = below.clone();
        moved.positions[0].x = 1e-6;
        // Apart they are closed, and touch nowhere in a triangle.
        let apart = InterfaceAudit::new(&[&above, &moved]);
        assert_eq!((apart.shared_triangles, apart.is_sound()), (0, true));
        let mut open = below;
        open.triangles.pop();
        assert_eq!(InterfaceAudit::new(&[&above, &open]).open_sides, 3);
    }
}
