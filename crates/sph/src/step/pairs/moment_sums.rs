//! The pass over the pairs that finds [moments](crate::step::pairs::moments).

use crate::step::pairs::disorder::Disorder;
use crate::step::pairs::moment::Moment;
use crate::step::pairs::neighborhood::Neighborhood;
use crate::step::pairs::rates::{add_rates, divergence, matrix_rows};
use crate::step::pairs::row_sum::RowSum;
use crate::step::pairs::smooth_step::smooth_step;
use crate::step::pairs::surface_density::SurfaceDensity;
use crate::step::pairs::surface_scale::SurfaceScale;
use crate::step::pairs::tensor::Tensor;
use crate::world::World;
use hashfall_core::simd::F32x8;
use hashfall_core::{Dimension, Length, Real, Vec3};
use nalgebra::Matrix3;

/// Moments below this, as part of that in a lattice, are not inverted; up to twice that they are in
/// part.
const MIN_EIGENVALUE: Real = 0.25;

/// What L multiplies by at the most \[–\].
pub const MAX_CORRECTION: Real = 2.1;

/// Density up to which a particle is in spray, and from which on it may be inside.
pub const DENSITY: [Real; 2] = [0.8, 0.95];

/// ε up to which particles are spray, and from which on they stand at a surface \[–\].
const SPRAY: [Real; 2] = [-0.2, -0.05];

/// Harmonic means of the eigenvalues of the fluid's B between which θ goes from 0 to 1.
const FIT_RANGE: [Real; 2] = [0.2, 0.5];

/// Eigenvalues of the fluid's B that rounding alone may leave.
const MIN_FIT_EIGENVALUE: Real = 0.01;

/// Moments of all particles, with their crowding if `CROWDING`. Points carry ρ₀ if it is not the
/// same in all fluids: those are `MIXED`; vectors are velocities.
pub struct MomentSums<'a, const CROWDING: bool, const MIXED: bool> {
    /// The particles.
    pub world: &'a World,
    /// Their surroundings.
    pub neighborhood: &'a Neighborhood,
    /// δ under a flat surface.
    pub density: &'a SurfaceDensity,
    /// s.
    pub scale: &'a SurfaceScale,
    /// Bounds of the asymmetry, and R.
    pub disorder: Disorder,
    /// 1/s(d) \[m⁵\].
    pub inverse_slope: Real,
    /// Whether G and θ are found.
    pub has_fit: bool,
    /// Whether solids move.
    pub has_flux: bool,
}

/// Rows of Σ s x and Σ s, Σ s x xᵀ (xx, yy, zz; xy, yz, xz), of squares, of Σ s v and s v xᵀ, then
/// of jumps and weighted squares, and of the crowding.
impl<const CROWDING: bool, const MIXED: bool> RowSum<2, 11> for MomentSums<'_, CROWDING, MIXED> {
    type Out = Moment;

    #[inline(always)]
    fn add<V: F32x8>(&self, sums: &mut [V; 11], particle: &[V; 2], other: &[V; 2], slope: V) {
        let x = (particle[0] - other[0]).with_fourth(slope.splat(1.0));
        let gradient = slope * x;
        sums[0] += gradient;
        sums[1] += gradient * x;
        sums[2] += gradient * x.rotate_left();
        // The volume first: a slope of a kernel narrower than 280 µm has no square in f32.
        let push = gradient * slope.splat(self.neighborhood.volume);
        let squares = push * push;
        sums[3] += squares;
        let velocity = add_rates(&mut sums[4..7], particle[1] - other[1], x, slope);
        sums[7] += velocity;
        if MIXED {
            sums[8] += slope * (slope.splat(2.0) / (particle[0] + other[0]).splat_fourth());
            sums[9] += squares / other[0].splat_fourth();
        }
        if CROWDING {
            let ratio = slope * slope.splat(self.inverse_slope);
            let ratio2 = ratio * ratio;
            sums[10] += gradient * (ratio2 * ratio2);
        }
    }

    #[inline(always)]
    fn finish(&self, i: usize, sums: [[Real; 4]; 11], out: &mut Moment) {
        let MomentSums { world, neighborhood, .. } = self;
        let volume = neighborhood.volume;
        let rest_density = world.fluids[usize::from(world.particles.phase[i])].rest_density;
        let trace = |[x, y, z, _]: [Real; 4]| x + y + z;
        let vector = |[x, y, z, _]: [Real; 4]| Vec3::new(x, y, z) * volume;
        let squares = trace(sums[3]);
        let [weighted_squares, jumps] = match MIXED {
            true => [trace(sums[9]), sums[8][0]],
            false => [squares, sums[0][3]].map(|sum| sum * (1.0 / rest_density)),
        };
        let fluid = vector(sums[0]);
        let gradient = neighborhood.boundary.gradient[i];
        let total = fluid + gradient;
        let ([xx, yy, zz, _], [xy, yz, xz, _]) = (sums[1], sums[2]);
        let mut fluid_moment = Tensor([xx, yy, zz, xy, xz, yz]) * -volume;
        if world.dimension == Dimension::Two {
            fluid_moment.0[1] = 1.0;
        }
        let mut moment = fluid_moment + neighborhood.boundary.mirror_moment(i);
        if world.dimension == Dimension::Two {
            moment.0[1] = 1.0;
        }
        let correction = correction(&moment);
        let rates = [sums[4], sums[5], sums[6]];
        let flux =
            if self.has_flux { neighborhood.boundary.mirror_flux(i, &correction) } else { 0.0 };
        let particle_velocity = &world.particles.velocity[i];
        let density = world.particles.fluid_fraction[i] + neighborhood.boundary.fraction[i];
        let asymmetry = total.length() * world.support_radius;
        let bounds = self.disorder.bounds(neighborhood.boundary.fraction[i]);
        let inside = (1.0 - smooth_step(asymmetry, bounds)) * smooth_step(density, DENSITY);
        let excess = density - self.density.at(asymmetry);
        let pure = if MIXED { alike(rest_density * weighted_squares, squares) } else { 1.0 };
        let surface = (1.0 - inside) * smooth_step(excess, SPRAY) * pure;
        let scale = match surface {
            0.0 => 1.0,
            surface => 1.0 + surface * (self.scale.at(asymmetry) - 1.0),
        };
        let (rates_of_fluid, fit_weight) = match self.has_fit {
            true => (rates_matrix(&rates, volume), fit_weight(&fluid_moment)),
            false => (out.rates, out.fit_weight),
        };
        *out = Moment {
            correction,
            fluid,
            total,
            inside,
            excess,
            surface,
            scale,
            spread: fluid_moment,
            rates: rates_of_fluid,
            // Friction of heavy fluid would be far too much for the light one.
            fit_weight: fit_weight * pure,
            velocity: vector(sums[7]),
            divergence: divergence(neighborhood, i, &correction, particle_velocity, flux, &rates),
            crowding: if CROWDING { total + self.repulsion(i, sums[10]) } else { out.crowding },
            squares,
            weighted_squares,
            weight: -volume * jumps,
        };
    }
}

