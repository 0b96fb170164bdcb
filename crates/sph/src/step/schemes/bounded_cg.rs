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
//! Sums are exact, so that the solution is the same for any number of threads.

use crate::step::schemes::projection::Solved;
use hashfall_core::{Real, parallel};

/// How far a gradient counts as free that leads to a bound, as the length of a step along it: the
/// operator scaled by its diagonal has eigenvalues up to 2 in water, 4 in a lattice of many
/// neighbours.
const STEP_LENGTH: Real = 0.4;

/// Diagonals below this part of their mean count as it: a lonely particle has next to none.
const MIN_DIAGONAL: f64 = 1e-4;

/// A symmetric positive operator.
pub trait Operator {
    /// Writes A x.
    fn multiply(&mut self, x: &[Real], out: &mut [Real]);
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
    /// One over the root of the diagonal.
    scale: Vec<Real>,
    /// x over the scale.
    scaled: Vec<Real>,
    /// The gradient A x − b, scaled.
    gradient: Vec<Real>,
    direction: Vec<Real>,
    /// A times the direction, scaled.
    product: Vec<Real>,
    /// An argument of A, in its own units.
    argument: Vec<Real>,
}

/// What decides on the next step.
struct State {
    mean: f64,
    largest: f64,
    /// Whether entries at their bounds are to be freed.
    frees: bool,
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
        self.restart(&problem, false);
        let mut solved = Solved::default();
        loop {
            let state = self.state(&problem);
            solved.error = state.mean;
            let is_good =
                state.mean <= problem.tolerance[0] && state.largest <= problem.tolerance[1];
            let is_good =
                is_good && (solved.iterations >= problem.min_iterations || state.mean == 0.0);
            if is_good || solved.iterations >= problem.max_iterations {
                solved.capped = !is_good;
                break;
            }
            solved.iterations += 1;
            if state.frees {
                self.restart(&problem, true);
            }
            if !self.advance(operator, &problem, state.frees, &mut solved.iterations) {
                break;
            }
        }
        let (scaled, scale) = (&self.scaled, &self.scale);
        parallel::fill(x, |i, x| *x = scaled[i] * scale[i]);
        solved
    }

    /// Scales the problem, and begins at 0.
    #[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f32")]
    fn prepare(&mut self, problem: &Problem<'_>) {
        let n = problem.rhs.len();
        for buffer in [&mut self.scale, &mut self.gradient, &mut self.direction] {
            buffer.resize(n, 0.0);
        }
        for buffer in [&mut self.product, &mut self.argument] {
            buffer.resize(n, 0.0);
        }
        self.scaled.clear();
        self.scaled.resize(n, 0.0);
        let [sum] = parallel::sum(n, |i| [f64::from(problem.diagonal[i])]);
        let least = (MIN_DIAGONAL * sum / n.max(1) as f64) as Real;
        parallel::fill_both(&mut self.scale, &mut self.gradient, |i, scale, gradient| {
            let diagonal = problem.diagonal[i].max(least);
            *scale = if diagonal > 0.0 { 1.0 / diagonal.sqrt() } else { 0.0 };
            *gradient = -problem.rhs[i] * *scale;
        });
    }

    /// The gradient at the present unknowns.
    fn renew_gradient(&mut self, operator: &mut impl Operator, problem: &Problem<'_>) {
        let (scale, scaled) = (&self.scale, &self.scaled);
        parallel::fill(&mut self.argument, |i, argument| *argument = scaled[i] * scale[i]);
        operator.multiply(&self.argument, &mut self.product);
        let (scale, product) = (&self.scale, &self.product);
        parallel::fill(&mut self.gradient, |i, gradient| {
            *gradient = (product[i] - problem.rhs[i]) * scale[i];
        });
    }

    /// Begins anew with the gradient of the free entries, or of those that it frees.
    fn restart(&mut self, problem: &Problem<'_>, frees: bool) {
        let BoundedCg { scaled, scale, gradient, direction, .. } = self;
        parallel::fill(direction, |i, direction| {
            let [free, bound] = parts(gradient[i], scaled[i], problem.lower[i], scale[i]);
            *direction = if frees { bound } else { free };
        });
    }

    /// The error, and whether the gradient at the bounds outweighs that of the free entries.
    fn state(&self, problem: &Problem<'_>) -> State {
        let BoundedCg { scaled, scale, gradient, .. } = self;
        let n = scaled.len();
        let error = |i: usize| {
            let [free, bound] = parts(gradient[i], scaled[i], problem.lower[i], scale[i]);
            if scale[i] > 0.0 { f64::from(((free + bound) / scale[i]).abs()) } else { 0.0 }
        };
        let [sum, bounds, frees] = parallel::sum(n, |i| {
            let lower = problem.lower[i];
            let [free, bound] = parts(gradient[i], scaled[i], lower, scale[i]);
            let reach = (scaled[i] - lower / scale[i]) / STEP_LENGTH;
            let cut = if free > 0.0 && lower.is_finite() { free.min(reach) } else { free };
            [error(i), f64::from(bound) * f64::from(bound), f64::from(free) * f64::from(cut)]
        });
        State {
            mean: sum / n.max(1) as f64,
            largest: parallel::max(n, 0.0, error),
            frees: bounds > frees,
        }
    }

    /// One step along the direction; false if there is nowhere to go.
    #[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f32")]
    fn advance(
        &mut self,
        operator: &mut impl Operator,
        problem: &Problem<'_>,
        frees: bool,
        iterations: &mut u32,
    ) -> bool {
        let n = self.scaled.len();
        let (scale, direction) = (&self.scale, &self.direction);
        parallel::fill(&mut self.argument, |i, argument| *argument = direction[i] * scale[i]);
        operator.multiply(&self.argument, &mut self.product);
        let BoundedCg { scale, scaled, gradient, direction, product, .. } = self;
        parallel::fill(product, |i, product| *product *= scale[i]);
        let [along, curvature] = parallel::sum(n, |i| {
            let d = f64::from(direction[i]);
            [f64::from(gradient[i]) * d, d * f64::from(product[i])]
        });
        if curvature.is_nan() || curvature <= 0.0 {
            return false;
        }
        let length = (along / curvature) as Real;
        let reach = |i: usize| {
            let way = direction[i] * scale[i];
            let lower = problem.lower[i];
            if way > 0.0 && lower.is_finite() {
                (scaled[i] * scale[i] - lower) / way
            } else {
                Real::MAX
            }
        };
        // Steps that free entries lead away from the bounds.
        let feasible = if frees { Real::MAX } else { -parallel::max(n, -Real::MAX, |i| -reach(i)) };
        let is_cut = length > feasible;
        parallel::fill_both(scaled, gradient, |i, scaled, gradient| {
            *scaled -= length * direction[i];
            *gradient -= length * product[i];
        });
        if is_cut {
            *iterations += 1;
            parallel::fill(scaled, |i, scaled| {
                let lower = problem.lower[i];
                *scaled = if lower.is_finite() { scaled.max(lower / scale[i]) } else { *scaled };
            });
            self.renew_gradient(operator, problem);
            self.restart(problem, false);
        } else if frees {
            self.restart(problem, false);
        } else {
            self.turn(problem, curvature);
        }
        true
    }

    /// The next conjugate direction.
    #[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f32")]
    fn turn(&mut self, problem: &Problem<'_>, curvature: f64) {
        let BoundedCg { scaled, scale, gradient, direction, product, .. } = self;
        let free = |i: usize| parts(gradient[i], scaled[i], problem.lower[i], scale[i])[0];
        let [overlap] =
            parallel::sum(scaled.len(), |i| [f64::from(free(i)) * f64::from(product[i])]);
        let beta = (overlap / curvature) as Real;
        parallel::fill(direction, |i, direction| *direction = free(i) - beta * *direction);
    }
}

