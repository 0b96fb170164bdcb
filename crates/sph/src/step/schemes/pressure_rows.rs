//! The coefficients of the projection's [matrix](crate::step::schemes::pressure_matrix), and the
//! pass over the pairs that writes them.
//!
//! A coefficient is a whole number of 16 bits times a [unit](Units). The unit of w and d is that of
//! the largest that there may be: |s L x| ≤ max|W′| max‖L‖. So it is the same for all pairs, and
//! dⱼᵢ = −wᵢⱼ to the last bit: rounding is the same on both sides of 0.
//!
//! Symbols as in [`crate::step::schemes::pressure_matrix`].

use crate::step::pairs::moment::Moment;
use crate::step::pairs::moment_sums::MAX_CORRECTION;
use crate::step::pairs::neighborhood::Neighborhood;
use crate::step::pairs::pair_data::Block;
use crate::step::pairs::row_sum;
use crate::step::schemes::pressure_operator::corrected;
use crate::world::World;
use hashfall_core::simd::{F32x8, Simd, WithSimd};
use hashfall_core::{Real, Vec3};
use hashfall_search::ChunkLists;

/// The largest whole number of 16 bits.
const LARGEST: Real = 32_767.0;

/// Places between 0 and the support radius at which the kernel is asked for its slope.
const SAMPLES: u16 = 256;

/// The largest slope over the largest of the samples, at the most \[–\].
const BETWEEN_SAMPLES: Real = 1.001;

/// Four coefficients of a pair, in their units.
pub type Coefficients = [i16; 4];

/// What one stands for in a coefficient.
#[derive(Clone, Copy, Debug, Default)]
pub struct Units {
    /// In w and d \[1/m⁴\].
    pub gradient: Real,
    /// In k \[1/(kg m²)\].
    pub jump: Real,
}

impl Units {
    /// Those of a world's kernel and fluids.
    pub fn new(world: &World) -> Self {
        let (kernel, h) = (world.kernel(), world.support_radius);
        let (mut slope, mut slope_over_r): (Real, Real) = (0.0, 0.0);
        for k in 1..SAMPLES {
            let r = h * Real::from(k) / Real::from(SAMPLES);
            let s = kernel.slope_over_r(r).abs();
            (slope, slope_over_r) = (slope.max(s * r), slope_over_r.max(s));
        }
        // No pair is nearer than 0.
        slope_over_r = slope_over_r.max(kernel.slope_over_r(0.0).abs());
        let densities = world.fluids.iter().map(|fluid| fluid.rest_density);
        let lightest = densities.fold(Real::INFINITY, Real::min);
        let unit = BETWEEN_SAMPLES / LARGEST;
        Units { gradient: MAX_CORRECTION * slope * unit, jump: slope_over_r / lightest * unit }
    }
}

/// The coefficients of the pairs of a chunk of particles, in the order of its lists.
#[derive(Clone, Debug, Default)]
pub struct ChunkRows {
    /// w, and 0.
    pub gradient: Vec<Coefficients>,
    /// d and k.
    pub divergence: Vec<Coefficients>,
}

impl ChunkRows {
    /// Room for this number of pairs.
    pub fn resize(&mut self, count: usize) {
        for rows in [&mut self.gradient, &mut self.divergence] {
            if rows.len() < count {
                // In small steps, so that little is left over for good.
                rows.reserve_exact(count + count / 16 - rows.len());
            }
            rows.resize(count, Coefficients::default());
        }
    }
}

/// What a particle has by itself.
#[derive(Clone, Copy, Debug, Default)]
pub struct SelfTerm {
    /// o \[1/m\], with c by the coefficients as written, and −1/ρ₀ \[m³/kg\].
    pub gradient: Block,
    /// 2 L ∇λ \[1/m\].
    pub walls: Vec3,
    /// V Σⱼ wᵢⱼ + Lᵢ (cᵢ + 2 ∇λᵢ), as they are: G of a pressure that is 1 everywhere \[1/m\].
    pub unit: Vec3,
    /// The part of the surroundings that is inside: Σⱼ s x² χⱼ / Σⱼ s x² \[–\].
    pub inside: Real,
}

