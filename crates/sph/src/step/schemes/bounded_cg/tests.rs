//! Solutions of dense matrices meet the conditions of a bounded minimum.

use super::*;
use hashfall_geometry::random::Random;

/// A dense matrix, its argument, and in which order its unknowns stand.
struct Dense {
    rows: Vec<Vec<f64>>,
    argument: Vec<Real>,
    order: Vec<usize>,
}

impl Dense {
    fn new(rows: Vec<Vec<f64>>) -> Self {
        Dense { order: (0..rows.len()).collect(), rows, argument: Vec::new() }
    }

    /// The sum of a row, in the order of its columns wherever the unknowns stand.
    fn product(&self, x: &[Real], out: &mut [Real]) {
        let mut by_column = vec![0.0; x.len()];
        self.order.iter().zip(x).for_each(|(&column, &x)| by_column[column] = f64::from(x));
        for (&row, out) in self.order.iter().zip(out) {
            let sum: f64 = self.rows[row].iter().zip(&by_column).map(|(a, x)| a * x).sum();
            *out = sum as Real;
        }
    }
}

impl Operator for Dense {
    fn set_argument<T: Send>(
        &mut self,
        items: &mut [T],
        entries: impl Fn(usize, &mut [T], &mut [Real]) + Sync,
    ) {
        self.argument.resize(items.len(), 0.0);
        let chunks = items.chunks_mut(CHUNK).zip(self.argument.chunks_mut(CHUNK));
        for (chunk, (items, x)) in chunks.enumerate() {
            entries(chunk * CHUNK, items, x);
        }
    }

    fn multiply<F: Send>(
        &mut self,
        out: &mut [Real],
        folds: &mut [F],
        take: impl Fn(usize, &mut [Real]) -> F + Sync,
    ) {
        self.product(&self.argument, out);
        for (chunk, (out, fold)) in out.chunks_mut(CHUNK).zip(folds).enumerate() {
            *fold = take(chunk * CHUNK, out);
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

/// What is solved for: every third unknown has no bound.
struct Case {
    matrix: Dense,
    diagonal: Vec<Real>,
    rhs: Vec<Real>,
    lower: Vec<Real>,
}

impl Case {
    fn new(rows: Vec<Vec<f64>>, random: &mut Random) -> Self {
        let n = rows.len();
        Case {
            diagonal: (0..n).map(|i| rows[i][i] as Real).collect(),
            rhs: (0..n).map(|_| random.number(-1.0, 1.0) as Real).collect(),
            lower: (0..n).map(|i| if i % 3 == 0 { Real::NEG_INFINITY } else { 0.0 }).collect(),
            matrix: Dense::new(rows),
        }
    }

    fn solve(&mut self, isa: Isa) -> (Solved, Vec<Real>) {
        let problem = Problem {
            diagonal: &self.diagonal,
            rhs: &self.rhs,
            lower: &self.lower,
            tolerance: [1e-5, 1e-4],
            min_iterations: 0,
            max_iterations: 4000,
        };
        let mut x = vec![0.0; self.rhs.len()];
        let solved = BoundedCg::new(isa).solve(&mut self.matrix, problem, &mut x);
        (solved, x)
    }

    /// Whether A x = b where x is above its bound, and A x ≥ b at it.
    fn check(&self, solved: &Solved, x: &[Real]) {
        let n = x.len();
        assert!(!solved.capped, "{n}: {solved:?}");
        let mut product = vec![0.0; n];
        self.matrix.product(x, &mut product);
        for i in 0..n {
            let left = product[i] - self.rhs[i];
            assert!(x[i] >= self.lower[i], "{n}: {i} at {}", x[i]);
            let is_right = left.abs() < 1e-3 || (x[i] == self.lower[i] && left > 0.0);
            assert!(is_right, "{n}: {i} at {} leaves {left}", x[i]);
        }
    }

    /// The same with unknown `order[i]` in place i.
    fn reordered(&self, order: &[usize]) -> Case {
        let of = |numbers: &[Real]| order.iter().map(|&i| numbers[i]).collect();
        let Case { matrix, diagonal, rhs, lower } = self;
        let matrix = Dense { order: order.to_vec(), ..Dense::new(matrix.rows.clone()) };
        Case { matrix, diagonal: of(diagonal), rhs: of(rhs), lower: of(lower) }
    }
}

#[test]
fn solutions_meet_the_conditions_of_a_bounded_minimum() {
    let mut random = Random::new(8);
    for round in 0..40 {
        let mut case = Case::new(positive(3 + round, &mut random), &mut random);
        let (solved, x) = case.solve(Isa::current());
        case.check(&solved, &x);
    }
}

/// Over more than a chunk, with neighbours in a ring.
fn ring(random: &mut Random) -> Case {
    let n = CHUNK + 100;
    let mut rows = vec![vec![0.0; n]; n];
    for i in 0..n {
        for (distance, strength) in [(1, 1.0), (7, 0.5), (40, 0.2)] {
            let (j, a) = ((i + distance) % n, strength * random.number(0.1, 1.0));
            rows[i][j] -= a;
            rows[j][i] -= a;
            rows[i][i] += a;
            rows[j][j] += a;
        }
        rows[i][i] += 1e-3;
    }
    Case::new(rows, random)
}

#[test]
fn solutions_do_not_depend_on_the_order_of_unknowns_nor_on_the_instruction_set() {
    let mut random = Random::new(4);
    let mut case = ring(&mut random);
    let (solved, x) = case.solve(Isa::current());
    case.check(&solved, &x);
    assert!(solved.iterations > 20, "{solved:?}");
    let n = x.len();
    let mut order: Vec<usize> = (0..n).collect();
    for k in (1..n).rev() {
        order.swap(k, random.number(0.0, k as f64 + 0.999) as usize);
    }
    for isa in Isa::available() {
        assert_eq!(case.solve(isa), (solved, x.clone()), "{isa:?}");
        let (of_others, others) = case.reordered(&order).solve(isa);
        assert_eq!(of_others, solved, "{isa:?}");
        assert!(order.iter().zip(others).all(|(&i, found)| x[i].to_bits() == found.to_bits()));
    }
}

#[test]
fn products_beyond_the_assumed_gain_are_summed_again() {
    let mut random = Random::new(2);
    for n in [5, CHUNK + 20] {
        let entry = |i: usize, j: usize| if i == j { 11.0 } else { 10.0 };
        let rows = (0..n).map(|i| (0..n).map(|j| entry(i, j)).collect()).collect();
        let mut case = Case::new(rows, &mut random);
        // All of one sign: the first direction is that of the largest gain.
        case.rhs.iter_mut().for_each(|b| *b = b.abs());
        let (solved, x) = case.solve(Isa::current());
        case.check(&solved, &x);
    }
}

#[test]
fn what_is_not_finite_ends_the_solution() {
    let mut random = Random::new(6);
    let mut case = ring(&mut random);
    for fault in [Real::NAN, Real::INFINITY, Real::NEG_INFINITY] {
        case.rhs[CHUNK + 3] = fault;
        let (solved, _) = case.solve(Isa::current());
        assert!(!solved.error.is_finite() && solved.iterations < 3, "{fault}: {solved:?}");
    }
}
