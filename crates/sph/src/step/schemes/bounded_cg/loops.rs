//! The loops of [conjugate gradients with bounds](super) over chunks of unknowns, compiled for
//! every instruction set: what is known of unknowns stands in an array each, sums are in
//! [fixed point](hashfall_core::fixed_sum) and maxima those of bit patterns, so that vectors of any
//! width give the same bits.

use hashfall_core::Real;
use hashfall_core::fixed_sum::{FixedPoint, FixedSums};
use hashfall_core::magnitude::{LargestMagnitude, SmallestMagnitude};
use hashfall_core::simd::{Simd, WithSimd};

/// How far a gradient counts as free that leads to a bound, as the length of a step along it: the
/// operator scaled by its diagonal has eigenvalues up to 2 in water, 4 in a lattice of many
/// neighbours.
const STEP_LENGTH: Real = 0.4;

/// What decides on the next step, of a chunk or of all: Σ |A x − b| where it counts, Σ of the
/// squared gradients of entries at their bounds, of free entries' as far as a step may lead them,
/// and of those times the product.
#[derive(Clone, Copy, Debug, Default)]
pub struct ResidualPart {
    pub sums: FixedSums<4>,
    /// Of |A x − b|, where it counts.
    pub error: LargestMagnitude,
    pub gradient: LargestMagnitude,
}

impl ResidualPart {
    pub fn merge(mut self, other: &ResidualPart) -> Self {
        self.sums.merge(&other.sums);
        self.error.merge(other.error);
        self.gradient.merge(other.gradient);
        self
    }
}

/// What decides on the length of a step, of a chunk or of all: Σ of the gradient and of the product
/// times the direction.
#[derive(Clone, Copy, Debug, Default)]
pub struct StepPart {
    pub sums: FixedSums<2>,
    pub direction: LargestMagnitude,
    pub product: LargestMagnitude,
    /// The length at which the first unknown meets its bound.
    pub feasible: SmallestMagnitude,
}

impl StepPart {
    pub fn merge(mut self, other: &StepPart) -> Self {
        self.sums.merge(&other.sums);
        self.direction.merge(other.direction);
        self.product.merge(other.product);
        self.feasible.merge(other.feasible);
        self
    }
}

/// The gradient of an entry if it is free, and what of it leads away from its bound.
#[inline(always)]
fn parts(x: Real, gradient: Real, bound: Real, root: Real) -> [Real; 2] {
    let (is_unknown, is_free) = (root > 0.0, x > bound);
    // What is no number stays none.
    let outward = if gradient >= 0.0 { 0.0 } else { gradient };
    [
        if is_unknown & is_free { gradient } else { 0.0 },
        if is_unknown & !is_free { outward } else { 0.0 },
    ]
}

/// Sums what decides on the next step.
pub struct SumResiduals<'a> {
    pub format: &'a FixedPoint<4>,
    pub x: &'a [Real],
    pub gradient: &'a [Real],
    pub product: &'a [Real],
    pub bound: &'a [Real],
    pub root: &'a [Real],
}

impl WithSimd for SumResiduals<'_> {
    type Output = ResidualPart;

    #[inline(always)]
    fn run<I: Simd>(self, _: I) -> ResidualPart {
        let SumResiduals { format, x, gradient, product, bound, root } = self;
        // Of one length, which the optimiser sees.
        let n = x.len();
        let (gradient, product) = (&gradient[..n], &product[..n]);
        let (bound, root) = (&bound[..n], &root[..n]);
        let mut found = ResidualPart::default();
        for i in 0..n {
            let [free, outward] = parts(x[i], gradient[i], bound[i], root[i]);
            let error = ((free + outward) * root[i]).abs();
            let reach = (x[i] - bound[i]) * (1.0 / STEP_LENGTH);
            let cut = if (free > 0.0) & (reach < free) { reach } else { free };
            let [free, outward, cut, product] = [free, outward, cut, product[i]].map(f64::from);
            let numbers = [f64::from(error), outward * outward, free * cut, free * product];
            found.sums.add(format, numbers);
            found.error.note(error);
            found.gradient.note(gradient[i]);
        }
        found
    }
}

/// Sums what decides on the length of a step.
pub struct SumStep<'a> {
    pub format: &'a FixedPoint<2>,
    pub x: &'a [Real],
    pub gradient: &'a [Real],
    pub direction: &'a [Real],
    pub product: &'a [Real],
    pub bound: &'a [Real],
}

