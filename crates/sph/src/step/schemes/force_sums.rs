//! The sums over pairs of [`super::pair_forces`], and what they come to for a particle.

use crate::step::pairs::inactive::is_inactive;
use crate::step::pairs::neighborhood::Neighborhood;
use crate::step::pairs::pair_data::PairData;
use crate::step::pairs::pair_sum::{PairSum, displacement, dot, relative_velocity};
use crate::step::pairs::row_sum::RowSum;
use crate::world::{BodyField, Fluid, World};
use hashfall_core::kernel::Mueller;
use hashfall_core::simd::F32x8;
use hashfall_core::{Real, Vec3};

/// What comes out for a particle.
#[derive(Clone, Copy, Debug, Default)]
pub struct PairForce {
    /// \[m/s²\]
    pub(super) acceleration: Vec3,
    /// The solids' part of the pressure force \[N/m³\].
    pub(super) by_solids: Vec3,
}

/// What of the pressure acts in a pass over the pairs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PressurePart {
    /// All; a solid answers with the particle's own.
    All,
    /// The repulsion of two fluids alone: the rest is found elsewhere.
    Repulsion,
}

/// What acts between particles of two fluids, or of one.
#[derive(Clone, Copy, Debug)]
pub struct PairCoefficients {
    /// 2 μᵢⱼ \[Pa s\].
    pub(super) viscosity: Real,
    /// αcd ρ₀ᵢⱼ \[Pa s\].
    pub(super) artificial: Real,
    /// ε of two, and 0 of one \[–\].
    pub(super) repulsion: Real,
}

/// How velocities diffuse between two particles.
pub trait Diffusion: Copy + Sync {
    /// wᵢⱼ of ρ₀ᵢ aᵢ = Σⱼ V 2μᵢⱼ wᵢⱼ vᵢⱼ, of the squared distance and sᵢⱼ \[1/m⁵\].
    fn weight<V: F32x8>(self, square: V, slope: V) -> V;
}

/// Morris' viscosity: wᵢⱼ = sᵢⱼ.
#[derive(Clone, Copy)]
pub struct BySlope;

impl Diffusion for BySlope {
    #[inline(always)]
    fn weight<V: F32x8>(self, _: V, slope: V) -> V {
        slope
    }
}

/// Müller's: wᵢⱼ = −½ ∇²Wᵢⱼ.
#[derive(Clone, Copy)]
pub struct ByLaplacian(pub(super) Mueller);

impl Diffusion for ByLaplacian {
    #[inline(always)]
    fn weight<V: F32x8>(self, square: V, _: V) -> V {
        square.map(|square| -0.5 * self.0.laplacian(square.sqrt()))
    }
}

/// 2μ \[Pa s\].
#[inline]
pub fn twice_viscosity(fluid: &Fluid) -> Real {
    2.0 * fluid.viscosity * fluid.rest_density
}

/// 0.01 h² \[m²\]: keeps coincident particles from dividing by zero.
pub fn softening(world: &World) -> Real {
    0.01 * world.support_radius * world.support_radius
}

/// Assembles accelerations from the sums over pairs, solids and body forces.
pub struct ForceAssembly<'a> {
    pub(super) world: &'a World,
    pub(super) neighborhood: &'a Neighborhood,
    pub(super) pairs: &'a PairData,
    pub(super) inactive: &'a [bool],
    pub(super) part: PressurePart,
    /// Gravity and other body forces at the time of the positions.
    pub(super) body: BodyField,
}

impl ForceAssembly<'_> {
    /// The forces on particle `i` by Σ V (kᵢ + kⱼ) sᵢⱼ xᵢⱼ and its friction \[N/m³\].
    #[inline(always)]
    pub(super) fn finish(&self, i: usize, [push, friction]: [Vec3; 2], out: &mut PairForce) {
        if is_inactive(self.inactive, i) {
            return;
        }
        let ForceAssembly { world, neighborhood, .. } = self;
        let fluid = &world.fluids[usize::from(world.particles.phase[i])];
        let rest_density = fluid.rest_density;
        let factor = self.pairs.point(i)[3];
        let gradient = neighborhood.boundary.gradient[i];
        let pressure = match self.part {
            PressurePart::All => push + gradient * factor,
            PressurePart::Repulsion => push,
        };
        let mut force = friction - pressure;
        let is_pairwise = world.has_pairwise_viscosity();
        if is_pairwise && neighborhood.boundary.fraction[i] > 0.0 {
            let v = world.particles.velocity[i];
            for (_, drag) in neighborhood.boundary.no_slip_forces(i, v, &world.solids) {
                force += drag * twice_viscosity(fluid);
            }
        }
        let body = self.body.at(&world.particles.position[i]);
        *out = PairForce {
            acceleration: body + force * (1.0 / rest_density),
            by_solids: push - pressure,
        };
    }
}

