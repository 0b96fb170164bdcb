//! What shapes of fluid hold at the start: the places of their particles, on cubic lattices of
//! spacing d.
//!
//! - A box: see [`lattice`].
//! - A ball: the places nearer to its centre than its radius; the centre is the middle between
//!   eight of them, in the plane of four.
//! - Random places: not of a lattice, but uniform in a box, by [`Chance`].
//! - A mesh: the places inside. As many layers as fit the box around it, symmetric about its
//!   middle, so that a cube is filled as the same box is, clear of a hollow cube around it.
//!
//! A shape that replaces others takes their particles that lie in it for its own: so two fluids
//! share one lattice, whatever the shape of the surface between them.

mod take_over;

use super::body_tree::Body;
use super::check::{MOST_PARTICLES, Problem, reach_out_of, too_many_particles};
use super::lattice;
use super::model::{FluidShape, Jitter, Model, Motion};
use super::oddities::{Placed, hint};
use hashfall_core::chance::Chance;
use hashfall_core::{Dimension, to_f64, vec3};
use hashfall_geometry::{Interior, TriangleMesh};
use rayon::prelude::*;
use std::f64::consts::PI;
use take_over::take_over;

/// Places of a lattice that are asked whether they are in a mesh, at the most: about ten seconds.
const MOST_PLACES: f64 = 2e8;
/// How far a mesh may reach out of the domain, or fall short of a layer, through rounding of its
/// vertices, in spacings.
const ROUNDING: f64 = 1e-3;
/// Speeds at the start stay below this \[m/s\].
const FASTEST: f64 = 2e4;

/// A shape with the places of its particles.
pub struct Piece<'a> {
    /// Key path of the shape.
    pub path: String,
    /// Number of its fluid.
    pub phase: u8,
    /// What the scene says of it.
    pub shape: &'a FluidShape,
    /// Lowest and highest corner of the box around it \[m\].
    pub bounds: [[f64; 3]; 2],
    /// Places on the lattice, x fastest, then y, then z \[m\].
    pub points: Vec<[f64; 3]>,
    /// Numbers of the shapes that these places were taken over from; none if it laid its own.
    pub sources: Vec<u32>,
    /// So many places it had on its own lattice.
    pub laid: usize,
    /// Square of the largest speed at these places \[m²/s²\].
    pub fastest_squared: f64,
}

impl Piece<'_> {
    /// The velocity at a place at the start \[m/s\], under gravity `g` straight down \[m/s²\].
    pub fn velocity(&self, x: &[f64; 3], g: f64) -> [f64; 3] {
        let (velocity, motion, _) = start(self.shape);
        let added = motion.velocity(x, g);
        [0, 1, 2].map(|a| velocity[a] + added[a])
    }

    /// How its particles are displaced.
    pub fn jitter(&self) -> Option<Jitter> {
        start(self.shape).2
    }
}

/// Velocity, motion and displacement of a shape.
pub fn start(shape: &FluidShape) -> ([f64; 3], Motion, Option<Jitter>) {
    match *shape {
        FluidShape::Box { velocity, motion, jitter, .. }
        | FluidShape::Ball { velocity, motion, jitter, .. }
        | FluidShape::Mesh { velocity, motion, jitter, .. } => (velocity, motion, jitter),
        FluidShape::Random { velocity, .. } => (velocity, Motion::Still, None),
    }
}

/// Whether a shape takes over the particles of others.
fn replaces(shape: &FluidShape) -> bool {
    match *shape {
        FluidShape::Box { replaces, .. }
        | FluidShape::Ball { replaces, .. }
        | FluidShape::Mesh { replaces, .. } => replaces,
        FluidShape::Random { .. } => false,
    }
}

