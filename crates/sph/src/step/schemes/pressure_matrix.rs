//! The matrix of the [projection](crate::step::schemes::projection), −D ρ₀⁻¹ G + ε S, for many
//! products at the same places.
//!
//! While pressures are sought, coefficients do not change. Those of G and S are written once, in
//! the order of the lists, a row of four numbers for each pair:
//!
//! - wᵢⱼ = sᵢⱼ Lⱼ xᵢⱼ, by which (G p)ᵢ = V Σⱼ wᵢⱼ pⱼ + Lᵢ (cᵢ + 2 ∇λᵢ) pᵢ;
//! - kᵢⱼ = sᵢⱼ 2/(ρ₀ᵢ + ρ₀ⱼ), by which (S p)ᵢ = V Σⱼ kᵢⱼ (pⱼ − pᵢ).
//!
//! So a product streams through rows and gathers one number of each neighbour, where it would
//! gather twelve. D reads the places and accelerations of neighbours: its coefficients would take
//! another 12 bytes a pair, for a fifteenth of the time (docs/performance.md).
//!
//! Pair k of a list is added to the sums k mod 8; these are added as
//! ((0 + 4) + (2 + 6)) + ((1 + 5) + (3 + 7)): one order for every instruction set.
//!
//! Symbols: λ \[–\], V \[m³\], p \[Pa\], s \[1/m⁵\], ρ₀ \[kg/m³\].

use crate::step::bodies::coupling::BodyOperator;
use crate::step::pairs::moment::Moment;
use crate::step::pairs::neighborhood::Neighborhood;
use crate::step::pairs::pair_data::{Block, PairData};
use crate::step::pairs::row_sum;
use crate::step::schemes::bounded_cg::Operator;
use crate::step::schemes::pressure_operator::{Divergence, STABILISATION, corrected};
use hashfall_core::Real;
use hashfall_core::parallel::{self, CHUNK, chunks_mut, for_parts};
use hashfall_core::simd::{F32x8, Isa, Simd, WithSimd};
use hashfall_search::ChunkLists;

/// Pairs that are added together.
const AT_ONCE: usize = 8;

/// Coefficients and results; keeps its buffers between solutions.
#[derive(Debug)]
pub struct PressureMatrix {
    isa: Isa,
    /// w \[1/m⁴\] and k \[1/(kg m²)\] of the pairs of each chunk of particles.
    rows: Vec<Vec<Block>>,
    /// Lᵢ (cᵢ + 2 ∇λᵢ) \[1/m\], and −1/ρ₀ \[m³/kg\].
    self_terms: Vec<Block>,
    /// p of particles and ghosts \[Pa\].
    argument: Vec<Real>,
    /// −ρ₀⁻¹ G p \[m/s²\] and S p \[1/s²\], of ghosts, too.
    pushes: Vec<Block>,
}

/// The matrix at the places for which it was updated last.
pub struct Matrix<'a> {
    /// Its coefficients.
    pub coefficients: &'a mut PressureMatrix,
    /// The surroundings of the particles.
    pub neighborhood: &'a Neighborhood,
    /// Points.
    pub pairs: &'a PairData,
    /// L.
    pub moments: &'a [Moment],
    /// What the fluid yields \[1/(Pa s²)\].
    pub yielding: Real,
    /// What bodies add that the fluid moves.
    pub bodies: Option<BodyOperator<'a>>,
}

impl PressureMatrix {
    /// No coefficients yet, with this instruction set.
    pub fn new(isa: Isa) -> Self {
        PressureMatrix {
            isa,
            rows: Vec::new(),
            self_terms: Vec::new(),
            argument: Vec::new(),
            pushes: Vec::new(),
        }
    }