impl<const CROWDING: bool, const MIXED: bool> MomentSums<'_, CROWDING, MIXED> {
    /// What close pairs count more in the crowding, by their sum.
    #[inline(always)]
    fn repulsion(&self, i: usize, [x, y, z, _]: [Real; 4]) -> Vec3 {
        let MomentSums { world, neighborhood, inverse_slope, .. } = self;
        let images = neighborhood.boundary.image_sum(i, |r| {
            let slope = world.kernel().slope_over_r(r);
            let ratio = slope * inverse_slope;
            neighborhood.volume * slope * (ratio * ratio) * (ratio * ratio)
        });
        (Vec3::new(x, y, z) * neighborhood.volume + images) * self.disorder.repulsion
    }
}

/// 1 where both are equal, 0 where one is far larger.
fn alike(a: Real, b: Real) -> Real {
    if a.max(b) > 0.0 { a.min(b) / a.max(b) } else { 1.0 }
}

/// f(b).
fn correct(b: Real) -> Real {
    let weight = smooth_step(b, [MIN_EIGENVALUE, 2.0 * MIN_EIGENVALUE]);
    if weight > 0.0 { weight / b + 1.0 - weight } else { 1.0 }
}

/// L of a moment.
#[inline(always)]
fn correction(moment: &Tensor) -> Tensor {
    // Far from being singular, most are, L is the inverse.
    let regular = Tensor::diagonal(2.0 * MIN_EIGENVALUE);
    if (*moment + regular * -1.0).is_positive() {
        moment.inverse()
    } else {
        corrected_eigenvalues(moment)
    }
}

#[inline(never)]
fn corrected_eigenvalues(moment: &Tensor) -> Tensor {
    moment.map_eigenvalues(correct)
}

/// −V Σ s v xᵀ.
fn rates_matrix(rates: &[[Real; 4]; 3], volume: Real) -> Matrix3<Real> {
    Matrix3::from_rows(&matrix_rows(rates).map(|row| (row * -volume).transpose()))
}

/// θ by the fluid's own moment.
fn fit_weight(moment: &Tensor) -> Real {
    let least = Tensor::diagonal(MIN_FIT_EIGENVALUE);
    if !(*moment + least * -1.0).is_positive() {
        return 0.0;
    }
    smooth_step(3.0 / moment.inverse().trace(), FIT_RANGE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_correction_is_above_the_largest() {
        let all = (0..100_000).map(|k| correct(k as Real * 1e-5));
        let largest = all.fold(0.0, Real::max);
        assert!(largest <= MAX_CORRECTION && largest > 0.99 * MAX_CORRECTION, "{largest}");
    }
}
