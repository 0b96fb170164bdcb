//! Which meshes a scene names, what each of them is for, and where it is placed.

use crate::model::{
    FluidShape, Inside, MeshModel, MeshShape, Model, Opening, PolygonModel, PolygonShape, Rotation,
    SolidModel, Up,
};
use hashfall_geometry::Placement;
use std::collections::BTreeSet;

/// Purpose of a mesh in a scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// A solid including its interior.
    Solid,
    /// A hollow shell, which may be open.
    Shell,
    /// A shape filled with fluid; it must be closed.
    Fluid,
    /// An opening of an emitter; it is open.
    Opening,
    /// The elements of an elastic body.
    Elements,
    /// What is filled with elastic tetrahedra; it must be closed.
    ElasticInterior,
}

impl Purpose {
    /// Whether its inside counts, so that it must be closed.
    pub fn has_inside(self) -> bool {
        matches!(self, Purpose::Solid | Purpose::Fluid | Purpose::ElasticInterior)
    }
}

/// A use of a mesh in a scene.
pub struct MeshUse<'a> {
    /// Key path of what it makes.
    pub key: String,
    /// What it is for.
    pub purpose: Purpose,
    /// Where it comes from.
    pub from: MeshSource<'a>,
}

/// Where a mesh comes from.
pub enum MeshSource<'a> {
    /// A file, the axis that points up in it if that is said, and where it is placed.
    File { path: &'a str, up: Option<Up>, placement: Placement },
    /// The prism over a polygon of the plane, with corners (x, z) \[m\].
    Polygon(&'a [[f64; 2]]),
}

/// The files of all meshes that a scene names, each once, as it names them.
pub fn paths(model: &Model) -> BTreeSet<String> {
    let path = |mesh: &MeshUse| match mesh.from {
        MeshSource::File { path, .. } => Some(path.to_owned()),
        MeshSource::Polygon(_) => None,
    };
    uses(model).iter().filter_map(path).collect()
}

/// Every mesh that a scene names: those of the solids, of the fluids, of the openings, then of the
/// elastic bodies.
pub fn uses(model: &Model) -> Vec<MeshUse<'_>> {
    let mut uses = Vec::new();
    for (i, solid) in model.solids.iter().enumerate() {
        if let SolidModel::Mesh(MeshModel { path, up, scale, rotate, translate, inside, .. }) =
            solid
        {
            let placement = placement(*scale, rotate, *translate);
            let purpose = match inside {
                Inside::Solid => Purpose::Solid,
                Inside::Hollow => Purpose::Shell,
            };
            let from = MeshSource::File { path, up: *up, placement };
            uses.push(MeshUse { key: format!("solids[{i}]"), purpose, from });
        }
        if let SolidModel::Polygon(PolygonModel { points, .. }) = solid {
            let from = MeshSource::Polygon(points);
            uses.push(MeshUse { key: format!("solids[{i}]"), purpose: Purpose::Solid, from });
        }
    }
    for (i, fluid) in model.fluids.iter().enumerate() {
        let shapes = fluid.shapes.iter().enumerate();
        let shapes = shapes.flat_map(|(k, shape)| shape.tree(&format!("fluids[{i}].shapes[{k}]")));
        for (key, shape) in shapes {
            let from = match shape {
                FluidShape::Mesh(MeshShape { path, up, scale, rotate, translate, .. }) => {
                    let placement = placement(*scale, rotate, *translate);
                    MeshSource::File { path, up: *up, placement }
                }
                FluidShape::Polygon(PolygonShape { points, .. }) => MeshSource::Polygon(points),
                _ => continue,
            };
            uses.push(MeshUse { key, purpose: Purpose::Fluid, from });
        }
    }
    for (i, emitter) in model.emitters.iter().enumerate() {
        if let Opening::Mesh { path, up, scale, rotate, translate } = &emitter.from {
            let placement = placement(*scale, rotate, *translate);
            let key = format!("emitters[{i}].from");
            let from = MeshSource::File { path, up: *up, placement };
            uses.push(MeshUse { key, purpose: Purpose::Opening, from });
        }
    }
    for (i, body) in model.elastic.iter().enumerate() {
        if let Some((end, mesh)) = body.shape.file() {
            let placement = placement(mesh.scale, &mesh.rotate, mesh.translate);
            let key = format!("elastic[{i}].shape{end}");
            let from = MeshSource::File { path: &mesh.path, up: mesh.up, placement };
            let purpose = if end.is_empty() { Purpose::Elements } else { Purpose::ElasticInterior };
            uses.push(MeshUse { key, purpose, from });
        }
    }
    uses
}

fn placement(scale: f64, rotate: &Rotation, translate: [f64; 3]) -> Placement {
    Placement { is_y_up: false, scale, axis: rotate.axis, degrees: rotate.degrees, translate }
}
