//! Sums over the particles around each particle: densities, and weighted numbers of neighbours.
//!
//! Cells of size h are taken one by one: the particles around a cell are gathered once for all
//! that it holds. A weighted number of neighbours is n = Σⱼ (1 − |xᵢ − xⱼ|/h) over the others
//! (Löschner et al. 2023): some 7.6 inside a fluid with h = 2d, and less the thinner a sheet or
//! spray is.

use super::cells::{Cells, LANES, Surroundings};
use super::grid::Grid;
use super::marching::split;
use super::profile;
use crate::base::Real;
use crate::base::isa::{Eight, HotLoop, Instructions, Isa, sum_lanes};
use rayon::prelude::*;
use std::ops::Range;

/// Cells that a task takes: neighbours along x, which share most of their surroundings.
const CHUNK: usize = 256;

/// What is summed at each particle.
#[derive(Clone, Copy)]
enum Term {
    /// w f(q).
    Kernel,
    /// (1 − q)₊.
    Cone,
}

/// Σⱼ wⱼ f(|xᵢ − xⱼ|/h) with the weights of the cells.
pub(super) fn densities(isa: Isa, cells: &Cells, h: Real) -> Vec<Real> {
    sums(isa, cells, h, Term::Kernel)
}

/// The weighted numbers of neighbours.
pub(super) fn weighted_counts(isa: Isa, cells: &Cells, h: Real) -> Vec<Real> {
    let mut counts = sums(isa, cells, h, Term::Cone);
    // Each has counted itself.
    counts.iter_mut().for_each(|count| *count -= 1.0);
    counts
}

/// The weighted number of neighbours in a lattice whose distance goes so often into h.
pub(super) fn inside(distances: Real) -> Real {
    let far = distances.ceil().min(FARTHEST) as i32;
    let axis = || -far..=far;
    let squares = axis().flat_map(|z| axis().flat_map(move |y| axis().map(move |x| [x, y, z])));
    let term = |at: [i32; 3]| {
        let square: i32 = at.iter().map(|i| i * i).sum();
        (1.0 - (square as Real).sqrt() / distances).max(0.0)
    };
    squares.map(term).sum::<Real>() - 1.0
}

/// The most distances that are counted: a sum over 41³ points.
const FARTHEST: Real = 20.0;

fn sums(isa: Isa, cells: &Cells, h: Real, term: Term) -> Vec<Real> {
    let all: Vec<(u64, Range<usize>)> = cells.all().collect();
    let mut sums = vec![0.0; cells.weights().len()];
    let counts = all.chunks(CHUNK).map(|cells| cells.iter().map(|(_, range)| range.len()).sum());
    let parts = split(&mut sums, counts);
    let grid = Grid::of_cells(h);
    all.par_chunks(CHUNK).zip(parts).for_each(|(all, sums)| {
        isa.run(Sums { cells, grid: &grid, all, term, sums });
    });
    sums
}

/// Sums at the particles of some cells.
struct Sums<'a> {
    cells: &'a Cells,
    grid: &'a Grid,
    all: &'a [(u64, Range<usize>)],
    term: Term,
    sums: &'a mut [Real],
}

impl HotLoop for Sums<'_> {
    type Answer = ();

    #[inline(always)]
    fn run<I: Instructions>(self, on: I) {
        let mut around = Surroundings::default();
        let mut sums = self.sums.iter_mut();
        for (key, range) in self.all {
            around.gather(self.cells, self.grid, *key);
            for (i, sum) in range.clone().zip(&mut sums) {
                let at = self.cells.within_cell(i);
                *sum = match self.term {
                    Term::Kernel => kernel_sum(on, &around, at),
                    Term::Cone => cone_sum(on, &around, at),
                };
            }
        }
    }
}

#[inline(always)]
fn kernel_sum<I: Instructions>(on: I, around: &Surroundings, at: [Real; 3]) -> Real {
    let [px, py, pz] = [on.splat(at[0]), on.splat(at[1]), on.splat(at[2])];
    let mut sum = on.splat(0.0);
    let mut j = 0;
    while j < around.all().end {
        let [x, y, z, w] = around.eight(on, j);
        let (dx, dy, dz) = (x - px, y - py, z - pz);
        sum += w * profile::value((dx * dx + dy * dy + dz * dz).sqrt());
        j += LANES;
    }
    sum_lanes(sum.numbers())
}

#[inline(always)]
fn cone_sum<I: Instructions>(on: I, around: &Surroundings, at: [Real; 3]) -> Real {
    let [px, py, pz] = [on.splat(at[0]), on.splat(at[1]), on.splat(at[2])];
    let (one, zero) = (on.splat(1.0), on.splat(0.0));
    let mut sum = zero;
    let mut j = 0;
    while j < around.all().end {
        let [x, y, z, _] = around.eight(on, j);
        let (dx, dy, dz) = (x - px, y - py, z - pz);
        sum += (one - (dx * dx + dy * dy + dz * dz).sqrt()).max(zero);
        j += LANES;
    }
    sum_lanes(sum.numbers())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::vec3;

    #[test]
    fn the_middle_of_a_lattice_counts_as_inside() {
        let h = 0.5;
        let points: Vec<_> = (0..729)
            .map(|i| vec3([i % 9, i / 9 % 9, i / 81].map(|k| (f64::from(k) - 4.0) * 0.25)))
            .collect();
        let sorted = super::super::SortedParticles::new(&points, &[], h);
        let positions = sorted.splats().positions;
        let cells = Cells::scan(positions, h, |_| 1.0);
        let middle = positions.iter().position(|x| x.norm() == 0.0).unwrap();
        for isa in Isa::available() {
            let counts = weighted_counts(isa, &cells, h);
            assert!(
                (counts[middle] - inside(2.0)).abs() < 1e-4,
                "{} {}",
                counts[middle],
                inside(2.0)
            );
            assert!(counts.iter().all(|&n| n < inside(2.0) + 1e-4 && n > 0.0));
        }
        assert!((inside(2.0) - 7.586).abs() < 1e-3, "{}", inside(2.0));
    }
}
