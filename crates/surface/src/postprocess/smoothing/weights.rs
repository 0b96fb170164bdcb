//! The smoothing weight of each vertex: 1 where fluid lies behind it, 0 on spray.
//!
//! Source: Löschner et al. 2023 (see [`smooth`](crate::postprocess::smoothing::smooth)): the
//! weighted neighbour count of a particle, nᵢ = Σⱼ (1 − |xᵢ − xⱼ|/h), interpolated to the vertices,
//! mapped to 0..1 and smoothed (Perlin's fifth-order step). Deviation: their weight rises from n =
//! 0 to 13, so that it stays below a half on a flat surface. Here it rises from [`SPRAY`] to
//! [`FLAT`], fractions of the count inside the fluid, for any support radius. On the lattice a
//! corner of a block has 0.33 of that count, a sheet of one layer 0.42, a straight edge 0.49, a
//! flat surface 0.71. The range is wide: with a weight of 0 corners would stand out as knobs from
//! the edges between them. Smoothed sheets lose nothing, as each component keeps its volume
//! ([`volume`](crate::postprocess::smoothing::volume)).

use crate::interpolate::Plateaus;
use hashfall_core::Real;

/// Weighted neighbours, by those inside the fluid, up to which the weight is 0: some two particles.
const SPRAY: Real = 0.1;

/// Weighted neighbours, by those inside the fluid, from which the weight is 1.
const FLAT: Real = 0.6;

/// The numbers of weighted neighbours up to which weights are 0 and from which they are 1, given
/// the number that a particle has inside the fluid.
pub(crate) fn plateaus(inside: Real) -> Plateaus {
    Plateaus { low: SPRAY * inside, high: FLAT * inside }
}

/// Smoothing weights from the vertices' weighted numbers of neighbours, given the number that a
/// particle has inside the fluid.
pub fn smoothing_weights(neighbors: &[Real], inside: Real) -> Vec<Real> {
    if inside <= 0.0 {
        // Kernels so narrow do not tell spray from a fluid.
        return vec![1.0; neighbors.len()];
    }
    let weight = |n: &Real| smootherstep((n / inside - SPRAY) / (FLAT - SPRAY));
    neighbors.iter().map(weight).collect()
}

/// 6x⁵ − 15x⁴ + 10x³ between 0 and 1.
fn smootherstep(x: Real) -> Real {
    let x = x.clamp(0.0, 1.0);
    x * x * x * (x * (x * 6.0 - 15.0) + 10.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spray_has_no_weight_and_flat_surfaces_have_all() {
        let weights = smoothing_weights(&[0.0, 0.7, 2.655, 5.0, 7.6], 7.586);
        assert_eq!((weights[0], weights[1], weights[3], weights[4]), (0.0, 0.0, 1.0, 1.0));
        assert!((weights[2] - 0.5).abs() < 0.01, "{weights:?}");
    }
}
