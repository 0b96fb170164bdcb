//! The field on the grid: which side of the surface each point is on, and values near it.
//!
//! φ(x) = Σⱼ Vⱼ W(|x − xⱼ|, h) is the fluid's volume fraction (the field of splashsurf, Löschner et
//! al. 2023); points with φ > iso are inside. Blocks that no particle reaches are outside. The
//! tiles of the others are proved inside (`interior_proof`), proved outside or evaluated (`tile`).
//! The tile that owns a point classifies it, once; neighbours read its bit, so the signs agree
//! everywhere and the mesh closes whatever the rounding. An edge between an evaluated and a proved
//! tile needs a value that was not stored: it is summed separately.
//!
//! Deviations from splashsurf: volumes are given (it derives them), there are no subdomains with
//! ghost particles, and no point is visited where a bound decides.

use crate::field::anisotropic_metric::{Anisotropic, Isotropic, Metric};
use crate::field::blocks::{Blocks, Chunk, INSIDE, OUTSIDE, TileState};
use crate::field::cells::Cells;
use crate::field::grid::{Grid, TILE_POINTS};
use crate::field::interior_proof::InteriorProof;
use crate::field::surroundings::Surroundings;
use crate::field::tile::{self, NearTile};
use hashfall_core::parallel::{chunks, map_parts};
use hashfall_core::simd::{F32x8, Isa, Simd, WithSimd};
use hashfall_core::{Attribute, Real};
use std::marker::PhantomData;

/// Blocks of a task: neighbours along x, which share most of their surroundings.
const CHUNK: usize = 256;

/// The particles and the grid of a field.
pub(crate) struct Field<'a> {
    pub grid: Grid,
    /// Attributes of the particles, in the input order.
    pub input_attributes: &'a [Attribute<'a>],
    /// Attributes in the order of the cells, if that is another.
    pub sorted_attributes: Option<Vec<Attribute<'static>>>,
    pub cells: Cells,
    pub isa: Isa,
}

impl Field<'_> {
    /// Attributes of the particles, in the order of the cells.
    pub fn attributes(&self) -> &[Attribute<'_>] {
        self.sorted_attributes.as_deref().unwrap_or(self.input_attributes)
    }

    /// Classifies every block within reach of a particle.
    pub fn evaluate(&self) -> Blocks {
        if self.cells.is_isotropic() {
            self.evaluate_with::<Isotropic>()
        } else {
            self.evaluate_with::<Anisotropic>()
        }
    }

    fn evaluate_with<S: Metric>(&self) -> Blocks {
        let shape = PhantomData::<S>;
        let reached = self.cells.reached_blocks(&self.grid);
        let inside = InteriorProof::prove(self.isa, &self.grid, &self.cells, &reached);
        let evaluate = |i, keys| {
            self.isa.run(EvaluateBlocks {
                field: self,
                inside: &inside,
                keys,
                first: i * CHUNK,
                shape,
            })
        };
        let chunks = map_parts(chunks(&reached, CHUNK), evaluate);
        let tiles = self.grid.tile_count();
        let (mut places, mut is_inside) = (Vec::new(), Vec::new());
        for (i, chunk) in chunks.iter().enumerate() {
            places.extend((0..chunk.keys.len()).map(|block| (i as u32, block as u32)));
            let state = chunk.states.chunks_exact(tiles);
            is_inside.extend(state.map(|state| state.iter().all(|&state| state == INSIDE)));
        }
        let keys = chunks.iter().flat_map(|chunk| chunk.keys.iter().copied()).collect();
        Blocks { chunks, keys, places, is_inside, tiles }
    }

    /// The field at a point of a block, summed directly.
    pub fn value_at(&self, around: &mut Surroundings, block: u64, at: [usize; 3]) -> Real {
        let at = at.map(|i| i as Real * self.grid.step);
        if self.cells.is_isotropic() {
            self.isa.run(ValueAt {
                field: self,
                around,
                block,
                at,
                shape: PhantomData::<Isotropic>,
            })
        } else {
            let shape = PhantomData::<Anisotropic>;
            self.isa.run(ValueAt { field: self, around, block, at, shape })
        }
    }
}