/// Finds the coefficients of the pairs of a chunk. Blocks are points, and those of
/// [`correction_rows`](crate::step::schemes::pressure_operator::correction_rows).
pub struct FindRows<'a> {
    /// The first particle of the chunk.
    pub first: usize,
    /// Its lists.
    pub lists: &'a ChunkLists,
    /// Of all particles and ghosts.
    pub blocks: [&'a [Block]; 3],
    /// What one stands for.
    pub units: Units,
    /// Solids, and V.
    pub neighborhood: &'a Neighborhood,
    /// L and c of all particles.
    pub moments: &'a [Moment],
    /// Of the chunk.
    pub rows: &'a mut ChunkRows,
    /// Of the chunk; −1/ρ₀ is left as it is.
    pub self_terms: &'a mut [SelfTerm],
}

impl WithSimd for FindRows<'_> {
    type Output = ();

    #[inline(always)]
    fn run<I: Simd>(self, simd: I) {
        let FindRows { first, lists, blocks, units, neighborhood, moments, rows, self_terms } =
            self;
        let none = simd.splat(0.0);
        let per_unit = [simd.splat(1.0 / units.gradient), simd.splat(1.0 / units.jump)];
        for (k, self_term) in self_terms.iter_mut().enumerate() {
            let i = first + k;
            let particle = row_sum::rows(simd, blocks, [i; 2]);
            let (neighbors, slopes) = lists.pairs(k);
            let range = lists.range(k);
            let mut sums = [none; 4];
            let (twos, last) = neighbors.as_chunks::<2>();
            let (of_w, last_w) = rows.gradient[range.clone()].as_chunks_mut::<2>();
            let (of_d, last_d) = rows.divergence[range].as_chunks_mut::<2>();
            let (slopes_of_twos, last_slope) = slopes.as_chunks::<2>();
            let written = of_w.iter_mut().zip(of_d);
            for ((&[a, b], &slopes), (w, d)) in twos.iter().zip(slopes_of_twos).zip(written) {
                let other = row_sum::rows(simd, blocks, [a as usize, b as usize]);
                let slope = simd.splat_rows(slopes[0], slopes[1]);
                [*w, *d] = find_two(&mut sums, &particle, &other, slope, per_unit);
            }
            if let (&[j], &[slope], [w], [d]) = (last, last_slope, last_w, last_d) {
                let other = row_sum::rows(simd, blocks, [j as usize, i]);
                let slope = simd.splat_rows(slope, 0.0);
                let [[first, _], [second, _]] =
                    find_two(&mut sums, &particle, &other, slope, per_unit);
                (*w, *d) = (first, second);
            }
            let vector = |[x, y, z, _]: [Real; 4]| Vec3::new(x, y, z) * neighborhood.volume;
            let [written, pairs, all, inside] = sums.map(F32x8::add_rows);
            let moment = &moments[i];
            self_term.walls = moment.correction * (neighborhood.boundary.gradient[i] * 2.0);
            let exact = moment.correction * moment.fluid + self_term.walls;
            self_term.unit = vector(pairs) + exact;
            let o = vector(written) * units.gradient + self_term.walls;
            self_term.gradient = [o.x, o.y, o.z, self_term.gradient[3]];
            let trace = |[x, y, z, _]: [Real; 4]| x + y + z;
            let (all, inside) = (trace(all), trace(inside));
            self_term.inside = if all < 0.0 { inside / all } else { 0.0 };
        }
    }
}

/// The coefficients w and d of two pairs. Adds to the sums of d as written, of w, of s x², and of
/// that times the others' χ.
#[inline(always)]
fn find_two<V: F32x8>(
    sums: &mut [V; 4],
    particle: &[V; 3],
    other: &[V; 3],
    slope: V,
    [per_unit, per_jump]: [V; 2],
) -> [[Coefficients; 2]; 2] {
    let (none, two) = (slope.splat(0.0), slope.splat(2.0));
    let x = particle[0] - other[0];
    let gradient = slope * x;
    // The fourth numbers of the extras are densities.
    let jump = slope * (two / (particle[2] + other[2]));
    let w = corrected(other, gradient);
    let d = corrected(particle, gradient) * per_unit;
    let d = d.with_fourth(jump * per_jump);
    let weight = gradient * x;
    sums[0] += d.rounded();
    sums[1] += w;
    sums[2] += weight;
    sums[3] += weight * other[1].splat_fourth();
    [(w * per_unit).with_fourth(none).to_whole_rows(), d.to_whole_rows()]
}
