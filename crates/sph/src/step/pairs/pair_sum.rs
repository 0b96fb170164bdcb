//! Sums over the pairs of a particle, eight neighbours at a time.
//!
//! What neighbours need to know of a particle stands in the blocks of [`PairData`]. A [`PairSum`]
//! says how many of their numbers it reads (four, eight or twelve: points; vectors, too; extras,
//! too) and what it sums over them. The numbers of eight neighbours are read and transposed into
//! lanes. A list's last block is filled up with the particle itself, without weight.

use crate::step::pairs::pair_data::{Block, PairData};
use crate::step::pairs::prefetch::prefetch_ahead;
use hashfall_core::Real;
use hashfall_core::parallel::{self, CHUNK};
use hashfall_core::simd::{F32x8, Isa, Simd, WithSimd, sum_lanes};
use hashfall_search::{ChunkLists, NeighborLists};
use std::array::from_fn;

/// Neighbours treated together.
const LANES: usize = 8;

/// `N` sums over the pairs of each particle, which read `W` numbers of each.
pub trait PairSum<const W: usize, const N: usize>: Sync {
    /// What comes out for one particle.
    type Out: Send;

    /// Adds the pairs of a particle, its own numbers eight times, with eight `other`s. `slope` is
    /// sᵢⱼ = W′(r)/r \[1/m⁵\], 0 in an idle lane. `#[inline(always)]`, so that it is compiled for
    /// the CPU it runs on.
    fn add<V: F32x8>(&self, sums: &mut [V; N], particle: &[V; W], other: &[V; W], slope: V);

    /// Whether the pairs of particle `i` need not be summed: its sums are taken for 0.
    #[inline(always)]
    fn is_inactive(&self, _i: usize) -> bool {
        false
    }

    /// Turns the sums of particle `i` into what comes out; `#[inline(always)]`, too.
    fn finish(&self, i: usize, sums: [Real; N], out: &mut Self::Out);
}

/// From the other particle to this one.
#[inline(always)]
pub fn displacement<V: F32x8, const W: usize>(particle: &[V; W], other: &[V; W]) -> [V; 3] {
    [particle[0] - other[0], particle[1] - other[1], particle[2] - other[2]]
}

/// Velocities relative to the other particle, which stand behind the points.
#[inline(always)]
pub fn relative_velocity<V: F32x8>(particle: &[V; 8], other: &[V; 8]) -> [V; 3] {
    [particle[4] - other[4], particle[5] - other[5], particle[6] - other[6]]
}

/// The scalar product of eight pairs of vectors.
#[inline(always)]
pub fn dot<V: F32x8>(a: [V; 3], b: [V; 3]) -> V {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// Finds `what` for all particles.
pub fn for_all<const W: usize, const N: usize, P: PairSum<W, N>>(
    isa: Isa,
    lists: &NeighborLists,
    pairs: &PairData,
    what: &P,
    out: &mut [P::Out],
) {
    let blocks = pairs.blocks();
    parallel::fill_chunks(out, &|chunk, out| {
        let lists = lists.chunk(chunk);
        isa.run(SumChunk { first: chunk * CHUNK, lists, blocks, what, out });
    });
}

/// The sums of a chunk of particles.
struct SumChunk<'a, const W: usize, const N: usize, P: PairSum<W, N>> {
    first: usize,
    lists: &'a ChunkLists,
    blocks: [&'a [Block]; 3],
    what: &'a P,
    out: &'a mut [P::Out],
}

impl<const W: usize, const N: usize, P: PairSum<W, N>> WithSimd for SumChunk<'_, W, N, P> {
    type Output = ();

    #[inline(always)]
    fn run<I: Simd>(self, simd: I) {
        let SumChunk { first, lists, blocks, what, out } = self;
        let blocks = first_blocks::<W>(blocks);
        for (k, out) in out.iter_mut().enumerate() {
            let i = first + k;
            if what.is_inactive(i) {
                what.finish(i, [0.0; N], out);
                continue;
            }
            prefetch_ahead(lists, &blocks[..W / 4], k);
            let particle = splat(simd, blocks, i);
            let mut sums = [simd.splat(0.0); N];
            let (neighbors, slopes, count) = lists.blocks_of_pairs(k);
            let (whole, rest) = (count / LANES, count % LANES);
            for (neighbors, slopes) in neighbors[..whole].iter().zip(slopes) {
                let other = gather(simd, blocks, neighbors);
                what.add(&mut sums, &particle, &other, simd.load(slopes));
            }
            if rest > 0 {
                let (neighbors, slopes) = (&neighbors[whole], &slopes[whole]);
                let filled = from_fn(|lane| if lane < rest { neighbors[lane] } else { i as u32 });
                let other = gather(simd, blocks, &filled);
                what.add(&mut sums, &particle, &other, simd.load_partial(rest, slopes));
            }
            what.finish(i, sums.map(|sum| sum_lanes(sum.to_array())), out);
        }
    }
}

