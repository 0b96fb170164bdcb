//! Meshes of simple shapes.

use super::{Aabb, Point, TriangleMesh};
use hashfall_core::{Real, Vec3, to_f64, vec3};
use std::collections::HashMap;

/// A closed mesh of a sphere with 20·4ⁿ triangles for n `subdivisions`, facing outwards.
///
/// An icosahedron whose edges are halved n times, with every vertex on the sphere; for n = 3 the
/// mesh lies within 0.5 % of the radius below the sphere.
pub fn sphere_mesh(centre: &Vec3, radius: Real, subdivisions: u32) -> TriangleMesh {
    let (directions, triangles) = unit_sphere(subdivisions);
    let centre = Point::from(to_f64(centre));
    let place = |d: &Point| vec3((centre + d * f64::from(radius)).into());
    TriangleMesh { vertices: directions.iter().map(place).collect(), triangles }
}

/// The unit vectors and the triangles of [`sphere_mesh`], in double precision.
pub fn unit_sphere(subdivisions: u32) -> (Vec<Point>, Vec<[u32; 3]>) {
    let (mut directions, mut triangles) = icosahedron();
    for _ in 0..subdivisions {
        triangles = halved(&mut directions, &triangles);
    }
    (directions, triangles)
}

/// A closed mesh of a box with 12 triangles, facing outwards.
pub fn box_mesh(solid: &Aabb) -> TriangleMesh {
    // Bit a of a corner's number tells whether it is high along axis a.
    let corner = |number: u32| {
        let place = |a: usize| if number >> a & 1 == 0 { solid.min[a] } else { solid.max[a] };
        Vec3::new(place(0), place(1), place(2))
    };
    let side = |axis: usize, is_high: bool| {
        let (u, v) = (1 << ((axis + 1) % 3), 1 << ((axis + 2) % 3));
        let first = if is_high { 1 << axis } else { 0 };
        let (second, fourth) = if is_high { (u, v) } else { (v, u) };
        let [a, b, c, d] = [first, first | second, first | u | v, first | fourth];
        [[a, b, c], [a, c, d]]
    };
    let sides = (0..6).flat_map(|k| side(k / 2, k % 2 == 1));
    TriangleMesh { vertices: (0..8).map(corner).collect(), triangles: sides.collect() }
}

/// Unit directions to the corners of an icosahedron, and its faces.
fn icosahedron() -> (Vec<Point>, Vec<[u32; 3]>) {
    // Corners of three golden rectangles: cyclic permutations of (0, ±1, ±φ).
    let golden = 0.5 * (1.0 + 5.0_f64.sqrt());
    let mut corners = vec![];
    for axis in 0..3 {
        for (one, phi) in [(1.0, golden), (-1.0, golden), (1.0, -golden), (-1.0, -golden)] {
            let mut corner = Point::zeros();
            corner[(axis + 1) % 3] = one;
            corner[(axis + 2) % 3] = phi;
            corners.push(corner.normalize());
        }
    }
    // Faces: all triples of corners an edge apart, turned outwards. Neighbours have cosine 1/√5,
    // others at most −1/√5.
    let is_edge = |a: usize, b: usize| corners[a].dot(&corners[b]) > 0.0;
    let mut faces = vec![];
    for a in 0..12 {
        for b in a + 1..12 {
            for c in b + 1..12 {
                if is_edge(a, b) && is_edge(b, c) && is_edge(c, a) {
                    let outwards = corners[a].dot(&corners[b].cross(&corners[c])) > 0.0;
                    let face = if outwards { [a, b, c] } else { [a, c, b] };
                    faces.push(face.map(|v| v as u32));
                }
            }
        }
    }
    (corners, faces)
}

/// Cuts each triangle into four at the middles of its edges, which are raised to the sphere.
fn halved(directions: &mut Vec<Point>, triangles: &[[u32; 3]]) -> Vec<[u32; 3]> {
    let mut middles = HashMap::new();
    let mut middle = |a: u32, b: u32| {
        *middles.entry((a.min(b), a.max(b))).or_insert_with(|| {
            directions.push((directions[a as usize] + directions[b as usize]).normalize());
            directions.len() as u32 - 1
        })
    };
    triangles
        .iter()
        .flat_map(|&[a, b, c]| {
            let (ab, bc, ca) = (middle(a, b), middle(b, c), middle(c, a));
            [[a, ab, ca], [b, bc, ab], [c, ca, bc], [ab, bc, ca]]
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_are_closed_and_face_outwards() {
        let solid = Aabb::new(Vec3::new(-1.0, 0.5, 2.0), Vec3::new(1.0, 1.0, 5.0));
        let mesh = box_mesh(&solid);
        assert_eq!((mesh.vertices.len(), mesh.triangles.len()), (8, 12));
        assert_eq!((mesh.check_closed(), mesh.bounds()), (Ok(()), solid));
        assert!((mesh.signed_volume() - 3.0).abs() < 1e-12);
    }

    #[test]
    fn spheres_are_closed_round_and_face_outwards() {
        let (centre, radius) = (Vec3::new(1.0, -2.0, 0.5), 0.25);
        for subdivisions in 0..5 {
            let mesh = sphere_mesh(&centre, radius, subdivisions);
            let triangles = 20 * 4usize.pow(subdivisions);
            assert_eq!(mesh.triangles.len(), triangles);
            assert_eq!(mesh.vertices.len(), triangles / 2 + 2, "Euler's formula");
            assert_eq!(mesh.check_closed(), Ok(()));
            assert!(mesh.vertices.iter().all(|v| ((v - centre).norm() - radius).abs() < 1e-6));
            let full = 4.0 / 3.0 * std::f64::consts::PI * f64::from(radius).powi(3);
            let share = mesh.signed_volume() / full;
            let least = 1.0 - 0.4 / 3.0_f64.powi(subdivisions as i32);
            assert!((least..1.0).contains(&share), "{subdivisions}: {share}");
        }
    }
}