/// How many particles of spacing `d` \[m\] a shape holds: exactly of a box, else by its volume.
/// That of a mesh is unknown before it is read: 0.
pub fn count(dimension: Dimension, shape: &FluidShape, mesh: Option<&TriangleMesh>, d: f64) -> f64 {
    match (shape, dimension) {
        (FluidShape::Box { min, max, .. }, _) => {
            lattice::counts(dimension, min, max, d).iter().map(|&n| n as f64).product()
        }
        (FluidShape::Ball { radius, .. }, Dimension::Two) => PI * square(radius / d),
        (FluidShape::Ball { radius, .. }, Dimension::Three) => 4.0 / 3.0 * PI * cube(radius / d),
        (FluidShape::Mesh { .. }, _) => mesh.map_or(0.0, TriangleMesh::signed_volume) / cube(d),
        (FluidShape::Random { count, .. }, _) => f64::from(*count),
    }
}

/// How many places of its lattice are asked whether they are in a shape: no fewer than it will have
/// particles. Those of a mesh are unknown before it is read: 0.
pub fn places(
    dimension: Dimension,
    shape: &FluidShape,
    mesh: Option<&TriangleMesh>,
    d: f64,
) -> f64 {
    let product = |layers: [u64; 3]| layers.iter().map(|&n| n as f64).product();
    match shape {
        FluidShape::Box { .. } | FluidShape::Random { .. } => count(dimension, shape, mesh, d),
        FluidShape::Ball { radius, .. } => product(layers_of_ball(dimension, *radius, d)),
        FluidShape::Mesh { .. } => mesh.map_or(0.0, |mesh| product(box_around(mesh, d).1)),
    }
}

/// The places of the particles of a shape at spacing `d` \[m\]; of a mesh, its placed triangles
/// are given.
pub fn points(
    dimension: Dimension,
    shape: &FluidShape,
    mesh: Option<&TriangleMesh>,
    d: f64,
) -> Vec<[f64; 3]> {
    match (shape, mesh) {
        (FluidShape::Box { min, max, .. }, _) => {
            lattice::centres(dimension, *min, *max, d).collect()
        }
        (FluidShape::Ball { centre, radius, .. }, _) => {
            let layers = layers_of_ball(dimension, *radius, d);
            let norm_squared = |offset: &[f64; 3]| offset.map(square).iter().sum::<f64>();
            around(*centre, layers, d, |offset, _| norm_squared(offset) < radius * radius)
        }
        (FluidShape::Mesh { .. }, Some(mesh)) => {
            let (middle, layers) = box_around(mesh, d);
            let interior = Interior::new(mesh);
            around(middle, layers, d, |_, place| interior.contains(&vec3(*place)))
        }
        (FluidShape::Mesh { .. }, None) => Vec::new(),
        (FluidShape::Random { seed, count, region, .. }, _) => {
            let mut chance = Chance::new(*seed);
            let along = |chance: &mut Chance, a: usize| {
                chance.between(region.min[a] + 0.5 * d, region.max[a] - 0.5 * d)
            };
            (0..*count)
                .map(|_| {
                    let [x, y, z] = [0, 1, 2].map(|a| along(&mut chance, a));
                    [x, if dimension == Dimension::Two { 0.0 } else { y }, z]
                })
                .collect()
        }
    }
}

/// The places of a lattice of so many layers, symmetric about `middle`, that are kept, by their
/// offsets from the middle and themselves.
fn around(
    middle: [f64; 3],
    layers: [u64; 3],
    d: f64,
    keep: impl Fn(&[f64; 3], &[f64; 3]) -> bool + Sync,
) -> Vec<[f64; 3]> {
    let offset = |a: usize, i: u64| (i as f64 - 0.5 * (layers[a] as f64 - 1.0)) * d;
    let keep = &keep;
    let layer = move |k: u64| {
        let rows = (0..layers[1]).flat_map(move |j| (0..layers[0]).map(move |i| [i, j, k]));
        rows.filter_map(move |[i, j, k]| {
            let offset = [offset(0, i), offset(1, j), offset(2, k)];
            let place = [0, 1, 2].map(|a| middle[a] + offset[a]);
            keep(&offset, &place).then_some(place)
        })
    };
    (0..layers[2]).into_par_iter().flat_map_iter(layer).collect()
}

