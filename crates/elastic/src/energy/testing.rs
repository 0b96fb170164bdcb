//! What every kind of element must do, against differences: for the tests of each.

use super::element::{Blocks, Element};
use hashfall_core::rng::RandomStream;
use hashfall_geometry::Point;
use nalgebra::{DMatrix, DVector, Matrix3};

/// A vector with components between −1 and 1.
pub fn random_vector(rng: &mut RandomStream) -> Point {
    Point::from_fn(|_, _| rng.between(-1.0, 1.0))
}

/// Blocks as one matrix.
pub fn matrix<const N: usize>(blocks: &Blocks<N>) -> DMatrix<f64> {
    DMatrix::from_fn(3 * N, 3 * N, |i, j| blocks[i / 3][j / 3][(i % 3, j % 3)])
}

/// Asserts that an element's forces are the slope of its energy, keep momentum and angular
/// momentum, and that damping only takes energy, and none of a rigid motion.
///
/// `scale` is the size of the element \[m\], `stiffness` its largest stiffness \[N/m\].
pub fn assert_forces<E: Element<N>, const N: usize>(
    element: &E,
    x: &[Point; N],
    scale: f64,
    stiffness: f64,
) {
    let still = [Point::zeros(); N];
    let forces = element.forces(x, &still);
    let h = 1e-5 * scale;
    for i in 0..N {
        for k in 0..3 {
            let at = |shift: f64| {
                let mut x = *x;
                x[i][k] += shift;
                element.energy(&x)
            };
            let slope = (at(h) - at(-h)) / (2.0 * h);
            let error = (forces[i][k] + slope).abs();
            assert!(error < 1e-7 * stiffness * scale, "corner {i}, axis {k}: off by {error} N");
        }
    }
    let mut rng = RandomStream::new(11);
    let v = [(); N].map(|()| random_vector(&mut rng));
    let damped = element.forces(x, &v);
    let sum: Point = damped.iter().sum();
    let moment: Point = x.iter().zip(&damped).map(|(x, f)| x.cross(f)).sum();
    let largest = damped.iter().map(Point::norm).fold(0.0, f64::max);
    assert!(sum.norm() <= 1e-12 * largest, "momentum {sum}");
    let reach = x.iter().map(Point::norm).fold(scale, f64::max);
    assert!(moment.norm() <= 1e-12 * largest * reach, "angular momentum {moment}");
    let (a, w) = (random_vector(&mut rng), random_vector(&mut rng));
    let rigid = x.map(|x| a + w.cross(&x));
    let added = element.forces(x, &rigid).iter().zip(&forces).map(|(a, b)| (a - b).norm()).sum();
    let damping = element.damping_time() * stiffness;
    assert_below(added, 1e-10 * damping * reach + 1e-14 * largest, "damping of a rigid motion");
}

fn assert_below(found: f64, limit: f64, what: &str) {
    assert!(found <= limit, "{what}: {found}, limit {limit}");
}

/// Asserts that the damping is that of the forces, positive and bounded, that the projected
/// stiffness is positive, and that the bound is one of the differences of the forces. If
/// `is_exact`, the stiffness is equal to those.
pub fn assert_matrices<E: Element<N>, const N: usize>(
    element: &E,
    x: &[Point; N],
    scale: f64,
    is_exact: bool,
) {
    let still = [Point::zeros(); N];
    let difference = |i: usize, k: usize, h: f64, of_velocity: bool| {
        let at = |shift: f64| {
            let (mut x, mut v) = (*x, still);
            if of_velocity {
                v[i][k] += shift
            } else {
                x[i][k] += shift
            }
            element.forces(&x, &v)
        };
        let (ahead, behind) = (at(h), at(-h));
        DVector::from_fn(3 * N, |row, _| {
            -(ahead[row / 3][row % 3] - behind[row / 3][row % 3]) / (2.0 * h)
        })
    };
    let columns = |h: f64, of_velocity: bool| {
        let columns: Vec<_> =
            (0..3 * N).map(|j| difference(j / 3, j % 3, h, of_velocity)).collect();
        DMatrix::from_columns(&columns)
    };
    let hessian = columns(1e-6 * scale, false);
    let (stiffness, damping) = (matrix(&element.stiffness(x)), matrix(&element.damping(x)));
    let largest = stiffness.norm();
    if is_exact {
        assert_below((&stiffness - &hessian).norm(), 1e-6 * largest, "stiffness");
    }
    let eigenvalues = |m: DMatrix<f64>| (0.5 * (&m + m.transpose())).symmetric_eigenvalues();
    assert_below(-eigenvalues(stiffness).min(), 1e-10 * largest, "negative stiffness");
    // Of forces that are linear in the velocity, any difference will do.
    let rate = if element.damping_time() > 0.0 { scale / element.damping_time() } else { scale };
    let of_forces = columns(rate, true);
    let damping_scale = largest * element.damping_time();
    assert_below((&damping - of_forces).norm(), 1e-9 * damping_scale, "damping");
    assert_below(-eigenvalues(damping.clone()).min(), 1e-10 * damping_scale, "negative damping");
    let bound = element.bound(x);
    let blocks = std::array::from_fn(|i| {
        std::array::from_fn(|j| if i == j { bound[i] } else { Matrix3::zeros() })
    });
    let bound: DMatrix<f64> = matrix::<N>(&blocks);
    let below = eigenvalues(&bound - hessian).min();
    assert_below(-below, 1e-6 * largest, "the bound is below the stiffness by");
    let below = eigenvalues(bound * element.damping_time() - damping).min();
    assert_below(-below, 1e-10 * damping_scale, "the bound is below the damping by");
}
