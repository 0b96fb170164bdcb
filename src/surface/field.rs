//! The field on the grid: which side of the surface each point is on, and values where it passes.
//!
//! φ(x) = Σⱼ Vⱼ W(|x − xⱼ|, h), the fluid's volume fraction smeared by the kernel (the field of
//! splashsurf, Löschner et al. 2023, without its smoothing); inside where φ > iso. A block is
//! decided in one of four ways:
//!
//! 1. **Not reached**: no particle in the 27 cells around it. Outside.
//! 2. **Bounded from above**: W falls with distance, so φ ≤ Σ Vⱼ W(distance of xⱼ to the block). If
//!    that is below iso, the block is outside, with the points on its upper faces.
//! 3. **Bounded from below**: every term is ≥ 0, so a part of the sum bounds the whole. If at each
//!    point the terms within [`INNER_REACH`] already exceed iso, the block is inside. (The kernel
//!    holds 84 % of its mass there, and this part costs a quarter of the whole sum.)
//! 4. **Evaluated**: particle by particle onto rows along x.
//!
//! Bounds must hold with [`MARGIN`] to spare, more than the rounding of these sums. Each point is
//! decided by the block that owns it, once: the neighbours read its bits, so the signs agree
//! everywhere and the mesh closes whatever the rounding. Values are kept only for blocks with
//! points on both sides; the few that an edge needs from another block are summed anew there.
//!
//! Deviations from splashsurf: volumes are given (it derives them), no subdomains with ghost
//! particles, and no point is visited where a bound decides.

use super::Splats;
use super::blocks::{NearParticles, OccupiedCells};
use super::grid::Grid;
use crate::base::Real;
use crate::kernel::SmoothingKernel;
use rayon::prelude::*;

/// Reach of the partial sum that may prove a block inside, in units of h.
const INNER_REACH: Real = 0.625;

/// What bounds must hold by, relative to iso: sums of n terms err by n/2²⁴ of themselves at most.
const MARGIN: Real = 1e-3;

/// Everything that decides the field.
pub(super) struct Field<'a> {
    pub grid: Grid,
    pub splats: Splats<'a>,
    pub cells: OccupiedCells,
}

/// A block with points inside, or near some.
pub(super) struct Block {
    pub key: u64,
    pub points: Points,
}

/// Which of a block's own points are inside.
pub(super) enum Points {
    Inside,
    Outside,
    Both(Values),
}

/// The own points of a block that the surface passes.
pub(super) struct Values {
    /// A bit per point along x: whether it is inside; rows by y, then z.
    rows: Box<[u32]>,
    /// The field, as [`Grid::value_index`] orders it.
    field: Box<[Real]>,
}

/// Reused buffers of a thread.
#[derive(Default)]
struct Scratch {
    near: NearParticles,
    field: Vec<Real>,
    squares: Vec<Real>,
}

impl Field<'_> {
    /// Decides every block within reach of a particle; those proved outside are left out. By
    /// ascending key.
    pub fn blocks(&self) -> Vec<Block> {
        self.cells
            .reached_blocks()
            .into_par_iter()
            .map_init(Scratch::default, |scratch, key| self.block(key, scratch))
            .filter_map(|block| block)
            .collect()
    }

    fn block(&self, key: u64, scratch: &mut Scratch) -> Option<Block> {
        let grid = &self.grid;
        scratch.near.gather(&self.splats, grid, &self.cells, key);
        if scratch.near.upper_bound(grid) < grid.iso * (1.0 - MARGIN) {
            return None;
        }
        if scratch.near.is_surrounded {
            self.splat(scratch, INNER_REACH * grid.h);
            if self.own_points(&scratch.field).all(|phi| phi > grid.iso * (1.0 + MARGIN)) {
                return Some(Block { key, points: Points::Inside });
            }
        }
        self.splat(scratch, grid.h);
        Some(Block { key, points: self.sort_points(&scratch.field) })
    }

    /// Sums the terms of all particles closer than `reach` to a row of points.
    fn splat(&self, scratch: &mut Scratch, reach: Real) {
        let Grid { n, spacing, kernel, .. } = self.grid;
        let (stride, limit) = (self.grid.stride(), reach * reach);
        let Scratch { near, field, squares } = scratch;
        field.clear();
        field.resize(n * n * stride, 0.0);
        squares.resize(stride, 0.0);
        let square_to = |i: usize, x: Real| (i as Real * spacing - x) * (i as Real * spacing - x);
        for (p, &volume) in near.positions.iter().zip(&near.volumes) {
            squares.iter_mut().enumerate().for_each(|(i, square)| *square = square_to(i, p.x));
            let beyond = (-p.x).max(p.x - (n - 1) as Real * spacing).max(0.0);
            for z in 0..n {
                let along_z = square_to(z, p.z);
                if along_z + beyond * beyond >= limit {
                    continue;
                }
                for y in 0..n {
                    let across = along_z + square_to(y, p.y);
                    if across + beyond * beyond < limit {
                        let row = &mut field[(z * n + y) * stride..][..stride];
                        add_row(row, squares, across, |r| volume * kernel.value(r));
                    }
                }
            }
        }
    }

    /// The values of a block's own points, without the padding.
    fn own_points<'f>(&self, field: &'f [Real]) -> impl Iterator<Item = Real> + 'f {
        let n = self.grid.n;
        field.chunks_exact(self.grid.stride()).flat_map(move |row| row[..n].iter().copied())
    }

    fn sort_points(&self, field: &[Real]) -> Points {
        let Grid { n, iso, .. } = self.grid;
        let bits = |row: &[Real]| {
            row[..n].iter().enumerate().fold(0, |bits, (x, &phi)| bits | u32::from(phi > iso) << x)
        };
        let rows: Box<[u32]> = field.chunks_exact(self.grid.stride()).map(bits).collect();
        if rows.iter().all(|&row| row == 0) {
            Points::Outside
        } else if rows.iter().all(|&row| row == full_row(n)) {
            Points::Inside
        } else {
            Points::Both(Values { rows, field: field.into() })
        }
    }
}

impl Block {
    /// The inside bits of the row of own points at (y, z) along x.
    #[inline(always)]
    pub fn row(&self, n: usize, y: usize, z: usize) -> u32 {
        match &self.points {
            Points::Inside => full_row(n),
            Points::Outside => 0,
            Points::Both(values) => values.rows[z * n + y],
        }
    }

    /// The kept value of an own point.
    pub fn value(&self, grid: &Grid, at: [usize; 3]) -> Option<Real> {
        match &self.points {
            Points::Both(values) => Some(values.field[grid.value_index(at)]),
            _ => None,
        }
    }
}

/// A row of n points that are all inside.
fn full_row(n: usize) -> u32 {
    u32::MAX >> (32 - n)
}

/// Adds `term(distance)` to a row of points, given the squared distances along and across the row.
#[inline(always)]
fn add_row(row: &mut [Real], along: &[Real], across: Real, term: impl Fn(Real) -> Real) {
    for (value, square) in row.iter_mut().zip(along) {
        *value += term((square + across).sqrt());
    }
}
