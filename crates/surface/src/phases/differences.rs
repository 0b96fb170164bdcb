//! The difference of two fluids' fields at the ends of an edge, where a vertex separates them.

use crate::field::blocks::{Blocks, TilePlace};
use crate::field::surroundings::Surroundings;
use crate::field::tile_edge::TileEdge;
use crate::field::volume_fraction::Field;
use crate::phases::labels::Labels;
use hashfall_core::Real;

/// The fields of several fluids, and where each is.
pub(crate) struct Fluids<'a> {
    pub fields: Vec<Field<'a>>,
    pub labels: Labels,
}

impl Fluids<'_> {
    /// The differences of the fluids' fields.
    pub fn differences(&self) -> FluidDifferences<'_> {
        FluidDifferences::new(self)
    }
}

/// Computes the difference of two fluids' fields at the ends of edges; buffers are reused.
pub(crate) struct FluidDifferences<'a> {
    fluids: &'a Fluids<'a>,
    around: Vec<Surroundings>,
}

impl<'a> FluidDifferences<'a> {
    pub fn new(fluids: &'a Fluids<'a>) -> Self {
        let around = fluids.fields.iter().map(|_| Surroundings::default()).collect();
        FluidDifferences { fluids, around }
    }

    /// The field of the fluid at the start of an edge minus that of the fluid at its end, at both
    /// ends; `None` if one of them is the air. The edge is that of a tile of a block, among
    /// `places`.
    pub fn differences(
        &mut self,
        blocks: &Blocks,
        places: &[Option<TilePlace>; 8],
        block: u64,
        edge: TileEdge,
    ) -> Option<[Real; 2]> {
        let end = if edge.is_within { 0 } else { 1 << edge.axis };
        let tiles = [places[0]?, places[end]?];
        let is_inside = |k: usize| blocks.signs(Some(tiles[k])) >> edge.bits[k] & 1 == 1;
        if !(is_inside(0) && is_inside(1)) {
            return None;
        }
        let labels = &self.fluids.labels;
        let [a, b] = [0, 1].map(|k| labels.inside(tiles[k], edge.bits[k]));
        Some([0, 1].map(|k| {
            let [a, b] = [a, b].map(|fluid| {
                labels.value(tiles[k], edge.bits[k], fluid).unwrap_or_else(|| {
                    let fluid = usize::from(fluid) - 1;
                    let around = &mut self.around[fluid];
                    self.fluids.fields[fluid].value_at(around, block, edge.ends[k])
                })
            });
            a - b
        }))
    }
}
