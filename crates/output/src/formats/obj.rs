//! Surfaces as Wavefront OBJ: text that every program reads, with positions and normals alone.

use hashfall_core::Vec3;
use hashfall_surface::SurfaceMesh;
use std::io::Write;

/// Bytes that a vertex and its normal take, and a triangle, about.
const VERTEX_LENGTH: usize = 64;
const TRIANGLE_LENGTH: usize = 48;

/// The fluid's surface: `v`, `vn` and `f`, vertices counted from 1.
pub fn surface(mesh: &SurfaceMesh) -> Vec<u8> {
    let length = mesh.positions.len() * VERTEX_LENGTH + mesh.triangles.len() * TRIANGLE_LENGTH;
    let mut bytes = Vec::with_capacity(length);
    vectors("v", &mesh.positions, &mut bytes);
    vectors("vn", &mesh.normals, &mut bytes);
    for triangle in &mesh.triangles {
        let [a, b, c] = triangle.map(|vertex| u64::from(vertex) + 1);
        // Writing to memory does not fail.
        let _ = writeln!(bytes, "f {a}//{a} {b}//{b} {c}//{c}");
    }
    bytes
}

/// A line for each vector, with the fewest digits that give its numbers back.
fn vectors(keyword: &str, vectors: &[Vec3], bytes: &mut Vec<u8>) {
    for v in vectors {
        let _ = writeln!(bytes, "{keyword} {} {} {}", v.x, v.y, v.z);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_triangle_is_these_lines() {
        let mesh = SurfaceMesh {
            positions: vec![Vec3::zeros(), Vec3::x() * 0.1, Vec3::y() * -2.5],
            normals: vec![Vec3::z(); 3],
            attributes: Vec::new(),
            triangles: vec![[0, 2, 1]],
        };
        let text = "v 0 0 0\nv 0.1 0 0\nv -0 -2.5 -0\nvn 0 0 1\nvn 0 0 1\nvn 0 0 1\n\
                    f 1//1 3//3 2//2\n";
        assert_eq!(String::from_utf8(surface(&mesh)).unwrap(), text);
    }
}
