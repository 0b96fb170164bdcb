//! One element of an elastic energy: what a new kind of element writes, one file each.
//!
//! An element has N corners at x₀ … x₍N−1₎ and stores the energy W(x). It pulls at corner i with
//! −∂W/∂xᵢ, and resists its own rate of deformation by forces linear in the corners' velocities
//! (Kelvin–Voigt): for strains q(x) with dW = S·dq and stiffness C = ∂S/∂q the damping is
//! −(∂q/∂x)ᵀ β C q̇, with the material's damping time β. As rigid motions strain nothing, both
//! forces sum to zero, and so do their moments: an element keeps momentum and angular momentum.
//!
//! Symbols: x corners \[m\], v their velocities \[m/s\], W energy \[J\], K = ∂²W/∂x² stiffness
//! \[N/m\], β damping time \[s\].

use hashfall_geometry::Point;
use nalgebra::Matrix3;
use std::fmt::Debug;

/// A block for each pair of corners.
pub type Blocks<const N: usize> = [[Matrix3<f64>; N]; N];

/// An element of N corners.
pub trait Element<const N: usize>: Debug + Send + Sync {
    /// What elements of this kind are called in messages and output, in the singular.
    const NAME: &'static str;

    /// W \[J\], zero at rest.
    fn energy(&self, x: &[Point; N]) -> f64;

    /// The forces on the corners \[N\], those of damping with them.
    fn forces(&self, x: &[Point; N], v: &[Point; N]) -> [Point; N];

    /// ∂²W/∂x² \[N/m\], projected on the positive semidefinite matrices.
    fn stiffness(&self, x: &[Point; N]) -> Blocks<N>;

    /// −∂f/∂v \[N·s/m\], symmetric and positive semidefinite: what `forces` damps with.
    fn damping(&self, x: &[Point; N]) -> Blocks<N>;

    /// β \[s\]: the damping is at most β times the [bound](Element::bound) of the stiffness.
    fn damping_time(&self) -> f64;

    /// A symmetric matrix for each corner \[N/m\] such that ∂²W/∂x² is at most the block-diagonal
    /// matrix of them, in the order of quadratic forms. From their sums at the nodes follows the
    /// stable substep; the smaller they are, the longer it is.
    fn bound(&self, x: &[Point; N]) -> [Matrix3<f64>; N] {
        gershgorin(&self.stiffness(x))
    }

    /// The same for stiffness alone, where the bound is of what damps, too.
    fn bound_of_stiffness(&self, x: &[Point; N]) -> [Matrix3<f64>; N] {
        self.bound(x)
    }

    /// Its volume at rest \[m³\]: the weight of its stress in an average over elements; 0 of what
    /// is beside elements that have the volume, as bending is beside tension.
    fn volume(&self) -> f64;

    /// A measure of its elastic stress \[Pa\] for output: the tension of what is one-dimensional,
    /// else the equivalent stress of von Mises.
    fn stress(&self, x: &[Point; N]) -> f64;

    /// Whether its energy and forces are defined at `x`.
    fn is_valid(&self, x: &[Point; N]) -> bool {
        self.energy(x).is_finite()
    }
}

/// A bound of any symmetric matrix of blocks, by Gershgorin's circles: 2 xᵢᵀ B xⱼ is at most
/// |B| (|xᵢ|² + |xⱼ|²).
pub fn gershgorin<const N: usize>(blocks: &Blocks<N>) -> [Matrix3<f64>; N] {
    blocks.map(|row| Matrix3::from_diagonal_element(row.iter().map(spectral_norm_bound).sum()))
}

/// At least the spectral norm: √(|B|₁ |B|∞), and no more than that of Frobenius.
fn spectral_norm_bound(block: &Matrix3<f64>) -> f64 {
    let largest = |sums: [f64; 3]| sums.into_iter().fold(0.0, f64::max);
    let columns = [0, 1, 2].map(|k| block.column(k).iter().map(|x| x.abs()).sum::<f64>());
    let rows = [0, 1, 2].map(|k| block.row(k).iter().map(|x| x.abs()).sum::<f64>());
    (largest(columns) * largest(rows)).sqrt().min(block.norm())
}
