//! Lays out the particles of all shapes, and refuses shapes that cannot be filled.

use super::empty_shapes::{flat_composition, no_particles};
use super::initial_velocities::velocity_problem;
use super::replacement::replace_particles;
use super::vessels::fill_vessel;
use crate::check::{reach_out_of, too_many_particles};
use crate::layout::filled_shape::FilledShape;
use crate::layout::fluid_regions::{expected_count, region_of};
use crate::layout::velocity_field::Field;
use crate::lints::fluid_mesh_hint;
use crate::model::limits::MAX_PARTICLES;
use crate::model::{FluidShape, Model, RandomShape};
use crate::problem::Problem;
use hashfall_fill::random_places::random_places;
use hashfall_fill::region::{ROUNDING, Region, particle_volume};
use hashfall_fill::uneven::{Filling, Layout, SolidSpace};
use hashfall_geometry::TriangleMesh;

/// Places of a lattice that are asked whether they are in a region, at the most: about ten
/// seconds.
const MAX_SITES: f64 = 2e8;

/// A shape that takes over the particles of others fills this part of its volume at least.
const MIN_REPLACED_SHARE: f64 = 0.75;

/// Lays out every shape of a checked model in the space that solids leave; `meshes` are those of
/// its fluids, placed, in order.
///
/// # Errors
/// Shapes that reach out of the domain, shapes with too many particles or none, and motions too
/// fast to be meant.
pub fn filled_shapes<'a>(
    model: &'a Model,
    meshes: &'a [TriangleMesh],
    space: &dyn SolidSpace,
) -> Result<Vec<FilledShape<'a>>, Vec<Problem>> {
    let d = 2.0 * model.particle_radius();
    let mut shapes = empty_shapes(model, meshes);
    let mut problems: Vec<Problem> =
        shapes.iter().filter_map(|shape| refusal(model, meshes, shape)).collect();
    check_total(model, &shapes, &mut problems, |shape| match (&shape.region, shape.shape) {
        (Some(region), _) => expected_count(model, shape.shape, region.as_ref(), d),
        (None, FluidShape::Random(random)) => f64::from(random.count),
        (None, _) => shape.given.map_or(0.0, |given| given.positions.len() as f64),
    });
    if !problems.is_empty() {
        return Err(problems);
    }
    // What takes over the places of others has none of its own.
    for shape in shapes.iter_mut().filter(|shape| !shape.shape.start().replaces) {
        shape.points = match (&shape.region, shape.shape) {
            (Some(region), _) => region.points(d),
            (None, FluidShape::Random(RandomShape { seed, count, region, .. })) => {
                random_places(model.dimensions, [region.min, region.max], d, *count, *seed)
            }
            (None, _) => shape.given.map_or_else(Vec::new, |given| given.positions.clone()),
        };
        if shape.given.is_some() {
            shape.indices = (0..shape.points.len() as u32).collect();
        }
        // Random positions and those of files stay as they are.
        if let Some(region) = &shape.region {
            let is_level = matches!(shape.shape, FluidShape::Box(_) | FluidShape::Fill(_));
            let region = region.as_ref();
            let layout = Layout { dimension: model.dimensions, region, is_level, d };
            shape.filling = layout.pack_if_uneven(space, &mut shape.points);
        }
        shape.laid = shape.points.len();
    }
    let filled = shapes.iter_mut().filter_map(|shape| fill_vessel(model, space, shape).err());
    let problems: Vec<Problem> = filled.collect();
    if !problems.is_empty() {
        return Err(problems);
    }
    replace_particles(&mut shapes, d);
    let g = -model.gravity[2];
    for shape in &mut shapes {
        let square = |(k, x): (usize, &[f64; 3])| -> f64 {
            shape.velocity(k, x, g).map(|v| v * v).iter().sum()
        };
        // What is not a number counts as the fastest, also before numbers.
        let faster = |a: f64, b: f64| if a.is_nan() || b <= a { a } else { b };
        shape.max_speed_squared = shape.points.iter().enumerate().map(square).fold(0.0, faster);
    }
    let mut problems: Vec<Problem> =
        shapes.iter().filter_map(|shape| shape.problem(model, meshes)).collect();
    // The volume of a region that is larger than its distances tell is counted in particles.
    check_total(model, &shapes, &mut problems, |shape| shape.points.len() as f64);
    if problems.is_empty() { Ok(shapes) } else { Err(problems) }
}

/// Every shape, with no particles yet.
fn empty_shapes<'a>(model: &'a Model, meshes: &'a [TriangleMesh]) -> Vec<FilledShape<'a>> {
    let mut meshes = meshes.iter();
    let mut shapes = Vec::new();
    for (i, fluid) in model.fluids.iter().enumerate() {
        for (k, shape) in fluid.shapes.iter().enumerate() {
            let region = region_of(model, shape, &mut meshes);
            let given = match shape {
                FluidShape::Particles(particles) => particles.given.as_deref(),
                _ => None,
            };
            let bounds = match (&region, shape) {
                (Some(region), _) => region.bounds(),
                (None, FluidShape::Random(random)) => [random.region.min, random.region.max],
                (None, _) => given.map_or([[0.0; 3]; 2], |given| box_around(&given.positions)),
            };
            shapes.push(FilledShape {
                path: format!("fluids[{i}].shapes[{k}]"),
                phase: i as u8,
                shape,
                region,
                field: Field::new(shape.start().initial_velocity),
                given,
                bounds,
                points: Vec::new(),
                sources: Vec::new(),
                indices: Vec::new(),
                laid: 0,
                filling: Filling::default(),
                max_speed_squared: 0.0,
            });
        }
    }
    shapes
}