/// The gradient of an entry if it is free, and what of it leads away from its bound.
#[inline]
fn parts(gradient: Real, scaled: Real, lower: Real, scale: Real) -> [Real; 2] {
    if scale <= 0.0 {
        [0.0, 0.0]
    } else if scaled > lower / scale {
        [gradient, 0.0]
    } else {
        [0.0, gradient.min(0.0)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashfall_geometry::random::Random;

    /// A dense matrix.
    struct Dense(Vec<Vec<f64>>);

    impl Operator for Dense {
        fn multiply(&mut self, x: &[Real], out: &mut [Real]) {
            for (row, out) in self.0.iter().zip(out) {
                let sum: f64 = row.iter().zip(x).map(|(a, x)| a * f64::from(*x)).sum();
                *out = sum as Real;
            }
        }
    }

    /// Aᵀ A + 1/10 of random numbers.
    fn positive(n: usize, random: &mut Random) -> Vec<Vec<f64>> {
        let a: Vec<Vec<f64>> =
            (0..n).map(|_| (0..n).map(|_| random.number(-1.0, 1.0)).collect()).collect();
        let entry = |i: usize, j: usize| {
            let product: f64 = (0..n).map(|k| a[k][i] * a[k][j]).sum();
            product + if i == j { 0.1 } else { 0.0 }
        };
        (0..n).map(|i| (0..n).map(|j| entry(i, j)).collect()).collect()
    }

    #[test]
    fn solutions_meet_the_conditions_of_a_bounded_minimum() {
        let mut random = Random::new(8);
        for round in 0..40 {
            let n = 3 + round;
            let mut matrix = Dense(positive(n, &mut random));
            let diagonal: Vec<Real> = (0..n).map(|i| matrix.0[i][i] as Real).collect();
            let rhs: Vec<Real> = (0..n).map(|_| random.number(-1.0, 1.0) as Real).collect();
            let lower: Vec<Real> =
                (0..n).map(|i| if i % 3 == 0 { Real::NEG_INFINITY } else { 0.0 }).collect();
            let problem = Problem {
                diagonal: &diagonal,
                rhs: &rhs,
                lower: &lower,
                tolerance: [1e-5, 1e-4],
                min_iterations: 0,
                max_iterations: 4000,
            };
            let mut x = vec![0.0; n];
            let solved = BoundedCg::default().solve(&mut matrix, problem, &mut x);
            assert!(!solved.capped, "{n}: {solved:?}");
            let mut product = vec![0.0; n];
            matrix.multiply(&x, &mut product);
            for i in 0..n {
                let left = product[i] - rhs[i];
                assert!(x[i] >= lower[i], "{n}: {i} at {}", x[i]);
                let is_right = left.abs() < 1e-3 || (x[i] == lower[i] && left > 0.0);
                assert!(is_right, "{n}: {i} at {} leaves {left}", x[i]);
            }
        }
    }
}