impl WithSimd for SumStep<'_> {
    type Output = StepPart;

    #[inline(always)]
    fn run<I: Simd>(self, _: I) -> StepPart {
        let SumStep { format, x, gradient, direction, product, bound } = self;
        let n = x.len();
        let (gradient, bound) = (&gradient[..n], &bound[..n]);
        let (direction, product) = (&direction[..n], &product[..n]);
        let mut found = StepPart::default();
        for i in 0..n {
            let (d, product) = (direction[i], product[i]);
            // Without a bound that is far.
            let reach = (x[i] - bound[i]) / d;
            found.feasible.note(if d > 0.0 { reach } else { Real::INFINITY });
            found.direction.note(d);
            found.product.note(product);
            let d = f64::from(d);
            found.sums.add(format, [f64::from(gradient[i]) * d, d * f64::from(product)]);
        }
        found
    }
}

/// Multiplies numbers by the scales.
pub struct Scale<'a> {
    pub numbers: &'a mut [Real],
    pub scale: &'a [Real],
}

impl WithSimd for Scale<'_> {
    type Output = ();

    #[inline(always)]
    fn run<I: Simd>(self, _: I) {
        self.numbers.iter_mut().zip(self.scale).for_each(|(x, scale)| *x *= scale);
    }
}

/// Writes the next direction, the gradient of free entries or of those at their bounds less β times
/// the direction before, and what it is in the units of the operator.
pub struct Turn<'a> {
    pub frees: bool,
    pub beta: Real,
    pub direction: &'a mut [Real],
    pub argument: &'a mut [Real],
    pub x: &'a [Real],
    pub gradient: &'a [Real],
    pub bound: &'a [Real],
    pub root: &'a [Real],
    pub scale: &'a [Real],
}

impl WithSimd for Turn<'_> {
    type Output = ();

    #[inline(always)]
    fn run<I: Simd>(self, _: I) {
        let Turn { frees, beta, direction, argument, x, gradient, bound, root, scale } = self;
        let n = x.len();
        let (gradient, bound, root) = (&gradient[..n], &bound[..n], &root[..n]);
        for (i, d) in direction[..n].iter_mut().enumerate() {
            let [free, outward] = parts(x[i], gradient[i], bound[i], root[i]);
            *d = if frees { outward } else { free } - beta * *d;
        }
        let scaled = direction.iter().zip(scale);
        argument.iter_mut().zip(scaled).for_each(|(x, (d, scale))| *x = d * scale);
    }
}

/// Takes a step along the direction.
pub struct Advance<'a> {
    pub length: Real,
    pub x: &'a mut [Real],
    pub gradient: &'a mut [Real],
    pub direction: &'a [Real],
    pub product: &'a [Real],
}

impl WithSimd for Advance<'_> {
    type Output = ();

    #[inline(always)]
    fn run<I: Simd>(self, _: I) {
        let Advance { length, x, gradient, direction, product } = self;
        x.iter_mut().zip(direction).for_each(|(x, d)| *x -= length * d);
        gradient.iter_mut().zip(product).for_each(|(gradient, p)| *gradient -= length * p);
    }
}

/// Takes a step along the direction that is cut at each bound, and writes what x then is in the
/// units of the operator.
pub struct AdvanceToBounds<'a> {
    pub length: Real,
    pub x: &'a mut [Real],
    pub argument: &'a mut [Real],
    pub direction: &'a [Real],
    pub bound: &'a [Real],
    pub scale: &'a [Real],
}

impl WithSimd for AdvanceToBounds<'_> {
    type Output = ();

    #[inline(always)]
    fn run<I: Simd>(self, _: I) {
        let AdvanceToBounds { length, x, argument, direction, bound, scale } = self;
        for ((x, d), bound) in x.iter_mut().zip(direction).zip(bound) {
            let free = *x - length * d;
            *x = if free > *bound { free } else { *bound };
        }
        argument.iter_mut().zip(x.iter().zip(scale)).for_each(|(a, (x, scale))| *a = x * scale);
    }
}

/// Finds the gradient from A x as it comes from the operator, and scales that.
pub struct FindGradient<'a> {
    pub gradient: &'a mut [Real],
    pub product: &'a mut [Real],
    pub rhs: &'a [Real],
    pub scale: &'a [Real],
}

impl WithSimd for FindGradient<'_> {
    type Output = ();

    #[inline(always)]
    fn run<I: Simd>(self, _: I) {
        let FindGradient { gradient, product, rhs, scale } = self;
        let known = rhs.iter().zip(scale);
        for ((gradient, product), (rhs, scale)) in gradient.iter_mut().zip(&*product).zip(known) {
            *gradient = (product - rhs) * scale;
        }
        product.iter_mut().zip(scale).for_each(|(product, scale)| *product *= scale);
    }
}

/// The largest of numbers times the scales.
pub struct LargestScaled<'a> {
    pub numbers: &'a [Real],
    pub scale: &'a [Real],
}

impl WithSimd for LargestScaled<'_> {
    type Output = LargestMagnitude;

    #[inline(always)]
    fn run<I: Simd>(self, _: I) -> LargestMagnitude {
        let mut found = LargestMagnitude::default();
        self.numbers.iter().zip(self.scale).for_each(|(x, scale)| found.note(x * scale));
        found
    }
}