/// The blocks of `W` numbers, all of one length, which the optimiser sees: of the checks of a place
/// in each, one is left.
#[inline(always)]
fn first_blocks<const W: usize>(blocks: [&[Block]; 3]) -> [&[Block]; 3] {
    const { assert!(W.is_multiple_of(4) && W <= 12, "a block has four numbers") };
    let count = blocks[0].len();
    from_fn(|k| if 4 * k < W { &blocks[k][..count] } else { &[] })
}

/// The numbers of a particle, eight times.
#[inline(always)]
fn splat<const W: usize, I: Simd>(simd: I, blocks: [&[Block]; 3], i: usize) -> [I::F32x8; W] {
    let mut lanes = [simd.splat(0.0); W];
    for (lanes, block) in lanes.as_chunks_mut::<4>().0.iter_mut().zip(blocks) {
        for (lane, number) in lanes.iter_mut().zip(block[i]) {
            *lane = simd.splat(number);
        }
    }
    lanes
}

/// The numbers of eight neighbours, column by column.
#[inline(always)]
fn gather<const W: usize, I: Simd>(
    simd: I,
    blocks: [&[Block]; 3],
    neighbors: &[u32; LANES],
) -> [I::F32x8; W] {
    let [a, b, c, d, e, f, g, h] = *neighbors;
    let mut lanes = [simd.splat(0.0); W];
    for (lanes, block) in lanes.as_chunks_mut::<4>().0.iter_mut().zip(blocks) {
        let row = |j: u32| &block[j as usize];
        *lanes = simd.transpose([row(a), row(b), row(c), row(d), row(e), row(f), row(g), row(h)]);
    }
    lanes
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashfall_core::Vec3;
    use hashfall_geometry::random::Random;
    use hashfall_search::{NeighborSearch, UniformHash};

    /// Σ s (a − b), with a and b the last numbers of the records.
    struct LastNumbers;

    impl<const W: usize> PairSum<W, 1> for LastNumbers {
        type Out = Real;

        #[inline(always)]
        fn add<V: F32x8>(&self, [sum]: &mut [V; 1], particle: &[V; W], other: &[V; W], slope: V) {
            *sum += slope * (particle[W - 1] - other[W - 1]);
        }

        #[inline(always)]
        fn finish(&self, _: usize, [sum]: [Real; 1], out: &mut Real) {
            *out = sum;
        }
    }

    /// Crowds of 1 to 20 points far from each other, over more than two chunks.
    fn crowds() -> Vec<Vec3> {
        let mut random = Random::new(3);
        let mut points = Vec::new();
        for crowd in 0.. {
            let centre = Vec3::new(crowd as Real, 0.0, 0.0);
            points.extend(
                (0..1 + crowd % 20).map(|_| centre + random.point(-0.1, 0.1).map(|x| x as Real)),
            );
            if points.len() > 2 * CHUNK {
                break;
            }
        }
        points
    }

    fn assert_sums<const W: usize>(points: &[Vec3], lists: &NeighborLists) {
        let mut random = Random::new(W as u64);
        let number = |random: &mut Random| random.number(-1.0, 1.0) as Real;
        let records: Vec<[Real; W]> =
            points.iter().map(|_| from_fn(|_| number(&mut random))).collect();
        let block = |k: usize| records.iter().map(|r| from_fn(|n| r[(4 * k + n) % W])).collect();
        let pairs = PairData::from_blocks(block(0), block(1));
        let wanted: Vec<f64> = (0..points.len())
            .map(|i| {
                let weight = |j: usize| f64::from((points[i] - points[j]).norm_squared());
                let displacement = |j: usize| f64::from(records[i][W - 1] - records[j][W - 1]);
                lists.of(i).iter().map(|&j| weight(j as usize) * displacement(j as usize)).sum()
            })
            .collect();
        for isa in Isa::available() {
            let mut found = vec![Real::NAN; points.len()];
            for_all::<W, 1, _>(isa, lists, &pairs, &LastNumbers, &mut found);
            for (i, (found, wanted)) in found.iter().zip(&wanted).enumerate() {
                let displacement = (f64::from(*found) - wanted).abs();
                assert!(displacement < 1e-6, "{isa:?}: {found} for {wanted} at {i}");
            }
        }
    }

    #[test]
    fn sums_are_those_over_each_pair() {
        let points = crowds();
        let mut search = UniformHash::default();
        search.rebuild(&points, 0.5);
        let mut lists = NeighborLists::with_squares();
        lists.build(&search, &points, 0.5);
        let lengths: Vec<usize> = (0..points.len()).map(|i| lists.of(i).len()).collect();
        assert!((0..20).all(|length| lengths.contains(&length)), "{lengths:?}");
        assert_sums::<4>(&points, &lists);
        assert_sums::<8>(&points, &lists);
    }
}
