//! Numbers on the cells of a grid, kept block by block: most blocks lie wholly inside a region or
//! wholly outside, and one number tells all of theirs.

use super::grid::Grid;
use hashfall_core::parallel;

/// Cells along each edge of a block; along an axis that a grid is flat along, one.
pub const EDGE: usize = 4;

/// From a cell to the eight that a place between middles lies among, x fastest, then y, then z.
const CORNERS: [[usize; 3]; 8] =
    [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0], [0, 0, 1], [1, 0, 1], [0, 1, 1], [1, 1, 1]];

/// What the cells of a block hold.
#[derive(Clone, Debug)]
pub enum Block<T> {
    /// The same, as they lie outside.
    Outside,
    /// The same, as they lie inside.
    Inside,
    /// Each its own, x fastest, then y, then z.
    Mixed(Vec<T>),
}

/// Numbers on the cells of a grid.
#[derive(Clone, Debug)]
pub struct Blocks<T> {
    cells: [usize; 3],
    edges: [usize; 3],
    counts: [usize; 3],
    blocks: Vec<Block<T>>,
    /// What cells outside and inside hold.
    uniform: [T; 2],
}

impl<T: Copy + Send + Sync> Blocks<T> {
    /// Asks `of` for each block by its lowest cell and the cells along its edges; cells outside
    /// and inside hold `uniform`.
    pub fn new(
        grid: &Grid,
        uniform: [T; 2],
        of: impl Fn([usize; 3], [usize; 3]) -> Block<T> + Sync,
    ) -> Self {
        let cells = grid.counts;
        let edges = cells.map(|n| if n == 1 { 1 } else { EDGE });
        let counts = [0, 1, 2].map(|a| cells[a].div_ceil(edges[a]));
        let number = counts.iter().product::<usize>();
        let block = |number: usize| of(lowest(number, counts, edges), edges);
        let blocks = parallel::map(number, block);
        Blocks { cells, edges, counts, blocks, uniform }
    }

    /// What a cell holds; one beyond the grid is outside.
    #[inline]
    pub fn get(&self, cell: [isize; 3]) -> T {
        let is_in = (0..3).all(|a| cell[a] >= 0 && (cell[a] as usize) < self.cells[a]);
        if !is_in {
            return self.uniform[0];
        }
        let [i, j, k] = cell.map(|c| c as usize);
        let [p, q, r] = self.edges;
        let block = (i / p) + self.counts[0] * ((j / q) + self.counts[1] * (k / r));
        match &self.blocks[block] {
            Block::Outside => self.uniform[0],
            Block::Inside => self.uniform[1],
            Block::Mixed(values) => values[(i % p) + p * ((j % q) + q * (k % r))],
        }
    }

    /// Cells along each edge of a block.
    pub fn edges(&self) -> [usize; 3] {
        self.edges
    }

    /// Copies what a box of cells from the lowest on holds, x fastest, then y, then z.
    pub fn copy(&self, low: [isize; 3], size: [usize; 3], out: &mut [T]) {
        let end = low[0] + size[0] as isize;
        for ([_, j, k], row) in cells_of([1, size[1], size[2]]).zip(out.chunks_mut(size[0])) {
            let (y, z) = (low[1] + j as isize, low[2] + k as isize);
            let mut x = low[0];
            while x < end {
                // As far as a block reaches, or to the grid's first cell.
                let edge = self.edges[0] as isize;
                let run = (edge - x.rem_euclid(edge)).min(end - x) as usize;
                let from = (x - low[0]) as usize;
                let to = &mut row[from..from + run];
                match self.around([x, y, z]) {
                    None | Some(Block::Outside) => to.fill(self.uniform[0]),
                    Some(Block::Inside) => to.fill(self.uniform[1]),
                    Some(Block::Mixed(_)) => {
                        for (n, value) in to.iter_mut().enumerate() {
                            *value = self.get([x + n as isize, y, z]);
                        }
                    }
                }
                x += run as isize;
            }
        }
    }

