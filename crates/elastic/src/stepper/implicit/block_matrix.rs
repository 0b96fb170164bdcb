//! The symmetric matrix of a Newton step: 3×3 blocks over the nodes, by rows.
//!
//! Blocks of elements are added up once, in a fixed order: a triangle of a shell has 45 of them,
//! and conjugate gradients read each entry in every iteration. Rows and columns of nodes that are
//! held are those of the identity.

use crate::energy::Energies;
use hashfall_core::parallel;
use hashfall_geometry::Point;
use nalgebra::Matrix3;
use std::ops::Range;

/// A = diag(m) + Σ blocks of elements, on the nodes that are free.
#[derive(Debug, Default)]
pub struct BlockMatrix {
    /// Of each row, where its entries begin; one more at the end.
    starts: Vec<usize>,
    entries: Vec<Entry>,
    /// Of each entry, where its sources begin; one more at the end.
    source_starts: Vec<usize>,
    /// The blocks of elements that are added up, ascending.
    sources: Vec<usize>,
    /// Of each entry \[kg\].
    blocks: Vec<Matrix3<f64>>,
}

/// Where a block is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Entry {
    row: u32,
    column: u32,
}

impl BlockMatrix {
    /// Finds out where blocks are, unless that is known; always for the same energies.
    pub fn prepare(&mut self, energies: &Energies, node_count: usize) {
        if self.starts.len() == node_count + 1 && self.source_count() == energies.block_count() {
            return;
        }
        let mut all: Vec<(Entry, usize)> = Vec::with_capacity(energies.block_count() + node_count);
        let mut source = 0;
        for energy in energies.iter() {
            for corners in energy.nodes().chunks_exact(energy.corner_count()) {
                for &row in corners {
                    for &column in corners {
                        all.push((Entry { row, column }, source));
                        source += 1;
                    }
                }
            }
        }
        // Each row has its diagonal, without a source where no element is.
        let none = usize::MAX;
        all.extend((0..node_count as u32).map(|row| (Entry { row, column: row }, none)));
        all.sort_unstable();
        *self = BlockMatrix::default();
        self.starts.resize(node_count + 1, 0);
        for (entry, source) in all {
            if self.entries.last() != Some(&entry) {
                self.entries.push(entry);
                self.source_starts.push(self.sources.len());
                self.starts[entry.row as usize + 1] = self.entries.len();
            }
            if source != none {
                self.sources.push(source);
            }
        }
        self.source_starts.push(self.sources.len());
        self.blocks.resize(self.entries.len(), Matrix3::zeros());
    }

    fn source_count(&self) -> usize {
        self.sources.len()
    }

    /// Adds up masses \[kg\], 0 of nodes that are held, and the blocks of elements.
    pub fn assemble(&mut self, mass: &[f64], of_elements: &[Matrix3<f64>]) {
        let BlockMatrix { entries, source_starts, sources, blocks, .. } = self;
        parallel::fill(blocks, |k, block| {
            let Entry { row, column } = entries[k];
            let own = source_starts[k]..source_starts[k + 1];
            let (row_mass, is_diagonal) = (mass[row as usize], row == column);
            *block = if row_mass == 0.0 || mass[column as usize] == 0.0 {
                Matrix3::from_diagonal_element(f64::from(u8::from(is_diagonal)))
            } else {
                let start = if is_diagonal { row_mass } else { 0.0 };
                let start = Matrix3::from_diagonal_element(start);
                sources[own].iter().fold(start, |sum, source| sum + of_elements[*source])
            };
        });
    }

    /// How many rows there are.
    pub fn row_count(&self) -> usize {
        self.starts.len() - 1
    }

    /// The columns and blocks of a row, by ascending columns.
    pub fn row(&self, row: usize) -> impl Iterator<Item = (usize, &Matrix3<f64>)> {
        let own = self.own(row);
        let columns = self.entries[own.clone()].iter().map(|entry| entry.column as usize);
        columns.zip(&self.blocks[own])
    }

    fn own(&self, row: usize) -> Range<usize> {
        self.starts[row]..self.starts[row + 1]
    }

    /// The block on the diagonal.
    pub fn diagonal(&self, row: usize) -> Matrix3<f64> {
        self.row(row).find(|(column, _)| *column == row).map_or_else(Matrix3::zeros, |(_, b)| *b)
    }

    /// A p.
    pub fn multiply(&self, p: &[Point], out: &mut [Point]) {
        parallel::fill(out, |row, out| {
            let terms = self.row(row).map(|(column, block)| product(block, &p[column]));
            *out = terms.fold(Point::zeros(), |sum, term| sum + term);
        });
    }
}

/// A block times a vector, written out: most of the time of conjugate gradients is here, and that
/// of nalgebra calls routines for vectors of any length.
#[inline]
pub fn product(block: &Matrix3<f64>, p: &Point) -> Point {
    Point::new(
        block.m11 * p.x + block.m12 * p.y + block.m13 * p.z,
        block.m21 * p.x + block.m22 * p.y + block.m23 * p.z,
        block.m31 * p.x + block.m32 * p.y + block.m33 * p.z,
    )
}
