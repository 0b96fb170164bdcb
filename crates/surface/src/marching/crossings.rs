//! Crossing edges and triangles: marching cubes on words of bits.
//!
//! The inside bits of a tile's 4³ points are one word. Shifted by one point along an axis, with the
//! bits of the upper neighbour moved in, it is the word of the other ends of all edges along that
//! axis: an exclusive or finds the crossing edges. F32x8 such words, one for each corner of a cell,
//! hold the cases of all 64 cells. Vertices are numbered by tile, axis and point: the number of a
//! vertex is the rank of its edge's bit, and no map is needed. Triangles follow the tiles, cell by
//! cell. Counts come first, so that every chunk knows the offset of its part of the mesh and all
//! parts are written in parallel: the same bytes for any number of threads.

use crate::field::blocks::{Blocks, TilePlace, UpperBlocks, tile_point};
use crate::field::grid::{Grid, TILE};
use crate::marching::cases::{CASES, Cases, EDGES, Edge};
use crate::phases::label::{AIR, Junction, Label, Sides};
use crate::phases::labels::{FluidCorners, Labels};
use crate::slices::split;
use hashfall_core::parallel;
use hashfall_core::simd::{Isa, Simd, WithSimd};

/// The part of the mesh that belongs to a tile.
#[derive(Clone, Copy)]
pub(crate) struct Patch {
    /// The tile's place in its block.
    pub tile: u32,
    /// The first vertex.
    pub first: u32,
    /// For each axis, a bit for each point at which a crossing edge starts.
    pub crossing: [u64; 3],
    /// A bit for each cell that the surface passes.
    cells: u64,
}

/// The patches of a chunk of blocks.
#[derive(Default)]
pub(crate) struct Patches {
    /// Those of all blocks, by block and tile.
    pub all: Vec<Patch>,
    /// The first of each block, and how many there are.
    pub starts: Vec<u32>,
    /// The cases of the cells that the surface passes.
    cases: Vec<u8>,
    /// What each of these cells parts, if there are several fluids.
    sides: Vec<Sides>,
    /// Cells in which more than two of fluids and air meet; they have an empty case.
    pub junctions: Vec<Junction>,
    /// Vertices that the chunk owns.
    pub vertices: u32,
    triangles: usize,
}

impl Patch {
    /// The number of vertices.
    pub fn vertices(&self) -> u32 {
        self.crossing.iter().map(|bits| bits.count_ones()).sum()
    }
}

/// Finds the crossing edges of all blocks, numbers their vertices and counts their triangles.
///
/// # Panics
/// If there are more than 2³² vertices.
pub(crate) fn find_crossings(
    isa: Isa,
    grid: &Grid,
    blocks: &Blocks,
    labels: Option<&Labels>,
) -> Vec<Patches> {
    let find = |chunk: usize| {
        isa.run(FindCrossings { grid, blocks, labels, keys: &blocks.chunks[chunk].keys })
    };
    let mut found = parallel::map_pieces(blocks.chunks.len(), &find);
    let mut next = 0_u32;
    for patches in &mut found {
        for patch in &mut patches.all {
            patch.first += next;
        }
        next = next.checked_add(patches.vertices).expect("a mesh has at most 2³² vertices");
    }
    found
}

/// Finds the crossing edges of a chunk of blocks: a loop that counts bits, for which many CPUs have
/// an instruction.
struct FindCrossings<'a> {
    grid: &'a Grid,
    blocks: &'a Blocks,
    /// Which fluid is where, if there are several.
    labels: Option<&'a Labels>,
    keys: &'a [u64],
}

