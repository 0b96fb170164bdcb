//! A box of tetrahedra with exact corners and edges.
//!
//! Two patterns on a grid of cells:
//! - *Five*: each cell is cut into a regular tetrahedron over four of its corners and one at each
//!   other corner; neighbouring cells mirror each other, so that faces agree. In cubes dihedral
//!   angles are 54.7° to 90° (70.5° in the regular one).
//! - *Body-centred*: the lattice of isosurface stuffing, which has a node in the middle of each
//!   cell too. Two middles and each edge of the side between them make a tetrahedron, with angles
//!   of 60° and 90°; the pyramids over the box's own sides are cut into two, with 45° to 120°.
//!
//! Where all numbers of cells are even, both have the symmetry of the box.

use super::error::{MeshingError, check_count, check_nodes, check_place, check_vector};
use crate::mesh::ElasticMesh;
use hashfall_geometry::Point;
use std::iter::once;

/// How the cells of a box are cut.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BoxPattern {
    /// Five tetrahedra a cell.
    #[default]
    Five,
    /// A node in the middle of each cell: twelve tetrahedra a cell.
    BodyCentred,
}

/// Tetrahedra that fill a box with a corner at `origin` \[m\] and `edges` \[m\] from there, of so
/// many `cells` along each. Nodes of the grid come first: the first edge's follow each other, then
/// come rows along the second.
///
/// # Errors
/// If a number is not finite, a count is 0, or the edges span no volume.
pub fn box_tetrahedra(
    origin: Point,
    edges: [Point; 3],
    cells: [u32; 3],
    pattern: BoxPattern,
) -> Result<ElasticMesh, MeshingError> {
    let grid = Grid::new(origin, edges, cells)?;
    let mut nodes: Vec<_> = grid.places().map(|at| grid.point(at.map(f64::from))).collect();
    let mut tetrahedra = match pattern {
        BoxPattern::Five => grid.cells().flat_map(|cell| five(&grid, cell)).collect(),
        BoxPattern::BodyCentred => {
            nodes.extend(grid.cells().map(|cell| grid.point(cell.map(|k| f64::from(k) + 0.5))));
            grid.cells().flat_map(|cell| around_middle(&grid, cell)).collect::<Vec<_>>()
        }
    };
    if grid.is_mirrored {
        tetrahedra.iter_mut().for_each(|t| t.swap(2, 3));
    }
    Ok(ElasticMesh { nodes, tetrahedra, ..ElasticMesh::default() })
}

/// The grid of a box.
pub(super) struct Grid {
    origin: Point,
    edges: [Point; 3],
    pub(super) cells: [u32; 3],
    /// Whether the edges are a left-handed triple.
    is_mirrored: bool,
}

impl Grid {
    pub(super) fn new(
        origin: Point,
        edges: [Point; 3],
        cells: [u32; 3],
    ) -> Result<Grid, MeshingError> {
        check_place("the corner of the box", &origin)?;
        edges.iter().try_for_each(|edge| check_vector("an edge of the box", edge))?;
        cells.iter().try_for_each(|count| check_count("the number of cells of the box", *count))?;
        check_nodes(&cells.map(|count| u64::from(count) + 1))?;
        let [u, v, w] = edges.map(|edge| edge.normalize());
        let volume = u.cross(&v).dot(&w);
        if volume.abs() < 1e-9 {
            return Err(MeshingError::Parallel { what: "the edges of the box, or all three," });
        }
        Ok(Grid { origin, edges, cells, is_mirrored: volume < 0.0 })
    }

    /// All corners of cells, in the order of their nodes.
    pub(super) fn places(&self) -> impl Iterator<Item = [u32; 3]> {
        up_to(self.cells.map(|count| count + 1))
    }

    pub(super) fn cells(&self) -> impl Iterator<Item = [u32; 3]> {
        up_to(self.cells)
    }

    pub(super) fn point(&self, at: [f64; 3]) -> Point {
        let part = |a: usize| self.edges[a] * (at[a] / f64::from(self.cells[a]));
        self.origin + part(0) + part(1) + part(2)
    }

