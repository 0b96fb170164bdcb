//! Meshes that collisions are tried on, and OBJ files of them.

use hashfall_core::{to_f64, vec3};
use hashfall_geometry::{Point, TriangleMesh};
use std::f64::consts::{PI, TAU};
use std::fmt::Write;

/// The mesh as an OBJ file.
pub fn obj(mesh: &TriangleMesh) -> String {
    let mut file = String::new();
    for [x, y, z] in mesh.vertices.iter().map(to_f64) {
        let _ = writeln!(file, "v {x} {y} {z}");
    }
    for [a, b, c] in mesh.triangles.iter().map(|t| t.map(|v| v + 1)) {
        let _ = writeln!(file, "f {a} {b} {c}");
    }
    file
}

fn mesh(vertices: impl IntoIterator<Item = Point>, triangles: Vec<[u32; 3]>) -> TriangleMesh {
    TriangleMesh { vertices: vertices.into_iter().map(|p| vec3(p.into())).collect(), triangles }
}

/// A closed box of these half edges about the origin, with a wall of no thickness across x = 0:
/// two triangles that face one way, and two on them that face the other.
pub fn divided_box(half: [f64; 3]) -> TriangleMesh {
    let [x, y, z] = half;
    let ring = |x: f64| [(-y, -z), (y, -z), (y, z), (-y, z)].map(|(y, z)| Point::new(x, y, z));
    let mut triangles = Vec::new();
    for k in 0..4 {
        let next = (k + 1) % 4;
        // The low half, then the high half, of each side.
        for (low, high) in [(0, 4), (4, 8)] {
            let [a, b, c, d] = [low + k, low + next, high + next, high + k];
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    let quad = |first: u32| [[first, first + 1, first + 2], [first, first + 2, first + 3]];
    let turned = |first: u32| quad(first).map(|[a, b, c]| [a, c, b]);
    triangles.extend([turned(0), quad(4), turned(4), quad(8)].concat());
    mesh([-x, 0.0, x].into_iter().flat_map(ring), triangles)
}

/// A prism over a star of so many points, their tips at `outer` and the corners between them at
/// `inner` from its axis, 2 `half_height` high.
pub fn star(points: u32, outer: f64, inner: f64, half_height: f64) -> TriangleMesh {
    let corners = 2 * points;
    let place = |k: u32, z: f64| {
        let radius = if k.is_multiple_of(2) { outer } else { inner };
        let (sin, cos) = (PI * f64::from(k) / f64::from(points)).sin_cos();
        Point::new(radius * cos, radius * sin, z)
    };
    let rims = [-half_height, half_height].map(|z| (0..corners).map(move |k| place(k, z)));
    let middles = [-half_height, half_height].map(|z| Point::new(0.0, 0.0, z));
    let mut triangles = Vec::new();
    for k in 0..corners {
        let next = (k + 1) % corners;
        let [a, b, c, d] = [k, next, corners + next, corners + k];
        let (low, high) = (2 * corners, 2 * corners + 1);
        triangles.extend([[a, b, c], [a, c, d], [low, b, a], [high, d, c]]);
    }
    mesh(rims.into_iter().flatten().chain(middles), triangles)
}

/// A surface of revolution about z: from its lowest point on the axis through rings of these radii
/// and heights to its highest point.
pub fn revolved(low: f64, rings: &[(f64, f64)], high: f64, sides: u32) -> TriangleMesh {
    let on_ring = |(radius, z): (f64, f64)| {
        (0..sides).map(move |k| {
            let (sin, cos) = (TAU * f64::from(k) / f64::from(sides)).sin_cos();
            Point::new(radius * cos, radius * sin, z)
        })
    };
    let ends = [low, high].map(|z| Point::new(0.0, 0.0, z));
    let first = |ring: usize| 2 + ring as u32 * sides;
    let mut triangles = Vec::new();
    for k in 0..sides {
        let next = (k + 1) % sides;
        triangles.push([0, first(0) + next, first(0) + k]);
        for ring in 1..rings.len() {
            let (below, above) = (first(ring - 1), first(ring));
            triangles.push([below + k, below + next, above + next]);
            triangles.push([below + k, above + next, above + k]);
        }
        let last = first(rings.len() - 1);
        triangles.push([1, last + k, last + next]);
    }
    mesh(ends.into_iter().chain(rings.iter().copied().flat_map(on_ring)), triangles)
}

#[test]
fn they_are_closed_and_face_outwards() {
    let shapes = [
        divided_box([0.3, 0.2, 0.1]),
        star(5, 0.4, 0.15, 0.2),
        revolved(-0.3, &[(0.2, -0.3), (0.05, 0.0), (0.2, 0.3)], 0.3, 12),
    ];
    for shape in shapes {
        assert_eq!(shape.check_closed(), Ok(()));
        assert!(shape.signed_volume() > 0.0);
        let read = hashfall_input::mesh::parse(obj(&shape).as_bytes()).unwrap();
        assert_eq!(read.triangles.len(), shape.triangles.len());
        assert_eq!(read.signed_volume(), shape.signed_volume());
    }
}