/// The layers of the lattice of a ball along each axis.
fn layers_of_ball(dimension: Dimension, radius: f64, d: f64) -> [u64; 3] {
    let layers = 2 * (radius / d).ceil() as u64;
    match dimension {
        Dimension::Two => [layers, 1, layers],
        Dimension::Three => [layers; 3],
    }
}

/// The middle of the box around a mesh \[m\], and the layers of its lattice along each axis.
fn box_around(mesh: &TriangleMesh, d: f64) -> ([f64; 3], [u64; 3]) {
    let [min, max] = bounds_of_mesh(mesh);
    let middle = [0, 1, 2].map(|a| 0.5 * (min[a] + max[a]));
    (middle, [0, 1, 2].map(|a| ((max[a] - min[a]) / d + ROUNDING) as u64))
}

fn bounds_of_mesh(mesh: &TriangleMesh) -> [[f64; 3]; 2] {
    let bounds = mesh.bounds();
    [to_f64(&bounds.min), to_f64(&bounds.max)]
}

/// Lowest and highest corner of the box around a shape.
fn bounds(shape: &FluidShape, mesh: Option<&TriangleMesh>) -> [[f64; 3]; 2] {
    match (shape, mesh) {
        (FluidShape::Box { min, max, .. }, _) => [*min, *max],
        (FluidShape::Ball { centre, radius, .. }, _) => {
            [centre.map(|c| c - radius), centre.map(|c| c + radius)]
        }
        (FluidShape::Mesh { .. }, mesh) => mesh.map_or([[0.0; 3]; 2], bounds_of_mesh),
        (FluidShape::Random { region, .. }, _) => [region.min, region.max],
    }
}

/// The box of a shape, grown by `margin` on every side.
fn grown([low, high]: &[[f64; 3]; 2], margin: f64) -> Body {
    Body::cuboid(low.map(|x| x - margin), high.map(|x| x + margin))
}

fn square(x: f64) -> f64 {
    x * x
}

fn cube(x: f64) -> f64 {
    x * x * x
}

/// Lays out every shape of a checked model; `meshes` are those of its fluids, placed, in order.
///
/// # Errors
/// Meshes that reach out of the domain, shapes with too many particles or none, and motions too
/// fast to be meant.
pub fn pieces<'a>(
    model: &'a Model,
    meshes: &[TriangleMesh],
) -> Result<Vec<Piece<'a>>, Vec<Problem>> {
    let d = 2.0 * model.particle_radius;
    let mut meshes = meshes.iter();
    let mut shapes = Vec::new();
    for (i, fluid) in model.fluids.iter().enumerate() {
        for (k, shape) in fluid.shapes.iter().enumerate() {
            let is_mesh = matches!(shape, FluidShape::Mesh { .. });
            let mesh = if is_mesh { meshes.next() } else { None };
            shapes.push((format!("fluids[{i}].shapes[{k}]"), i as u8, shape, mesh));
        }
    }
    let refused =
        shapes.iter().filter_map(|(path, _, shape, mesh)| refusal(model, path, shape, (*mesh)?));
    let mut problems: Vec<Problem> = refused.collect();
    let total: f64 =
        shapes.iter().map(|(_, _, shape, mesh)| count(model.dimensions, shape, *mesh, d)).sum();
    if total > MOST_PARTICLES {
        problems.push(too_many_particles(model, total, shapes.iter().map(|(path, ..)| path)));
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    let meshes: Vec<_> = shapes.iter().map(|(.., mesh)| *mesh).collect();
    let pieces = shapes.into_iter().map(|(path, phase, shape, mesh)| {
        // What takes over the places of others has none of its own.
        let is_lattice = !replaces(shape);
        let points = if is_lattice { points(model.dimensions, shape, mesh, d) } else { vec![] };
        let (bounds, laid) = (bounds(shape, mesh), points.len());
        let sources = Vec::new();
        Piece { path, phase, shape, bounds, points, sources, laid, fastest_squared: 0.0 }
    });
    let mut pieces: Vec<Piece> = pieces.collect();
    take_over(&mut pieces, &meshes, d);
    let g = -model.gravity[2];
    for piece in &mut pieces {
        let square = |x: &[f64; 3]| piece.velocity(x, g).map(|v| v * v).iter().sum();
        piece.fastest_squared = piece.points.iter().map(square).fold(0.0, f64::max);
    }
    let mut problems: Vec<Problem> = pieces.iter().filter_map(Piece::problem).collect();
    // The volume of a mesh whose parts face opposite ways says less than it holds.
    let total = pieces.iter().map(|piece| piece.points.len() as f64).sum();
    if total > MOST_PARTICLES {
        problems.push(too_many_particles(model, total, pieces.iter().map(|piece| &piece.path)));
    }
    if problems.is_empty() { Ok(pieces) } else { Err(problems) }
}

