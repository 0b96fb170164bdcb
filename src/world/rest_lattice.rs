//! The rest lattice: particles on a cubic lattice of spacing d, flush with a wall, are at rest
//! density by definition.
//!
//! Two numbers make it so for any ratio h/d:
//!
//! - The kernel's lattice sum S = Σ d³ W is near 1 but not 1 (0.99997 for the cubic spline at
//!   h = 2d); each particle counts with the volume V = d³/S. In the plane, d² stands for d³.
//! - Half a lattice misses less than the integral over the half space behind the wall: for h = 2d
//!   the first layer, at d/2, would be 3.8 % too dense. The fluid therefore sees each solid
//!   farther away by an offset ε that solves λ(d/2 + ε) = 1 − V Σ_{half lattice} W.
//!
//! Symbols: d spacing, h support radius, ε offset, all \[m\]; λ kernel integral over the solid
//! \[–\].

use crate::base::{Dimension, Real, Vec3};
use crate::kernel::Kernel;
use crate::solid::solid_fraction;

/// What the rest lattice says of kernel and walls.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RestLattice {
    /// Volume V with which a particle counts in sums \[m³\].
    pub volume: Real,
    /// How much farther away than it is a solid counts \[m\].
    pub wall_offset: Real,
}

impl RestLattice {
    /// Measures the lattice of spacing `d` \[m\].
    pub fn of(kernel: &Kernel, d: Real) -> Self {
        let layer = |k: i32| layer_sum(kernel, d, k);
        let reach = (kernel.support_radius() / d).ceil() as i32;
        let one_side: Real = (1..=reach).map(layer).sum();
        let volume = 1.0 / (layer(0) + 2.0 * one_side);
        let missing = volume * one_side;
        RestLattice { volume, wall_offset: offset_of(kernel, d, missing) }
    }
}

/// Σ W over the layer of the lattice that lies `k` spacings from a particle.
fn layer_sum(kernel: &Kernel, d: Real, k: i32) -> Real {
    let reach = (kernel.support_radius() / d).ceil() as i32;
    let row = |j: i32| -> Real {
        (-reach..=reach)
            .map(|i| kernel.value(d * Vec3::new(i as Real, j as Real, k as Real).norm()))
            .sum()
    };
    match kernel.dimension {
        Dimension::Two => row(0),
        Dimension::Three => (-reach..=reach).map(row).sum(),
    }
}

/// The ε for which a flat wall at d/2 + ε fills the fraction `missing`, by bisection: λ falls with
/// distance from more than it at 0 to nothing at h.
fn offset_of(kernel: &Kernel, d: Real, missing: Real) -> Real {
    let (mut near, mut far) = (0.0, kernel.support_radius());
    // Each halving gains a bit; a double has 53.
    for _ in 0..60 {
        let middle = 0.5 * (near + far);
        if solid_fraction(kernel, middle, 0.0).0 > missing {
            near = middle;
        } else {
            far = middle;
        }
    }
    near - 0.5 * d
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::KernelKind;

    #[test]
    fn a_lattice_flush_with_a_wall_is_at_rest_density() {
        let d: Real = 0.1;
        let cases = KernelKind::ALL.into_iter().flat_map(|kind| {
            let ratios = [1.6, 2.0, 2.5, 3.0].map(|ratio| ratio * d);
            ratios.into_iter().flat_map(move |h| {
                [Dimension::Two, Dimension::Three].map(|dimension| Kernel::new(kind, dimension, h))
            })
        });
        for kernel in cases {
            let lattice = RestLattice::of(&kernel, d);
            let bulk: Real = (-4..=4).map(|k| layer_sum(&kernel, d, k)).sum();
            assert!((lattice.volume * bulk - 1.0).abs() < 1e-5);
            let first: Real = (0..=4).map(|k| layer_sum(&kernel, d, k)).sum();
            let wall = solid_fraction(&kernel, 0.5 * d + lattice.wall_offset, 0.0).0;
            let fraction = lattice.volume * first + wall;
            assert!((fraction - 1.0).abs() < 1e-4, "{kernel:?}: {fraction}");
            assert!(lattice.wall_offset.abs() < 0.2 * d, "{kernel:?}: {lattice:?}");
        }
    }
}
