//! The preconditioner: incomplete factors L D Lᵀ of pieces of the matrix, without fill-in.
//!
//! Pieces are [`PIECE`] consecutive nodes each, whatever the number of threads; what couples them
//! is left out, so that they are factored and solved in parallel. Where a pivot is not positive
//! definite, as can be without fill-in, the piece is factored anew with a heavier diagonal
//! (Manteuffel 1980, *An Incomplete Factorization Technique for Positive Definite Linear Systems*).
//!
//! Symbols: A matrix, L lower triangle with ones on its diagonal, D diagonal blocks.

use super::block_matrix::{BlockMatrix, product};
use hashfall_core::parallel::{chunks, chunks_mut, fill_pieces, for_parts, items_mut};
use hashfall_geometry::Point;
use nalgebra::Matrix3;
use std::ops::Range;

/// Nodes of a piece.
const PIECE: usize = 1024;
/// By what the diagonal is made heavier first, and how much more each time.
const SHIFT: f64 = 0.01;
const SHIFT_GROWTH: f64 = 4.0;
/// From here on L is left out, as of a matrix that is not finite.
const MAX_SHIFT: f64 = 100.0;
/// A pivot is of use if this part of the block that it comes from is less, in every direction.
const SMALLEST_PIVOT: f64 = 1e-3;

/// The factors of all pieces.
#[derive(Debug, Default)]
pub struct IncompleteCholesky {
    pieces: Vec<Piece>,
}

/// A piece.
#[derive(Debug, Default)]
struct Piece {
    nodes: Range<usize>,
    /// Of each of its nodes, where its row of L begins; one more at the end.
    starts: Vec<u32>,
    /// Numbers in the piece, ascending in each row.
    columns: Vec<u32>,
    /// L, without the ones.
    lower: Vec<Matrix3<f64>>,
    /// D⁻¹.
    inverse: Vec<Matrix3<f64>>,
    /// A row of L D.
    row: Vec<Matrix3<f64>>,
    /// What the rows above take of each node.
    taken: Vec<Point>,
}

impl IncompleteCholesky {
    /// Factors the matrix.
    pub fn factor(&mut self, matrix: &BlockMatrix) {
        let n = matrix.row_count();
        self.pieces.resize_with(n.div_ceil(PIECE), Piece::default);
        fill_pieces(&mut self.pieces, &|k, piece| {
            piece.prepare(matrix, k * PIECE..n.min((k + 1) * PIECE));
            let mut shift = 0.0;
            while !piece.factor(matrix, 1.0 + shift) {
                shift = if shift == 0.0 { SHIFT } else { shift * SHIFT_GROWTH };
                if shift > MAX_SHIFT {
                    piece.invert_diagonal(matrix);
                    break;
                }
            }
        });
    }

    /// z = (L D Lᵀ)⁻¹ r.
    pub fn solve(&mut self, r: &[Point], z: &mut [Point]) {
        let parts = (items_mut(&mut self.pieces), chunks_mut(z, PIECE), chunks(r, PIECE));
        for_parts(parts, |_, (piece, z, r)| piece.solve(r, z));
    }
}

impl Piece {
    /// Where L has blocks.
    fn prepare(&mut self, matrix: &BlockMatrix, nodes: Range<usize>) {
        if self.nodes == nodes {
            return;
        }
        self.starts.clear();
        self.columns.clear();
        self.starts.push(0);
        for node in nodes.clone() {
            let columns = matrix.row(node).map(|(column, _)| column);
            let own = columns.filter(|column| (nodes.start..node).contains(column));
            self.columns.extend(own.map(|column| (column - nodes.start) as u32));
            self.starts.push(self.columns.len() as u32);
        }
        self.lower.resize(self.columns.len(), Matrix3::zeros());
        self.inverse.resize(nodes.len(), Matrix3::zeros());
        self.taken.resize(nodes.len(), Point::zeros());
        self.nodes = nodes;
    }

    fn own(&self, node: usize) -> Range<usize> {
        self.starts[node] as usize..self.starts[node + 1] as usize
    }

    /// Factors A with its diagonal times a factor; returns whether all pivots are of use.
    fn factor(&mut self, matrix: &BlockMatrix, diagonal_factor: f64) -> bool {
        let first = self.nodes.start;
        for node in 0..self.nodes.len() {
            let own = self.own(node);
            let inside = first..first + node;
            self.row.clear();
            self.row.extend(
                matrix.row(first + node).filter(|(c, _)| inside.contains(c)).map(|(_, b)| *b),
            );
            for k in 0..own.len() {
                let column = self.columns[own.start + k] as usize;
                let mut sum = self.row[k];
                // Where both rows have blocks.
                let (mut a, mut b) = (0, self.own(column));
                while a < k && !b.is_empty() {
                    let (at_a, at_b) = (self.columns[own.start + a], self.columns[b.start]);
                    if at_a == at_b {
                        subtract_product(&mut sum, &self.row[a], &self.lower[b.start]);
                    }
                    a += usize::from(at_a <= at_b);
                    b.start += usize::from(at_b <= at_a);
                }
                self.row[k] = sum;
                self.lower[own.start + k] = sum * self.inverse[column];
            }
            let whole = matrix.diagonal(first + node) * diagonal_factor;
            let mut pivot = whole;
            for (row, lower) in self.row.iter().zip(&self.lower[own]) {
                subtract_product(&mut pivot, row, lower);
            }
            // Exactly symmetric.
            let pivot = (pivot + pivot.transpose()) * 0.5;
            let inverse = (pivot - whole * SMALLEST_PIVOT).cholesky();
            let inverse = inverse.and_then(|_| pivot.try_inverse());
            let Some(inverse) = inverse else { return false };
            self.inverse[node] = inverse;
        }
        true
    }

