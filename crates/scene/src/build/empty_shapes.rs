//! Tells why a shape of fluid has no particle: too small, empty, or replaced by others.

use crate::layout::filled_shape::FilledShape;
use crate::lints::fluid_mesh_hint;
use crate::model::{FluidShape, Model};
use crate::problem::Problem;
use hashfall_core::Dimension;
use hashfall_fill::region::{MeshRegion, Region, particle_volume};
use hashfall_geometry::TriangleMesh;

/// A composition of less than this has no volume but for rounding, in particles.
const EMPTY: f64 = 1e-3;

/// The problem of a shape without particles; `meshes` are those of all fluids, placed, in order.
pub fn no_particles(model: &Model, meshes: &[TriangleMesh], shape: &FilledShape) -> Problem {
    if !shape.shape.start().replaces && shape.laid == 0 && is_empty(model, shape) {
        return empty_composition(model, meshes, shape);
    }
    let (message, help) = if shape.shape.start().replaces {
        ("there is nothing in this shape to replace", "other shapes of fluid around it")
    } else if shape.laid > 0 {
        ("nothing of this shape is left: others replace all of it", "leave it out")
    } else if let FluidShape::Fill(_) = shape.shape {
        let help = "a higher level or a smaller `particle_radius`";
        ("there is nothing to fill: the vessel holds no particle", help)
    } else if let FluidShape::Mesh(_) = shape.shape {
        let help = "a larger `scale`, as of a mesh in other units, or a smaller `particle_radius`";
        ("this shape is too small: it holds no particle", help)
    } else {
        let help = "a larger shape or a smaller `particle_radius`";
        ("this shape is too small: it holds no particle", help)
    };
    Problem::error(&shape.path, message, help).also_at("particle_radius")
}

/// The problem of a composition whose box is flat, such as of two boxes that touch: its lattice
/// would be a sheet of no volume.
pub fn flat_composition(
    model: &Model,
    meshes: &[TriangleMesh],
    shape: &FilledShape,
) -> Option<Problem> {
    (is_composed(shape) && is_flat(model, shape)).then(|| empty_composition(model, meshes, shape))
}

/// Whether it is composed of shapes by what they have in common or take away.
fn is_composed(shape: &FilledShape) -> bool {
    matches!(shape.shape, FluidShape::Intersection(_) | FluidShape::Difference(_))
}

fn is_flat(model: &Model, shape: &FilledShape) -> bool {
    let [low, high] = shape.bounds;
    let axes: &[usize] = if model.dimensions == Dimension::Two { &[0, 2] } else { &[0, 1, 2] };
    axes.iter().any(|&a| high[a] <= low[a])
}

/// Whether a shape is composed such that nothing is in it.
fn is_empty(model: &Model, shape: &FilledShape) -> bool {
    let volume = || shape.region.as_ref().map_or(0.0, |region| region.volume());
    let particle = particle_volume(model.dimensions, 2.0 * model.particle_radius());
    is_composed(shape) && (is_flat(model, shape) || volume() < EMPTY * particle)
}

fn empty_composition(model: &Model, meshes: &[TriangleMesh], shape: &FilledShape) -> Problem {
    let (message, help) = match shape.shape {
        FluidShape::Difference(_) => {
            let message = "nothing is left of this difference: `minus` takes all of it away";
            (message, "a larger `of`, or less in `minus`; check their places")
        }
        _ => {
            let message = "this intersection is empty: its parts have nothing in common";
            (message, "parts that overlap; check their places")
        }
    };
    let hint = hint_of_parts(model, meshes, &shape.path);
    Problem::error(&shape.path, message, hint.as_deref().unwrap_or(help))
}

/// What may be wrong with the meshes among the parts of the shape at a key path: their units.
fn hint_of_parts(model: &Model, meshes: &[TriangleMesh], path: &str) -> Option<String> {
    let shapes = model.fluids.iter().enumerate().flat_map(|(i, fluid)| {
        let shapes = fluid.shapes.iter().enumerate();
        shapes.flat_map(move |(k, shape)| shape.tree(&format!("fluids[{i}].shapes[{k}]")))
    });
    let has_mesh =
        |shape: &FluidShape| matches!(shape, FluidShape::Mesh(_) | FluidShape::Polygon(_));
    let with_mesh = shapes.filter(|(_, shape)| has_mesh(shape)).zip(meshes);
    let part = format!("{path}.");
    let of_shape = with_mesh.filter(|((path, _), _)| path.starts_with(&part));
    { of_shape }.find_map(|((path, shape), mesh)| match shape {
        FluidShape::Mesh(shape) => {
            let [low, high] = MeshRegion::new(model.dimensions, mesh).bounds();
            let hint = fluid_mesh_hint(model, shape, (low, high))?;
            Some(format!("of {path}: {hint}"))
        }
        _ => None,
    })
}
