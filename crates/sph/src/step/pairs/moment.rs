//! The first moments of one particle's surroundings; [`moments`](super::moments) says what they
//! are.

use crate::step::pairs::tensor::Tensor;
use hashfall_core::{Real, Vec3};
use nalgebra::Matrix3;

/// From this on a particle is inside the fluid: it may bear suction. Disorder alone leaves
/// particles deep inside below 0.999.
pub const INSIDE: Real = 0.5;

/// A surface that is as dense as a flat one but for less than this holds together \[–\].
const COHERENCE: Real = 0.05;

/// The first moments of one particle's surroundings.
#[derive(Clone, Copy, Debug, Default)]
pub struct Moment {
    /// L \[–\].
    pub correction: Tensor,
    /// c of the fluid alone \[1/m\].
    pub fluid: Vec3,
    /// c + ∇λ \[1/m\].
    pub total: Vec3,
    /// χ \[–\].
    pub inside: Real,
    /// ε \[–\].
    pub excess: Real,
    /// ω \[–\].
    pub surface: Real,
    /// σ \[–\].
    pub scale: Real,
    /// B of the fluid alone \[–\].
    pub spread: Tensor,
    /// −Σⱼ V s vᵢⱼ xᵢⱼᵀ \[1/s\].
    pub rates: Matrix3<Real>,
    /// θ: whether the fluid's neighbours tell of a linear field \[–\].
    pub fit_weight: Real,
    /// Σⱼ V s vᵢⱼ \[1/(m s)\].
    pub velocity: Vec3,
    /// D v \[1/s\].
    pub divergence: Real,
    /// Crowding \[1/m\].
    pub crowding: Vec3,
    /// Σⱼ V² s² x² \[1/m²\].
    pub squares: Real,
    /// Σⱼ V² s² x²/ρ₀ⱼ \[m/kg\].
    pub weighted_squares: Real,
    /// −Σⱼ V s 2/(ρ₀ᵢ + ρ₀ⱼ) \[m/kg\].
    pub weight: Real,
}

impl Moment {
    /// What a known pressure does beyond its adjoint gradient, with the consistent one: the whole
    /// is χ g + (σ − χ) G p \[as both\].
    pub fn excess_force(&self, consistent: Vec3, adjoint: Vec3) -> Vec3 {
        (consistent - adjoint) * self.inside + adjoint * (self.scale - 1.0)
    }

    /// What a known pressure does beyond that if along the free surface, too, the consistent
    /// gradient takes the place of the adjoint one \[as both\].
    pub fn excess_along_surface(&self, consistent: Vec3, adjoint: Vec3) -> Vec3 {
        let taken = adjoint * (self.surface + self.scale - 1.0);
        self.along_surface(consistent * self.surface - taken)
    }

    /// G, where θ is not 0 \[1/s\].
    pub fn fit(&self) -> Matrix3<Real> {
        if self.fit_weight > 0.0 {
            self.rates * Matrix3::from(self.spread.inverse())
        } else {
            Matrix3::zeros()
        }
    }

    /// The part of a vector along the free surface.
    pub fn along_surface(&self, v: Vec3) -> Vec3 {
        let square = self.total.norm_squared();
        if square > 0.0 { v - self.total * (v.dot(&self.total) / square) } else { v }
    }

    /// How much of the asymmetry the crowding C holds, from 0 to 1: C·t/|t|², t = c + ∇λ \[–\].
    pub fn part_of_crowding(&self) -> Real {
        let square = self.total.norm_squared();
        if square > 0.0 { (self.crowding.dot(&self.total) / square).clamp(0.0, 1.0) } else { 0.0 }
    }

    /// Whether pressure may be negative.
    pub fn is_inside(&self) -> bool {
        self.inside > INSIDE
    }

    /// Whether the fluid is about as dense as under a flat surface.
    pub fn is_coherent(&self) -> bool {
        self.excess > -COHERENCE
    }

    /// Whether there is no fluid around.
    pub fn is_alone(&self) -> bool {
        self.squares == 0.0
    }
}