    /// Factors the diagonal alone.
    fn invert_diagonal(&mut self, matrix: &BlockMatrix) {
        self.lower.fill(Matrix3::zeros());
        let nodes = self.nodes.clone();
        for (inverse, node) in self.inverse.iter_mut().zip(nodes) {
            *inverse = matrix.diagonal(node).try_inverse().unwrap_or_else(Matrix3::identity);
        }
    }

    fn solve(&mut self, r: &[Point], z: &mut [Point]) {
        for node in 0..r.len() {
            let own = self.own(node);
            let terms = self.columns[own.clone()].iter().zip(&self.lower[own]);
            z[node] =
                terms.fold(r[node], |sum, (column, l)| sum - product(l, &z[*column as usize]));
        }
        self.taken.fill(Point::zeros());
        for node in (0..r.len()).rev() {
            let x = product(&self.inverse[node], &z[node]) - self.taken[node];
            z[node] = x;
            for k in self.own(node) {
                let taken = &mut self.taken[self.columns[k] as usize];
                *taken += transposed_product(&self.lower[k], &x);
            }
        }
    }
}

/// sum −= a bᵀ.
fn subtract_product(sum: &mut Matrix3<f64>, a: &Matrix3<f64>, b: &Matrix3<f64>) {
    *sum -= a * b.transpose();
}

/// blockᵀ p.
fn transposed_product(block: &Matrix3<f64>, p: &Point) -> Point {
    Point::new(
        block.m11 * p.x + block.m21 * p.y + block.m31 * p.z,
        block.m12 * p.x + block.m22 * p.y + block.m32 * p.z,
        block.m13 * p.x + block.m23 * p.y + block.m33 * p.z,
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::energy::Elements;
    use crate::energy::testing::random_vector;
    use crate::energy::{Energies, Spring};
    use hashfall_core::rng::RandomStream;

    /// A row of masses on springs, bent at random.
    fn chain(n: usize) -> BlockMatrix {
        let mut rng = RandomStream::new(3);
        let x: Vec<Point> =
            (0..n).map(|k| Point::x() * k as f64 + random_vector(&mut rng) * 0.3).collect();
        let spring = Spring { stiffness: 100.0, length: 0.5, area: 1.0, damping_time: 0.0 };
        let nodes: Vec<[u32; 2]> = (1..n as u32).map(|k| [k - 1, k]).collect();
        let elements = vec![spring; nodes.len()];
        let energies = Energies::new(vec![Box::new(Elements::new(nodes, elements))], n);
        let mut blocks = vec![Matrix3::zeros(); energies.block_count()];
        energies.stiffness(&x, &mut blocks);
        let mut matrix = BlockMatrix::default();
        matrix.prepare(&energies, n);
        let mass: Vec<f64> = (0..n).map(|k| if k == 5 { 0.0 } else { 1.0 }).collect();
        matrix.assemble(&mass, &blocks);
        matrix
    }

    fn residual(n: usize) -> f64 {
        let matrix = chain(n);
        let mut rng = RandomStream::new(8);
        let r: Vec<Point> = (0..n).map(|_| random_vector(&mut rng)).collect();
        let (mut z, mut back) = (vec![Point::zeros(); n], vec![Point::zeros(); n]);
        let mut factors = IncompleteCholesky::default();
        factors.factor(&matrix);
        factors.solve(&r, &mut z);
        matrix.multiply(&z, &mut back);
        let off: f64 = r.iter().zip(&back).map(|(a, b)| (a - b).norm_squared()).sum();
        (off / r.iter().map(|r| r.norm_squared()).sum::<f64>()).sqrt()
    }

    #[test]
    fn a_chain_within_a_piece_is_solved_and_pieces_leave_out_what_couples_them() {
        let (whole, parted) = (residual(PIECE), residual(3 * PIECE));
        assert!(whole < 1e-12, "no fill-in is left out, {whole}");
        assert!(parted > 1e-3 && parted < 0.5, "{parted}");
    }

    #[test]
    fn what_has_no_factors_takes_the_diagonal() {
        let (mut matrix, mut factors) = (chain(20), IncompleteCholesky::default());
        // Far from positive definite.
        matrix.assemble(&[-1e6; 20], &vec![Matrix3::zeros(); 76]);
        factors.factor(&matrix);
        let mut z = vec![Point::zeros(); 20];
        factors.solve(&[Point::x(); 20], &mut z);
        assert!(z.iter().all(|z| (z + Point::x() * 1e-6).norm() < 1e-20), "{z:?}");
    }
}
