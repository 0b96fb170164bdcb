//! Crossing edges and triangles: marching cubes on bits.
//!
//! The inside bits of a block's points, with those of the seven neighbours above it, form rows of
//! n + 1 bits. An edge crosses the surface where its two bits differ, so one exclusive-or finds the
//! crossing edges of a row along each axis. Vertices are numbered by block, then row (y, then z),
//! then axis, then x: the number of a vertex is the rank of its edge's bit, and no map is needed.
//! Triangles follow the same order, cell by cell. Counts come first, so that every block knows
//! where its part of the mesh begins and all blocks are written at once: the same bytes for any
//! number of threads.

use super::blocks::key_step;
use super::cases::{CASES, Cases, EDGES, Edge};
use super::field::Block;
use rayon::prelude::*;

/// The part of the mesh that belongs to a block.
pub(super) struct Patch {
    /// Places of the eight blocks that hold the corners of the block's cells: bit 0, 1, 2 of the
    /// index say whether it lies one further along x, y, z. `None`: outside everywhere.
    pub corners: [Option<u32>; 8],
    /// Crossing edges by row (y, then z); empty if there is none.
    pub rows: Vec<CrossingRow>,
    /// Crossing edges that start at the block's points.
    pub vertices: usize,
    /// Triangles of the block's cells.
    pub triangles: usize,
}

/// The crossing edges that start in a row of points.
#[derive(Clone, Copy, Default)]
pub(super) struct CrossingRow {
    /// For each axis, a bit per point along x.
    pub along: [u32; 3],
    /// Vertex of the first edge.
    first: u32,
}

impl CrossingRow {
    /// The vertex on the edge that starts at point `x` along `axis`.
    #[inline(always)]
    fn vertex(&self, axis: usize, x: usize) -> u32 {
        let before: u32 = self.along[..axis].iter().map(|bits| bits.count_ones()).sum();
        self.first + before + (self.along[axis] & !(u32::MAX << x)).count_ones()
    }

    fn count(&self) -> u32 {
        self.along.iter().map(|bits| bits.count_ones()).sum()
    }
}

/// Finds the crossing edges of all blocks, numbers their vertices and counts their triangles.
///
/// # Panics
/// If there are more than 2³² vertices.
pub(super) fn find_crossings(n: usize, blocks: &[Block]) -> Vec<Patch> {
    let keys: Vec<u64> = blocks.iter().map(|b| b.key).collect();
    let mut patches: Vec<Patch> = blocks
        .par_iter()
        .map_init(Vec::new, |signs, block| {
            let corners = std::array::from_fn(|corner| {
                let step = key_step([0, 1, 2].map(|a| (corner >> a & 1) as i32));
                keys.binary_search(&block.key.wrapping_add(step)).ok().map(|i| i as u32)
            });
            patch(n, blocks, corners, signs)
        })
        .collect();
    let mut next = 0;
    for patch in &mut patches {
        for row in &mut patch.rows {
            row.first = next;
            next = next.checked_add(row.count()).expect("a mesh has at most 2³² vertices");
        }
    }
    patches
}

fn patch(n: usize, blocks: &[Block], corners: [Option<u32>; 8], signs: &mut Vec<u64>) -> Patch {
    read_signs(n, blocks, &corners, signs);
    let mut patch = Patch { corners, rows: Vec::new(), vertices: 0, triangles: 0 };
    let all = u64::MAX >> (63 - n);
    if signs.iter().all(|&s| s == 0) || signs.iter().all(|&s| s == all) {
        return patch;
    }
    let own = all >> 1;
    patch.rows.reserve_exact(n * n);
    for row in (0..n * n).map(|i| i / n * (n + 1) + i % n) {
        let s = signs[row];
        let others = [s >> 1, signs[row + 1], signs[row + n + 1]];
        let crossings = CrossingRow { along: others.map(|o| ((s ^ o) & own) as u32), first: 0 };
        patch.vertices += crossings.count() as usize;
        patch.rows.push(crossings);
    }
    for_each_crossed_cell(n, signs, |_, case| patch.triangles += CASES.of(case).len());
    patch
}

