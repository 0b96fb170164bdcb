//! A region sampled on a grid: how deep each cell lies in it, and which part of the cell does.
//!
//! The part of a cell of edge s whose middle has the signed distance φ (negative inside) is taken
//! as ½ − φ/s between 0 and 1: exact where the boundary is square to an axis, and on average
//! elsewhere.
//!
//! Symbols: d particle spacing \[m\], φ signed distance in spacings \[–\], s edge of a cell \[m\].

use super::blocks::{Block, Blocks, cells_of};
use super::grid::Grid;
use hashfall_core::{Real, Vec3};

/// The signed distance of a place from the boundary of a region, negative inside; what is beyond
/// the given distance may be cut to that \[m\].
pub type SignedDistance<'a> = dyn Fn(&[f64; 3], f64) -> f64 + Sync + 'a;

/// Depths beyond this are not told apart, in spacings.
pub const REACH: f64 = 1.5;

/// A region on the cells of a grid.
#[derive(Clone, Debug)]
pub struct Cells {
    /// The cells.
    pub grid: Grid,
    /// φ at their middles.
    depths: Blocks<f32>,
}

impl Cells {
    /// Samples a region.
    pub fn new(grid: Grid, distance: &SignedDistance) -> Self {
        let reach = REACH * grid.d;
        let uniform = [REACH as f32, -REACH as f32];
        let depths = Blocks::new(&grid, uniform, |low, edges| {
            let half = grid.axes().iter().map(|&a| 0.5 * edges[a] as f64 * grid.step[a]);
            let around = half.map(|x| x * x).sum::<f64>().sqrt() + reach;
            let mut middle = grid.centre(low);
            (0..3).for_each(|a| middle[a] += 0.5 * (edges[a] as f64 - 1.0) * grid.step[a]);
            match distance(&middle, around) {
                far if far >= around => Block::Outside,
                deep if deep <= -around => Block::Inside,
                _ => Block::Mixed(
                    cells_of(edges)
                        .map(|offset| {
                            let cell = [0, 1, 2].map(|a| low[a] + offset[a]);
                            let phi = distance(&grid.centre(cell), reach) / grid.d;
                            phi.clamp(-REACH, REACH) as f32
                        })
                        .collect(),
                ),
            }
        });
        Cells { grid, depths }
    }

    /// The region with this φ at the middle of each cell.
    pub fn from_depths(grid: Grid, phi: impl Fn([usize; 3]) -> f32 + Sync) -> Self {
        let ends = [REACH as f32, -REACH as f32];
        let depths = Blocks::new(&grid, ends, |low, edges| {
            let cell = |offset: [usize; 3]| [0, 1, 2].map(|a| low[a] + offset[a]);
            let of = |offset| {
                let cell = cell(offset);
                let is_in = (0..3).all(|a| cell[a] < grid.counts[a]);
                if is_in { phi(cell).clamp(ends[1], ends[0]) } else { ends[0] }
            };
            let values: Vec<f32> = cells_of(edges).map(of).collect();
            match values[0] {
                first if values.iter().any(|value| *value != first) => Block::Mixed(values),
                first if first == ends[0] => Block::Outside,
                first if first == ends[1] => Block::Inside,
                _ => Block::Mixed(values),
            }
        });
        Cells { grid, depths }
    }

    /// φ at the middle of a cell.
    #[inline]
    pub fn depth(&self, cell: [isize; 3]) -> f32 {
        self.depths.get(cell)
    }

    /// φ, block by block.
    pub fn blocks(&self) -> &Blocks<f32> {
        &self.depths
    }

    /// The part of a cell that lies in the region, of the cell's φ.
    #[inline]
    pub fn part(&self, phi: f32) -> f32 {
        let cells_per_spacing = (self.grid.d / self.grid.mean_step()) as f32;
        (0.5 - phi * cells_per_spacing).clamp(0.0, 1.0)
    }

    /// The part of a cell that lies in the region.
    #[inline]
    pub fn fraction(&self, cell: [isize; 3]) -> f32 {
        self.part(self.depth(cell))
    }

