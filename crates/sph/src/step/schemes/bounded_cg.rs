//! Conjugate gradients with bounds: A x = b where x is above its bound, A x ≥ b where it is at it,
//! for a symmetric positive A that is known by its products.
//!
//! Dostál & Schöberl 2005 (MPRGP): conjugate gradients on the entries that are free, which are
//! freed when the gradient at the bounds outweighs that of the free ones. A step that crosses
//! bounds is taken whole and cut at each of them, after which the directions begin anew (Kružík et
//! al. 2020, "projected conjugate gradient step"). To stop at the first bound, as the original
//! does, costs twice the products in splashes, where thousands are met. Each step needs one
//! product, two where bounds are met. Deviation: the unknowns are scaled by the root of the
//! diagonal.
//!
//! An iteration takes four loops, each over all unknowns at once: the direction, which is written
//! where the operator reads its argument; the two of the operator, the second of which sums for the
//! length of the step; and the step itself, which sums for the next direction.
//!
//! Sums are in [fixed point](hashfall_core::fixed_sum), so that the solution is the same for any
//! number of threads and any split of the unknowns. What bounds their addends is known before from
//! the largest gradient g, direction d and product p of the loop before:
//!
//! - of the next direction, |d'| ≤ g + β d; of the next gradient, |g'| ≤ g + α p, or p + |b| where
//!   it is found anew;
//! - of the product [`MAX_GAIN`] d', which is no theorem. Where it, or another bound, was too small
//!   the sums tell, and are taken once more with the maxima that are known then.

mod loops;
mod unknowns;

use crate::step::solved::Solved;
use hashfall_core::Real;
use hashfall_core::fixed_sum::FixedPoint;
use hashfall_core::magnitude::LargestMagnitude;
use hashfall_core::parallel::{self, CHUNK, chunks_mut, for_parts, items_mut};
use hashfall_core::simd::Isa;
use loops::{
    Advance, AdvanceToBounds, FindGradient, LargestScaled, ResidualPart, Scale, StepPart,
    SumResiduals, SumStep, Turn,
};
use unknowns::Unknowns;

/// What a product is over the largest entry of its argument, at the most, where both are scaled by
/// the roots of the diagonal: rows of the matrix have some hundred entries below 1.
const MAX_GAIN: f64 = 32.0;

/// What rounding adds to products of magnitudes.
const ROUNDING: f64 = 1.0 + 1e-6;

/// A symmetric positive operator A.
pub trait Operator {
    /// Takes the argument x of the next product: `entries(first, items, x)` writes those of a chunk
    /// of items, of which the `first` is given.
    fn set_argument<T: Send>(
        &mut self,
        items: &mut [T],
        entries: impl Fn(usize, &mut [T], &mut [Real]) + Sync,
    );

    /// Writes A x. For each chunk of [`CHUNK`] entries `take` gets the first and the entries, and
    /// gives what becomes its item of `folds`.
    fn multiply<F: Send>(
        &mut self,
        out: &mut [Real],
        folds: &mut [F],
        take: impl Fn(usize, &mut [Real]) -> F + Sync,
    );
}

/// What to solve for.
#[derive(Clone, Copy, Debug)]
pub struct Problem<'a> {
    /// The diagonal of A, or near it.
    pub diagonal: &'a [Real],
    /// b.
    pub rhs: &'a [Real],
    /// The least value of each unknown, at most 0; −∞ for none.
    pub lower: &'a [Real],
    /// The mean of what is left of |A x − b| that is good enough, and the largest.
    pub tolerance: [f64; 2],
    /// Products that are taken at least, if there is anything to solve for.
    pub min_iterations: u32,
    /// Products after which the solver gives up.
    pub max_iterations: u32,
}

