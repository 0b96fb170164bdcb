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
//! length of the step; and the step itself, which sums for the next direction. Sums are of doubles,
//! over chunks of a fixed length and then over the chunks in their order, so that the solution is
//! the same for any number of threads. (Five exact sums, of 2.5 ns a number, would take a fifth of
//! what an iteration takes.)

use crate::step::chunk_sums::chunk_sums;
use crate::step::solved::Solved;
use hashfall_core::Real;
use hashfall_core::parallel::{self, CHUNK};

/// How far a gradient counts as free that leads to a bound, as the length of a step along it: the
/// operator scaled by its diagonal has eigenvalues up to 2 in water, 4 in a lattice of many
/// neighbours.
const STEP_LENGTH: Real = 0.4;

/// Diagonals below this part of their mean count as it: a lonely particle has next to none.
const MIN_DIAGONAL: f64 = 1e-4;

/// A symmetric positive operator A.
pub trait Operator {
    /// Takes the argument x of the next product: its entries are `entry(i, &mut items[i])`.
    fn set_argument<T: Send>(
        &mut self,
        items: &mut [T],
        entry: impl Fn(usize, &mut T) -> Real + Sync,
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
#[derive(Debug, Default)]
pub struct BoundedCg {
    scales: Vec<Scale>,
    unknowns: Vec<Unknown>,
    direction: Vec<Real>,
    /// A times the direction, scaled.
    product: Vec<Real>,
    /// Of each chunk.
    residuals: Vec<Residual>,
    /// Of each chunk.
    steps: Vec<StepSums>,
}

/// How an unknown is scaled.
#[derive(Clone, Copy, Debug, Default)]
struct Scale {
    /// One over the root of the diagonal; 0 if it has none.
    scale: Real,
    /// The root of the diagonal, or 0.
    root: Real,
    /// The least value over the scale.
    bound: Real,
}

/// An unknown, scaled.
#[derive(Clone, Copy, Debug, Default)]
struct Unknown {
    /// x over the scale.
    x: Real,
    /// The gradient A x − b, times the scale.
    gradient: Real,
}

/// What decides on the next step, summed over unknowns.
#[derive(Clone, Copy, Debug, Default)]
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

impl Residual {
    fn add(self, other: &Residual) -> Residual {
        Residual {
            error: self.error + other.error,
            largest: self.largest.max(other.largest),
            at_bounds: self.at_bounds + other.at_bounds,
            free: self.free + other.free,
            overlap: self.overlap + other.overlap,
        }
    }

    /// Adds an unknown.
    #[inline(always)]
    fn note(&mut self, unknown: &Unknown, scale: &Scale, product: Real) {
        let [free, bound] = parts(unknown, scale);
        let error = f64::from(((free + bound) * scale.root).abs());
        self.error += error;
        self.largest = if error > self.largest { error } else { self.largest };
        let reach = (unknown.x - scale.bound) * (1.0 / STEP_LENGTH);
        let cut = if free > 0.0 && reach < free { reach } else { free };
        self.at_bounds += f64::from(bound) * f64::from(bound);
        self.free += f64::from(free) * f64::from(cut);
        self.overlap += f64::from(free) * f64::from(product);
    }
}

impl StepSums {
    const NONE: StepSums = StepSums { along: 0.0, curvature: 0.0, feasible: Real::MAX };

    fn add(self, other: &StepSums) -> StepSums {
        StepSums {
            along: self.along + other.along,
            curvature: self.curvature + other.curvature,
            feasible: if other.feasible < self.feasible { other.feasible } else { self.feasible },
        }
    }
}

impl BoundedCg {
    /// Solves for `x`, from 0.
    pub fn solve(
        &mut self,
        operator: &mut impl Operator,
        problem: Problem<'_>,
        x: &mut [Real],
    ) -> Solved {
        self.prepare(&problem);
        let mut residual = self
            .update(|i, _, scale, _| Unknown { x: 0.0, gradient: -problem.rhs[i] * scale.scale });
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
        let (unknowns, scales) = (&self.unknowns, &self.scales);
        parallel::fill(x, |i, x| *x = unknowns[i].x * scales[i].scale);
        solved
    }

    /// Scales the problem.
    #[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f32")]
    fn prepare(&mut self, problem: &Problem<'_>) {
        let n = problem.rhs.len();
        self.unknowns.resize(n, Unknown::default());
        self.direction.resize(n, 0.0);
        self.product.clear();
        self.product.resize(n, 0.0);
        self.scales.resize(n, Scale::default());
        self.residuals.resize(n.div_ceil(CHUNK), Residual::default());
        self.steps.resize(n.div_ceil(CHUNK), StepSums::NONE);
        let [sum] = chunk_sums(n, |i| [f64::from(problem.diagonal[i])]);
        let least = (MIN_DIAGONAL * sum / n.max(1) as f64) as Real;
        parallel::fill(&mut self.scales, |i, scale| {
            let diagonal = problem.diagonal[i].max(least);
            let root = if diagonal > 0.0 { diagonal.sqrt() } else { 0.0 };
            let inverse = if root > 0.0 { 1.0 / root } else { 0.0 };
            *scale = Scale { scale: inverse, root, bound: problem.lower[i] * root };
        });
    }

    /// Changes all unknowns to `change(i, unknown, scale, [direction, product])`, and sums what
    /// decides on the next step.
    fn update(
        &mut self,
        change: impl Fn(usize, Unknown, &Scale, [Real; 2]) -> Unknown + Sync,
    ) -> Residual {
        let BoundedCg { unknowns, scales, direction, product, residuals, .. } = self;
        parallel::fill_chunks_with(unknowns, residuals, &|chunk, unknowns, sums| {
            *sums = Residual::default();
            for (i, unknown) in (chunk * CHUNK..).zip(unknowns) {
                let (scale, product) = (&scales[i], product[i]);
                *unknown = change(i, *unknown, scale, [direction[i], product]);
                sums.note(unknown, scale, product);
            }
        });
        residuals.iter().fold(Residual::default(), Residual::add)
    }

    /// Writes the next direction, and what it is in the operator's units to its argument.
    fn turn(&mut self, operator: &mut impl Operator, next: Direction) {
        let BoundedCg { unknowns, scales, direction, .. } = self;
        operator.set_argument(direction, |i, direction| {
            let [free, bound] = parts(&unknowns[i], &scales[i]);
            *direction = match next {
                Direction::Free => free,
                Direction::Bound => bound,
                Direction::Conjugate(beta) => free - beta * *direction,
            };
            *direction * scales[i].scale
        });
    }

    /// The product with the direction, scaled, and what decides on the length of the step.
    fn multiply(&mut self, operator: &mut impl Operator) -> StepSums {
        let BoundedCg { unknowns, scales, direction, product, steps, .. } = self;
        operator.multiply(product, steps, |first, products| {
            let mut sums = StepSums::NONE;
            for (i, product) in (first..).zip(products) {
                let (Unknown { x, gradient }, d) = (unknowns[i], direction[i]);
                let Scale { scale, bound, .. } = scales[i];
                *product *= scale;
                sums.along += f64::from(gradient) * f64::from(d);
                sums.curvature += f64::from(d) * f64::from(*product);
                if d > 0.0 && bound.is_finite() {
                    let reach = (x - bound) / d;
                    sums.feasible = if reach < sums.feasible { reach } else { sums.feasible };
                }
            }
            sums
        });
        steps.iter().fold(StepSums::NONE, StepSums::add)
    }

    /// A step along the direction.
    fn advance(&mut self, length: Real) -> Residual {
        self.update(|_, Unknown { x, gradient }, _, [direction, product]| Unknown {
            x: x - length * direction,
            gradient: gradient - length * product,
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
        let BoundedCg { unknowns, scales, direction, .. } = self;
        operator.set_argument(unknowns, |i, Unknown { x, .. }| {
            let Scale { scale, bound, .. } = scales[i];
            *x = (*x - length * direction[i]).max(bound);
            *x * scale
        });
        operator.multiply(&mut self.product, &mut self.steps, |_, _| StepSums::NONE);
        self.update(|i, Unknown { x, .. }, scale, [_, product]| Unknown {
            x,
            gradient: (product - problem.rhs[i]) * scale.scale,
        })
    }
}

/// The gradient of an entry if it is free, and what of it leads away from its bound.
#[inline]
fn parts(&Unknown { x, gradient }: &Unknown, scale: &Scale) -> [Real; 2] {
    if scale.root <= 0.0 {
        [0.0, 0.0]
    } else if x > scale.bound {
        [gradient, 0.0]
    } else {
        [0.0, gradient.min(0.0)]
    }
}

#[cfg(test)]
mod tests;