    /// The volume of each layer of cells, from the lowest on \[m³, in the plane m²\].
    pub fn layers(&self) -> Vec<f64> {
        let parts = self.depths.flat_map(|low, block| {
            let mut sums = [0.0; 4];
            for (n, [_, _, k]) in self.depths.cells_from(low) {
                sums[k - low[2]] += match block {
                    Block::Outside => 0.0,
                    Block::Inside => 1.0,
                    Block::Mixed(phi) => f64::from(self.part(phi[n])),
                };
            }
            [(low[2], sums)]
        });
        let mut layers = vec![0.0; self.grid.counts[2]];
        for (low, sums) in parts {
            layers[low..].iter_mut().zip(sums).for_each(|(layer, sum)| *layer += sum);
        }
        let cell = self.grid.volume_of_cell();
        layers.iter().map(|sum| sum * cell).collect()
    }

    /// The area of its widest horizontal section \[m², in the plane m\].
    pub fn widest_section(&self) -> f64 {
        self.layers().into_iter().fold(0.0, f64::max) / self.grid.step[2]
    }

    /// The volume of the region \[m³, in the plane m²\].
    pub fn volume(&self) -> f64 {
        self.layers().iter().sum()
    }

    /// Lowest and highest corner of a box around the region \[m\]; without cells in it, of
    /// nothing.
    pub fn bounds(&self) -> [[f64; 3]; 2] {
        let parts = self.depths.flat_map(|low, block| {
            let is_in = |(n, _): &(usize, [usize; 3])| match block {
                Block::Outside => false,
                Block::Inside => true,
                Block::Mixed(phi) => self.part(phi[*n]) > 0.0,
            };
            let cells = self.depths.cells_from(low).filter(is_in).map(|(_, cell)| [cell, cell]);
            cells.reduce(joined)
        });
        let Some([low, high]) = parts.into_iter().reduce(joined) else { return [self.grid.low; 2] };
        let Grid { low: corner, step, .. } = self.grid;
        let at = |cell: [usize; 3]| [0, 1, 2].map(|a| corner[a] + cell[a] as f64 * step[a]);
        [at(low), at(high.map(|c| c + 1))]
    }

    /// φ at a place in spacings, and its gradient, between the middles of cells.
    pub fn depth_at(&self, u: &Vec3) -> (Real, Vec3) {
        interpolate(&self.grid, u, |cell| self.depths.corners(cell))
    }
}

/// The lowest and the highest cell of two boxes of cells.
fn joined([a, b]: [[usize; 3]; 2], [c, d]: [[usize; 3]; 2]) -> [[usize; 3]; 2] {
    [[0, 1, 2].map(|i| a[i].min(c[i])), [0, 1, 2].map(|i| b[i].max(d[i]))]
}

/// A number on cells at a place in spacings, and its gradient, by linear interpolation between the
/// middles of cells along each axis, from the [corners](Blocks::corners) at a cell.
#[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f32")]
pub fn interpolate(
    grid: &Grid,
    u: &Vec3,
    corners: impl Fn([isize; 3]) -> [f32; 8],
) -> (Real, Vec3) {
    let (cell, part) = grid.between(u);
    let corners = corners(cell).map(Real::from);
    let (mut sum, mut gradient) = (0.0, Vec3::zeros());
    for (corner, here) in corners.into_iter().enumerate() {
        let offset = [0, 1, 2].map(|a| corner >> a & 1);
        let weights = [0, 1, 2].map(|a| if offset[a] == 1 { part[a] } else { 1.0 - part[a] });
        let signs = offset.map(|o| if o == 1 { 1.0 } else { -1.0 });
        if grid.counts[1] == 1 && offset[1] == 1 {
            continue;
        }
        let [x, y, z] = weights;
        sum += here * x * y * z;
        gradient += Vec3::new(signs[0] * y * z, signs[1] * x * z, signs[2] * x * y) * here;
    }
    for a in 0..3 {
        gradient[a] *= (grid.d / grid.step[a]) as Real;
    }
    if grid.counts[1] == 1 {
        gradient.y = 0.0;
    }
    (sum, gradient)
}
