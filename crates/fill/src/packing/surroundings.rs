//! What a region's surroundings push with: the repulsion integrated over all that lies outside, as
//! if it were filled as densely as the region itself.
//!
//! It is summed over the cells around, once for the middle of each cell near the boundary, and
//! interpolated between these.

use super::blocks::{Block, Blocks, EDGE, cells_of};
use super::cells::{Cells, interpolate};
use super::repulsion::{RANGE, repulsion};
use hashfall_core::kernel::SmoothingKernel;
use hashfall_core::{Real, Vec3};

/// The repulsion of what lies outside a region.
#[derive(Clone, Debug)]
pub struct Surroundings {
    /// Integral of the repulsion.
    sums: Blocks<f32>,
}

/// A cell within range of another.
struct Near {
    offset: [isize; 3],
    weight: f32,
}

impl Surroundings {
    /// Those of a region.
    pub fn new(cells: &Cells) -> Self {
        let (grid, near) = (&cells.grid, within_range(cells));
        let span = [0, 1, 2].map(|a| near.iter().map(|n| n.offset[a]).max().unwrap_or(0));
        let window = Window::new(cells.blocks().edges(), span, &near);
        let sums = Blocks::new(grid, [1.0, 0.0], |low, edges| {
            let low = low.map(|c| c as isize);
            let edge = edges.map(|e| e as isize);
            // The blocks that cells within range lie in.
            let sides = |a: usize| {
                let step = edge[a];
                let reach = span[a].div_euclid(step) + isize::from(span[a] % step != 0);
                (-reach..=reach).map(move |b| low[a] + b * step)
            };
            let (mut is_inside, mut is_outside) = (true, true);
            for k in sides(2) {
                for j in sides(1) {
                    for i in sides(0) {
                        match cells.blocks().around([i, j, k]) {
                            None | Some(Block::Outside) => is_inside = false,
                            Some(Block::Inside) => is_outside = false,
                            Some(Block::Mixed(_)) => (is_inside, is_outside) = (false, false),
                        }
                    }
                }
            }
            if is_inside {
                return Block::Inside;
            }
            if is_outside {
                return Block::Outside;
            }
            Block::Mixed(window.sums(cells, low))
        });
        Surroundings { sums }
    }

    /// The integral at a place in spacings, and its gradient.
    pub fn at(&self, cells: &Cells, u: &Vec3) -> (Real, Vec3) {
        interpolate(&cells.grid, u, |cell| self.sums.corners(cell))
    }
}

/// The cells of a block and all within range of them, x fastest, then y, then z; rows have room for
/// [`EDGE`] cells at once from any of the block's.
struct Window {
    edges: [usize; 3],
    span: [isize; 3],
    /// Cells along each axis, and from one to the next.
    size: [usize; 3],
    /// Where cells within range lie from the lowest of them on, each with its weight.
    steps: Vec<(usize, f32)>,
}

impl Window {
    /// Of blocks of these edges, with cells `near` each up to `span` away.
    fn new(edges: [usize; 3], span: [isize; 3], near: &[Near]) -> Self {
        let room = [EDGE, edges[1], edges[2]];
        let size = [0, 1, 2].map(|a| room[a] + 2 * span[a] as usize);
        let step = |n: &Near| {
            let [i, j, k] = [0, 1, 2].map(|a| (n.offset[a] + span[a]) as usize);
            (i + size[0] * (j + size[1] * k), n.weight)
        };
        Window { edges, span, size, steps: near.iter().map(step).collect() }
    }

    /// The sums of the block from this cell on.
    fn sums(&self, cells: &Cells, low: [isize; 3]) -> Vec<f32> {
        let Window { edges, span, size, steps } = self;
        let mut outside = vec![0.0; size.iter().product()];
        cells.blocks().copy([0, 1, 2].map(|a| low[a] - span[a]), *size, &mut outside);
        outside.iter_mut().for_each(|phi| *phi = 1.0 - cells.part(*phi));
        let rows = cells_of([1, edges[1], edges[2]]);
        let row = |[_, j, k]: [usize; 3]| {
            let first = size[0] * (j + size[1] * k);
            // Cells of a row at once: as many sums that do not wait for each other.
            let mut sums = [0.0; EDGE];
            for (step, weight) in steps {
                let parts = &outside[first + step..][..EDGE];
                sums.iter_mut().zip(parts).for_each(|(sum, part)| *sum += part * weight);
            }
            sums.into_iter().take(edges[0])
        };
        rows.flat_map(row).collect()
    }
}

/// The cells within range of one, with the share of the repulsion that comes from each; all shares
/// together are 1.
fn within_range(cells: &Cells) -> Vec<Near> {
    let grid = &cells.grid;
    let kernel = repulsion(grid.dimension);
    let step = [0, 1, 2].map(|a| grid.step[a] / grid.d);
    let span = [0, 1, 2].map(|a| match grid.counts[a] {
        1 => 0,
        _ => (RANGE / step[a]).ceil() as isize,
    });
    let mut near = Vec::new();
    for k in -span[2]..=span[2] {
        for j in -span[1]..=span[1] {
            for i in -span[0]..=span[0] {
                let offset = [i, j, k];
                let square: f64 = (0..3).map(|a| (offset[a] as f64 * step[a]).powi(2)).sum();
                #[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f64")]
                let weight = kernel.value(square.sqrt() as Real) as f32;
                if weight > 0.0 {
                    near.push(Near { offset, weight });
                }
            }
        }
    }
    let sum: f32 = near.iter().map(|n| n.weight).sum();
    near.iter_mut().for_each(|n| n.weight /= sum);
    near
}