impl Piece<'_> {
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
            return Some(Problem::error(&self.path, message, help).and("particle_radius"));
        }
        let fastest = self.fastest_squared.sqrt();
        (fastest > FASTEST).then(|| {
            let message =
                format!("the fluid starts at {fastest:.3e} m/s, faster than can be meant");
            let help = format!("speeds up to {FASTEST:e} m/s");
            Problem::error(format!("{}.motion", self.path), message, &help)
        })
    }
}

/// Why the inside of a mesh cannot be filled.
fn refusal(model: &Model, path: &str, shape: &FluidShape, mesh: &TriangleMesh) -> Option<Problem> {
    let d = 2.0 * model.particle_radius;
    if let Some(out) = reach_out_of(&model.domain, bounds_of_mesh(mesh), ROUNDING * d) {
        let (axis, at, wall) = (out.axis, out.at, out.wall);
        let message = format!(
            "fluid outside the domain: the mesh reaches to {axis} = {at}, the wall stands at {wall}"
        );
        let usual = "check `scale` and `translate`, and the mesh's own units";
        let help = hint_of(model, shape, mesh).unwrap_or_else(|| usual.to_owned());
        let keys = [format!("{path}.scale"), format!("{path}.translate")];
        return Some(Problem::error(path, message, &help).and_all(keys).and(out.wall_path()));
    }
    let places = places(model.dimensions, shape, Some(mesh), d);
    (places > MOST_PLACES).then(|| {
        let message = format!("the box around this mesh holds {places:.1e} places of particles");
        let help = "at most 2e8: give a larger `particle_radius` or a smaller mesh";
        Problem::error(path, message, help).and("particle_radius")
    })
}

