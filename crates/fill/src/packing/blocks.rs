//! Numbers on the cells of a grid, kept block by block: most blocks lie wholly inside a region or
//! wholly outside, and one number tells all of theirs.

use super::grid::Grid;
use hashfall_core::parallel;

/// Cells along each edge of a block; along an axis that a grid is flat along, one.
const EDGE: usize = 4;

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
        let edges = cells.map(|n| n.min(EDGE));
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

    /// What a cell and those next to it hold, the x of which is the cell's or one more, the same of
    /// y, and of z: x fastest, then y, then z.
    pub fn corners(&self, cell: [isize; 3]) -> [T; 8] {
        // Along each axis, the block of each of the two cells and its place there.
        let places = [0, 1, 2].map(|a| {
            [cell[a], cell[a] + 1].map(|c| {
                let is_in = c >= 0 && (c as usize) < self.cells[a];
                is_in.then(|| (c as u32 / self.edges[a] as u32, c as u32 % self.edges[a] as u32))
            })
        });
        let [p, q, _] = self.edges;
        [0, 1, 2, 3, 4, 5, 6, 7].map(|corner: usize| {
            let [x, y, z] = [0, 1, 2].map(|a| places[a][corner >> a & 1]);
            let (Some(x), Some(y), Some(z)) = (x, y, z) else { return self.uniform[0] };
            let [block, within] = [[x.0, y.0, z.0], [x.1, y.1, z.1]].map(|n| n.map(|n| n as usize));
            match &self.blocks[block[0] + self.counts[0] * (block[1] + self.counts[1] * block[2])] {
                Block::Outside => self.uniform[0],
                Block::Inside => self.uniform[1],
                Block::Mixed(values) => values[within[0] + p * (within[1] + q * within[2])],
            }
        })
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
