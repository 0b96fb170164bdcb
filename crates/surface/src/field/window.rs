//! Which tiles of a window the separable bound proves inside.
//!
//! φ(x) ≥ Σⱼ wⱼ K(x − xⱼ) − B Σⱼ wⱼ ([`separable`](crate::field::separable)). The first sum comes
//! from [`box_bound`](crate::field::box_bound), at each point. The second is taken over a box
//! around each tile, made of cubes of [`CUBE`]³ steps in which particles are counted. Tiles with a
//! nearly empty box are skipped, and the window shrinks to the remaining tiles.

use crate::field::box_bound::{BoxBound, Layout, Size};
use crate::field::grid::{Grid, TILE};
use crate::field::separable::{PEAK, Separable};
use hashfall_core::Real;
use hashfall_core::simd::Simd;

/// Edge of the cubes in which particles are counted, in steps.
const CUBE: usize = 2;

/// What a weight of one amounts to at iso = 1: a number that proves a point is about twice that.
const UNITS: f64 = 10_000.0;

/// Tiles with less weight in their box, as part of what a fluid at rest has there, are not tried.
const MIN_FILL: f64 = 1.0 / 3.0;

/// What bounds must hold by, relative to iso: the rounding of places and of the field itself.
const MARGIN: f64 = 1e-3;

/// How the field is bounded on a grid.
pub(crate) struct BoundProver {
    bound: Separable,
    iso: f64,
    /// What a particle of weight one amounts to.
    units: f64,
    /// The least weight in the box of a tile that is tried.
    min_fill: Real,
}

impl BoundProver {
    /// How to bound the field, if that is of use on this grid: coarse ones are better evaluated.
    pub fn new(grid: &Grid) -> Option<Self> {
        let (step, iso) = (f64::from(grid.step), f64::from(grid.iso));
        if !(UNITS / iso).is_finite() {
            return None;
        }
        let bound = Separable::new(step, |reach| CUBE * cubes(reach))?;
        let edge = (CUBE * cubes(bound.taps.len())) as f64 * step;
        // Σ w over a volume where φ = 1, from ∫ w f = π w/16.
        let full = 16.0 / std::f64::consts::PI * edge.powi(3);
        let min_fill = (MIN_FILL * full) as Real;
        Some(BoundProver { bound, iso, units: UNITS / iso, min_fill })
    }

    /// How far particles are summed, in steps.
    pub fn reach(&self) -> usize {
        self.bound.taps.len()
    }

    /// The least units at the points of a tile that prove it, given the weight in its box.
    fn threshold(&self, filled: Real) -> f64 {
        let field = self.iso * (1.0 + MARGIN) + self.bound.excess * f64::from(filled);
        field / PEAK * self.units
    }
}

/// Cubes along the edge of a tile's box.
fn cubes(reach: usize) -> usize {
    reach.div_ceil(CUBE) + (TILE - 1 + reach).div_ceil(CUBE)
}

/// A box of tiles within a window.
struct TileBox {
    /// Its lowest tile.
    low: Size,
    /// Along each axis the first tile beyond it.
    end: Size,
}

/// A window of tiles; buffers of a task.
#[derive(Default)]
pub(crate) struct Window {
    tiles: Size,
    /// Particles that may reach it: places in steps from its lowest corner, and weights.
    particles: Vec<[Real; 4]>,
    /// Weights in cubes; in the boxes of tiles, when they have been added up.
    filled: Vec<Real>,
    added: Vec<Real>,
    box_bound: BoxBound,
    is_inside: Vec<bool>,
}

impl Window {
    /// Starts a window of this size \[tiles\].
    pub fn clear(&mut self, tiles: Size) {
        self.tiles = tiles;
        self.particles.clear();
    }

    /// Takes a particle: its place in steps from the window's lowest corner, and its weight.
    #[inline(always)]
    pub fn add(&mut self, particle: [Real; 4]) {
        self.particles.push(particle);
    }

    /// Proves tiles; false if there are none.
    #[inline(always)]
    pub fn prove<I: Simd>(&mut self, on: I, prover: &BoundProver) -> bool {
        let weight: Real = self.particles.iter().map(|[.., w]| w).sum();
        if weight < prover.min_fill {
            return false;
        }
        self.fill_boxes(prover.reach());
        self.is_inside.clear();
        self.is_inside.resize(self.filled.len(), false);
        let Some(tried) = self.tried(prover.min_fill) else { return false };
        let reach = prover.reach();
        let layout = Layout::new([0, 1, 2].map(|a| tried.end[a] - tried.low[a]), reach);
        let corner = tried.low.map(|tile| (TILE * tile) as Real - reach as Real);
        let units = prover.units as Real;
        let shift =
            |&[x, y, z, w]: &[Real; 4]| [x - corner[0], y - corner[1], z - corner[2], w * units];
        self.box_bound.distribute(layout, self.particles.iter().map(shift));
        self.box_bound.apply_taps(on, layout, &prover.bound.taps);
        self.judge(prover, layout, &tried)
    }

