//! Which axis points up in each mesh of a scene, once the formats of the files are known.

use crate::model::{FluidShape, Model, Opening, SolidModel, Up};

/// Writes the axis into every mesh from a file: of the solids, of the fluids, of the
/// openings, then of the elastic bodies.
pub fn set_up_axes(model: &mut Model, axes: &[Up]) {
    let mut axes = axes.iter();
    let mut set = |up: &mut Option<Up>| {
        if let Some(axis) = axes.next() {
            *up = Some(*axis);
        }
    };
    for solid in &mut model.solids {
        if let SolidModel::Mesh(mesh) = solid {
            set(&mut mesh.up);
        }
    }
    for shape in model.fluids.iter_mut().flat_map(|fluid| &mut fluid.shapes) {
        shape.for_each_mut(&mut |part| {
            if let FluidShape::Mesh(mesh) = part {
                set(&mut mesh.up);
            }
        });
    }
    for emitter in &mut model.emitters {
        if let Opening::Mesh { up, .. } = &mut emitter.from {
            set(up);
        }
    }
    for body in &mut model.elastic {
        if let Some(mesh) = body.shape.file_mut() {
            set(&mut mesh.up);
        }
    }
}