/// The solver; keeps its buffers between solutions.
#[derive(Debug)]
pub struct BoundedCg {
    isa: Isa,
    unknowns: Unknowns,
    /// Of each chunk.
    residuals: Vec<ResidualPart>,
    /// Of each chunk.
    steps: Vec<StepPart>,
    /// Of each chunk.
    maxima: Vec<LargestMagnitude>,
    largest: Largest,
}

/// A chunk of unknowns that change.
struct Changing<'a> {
    /// The first of them.
    first: usize,
    scale: &'a [Real],
    direction: &'a [Real],
    x: &'a mut [Real],
    gradient: &'a mut [Real],
    product: &'a mut [Real],
}

/// The largest magnitudes.
#[derive(Clone, Copy, Debug, Default)]
struct Largest {
    /// The root of the diagonal.
    root: f64,
    /// b over that.
    rhs: f64,
    /// Of the present state.
    gradient: f64,
    direction: f64,
    product: f64,
}

/// What decides on the next step, summed over unknowns.
#[derive(Clone, Copy, Debug)]
struct Residual {
    /// Σ |A x − b|, where it counts.
    error: f64,
    /// Its largest.
    largest: f64,
    /// The squared gradient of entries at their bounds.
    at_bounds: f64,
    /// That of free entries, as far as a step may lead them.
    free: f64,
    /// The gradient of free entries times the product.
    overlap: f64,
}

/// What decides on the length of a step, summed over unknowns.
#[derive(Clone, Copy, Debug)]
struct StepSums {
    /// The gradient times the direction.
    along: f64,
    /// The direction times the product.
    curvature: f64,
    /// The length at which the first unknown meets its bound.
    feasible: Real,
}

/// The next direction.
#[derive(Clone, Copy, Debug)]
enum Direction {
    /// The gradient of the free entries.
    Free,
    /// That at the bounds, by which entries are freed.
    Bound,
    /// The free one less β times the direction before.
    Conjugate(Real),
}

/// What of an array belongs to a chunk of `count` items from the `first` one on.
fn part(all: &[Real], first: usize, count: usize) -> &[Real] {
    &all[first..first + count]
}

impl BoundedCg {
    /// A solver that computes with this instruction set.
    pub fn new(isa: Isa) -> Self {
        BoundedCg {
            isa,
            unknowns: Unknowns::default(),
            residuals: Vec::new(),
            steps: Vec::new(),
            maxima: Vec::new(),
            largest: Largest::default(),
        }
    }

    /// Solves for `x`, from 0.
    pub fn solve(
        &mut self,
        operator: &mut impl Operator,
        problem: Problem<'_>,
        x: &mut [Real],
    ) -> Solved {
        self.prepare(&problem);
        let mut residual = self.find_gradient(&problem);
        let mut next = Direction::Free;
        let mut solved = Solved::default();
        loop {
            solved.error = residual.error / problem.rhs.len().max(1) as f64;
            let [mean, largest] = problem.tolerance;
            let is_good = solved.error <= mean && residual.largest <= largest;
            let is_good =
                is_good && (solved.iterations >= problem.min_iterations || solved.error == 0.0);
            if is_good || solved.iterations >= problem.max_iterations {
                solved.capped = !is_good;
                break;
            }
            solved.iterations += 1;
            let frees = residual.at_bounds > residual.free;
            self.turn(operator, if frees { Direction::Bound } else { next });
            let StepSums { along, curvature, feasible } = self.multiply(operator);
            if curvature.is_nan() || curvature <= 0.0 {
                break;
            }
            #[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f32")]
            let length = (along / curvature) as Real;
            if !frees && length > feasible {
                solved.iterations += 1;
                residual = self.advance_to_bounds(operator, &problem, length);
                next = Direction::Free;
                continue;
            }
            residual = self.advance(length);
            #[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f32")]
            let beta = (residual.overlap / curvature) as Real;
            next = if frees { Direction::Free } else { Direction::Conjugate(beta) };
        }
        let Unknowns { x: scaled, scale, .. } = &self.unknowns;
        parallel::fill(x, |i, x| *x = scaled[i] * scale[i]);
        solved
    }