    /// What a cell and those next to it hold, the x of which is the cell's or one more, the same of
    /// y, and of z: x fastest, then y, then z.
    #[inline]
    pub fn corners(&self, cell: [isize; 3]) -> [T; 8] {
        let is_in = (0..3).all(|a| cell[a] >= 0 && (cell[a] as usize) + 1 < self.cells[a]);
        if !is_in {
            return CORNERS.map(|corner| self.get([0, 1, 2].map(|a| cell[a] + corner[a] as isize)));
        }
        let cell = cell.map(|c| c as usize);
        // Here each edge is as long as it can be.
        let within = cell.map(|c| c % EDGE);
        let number = |[i, j, k]: [usize; 3]| i + EDGE * (j + EDGE * k);
        if within.iter().all(|&c| c + 1 < EDGE) {
            return match &self.blocks[self.block_of(cell)] {
                Block::Outside => [self.uniform[0]; 8],
                Block::Inside => [self.uniform[1]; 8],
                Block::Mixed(values) => {
                    CORNERS.map(|corner| values[number(within) + number(corner)])
                }
            };
        }
        CORNERS.map(|corner| {
            let cell = [0, 1, 2].map(|a| cell[a] + corner[a]);
            match &self.blocks[self.block_of(cell)] {
                Block::Outside => self.uniform[0],
                Block::Inside => self.uniform[1],
                Block::Mixed(values) => values[number(cell.map(|c| c % EDGE))],
            }
        })
    }

    /// The block of a cell where each edge is as long as it can be.
    #[inline]
    fn block_of(&self, cell: [usize; 3]) -> usize {
        let [i, j, k] = cell.map(|c| c / EDGE);
        i + self.counts[0] * (j + self.counts[1] * k)
    }

    /// The block around a cell; `None` beyond the grid.
    pub fn around(&self, cell: [isize; 3]) -> Option<&Block<T>> {
        let is_in = (0..3).all(|a| cell[a] >= 0 && (cell[a] as usize) < self.cells[a]);
        let at = |a: usize| cell[a] as usize / self.edges[a];
        is_in.then(|| &self.blocks[at(0) + self.counts[0] * (at(1) + self.counts[1] * at(2))])
    }

    /// What `of` finds of every block and its lowest cell, in order.
    pub fn flat_map<I: IntoIterator<Item: Send>>(
        &self,
        of: impl Fn([usize; 3], &Block<T>) -> I + Sync,
    ) -> Vec<I::Item> {
        let low = |n: usize| lowest(n, self.counts, self.edges);
        parallel::flat_map(self.blocks.len(), |n| of(low(n), &self.blocks[n]))
    }

    /// The cells of the block at a lowest cell that lie in the grid, in the order of its numbers.
    pub fn cells_from(
        &self,
        low: [usize; 3],
    ) -> impl Iterator<Item = (usize, [usize; 3])> + use<T> {
        let (edges, cells) = (self.edges, self.cells);
        cells_of(edges).enumerate().filter_map(move |(n, offset)| {
            let cell = [0, 1, 2].map(|a| low[a] + offset[a]);
            (0..3).all(|a| cell[a] < cells[a]).then_some((n, cell))
        })
    }
}

/// The lowest cell of a block, by its number.
fn lowest(number: usize, counts: [usize; 3], edges: [usize; 3]) -> [usize; 3] {
    let [a, b, _] = counts;
    let block = [number % a, number / a % b, number / a / b];
    [0, 1, 2].map(|axis| block[axis] * edges[axis])
}

/// The cells of a block from its lowest on, x fastest, then y, then z.
pub fn cells_of([p, q, r]: [usize; 3]) -> impl Iterator<Item = [usize; 3]> {
    (0..r).flat_map(move |k| (0..q).flat_map(move |j| (0..p).map(move |i| [i, j, k])))
}
