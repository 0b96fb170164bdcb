//! What a hyperelastic material writes: its energy by the deformation gradient F = ∂x/∂X, of three
//! rows and as many columns as the body has dimensions at rest (two in a membrane, whose gradient
//! is that of its middle surface).
//!
//! Symbols: Ψ energy per volume at rest \[J/m³\], P = ∂Ψ/∂F first Piola–Kirchhoff stress \[Pa\],
//! λ, μ Lamé parameters \[Pa\].

use hashfall_geometry::Point;
use nalgebra::SMatrix;
use std::fmt::Debug;

/// F, or a change of it.
pub type Gradient<const D: usize> = SMatrix<f64, 3, D>;

/// The most modes of a gradient.
pub const MODES: usize = 9;

/// An eigenvalue of ∂²Ψ/∂F² \[Pa\], and its direction, a gradient of norm one.
pub type Mode<const D: usize> = (f64, Gradient<D>);

/// ∂²Ψ/∂F² is at most this quadratic form of δF: c |δF|² + Σ cₖ (Aₖ : δF)².
#[derive(Clone, Copy, Debug)]
pub struct HessianBound<const D: usize> {
    /// c \[Pa\].
    pub isotropic: f64,
    /// cₖ \[Pa\] and Aₖ.
    pub along: [(f64, Gradient<D>); 2],
}

/// A material of which energy is stored by the deformation gradient.
pub trait Hyperelastic<const D: usize>: Debug + Send + Sync {
    /// What an element of it is called in messages and output, in the singular.
    const NAME: &'static str;

    /// Ψ, zero at rest.
    fn energy(&self, f: &Gradient<D>) -> f64;

    /// P.
    fn stress(&self, f: &Gradient<D>) -> Gradient<D>;

    /// The modes of ∂²Ψ/∂F²: 3 D of them, then zeros.
    fn modes(&self, f: &Gradient<D>) -> [Mode<D>; MODES];

    /// A bound of all modes.
    fn bound(&self, f: &Gradient<D>) -> HessianBound<D>;

    /// λ and μ at rest (of plane stress, in a membrane).
    fn lame(&self) -> [f64; 2];

    /// Equivalent stress of von Mises of the Cauchy stress \[Pa\].
    fn equivalent_stress(&self, f: &Gradient<D>) -> f64;
}

/// A mode of the directions uᵢ and the axes vⱼ.
pub fn dyad<const D: usize>(u: &Point, v: &SMatrix<f64, D, D>, column: usize) -> Gradient<D> {
    u * v.column(column).transpose()
}
