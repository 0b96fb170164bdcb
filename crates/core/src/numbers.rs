//! The scalar and the vector of the simulated state, and conversions from and to doubles.

/// The scalar of the simulated state: `f32`, or `f64` with the feature of that name.
#[cfg(not(feature = "f64"))]
pub type Real = f32;
/// The scalar of the simulated state: `f32`, or `f64` with the feature of that name.
#[cfg(feature = "f64")]
pub type Real = f64;

/// π as a [`Real`].
#[cfg(not(feature = "f64"))]
pub const PI: Real = std::f32::consts::PI;
/// π as a [`Real`].
#[cfg(feature = "f64")]
pub const PI: Real = std::f64::consts::PI;

/// A point or direction in space; z points up.
pub type Vec3 = nalgebra::Vector3<Real>;

/// The length of a vector, for loops that are compiled for an instruction set.
///
/// `norm` gives the same bits, but by a root that another crate makes nalgebra take from `libm`,
/// where it is one instruction of SSE. Between those of AVX it costs some hundred cycles on
/// processors of Intel.
pub trait Length {
    /// The scalar.
    type Scalar;

    /// √(v·v).
    fn length(&self) -> Self::Scalar;
}

impl Length for nalgebra::Vector3<f32> {
    type Scalar = f32;

    #[inline(always)]
    fn length(&self) -> f32 {
        self.norm_squared().sqrt()
    }
}

impl Length for nalgebra::Vector3<f64> {
    type Scalar = f64;

    #[inline(always)]
    fn length(&self) -> f64 {
        self.norm_squared().sqrt()
    }
}

/// xⁿ by multiplication alone: `powi` may differ in the last bit from one machine to the next.
#[inline]
pub fn power(x: Real, n: u32) -> Real {
    (0..n).fold(1.0, |product, _| product * x)
}

/// Components in double precision, for audits and for files.
pub fn to_f64(v: &Vec3) -> [f64; 3] {
    [f64::from(v.x), f64::from(v.y), f64::from(v.z)]
}

/// Rounds a double to a [`Real`].
#[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f32")]
pub fn to_real(x: f64) -> Real {
    x as Real
}

/// Whether a number and its square are finite as [`Real`]s: boxes, distances and energies are
/// computed of places and velocities, and beyond this there are none.
pub fn has_real_square(x: f64) -> bool {
    let x = to_real(x);
    (x * x).is_finite()
}

/// Rounds three doubles to a [`Vec3`].
pub fn vec3(v: [f64; 3]) -> Vec3 {
    Vec3::new(to_real(v[0]), to_real(v[1]), to_real(v[2]))
}
