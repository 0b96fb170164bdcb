//! Which meshes of driven bodies are fine, and which of them share a shape; see
//! [`super::driven_mesh`].

use super::driven_mesh::{DrivenMesh, PlacedMesh};
use super::fine_mesh::FineMesh;
use crate::precision::to_point;
use crate::solids::Solids;
use hashfall_bodies::Pose;
use hashfall_core::{Real, Vec3};
use hashfall_geometry::{Point, TriangleMesh};
use std::collections::HashMap;
use std::sync::Arc;

/// Of fewer triangles those of bodies that share a shape are boxes of the broad phase, and are
/// summed one by one: within the support radius of a particle are then no more than take as long as
/// a field \[–\].
const MIN_SHARED: usize = 128;

/// The same of a shape of one body, as fields and lists are long in filling \[–\].
const MIN_ALONE: usize = 1024;

/// Units in the last place of their largest coordinate that corners may be off in a mesh that is
/// another one elsewhere \[–\].
const ROUNDING: f64 = 4.0;

/// A mesh of driven bodies on the way to [`DrivenMesh`]es.
struct DrivenShape<'a> {
    mesh: &'a TriangleMesh,
    /// Number of the mesh, number of the body, and offset of each that has this shape.
    bodies: Vec<(usize, usize, Point)>,
}

impl DrivenShape<'_> {
    fn is_fine(&self) -> bool {
        let least = if self.bodies.len() > 1 { MIN_SHARED } else { MIN_ALONE };
        self.mesh.triangles.len() >= least
    }
}

impl Solids {
    /// The meshes of driven bodies that are fine, by their numbers among those that have triangles.
    pub(super) fn find_driven_meshes(&self) -> Vec<Option<DrivenMesh>> {
        let mut kinds: HashMap<[usize; 2], Vec<usize>> = HashMap::new();
        let mut shapes: Vec<DrivenShape<'_>> = Vec::new();
        for (body, it) in
            self.shapes.bodies.iter().enumerate().filter(|(_, it)| it.motion.is_driven())
        {
            let meshes = self.shapes.meshes[it.meshes.clone()].iter();
            let meshes = meshes.filter(|mesh| !mesh.triangles.is_empty());
            for (number, mesh) in it.ends.clone().zip(meshes) {
                let kind = kinds.entry([mesh.vertices.len(), mesh.triangles.len()]).or_default();
                let known = kind
                    .iter()
                    .find_map(|&shape| Some((shape, offset_between(shapes[shape].mesh, mesh)?)));
                let (shape, offset) = known.unwrap_or_else(|| {
                    kind.push(shapes.len());
                    shapes.push(DrivenShape { mesh, bodies: Vec::new() });
                    (shapes.len() - 1, Point::zeros())
                });
                shapes[shape].bodies.push((number, body, offset));
            }
        }
        let mut driven = vec![None; self.mesh_ends.len()];
        for DrivenShape { mesh, bodies } in shapes.iter().filter(|shape| shape.is_fine()) {
            let corners = (0..mesh.triangles.len()).map(|t| mesh.corners(t)).collect();
            let fine = Arc::new(FineMesh::with_own(corners));
            for &(number, body, offset) in bodies {
                driven[number] = Some(DrivenMesh { fine: Arc::clone(&fine), body, offset });
            }
        }
        driven
    }

    /// A fine mesh of a driven body, where it is.
    pub(super) fn placed_driven<'a>(&'a self, driven: &'a DrivenMesh) -> PlacedMesh<'a> {
        let &Pose { turn, shift } = self.pose_of(driven.body);
        let pose = Pose { turn, shift: turn * driven.offset + shift };
        PlacedMesh { fine: &driven.fine, triangles: &driven.fine.own, pose: Some(pose) }
    }
}

/// From a mesh to another that is the same elsewhere \[m\].
fn offset_between(first: &TriangleMesh, other: &TriangleMesh) -> Option<Point> {
    if first.triangles != other.triangles || first.vertices.len() != other.vertices.len() {
        return None;
    }
    let offset = to_point(other.vertices.first()?) - to_point(first.vertices.first()?);
    let farthest = [first, other]
        .map(|mesh| mesh.vertices.iter().map(|x| f64::from(x.amax())).fold(0.0, f64::max));
    let rounding = ROUNDING * f64::from(Real::EPSILON) * farthest[0].max(farthest[1]);
    let mut pairs = first.vertices.iter().zip(&other.vertices);
    let is_same = |(a, b): (&Vec3, &Vec3)| (to_point(b) - to_point(a) - offset).amax() <= rounding;
    pairs.all(is_same).then_some(offset)
}