impl WithSimd for FindCrossings<'_> {
    type Output = Patches;

    #[inline(always)]
    fn run<I: Simd>(self, _: I) -> Patches {
        let FindCrossings { grid, blocks, labels, keys } = self;
        let mut upper = UpperBlocks::default();
        let mut patches = Patches::default();
        let mut fluids = Vec::new();
        for &key in keys {
            patches.starts.push(patches.all.len() as u32);
            upper.update(&blocks.keys, key);
            let is_inside =
                |block: &Option<u32>| block.is_some_and(|b| blocks.is_inside[b as usize]);
            let is_one = |labels: &Labels| labels.are_of_one(&upper.blocks);
            if upper.blocks.iter().all(is_inside) && labels.is_none_or(is_one) {
                continue;
            }
            for tile in 0..grid.tile_count() {
                let places = upper.tiles(grid, grid.tile_at(tile));
                let signs = places.map(|place| blocks.signs(place));
                match labels {
                    None => patches.add(tile as u32, corners(signs)),
                    Some(labels) => match labels.only_label(&places, &signs) {
                        Some(label) => patches.add_fluid(tile as u32, corners(signs), label),
                        None => {
                            labels.fluids(&places, &signs, &mut fluids);
                            patches.add_fluids(key, tile as u32, &mut fluids);
                        }
                    },
                }
            }
        }
        patches.starts.push(patches.all.len() as u32);
        patches.all.shrink_to_fit();
        patches.cases.shrink_to_fit();
        patches.sides.shrink_to_fit();
        patches
    }
}

impl Patches {
    /// Adds a tile, given its words of corners.
    #[inline(always)]
    fn add(&mut self, tile: u32, corners: [u64; 8]) {
        let any = corners.iter().fold(0, |bits, corner| bits | corner);
        let all = corners.iter().fold(u64::MAX, |bits, corner| bits & corner);
        let cells = any & !all;
        if cells == 0 {
            return;
        }
        let crossing = [1, 2, 4].map(|end| corners[0] ^ corners[end]);
        let patch = Patch { tile, first: self.vertices, crossing, cells };
        self.vertices += patch.vertices();
        self.all.push(patch);
        let mut rest = cells;
        while rest != 0 {
            let cell = rest.trailing_zeros();
            rest &= rest - 1;
            let mut case = 0;
            for (k, corner) in corners.iter().enumerate() {
                case |= ((corner >> cell & 1) as u8) << k;
            }
            self.triangles += CASES.triangles(case.into()).len();
            self.cases.push(case);
        }
    }
}

impl Patches {
    /// As [`Self::add`], of a tile with one of several fluids.
    #[inline(always)]
    fn add_fluid(&mut self, tile: u32, corners: [u64; 8], label: Label) {
        self.add(tile, corners);
        self.sides.resize(self.cases.len(), Sides { greater: label, lesser: AIR });
    }

    /// Adds a tile of several fluids, given the points of each in it and in its upper neighbours,
    /// which become words of corners; the air joins them.
    #[inline(always)]
    fn add_fluids(&mut self, block: u64, tile: u32, buffer: &mut Vec<FluidCorners>) {
        buffer.iter_mut().for_each(|(_, words)| *words = corners(*words));
        let fluid_or_air = |words: [u64; 8], (_, of_fluid): &FluidCorners| {
            std::array::from_fn(|corner| words[corner] & !of_fluid[corner])
        };
        let air = buffer.iter().fold([u64::MAX; 8], fluid_or_air);
        buffer.insert(0, (AIR, air));
        // Cells with one label or more, two or more, and three or more.
        let (mut one, mut two, mut three) = (0, 0, 0);
        let mut patch = Patch { tile, first: self.vertices, crossing: [0; 3], cells: 0 };
        for (_, words) in &*buffer {
            let any = words.iter().fold(0, |bits, corner| bits | corner);
            (one, two, three) = (one | any, two | one & any, three | two & any);
            for (axis, crossing) in patch.crossing.iter_mut().enumerate() {
                *crossing |= words[0] ^ words[1 << axis];
            }
        }
        patch.cells = two;
        let mut rest = two;
        while rest != 0 {
            let cell = rest.trailing_zeros();
            rest &= rest - 1;
            let corners_of = |words: &[u64; 8]| {
                let bit = |(k, word): (usize, &u64)| ((word >> cell & 1) as u8) << k;
                words.iter().enumerate().map(bit).fold(0, |bits, bit| bits | bit)
            };
            let mut here = buffer.iter().map(|(label, words)| (*label, corners_of(words)));
            let mut here_too = here.clone();
            let (case, sides) = if three >> cell & 1 == 1 {
                let mut corners = [AIR; 8];
                for (label, bits) in here {
                    let inside = corners.iter_mut().enumerate().filter(|(k, _)| bits >> k & 1 == 1);
                    inside.for_each(|(_, corner)| *corner = label);
                }
                let patch = self.all.len() as u32;
                self.junctions.push(Junction { block, patch, cell: cell as u8, corners });
                (0, Sides { greater: AIR, lesser: AIR })
            } else {
                let is_here = |(_, bits): &(Label, u8)| *bits != 0;
                let lesser = here.find(is_here).map_or(AIR, |(label, _)| label);
                let greater = here_too.rfind(is_here).unwrap_or((AIR, 0));
                (greater.1, Sides { greater: greater.0, lesser })
            };
            self.sides.push(sides);
            self.triangles += CASES.triangles(case.into()).len();
            self.cases.push(case);
        }
        if patch.cells != 0 {
            self.vertices += patch.vertices();
            self.all.push(patch);
        }
    }