/// Lowest and highest corner of the box around some places \[m\].
fn box_around(places: &[[f64; 3]]) -> [[f64; 3]; 2] {
    let along =
        |a: usize, f: fn(f64, f64) -> f64, first: f64| places.iter().map(|x| x[a]).fold(first, f);
    [
        [0, 1, 2].map(|a| along(a, f64::min, f64::INFINITY)),
        [0, 1, 2].map(|a| along(a, f64::max, f64::NEG_INFINITY)),
    ]
}

/// Refuses more particles than a scene holds, as counted of each shape.
fn check_total(
    model: &Model,
    shapes: &[FilledShape],
    problems: &mut Vec<Problem>,
    count: impl Fn(&FilledShape) -> f64,
) {
    let total = shapes.iter().map(count).sum();
    if total > MAX_PARTICLES {
        problems.push(too_many_particles(model, total, shapes.iter().map(|shape| &shape.path)));
    }
}

/// Warnings of shapes that take over the particles of others and leave much of their own volume
/// empty.
pub fn replacement_lints(model: &Model, shapes: &[FilledShape]) -> Vec<Problem> {
    let particle = particle_volume(model.dimensions, 2.0 * model.particle_radius());
    let replacers = shapes.iter().filter(|shape| shape.shape.start().replaces);
    let lint = |shape: &FilledShape| {
        let volume = shape.region.as_ref().map_or(0.0, |region| region.volume());
        let share = shape.laid as f64 * particle / volume;
        (share < MIN_REPLACED_SHARE).then(|| {
            let message = format!(
                "this shape fills {:.0} % of its volume: with `replaces` it takes the particles \
                 of other shapes inside it and lays none of its own",
                100.0 * share
            );
            let help = "shapes of one fluid that overlap are united: Union(of: [Box(…), Box(…)])";
            Problem::warning(format!("{}.replaces", shape.path), message, help)
        })
    };
    replacers.filter_map(lint).collect()
}

impl FilledShape<'_> {
    /// Why it cannot be meant.
    fn problem(&self, model: &Model, meshes: &[TriangleMesh]) -> Option<Problem> {
        if self.points.is_empty() {
            return Some(no_particles(model, meshes, self));
        }
        if let Some(outside) = self.points_outside(model) {
            return Some(outside);
        }
        velocity_problem(model, self, self.points.iter().copied().enumerate())
    }

    /// Why particles cannot stay, if any lie outside the domain.
    fn points_outside(&self, model: &Model) -> Option<Problem> {
        let slack = ROUNDING * 2.0 * model.particle_radius();
        let is_out = |x: &&[f64; 3]| reach_out_of(&model.domain, [**x, **x], slack).is_some();
        let [x, y, z] = self.points.iter().find(is_out)?;
        let out = self.points.iter().filter(is_out).count();
        let message = format!(
            "fluid outside the domain: {out} of {} particles of this shape; first: \
             ({x:.4}, {y:.4}, {z:.4})",
            self.points.len()
        );
        let help = "cut it off at the walls with Intersection(of: [Box(min: …, max: …), …])";
        Some(Problem::error(&self.path, message, help).also_at("domain"))
    }
}

/// Why a shape cannot be filled.
fn refusal(model: &Model, meshes: &[TriangleMesh], shape: &FilledShape) -> Option<Problem> {
    let region = shape.region.as_ref()?;
    let flat = flat_composition(model, meshes, shape);
    if flat.is_some() {
        return flat;
    }
    let d = 2.0 * model.particle_radius();
    // What a composition takes away may lie outside, and boxes and balls are checked already.
    let is_checked = matches!(shape.shape, FluidShape::Box(_) | FluidShape::Ball(_));
    if !is_checked && shape.shape.parts().is_empty() {
        let outside = outside(model, shape, region.as_ref(), d);
        if outside.is_some() {
            return outside;
        }
    }
    let sites = region.sites(d).count();
    (sites > MAX_SITES && !matches!(shape.shape, FluidShape::Box(_))).then(|| {
        let what = shape.shape.name().to_lowercase();
        let message = format!("the box around this {what} holds {sites:.1e} places of particles");
        let help = "at most 2e8: give a larger `particle_radius` or a smaller shape";
        Problem::error(&shape.path, message, help).also_at("particle_radius")
    })
}

/// Why a shape reaches out of the domain.
fn outside(
    model: &Model,
    FilledShape { path, shape, .. }: &FilledShape,
    region: &dyn Region,
    d: f64,
) -> Option<Problem> {
    let out = reach_out_of(&model.domain, region.bounds(), ROUNDING * d)?;
    let (axis, at, wall) = (out.axis, out.at, out.wall);
    let message = format!(
        "fluid outside the domain: the {} reaches to {axis} = {at}, the wall stands at {wall}",
        shape.name().to_lowercase()
    );
    let (help, keys): (String, &[&str]) = match shape {
        FluidShape::Mesh(mesh) => (
            fluid_mesh_hint(model, mesh, region.bounds().into()).unwrap_or_else(|| {
                "check `scale` and `translate`, and the mesh's own units".into()
            }),
            &["", ".scale", ".translate"],
        ),
        FluidShape::Polygon(_) => ("corners in the domain".into(), &[".points"]),
        _ => {
            let help = "a shape inside the domain; Intersection(of: [Box(…), …]) cuts it off there";
            (help.into(), &["", ".from", ".to", ".radius"])
        }
    };
    let mut keys = keys.iter().map(|key| format!("{path}{key}"));
    let first = keys.next()?;
    let problem = Problem::error(first, message, &help);
    Some(problem.also_at_all(keys).also_at(out.wall_path()))
}
