//! Checks of a mesh: closed, consistently oriented, 2-manifold, no degenerate triangles; its
//! volume.

use crate::mesh::SurfaceMesh;
use hashfall_core::{Vec3, to_f64};

/// Faults and size of a mesh; see [`SurfaceMesh::audit`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MeshAudit {
    /// Sides of triangles that do not have exactly one opposite: holes, flipped triangles, and
    /// edges of more than two triangles.
    pub unpaired_sides: usize,
    /// Vertices whose triangles do not form a single ring.
    pub pinched_vertices: usize,
    /// Triangles without area.
    pub flat_triangles: usize,
    /// Vertices that belong to no triangle.
    pub unused_vertices: usize,
    /// Positions, normals or attributes that are not finite.
    pub invalid_values: usize,
    /// Vertices − edges + triangles: twice the number of components, less twice that of tunnels.
    pub euler_characteristic: i64,
    /// Enclosed volume \[m³\].
    pub volume: f64,
}

impl MeshAudit {
    /// Whether the mesh is a closed, consistently oriented 2-manifold of true triangles.
    pub fn is_sound(&self) -> bool {
        self.unpaired_sides == 0
            && self.pinched_vertices == 0
            && self.flat_triangles == 0
            && self.unused_vertices == 0
            && self.invalid_values == 0
    }
}

impl SurfaceMesh {
    /// Enclosed volume \[m³\], in double precision; of a closed mesh.
    pub fn volume(&self) -> f64 {
        // Relative to a vertex, so that a mesh far from the origin loses no digits.
        let origin = self.positions.first().map_or([0.0; 3], to_f64);
        let six_times = |t: &[u32; 3]| {
            let [a, b, c] = t.map(|v| {
                let p = to_f64(&self.positions[v as usize]);
                nalgebra::Vector3::new(p[0] - origin[0], p[1] - origin[1], p[2] - origin[2])
            });
            a.dot(&b.cross(&c))
        };
        // From zero: the sum of nothing is −0.
        self.triangles.iter().map(six_times).fold(0.0, |sum, x| sum + x) / 6.0
    }

    /// Checks the mesh: some 0.3 s per million triangles.
    pub fn audit(&self) -> MeshAudit {
        let sides = self.sides();
        let has = |side: (u32, u32)| sides.binary_search(&side).is_ok();
        let runs = sides.chunk_by(|a, b| a == b);
        let is_paired = |run: &[(u32, u32)]| run.len() == 1 && has((run[0].1, run[0].0));
        let unpaired = runs.filter(|run| !is_paired(run)).map(<[_]>::len).sum();
        let edges = sides.iter().filter(|&&(a, b)| a < b || !has((b, a))).count();
        let (used, pinched) = self.count_rings();
        let vectors = [&self.positions, &self.normals];
        let attributes = self.attributes.iter().map(|a| a.values.count_invalid());
        let is_finite = |v: &Vec3| v.iter().all(|x| x.is_finite());
        MeshAudit {
            unpaired_sides: unpaired,
            pinched_vertices: pinched,
            flat_triangles: self.triangles.iter().filter(|t| self.area(t) <= 0.0).count(),
            unused_vertices: self.positions.len() - used,
            invalid_values: vectors.into_iter().flatten().filter(|v| !is_finite(v)).count()
                + attributes.sum::<usize>(),
            euler_characteristic: used as i64 - edges as i64 + self.triangles.len() as i64,
            volume: self.volume(),
        }
    }

    /// Area of a triangle of this mesh \[m²\].
    fn area(&self, triangle: &[u32; 3]) -> f64 {
        let [a, b, c] =
            triangle.map(|v| nalgebra::Vector3::from(to_f64(&self.positions[v as usize])));
        (b - a).cross(&(c - a)).norm() / 2.0
    }

