//! Vertex merges, and the mesh that remains, renumbered in the old order.

use crate::mesh::SurfaceMesh;
use hashfall_core::{Real, Values, Vec3};

/// Which vertices were merged into which, and the triangles that are left.
pub(crate) struct MergeMap {
    /// The vertex that each one was merged into; itself if it remains.
    pub into: Vec<u32>,
    /// How many vertices each one replaces.
    pub counts: Vec<Real>,
    /// The triangles that are left, by the old numbers.
    pub triangles: Vec<[u32; 3]>,
}

impl MergeMap {
    /// The map before the first merge, without triangles.
    pub fn identity(mesh: &SurfaceMesh) -> Self {
        let triangles = Vec::with_capacity(mesh.triangles.len());
        let counts = vec![1.0; mesh.positions.len()];
        MergeMap { into: (0..mesh.positions.len() as u32).collect(), counts, triangles }
    }

    /// Records that `gone` was merged into `kept`.
    pub fn merge(&mut self, [kept, gone]: [u32; 2]) {
        self.into[gone as usize] = kept;
        self.counts[kept as usize] += self.counts[gone as usize];
    }

    /// Removes merged vertices from the mesh. The attributes of the others become means over all
    /// vertices merged into them; labels stay. Returns the old numbers of the vertices.
    pub fn apply(mut self, mesh: &mut SurfaceMesh) -> Vec<u32> {
        let is_kept: Vec<bool> =
            self.into.iter().enumerate().map(|(v, &w)| v as u32 == w).collect();
        let kept = || is_kept.iter().enumerate().filter(|(_, kept)| **kept).map(|(v, _)| v);
        for v in 0..self.into.len() {
            while !is_kept[self.into[v] as usize] {
                self.into[v] = self.into[self.into[v] as usize];
            }
        }
        let mut places = vec![0; is_kept.len()];
        kept().enumerate().for_each(|(place, v)| places[v] = place as u32);
        let into: Vec<u32> = self.into.iter().map(|&v| places[v as usize]).collect();
        let count = kept().count();
        for attribute in &mut mesh.attributes {
            attribute.values = match &attribute.values {
                Values::Scalars(old) => Values::Scalars(means(old, &into, count, 0.0).into()),
                Values::Vectors(old) => {
                    Values::Vectors(means(old, &into, count, Vec3::zeros()).into())
                }
                labels => labels.at(kept()),
            };
        }
        mesh.positions = kept().map(|v| mesh.positions[v]).collect();
        mesh.normals = kept().map(|v| mesh.normals[v]).collect();
        let place = |v: u32| places[v as usize];
        mesh.triangles = self.triangles.iter().map(|t| t.map(place)).collect();
        kept().map(|v| v as u32).collect()
    }
}

/// The means of the values that were merged into each vertex.
fn means<T>(values: &[T], into: &[u32], count: usize, zero: T) -> Vec<T>
where
    T: Copy + std::ops::AddAssign + std::ops::Mul<Real, Output = T>,
{
    let mut sums = vec![(zero, 0.0); count];
    for (&value, &place) in values.iter().zip(into) {
        let (sum, number) = &mut sums[place as usize];
        *sum += value;
        *number += 1.0;
    }
    sums.into_iter().map(|(sum, number)| sum * (1.0 / number)).collect()
}
