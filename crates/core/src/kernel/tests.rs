//! Every kernel in either dimension: normalised, sloped as it says, with the moments it says.

use super::*;
use crate::PI;
use crate::{Dimension, Real};

const H: Real = 0.7;

fn all() -> impl Iterator<Item = (KernelKind, Kernel)> {
    KernelKind::ALL.into_iter().flat_map(|kind| {
        [Dimension::Two, Dimension::Three].map(|dimension| (kind, Kernel::new(kind, dimension, H)))
    })
}

/// ∫ₐʰ f(s) ds by the midpoint rule in double precision.
fn integrate(a: Real, f: impl Fn(Real) -> Real) -> f64 {
    let n = 20_000;
    let step = (H - a) / n as Real;
    (0..n).map(|k| f64::from(f(a + (k as Real + 0.5) * step) * step)).sum()
}

/// The measure of the shell of radius `s`: 4πs², in the plane 2πs.
fn shell(dimension: Dimension, s: Real) -> Real {
    match dimension {
        Dimension::Two => 2.0 * PI * s,
        Dimension::Three => 4.0 * PI * s * s,
    }
}

#[test]
fn each_integrates_to_one_over_space_and_plane() {
    for (kind, w) in all() {
        for value in [Kernel::value, Kernel::sloping_value] {
            let total = integrate(0.0, |s| shell(w.dimension, s) * value(&w, s));
            assert!((total - 1.0).abs() < 1e-5, "{kind:?} {:?}: {total}", w.dimension);
        }
        assert_eq!(w.value(H), 0.0);
        assert_eq!(w.value(1.1 * H), 0.0);
        assert_eq!(w.slope_over_r(1.1 * H), 0.0);
    }
}

#[test]
fn the_slope_is_the_derivative() {
    let step: Real = 1e-3;
    for (kind, w) in all() {
        for k in 2..70 {
            let r = k as Real * 0.01;
            let difference = (w.sloping_value(r + step) - w.sloping_value(r - step)) / (2.0 * step);
            let slope = w.slope_over_r(r) * r;
            let scale = 0.02 * w.sloping_value(0.0);
            assert!((difference - slope).abs() < scale, "{kind:?} r {r}: {difference} {slope}");
        }
        assert!(w.slope_over_r(0.0).is_finite());
    }
}

#[test]
fn first_moments_match_quadrature() {
    for (kind, w) in all() {
        for a in [0.0, 0.1, 0.34, 0.36, 0.5, 0.69, 0.7, 0.9] {
            for (moment, value) in [
                (w.first_moment_from(a), Kernel::value as fn(&Kernel, Real) -> Real),
                (w.sloping_first_moment_from(a), Kernel::sloping_value),
            ] {
                let expected = if a < H { integrate(a, |s| s * value(&w, s)) } else { 0.0 };
                assert!((f64::from(moment) - expected).abs() < 2e-5, "{kind:?} at {a}: {moment}");
            }
        }
    }
}

#[test]
fn the_laplacian_belongs_to_a_kernel_that_integrates_to_one() {
    // By parts twice: ∫ W dV = 1/(2D) ∫ r² ∇²W dV, if W and W′ vanish at h.
    for (dimension, d) in [(Dimension::Two, 2.0), (Dimension::Three, 3.0)] {
        let w = Mueller::new(dimension, H);
        let total = integrate(0.0, |s| shell(dimension, s) * s * s * w.laplacian(s)) / (2.0 * d);
        assert!((total - 1.0).abs() < 1e-5, "{dimension:?}: {total}");
    }
}

#[test]
fn a_lattice_of_spacing_half_h_sums_to_what_the_docs_say() {
    let d: Real = 0.5 * H;
    for (kind, expected) in [
        (KernelKind::CubicSpline, 0.99997),
        (KernelKind::WendlandC2, 1.034),
        (KernelKind::Mueller, 1.010),
    ] {
        let sum = d * d * d / Kernel::new(kind, Dimension::Three, H).rest_volume(d);
        assert!((sum - expected).abs() < 6e-4, "{kind:?}: {sum}");
    }
}