    /// The directed sides of all triangles, sorted.
    fn sides(&self) -> Vec<(u32, u32)> {
        let turn = |&[a, b, c]: &[u32; 3]| [(a, b), (b, c), (c, a)];
        let mut sides: Vec<(u32, u32)> = self.triangles.iter().flat_map(turn).collect();
        sides.sort_unstable();
        sides
    }

    /// The number of vertices with triangles, and of those whose triangles are not one ring.
    fn count_rings(&self) -> (usize, usize) {
        // Seen from its vertex, each triangle leads from one neighbour to the next.
        let turn = |&[a, b, c]: &[u32; 3]| [(a, b, c), (b, c, a), (c, a, b)];
        let mut links: Vec<(u32, u32, u32)> = self.triangles.iter().flat_map(turn).collect();
        links.sort_unstable();
        let fans = links.chunk_by(|p, q| p.0 == q.0);
        let is_ring = |fan: &[(u32, u32, u32)]| {
            let start = fan[0].1;
            let mut at = start;
            for length in 1..=fan.len() {
                let Ok(link) = fan.binary_search_by_key(&at, |&(_, from, _)| from) else {
                    return false;
                };
                at = fan[link].2;
                if at == start {
                    return length == fan.len();
                }
            }
            false
        };
        fans.fold((0, 0), |(used, pinched), fan| (used + 1, pinched + usize::from(!is_ring(fan))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashfall_core::{Attribute, Values};

    /// Tetrahedra of volume 1/6 at (0, 0, 0) and, sharing that corner, along (−1, −1, −1).
    fn mesh(triangles: &[[u32; 3]]) -> SurfaceMesh {
        let corners = [
            [0., 0., 0.],
            [1., 0., 0.],
            [0., 1., 0.],
            [0., 0., 1.],
            [-1., 0., 0.],
            [0., -1., 0.],
            [0., 0., -1.],
        ];
        let used = 1 + triangles.iter().flatten().max().unwrap();
        let positions: Vec<Vec3> =
            corners[..used as usize].iter().map(|&c| hashfall_core::vec3(c)).collect();
        let normals = vec![Vec3::z(); positions.len()];
        let attributes = vec![Attribute::new("flow", Values::Vectors(normals.clone().into()))];
        SurfaceMesh { normals, positions, attributes, triangles: triangles.into() }
    }

    const ONE: [[u32; 3]; 4] = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];

    #[test]
    fn a_tetrahedron_is_sound() {
        let audit = mesh(&ONE).audit();
        assert!(audit.is_sound(), "{audit:?}");
        assert_eq!(audit.euler_characteristic, 2);
        assert!((audit.volume - 1.0 / 6.0).abs() < 1e-12);
        let nothing = SurfaceMesh::default().audit();
        assert_eq!(nothing, MeshAudit::default());
    }

    #[test]
    fn each_fault_is_seen() {
        assert_eq!(mesh(&ONE[..3]).audit().unpaired_sides, 3, "a hole");
        let mut flipped = ONE;
        flipped[0] = [0, 1, 2];
        assert_eq!(mesh(&flipped).audit().unpaired_sides, 6, "a flipped triangle");
        let pinched = [ONE.as_slice(), &[[0, 4, 5], [0, 6, 4], [0, 5, 6], [4, 6, 5]]].concat();
        let audit = mesh(&pinched).audit();
        assert_eq!(
            (audit.unpaired_sides, audit.pinched_vertices),
            (0, 1),
            "two bodies at a corner"
        );
        let mut flat = mesh(&ONE);
        flat.positions[3] = flat.positions[1];
        assert_eq!(flat.audit().flat_triangles, 2);
        let mut broken = mesh(&ONE);
        broken.attributes[0].values = Values::Scalars(vec![0.0, hashfall_core::Real::NAN].into());
        broken.positions.push(Vec3::zeros());
        let audit = broken.audit();
        assert_eq!((audit.invalid_values, audit.unused_vertices), (1, 1));
    }
}
