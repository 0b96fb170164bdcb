//! Vertex positions: where the field equals iso along each crossing edge.
//!
//! φ is interpolated linearly along the edge. A vertex keeps [`EDGE_MARGIN`] of the edge away from
//! its ends, so that a grid point with φ = iso to the bit gives small triangles, not degenerate
//! ones.
//!
//! On an edge from one fluid to another, the vertex stands where their fields are equal
//! ([`phases`](crate::phases)).
//!
//! Deviation from splashsurf: its linear interpolation includes the ends of the edge.

use crate::field::blocks::{Blocks, TilePlace, UpperBlocks, tile_point};
use crate::field::grid::{Grid, Point, TILE, TILE_POINTS};
use crate::field::surroundings::Surroundings;
use crate::field::tile_edge::TileEdge;
use crate::field::volume_fraction::Field;
use crate::marching::crossings::{Patch, Patches};
use crate::phases::differences::{FluidDifferences, Fluids};
use crate::slices::split;
use hashfall_core::parallel::{self, Buffers};
use hashfall_core::{Real, Vec3};

/// Least distance of a vertex from the ends of its edge, in edge lengths.
const EDGE_MARGIN: Real = 1.0 / 256.0;

/// Steps between points side by side along each axis, in a tile's values.
pub(crate) const STRIDES: [usize; 3] = [1, TILE, TILE * TILE];

/// The positions of all vertices \[m\], in their order.
pub(crate) fn place(
    field: &Field,
    blocks: &Blocks,
    patches: &[Patches],
    fluids: Option<&Fluids>,
) -> Vec<Vec3> {
    let total = patches.iter().map(|p| p.vertices as usize).sum();
    let mut positions = vec![Vec3::zeros(); total];
    let mut parts = split(&mut positions, patches.iter().map(|p| p.vertices as usize));
    let buffers = Buffers::new(|| (Surroundings::default(), fluids.map(Fluids::differences)));
    parallel::fill_pieces(&mut parts, &|i, part| {
        buffers.with(|(around, differences)| {
            place_chunk(field, blocks, i, &patches[i], part, around, differences);
        });
    });
    positions
}

fn place_chunk(
    field: &Field,
    blocks: &Blocks,
    chunk: usize,
    patches: &Patches,
    mut slots: &mut [Vec3],
    around: &mut Surroundings,
    differences: &mut Option<FluidDifferences>,
) {
    let grid = &field.grid;
    let mut upper = UpperBlocks::default();
    let keys = &blocks.chunks[chunk].keys;
    for (&key, range) in keys.iter().zip(patches.starts.windows(2)) {
        let own = &patches.all[range[0] as usize..range[1] as usize];
        if own.is_empty() {
            continue;
        }
        upper.update(&blocks.keys, key);
        let origin = grid.origin(key);
        for patch in own {
            let (part, rest) = slots.split_at_mut(patch.vertices() as usize);
            slots = rest;
            let tile = grid.tile_at(patch.tile as usize);
            let places = upper.tiles(grid, tile);
            let [own, x, y, _, z, ..] = places;
            let values = |place: Option<TilePlace>| place.and_then(|place| blocks.values(place));
            let first = tile.map(|i| i * TILE);
            let mut ends = Ends {
                own: values(own),
                above: [x, y, z].map(values),
                anew: |at| field.value_at(around, key, at),
                // One fluid has no other.
                fluid_differences: |edge| {
                    differences.as_mut()?.differences(blocks, &places, key, edge)
                },
                first,
            };
            ends.place(patch, grid, |i, local| part[i] = grid.absolute(&local, &origin));
        }
    }
}

/// The values at the ends of a tile's edges.
struct Ends<'a, F, B> {
    /// The values of the tile's points, if it was evaluated.
    own: Option<&'a [Real; TILE_POINTS]>,
    /// Those of the tiles above it along x, y, z.
    above: [Option<&'a [Real; TILE_POINTS]>; 3],
    /// Sums the value at a point of the block that has no stored value.
    anew: F,
    /// The field of the fluid at the start of an edge minus that of the fluid at its end, at both
    /// ends, if there are two fluids.
    fluid_differences: B,
    /// The tile's first point in the block.
    first: Point,
}

impl<F: FnMut(Point) -> Real, B: FnMut(TileEdge) -> Option<[Real; 2]>> Ends<'_, F, B> {
    /// Calls `put` with the number of each vertex of the tile and its place in the block \[h\].
    fn place(&mut self, patch: &Patch, grid: &Grid, mut put: impl FnMut(usize, Vec3)) {
        let mut number = 0;
        for (axis, mut crossing) in patch.crossing.into_iter().enumerate() {
            while crossing != 0 {
                let bit = crossing.trailing_zeros() as usize;
                crossing &= crossing - 1;
                let along = self.crossing(bit, axis, grid.iso);
                let start = tile_point(bit);
                let mut local = [0, 1, 2].map(|a| (self.first[a] + start[a]) as Real);
                local[axis] += along;
                put(number, Vec3::from(local) * grid.step);
                number += 1;
            }
        }
    }

    /// Where on the edge from a point along an axis the surface is, in edge lengths.
    fn crossing(&mut self, bit: usize, axis: usize, iso: Real) -> Real {
        let start = tile_point(bit);
        let mut end = start;
        end[axis] += 1;
        let is_within = end[axis] < TILE;
        let (values, end_bit) = if is_within {
            (self.own, bit + STRIDES[axis])
        } else {
            (self.above[axis], bit - (TILE - 1) * STRIDES[axis])
        };
        let ends = [start, end].map(|at| [0, 1, 2].map(|a| self.first[a] + at[a]));
        let edge = TileEdge { axis, is_within, bits: [bit, end_bit], ends };
        if let Some([a, b]) = (self.fluid_differences)(edge) {
            return part_of_edge(0.0, a, b);
        }
        let [start, end] = ends;
        let a = self.own.map_or_else(|| (self.anew)(start), |own| own[bit]);
        let b = values.map_or_else(|| (self.anew)(end), |values| values[end_bit]);
        part_of_edge(iso, a, b)
    }
}

/// Where a field that is `a` at the start of an edge and `b` at its end is `level`.
fn part_of_edge(level: Real, a: Real, b: Real) -> Real {
    let t = (level - a) / (b - a);
    // A value summed anew may differ from a bound that chose the edge by a rounding.
    let t = if t.is_finite() { t } else { 0.5 };
    t.clamp(EDGE_MARGIN, 1.0 - EDGE_MARGIN)
}
