//! All elements of one kind in a body, and what an integrator asks of them, whatever the kind.
//!
//! Elements are computed in parallel, each on its own, and write into a slot for each of their
//! corners; [`Energies`](super::Energies) gathers the slots of a node in a fixed order. So forces
//! have the same bits for any number of threads.

use super::element::Element;
use hashfall_core::parallel;
use hashfall_geometry::Point;
use nalgebra::Matrix3;
use std::fmt::Debug;
use std::ops::AddAssign;

/// What bounds the stiffness and damping of an element at a corner.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CornerBound {
    /// The upper triangle of the symmetric matrix of the stiffness, by rows \[N/m\].
    stiffness: [f64; 6],
    /// β \[s\].
    damping_time: f64,
}

/// The sums of these at a node.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct NodeBound {
    /// \[N/m\]
    pub stiffness: Matrix3<f64>,
    /// \[N·s/m\]
    pub damping: Matrix3<f64>,
}

impl CornerBound {
    /// That of a symmetric matrix, and of a damping of at most β times it.
    pub fn new(stiffness: &Matrix3<f64>, damping_time: f64) -> Self {
        CornerBound { stiffness: upper_triangle(stiffness), damping_time }
    }

    /// Adds a symmetric matrix, with the same damping time.
    pub fn add(&mut self, stiffness: &Matrix3<f64>) {
        self.stiffness.iter_mut().zip(upper_triangle(stiffness)).for_each(|(sum, m)| *sum += m);
    }
}

fn upper_triangle(m: &Matrix3<f64>) -> [f64; 6] {
    [m.m11, m.m12, m.m13, m.m22, m.m23, m.m33]
}

impl AddAssign<&CornerBound> for NodeBound {
    fn add_assign(&mut self, corner: &CornerBound) {
        let [xx, xy, xz, yy, yz, zz] = corner.stiffness;
        let stiffness = Matrix3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz);
        self.stiffness += stiffness;
        self.damping += stiffness * corner.damping_time;
    }
}

/// The elastic energy of all elements of one kind in a body.
///
/// Slots are laid out element by element, corner by corner, as [`Energy::nodes`] is; blocks element
/// by element, and in each by rows of corners.
pub trait Energy: Debug + Send + Sync {
    /// What one of its elements is called.
    fn element_name(&self) -> &'static str;

    /// Corners of an element.
    fn corner_count(&self) -> usize;

    /// The nodes of all corners of all elements.
    fn nodes(&self) -> &[u32];

    /// The energy of all elements \[J\]: a fixed-point sum.
    fn energy(&self, x: &[Point]) -> f64;

    /// Writes the forces on the corners \[N\] into their slots.
    fn forces(&self, x: &[Point], v: &[Point], slots: &mut [Point]);

    /// Writes the blocks of ∂²W/∂x² \[N/m\], projected on the positive semidefinite matrices
    /// element by element.
    fn stiffness(&self, x: &[Point], blocks: &mut [Matrix3<f64>]);

    /// Writes the blocks of −∂f/∂v \[N·s/m\].
    fn damping(&self, x: &[Point], blocks: &mut [Matrix3<f64>]);

    /// Writes what bounds stiffness at the corners into their slots, and damping, if that counts.
    fn bounds(&self, x: &[Point], is_damped: bool, slots: &mut [CornerBound]);

    /// Volume at rest \[m³\] and stress \[Pa\] of an element.
    fn stress(&self, element: usize, x: &[Point]) -> (f64, f64);

    /// Whether any element damps.
    fn is_damped(&self) -> bool;

    /// The first element whose energy is not defined.
    fn first_invalid(&self, x: &[Point]) -> Option<usize>;

    /// How many elements there are.
    fn element_count(&self) -> usize {
        self.nodes().len() / self.corner_count()
    }

    /// How many blocks their matrices have.
    fn block_count(&self) -> usize {
        self.nodes().len() * self.corner_count()
    }
}

/// Elements of one kind, with the nodes of their corners.
#[derive(Clone, Debug)]
pub struct Elements<E, const N: usize> {
    nodes: Vec<[u32; N]>,
    elements: Vec<E>,
}

impl<E: Element<N>, const N: usize> Elements<E, N> {
    /// # Panics
    /// If there are not as many elements as there are lists of their corners.
    pub fn new(nodes: Vec<[u32; N]>, elements: Vec<E>) -> Self {
        assert_eq!(nodes.len(), elements.len(), "each element has its corners");
        Elements { nodes, elements }
    }

    /// The elements, with the nodes of their corners.
    pub fn iter(&self) -> impl Iterator<Item = (&[u32; N], &E)> {
        self.nodes.iter().zip(&self.elements)
    }

    /// What the corners of an element have of what all nodes have.
    fn corners(&self, element: usize, of_nodes: &[Point]) -> [Point; N] {
        self.nodes[element].map(|node| of_nodes[node as usize])
    }

    /// Writes what `value` gives for each element, in parallel.
    fn write<T: Send, const K: usize>(
        &self,
        out: &mut [T],
        value: impl Fn(usize, &E) -> [T; K] + Sync,
    ) {
        let out = &mut out.as_chunks_mut::<K>().0[..self.elements.len()];
        parallel::fill(out, |element, out| *out = value(element, &self.elements[element]));
    }
}

impl<E: Element<N>, const N: usize> Energy for Elements<E, N> {
    fn element_name(&self) -> &'static str {
        E::NAME
    }

    fn corner_count(&self) -> usize {
        N
    }

    fn nodes(&self) -> &[u32] {
        self.nodes.as_flattened()
    }

    fn energy(&self, x: &[Point]) -> f64 {
        let of = |element: usize| self.elements[element].energy(&self.corners(element, x));
        let [energy] = parallel::sum(self.elements.len(), |element| [of(element)]);
        energy
    }

    fn forces(&self, x: &[Point], v: &[Point], slots: &mut [Point]) {
        self.write::<_, N>(slots, |element, it| {
            it.forces(&self.corners(element, x), &self.corners(element, v))
        });
    }

    fn stiffness(&self, x: &[Point], blocks: &mut [Matrix3<f64>]) {
        let rows = blocks.as_chunks_mut::<N>().0;
        self.write::<_, N>(rows, |element, it| it.stiffness(&self.corners(element, x)));
    }

    fn damping(&self, x: &[Point], blocks: &mut [Matrix3<f64>]) {
        let rows = blocks.as_chunks_mut::<N>().0;
        self.write::<_, N>(rows, |element, it| it.damping(&self.corners(element, x)));
    }

    fn bounds(&self, x: &[Point], is_damped: bool, slots: &mut [CornerBound]) {
        self.write::<_, N>(slots, |element, it| {
            let x = self.corners(element, x);
            let (bound, time) = match is_damped {
                true => (it.bound(&x), it.damping_time()),
                false => (it.bound_of_stiffness(&x), 0.0),
            };
            bound.map(|stiffness| CornerBound::new(&stiffness, time))
        });
    }

    fn stress(&self, element: usize, x: &[Point]) -> (f64, f64) {
        let it = &self.elements[element];
        (it.volume(), it.stress(&self.corners(element, x)))
    }

    fn is_damped(&self) -> bool {
        self.elements.iter().any(|element| element.damping_time() > 0.0)
    }

    fn first_invalid(&self, x: &[Point]) -> Option<usize> {
        let is_invalid =
            |element: usize| !self.elements[element].is_valid(&self.corners(element, x));
        parallel::find_first(self.elements.len(), is_invalid)
    }
}
