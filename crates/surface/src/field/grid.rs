//! The marching-cubes grid: points at whole multiples of c, in tiles of 4³, in blocks of k³ tiles.
//!
//! A tile of 64 points is what bounds decide, what is evaluated, and what a word of bits describes.
//! A block shares the search for particles near its tiles; its edge 4kc is close to the support
//! radius h, so that it is a hash cell at the usual h = 4r and c = r/2, where k = 2. The grid does
//! not depend on h: any c gives the grid that was asked for.
//!
//! A tile owns the points at the low corners of its cells and the grid edges that start there; the
//! points on its upper faces belong to its neighbours. Coordinates are relative to a block's lowest
//! corner and in units of h, so that a scene far from the origin loses nothing but the rounding of
//! the final positions.
//!
//! Symbols: h support radius \[m\], r particle radius \[m\], c distance of grid points \[m\].

use crate::settings::SurfaceSettings;
use hashfall_core::cell::cell_of_key;
use hashfall_core::{Real, Vec3, to_f64, vec3};

/// Grid points along a tile's edge.
pub(crate) const TILE: usize = 4;
/// Grid points of a tile.
pub(crate) const TILE_POINTS: usize = TILE * TILE * TILE;

/// The finest grid, as h/c.
const MAX_CELLS_PER_SUPPORT: f64 = 32.0;

/// A grid point of a block: how many steps along each axis from its lowest corner.
pub(crate) type Point = [usize; 3];

/// Size of the grid, and where the surface lies in the field.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Grid {
    /// Support radius h \[m\].
    pub h: f64,
    /// Distance of grid points c \[m\].
    pub spacing: f64,
    /// Tiles along a block's edge, k.
    pub tiles: usize,
    /// Distance of grid points in units of h.
    pub step: Real,
    /// Points with a larger field value are inside.
    pub iso: Real,
}

impl Grid {
    /// c = `settings.cell` · `particle_radius`, from h/32 to h.
    #[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f32")]
    pub fn new(h: Real, settings: &SurfaceSettings, particle_radius: Real) -> Self {
        let h = f64::from(h);
        // `max` first: it turns a NaN into a number.
        let spacing =
            (settings.cell * f64::from(particle_radius)).max(h / MAX_CELLS_PER_SUPPORT).min(h);
        let tiles = (h / (TILE as f64 * spacing)).round().max(1.0) as usize;
        Grid { h, spacing, tiles, step: (spacing / h) as Real, iso: settings.iso as Real }
    }

    /// A block's edge \[m\].
    pub fn block_edge(&self) -> f64 {
        (TILE * self.tiles) as f64 * self.spacing
    }

    /// Tiles of a block.
    pub fn tile_count(&self) -> usize {
        self.tiles.pow(3)
    }

    /// The place of a tile in its block.
    #[inline(always)]
    pub fn tile_index(&self, [x, y, z]: [usize; 3]) -> usize {
        (z * self.tiles + y) * self.tiles + x
    }

    /// The tile at a place.
    #[inline(always)]
    pub fn tile_at(&self, index: usize) -> [usize; 3] {
        let k = self.tiles;
        [index % k, index / k % k, index / (k * k)]
    }

    /// The lowest corner of a block \[m\].
    pub fn origin(&self, block: u64) -> [f64; 3] {
        cell_of_key(block).map(|i| f64::from(i) * self.block_edge())
    }

    /// The place \[m\] of a point given relative to a block's lowest corner in units of h.
    #[inline(always)]
    #[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f32")]
    pub fn absolute(&self, local: &Vec3, origin: &[f64; 3]) -> Vec3 {
        let p = to_f64(local);
        vec3([0, 1, 2].map(|a| p[a] * self.h + origin[a]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(cell: f64) -> Grid {
        Grid::new(0.5, &SurfaceSettings { cell, ..Default::default() }, 0.125)
    }

    #[test]
    fn blocks_are_near_the_size_of_hash_cells_and_odd_settings_are_clamped() {
        let size = |cell: f64| (grid(cell).tiles, grid(cell).block_edge());
        assert_eq!(size(0.5), (2, 0.5));
        assert_eq!(size(0.75), (1, 0.375));
        assert_eq!(size(1.0), (1, 0.5));
        assert_eq!(size(0.25), (4, 0.5));
        assert_eq!(size(100.0), (1, 2.0), "c is at most h");
        assert_eq!([size(1e-9), size(0.0), size(-1.0)], [(8, 0.5); 3], "and at least h/32");
        assert_eq!(size(f64::NAN), (8, 0.5));
    }

    #[test]
    fn tiles_have_places() {
        let grid = grid(0.25);
        for index in 0..grid.tile_count() {
            assert_eq!(grid.tile_index(grid.tile_at(index)), index);
        }
    }
}
