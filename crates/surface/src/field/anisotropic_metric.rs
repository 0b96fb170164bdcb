//! How kernels measure distance: isotropic ones by |r|, anisotropic ones by |M r|.
//!
//! An anisotropic kernel is det(M) f(|M r|/h) with a symmetric M ≥ I
//! ([`anisotropy`](crate::field::anisotropy)). It is narrower than the isotropic kernel along some
//! axes, nowhere wider, and has the same integral. det(M) is part of a particle's weight. f
//! decreases, so f(|M r|) ≤ f(|r|): a point that an isotropic kernel does not reach, no kernel
//! reaches. Lower bounds count isotropic kernels only, because the others may vanish where those do
//! not.
//!
//! Hot loops are compiled once for each [`Metric`].

use crate::field::lanes::{square, square_to_box};
use crate::field::surroundings::Surroundings;
use crate::field::symmetric::{Symmetric, multiply, splat};
use hashfall_core::Real;
use hashfall_core::simd::{F32x8, Simd};

/// How the kernels of all particles measure distance. All lengths are in units of h.
pub(crate) trait Metric: Sync {
    /// What a kernel has beside its place and weight.
    type Parameters: Copy;

    /// Distances that differ along z alone.
    type Column<V: F32x8>: Copy;

    /// What one particle around a block has.
    fn parameters(around: &Surroundings, i: usize) -> Self::Parameters;

    /// |M r|² and M² r, of which the second is half the gradient of the first.
    fn measure<V: F32x8>(parameters: Self::Parameters, r: [V; 3]) -> (V, [V; 3]);

    /// Distances with these x and y.
    fn column<V: F32x8>(parameters: Self::Parameters, x: V, y: V) -> Self::Column<V>;

    /// |M r|² at a z of a column.
    fn in_column<V: F32x8>(column: Self::Column<V>, z: Real) -> V;

    /// |M r|² for eight particles from place `i` on.
    fn squares<I: Simd>(on: I, around: &Surroundings, i: usize, r: [I::F32x8; 3]) -> I::F32x8;

    /// What |M r|² is at least in a box, for eight particles from place `i` on.
    fn squares_to_box<I: Simd>(
        on: I,
        around: &Surroundings,
        i: usize,
        low: [Real; 3],
        high: [Real; 3],
    ) -> I::F32x8;
}

/// Isotropic kernels only: M = I.
pub(crate) struct Isotropic;

impl Metric for Isotropic {
    type Parameters = ();
    type Column<V: F32x8> = V;

    #[inline(always)]
    fn parameters(_: &Surroundings, _: usize) {}

    #[inline(always)]
    fn measure<V: F32x8>((): (), r: [V; 3]) -> (V, [V; 3]) {
        (square(r), r)
    }

    #[inline(always)]
    fn column<V: F32x8>((): (), x: V, y: V) -> V {
        x * x + y * y
    }

    #[inline(always)]
    fn in_column<V: F32x8>(column: V, z: Real) -> V {
        column + column.splat(z * z)
    }

    #[inline(always)]
    fn squares<I: Simd>(_: I, _: &Surroundings, _: usize, r: [I::F32x8; 3]) -> I::F32x8 {
        square(r)
    }

    #[inline(always)]
    fn squares_to_box<I: Simd>(
        on: I,
        around: &Surroundings,
        i: usize,
        low: [Real; 3],
        high: [Real; 3],
    ) -> I::F32x8 {
        let [x, y, z, _] = around.eight(on, i);
        square_to_box(on, [x, y, z], low, high)
    }
}

/// Kernels of which some are anisotropic.
pub(crate) struct Anisotropic;

/// |M r|² as a polynomial of z.
#[derive(Clone, Copy)]
pub(crate) struct Parabola<V>(V, V, Real);

impl Metric for Anisotropic {
    type Parameters = Symmetric<Real>;
    type Column<V: F32x8> = Parabola<V>;

    #[inline(always)]
    fn parameters(around: &Surroundings, i: usize) -> Symmetric<Real> {
        around.metric.each_ref().map(|column| column[i])
    }

    #[inline(always)]
    fn measure<V: F32x8>(parameters: Symmetric<Real>, r: [V; 3]) -> (V, [V; 3]) {
        let m = splat(parameters, r[0]);
        let stretched = multiply(m, r);
        (square(stretched), multiply(m, stretched))
    }

    #[inline(always)]
    fn column<V: F32x8>(parameters: Symmetric<Real>, x: V, y: V) -> Parabola<V> {
        let [a, b, c] = multiply(splat(parameters, x), [x, y, x.splat(0.0)]);
        let [.., zz, _, xz, yz] = parameters;
        let slope = (a * xz + b * yz + c * zz) * 2.0;
        Parabola(square([a, b, c]), slope, xz * xz + yz * yz + zz * zz)
    }

    #[inline(always)]
    fn in_column<V: F32x8>(Parabola(constant, slope, curvature): Parabola<V>, z: Real) -> V {
        // Near the particle the rounded terms may leave less than nothing.
        let square = constant + (slope + slope.splat(curvature * z)) * z;
        square.max(constant.splat(0.0))
    }

    #[inline(always)]
    fn squares<I: Simd>(on: I, around: &Surroundings, i: usize, r: [I::F32x8; 3]) -> I::F32x8 {
        square(multiply(around.eight_metrics(on, i), r))
    }

    /// The larger of two bounds: that of the isotropic kernel, and the distance of M x from a box
    /// around what M makes of the box.
    #[inline(always)]
    fn squares_to_box<I: Simd>(
        on: I,
        around: &Surroundings,
        i: usize,
        low: [Real; 3],
        high: [Real; 3],
    ) -> I::F32x8 {
        let [x, y, z, _] = around.eight(on, i);
        let [xx, yy, zz, xy, xz, yz] = around.eight_metrics(on, i);
        let round = square_to_box(on, [x, y, z], low, high);
        let (zero, half) = (on.splat(0.0), on.splat(0.5));
        let [lx, ly, lz] = [on.splat(low[0]), on.splat(low[1]), on.splat(low[2])];
        let [hx, hy, hz] = [on.splat(high[0]), on.splat(high[1]), on.splat(high[2])];
        let middle = [(lx + hx) * half - x, (ly + hy) * half - y, (lz + hz) * half - z];
        let [a, b, c] = multiply([xx, yy, zz, xy, xz, yz], middle);
        let [xy, xz, yz] = [size(xy), size(xz), size(yz)];
        let reach = [(hx - lx) * half, (hy - ly) * half, (hz - lz) * half];
        let [ra, rb, rc] = multiply([xx, yy, zz, xy, xz, yz], reach);
        let beyond = [(size(a) - ra).max(zero), (size(b) - rb).max(zero), (size(c) - rc).max(zero)];
        square(beyond).max(round)
    }
}

/// |x|.
#[inline(always)]
fn size<V: F32x8>(x: V) -> V {
    x.max(x.splat(0.0) - x)
}