    pub(super) fn node(&self, [i, j, k]: [u32; 3]) -> u32 {
        i + (self.cells[0] + 1) * (j + (self.cells[1] + 1) * k)
    }

    /// The node in the middle of a cell.
    fn middle(&self, [i, j, k]: [u32; 3]) -> u32 {
        let corners: u32 = self.cells.iter().map(|count| count + 1).product();
        corners + i + self.cells[0] * (j + self.cells[1] * k)
    }

    /// A corner of a cell: bit a tells whether it is high along axis a.
    fn corner(&self, cell: [u32; 3], bits: usize) -> u32 {
        self.node([0, 1, 2].map(|a| cell[a] + (bits >> a & 1) as u32))
    }
}

fn up_to([nx, ny, nz]: [u32; 3]) -> impl Iterator<Item = [u32; 3]> {
    (0..nz).flat_map(move |k| (0..ny).flat_map(move |j| (0..nx).map(move |i| [i, j, k])))
}

/// The five tetrahedra of a cell.
fn five(grid: &Grid, cell: [u32; 3]) -> impl Iterator<Item = [u32; 4]> {
    let is_odd = cell.iter().sum::<u32>() % 2 == 1;
    // Of an odd cell the mirror image along x: other corners, and the other order.
    let corners = move |bits: [usize; 4]| match is_odd {
        false => bits,
        true => [bits[0] ^ 1, bits[1] ^ 1, bits[3] ^ 1, bits[2] ^ 1],
    };
    const REGULAR: [usize; 4] = [0b000, 0b101, 0b011, 0b110];
    const AT_CORNERS: [[usize; 4]; 4] = [
        [0b001, 0b011, 0b000, 0b101],
        [0b010, 0b000, 0b011, 0b110],
        [0b100, 0b101, 0b000, 0b110],
        [0b111, 0b110, 0b011, 0b101],
    ];
    let all = once(REGULAR).chain(AT_CORNERS);
    all.map(move |bits| corners(bits).map(|bit| grid.corner(cell, bit)))
}

/// The tetrahedra between the middle of a cell and its sides: over a side of the box two, over a
/// lower side that it shares the four to the middle beyond.
fn around_middle(grid: &Grid, cell: [u32; 3]) -> Vec<[u32; 4]> {
    let middle = grid.middle(cell);
    let mut tetrahedra = Vec::with_capacity(12);
    for axis in 0..3 {
        for is_high in [false, true] {
            let side = side(axis, is_high).map(|bits| grid.corner(cell, bits));
            let is_outer = cell[axis] == if is_high { grid.cells[axis] - 1 } else { 0 };
            if is_outer {
                let halves = halves(side, starts_at_second(cell, axis));
                tetrahedra.extend(halves.map(|[a, b, c]| [a, c, b, middle]));
            } else if !is_high {
                let mut below = cell;
                below[axis] -= 1;
                let other = grid.middle(below);
                let edges = (0..4).map(|k| [side[k], side[(k + 1) % 4]]);
                tetrahedra.extend(edges.map(|[a, b]| [a, b, middle, other]));
            }
        }
    }
    tetrahedra
}

/// The corners of a side of a cell, counter-clockwise seen from outside.
fn side(axis: usize, is_high: bool) -> [usize; 4] {
    let (u, v) = (1 << ((axis + 1) % 3), 1 << ((axis + 2) % 3));
    let first = usize::from(is_high) << axis;
    let (second, fourth) = if is_high { (u, v) } else { (v, u) };
    [first, first | second, first | u | v, first | fourth]
}

/// Whether the diagonal of a cell's side starts at its second corner: in every other cell of it.
fn starts_at_second(cell: [u32; 3], axis: usize) -> bool {
    (cell[(axis + 1) % 3] + cell[(axis + 2) % 3]) % 2 == 1
}

fn halves([a, b, c, d]: [u32; 4], starts_at_second: bool) -> [[u32; 3]; 2] {
    if starts_at_second { [[a, b, d], [b, c, d]] } else { [[a, b, c], [a, c, d]] }
}

