//! Conjugate gradients with the inverses of the diagonal blocks as preconditioner.
//!
//! Sums over nodes are those of fixed chunks, joined in their order: the same bits for any number
//! of threads.

use crate::energy::{Energies, SlotBuffer};
use hashfall_core::parallel;
use hashfall_geometry::Point;
use nalgebra::Matrix3;

/// A = diag(m) + Σ blocks of elements, on the nodes that are free.
#[derive(Debug, Default)]
pub struct NewtonMatrix {
    /// Of all nodes \[kg\]; 0 of those that are held.
    pub mass: Vec<f64>,
    /// Of all elements \[kg\].
    pub blocks: Vec<Matrix3<f64>>,
    /// Inverses of the blocks of A on its diagonal \[1/kg\]; zeros of nodes that are held.
    pub inverse_diagonal: Vec<Matrix3<f64>>,
    diagonal_slots: SlotBuffer<Matrix3<f64>>,
}

/// Vectors over the nodes.
#[derive(Debug, Default)]
pub struct ConjugateGradients {
    r: Vec<Point>,
    z: Vec<Point>,
    p: Vec<Point>,
    ap: Vec<Point>,
    slots: SlotBuffer<Point>,
}

/// Σ a·b.
pub fn dot(a: &[Point], b: &[Point]) -> f64 {
    let part = |nodes: std::ops::Range<usize>| nodes.map(|node| a[node].dot(&b[node])).sum::<f64>();
    parallel::fold(a.len(), part, |a, b| a + b).unwrap_or(0.0)
}

impl NewtonMatrix {
    /// Inverts the diagonal, once mass and blocks are set.
    pub fn update_diagonal(&mut self, energies: &Energies) {
        let NewtonMatrix { mass, blocks, inverse_diagonal, diagonal_slots } = self;
        inverse_diagonal.resize(mass.len(), Matrix3::zeros());
        energies.diagonal(blocks, diagonal_slots, inverse_diagonal);
        parallel::fill(inverse_diagonal, |node, block| {
            *block = if mass[node] == 0.0 {
                Matrix3::zeros()
            } else {
                let whole = *block + Matrix3::from_diagonal_element(mass[node]);
                let scalar = Matrix3::from_diagonal_element(1.0 / mass[node]);
                whole.try_inverse().unwrap_or(scalar)
            };
        });
    }
}

impl ConjugateGradients {
    /// Solves A x = b from x = 0 to a residual of `tolerance` times that of x = 0, in the norm of
    /// the preconditioner; returns the iterations, or none if there would be more than `limit`.
    pub fn solve(
        &mut self,
        energies: &Energies,
        matrix: &NewtonMatrix,
        b: &[Point],
        x: &mut [Point],
        (tolerance, limit): (f64, u32),
    ) -> Option<u32> {
        let ConjugateGradients { r, z, p, ap, slots } = self;
        for vector in [&mut *z, p, ap] {
            vector.resize(b.len(), Point::zeros());
        }
        r.clear();
        r.extend_from_slice(b);
        x.fill(Point::zeros());
        let inverse = &matrix.inverse_diagonal;
        parallel::fill(z, |node, z| *z = inverse[node] * r[node]);
        p.copy_from_slice(z);
        let mut r_z = dot(r, z);
        let target = tolerance * tolerance * r_z;
        for iteration in 0..=limit {
            // A residual that is not finite is for the caller to see.
            if r_z <= target || r_z.is_nan() {
                return Some(iteration);
            }
            energies.multiply(&matrix.blocks, p, slots, ap);
            parallel::fill(ap, |node, ap| {
                let mass = matrix.mass[node];
                *ap = if mass == 0.0 { Point::zeros() } else { *ap + p[node] * mass };
            });
            let alpha = r_z / dot(p, ap);
            parallel::fill(x, |node, x| *x += p[node] * alpha);
            parallel::fill_both(r, z, |node, r, z| {
                *r -= ap[node] * alpha;
                *z = inverse[node] * *r;
            });
            let r_z_next = dot(r, z);
            let beta = r_z_next / r_z;
            parallel::fill(p, |node, p| *p = z[node] + *p * beta);
            r_z = r_z_next;
        }
        None
    }
}
