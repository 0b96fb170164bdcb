//! Initial particle positions of shapes of fluid, on cubic lattices of spacing d.
//!
//! - Box: see [`lattice`].
//! - Ball: the sites closer to its centre than its radius; the centre is the midpoint of eight
//!   sites, in two dimensions of four.
//! - Random: uniform in a box, by [`RandomStream`], without a lattice.
//! - Mesh, and the prism over a polygon: the sites inside. As many layers as fit the bounding box,
//!   symmetric about its centre, so that a cube is filled as the same box is, clear of a hollow
//!   cube around it.
//!
//! A shape with `replaces` takes the particles of other shapes inside it: two fluids then share one
//! lattice, whatever the shape of the interface.

use crate::layout::lattice;
use crate::layout::rounded_box_tree::RoundedBox;
use crate::model::{FluidShape, Jitter, VelocityField};
use hashfall_core::rng::RandomStream;
use hashfall_core::{Dimension, to_f64, vec3};
use hashfall_geometry::{Interior, TriangleMesh};
use rayon::prelude::*;
use std::f64::consts::PI;

/// How far a mesh may reach out of the domain, or fall short of a layer, through rounding of its
/// vertices, in spacings.
pub const ROUNDING: f64 = 1e-3;

/// Velocity, velocity field and displacement of a shape.
pub fn start(shape: &FluidShape) -> ([f64; 3], VelocityField, Option<Jitter>) {
    match *shape {
        FluidShape::Box { velocity, initial_velocity, jitter, .. }
        | FluidShape::Ball { velocity, initial_velocity, jitter, .. }
        | FluidShape::Mesh { velocity, initial_velocity, jitter, .. }
        | FluidShape::Polygon { velocity, initial_velocity, jitter, .. } => {
            (velocity, initial_velocity, jitter)
        }
        FluidShape::Random { velocity, .. } => (velocity, VelocityField::Still, None),
    }
}

/// Whether a shape takes over the particles of others.
pub fn replaces(shape: &FluidShape) -> bool {
    match *shape {
        FluidShape::Box { replaces, .. }
        | FluidShape::Ball { replaces, .. }
        | FluidShape::Mesh { replaces, .. }
        | FluidShape::Polygon { replaces, .. } => replaces,
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
        (FluidShape::Mesh { .. } | FluidShape::Polygon { .. }, _) => {
            let Some(mesh) = mesh else { return 0.0 };
            let depth = f64::from(mesh.bounds().extent().y);
            mesh.signed_volume()
                / match dimension {
                    Dimension::Two => depth * square(d),
                    Dimension::Three => cube(d),
                }
        }
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
        FluidShape::Mesh { .. } | FluidShape::Polygon { .. } => {
            mesh.map_or(0.0, |mesh| product(box_around(dimension, mesh, d).1))
        }
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
        (FluidShape::Mesh { .. } | FluidShape::Polygon { .. }, Some(mesh)) => {
            let (middle, layers) = box_around(dimension, mesh, d);
            let interior = Interior::new(mesh);
            around(middle, layers, d, |_, place| interior.contains(&vec3(*place)))
        }
        (FluidShape::Mesh { .. } | FluidShape::Polygon { .. }, None) => Vec::new(),
        (FluidShape::Random { seed, count, region, .. }, _) => {
            let mut rng = RandomStream::new(*seed);
            let along = |rng: &mut RandomStream, a: usize| {
                rng.between(region.min[a] + 0.5 * d, region.max[a] - 0.5 * d)
            };
            (0..*count)
                .map(|_| {
                    let [x, y, z] = [0, 1, 2].map(|a| along(&mut rng, a));
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
fn box_around(dimension: Dimension, mesh: &TriangleMesh, d: f64) -> ([f64; 3], [u64; 3]) {
    let [min, max] = bounds_of_mesh(dimension, mesh);
    let middle = [0, 1, 2].map(|a| 0.5 * (min[a] + max[a]));
    let layers = [0, 1, 2].map(|a| ((max[a] - min[a]) / d + ROUNDING) as u64);
    match dimension {
        Dimension::Two => (middle, [layers[0], 1, layers[2]]),
        Dimension::Three => (middle, layers),
    }
}

/// Lowest and highest corner of the box around a mesh \[m\]; in the plane of its section.
pub fn bounds_of_mesh(dimension: Dimension, mesh: &TriangleMesh) -> [[f64; 3]; 2] {
    let bounds = mesh.bounds();
    [bounds.min, bounds.max].map(|corner| match dimension {
        Dimension::Two => [f64::from(corner.x), 0.0, f64::from(corner.z)],
        Dimension::Three => to_f64(&corner),
    })
}

/// Lowest and highest corner of the box around a shape.
pub fn bounds(
    dimension: Dimension,
    shape: &FluidShape,
    mesh: Option<&TriangleMesh>,
) -> [[f64; 3]; 2] {
    match (shape, mesh) {
        (FluidShape::Box { min, max, .. }, _) => [*min, *max],
        (FluidShape::Ball { centre, radius, .. }, _) => {
            [centre.map(|c| c - radius), centre.map(|c| c + radius)]
        }
        (FluidShape::Mesh { .. } | FluidShape::Polygon { .. }, mesh) => {
            mesh.map_or([[0.0; 3]; 2], |mesh| bounds_of_mesh(dimension, mesh))
        }
        (FluidShape::Random { region, .. }, _) => [region.min, region.max],
    }
}

/// The box of a shape, grown by `margin` on every side.
pub fn grown([low, high]: &[[f64; 3]; 2], margin: f64) -> RoundedBox {
    RoundedBox::cuboid(low.map(|x| x - margin), high.map(|x| x + margin))
}

pub fn square(x: f64) -> f64 {
    x * x
}

fn cube(x: f64) -> f64 {
    x * x * x
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashfall_core::Vec3;
    use hashfall_geometry::shape::sphere_mesh;

    const SPACE: Dimension = Dimension::Three;

    fn ball(centre: [f64; 3], radius: f64) -> FluidShape {
        let (velocity, initial_velocity, jitter, replaces) =
            ([0.0; 3], VelocityField::Still, None, false);
        FluidShape::Ball { centre, radius, velocity, initial_velocity, jitter, replaces }
    }

    fn mesh_shape() -> FluidShape {
        FluidShape::Mesh {
            path: String::new(),
            scale: 1.0,
            rotate: Default::default(),
            translate: [0.0; 3],
            velocity: [0.0; 3],
            initial_velocity: VelocityField::Still,
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
