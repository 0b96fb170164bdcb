//! Sums over the pairs of a particle, eight neighbours at a time.
//!
//! What neighbours need to know of a particle stands side by side in one [`Record`], so that a
//! neighbour costs one place in memory. Eight records are read and transposed into lanes; what is
//! summed over them a [`PairSum`] says. A list's last block is filled up with the particle itself,
//! without weight.

use crate::base::isa::{HotLoop, Instructions, Isa, sum_lanes};
use crate::base::parallel::CHUNK;
use crate::base::{Real, Vec3};
use crate::search::{ChunkLists, NeighborLists};
use rayon::prelude::*;

/// What neighbours read of a particle; x, y and z stand first.
pub type Record = [Real; 8];

/// Neighbours treated together: as many as a record has numbers.
pub const LANES: usize = 8;

/// Eight neighbours, as lanes.
pub struct Block {
    /// The numbers of their records, number by number.
    pub records: [[Real; LANES]; 8],
    /// sᵢⱼ = W′(r)/r of each pair \[1/m⁵\]; 0 in an idle lane.
    pub slopes: [Real; LANES],
}

/// Something summed over the pairs of each particle.
pub trait PairSum: Sync {
    /// The sums of one particle, on lanes.
    type Sums: Default;

    /// What comes out for one particle.
    type Out: Send;

    /// Adds eight pairs; `#[inline(always)]`, so that it is compiled for the CPU it runs on.
    fn add(&self, sums: &mut Self::Sums, own: &Record, block: &Block);

    /// Turns the sums of particle `i` into what comes out; `#[inline(always)]`, too.
    fn finish(&self, i: usize, sums: &Self::Sums, out: &mut Self::Out);
}

/// A vector summed on lanes.
#[inline(always)]
pub fn sum_vector([x, y, z]: &[[Real; LANES]; 3]) -> Vec3 {
    Vec3::new(sum_lanes(*x), sum_lanes(*y), sum_lanes(*z))
}

/// Finds `what` for all particles, whose `records` stand in the order of `lists`.
pub fn for_all<P: PairSum>(
    isa: Isa,
    lists: &NeighborLists,
    records: &[Record],
    what: &P,
    out: &mut [P::Out],
) {
    out.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, out)| {
        let lists = lists.chunk(chunk);
        isa.run(SumChunk { first: chunk * CHUNK, lists, records, what, out });
    });
}

/// The sums of a chunk of particles.
struct SumChunk<'a, P: PairSum> {
    first: usize,
    lists: &'a ChunkLists,
    records: &'a [Record],
    what: &'a P,
    out: &'a mut [P::Out],
}

impl<P: PairSum> HotLoop for SumChunk<'_, P> {
    type Answer = ();

    #[inline(always)]
    fn run<I: Instructions>(self, instructions: I) {
        let SumChunk { first, lists, records, what, out } = self;
        for (k, out) in out.iter_mut().enumerate() {
            let i = first + k;
            let own = &records[i];
            let mut sums = P::Sums::default();
            let (neighbors, slopes) = lists.pairs(k);
            let ((neighbors, rest), (slopes, slopes_of_rest)) =
                (neighbors.as_chunks::<LANES>(), slopes.as_chunks::<LANES>());
            for (neighbors, slopes) in neighbors.iter().zip(slopes) {
                what.add(&mut sums, own, &gather(instructions, records, neighbors, slopes));
            }
            if !rest.is_empty() {
                let (mut neighbors, mut slopes) = ([i as u32; LANES], [0.0; LANES]);
                neighbors.iter_mut().zip(rest).for_each(|(lane, j)| *lane = *j);
                slopes.iter_mut().zip(slopes_of_rest).for_each(|(lane, slope)| *lane = *slope);
                what.add(&mut sums, own, &gather(instructions, records, &neighbors, &slopes));
            }
            what.finish(i, &sums, out);
        }
    }
}

/// Eight neighbours as lanes.
#[inline(always)]
fn gather<I: Instructions>(
    instructions: I,
    records: &[Record],
    neighbors: &[u32; LANES],
    slopes: &[Real; LANES],
) -> Block {
    let [a, b, c, d, e, f, g, h] = *neighbors;
    let row = |j: u32| &records[j as usize];
    let rows = [row(a), row(b), row(c), row(d), row(e), row(f), row(g), row(h)];
    Block { records: instructions.transpose(rows), slopes: *slopes }
}