    /// Scales the problem; x and A x are 0.
    fn prepare(&mut self, &Problem { diagonal, rhs, lower, .. }: &Problem<'_>) {
        let [root, rhs] = self.unknowns.begin(diagonal, rhs, lower);
        self.largest = Largest { root, rhs, ..Largest::default() };
        let chunks = lower.len().div_ceil(CHUNK);
        self.residuals.resize(chunks, ResidualPart::default());
        self.steps.resize(chunks, StepPart::default());
        self.maxima.resize(chunks, LargestMagnitude::default());
    }

    /// Writes the next direction, and what it is in the operator's units to its argument.
    fn turn(&mut self, operator: &mut impl Operator, next: Direction) {
        let (isa, Largest { gradient: steepest, direction: longest, .. }) =
            (self.isa, self.largest);
        let Unknowns { root, scale, bound, x, gradient, direction, .. } = &mut self.unknowns;
        let (frees, beta) = match next {
            Direction::Free => (false, 0.0),
            Direction::Bound => (true, 0.0),
            Direction::Conjugate(beta) => (false, beta),
        };
        operator.set_argument(direction, |first, direction, argument| {
            let part = |all| part(all, first, direction.len());
            let (x, gradient, bound) = (part(x), part(gradient), part(bound));
            let (root, scale) = (part(root), part(scale));
            isa.run(Turn { frees, beta, direction, argument, x, gradient, bound, root, scale });
        });
        self.largest.direction = (steepest + f64::from(beta).abs() * longest) * ROUNDING;
    }

    /// The product with the direction, scaled, and what decides on the length of the step.
    fn multiply(&mut self, operator: &mut impl Operator) -> StepSums {
        let isa = self.isa;
        let Unknowns { scale, bound, x, gradient, direction, product, .. } = &mut self.unknowns;
        let (n, steepest, longest) = (x.len(), self.largest.gradient, self.largest.direction);
        let sum = |format: &FixedPoint<2>, first, product: &[Real]| {
            let part = |all| part(all, first, product.len());
            let (x, gradient, bound) = (part(x), part(gradient), part(bound));
            isa.run(SumStep { format, x, gradient, direction: part(direction), product, bound })
        };
        let format = FixedPoint::new([steepest * longest, longest * longest * MAX_GAIN], n);
        operator.multiply(product, &mut self.steps, |first, product| {
            let scale = part(scale, first, product.len());
            isa.run(Scale { numbers: product, scale });
            sum(&format, first, product)
        });
        let mut step = self.steps.iter().fold(StepPart::default(), StepPart::merge);
        let [longest, largest] = [step.direction, step.product].map(|it| f64::from(it.value()));
        (self.largest.direction, self.largest.product) = (longest, largest);
        let sums = format.values(&step.sums).or_else(|| {
            let format = FixedPoint::new([steepest * longest, longest * largest], n);
            parallel::fill_pieces(&mut self.steps, &|chunk, step| {
                let first = chunk * CHUNK;
                *step = sum(&format, first, &product[first..n.min(first + CHUNK)]);
            });
            step = self.steps.iter().fold(StepPart::default(), StepPart::merge);
            format.values(&step.sums)
        });
        // There are numbers that are not finite.
        let [along, curvature] = sums.unwrap_or([f64::NAN; 2]);
        StepSums { along, curvature, feasible: step.feasible.value() }
    }

    /// A step along the direction.
    fn advance(&mut self, length: Real) -> Residual {
        let Largest { gradient, product, .. } = self.largest;
        let steepest = (gradient + f64::from(length).abs() * product) * ROUNDING;
        self.update(steepest, |isa, chunk| {
            let Changing { x, gradient, direction, product, .. } = chunk;
            isa.run(Advance { length, x, gradient, direction, product });
        })
    }

