//! Sums over the pairs of a particle, two neighbours at a time, each a row of four numbers.
//!
//! Where what is summed over pairs is a vector or a tensor, its axes fill a register as well as
//! neighbours do: a row (x, y, z and a scalar) of each of two neighbours goes from memory into a
//! register as it is. Nothing is transposed, the sums of a particle come out as rows, and a list
//! that is no multiple of eight leaves at most one row idle. Against [`super::pair_sum`], which has
//! the same number of eight neighbours in a register, a sum of products of vectors takes half the
//! time (docs/performance.md).
//!
//! Pair k of a list is added to the sums k mod 4; these are added as (0 + 2) + (1 + 3): one order
//! for every instruction set. More sums than [`MAX_DOUBLED`] are k mod 2, 0 + 1: they leave no
//! registers for twice as many, and keep a processor busy while each waits for its last addition.
//! An idle row is the particle itself, without weight.

use crate::step::pairs::pair_data::Block;
use crate::step::pairs::prefetch::prefetch_ahead;
use hashfall_core::Real;
use hashfall_core::parallel::{self, CHUNK};
use hashfall_core::simd::{F32x8, Isa, Simd, WithSimd};
use hashfall_search::{ChunkLists, NeighborLists};

/// The most sums that are kept twice.
const MAX_DOUBLED: usize = 6;

/// `N` sums of rows over the pairs of each particle, which read `B` rows of each.
pub trait RowSum<const B: usize, const N: usize>: Sync {
    /// What comes out for one particle.
    type Out: Send;

    /// Adds the pairs of a particle, its own rows twice, with two `other`s. `slope` is
    /// sᵢⱼ = W′(r)/r \[1/m⁵\] of each, four times, 0 in an idle row. `#[inline(always)]`, so that
    /// it is compiled for the CPU it runs on.
    fn add<V: F32x8>(&self, sums: &mut [V; N], particle: &[V; B], other: &[V; B], slope: V);

    /// Whether the pairs of particle `i` need not be summed: its sums are taken for 0.
    #[inline(always)]
    fn is_inactive(&self, _i: usize) -> bool {
        false
    }

    /// Turns the sums of particle `i` into what comes out; `#[inline(always)]`, too.
    fn finish(&self, i: usize, sums: [[Real; 4]; N], out: &mut Self::Out);
}

/// The same, with four coefficients of each pair beside its slope, which stand in the order of the
/// lists.
pub trait StoredSum<const B: usize, const N: usize>: Sync {
    /// What comes out for one particle.
    type Out: Send;

    /// The coefficients of the pairs of a chunk.
    fn coefficients(&self, chunk: usize) -> &[[i16; 4]];

    /// As [`RowSum::add`], with a row of `coefficients` for each of the two; 0 in an idle row.
    fn add<V: F32x8>(
        &self,
        sums: &mut [V; N],
        particle: &[V; B],
        other: &[V; B],
        slope: V,
        coefficients: V,
    );

    /// As [`RowSum::finish`].
    fn finish(&self, i: usize, sums: [[Real; 4]; N], out: &mut Self::Out);
}

/// Scalar products of the vectors of two rows each, at all three places.
#[inline(always)]
pub fn dot<V: F32x8>(a: V, b: V) -> V {
    let products = a * b;
    products + products.rotate_left() + products.rotate_right()
}

/// Finds `what` for all particles; `blocks` have a row for each particle and ghost.
pub fn for_all<const B: usize, const N: usize, P: RowSum<B, N>>(
    isa: Isa,
    lists: &NeighborLists,
    blocks: [&[Block]; B],
    what: &P,
    out: &mut [P::Out],
) {
    parallel::fill_chunks(out, &|chunk, out| for_chunk(isa, lists, blocks, what, chunk, out));
}

/// Finds `what` for the particles of a chunk of [`CHUNK`], of this number.
#[inline]
pub fn for_chunk<const B: usize, const N: usize, P: RowSum<B, N>>(
    isa: Isa,
    lists: &NeighborLists,
    blocks: [&[Block]; B],
    what: &P,
    chunk: usize,
    out: &mut [P::Out],
) {
    let lists = lists.chunk(chunk);
    isa.run(SumChunk { first: chunk * CHUNK, lists, blocks, what, out });
}

/// As [`for_all`], with coefficients of the pairs.
pub fn for_all_stored<const B: usize, const N: usize, P: StoredSum<B, N>>(
    isa: Isa,
    lists: &NeighborLists,
    blocks: [&[Block]; B],
    what: &P,
    out: &mut [P::Out],
) {
    parallel::fill_chunks(out, &|chunk, out| {
        let coefficients = what.coefficients(chunk);
        let lists = lists.chunk(chunk);
        isa.run(SumStored { first: chunk * CHUNK, lists, blocks, coefficients, what, out });
    });
}

