//! The gradient of the concentration of particles, by which shifting and free surfaces go.
//!
//! - C = Σⱼ V W + λ,  ∇C = Σⱼ V ∇ᵢWᵢⱼ + ∇λᵢ
//!
//! It points to where there is more fluid or solid; inside the fluid it vanishes.
//!
//! Symbols: V volume of a particle \[m³\], λ the solids' part \[–\].

use crate::step::pairs::neighborhood::Neighborhood;
use crate::step::pairs::pair_sum::{PairSum, displacement};
use hashfall_core::simd::F32x8;
use hashfall_core::{Real, Vec3};

/// ∇C \[1/m\].
pub struct Concentration<'a> {
    /// The surroundings of the particles.
    pub neighborhood: &'a Neighborhood,
}

impl PairSum<4, 3> for Concentration<'_> {
    type Out = Vec3;

    #[inline(always)]
    fn add<V: F32x8>(&self, sums: &mut [V; 3], particle: &[V; 4], other: &[V; 4], slope: V) {
        let [dx, dy, dz] = displacement(particle, other);
        sums[0] += slope * dx;
        sums[1] += slope * dy;
        sums[2] += slope * dz;
    }

    #[inline(always)]
    fn finish(&self, i: usize, sums: [Real; 3], out: &mut Vec3) {
        *out = Vec3::from(sums) * self.neighborhood.volume + self.neighborhood.boundary.gradient[i];
    }
}
