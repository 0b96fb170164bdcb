//! Lays out the particles of all shapes, and refuses shapes that cannot be filled.

use super::replacement::replace_particles;
use crate::check::{reach_out_of, too_many_particles};
use crate::layout::filled_shape::FilledShape;
use crate::layout::shape::ROUNDING;
use crate::layout::shape::{bounds, bounds_of_mesh, count, places, points, replaces};
use crate::lints::{PlacedMesh, placement_hint};
use crate::model::limits::MAX_PARTICLES;
use crate::model::{FluidShape, Model};
use crate::problem::Problem;
use hashfall_geometry::TriangleMesh;

/// Places of a lattice that are asked whether they are in a mesh, at the most: about ten seconds.
const MAX_SITES: f64 = 2e8;

/// Speeds at the start stay below this \[m/s\].
const MAX_INITIAL_SPEED: f64 = 2e4;

/// Lays out every shape of a checked model; `meshes` are those of its fluids, placed, in order.
///
/// # Errors
/// Meshes that reach out of the domain, shapes with too many particles or none, and motions too
/// fast to be meant.
pub fn filled_shapes<'a>(
    model: &'a Model,
    meshes: &[TriangleMesh],
) -> Result<Vec<FilledShape<'a>>, Vec<Problem>> {
    let d = 2.0 * model.particle_radius;
    let mut meshes = meshes.iter();
    let mut shapes = Vec::new();
    for (i, fluid) in model.fluids.iter().enumerate() {
        for (k, shape) in fluid.shapes.iter().enumerate() {
            let mesh = if shape.has_mesh() { meshes.next() } else { None };
            shapes.push((format!("fluids[{i}].shapes[{k}]"), i as u8, shape, mesh));
        }
    }
    let refused =
        shapes.iter().filter_map(|(path, _, shape, mesh)| refusal(model, path, shape, (*mesh)?));
    let mut problems: Vec<Problem> = refused.collect();
    let total: f64 =
        shapes.iter().map(|(_, _, shape, mesh)| count(model.dimensions, shape, *mesh, d)).sum();
    if total > MAX_PARTICLES {
        problems.push(too_many_particles(model, total, shapes.iter().map(|(path, ..)| path)));
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    let meshes: Vec<_> = shapes.iter().map(|(.., mesh)| *mesh).collect();
    let filled_shapes = shapes.into_iter().map(|(path, phase, shape, mesh)| {
        // What takes over the places of others has none of its own.
        let is_lattice = !replaces(shape);
        let points = if is_lattice { points(model.dimensions, shape, mesh, d) } else { vec![] };
        let (bounds, laid) = (bounds(model.dimensions, shape, mesh), points.len());
        let sources = Vec::new();
        FilledShape { path, phase, shape, bounds, points, sources, laid, max_speed_squared: 0.0 }
    });
    let mut filled_shapes: Vec<FilledShape> = filled_shapes.collect();
    replace_particles(&mut filled_shapes, &meshes, d);
    let g = -model.gravity[2];
    for filled_shape in &mut filled_shapes {
        let square = |x: &[f64; 3]| filled_shape.velocity(x, g).map(|v| v * v).iter().sum();
        filled_shape.max_speed_squared = filled_shape.points.iter().map(square).fold(0.0, f64::max);
    }
    let mut problems: Vec<Problem> =
        filled_shapes.iter().filter_map(FilledShape::problem).collect();
    // The volume of a mesh whose parts face opposite ways says less than it holds.
    let total = filled_shapes.iter().map(|filled_shape| filled_shape.points.len() as f64).sum();
    if total > MAX_PARTICLES {
        problems.push(too_many_particles(
            model,
            total,
            filled_shapes.iter().map(|filled_shape| &filled_shape.path),
        ));
    }
    if problems.is_empty() { Ok(filled_shapes) } else { Err(problems) }
}

impl FilledShape<'_> {
    /// Why it cannot be meant.
    fn problem(&self) -> Option<Problem> {
        if self.points.is_empty() {
            let (message, help) = if replaces(self.shape) {
                ("there is nothing in this shape to replace", "other shapes of fluid around it")
            } else if self.laid > 0 {
                ("nothing of this shape is left: others replace all of it", "leave it out")
            } else if let FluidShape::Mesh { .. } = self.shape {
                let help = "a larger `scale`, as of a mesh in other units, or a smaller \
                            `particle_radius`";
                ("this shape is too small: it holds no particle", help)
            } else {
                let help = "a larger shape or a smaller `particle_radius`";
                ("this shape is too small: it holds no particle", help)
            };
            return Some(Problem::error(&self.path, message, help).also_at("particle_radius"));
        }
        let fastest = self.max_speed_squared.sqrt();
        (fastest > MAX_INITIAL_SPEED).then(|| {
            let message = format!("the initial speed of {fastest:.3e} m/s exceeds the limit");
            let help = format!("speeds up to {MAX_INITIAL_SPEED:e} m/s");
            Problem::error(format!("{}.initial_velocity", self.path), message, &help)
        })
    }
}

/// Why the inside of a mesh cannot be filled.
fn refusal(model: &Model, path: &str, shape: &FluidShape, mesh: &TriangleMesh) -> Option<Problem> {
    let d = 2.0 * model.particle_radius;
    if let Some(out) =
        reach_out_of(&model.domain, bounds_of_mesh(model.dimensions, mesh), ROUNDING * d)
    {
        let (axis, at, wall) = (out.axis, out.at, out.wall);
        let is_polygon = matches!(shape, FluidShape::Polygon { .. });
        let what = if is_polygon { "polygon" } else { "mesh" };
        let message = format!(
            "fluid outside the domain: the {what} reaches to {axis} = {at}, the wall stands at \
             {wall}"
        );
        if is_polygon {
            let problem =
                Problem::error(format!("{path}.points"), message, "corners in the domain");
            return Some(problem.also_at(out.wall_path()));
        }
        let usual = "check `scale` and `translate`, and the mesh's own units";
        let help = hint_of(model, shape, mesh).unwrap_or_else(|| usual.to_owned());
        let keys = [format!("{path}.scale"), format!("{path}.translate")];
        return Some(
            Problem::error(path, message, &help).also_at_all(keys).also_at(out.wall_path()),
        );
    }
    let places = places(model.dimensions, shape, Some(mesh), d);
    (places > MAX_SITES).then(|| {
        let message = format!("the box around this mesh holds {places:.1e} places of particles");
        let help = "at most 2e8: give a larger `particle_radius` or a smaller mesh";
        Problem::error(path, message, help).also_at("particle_radius")
    })
}

/// What may be wrong with a mesh that reaches out of the domain.
fn hint_of(model: &Model, shape: &FluidShape, mesh: &TriangleMesh) -> Option<String> {
    let FluidShape::Mesh { scale, rotate, translate, .. } = shape else { return None };
    let [low, high] = bounds_of_mesh(model.dimensions, mesh);
    placement_hint(model, &PlacedMesh { scale: *scale, rotate, translate, bounds: (low, high) })
}
