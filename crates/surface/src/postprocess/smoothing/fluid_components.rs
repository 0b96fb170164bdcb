//! The connected components of all fluids, which share their surfaces, and their volumes.
//!
//! Each vertex knows the components on its two sides, so that a triangle's are those of its corner
//! on a patch, and one pass over all triangles adds up the volumes of all components.

use crate::marching::complex::{VertexSides, triangle_sides};
use crate::mesh::SurfaceMesh;
use crate::phases::label::{AIR, Label};
use hashfall_core::parallel::{CHUNK, chunks, map_parts};
use hashfall_core::{Vec3, to_f64};
use nalgebra::Vector3;

/// The number of the air, beside those of components.
pub(crate) const NO_COMPONENT: u32 = u32::MAX;

/// The components of all fluids.
pub(crate) struct FluidComponents {
    /// A place of each component: volumes are summed relative to it, so that one far from the
    /// origin loses no digits.
    origins: Vec<Vec3>,
    /// The components on the greater and the lesser side of each vertex; none on junction curves.
    pub beside: Vec<[u32; 2]>,
}

impl FluidComponents {
    /// The components of a complex whose vertices part `vertex_sides`.
    pub fn new(mesh: &SurfaceMesh, vertex_sides: &[VertexSides]) -> Self {
        let labels = vertex_sides.iter().flatten().map(|sides| sides.greater).max().unwrap_or(AIR);
        let none = [NO_COMPONENT; 2];
        let mut all =
            FluidComponents { origins: Vec::new(), beside: vec![none; vertex_sides.len()] };
        let sides: Vec<_> =
            mesh.triangles.iter().map(|t| triangle_sides(t, vertex_sides)).collect();
        for label in 1..=labels {
            let of_label = mesh.triangles.iter().zip(&sides);
            let of_label = of_label.filter(|(_, s)| s.greater == label || s.lesser == label);
            all.add(label, of_label.map(|(t, _)| t), &mesh.positions, vertex_sides);
        }
        all
    }

    /// Adds the components of a fluid, in the order of their first vertices.
    fn add<'a>(
        &mut self,
        label: Label,
        triangles: impl Iterator<Item = &'a [u32; 3]>,
        positions: &[Vec3],
        vertex_sides: &[VertexSides],
    ) {
        let mut parent: Vec<u32> = vec![NO_COMPONENT; positions.len()];
        for triangle in triangles {
            let roots = triangle.map(|v| root_or_new(&mut parent, v));
            // The lowest of a component is its root.
            let lowest = roots[0].min(roots[1]).min(roots[2]);
            roots.iter().for_each(|&r| parent[r as usize] = lowest);
        }
        let mut number = vec![NO_COMPONENT; positions.len()];
        for v in (0..positions.len()).filter(|&v| parent[v] != NO_COMPONENT).collect::<Vec<_>>() {
            let root = root_or_new(&mut parent, v as u32) as usize;
            if root == v {
                number[v] = self.origins.len() as u32;
                self.origins.push(positions[v]);
            }
            if let Some(sides) = vertex_sides[v] {
                self.beside[v][usize::from(sides.greater != label)] = number[root];
            }
        }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.origins.len()
    }

    /// Keeps some of the vertices.
    pub fn keep(&mut self, kept: &[u32]) {
        self.beside = kept.iter().map(|&v| self.beside[v as usize]).collect();
    }

    /// The volumes of all components \[m³\].
    pub fn volumes(&self, positions: &[Vec3], triangles: &[[u32; 3]]) -> Vec<f64> {
        let exact = |x: &Vec3| Vector3::from(to_f64(x));
        let below = |corners: &[Vector3<f64>; 3], component: u32| {
            let origin = exact(&self.origins[component as usize]);
            let [a, b, c] = corners.map(|x| x - origin);
            a.dot(&b.cross(&c)) / 6.0
        };
        let runs_of = |_, triangles: &[[u32; 3]]| {
            let mut runs: Vec<([u32; 2], [f64; 2])> = Vec::new();
            for triangle in triangles {
                let beside = self.beside(triangle);
                let corners = triangle.map(|v| exact(&positions[v as usize]));
                // Seen from the lesser side, triangles turn the other way.
                let volumes = beside.map(|component| match component {
                    NO_COMPONENT => 0.0,
                    component => below(&corners, component),
                });
                match runs.last_mut() {
                    Some((last, sums)) if *last == beside => {
                        sums.iter_mut().zip(volumes).for_each(|(sum, volume)| *sum += volume);
                    }
                    _ => runs.push((beside, volumes)),
                }
            }
            runs
        };
        let runs = map_parts(chunks(triangles, CHUNK), runs_of);
        let mut all = vec![0.0; self.count()];
        for ([greater, lesser], [inside, outside]) in runs.into_iter().flatten() {
            for (component, volume) in [(greater, inside), (lesser, -outside)] {
                if let Some(sum) = all.get_mut(component as usize) {
                    *sum += volume;
                }
            }
        }
        all
    }

    /// The components beside a triangle: every triangle has a vertex on a patch.
    fn beside(&self, triangle: &[u32; 3]) -> [u32; 2] {
        let of_corner = triangle.iter().map(|&v| self.beside[v as usize]);
        of_corner.into_iter().find(|beside| beside[0] != NO_COMPONENT).unwrap_or([NO_COMPONENT; 2])
    }
}

/// The root of a vertex, with path halving; itself if it has none yet.
fn root_or_new(parent: &mut [u32], mut v: u32) -> u32 {
    if parent[v as usize] == NO_COMPONENT {
        parent[v as usize] = v;
    }
    while parent[v as usize] != v {
        parent[v as usize] = parent[parent[v as usize] as usize];
        v = parent[v as usize];
    }
    v
}