    /// A step along the direction that is cut at each bound, after which the gradient is found
    /// anew.
    fn advance_to_bounds(
        &mut self,
        operator: &mut impl Operator,
        problem: &Problem<'_>,
        length: Real,
    ) -> Residual {
        let isa = self.isa;
        let Unknowns { scale, bound, x, direction, product, .. } = &mut self.unknowns;
        operator.set_argument(x, |first, x, argument| {
            let part = |all| part(all, first, x.len());
            let (direction, bound, scale) = (part(direction), part(bound), part(scale));
            isa.run(AdvanceToBounds { length, x, argument, direction, bound, scale });
        });
        operator.multiply(product, &mut self.maxima, |first, product| {
            isa.run(LargestScaled { numbers: product, scale: part(scale, first, product.len()) })
        });
        let mut largest = LargestMagnitude::default();
        self.maxima.iter().for_each(|most| largest.merge(*most));
        self.largest.product = f64::from(largest.value());
        self.find_gradient(problem)
    }

    /// The gradient from the product A x, which is scaled then.
    fn find_gradient(&mut self, problem: &Problem<'_>) -> Residual {
        let steepest = (self.largest.product + self.largest.rhs) * ROUNDING;
        self.update(steepest, |isa, chunk| {
            let Changing { first, gradient, product, scale, .. } = chunk;
            let rhs = part(problem.rhs, first, gradient.len());
            isa.run(FindGradient { gradient, product, rhs, scale });
        })
    }

    /// Changes each chunk of unknowns, and sums what decides on the next step, of gradients up to
    /// a bound.
    fn update(&mut self, steepest: f64, change: impl Fn(Isa, Changing<'_>) + Sync) -> Residual {
        let all = self.sum_residuals(steepest, change);
        let steepest = f64::from(all.0.gradient.value());
        let (ResidualPart { error: largest, .. }, sums) = all;
        self.largest.gradient = steepest;
        // Else there are numbers that are not finite.
        let sums = sums.or_else(|| self.sum_residuals(steepest, |_, _| ()).1);
        let [error, at_bounds, free, overlap] = sums.unwrap_or([f64::NAN; 4]);
        Residual { error, largest: f64::from(largest.value()), at_bounds, free, overlap }
    }

    /// The parts of the sums, and the sums if gradients are within the bound.
    fn sum_residuals(
        &mut self,
        steepest: f64,
        change: impl Fn(Isa, Changing<'_>) + Sync,
    ) -> (ResidualPart, Option<[f64; 4]>) {
        let BoundedCg { isa, unknowns, residuals, largest, .. } = self;
        let Unknowns { root, scale, bound, x, gradient, direction, product } = unknowns;
        let error = steepest * largest.root * ROUNDING;
        let square = steepest * steepest;
        let bounds = [error, square, square, steepest * largest.product];
        let format = &FixedPoint::new(bounds, x.len());
        let [xs, gradients, products] = [x, gradient, product].map(|all| chunks_mut(all, CHUNK));
        let parts = (xs, gradients, products, items_mut(residuals));
        for_parts(parts, |chunk, (x, gradient, product, residual)| {
            let first = chunk * CHUNK;
            let part = |all| part(all, first, x.len());
            let (root, scale, bound) = (part(root), part(scale), part(bound));
            let direction = part(direction);
            let (x, gradient, product) = (&mut *x, &mut *gradient, &mut *product);
            change(*isa, Changing { first, scale, direction, x, gradient, product });
            let sum = SumResiduals { format, x, gradient, product, bound, root };
            *residual = sum_chunk(*isa, sum);
        });
        let all = self.residuals.iter().fold(ResidualPart::default(), ResidualPart::merge);
        let sums = format.values(&all.sums);
        (all, sums)
    }
}

/// The sums of a chunk, whatever it was changed by: compiled once.
#[inline(never)]
fn sum_chunk(isa: Isa, sum: SumResiduals<'_>) -> ResidualPart {
    isa.run(sum)
}

#[cfg(test)]
mod tests;
