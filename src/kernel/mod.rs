//! Smoothing kernels: a file each, with source and normalisation.
//!
//! A kernel has a support radius h and is made for two or three dimensions. Loops over pairs are
//! compiled for each ([`SmoothingKernel`]); [`Kernel`] is the choice of one, for what is asked now
//! and then.

mod cubic_spline;
mod mueller;
mod profile;
#[cfg(test)]
mod tests;
mod wendland;

pub use cubic_spline::CubicSpline;
pub use mueller::Mueller;
pub use wendland::WendlandC2;

use crate::base::{Dimension, Real};
use serde::{Deserialize, Serialize};

/// A kernel that a loop over pairs is compiled for.
pub trait SmoothingKernel: Copy + Send + Sync {
    /// The support radius h \[m\]: W is zero from there on.
    fn support_radius(&self) -> Real;

    /// W(r) for r ≥ 0 \[1/m³, in the plane 1/m²\].
    fn value(&self, r: Real) -> Real;

    /// W′(r)/r, so that ∇W = x · `slope_over_r(|x|)` for the vector x between two points
    /// \[1/m⁵, 1/m⁴\]. Bounded for r → 0, so that coincident points need no special case.
    fn slope_over_r(&self, r: Real) -> Real;
}

/// The names of the kernels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum KernelKind {
    /// [`CubicSpline`].
    #[default]
    CubicSpline,
    /// [`WendlandC2`].
    WendlandC2,
    /// [`Mueller`].
    Mueller,
}

impl KernelKind {
    /// Every kernel.
    pub const ALL: [KernelKind; 3] =
        [KernelKind::CubicSpline, KernelKind::WendlandC2, KernelKind::Mueller];
}

/// A kernel of some support radius.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Kernel {
    /// In how many dimensions it is normalised.
    pub dimension: Dimension,
    /// The loops that are compiled for it.
    pub shape: Shape,
}

/// The kernel itself.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shape {
    /// Monaghan's.
    CubicSpline(CubicSpline),
    /// Wendland's.
    WendlandC2(WendlandC2),
    /// Müller's.
    Mueller(Mueller),
}

impl Kernel {
    /// The kernel of support radius `h` \[m\].
    pub fn new(kind: KernelKind, dimension: Dimension, h: Real) -> Self {
        let shape = match kind {
            KernelKind::CubicSpline => Shape::CubicSpline(CubicSpline::new(dimension, h)),
            KernelKind::WendlandC2 => Shape::WendlandC2(WendlandC2::new(dimension, h)),
            KernelKind::Mueller => Shape::Mueller(Mueller::new(dimension, h)),
        };
        Kernel { dimension, shape }
    }

    /// The support radius h \[m\].
    pub fn support_radius(&self) -> Real {
        match self.shape {
            Shape::CubicSpline(kernel) => kernel.support_radius(),
            Shape::WendlandC2(kernel) => kernel.support_radius(),
            Shape::Mueller(kernel) => kernel.support_radius(),
        }
    }

    /// W(r) for r ≥ 0 \[1/m³, in the plane 1/m²\].
    pub fn value(&self, r: Real) -> Real {
        match self.shape {
            Shape::CubicSpline(kernel) => kernel.value(r),
            Shape::WendlandC2(kernel) => kernel.value(r),
            Shape::Mueller(kernel) => kernel.value(r),
        }
    }

    /// W′(r)/r \[1/m⁵, in the plane 1/m⁴\].
    pub fn slope_over_r(&self, r: Real) -> Real {
        match self.shape {
            Shape::CubicSpline(kernel) => kernel.slope_over_r(r),
            Shape::WendlandC2(kernel) => kernel.slope_over_r(r),
            Shape::Mueller(kernel) => kernel.slope_over_r(r),
        }
    }

    /// M₁, M₂, M₃ of W over the distance, from `a` ≥ 0 on: Mₙ(a) = ∫ₐʰ sⁿ W(s) ds
    /// \[mⁿ⁻², in the plane mⁿ⁻¹\].
    pub fn moments_from(&self, a: Real) -> [Real; 3] {
        match self.shape {
            Shape::CubicSpline(_) => self.moments(&CubicSpline::PROFILE, a),
            Shape::WendlandC2(_) => self.moments(&WendlandC2::PROFILE, a),
            Shape::Mueller(_) => self.moments(&Mueller::PROFILE, a),
        }
    }

    /// The same for the kernel whose slope is taken: another one only among [`Mueller`]'s.
    pub fn sloping_moments_from(&self, a: Real) -> [Real; 3] {
        match self.shape {
            Shape::Mueller(kernel) => {
                let ratio = kernel.spiky_factor() / kernel.value(0.0);
                self.moments(&Mueller::SPIKY_PROFILE, a).map(|moment| moment * ratio)
            }
            _ => self.moments_from(a),
        }
    }

    /// W(r) of the kernel whose slope is taken.
    pub fn sloping_value(&self, r: Real) -> Real {
        match self.shape {
            Shape::Mueller(kernel) => kernel.spiky(r),
            _ => self.value(r),
        }
    }

    #[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f32")]
    fn moments(&self, profile: &[profile::Piece], a: Real) -> [Real; 3] {
        let h = self.support_radius();
        let q = f64::from(a) / f64::from(h);
        let [m1, m2, m3] = profile::moments_from(profile, q).map(|moment| moment as Real);
        let scale = self.value(0.0) / profile[0].shape[0] as Real * h * h;
        [scale * m1, scale * h * m2, scale * h * h * m3]
    }
}
