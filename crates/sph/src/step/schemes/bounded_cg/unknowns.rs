//! The unknowns of [conjugate gradients with bounds](super), scaled by the roots of the diagonal,
//! with an array for each of what is known of them: so vectors of any instruction set load them as
//! they stand.

use hashfall_core::Real;
use hashfall_core::parallel;

/// Diagonals below this part of their mean count as it: a lonely particle has next to none.
const MIN_DIAGONAL: f64 = 1e-4;

/// What is known of each unknown, scaled.
#[derive(Debug, Default)]
pub struct Unknowns {
    /// The root of the diagonal; 0 if it has none.
    pub root: Vec<Real>,
    /// One over that, or 0.
    pub scale: Vec<Real>,
    /// The least value over the scale.
    pub bound: Vec<Real>,
    /// x over the scale.
    pub x: Vec<Real>,
    /// The gradient A x − b, times the scale.
    pub gradient: Vec<Real>,
    /// Where x goes.
    pub direction: Vec<Real>,
    /// A times that, times the scale.
    pub product: Vec<Real>,
}

impl Unknowns {
    /// Scales a problem, with x and A x 0; returns the largest root and |b| times the scale.
    #[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f32")]
    pub fn begin(&mut self, diagonal: &[Real], rhs: &[Real], lower: &[Real]) -> [f64; 2] {
        let n = rhs.len();
        let Unknowns { root, scale, bound, x, gradient, direction, product } = self;
        for array in [&mut *root, scale, bound, gradient] {
            array.resize(n, 0.0);
        }
        // What a step that was rolled back has left may not be finite.
        for array in [x, direction, product] {
            array.clear();
            array.resize(n, 0.0);
        }
        let [sum] = parallel::sum(n, |i| [f64::from(diagonal[i])]);
        let least = (MIN_DIAGONAL * sum / n.max(1) as f64) as Real;
        parallel::fill_both(root, scale, |i, root, scale| {
            let diagonal = diagonal[i].max(least);
            *root = if diagonal > 0.0 { diagonal.sqrt() } else { 0.0 };
            *scale = if *root > 0.0 { 1.0 / *root } else { 0.0 };
        });
        parallel::fill(bound, |i, bound| *bound = lower[i] * root[i]);
        let largest_root = parallel::max(n, 0.0, |i| root[i]);
        let largest_rhs = parallel::max(n, 0.0, |i| (rhs[i] * scale[i]).abs());
        [f64::from(largest_root), f64::from(largest_rhs)]
    }
}