/// The sums of a chunk of particles.
struct SumChunk<'a, const B: usize, const N: usize, P: RowSum<B, N>> {
    first: usize,
    lists: &'a ChunkLists,
    blocks: [&'a [Block]; B],
    what: &'a P,
    out: &'a mut [P::Out],
}

impl<const B: usize, const N: usize, P: RowSum<B, N>> WithSimd for SumChunk<'_, B, N, P> {
    type Output = ();

    #[inline(always)]
    fn run<I: Simd>(self, simd: I) {
        let SumChunk { first, lists, blocks, what, out } = self;
        let blocks = of_one_length(blocks);
        for (k, out) in out.iter_mut().enumerate() {
            let i = first + k;
            if what.is_inactive(i) {
                what.finish(i, [[0.0; 4]; N], out);
                continue;
            }
            let sums = sum_pairs(simd, [i, k], lists, blocks, &[], &Plain(what));
            what.finish(i, sums, out);
        }
    }
}

/// The sums of a chunk of particles, with coefficients of the pairs.
struct SumStored<'a, const B: usize, const N: usize, P: StoredSum<B, N>> {
    first: usize,
    lists: &'a ChunkLists,
    blocks: [&'a [Block]; B],
    coefficients: &'a [[i16; 4]],
    what: &'a P,
    out: &'a mut [P::Out],
}

impl<const B: usize, const N: usize, P: StoredSum<B, N>> WithSimd for SumStored<'_, B, N, P> {
    type Output = ();

    #[inline(always)]
    fn run<I: Simd>(self, simd: I) {
        let SumStored { first, lists, blocks, coefficients, what, out } = self;
        let blocks = of_one_length(blocks);
        for (k, out) in out.iter_mut().enumerate() {
            let i = first + k;
            let rows = &coefficients[lists.range(k)];
            let sums = sum_pairs(simd, [i, k], lists, blocks, rows, &Stored(what));
            what.finish(i, sums, out);
        }
    }
}

/// Blocks of one length, which the optimiser sees: of the checks of a place, one is left.
#[inline(always)]
fn of_one_length<const B: usize>(blocks: [&[Block]; B]) -> [&[Block]; B] {
    let count = blocks[0].len();
    let mut same: [&[Block]; B] = [&[]; B];
    for (rows, block) in same.iter_mut().zip(blocks) {
        *rows = &block[..count];
    }
    same
}

/// What two pairs add to sums. Closures are not inlined for sure.
trait AddTwo<const B: usize, const N: usize> {
    fn add<V: F32x8>(&self, sums: &mut [V; N], rows: [&[V; B]; 2], slope: V, coefficients: V);
}

struct Plain<'a, P>(&'a P);

impl<const B: usize, const N: usize, P: RowSum<B, N>> AddTwo<B, N> for Plain<'_, P> {
    #[inline(always)]
    fn add<V: F32x8>(&self, sums: &mut [V; N], [particle, other]: [&[V; B]; 2], slope: V, _: V) {
        self.0.add(sums, particle, other, slope);
    }
}

struct Stored<'a, P>(&'a P);

impl<const B: usize, const N: usize, P: StoredSum<B, N>> AddTwo<B, N> for Stored<'_, P> {
    #[inline(always)]
    fn add<V: F32x8>(&self, sums: &mut [V; N], [particle, other]: [&[V; B]; 2], slope: V, c: V) {
        self.0.add(sums, particle, other, slope, c);
    }
}

/// Sums over the pairs of a particle, at this place of its chunk. There are coefficients for all
/// pairs or for none.
#[inline(always)]
fn sum_pairs<I: Simd, const B: usize, const N: usize>(
    simd: I,
    [i, k]: [usize; 2],
    lists: &ChunkLists,
    blocks: [&[Block]; B],
    coefficients: &[[i16; 4]],
    what: &impl AddTwo<B, N>,
) -> [[Real; 4]; N] {
    let odd = usize::from(N <= MAX_DOUBLED);
    prefetch_ahead(lists, &blocks, k);
    let particle = rows(simd, blocks, [i; 2]);
    let none = simd.splat(0.0);
    let mut sums = [[none; N]; 2];
    let (neighbors, slopes) = lists.pairs(k);
    let (fours, rest) = neighbors.as_chunks::<4>();
    let (slopes_of_fours, slopes) = slopes.as_chunks::<4>();
    let (of_fours, of_rest) = coefficients.as_chunks::<4>();
    let mut of_fours = of_fours.iter();
    for (&[a, b, c, d], &[p, q, r, s]) in fours.iter().zip(slopes_of_fours) {
        let stored = match of_fours.next() {
            Some(&[a, b, c, d]) => [simd.whole_rows(&[a, b]), simd.whole_rows(&[c, d])],
            None => [none; 2],
        };
        let other = rows(simd, blocks, [a as usize, b as usize]);
        what.add(&mut sums[0], [&particle, &other], simd.splat_rows(p, q), stored[0]);
        let other = rows(simd, blocks, [c as usize, d as usize]);
        what.add(&mut sums[odd], [&particle, &other], simd.splat_rows(r, s), stored[1]);
    }
    let mut of_rest = of_rest.chunks(2);
    for ((two, slopes), at) in rest.chunks(2).zip(slopes.chunks(2)).zip([0, odd]) {
        let second = two.get(1).map_or(i, |&second| second as usize);
        let other = rows(simd, blocks, [two[0] as usize, second]);
        let slope = slopes.get(1).copied().unwrap_or_default();
        let stored = match of_rest.next() {
            Some(&[a, b]) => simd.whole_rows(&[a, b]),
            Some(stored) => simd.whole_rows(&[stored[0], [0; 4]]),
            None => none,
        };
        what.add(&mut sums[at], [&particle, &other], simd.splat_rows(slopes[0], slope), stored);
    }
    let [even, odd] = sums;
    let mut totals = [[0.0; 4]; N];
    for ((total, even), odd) in totals.iter_mut().zip(even).zip(odd) {
        *total = (even + odd).add_rows();
    }
    totals
}