/// Viscosity and pressure of one fluid. Points carry k, behind them stand velocities.
pub struct RowForces<'a> {
    pub(super) assembly: ForceAssembly<'a>,
    /// 2 μ \[Pa s\].
    pub(super) viscosity: Real,
}

/// Rows of Σ (kᵢ + kⱼ) sᵢⱼ xᵢⱼ, and of Σ 2μ sᵢⱼ vᵢⱼ.
impl RowSum<2, 2> for RowForces<'_> {
    type Out = PairForce;

    #[inline(always)]
    fn add<V: F32x8>(&self, sums: &mut [V; 2], particle: &[V; 2], other: &[V; 2], slope: V) {
        sums[0] += slope * (particle[0] + other[0]).splat_fourth() * (particle[0] - other[0]);
        sums[1] += slope * slope.splat(self.viscosity) * (particle[1] - other[1]);
    }

    #[inline(always)]
    fn is_inactive(&self, i: usize) -> bool {
        is_inactive(self.assembly.inactive, i)
    }

    #[inline(always)]
    fn finish(&self, i: usize, sums: [[Real; 4]; 2], out: &mut PairForce) {
        let volume = self.assembly.neighborhood.volume;
        self.assembly.finish(i, sums.map(|[x, y, z, _]| Vec3::new(x, y, z) * volume), out);
    }
}

/// Body forces, viscosity and pressure together, for particles of several fluids if `MIXED`.
/// Points carry k, vectors are the velocity and the number of the fluid.
pub struct AllForces<'a, D, const MIXED: bool> {
    pub(super) coefficients: &'a [PairCoefficients],
    pub(super) softening: Real,
    /// Whether there is artificial viscosity.
    pub(super) is_damped: bool,
    /// The part of the pressure that acts beside repulsion \[–\].
    pub(super) share: Real,
    pub(super) diffusion: D,
    pub(super) assembly: ForceAssembly<'a>,
}

/// Σ (kᵢ + kⱼ) sᵢⱼ xᵢⱼ, and Σ 2μᵢⱼ wᵢⱼ vᵢⱼ, w of [`Diffusion`], with what is artificial.
impl<D: Diffusion, const MIXED: bool> PairSum<8, 6> for AllForces<'_, D, MIXED> {
    type Out = PairForce;

    #[inline(always)]
    fn add<V: F32x8>(&self, sums: &mut [V; 6], particle: &[V; 8], other: &[V; 8], slope: V) {
        let [viscosity, artificial, repulsion] = self.coefficients(particle[7], other[7]);
        let [dx, dy, dz] = displacement(particle, other);
        let [du, dv, dw] = relative_velocity(particle, other);
        let square = dot([dx, dy, dz], [dx, dy, dz]);
        let lateral = viscosity * self.diffusion.weight(square, slope);
        let mut friction = [lateral * du, lateral * dv, lateral * dw];
        if self.is_damped {
            let approach = dot([du, dv, dw], [dx, dy, dz]);
            let artificial = approach.select_negative(artificial);
            let softened = square + square.splat(self.softening);
            let central = artificial * approach / softened * slope;
            let [x, y, z] = friction;
            friction = [central * dx + x, central * dy + y, central * dz + z];
        }
        for (sum, friction) in sums[3..].iter_mut().zip(friction) {
            *sum += friction;
        }
        let both = particle[3] + other[3];
        let mut pressure = both * both.splat(self.share);
        if MIXED {
            let push = (both.splat(0.0) - both).select_negative(both);
            pressure += repulsion * push;
        }
        let pressure = pressure * slope;
        sums[0] += pressure * dx;
        sums[1] += pressure * dy;
        sums[2] += pressure * dz;
    }

    #[inline(always)]
    fn is_inactive(&self, i: usize) -> bool {
        is_inactive(self.assembly.inactive, i)
    }

    #[inline(always)]
    fn finish(&self, i: usize, [x, y, z, u, v, w]: [Real; 6], out: &mut PairForce) {
        let volume = self.assembly.neighborhood.volume;
        let both = [Vec3::new(x, y, z), Vec3::new(u, v, w)].map(|sum| sum * volume);
        self.assembly.finish(i, both, out);
    }
}

impl<D: Diffusion, const MIXED: bool> AllForces<'_, D, MIXED> {
    /// The viscosity, physical and artificial, and the repulsion of a particle of this fluid and
    /// eight others, by the numbers of their fluids.
    #[inline(always)]
    fn coefficients<V: F32x8>(&self, fluid: V, others: V) -> [V; 3] {
        if MIXED {
            let [first, ..] = fluid.to_array();
            let with = &self.coefficients[first as usize * self.assembly.world.fluids.len()..];
            [
                others.map(|fluid| with[fluid as usize].viscosity),
                others.map(|fluid| with[fluid as usize].artificial),
                others.map(|fluid| with[fluid as usize].repulsion),
            ]
        } else {
            let with = &self.coefficients[0];
            [with.viscosity, with.artificial, 0.0].map(|number| fluid.splat(number))
        }
    }
}
