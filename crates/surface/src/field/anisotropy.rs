//! Anisotropic kernels: narrow across sheets, strips and ridges.
//!
//! Weights wᵢⱼ = 1 − |xᵢ − xⱼ|³/h³ give the mean x̄ᵢ of the particles around each particle and
//! their covariance C = R diag(σ₁, σ₂, σ₃) Rᵀ, σ₁ ≥ σ₂ ≥ σ₃ (Yu & Turk 2013, "Reconstructing
//! surfaces of particle-based fluids using anisotropic kernels", ACM TOG 32(1):5, equations 9 to
//! 12). The kernel of a particle is det(M) W(|M r|, h), which has the integral of W, with
//!
//! M = R diag(m₁, m₂, m₃) Rᵀ, mₖ = 1 + n (min(max(σ₁/(D σₖ), 1), a) − 1).
//!
//! Here a is the maximum anisotropy, and n decreases from 1 to 0 where a particle has few
//! neighbours. D is a dead zone: deep in a fluid, where the σ differ by chance, M = I exactly. At h
//! = 2d and with a jitter of d/5, σ₁/σ₃ reaches 1.45 there. In the outer layer of a lattice it is
//! 2.4, and in sheets of one layer it is unbounded.
//!
//! The centre of a kernel moves towards x̄ across sheets only (instead of equation 6): x′ = x + R
//! diag(l₁, l₂, l₃) Rᵀ (x̄ − x), lₖ = n (1 − S σₖ/σ₁)₊. This removes noise from sheets and leaves
//! their rims and other surfaces in place.
//!
//! Deviations from Yu & Turk: kernels are narrower than isotropic ones, never wider (their G is
//! scaled so that C counts absolutely, equations 13 to 15), so that the search radius stays h;
//! σ₁/σₖ has a dead zone; kernels become isotropic gradually where neighbours are few, and drops
//! keep the usual kernel; equation 6 moves all centres by 0.9 (x̄ − x), which shifts every surface
//! by 0.7 r. They use a = 4: with h = 2d a sheet then has half of its particles' volume, and two
//! layers separate; a = 1.75 keeps both.
//!
//! Symbols: h support radius \[m\], d distance of particles, lengths in units of h.

use crate::field::cells::Cells;
use crate::field::ellipsoid::{Ellipsoid, ISOTROPIC};
use crate::field::lanes::square;
use crate::field::neighbors::{self, Term};
use hashfall_bodies::SymmetricEigen;
use hashfall_core::simd::{F32x8, Isa};
use hashfall_core::{Real, parallel};
use nalgebra::{Matrix3, Vector3};

/// D. With less, kernels along flat surfaces become anisotropic too, and voids open between the
/// first layer and the second: 82 in a block of 27 000 particles with a jitter of d/5 for 1.5, one
/// for 2, none for 2.5.
const DEAD_ZONE: f64 = 2.5;

/// S: variances that differ by less are not those of a sheet.
const SHEET: f64 = 4.0;

/// Σw around a particle, as part of that in a sheet, from which kernels become anisotropic, and
/// from where on they are as far as they may.
const SHEET_WEIGHT_RANGE: [f64; 2] = [1.0 / 3.0, 2.0 / 3.0];

/// What is added to variances \[h²\]: smaller ones are rounding.
const MIN_VARIANCE: f64 = 1e-5;

/// The kernels of all particles, with an anisotropy of up to `most`, given h over their distance.
pub(crate) fn ellipsoids(isa: Isa, cells: &Cells, most: f64, distances: Real) -> Vec<Ellipsoid> {
    let in_sheet = in_sheet(distances.into());
    let spreads = neighbors::sums::<Moments, 10>(isa, cells);
    let mut ellipsoids = vec![ISOTROPIC; spreads.len()];
    parallel::fill(&mut ellipsoids, |i, ellipsoid| {
        *ellipsoid = shape(&spreads[i], most, in_sheet);
    });
    ellipsoids
}

/// Σw over the others in a sheet of one layer: a square lattice whose distance goes so often into
/// h.
fn in_sheet(distances: f64) -> f64 {
    let far = distances.ceil().min(neighbors::MAX_LATTICE_DISTANCES.into()) as i32;
    let squares = (-far..=far).flat_map(|y| (-far..=far).map(move |x| x * x + y * y));
    let weight = |square: i32| {
        let q = f64::from(square).sqrt() / distances;
        (1.0 - q * q * q).max(0.0)
    };
    squares.map(weight).sum::<f64>() - 1.0
}

/// Σw, Σw r and Σw r rᵀ with w = (1 − |r|³)₊.
struct Moments;

impl Term<10> for Moments {
    #[inline(always)]
    fn at<V: F32x8>([x, y, z]: [V; 3], weight: V) -> [V; 10] {
        let square = square([x, y, z]);
        let w = (weight.splat(1.0) - square * square.sqrt()).max(weight.splat(0.0));
        let [wx, wy, wz] = [w * x, w * y, w * z];
        [w, wx, wy, wz, wx * x, wy * y, wz * z, wx * y, wx * z, wy * z]
    }
}

/// The kernel of a particle with such sums around it, which hold itself.
#[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f32")]
fn shape(sums: &[Real; 10], most: f64, in_sheet: f64) -> Ellipsoid {
    let [w, x, y, z, xx, yy, zz, xy, xz, yz] = sums.map(f64::from);
    let [few, enough] = SHEET_WEIGHT_RANGE.map(|part| part * in_sheet);
    let number = ((w - 1.0 - few) / (enough - few)).clamp(0.0, 1.0);
    let mean = Vector3::new(x, y, z) / w;
    let squares = Matrix3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz) / w;
    let covariance = squares - mean * mean.transpose() + Matrix3::identity() * MIN_VARIANCE;
    if number == 0.0 || is_even(&covariance) {
        return ISOTROPIC;
    }
    let SymmetricEigen { values, vectors: axes } = SymmetricEigen::new(&covariance);
    let variances = Vector3::from(values);
    let ratios = variances.map(|variance| variance / variances.max());
    let more = ratios.map(|ratio| number * ((1.0 / (DEAD_ZONE * ratio)).clamp(1.0, most) - 1.0));
    let drawn = ratios.map(|ratio| number * (1.0 - SHEET * ratio).max(0.0));
    let along_axes = |k: Vector3<f64>| axes * Matrix3::from_diagonal(&k) * axes.transpose();
    let m = Matrix3::identity() + along_axes(more);
    let entries = [m[(0, 0)], m[(1, 1)], m[(2, 2)], m[(0, 1)], m[(0, 2)], m[(1, 2)]];
    Ellipsoid {
        shift: <[f64; 3]>::from(along_axes(drawn) * mean).map(|x| x as Real),
        metric: entries.map(|x| x as Real),
        determinant: more.add_scalar(1.0).product() as Real,
    }
}

/// Whether variances surely lie in the dead zone: μ ± e holds them, with their mean μ and
/// e² = ⅔ Σ (σₖ − μ)², of which the sum is the deviator's norm squared.
fn is_even(covariance: &Matrix3<f64>) -> bool {
    let mean = covariance.trace() / 3.0;
    let deviator = covariance - Matrix3::identity() * mean;
    let e = (deviator.norm_squared() * 2.0 / 3.0).sqrt();
    mean + e <= DEAD_ZONE * (mean - e)
}