/// Reads the inside bits of the (n + 1)³ corners of a block's cells, a word per row.
fn read_signs(n: usize, blocks: &[Block], corners: &[Option<u32>; 8], signs: &mut Vec<u64>) {
    signs.clear();
    for z in 0..=n {
        for y in 0..=n {
            let low = usize::from(y == n) << 1 | usize::from(z == n) << 2;
            let row = |corner: usize| {
                let block = corners[corner].map(|i| &blocks[i as usize]);
                u64::from(block.map_or(0, |b| b.row(n, y % n, z % n)))
            };
            signs.push(row(low) | (row(low | 1) & 1) << n);
        }
    }
}

/// Calls `visit(cell, case)` for each cell with corners on both sides, by z, y, x.
fn for_each_crossed_cell(n: usize, signs: &[u64], mut visit: impl FnMut([usize; 3], usize)) {
    for z in 0..n {
        for y in 0..n {
            let row = z * (n + 1) + y;
            let rows = [row, row + 1, row + n + 1, row + n + 2].map(|r| signs[r]);
            let any = rows.iter().fold(0, |bits, r| bits | r | r >> 1);
            let all = rows.iter().fold(u64::MAX, |bits, r| bits & r & r >> 1);
            let mut crossed = any & !all & (u64::MAX >> (64 - n));
            while crossed != 0 {
                let x = crossed.trailing_zeros() as usize;
                crossed &= crossed - 1;
                let pair = |k: usize| (rows[k] >> x & 3) << (2 * k);
                visit([x, y, z], (pair(0) | pair(1) | pair(2) | pair(3)) as usize);
            }
        }
    }
}

/// Writes the triangles of all blocks, in their order.
pub(super) fn triangles(n: usize, blocks: &[Block], patches: &[Patch]) -> Vec<[u32; 3]> {
    let cases: &Cases = &CASES;
    let mut triangles = vec![[0; 3]; patches.iter().map(|p| p.triangles).sum()];
    let parts = split(&mut triangles, patches.iter().map(|p| p.triangles));
    patches.par_iter().zip(parts).filter(|(patch, _)| patch.triangles > 0).for_each_init(
        Vec::new,
        |signs, (patch, part)| {
            read_signs(n, blocks, &patch.corners, signs);
            let mut slots = part.iter_mut();
            for_each_crossed_cell(n, signs, |cell, case| {
                let corners = cases.of(case).iter();
                corners.zip(&mut slots).for_each(|(edges, slot)| {
                    *slot = edges.map(|e| vertex(n, patches, patch, cell, EDGES[usize::from(e)]));
                });
            });
        },
    );
    triangles
}

/// The vertex on an edge of a cell: it belongs to the block of the edge's start.
#[inline(always)]
fn vertex(n: usize, patches: &[Patch], patch: &Patch, cell: [usize; 3], edge: Edge) -> u32 {
    let mut at: [usize; 3] = std::array::from_fn(|a| cell[a] + (edge.corner >> a & 1));
    let mut corner = 0;
    for (a, i) in at.iter_mut().enumerate() {
        if *i == n {
            *i = 0;
            corner |= 1 << a;
        }
    }
    let owner = patch.corners[corner].expect("an edge that starts in no block does not cross");
    patches[owner as usize].rows[at[2] * n + at[1]].vertex(edge.axis, at[0])
}

/// Splits a slice into consecutive parts.
pub(super) fn split<T>(mut rest: &mut [T], counts: impl Iterator<Item = usize>) -> Vec<&mut [T]> {
    counts
        .map(|count| {
            let (part, tail) = std::mem::take(&mut rest).split_at_mut(count);
            rest = tail;
            part
        })
        .collect()
}
