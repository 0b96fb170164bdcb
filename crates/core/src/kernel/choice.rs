//! A kernel by name, for what is asked now and then.

use super::cubic_spline::CubicSpline;
use super::mueller::Mueller;
use super::profile;
use super::smoothing_kernel::SmoothingKernel;
use super::wendland::WendlandC2;
use crate::{Dimension, Real};

/// The names of the kernels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
pub enum KernelKind {
    /// Of Monaghan 1992.
    #[default]
    CubicSpline,
    /// With it particles do not pair up, however wide it is.
    WendlandC2,
    /// Of Müller et al. 2003: a kernel each for density, pressure and viscosity.
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

    /// ∫ s W(s) ds over the distance from `a` ≥ 0 on \[1/m, in the plane –\].
    pub fn first_moment_from(&self, a: Real) -> Real {
        match self.shape {
            Shape::CubicSpline(_) => self.first_moment(&CubicSpline::PROFILE, a),
            Shape::WendlandC2(_) => self.first_moment(&WendlandC2::PROFILE, a),
            Shape::Mueller(_) => self.first_moment(&Mueller::PROFILE, a),
        }
    }

    /// The same for the kernel whose slope is taken: another one only among [`Mueller`]'s.
    pub fn sloping_first_moment_from(&self, a: Real) -> Real {
        match self.shape {
            Shape::Mueller(kernel) => {
                let ratio = kernel.spiky(0.0) / kernel.value(0.0);
                ratio * self.first_moment(&Mueller::SPIKY_PROFILE, a)
            }
            _ => self.first_moment_from(a),
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
    fn first_moment(&self, profile: &[profile::Piece], a: Real) -> Real {
        let (h, sigma) = (self.support_radius(), self.value(0.0) / profile[0].shape[0] as Real);
        let q = f64::from(a) / f64::from(h);
        sigma * h * h * profile::first_moment_from(profile, q) as Real
    }

    /// The volume V with which a particle of a cubic lattice of spacing `d` \[m\] counts in sums,
    /// so that the lattice has rest density: V Σ W = 1 \[m³, in the plane m²\].
    ///
    /// The lattice sum Σ d³ W is near 1 but not 1: 0.99997 for the cubic spline at h = 2d.
    pub fn rest_volume(&self, d: Real) -> Real {
        let reach = (self.support_radius() / d).ceil() as i32;
        let row = |j: i32, k: i32| -> Real {
            let squares = (-reach..=reach).map(|i| (i * i + j * j + k * k) as Real);
            squares.map(|square| self.value(d * square.sqrt())).sum()
        };
        let layer = |k: i32| match self.dimension {
            Dimension::Two => row(0, k),
            Dimension::Three => (-reach..=reach).map(|j| row(j, k)).sum(),
        };
        1.0 / (-reach..=reach).map(layer).sum::<Real>()
    }
}