/// Classifies some blocks.
struct EvaluateBlocks<'a, S> {
    field: &'a Field<'a>,
    inside: &'a InteriorProof,
    /// The blocks, and the place of the first in the list of all.
    keys: &'a [u64],
    first: usize,
    shape: PhantomData<S>,
}

impl<S: Metric> WithSimd for EvaluateBlocks<'_, S> {
    type Output = Chunk;

    #[inline(always)]
    fn run<I: Simd>(self, on: I) -> Chunk {
        let mut buffers =
            Buffers { around: Surroundings::default(), near: NearTile::<S>::default() };
        let mut chunk = Chunk::default();
        for place in 0..self.keys.len() {
            self.evaluate_block(on, place, &mut buffers, &mut chunk);
        }
        chunk.shrink();
        chunk
    }
}

/// Reused buffers of a task.
struct Buffers<S: Metric> {
    around: Surroundings,
    near: NearTile<S>,
}

impl<S: Metric> EvaluateBlocks<'_, S> {
    /// Classifies the tiles of a block, and stores it unless all are outside.
    #[inline(always)]
    fn evaluate_block<I: Simd>(
        &self,
        on: I,
        place: usize,
        buffers: &mut Buffers<S>,
        chunk: &mut Chunk,
    ) {
        let Field { grid, cells, .. } = self.field;
        let Buffers { around, near } = buffers;
        let key = self.keys[place];
        let first = chunk.states.len();
        for tile in 0..grid.tile_count() {
            let is_inside = self.inside.is_inside(self.first + place, tile);
            chunk.states.push(if is_inside { INSIDE } else { OUTSIDE });
        }
        let is_open = |state: &TileState| *state != INSIDE;
        if chunk.states[first..].iter().any(is_open) {
            around.gather(cells, grid, key);
            let all_open = chunk.states[first..].iter().all(is_open);
            if all_open && tile::block_is_outside::<I, S>(on, grid, around) {
                chunk.states.truncate(first);
                return;
            }
            let mut values = [0.0; TILE_POINTS];
            for tile in 0..grid.tile_count() {
                let at = grid.tile_at(tile);
                if chunk.states[first + tile] != INSIDE
                    && tile::evaluate(on, grid, around, at, near, &mut values)
                {
                    chunk.states[first + tile] = chunk.signs.len() as TileState;
                    chunk.signs.push(signs(on, grid.iso, &values));
                    chunk.values.push(values);
                }
            }
        }
        if chunk.states[first..].iter().all(|&state| state == OUTSIDE) {
            chunk.states.truncate(first);
        } else {
            chunk.keys.push(key);
        }
    }
}

/// A bit for each point, whether it is inside.
#[inline(always)]
fn signs<I: Simd>(on: I, iso: Real, values: &[Real; TILE_POINTS]) -> u64 {
    let iso = on.splat(iso);
    let mut signs = 0;
    for (i, eight) in values.as_chunks().0.iter().enumerate() {
        signs |= u64::from(on.load(eight).mask_above(iso)) << (8 * i);
    }
    signs
}

/// Sums the field at one point.
struct ValueAt<'a, S> {
    field: &'a Field<'a>,
    around: &'a mut Surroundings,
    block: u64,
    at: [Real; 3],
    shape: PhantomData<S>,
}

impl<S: Metric> WithSimd for ValueAt<'_, S> {
    type Output = Real;

    #[inline(always)]
    fn run<I: Simd>(self, on: I) -> Real {
        self.around.gather(&self.field.cells, &self.field.grid, self.block);
        tile::value_at::<I, S>(on, self.around, self.at)
    }
}