/// What may be wrong with a mesh that reaches out of the domain.
fn hint_of(model: &Model, shape: &FluidShape, mesh: &TriangleMesh) -> Option<String> {
    let FluidShape::Mesh { scale, rotate, translate, .. } = shape else { return None };
    let [low, high] = bounds_of_mesh(mesh);
    hint(model, &Placed { scale: *scale, rotate, translate, bounds: (low, high) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashfall_core::Vec3;
    use hashfall_geometry::shape::sphere_mesh;

    const SPACE: Dimension = Dimension::Three;

    fn ball(centre: [f64; 3], radius: f64) -> FluidShape {
        let (velocity, motion, jitter, replaces) = ([0.0; 3], Motion::Still, None, false);
        FluidShape::Ball { centre, radius, velocity, motion, jitter, replaces }
    }

    fn mesh_shape() -> FluidShape {
        FluidShape::Mesh {
            path: String::new(),
            scale: 1.0,
            rotate: Default::default(),
            translate: [0.0; 3],
            velocity: [0.0; 3],
            motion: Motion::Still,
            jitter: None,
            replaces: false,
        }
    }

    fn cuboid(min: [f64; 3], max: [f64; 3]) -> TriangleMesh {
        let corner = |n: usize| [0, 1, 2].map(|a| if n >> a & 1 == 0 { min[a] } else { max[a] });
        let faces = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2]];
        let faces = faces.into_iter().chain([[1, 3, 7, 5]]);
        let mesh = TriangleMesh {
            vertices: (0..8).map(|n| vec3(corner(n))).collect(),
            triangles: faces.flat_map(|[a, b, c, d]| [[a, b, c], [a, c, d]]).collect(),
        };
        assert_eq!(mesh.check_closed(), Ok(()));
        mesh
    }

    #[test]
    fn a_ball_is_symmetric_about_its_centre_and_full() {
        let (centre, d) = ([0.5, -2.0, 1.25], 0.125);
        for radius in [0.11, 0.25, 0.4, 1.0] {
            let shape = ball(centre, radius);
            let points = points(SPACE, &shape, None, d);
            // Centre and spacing are exact in binary, so that mirrored places are, too.
            for point in &points {
                for axis in 0..3 {
                    let mut mirrored = *point;
                    mirrored[axis] = 2.0 * centre[axis] - point[axis];
                    assert!(points.contains(&mirrored), "{radius}: {point:?}");
                }
                let half_steps = (point[0] - centre[0]) / (0.5 * d);
                assert_eq!(half_steps.rem_euclid(2.0), 1.0, "the centre lies between places");
            }
            let farthest = points.iter().map(|p| distance(p, &centre)).fold(0.0, f64::max);
            assert!(farthest < radius && farthest > radius - d, "{radius}: {farthest}");
            let share = points.len() as f64 / count(SPACE, &shape, None, d);
            assert!(radius < 0.2 || (share - 1.0).abs() < 0.2, "{radius}: {share}");
        }
        assert_eq!(points(SPACE, &ball(centre, 0.11), None, d).len(), 8);
        assert!(points(SPACE, &ball(centre, 0.1), None, d).is_empty());
    }

    #[test]
    fn in_the_plane_a_ball_is_a_disc() {
        let (shape, d) = (ball([0.5, 0.0, 1.0], 1.0), 0.05);
        let points = points(Dimension::Two, &shape, None, d);
        assert!(points.iter().all(|p| p[1] == 0.0 && distance(p, &[0.5, 0.0, 1.0]) < 1.0));
        let share = points.len() as f64 / count(Dimension::Two, &shape, None, d);
        assert!((share - 1.0).abs() < 0.01, "{share}");
    }

    fn distance(a: &[f64; 3], b: &[f64; 3]) -> f64 {
        (0..3).map(|i| (a[i] - b[i]) * (a[i] - b[i])).sum::<f64>().sqrt()
    }

    #[test]
    fn a_cuboid_is_filled_as_the_box_is() {
        let d = 0.125;
        for layers in [4.0, 5.0, 5.0 - 1e-4] {
            let (min, max) = ([0.5, -1.0, 0.25], [0.5 + layers * d, -0.5, 0.25 + 3.0 * d]);
            let filled = points(SPACE, &mesh_shape(), Some(&cuboid(min, max)), d);
            let full = [min[0] + layers.round() * d, max[1], max[2]];
            let boxed: Vec<_> = lattice::centres(SPACE, min, full, d).collect();
            assert_eq!(filled.len(), boxed.len(), "{layers} layers");
            assert!(filled.iter().zip(&boxed).all(|(a, b)| distance(a, b) < 1e-4 * d));
        }
        // What does not fit is shared by both sides.
        let filled = points(SPACE, &mesh_shape(), Some(&cuboid([0.0; 3], [2.9 * d, d, d])), d);
        assert_eq!(filled.len(), 2);
        assert!((filled[0][0] - 0.95 * d).abs() < 1e-7, "{filled:?}");
    }

    #[test]
    fn the_places_in_a_mesh_are_those_inside() {
        let (centre, d) = (Vec3::new(0.3, 0.2, -0.1), 0.1);
        let mesh = sphere_mesh(&centre, 0.72, 4);
        let points = points(SPACE, &mesh_shape(), Some(&mesh), d);
        assert!(points.iter().all(|p| distance(p, &to_f64(&centre)) < 0.72));
        let expected = count(SPACE, &mesh_shape(), Some(&mesh), d);
        assert!((points.len() as f64 / expected - 1.0).abs() < 0.05, "{expected}");
    }
}