    /// Finds the coefficients. Vectors and extras of `pairs` are those of
    /// [`correction_rows`](crate::step::schemes::pressure_operator::correction_rows).
    pub fn update(
        &mut self,
        neighborhood: &Neighborhood,
        pairs: &PairData,
        moments: &[Moment],
        inverse_densities: &[Real],
    ) {
        let n = moments.len();
        self.self_terms.resize(n, Block::default());
        parallel::fill(&mut self.self_terms, |i, self_term| {
            let moment = &moments[i];
            let o = moment.correction * (moment.fluid + neighborhood.boundary.gradient[i] * 2.0);
            *self_term = [o.x, o.y, o.z, -inverse_densities[i]];
        });
        self.argument.resize(pairs.row_count(), 0.0);
        self.pushes.resize(pairs.row_count(), Block::default());
        self.rows.resize_with(n.div_ceil(CHUNK), Vec::new);
        let (isa, blocks) = (self.isa, pairs.blocks());
        parallel::fill_pieces(&mut self.rows, &|chunk, rows| {
            let (first, lists) = (chunk * CHUNK, neighborhood.lists.chunk(chunk));
            let places = first..n.min(first + CHUNK);
            let count = (0..places.len()).map(|k| lists.pairs(k).0.len()).sum();
            if rows.len() < count {
                // In small steps, so that little is left over for good.
                rows.reserve_exact(count + count / 16 - rows.len());
            }
            rows.resize(count, Block::default());
            isa.run(FindRows { places, lists, blocks, rows });
        });
    }

    /// −ρ₀⁻¹ G p \[m/s²\] and S p \[1/s²\] of each particle, of the last argument.
    pub fn pushes(&self) -> &[Block] {
        &self.pushes[..self.self_terms.len()]
    }
}

impl Matrix<'_> {
    /// Finds −ρ₀⁻¹ G p and S p of the argument.
    pub fn push(&mut self) {
        let Matrix { coefficients, neighborhood, pairs, .. } = self;
        let PressureMatrix { isa, rows, self_terms, argument, pushes } = &mut **coefficients;
        let n = self_terms.len();
        parallel::fill_chunks(&mut pushes[..n], &|chunk, out| {
            let (first, lists) = (chunk * CHUNK, neighborhood.lists.chunk(chunk));
            let rows = &rows[chunk];
            isa.run(Push {
                first,
                lists,
                rows,
                self_terms,
                argument,
                volume: neighborhood.volume,
                out,
            });
        });
        pairs.copy_to_ghosts(pushes);
    }
}

impl Operator for Matrix<'_> {
    fn set_argument<T: Send>(
        &mut self,
        items: &mut [T],
        entries: impl Fn(usize, &mut [T], &mut [Real]) + Sync,
    ) {
        let (argument, images) = self.coefficients.argument.split_at_mut(items.len());
        let parts = (chunks_mut(items, CHUNK), chunks_mut(argument, CHUNK));
        for_parts(parts, |chunk, (items, argument)| entries(chunk * CHUNK, items, argument));
        let offsets = self.pairs.ghosts().offsets();
        parallel::fill(images, |k, x| *x = argument[offsets[k].0 as usize]);
    }

    fn multiply<F: Send>(
        &mut self,
        out: &mut [Real],
        folds: &mut [F],
        take: impl Fn(usize, &mut [Real]) -> F + Sync,
    ) {
        self.push();
        let Matrix { coefficients, neighborhood, pairs, moments, yielding, bodies } = self;
        let PressureMatrix { isa, argument, pushes, .. } = &**coefficients;
        if let Some(bodies) = bodies {
            bodies.respond(argument);
        }
        let bodies = bodies.as_ref();
        let [points, ..] = pairs.blocks();
        let sum = Divergence { neighborhood, velocities: pushes, moments, fluxes: &[] };
        parallel::fill_chunks_with(out, folds, &|chunk, out, fold| {
            row_sum::for_chunk(*isa, &neighborhood.lists, [points, pushes], &sum, chunk, out);
            let first = chunk * CHUNK;
            for (i, out) in (first..).zip(&mut *out) {
                *out += STABILISATION * pushes[i][3] + *yielding * argument[i];
            }
            if let Some(bodies) = bodies {
                bodies.add(chunk, out);
            }
            *fold = take(first, out);
        });
    }
}

/// Finds the rows of the pairs of a chunk.
struct FindRows<'a> {
    places: std::ops::Range<usize>,
    lists: &'a ChunkLists,
    blocks: [&'a [Block]; 3],
    rows: &'a mut [Block],
}