    /// What each triangle of [`triangles`] parts, of several fluids.
    pub fn sides(&self) -> impl Iterator<Item = Sides> {
        let cells = self.cases.iter().zip(&self.sides);
        cells.flat_map(|(&case, &sides)| CASES.triangles(case.into()).iter().map(move |_| sides))
    }
}

/// The words of the eight corners of a tile's cells, from the tile's own and those above it.
#[inline(always)]
fn corners(tiles: [u64; 8]) -> [u64; 8] {
    /// Points at which x, y or z is not the last, and at which it is the first.
    const LOW: [u64; 3] = [0x7777_7777_7777_7777, 0x0fff_0fff_0fff_0fff, 0x0000_ffff_ffff_ffff];
    const FIRST: [u64; 3] = [0x1111_1111_1111_1111, 0x000f_000f_000f_000f, 0xffff];
    let mut words = tiles;
    for (axis, shift) in [1, TILE, TILE * TILE].into_iter().enumerate() {
        for corner in (0..8).filter(|corner| corner >> axis & 1 == 0) {
            let (here, above) = (words[corner], words[corner | 1 << axis]);
            let back = (TILE - 1) * shift;
            words[corner | 1 << axis] = (here >> shift & LOW[axis]) | (above & FIRST[axis]) << back;
        }
    }
    words
}

/// Writes the triangles of all blocks, in their order.
pub(crate) fn triangles(
    isa: Isa,
    grid: &Grid,
    blocks: &Blocks,
    patches: &[Patches],
) -> Vec<[u32; 3]> {
    let mut triangles = vec![[0; 3]; patches.iter().map(|p| p.triangles).sum()];
    let mut parts = split(&mut triangles, patches.iter().map(|p| p.triangles));
    parallel::fill_pieces(&mut parts, &|chunk, part| {
        isa.run(WriteTriangles { grid, blocks, patches, chunk, part });
    });
    triangles
}

/// Writes the triangles of a chunk of blocks.
struct WriteTriangles<'a> {
    grid: &'a Grid,
    blocks: &'a Blocks,
    patches: &'a [Patches],
    chunk: usize,
    part: &'a mut [[u32; 3]],
}

