//! A box of masses on a lattice, with springs along edges and diagonals.
//!
//! Each cell has springs along its edges, both diagonals of each side, and its four space
//! diagonals, so that it resists stretching, shear and collapse. The surface is of triangles, for
//! contact. A lattice of springs has a Poisson ratio of its own, which no stiffness can change.

use super::box_tetrahedra::{Grid, side_triangles};
use super::error::MeshingError;
use crate::mesh::ElasticMesh;
use hashfall_geometry::Point;

/// Half of the 26 neighbours of a node: the others see it as theirs.
const NEIGHBOURS: [[i32; 3]; 13] = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
    [1, 1, 0],
    [1, -1, 0],
    [1, 0, 1],
    [1, 0, -1],
    [0, 1, 1],
    [0, 1, -1],
    [1, 1, 1],
    [1, 1, -1],
    [1, -1, 1],
    [1, -1, -1],
];

/// Masses in a box with a corner at `origin` \[m\] and `edges` \[m\] from there, of so many `cells`
/// along each; segments are springs, and triangles the surface, facing outwards; cells hold the
/// mass. The first edge's nodes follow each other, then come rows along the second.
///
/// # Errors
/// If a number is not finite, a count is 0, or the edges span no volume.
pub fn spring_lattice(
    origin: Point,
    edges: [Point; 3],
    cells: [u32; 3],
) -> Result<ElasticMesh, MeshingError> {
    let grid = Grid::new(origin, edges, cells)?;
    let nodes = grid.places().map(|at| grid.point(at.map(f64::from))).collect();
    let mut segments = Vec::new();
    for at in grid.places() {
        for shift in NEIGHBOURS {
            let to = std::array::from_fn(|a| at[a].checked_add_signed(shift[a]));
            let [Some(x), Some(y), Some(z)] = to else { continue };
            if x <= grid.cells[0] && y <= grid.cells[1] && z <= grid.cells[2] {
                segments.push([grid.node(at), grid.node([x, y, z])]);
            }
        }
    }
    let corner =
        |at: [u32; 3], k: u32| grid.node([at[0] + (k & 1), at[1] + (k >> 1 & 1), at[2] + (k >> 2)]);
    let cells = grid.cells().map(|at| [0, 1, 2, 3, 4, 5, 6, 7].map(|k| corner(at, k))).collect();
    let triangles = side_triangles(&grid);
    Ok(ElasticMesh { nodes, segments, triangles, cells, ..ElasticMesh::default() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_have_all_diagonals_and_a_closed_surface() {
        let edges = [Point::new(0.3, 0.0, 0.0), Point::new(0.0, 0.2, 0.0), Point::new(0., 0., 0.1)];
        let mesh = spring_lattice(Point::zeros(), edges, [3, 2, 1]).unwrap();
        assert_eq!(mesh.nodes.len(), 24);
        // Along the edges, diagonals of all squares, and space diagonals.
        let along = 3 * 3 * 2 + 4 * 2 * 2 + 4 * 3;
        let squares = 3 * 2 * 2 + 3 * 3 + 2 * 4;
        assert_eq!(mesh.segments.len(), along + 2 * squares + 4 * 6);
        let lengths = mesh.segments.iter().map(|s| s.map(|node| mesh.nodes[node as usize]));
        let longest = lengths.map(|[a, b]| (b - a).norm()).fold(0.0, f64::max);
        assert!((longest - 0.1 * 3.0_f64.sqrt()).abs() < 1e-15);
        let volume = |t: &[u32; 3]| {
            let [a, b, c] = t.map(|node| mesh.nodes[node as usize]);
            a.dot(&b.cross(&c)) / 6.0
        };
        let volume: f64 = mesh.triangles.iter().map(volume).sum();
        assert!((volume - 0.006).abs() < 1e-15);
        assert_eq!(mesh.triangles.len(), 4 * (3 * 2 + 3 + 2));
        assert_eq!((mesh.cells.len(), mesh.check()), (6, Ok(())));
        let [low, high] = [0, 7].map(|k| mesh.nodes[mesh.cells[0][k] as usize]);
        assert!((high - low - Point::repeat(0.1)).norm() < 1e-15, "{low}, {high}");
    }
}
