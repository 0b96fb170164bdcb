//! A rectangle or parallelogram of triangles: cloth, a membrane, a flag.
//!
//! Diagonals alternate from cell to cell, so that no direction is preferred; with even numbers of
//! cells the mesh has the symmetry of the rectangle.

use super::error::{MeshingError, check_count, check_nodes, check_place, check_vector};
use crate::mesh::ElasticMesh;
use hashfall_geometry::Point;

/// A sheet with a corner at `origin` \[m\] and edges `u` and `v` \[m\] from there, of `cells[0]`
/// by `cells[1]` cells of two triangles. Its normal is that of u × v. Node i + j (`cells[0]` + 1)
/// lies at origin + u i / `cells[0]` + v j / `cells[1]`.
///
/// # Errors
/// If a number is not finite, a count is 0, or the edges are parallel.
pub fn sheet(
    origin: Point,
    u: Point,
    v: Point,
    cells: [u32; 2],
) -> Result<ElasticMesh, MeshingError> {
    check_place("the corner of the sheet", &origin)?;
    check_vector("an edge of the sheet", &u)?;
    check_vector("an edge of the sheet", &v)?;
    cells.iter().try_for_each(|count| check_count("the number of cells of the sheet", *count))?;
    check_nodes(&cells.map(|count| u64::from(count) + 1))?;
    if u.normalize().cross(&v.normalize()).norm() < 1e-9 {
        return Err(MeshingError::Parallel { what: "the edges of the sheet" });
    }
    let [nu, nv] = cells;
    let part = |k: u32, n: u32| f64::from(k) / f64::from(n);
    let node = |i: u32, j: u32| origin + u * part(i, nu) + v * part(j, nv);
    let nodes = (0..=nv).flat_map(|j| (0..=nu).map(move |i| node(i, j))).collect();
    let cell = |i: u32, j: u32| {
        let at = |di: u32, dj: u32| i + di + (j + dj) * (nu + 1);
        let [a, b, c, d] = [at(0, 0), at(1, 0), at(1, 1), at(0, 1)];
        if (i + j).is_multiple_of(2) { [[a, b, c], [a, c, d]] } else { [[a, b, d], [b, c, d]] }
    };
    let triangles = (0..nv).flat_map(|j| (0..nu).flat_map(move |i| cell(i, j))).collect();
    Ok(ElasticMesh { nodes, triangles, ..ElasticMesh::default() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn its_triangles_cover_the_sheet_once_and_face_one_way() {
        let (origin, u, v) =
            (Point::new(1.0, 2.0, 3.0), Point::new(0.3, 0.0, 0.1), Point::new(-0.1, 0.7, 0.0));
        let mesh = sheet(origin, u, v, [6, 4]).unwrap();
        assert_eq!((mesh.nodes.len(), mesh.triangles.len()), (35, 48));
        let normal = |t: &[u32; 3]| {
            let [a, b, c] = t.map(|node| mesh.nodes[node as usize]);
            (b - a).cross(&(c - a)) * 0.5
        };
        let whole = u.cross(&v);
        let sum: Point = mesh.triangles.iter().map(normal).sum();
        assert!((sum - whole).norm() < 1e-15);
        assert!(mesh.triangles.iter().all(|t| normal(t).dot(&whole) > 0.0));
        // Euler's number of a disc.
        assert_eq!(35 + 48 - mesh.edges().len(), 1);
        // Each inner node meets four triangles or eight.
        let degree = |node: u32| mesh.triangles.iter().filter(|t| t.contains(&node)).count();
        assert!(
            (0..35)
                .filter(|n| (1..6).contains(&(n % 7)) && (1..4).contains(&(n / 7)))
                .all(|n| [4, 8].contains(&degree(n)))
        );
        assert_eq!(mesh.nodes[34], origin + u + v);
    }

    #[test]
    fn bad_sheets_are_refused() {
        let (o, x) = (Point::zeros(), Point::x());
        let error = |u, v, cells| sheet(o, u, v, cells).unwrap_err().to_string();
        assert_eq!(error(x, x * 2.0, [1, 1]), "the edges of the sheet are parallel");
        assert_eq!(
            error(x, Point::y(), [1, 0]),
            "the number of cells of the sheet must be at least 1, found 0"
        );
        assert!(error(x, o, [1, 1]).contains("must be finite and not 0, found (0, 0, 0)"));
        assert!(error(x * f64::NAN, Point::y(), [1, 1]).contains("found (NaN"));
        assert!(error(x, Point::y(), [1 << 20, 1 << 20]).contains("fewer or larger cells"));
    }
}