/// The rows of two particles.
#[inline(always)]
pub fn rows<const B: usize, I: Simd>(
    simd: I,
    blocks: [&[Block]; B],
    [first, second]: [usize; 2],
) -> [I::F32x8; B] {
    // Not `map`, which compilers call.
    let mut rows = [simd.splat(0.0); B];
    for (rows, block) in rows.iter_mut().zip(blocks) {
        *rows = simd.rows(&block[first], &block[second]);
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashfall_core::Vec3;
    use hashfall_geometry::random::Random;
    use hashfall_search::{NeighborSearch, UniformHash};

    /// Σ s (a − b) of rows, and Σ s times the other's second row, turned.
    struct Differences;

    impl RowSum<2, 2> for Differences {
        type Out = [[Real; 4]; 2];

        #[inline(always)]
        fn add<V: F32x8>(&self, sums: &mut [V; 2], particle: &[V; 2], other: &[V; 2], slope: V) {
            sums[0] += slope * (particle[0] - other[0]);
            sums[1] += slope * other[1].rotate_left();
        }

        #[inline(always)]
        fn finish(&self, _: usize, sums: [[Real; 4]; 2], out: &mut [[Real; 4]; 2]) {
            *out = sums;
        }
    }

    /// Crowds of 1 to 20 points far from each other, over more than two chunks.
    fn crowds(random: &mut Random) -> Vec<Vec3> {
        let crowd = |k: usize| std::iter::repeat_n(k as Real, 1 + k % 20);
        let centres = (0..).flat_map(crowd).take(2 * CHUNK + 17);
        let mut point = || random.point(-0.1, 0.1).map(|x| x as Real);
        centres.map(|x| Vec3::new(x, 0.0, 0.0) + point()).collect()
    }

    #[test]
    fn sums_are_those_over_each_pair_on_every_instruction_set() {
        let mut random = Random::new(3);
        let points = crowds(&mut random);
        let mut search = UniformHash::default();
        search.rebuild(&points, 0.5);
        let mut lists = NeighborLists::with_squares();
        lists.build(&search, &points, 0.5);
        let lengths: Vec<usize> = (0..points.len()).map(|i| lists.of(i).len()).collect();
        assert!((0..20).all(|length| lengths.contains(&length)), "{lengths:?}");
        let mut rows = || {
            let row = |_: &Vec3| [0; 4].map(|_| random.number(-1.0, 1.0) as Real);
            points.iter().map(row).collect::<Vec<Block>>()
        };
        let blocks = [rows(), rows()];
        let weight = |i: usize, j: usize| f64::from((points[i] - points[j]).norm_squared());
        let wanted = |i: usize, n: usize, axis: usize| -> f64 {
            let of_pair = |&j: &u32| {
                let j = j as usize;
                let [particle, other] = [i, j].map(|k| f64::from(blocks[0][k][axis]));
                let turned = f64::from(blocks[1][j][[1, 2, 0, 3][axis]]);
                weight(i, j) * [particle - other, turned][n]
            };
            lists.of(i).iter().map(of_pair).sum()
        };
        let mut first: Option<Vec<[[Real; 4]; 2]>> = None;
        for isa in Isa::available() {
            let mut found = vec![[[Real::NAN; 4]; 2]; points.len()];
            for_all(isa, &lists, blocks.each_ref().map(|b| &b[..]), &Differences, &mut found);
            for (i, n, axis) in (0..8 * points.len()).map(|k| (k / 8, k / 4 % 2, k % 4)) {
                let (found, wanted) = (f64::from(found[i][n][axis]), wanted(i, n, axis));
                assert!((found - wanted).abs() < 1e-6, "{isa:?}: {found} for {wanted} at {i}");
            }
            assert_eq!(*first.get_or_insert_with(|| found.clone()), found, "{isa:?}");
        }
    }
}