impl WithSimd for FindRows<'_> {
    type Output = ();

    #[inline(always)]
    fn run<I: Simd>(self, simd: I) {
        let FindRows { places, lists, blocks, rows } = self;
        let mut rows = rows;
        for (k, i) in places.enumerate() {
            let particle = row_sum::rows(simd, blocks, [i; 2]);
            let (neighbors, slopes) = lists.pairs(k);
            let (of_list, others) = std::mem::take(&mut rows).split_at_mut(neighbors.len());
            rows = others;
            let twos = neighbors.chunks(2).zip(slopes.chunks(2));
            for ((two, slopes), rows) in twos.zip(of_list.chunks_mut(2)) {
                let second = two.get(1).map_or(i, |&second| second as usize);
                let other = row_sum::rows(simd, blocks, [two[0] as usize, second]);
                let slope = simd.splat_rows(slopes[0], slopes.get(1).copied().unwrap_or_default());
                // The fourth numbers of the extras are densities.
                let mean = simd.splat(2.0) / (particle[2] + other[2]);
                let w = corrected(&other, slope * (particle[0] - other[0]));
                let found = w.with_fourth(slope * mean).to_array();
                rows.copy_from_slice(&found.as_chunks().0[..rows.len()]);
            }
        }
    }
}

/// Multiplies a chunk of the argument.
struct Push<'a> {
    first: usize,
    lists: &'a ChunkLists,
    rows: &'a [Block],
    self_terms: &'a [Block],
    argument: &'a [Real],
    volume: Real,
    out: &'a mut [Block],
}

