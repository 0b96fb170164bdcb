//! The body-centred cubic lattice over a box.
//!
//! Coordinates count half spacings from the lowest node: all even in one grid, all odd in the
//! other. The even grid's nodes are numbered first, then the odd grid's.

use super::super::signed_distance::SignedDistance;
use super::Side;
use hashfall_core::parallel;
use hashfall_geometry::Point;

/// The ways to half of a node's fourteen neighbours: three long edges and four short ones.
pub(super) const WAYS: [[i32; 3]; 7] =
    [[2, 0, 0], [0, 2, 0], [0, 0, 2], [1, 1, 1], [1, 1, -1], [1, -1, 1], [1, -1, -1]];
/// How many of the ways are long edges.
pub(super) const LONG: usize = 3;

/// A node by its coordinates.
pub(super) type Place = [i32; 3];

/// The lattice, its nodes, and their sides of the surface.
pub(super) struct Lattice {
    /// The lowest node \[m\].
    low: Point,
    /// \[m\]
    pub(super) spacing: f64,
    /// Cells of the even grid along each axis.
    cells: [i32; 3],
    /// Where the nodes are \[m\]: warped nodes on the surface.
    pub(super) position: Vec<Point>,
    pub(super) side: Vec<Side>,
}

impl Lattice {
    /// The lattice about a box, with a node in its middle, and more than one cell around it.
    pub(super) fn new([min, max]: [Point; 2], spacing: f64) -> Self {
        let (middle, half) = ((min + max) * 0.5, (max - min) * 0.5);
        let reach: [i32; 3] = half.map(|edge| (edge / spacing).ceil() as i32 + 1).into();
        let low = middle - Point::from(reach.map(f64::from)) * spacing;
        let cells = reach.map(|count| 2 * count);
        let mut lattice = Lattice { low, spacing, cells, position: vec![], side: vec![] };
        let count = lattice.even_count() + cells.map(|n| n as usize).iter().product::<usize>();
        let place = |node: usize| lattice.point(lattice.place(node));
        let mut position = vec![Point::zeros(); count];
        parallel::fill(&mut position, |node, x| *x = place(node));
        lattice.position = position;
        lattice
    }

    fn even_count(&self) -> usize {
        self.cells.map(|n| n as usize + 1).iter().product()
    }

    fn point(&self, place: Place) -> Point {
        self.low + Point::from(place.map(f64::from)) * (0.5 * self.spacing)
    }

    /// The coordinates of a node.
    pub(super) fn place(&self, node: usize) -> Place {
        let even = self.even_count();
        let (number, odd) = if node < even { (node, 0) } else { (node - even, 1) };
        let [nx, ny, _] = self.cells.map(|n| n as usize + 1 - odd);
        [number % nx, number / nx % ny, number / nx / ny].map(|k| (2 * k + odd) as i32)
    }

    /// The number of the node at a place, which is one of the lattice.
    pub(super) fn node(&self, place: Place) -> u32 {
        let odd = (place[0] & 1) as usize;
        let [nx, ny, _] = self.cells.map(|n| n as usize + 1 - odd);
        let [x, y, z] = place.map(|c| (c / 2) as usize);
        (odd * self.even_count() + x + nx * (y + ny * z)) as u32
    }

    fn is_within(&self, place: Place) -> bool {
        (0..3).all(|a| (0..=2 * self.cells[a]).contains(&place[a]))
    }

    /// The node at the end of a way from a node, if there is one.
    pub(super) fn neighbor(&self, place: Place, way: [i32; 3]) -> Option<u32> {
        let to = [0, 1, 2].map(|a| place[a] + way[a]);
        self.is_within(to).then(|| self.node(to))
    }

    /// Which of a grid's two kinds of nodes this one is; neighbours along long edges differ.
    pub(super) fn is_even(&self, node: u32) -> bool {
        let place = self.place(node as usize);
        place.map(|c| c / 2).iter().sum::<i32>() % 2 == 0
    }

    /// Asks the shape for the side of each node.
    pub(super) fn find_sides(&mut self, shape: &dyn SignedDistance) {
        let mut side = vec![Side::Outside; self.position.len()];
        parallel::fill(&mut side, |node, side| {
            *side = side_of(shape.signed_distance(&self.position[node], self.spacing));
        });
        self.side = side;
    }

    /// All tetrahedra, each as two nodes of one grid, an edge apart, and two of the other: of
    /// positive volume. Those of each long edge of the odd grid stand together.
    pub(super) fn tetrahedra(&self, odd_node: usize) -> impl Iterator<Item = [u32; 4]> {
        let place = self.place(odd_node);
        let axes = (0..3).filter(move |axis| place[*axis] + 2 <= 2 * self.cells[*axis]);
        axes.flat_map(move |axis| {
            let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
            let at = |along: i32, du: i32, dv: i32| {
                let mut to = place;
                to[axis] += along;
                to[u] += du;
                to[v] += dv;
                self.node(to)
            };
            let other = at(2, 0, 0);
            let around = [at(1, -1, -1), at(1, 1, -1), at(1, 1, 1), at(1, -1, 1)];
            let first = odd_node as u32;
            (0..4).map(move |k| [first, other, around[k], around[(k + 1) % 4]])
        })
    }

    /// The numbers of the odd grid's nodes.
    pub(super) fn odd_nodes(&self) -> std::ops::Range<usize> {
        self.even_count()..self.position.len()
    }
}

/// The side of a node at this distance; a number that is not one counts as outside.
pub(super) fn side_of(distance: f64) -> Side {
    if distance < 0.0 {
        Side::Inside
    } else if distance == 0.0 {
        Side::On
    } else {
        Side::Outside
    }
}
