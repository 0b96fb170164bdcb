//! How much each vertex is smoothed: fully where fluid stands behind it, not at all on droplets and
//! sheets of one layer.
//!
//! Source: Löschner et al. 2023, §3.2: the weighted number of neighbours of a particle,
//! nᵢ = Σⱼ (1 − |xᵢ − xⱼ|/h), interpolated to the vertices, mapped to 0..1 and smoothed (Perlin's
//! fifth-order step). Deviation: their weight rises from n = 0 to 13, so that it stays below a half
//! on a flat surface and droplets still shrink. Here it rises from [`SHEET`] to [`FLAT`], whatever
//! the support radius: both are shares of the count that a particle has inside the fluid.

use crate::base::Real;

/// Weighted neighbours in a sheet of one layer (on the lattice 0.418), by those inside the fluid.
const SHEET: Real = 0.4;

/// Weighted neighbours on a flat surface (on the lattice 0.709), by those inside the fluid; rough
/// surfaces have fewer.
const FLAT: Real = 0.6;

/// Weighted neighbours inside the fluid, on the lattice of spacing h/2.
pub const WEIGHTED_NEIGHBORS_INSIDE: Real = 7.586;

/// Smoothing weights from the vertices' weighted numbers of neighbours, given the number that a
/// particle has inside the fluid.
pub fn smoothing_weights(neighbors: &[Real], inside: Real) -> Vec<Real> {
    let weight = |n: &Real| smootherstep((n / inside - SHEET) / (FLAT - SHEET));
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
    fn drops_and_sheets_have_no_weight_and_flat_surfaces_all() {
        let weights = smoothing_weights(&[0.0, 3.0, 3.8, 4.6, 7.6], 7.59);
        assert_eq!((weights[0], weights[1], weights[4]), (0.0, 0.0, 1.0));
        assert!(weights.is_sorted());
        assert!((weights[2] - 0.5).abs() < 0.02, "{weights:?}");
    }
}
