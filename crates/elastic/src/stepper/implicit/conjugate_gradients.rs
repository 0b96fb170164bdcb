//! Conjugate gradients with incomplete factors as preconditioner.
//!
//! Sums over nodes are in [fixed point](hashfall_core::fixed_sum): the same bits for any number of
//! threads and any order of the nodes.

use super::block_matrix::BlockMatrix;
use super::incomplete_cholesky::IncompleteCholesky;
use hashfall_core::parallel;
use hashfall_geometry::Point;

/// Vectors over the nodes.
#[derive(Debug, Default)]
pub struct ConjugateGradients {
    r: Vec<Point>,
    z: Vec<Point>,
    p: Vec<Point>,
    ap: Vec<Point>,
}

/// Σ a·b.
pub fn dot(a: &[Point], b: &[Point]) -> f64 {
    let [sum] = parallel::sum(a.len(), |node| [a[node].dot(&b[node])]);
    sum
}

impl ConjugateGradients {
    /// Solves A x = b from x = 0 to a residual of `tolerance` times that of x = 0, in the norm of
    /// the preconditioner; returns the iterations, or none if there would be more than `limit`.
    pub fn solve(
        &mut self,
        matrix: &BlockMatrix,
        preconditioner: &mut IncompleteCholesky,
        b: &[Point],
        x: &mut [Point],
        tolerance: f64,
        limit: u32,
    ) -> Option<u32> {
        let ConjugateGradients { r, z, p, ap } = self;
        for vector in [&mut *z, p, ap] {
            vector.resize(b.len(), Point::zeros());
        }
        r.clear();
        r.extend_from_slice(b);
        x.fill(Point::zeros());
        preconditioner.solve(r, z);
        p.copy_from_slice(z);
        let mut r_z = dot(r, z);
        let target = tolerance * tolerance * r_z;
        for iteration in 0..=limit {
            // A residual that is not finite is for the caller to see.
            if r_z <= target || r_z.is_nan() {
                return Some(iteration);
            }
            matrix.multiply(p, ap);
            let alpha = r_z / dot(p, ap);
            parallel::fill(x, |node, x| *x += p[node] * alpha);
            parallel::fill(r, |node, r| *r -= ap[node] * alpha);
            preconditioner.solve(r, z);
            let r_z_next = dot(r, z);
            let beta = r_z_next / r_z;
            parallel::fill(p, |node, p| *p = z[node] + *p * beta);
            r_z = r_z_next;
        }
        None
    }
}
