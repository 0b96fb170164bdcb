//! Concave solids for tests.

use hashfall_core::{Real, Vec3};
use hashfall_geometry::TriangleMesh;
use nalgebra::{Rotation3, Vector3};

/// A glass 1 m wide and 1.2 m high, open above, of `n` sides.
pub(super) fn glass(n: u32, wall: f64) -> TriangleMesh {
    let mut mesh = TriangleMesh::default();
    let (outer, high) = (0.5, 1.2);
    let inner = outer - wall;
    let rings = [(outer, 0.0), (outer, high), (inner, high), (inner, wall)];
    for (r, z) in rings {
        mesh.vertices.extend((0..n).map(|k| {
            let (s, c) = libm::sincos(std::f64::consts::TAU * f64::from(k) / f64::from(n));
            Vec3::new((r * c) as Real, (r * s) as Real, z as Real)
        }));
    }
    let v = |ring: u32, k: u32| ring * n + k % n;
    for ring in 0..3 {
        for k in 0..n {
            let [a, b, c, d] = [v(ring, k), v(ring, k + 1), v(ring + 1, k + 1), v(ring + 1, k)];
            mesh.triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    let low = mesh.vertices.len() as u32;
    mesh.vertices.extend([Vec3::new(0.0, 0.0, 0.0), Vec3::new(0.0, 0.0, wall as Real)]);
    for k in 0..n {
        mesh.triangles.extend([[low, v(0, k + 1), v(0, k)], [low + 1, v(3, k), v(3, k + 1)]]);
    }
    mesh
}

/// An upright block 0.3125 m × 1.5 m and a lying one 0.6875 m × 0.25 m, seen along y.
pub(super) fn l_prism() -> TriangleMesh {
    // Caps from a corner that sees all of them: others overlap and cancel.
    let outline = [[0.0, 0.0], [1.0, 0.0], [1.0, 0.25], [0.3125, 0.25], [0.3125, 1.5], [0.0, 1.5]];
    let segments = hashfall_geometry::prism::polygon_segments(&outline);
    hashfall_geometry::prism::prism(&segments, 0.5, false)
}

/// A box 1 m × 0.75 m × 0.5 m, open above, with walls of 0.125 m and a bottom of 0.0625 m.
pub(super) fn cup() -> TriangleMesh {
    let (low, high) = (Vec3::zeros(), Vec3::new(1.0, 0.75, 0.5));
    let corners = |low: Vec3, high: Vec3| {
        let at = |k: usize| Vec3::from_fn(|a, _| if k >> a & 1 == 0 { low[a] } else { high[a] });
        (0..8).map(at).collect::<Vec<Vec3>>()
    };
    let wall = Vec3::new(0.125, 0.125, 0.0);
    let mut mesh = TriangleMesh::default();
    mesh.vertices.extend(corners(low, high));
    mesh.vertices.extend(corners(low + Vec3::new(0.125, 0.125, 0.0625), high - wall));
    // Below, four walls outside; the same inside, facing the hollow; the rim.
    let mut quads = vec![[0, 2, 3, 1], [0, 1, 5, 4], [1, 3, 7, 5], [3, 2, 6, 7], [2, 0, 4, 6]];
    quads.extend(quads.clone().into_iter().map(|[a, b, c, d]| [a + 8, d + 8, c + 8, b + 8]));
    let rim = [[4, 5], [5, 7], [7, 6], [6, 4]];
    quads.extend(rim.map(|[a, b]| [a, b, b + 8, a + 8]));
    mesh.triangles.extend(quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]));
    mesh
}

/// A mesh turned about the origin, so that no face lies across an axis.
pub(super) fn turned(mut mesh: TriangleMesh, axis_angle: [f64; 3]) -> TriangleMesh {
    let turn = Rotation3::from_scaled_axis(Vector3::from(axis_angle));
    for v in &mut mesh.vertices {
        let at = turn * Vector3::from(hashfall_core::to_f64(v));
        *v = hashfall_core::vec3(at.into());
    }
    mesh
}