impl WithSimd for WriteTriangles<'_> {
    type Output = ();

    #[inline(always)]
    fn run<I: Simd>(self, _: I) {
        let WriteTriangles { grid, blocks, patches, chunk, part } = self;
        let cases: &Cases = &CASES;
        let of_chunk = &patches[chunk];
        let mut upper = UpperBlocks::default();
        let mut case = of_chunk.cases.iter();
        let mut slots = part.iter_mut();
        for (block, &key) in blocks.chunks[chunk].keys.iter().enumerate() {
            let range = of_chunk.starts[block] as usize..of_chunk.starts[block + 1] as usize;
            if range.is_empty() {
                continue;
            }
            upper.update(&blocks.keys, key);
            for patch in &of_chunk.all[range] {
                let places = upper.tiles(grid, grid.tile_at(patch.tile as usize));
                let numbers = VertexNumbers::new(blocks, patches, patch, places);
                let mut cells = patch.cells;
                while cells != 0 {
                    let cell = tile_point(cells.trailing_zeros() as usize);
                    cells &= cells - 1;
                    let case = case.next().map_or(0, |&case| case.into());
                    for (edges, slot) in cases.triangles(case).iter().zip(&mut slots) {
                        *slot = edges.map(|e| numbers.on_edge(cell, EDGES[usize::from(e)]));
                    }
                }
            }
        }
    }
}

/// The numbers of the vertices around the cells of a tile.
pub(crate) struct VertexNumbers {
    /// The crossing edges of the tile and its upper neighbours, and their first vertices by axis.
    tiles: [([u64; 3], [u32; 3]); 8],
}

impl VertexNumbers {
    #[inline(always)]
    pub fn new(
        blocks: &Blocks,
        patches: &[Patches],
        own: &Patch,
        places: [Option<TilePlace>; 8],
    ) -> Self {
        let mut tiles = [([0; 3], [0; 3]); 8];
        for (corner, place) in places.iter().enumerate() {
            let other = place.filter(|_| corner > 0).and_then(|p| find(blocks, patches, p));
            let patch = if corner == 0 { Some(own) } else { other };
            if let Some(Patch { crossing, first, .. }) = patch {
                let second = first + crossing[0].count_ones();
                let third = second + crossing[1].count_ones();
                tiles[corner] = (*crossing, [*first, second, third]);
            }
        }
        VertexNumbers { tiles }
    }

    /// The vertex on an edge of a cell: it belongs to the tile of the edge's start.
    #[inline(always)]
    pub fn on_edge(&self, cell: [usize; 3], edge: Edge) -> u32 {
        let (mut bit, mut tile) = (0, 0);
        for (a, i) in cell.into_iter().enumerate() {
            let at = i + (edge.corner >> a & 1);
            tile |= (at / TILE) << a;
            bit |= (at % TILE) << (2 * a);
        }
        let (crossing, first) = &self.tiles[tile];
        first[edge.axis] + (crossing[edge.axis] & !(u64::MAX << bit)).count_ones()
    }
}

/// The patch of a tile.
#[inline(always)]
fn find<'p>(blocks: &Blocks, patches: &'p [Patches], place: TilePlace) -> Option<&'p Patch> {
    let (chunk, block) = blocks.places[place.block as usize];
    let (of_chunk, block) = (&patches[chunk as usize], block as usize);
    let of_block =
        &of_chunk.all[of_chunk.starts[block] as usize..of_chunk.starts[block + 1] as usize];
    of_block.iter().find(|patch| patch.tile == place.tile)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corner_words_are_shifted_by_a_point_across_tiles() {
        // Points of 2³ tiles, inside by an arbitrary rule.
        let is_inside = |p: [usize; 3]| (p[0] * 7 + p[1] * 5 + p[2] * 3 + p[0] * p[1]) % 4 == 1;
        let word = |tile: usize| {
            (0..64).fold(0, |bits, bit| {
                let p = tile_point(bit);
                let at = [0, 1, 2].map(|a| p[a] + TILE * (tile >> a & 1));
                bits | u64::from(is_inside(at)) << bit
            })
        };
        let words = corners([0, 1, 2, 3, 4, 5, 6, 7].map(word));
        for (corner, word) in words.into_iter().enumerate() {
            for bit in 0..64 {
                let p = tile_point(bit);
                let at = [0, 1, 2].map(|a| p[a] + (corner >> a & 1));
                assert_eq!(word >> bit & 1 == 1, is_inside(at), "corner {corner} of {p:?}");
            }
        }
    }
}