    /// Whether a tile is proved inside.
    pub fn is_inside(&self, tile: Size) -> bool {
        self.is_inside[self.place(tile)]
    }

    fn place(&self, [x, y, z]: Size) -> usize {
        (z * self.tiles[1] + y) * self.tiles[0] + x
    }

    /// Adds up the weights in the boxes of all tiles.
    #[inline(always)]
    fn fill_boxes(&mut self, reach: usize) {
        let (wide, per_tile) = (cubes(reach), TILE / CUBE);
        let [nx, ny, nz] = self.tiles.map(|tiles| per_tile * (tiles - 1) + wide);
        self.filled.clear();
        self.filled.resize(nx * ny * nz, 0.0);
        let shift = (reach.div_ceil(CUBE) * CUBE) as Real;
        for &[x, y, z, w] in &self.particles {
            // What lies before the first cube counts as in it, which can only raise the sums.
            let cube = |at: Real| ((at + shift) / CUBE as Real) as usize;
            let [x, y, z] = [cube(x), cube(y), cube(z)];
            if x < nx && y < ny && z < nz {
                self.filled[(z * ny + y) * nx + x] += w;
            }
        }
        let [tx, ..] = self.tiles;
        for (size, slab) in [(nz, ny * nx), (ny, nx)] {
            self.added.clear();
            for from in self.filled.chunks_exact(size * slab) {
                add_runs(from, slab, wide, per_tile, &mut self.added);
            }
            std::mem::swap(&mut self.filled, &mut self.added);
        }
        // Along x, slabs of one would be slow: the runs that begin at any place are added up.
        self.added.clear();
        self.added.resize(self.filled.len() + 1 - wide, 0.0);
        for i in 0..wide {
            for (sum, x) in self.added.iter_mut().zip(&self.filled[i..]) {
                *sum += x;
            }
        }
        let (added, rows) = (&self.added, self.filled.len() / nx);
        let first = |row: usize| (row * nx..).step_by(per_tile).take(tx);
        self.filled.clear();
        self.filled.extend((0..rows).flat_map(first).map(|run| added[run]));
    }

    /// The box around all tiles that are worth trying.
    fn tried(&self, least: Real) -> Option<TileBox> {
        let [wide, deep, _] = self.tiles;
        let filled = self.filled.iter().enumerate().filter(|(_, filled)| **filled >= least);
        filled.fold(None, |tried, (i, _)| {
            let tile = [i % wide, i / wide % deep, i / (wide * deep)];
            let TileBox { low, end } = tried.unwrap_or(TileBox { low: tile, end: [0; 3] });
            let low = [0, 1, 2].map(|a| tile[a].min(low[a]));
            Some(TileBox { low, end: [0, 1, 2].map(|a| end[a].max(tile[a] + 1)) })
        })
    }

    /// Compares the sums with what proves a tile; whether any is.
    #[inline(always)]
    fn judge(&mut self, prover: &BoundProver, layout: Layout, tried: &TileBox) -> bool {
        let TileBox { low, end } = *tried;
        let mut any = false;
        for (y, z) in (low[2]..end[2]).flat_map(|z| (low[1]..end[1]).map(move |y| (y, z))) {
            let first = self.place([low[0], y, z]);
            let row = first..first + end[0] - low[0];
            let least = self.box_bound.least_in_row(layout, [y - low[1], z - low[2]]).flatten();
            let filled = &self.filled[row.clone()];
            for ((is_inside, filled), least) in
                self.is_inside[row].iter_mut().zip(filled).zip(least)
            {
                // What is not a number proves nothing.
                *is_inside = f64::from(least) >= prover.threshold(*filled);
                any |= *is_inside;
            }
        }
        any
    }
}

/// Adds up runs of `wide` slabs, of which each begins `next` after the one before.
#[inline(always)]
fn add_runs(from: &[Real], slab: usize, wide: usize, next: usize, sums: &mut Vec<Real>) {
    for run in (0..=from.len() / slab - wide).step_by(next) {
        let start = sums.len();
        sums.extend_from_slice(&from[run * slab..][..slab]);
        for i in run + 1..run + wide {
            for (sum, x) in sums[start..].iter_mut().zip(&from[i * slab..][..slab]) {
                *sum += x;
            }
        }
    }
}