/// The triangles of the box's sides, facing outwards.
pub(super) fn side_triangles(grid: &Grid) -> Vec<[u32; 3]> {
    let mut triangles = Vec::new();
    for cell in grid.cells() {
        for axis in 0..3 {
            for is_high in [false, true] {
                if cell[axis] == if is_high { grid.cells[axis] - 1 } else { 0 } {
                    let side = side(axis, is_high).map(|bits| grid.corner(cell, bits));
                    triangles.extend(halves(side, starts_at_second(cell, axis)));
                }
            }
        }
    }
    if grid.is_mirrored {
        triangles.iter_mut().for_each(|t| t.swap(1, 2));
    }
    triangles
}

#[cfg(test)]
mod tests {
    use super::*;

    const EDGES: [[f64; 3]; 3] = [[0.6, 0.0, 0.0], [0.0, 0.4, 0.0], [0.0, 0.0, 0.2]];

    fn volumes(mesh: &ElasticMesh) -> Vec<f64> {
        let corners = mesh.tetrahedra.iter().map(|t| t.map(|node| mesh.nodes[node as usize]));
        corners.map(|[a, b, c, d]| (b - a).cross(&(c - a)).dot(&(d - a)) / 6.0).collect()
    }

    #[test]
    fn tetrahedra_fill_the_box_and_agree_on_faces() {
        for pattern in [BoxPattern::Five, BoxPattern::BodyCentred] {
            for mirror in [1.0, -1.0] {
                for cells in [[1, 1, 1], [3, 2, 1], [6, 4, 2]] {
                    let edges = EDGES.map(|edge| Point::from(edge) * mirror);
                    let mesh = box_tetrahedra(Point::x(), edges, cells, pattern).unwrap();
                    let volumes = volumes(&mesh);
                    assert!(volumes.iter().all(|volume| *volume > 1e-6));
                    assert!((volumes.iter().sum::<f64>() - 0.048).abs() < 1e-15);
                    let [x, y, z] = cells.map(|n| n as usize);
                    // Faces agree if the box's own sides are all that is free.
                    assert_eq!(mesh.surface().len(), 4 * (x * y + y * z + z * x));
                    let sides = 2 * (x * y + y * z + z * x);
                    let expected = match pattern {
                        BoxPattern::Five => 5 * x * y * z,
                        // Four for each side that two cells share, two for each other side.
                        BoxPattern::BodyCentred => 2 * (6 * x * y * z - sides) + 2 * sides,
                    };
                    assert_eq!(mesh.tetrahedra.len(), expected);
                }
            }
        }
    }

    #[test]
    fn a_box_of_even_cells_is_symmetric() {
        for pattern in [BoxPattern::Five, BoxPattern::BodyCentred] {
            let edges = [Point::x(), Point::y(), Point::z()].map(|edge| edge * 2.0);
            let mesh = box_tetrahedra(Point::repeat(-1.0), edges, [4, 2, 6], pattern).unwrap();
            let middles = |sign: Point| {
                let corners =
                    mesh.tetrahedra.iter().map(|t| t.map(|node| mesh.nodes[node as usize]));
                let place = |[a, b, c, d]: [Point; 4]| (a + b + c + d).component_mul(&sign) * 1e6;
                let mut places: Vec<[i64; 3]> =
                    corners.map(|c| place(c).map(|x| x.round() as i64).into()).collect();
                places.sort_unstable();
                places
            };
            let all = middles(Point::repeat(1.0));
            for axis in 0..3 {
                let mut sign = Point::repeat(1.0);
                sign[axis] = -1.0;
                assert_eq!(all, middles(sign), "{pattern:?} {axis}");
            }
        }
    }

    #[test]
    fn flat_boxes_are_refused() {
        let edges = [Point::x(), Point::y(), Point::x() + Point::y()];
        let error = box_tetrahedra(Point::zeros(), edges, [1; 3], BoxPattern::Five).unwrap_err();
        assert!(matches!(error, MeshingError::Parallel { .. }));
    }
}