impl WithSimd for Push<'_> {
    type Output = ();

    #[inline(always)]
    fn run<I: Simd>(self, simd: I) {
        let Push { first, lists, mut rows, self_terms, argument, volume, out } = self;
        for (k, out) in out.iter_mut().enumerate() {
            let p = argument[first + k];
            let (neighbors, _) = lists.pairs(k);
            let (of_list, others) = rows.split_at(neighbors.len());
            rows = others;
            // From each neighbour's p, four times, which leaves differences for k.
            let particle_p = simd.rows(&[0.0, 0.0, 0.0, p], &[0.0, 0.0, 0.0, p]);
            let mut sums = [simd.splat(0.0); AT_ONCE / 2];
            let (eights, rest) = neighbors.as_chunks::<AT_ONCE>();
            let (rows_of_eights, rows_of_rest) = of_list.as_chunks::<AT_ONCE>();
            for (neighbors, rows) in eights.iter().zip(rows_of_eights) {
                let twos = neighbors.as_chunks::<2>().0.iter().zip(rows.as_chunks::<2>().0);
                for ((&[a, b], [row_a, row_b]), sum) in twos.zip(&mut sums) {
                    let p = simd.splat_rows(argument[a as usize], argument[b as usize]);
                    *sum += simd.rows(row_a, row_b) * (p - particle_p);
                }
            }
            let twos = rest.chunks(2).zip(rows_of_rest.chunks(2));
            for ((neighbors, rows), sum) in twos.zip(&mut sums) {
                // An idle row is that of the particle itself, without weight.
                let (second, row) = match (neighbors, rows) {
                    ([_, second], [_, row]) => (argument[*second as usize], row),
                    _ => (p, &[0.0; 4]),
                };
                let p = simd.splat_rows(argument[neighbors[0] as usize], second);
                *sum += simd.rows(&rows[0], row) * (p - particle_p);
            }
            let [a, b, c, d] = sums;
            let [x, y, z, jumps] = ((a + c) + (b + d)).add_rows();
            let [u, v, w, minus_inverse] = self_terms[first + k];
            let a = [x * volume + u * p, y * volume + v * p, z * volume + w * p];
            *out =
                [a[0] * minus_inverse, a[1] * minus_inverse, a[2] * minus_inverse, volume * jumps];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::step::pairs::moments::Moments;
    use crate::step::schemes::pressure_operator::correction_rows;
    use crate::step::tests::{DFSPH, neighborhood, splash};
    use hashfall_core::Vec3;
    use hashfall_geometry::random::Random;

    /// A x by the definitions, in doubles, of a world of two fluids over a ball.
    #[test]
    fn products_are_those_of_the_definitions_and_of_a_symmetric_matrix() {
        let mut world = splash(DFSPH);
        let (neighborhood, mut pairs) = neighborhood(&mut world);
        let isa = Isa::current();
        let mut moments = Moments::new(isa);
        moments.update(&world, &neighborhood, &mut pairs);
        let (x, phase) = (&world.particles.position, &world.particles.phase);
        let n = x.len();
        let density = |i: usize| world.fluids[usize::from(phase[i])].rest_density;
        let all = &moments.all;
        pairs.set_both(|i| correction_rows(&all[i], density(i)));
        let inverse: Vec<Real> = (0..n).map(|i| 1.0 / density(i)).collect();
        let mut random = Random::new(7);
        let mut arguments =
            [0; 2].map(|_| (0..n).map(|_| random.number(-1.0, 1.0) as Real).collect::<Vec<_>>());
        let mut results = [vec![0.0; n], vec![0.0; n]];
        for isa in Isa::available() {
            let mut coefficients = PressureMatrix::new(isa);
            coefficients.update(&neighborhood, &pairs, all, &inverse);
            for (argument, result) in arguments.iter_mut().zip(&mut results) {
                let before = result.clone();
                let (neighborhood, pairs, coefficients) =
                    (&neighborhood, &pairs, &mut coefficients);
                let (moments, yielding, bodies) = (&all[..], 0.25, None);
                let mut matrix =
                    Matrix { coefficients, neighborhood, pairs, moments, yielding, bodies };
                matrix.set_argument(argument, |_, items, x| x.copy_from_slice(items));
                matrix.multiply(result, &mut vec![(); n.div_ceil(CHUNK)], |_, _| ());
                assert!(isa.name() == "baseline" || *result == before, "{isa:?}");
            }
        }
        let [p, q] = &arguments;
        let slope = |r: Real| world.kernel().slope_over_r(r);
        let weight = |i: usize, j: usize| neighborhood.volume * slope((x[i] - x[j]).norm());
        let neighbors = |i: usize| neighborhood.lists.of(i).iter().map(|&j| j as usize);
        let walls = |i: usize| neighborhood.boundary.gradient[i] * 2.0;
        let push = |i: usize| -> Vec3 {
            let of_pair = |j: usize| all[j].correction * (x[i] - x[j]) * (weight(i, j) * p[j]);
            let self_term = all[i].correction * (all[i].fluid + walls(i)) * p[i];
            (neighbors(i).map(of_pair).sum::<Vec3>() + self_term) * -inverse[i]
        };
        let pushes: Vec<Vec3> = (0..n).map(push).collect();
        let largest = results[0].iter().fold(0.0, |most: Real, x| most.max(x.abs()));
        for i in 0..n {
            let of_pair = |j: usize| {
                let gradient = all[i].correction * (x[i] - x[j]) * weight(i, j);
                let mean = 2.0 / (density(i) + density(j));
                let jump = STABILISATION * weight(i, j) * mean * (p[i] - p[j]);
                (pushes[j] - pushes[i]).dot(&gradient) - jump
            };
            let solids = -(all[i].correction * walls(i)).dot(&pushes[i]);
            let wanted = neighbors(i).map(of_pair).sum::<Real>() + solids + 0.25 * p[i];
            let error = (wanted - results[0][i]).abs();
            assert!(error < 1e-4 * largest, "{i}: {} for {wanted}", results[0][i]);
        }
        let dot = |a: &[Real], b: &[Real]| -> f64 {
            a.iter().zip(b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum()
        };
        let [ab, ba] = [dot(&results[0], q), dot(&results[1], p)];
        let size = (dot(&results[0], &results[0]) * dot(q, q)).sqrt();
        assert!((ab - ba).abs() < 1e-6 * size, "{ab} and {ba} of {size}");
        assert!(dot(&results[0], p) > 0.0);
    }
}
