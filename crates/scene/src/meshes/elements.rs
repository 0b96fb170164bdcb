//! Places the elements of mesh files: lines, triangles and tetrahedra of elastic bodies, in double
//! precision.

use super::files::{ElementSummary, MeshSummary};
use super::load::{Meshes, accepted, too_far};
use super::uses::MeshUse;
use crate::model::limits::{MAX_COORDINATE, SCALES};
use hashfall_geometry::{Placement, Point};
use hashfall_input::mesh::ElementMesh;

impl Meshes {
    /// Places elements in the world.
    pub(super) fn place_elements(
        &mut self,
        mesh: &MeshUse,
        path: &str,
        placement: Placement,
        read: &ElementMesh,
    ) {
        let place = |x: &Point| Point::from(placement.point((*x).into()));
        let nodes: Vec<Point> = read.nodes.iter().map(place).collect();
        if !nodes.iter().all(|x| x.amax() <= MAX_COORDINATE) {
            self.problems.push(too_far(&mesh.key));
        } else if SCALES.contains(&placement.scale) {
            // Shells may enclose no volume.
            let warnings = read.warnings.iter().filter(|warning| !warning.is_of_no_volume());
            let key = format!("{}.path", mesh.key);
            self.problems.extend(warnings.map(|warning| accepted(&key, warning)));
        }
        let start = (Point::repeat(f64::INFINITY), Point::repeat(f64::NEG_INFINITY));
        let (low, high) = nodes.iter().fold(start, |(low, high), x| (low.inf(x), high.sup(x)));
        self.summaries.push(MeshSummary {
            key: mesh.key.clone(),
            path: path.to_owned(),
            format: read.format,
            extent: (high - low).into(),
            volume: None,
            shells: 0,
            triangles: read.triangles.len(),
            elements: Some(ElementSummary {
                nodes: nodes.len(),
                segments: read.segments.len(),
                tetrahedra: read.tetrahedra.len(),
                groups: read.groups.iter().map(|group| group.name.clone()).collect(),
            }),
        });
        // A file may be the shape of several bodies.
        self.elements.push(ElementMesh {
            nodes,
            segments: read.segments.clone(),
            triangles: read.triangles.clone(),
            tetrahedra: read.tetrahedra.clone(),
            groups: read.groups.clone(),
            ..ElementMesh::default()
        });
    }
}
