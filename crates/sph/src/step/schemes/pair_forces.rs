//! Accelerations: body forces ([`crate::world::BodyField`]), viscosity and pressure.
//!
//! With δ = ρ/ρ₀, equal rest volumes V and ∇ᵢWᵢⱼ = sᵢⱼ xᵢⱼ (see
//! [`crate::step::pairs::neighborhood`]):
//!
//! - pressure, where densities are sums: ρ₀ᵢ aᵢ = −Σⱼ V (kᵢ + kⱼ) ∇ᵢWᵢⱼ − kᵢ ∇λᵢ with k = p/δ²:
//!   what pressure then does to velocities is the transpose of what velocities do to density,
//!   solids included, so no energy comes of it. Along a solid a part λ of those that would share in
//!   the gradient is missing. To make that good by 1/(1 − λ) breaks the transpose: between walls a
//!   vortex then gains energy without end. Where densities go with the flow,
//!   [`crate::step::schemes::mirrored_pressure`] has it.
//! - viscosity where it is explicit and pressure is not projected (Morris, Fox & Zhu 1997, eq. 21):
//!   ρ₀ᵢ aᵢ = Σⱼ V 2μᵢⱼ sᵢⱼ vᵢⱼ; with Müller's kernels (2003, eq. 14) ρ₀ᵢ aᵢ = −Σⱼ V μᵢⱼ ∇²W vᵢⱼ,
//!   by the Laplacian of the third. All other is that of [`crate::step::terms::viscosity`], at
//!   three times the cost: this one brakes what turns at a free surface. On solids that fluid
//!   sticks to, it goes on with the velocity falling evenly to the surface and on into the solid;
//!   the integral of ζ W′/r over all beyond the surface's distance is −|∇λ| there, so that ρ₀ᵢ aᵢ =
//!   −2μᵢ |∇λᵢ|/dᵢ (vᵢ − vˢ) along the surface, of each such solid near the particle.
//! - artificial viscosity (Monaghan 1992, eq. 4.1) between particles that approach:
//!   ρ₀ᵢ aᵢ = Σⱼ V αcd ρ₀ᵢⱼ (vᵢⱼ·xᵢⱼ)/(r² + 0.01 h²) ∇ᵢWᵢⱼ
//! - Of two fluids, μᵢⱼ = 2μᵢμⱼ/(μᵢ + μⱼ), by which the shear stress is the same on both sides, and
//!   ρ₀ᵢⱼ likewise: with arithmetic means what heavy fluid gives to air a thousandth as heavy would
//!   be far beyond the step that is stable for either of them by itself.
//! - repulsion of two fluids (the idea of Monaghan & Rafiee 2013): between particles of two fluids
//!   a pressure above zero pushes by 1 + ε times what it does in one. So none comes loose from its
//!   own where the tension of an interface, smooth over h, does not reach. Theirs grows with the
//!   contrast of densities; here ε is the scene's, for fluids of one density, too.
//!
//! All are equal and opposite for a pair, so they keep momentum exactly up to rounding. One pass
//! over the pairs finds them.
//!
//! Symbols: p pressure \[Pa\], μ = ρ₀ν dynamic viscosity \[Pa s\], α artificial viscosity \[–\],
//! ε repulsion \[–\], c speed of sound \[m/s\], d spacing \[m\], h support radius \[m\].

use crate::step::boundary::giver::Giver;
use crate::step::boundary::reactions::Reactions;
use crate::step::pairs::inactive::is_inactive;
use crate::step::pairs::neighborhood::Neighborhood;
use crate::step::pairs::order::Order;
use crate::step::pairs::pair_data::PairData;
use crate::step::pairs::pair_sum::{self, PairSum, displacement, dot, relative_velocity};
use crate::step::schemes::context::StageContext;
use crate::world::{BodyField, Fluid, World};
use hashfall_core::kernel::{Mueller, Shape};
use hashfall_core::simd::{F32x8, Isa};
use hashfall_core::{Real, Vec3, parallel, to_f64};

/// The forces between particles; keeps its buffers between steps.
#[derive(Debug)]
pub struct PairForces {
    isa: Isa,
    coefficients: Vec<PairCoefficients>,
    repulsion: Real,
    found: Vec<PairForce>,
    spare: Vec<PairForce>,
    /// Who keeps its forces; empty if nobody does.
    inactive: Vec<bool>,
}

/// What comes out for a particle.
#[derive(Clone, Copy, Debug, Default)]
struct PairForce {
    /// \[m/s²\]
    acceleration: Vec3,
    /// The solids' part of the pressure force \[N/m³\].
    by_solids: Vec3,
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
struct PairCoefficients {
    /// 2 μᵢⱼ \[Pa s\].
    viscosity: Real,
    /// αcd ρ₀ᵢⱼ \[Pa s\].
    artificial: Real,
    /// ε of two, and 0 of one \[–\].
    repulsion: Real,
}

impl PairForces {
    /// Forces that are found with this instruction set.
    pub fn new(isa: Isa) -> Self {
        PairForces {
            isa,
            coefficients: Vec::new(),
            repulsion: 0.0,
            found: Vec::new(),
            spare: Vec::new(),
            inactive: Vec::new(),
        }
    }

    /// The same, with the repulsion ε of two fluids \[–\].
    pub fn repelling(self, repulsion: Real) -> Self {
        PairForces { repulsion, ..self }
    }

    /// Who keeps the forces that were found last; nobody if `idle` is empty.
    pub fn set_inactive(&mut self, inactive: &[bool]) {
        self.inactive.clear();
        self.inactive.extend_from_slice(inactive);
    }

    /// Whether nothing acts between particles but pressure.
    pub fn is_idle(&self, world: &World) -> bool {
        let is_viscous = world.has_pairwise_viscosity()
            && world.fluids.iter().any(|fluid| fluid.viscosity > 0.0);
        !is_viscous && (self.repulsion == 0.0 || world.fluids.len() == 1)
    }

    /// Brings the forces that were found last into a new order of the same particles.
    pub fn reorder(&mut self, order: &Order) {
        order.gather(&mut self.found, &mut self.spare);
    }

    /// Writes the accelerations of a world whose particles have the factors k = p/δ² \[Pa\], with
    /// the artificial viscosity αcd \[m²/s\], and takes the solids' part of the forces.
    pub fn accelerations(
        &mut self,
        world: &mut World,
        context: &mut StageContext<'_>,
        factors: &[Real],
        artificial: Real,
        part: PressurePart,
    ) {
        self.note_fluids(world, artificial);
        let StageContext { near, pairs, reactions, .. } = context;
        let p = &world.particles;
        pairs.set_scalars(|i| factors[i]);
        pairs.set_vectors(|i| {
            let v = &p.velocity[i];
            [v.x, v.y, v.z, Real::from(p.phase[i])]
        });
        match (world.kernel().shape, world.fluids.len()) {
            (Shape::Mueller(kernel), 1) => {
                self.find::<_, false>(world, near, pairs, part, ByLaplacian(kernel));
            }
            (Shape::Mueller(kernel), _) => {
                self.find::<_, true>(world, near, pairs, part, ByLaplacian(kernel));
            }
            (_, 1) => self.find::<_, false>(world, near, pairs, part, BySlope),
            (_, _) => self.find::<_, true>(world, near, pairs, part, BySlope),
        }
        self.take_reactions(world, near, reactions);
    }

    /// Writes the accelerations, and the forces of solids into their accounts.
    fn take_reactions(&self, world: &mut World, near: &Neighborhood, reactions: &mut Reactions) {
        let volume = world.particle_volume();
        let is_pairwise = world.has_pairwise_viscosity();
        let (particles, fluids, solids) = (&mut world.particles, &world.fluids, &world.solids);
        let (positions, phases) = (&particles.position, &particles.phase);
        let velocities = &particles.velocity;
        reactions.fill(&mut particles.acceleration, |i, acceleration, account| {
            let PairForce { acceleration: found, by_solids } = self.found[i];
            // Who keeps its forces keeps its acceleration, after a resumption as well.
            if !is_inactive(&self.inactive, i) {
                *acceleration = found;
            }
            if near.boundary.fraction[i] <= 0.0 {
                return;
            }
            let mut add = |giver: Giver, force: Vec3| {
                account.add(giver, to_f64(&positions[i]), to_f64(&(force * volume)));
            };
            near.boundary.distribute_force(i, by_solids, &mut add);
            if !is_pairwise {
                return;
            }
            let viscosity = twice_viscosity(&fluids[usize::from(phases[i])]);
            for (giver, drag) in near.boundary.no_slip_forces(i, velocities[i], solids) {
                add(giver, drag * viscosity);
            }
        });
        reactions.act();
    }

    /// The accelerations by what has been noted.
    fn find<D: Diffusion, const MIXED: bool>(
        &mut self,
        world: &World,
        near: &Neighborhood,
        pairs: &PairData,
        part: PressurePart,
        diffusion: D,
    ) {
        let softening = 0.01 * world.support_radius * world.support_radius;
        self.found.resize(world.particles.len(), PairForce::default());
        let sum = AllForces::<D, MIXED> {
            world,
            near,
            coefficients: &self.coefficients,
            pairs,
            inactive: &self.inactive,
            softening,
            is_damped: self.coefficients.iter().any(|it| it.artificial != 0.0),
            part,
            share: if part == PressurePart::All { 1.0 } else { 0.0 },
            diffusion,
            body: world.body_field(),
        };
        pair_sum::for_all(self.isa, &near.lists, pairs, &sum, &mut self.found);
    }

    /// One entry for each fluid with each.
    fn note_fluids(&mut self, world: &World, artificial: Real) {
        let fluids = &world.fluids;
        let dynamic = |fluid: &Fluid| fluid.viscosity * fluid.rest_density;
        let viscous = Real::from(u8::from(world.has_pairwise_viscosity()));
        self.coefficients.clear();
        for (i, a) in fluids.iter().enumerate() {
            self.coefficients.extend(fluids.iter().enumerate().map(|(j, b)| PairCoefficients {
                viscosity: viscous * 2.0 * harmonic(dynamic(a), dynamic(b)),
                artificial: artificial * harmonic(a.rest_density, b.rest_density),
                repulsion: if i == j { 0.0 } else { self.repulsion },
            }));
        }
    }
}

/// 2ab/(a + b), of numbers that are not below zero; of two that are alike exactly that.
fn harmonic(a: Real, b: Real) -> Real {
    if a == b { a } else { 2.0 * a * b / (a + b) }
}

/// How velocities diffuse between two particles.
trait Diffusion: Copy + Sync {
    /// wᵢⱼ of ρ₀ᵢ aᵢ = Σⱼ V 2μᵢⱼ wᵢⱼ vᵢⱼ, of the squared distance and sᵢⱼ \[1/m⁵\].
    fn weight<V: F32x8>(self, square: V, slope: V) -> V;
}

/// Morris' viscosity: wᵢⱼ = sᵢⱼ.
#[derive(Clone, Copy)]
struct BySlope;

impl Diffusion for BySlope {
    #[inline(always)]
    fn weight<V: F32x8>(self, _: V, slope: V) -> V {
        slope
    }
}

/// Müller's: wᵢⱼ = −½ ∇²Wᵢⱼ.
#[derive(Clone, Copy)]
struct ByLaplacian(Mueller);

impl Diffusion for ByLaplacian {
    #[inline(always)]
    fn weight<V: F32x8>(self, square: V, _: V) -> V {
        square.map(|square| -0.5 * self.0.laplacian(square.sqrt()))
    }
}

/// Body forces, viscosity and pressure together, for particles of several fluids if `MIXED`.
/// Points carry k, vectors are the velocity and the number of the fluid.
struct AllForces<'a, D, const MIXED: bool> {
    world: &'a World,
    near: &'a Neighborhood,
    coefficients: &'a [PairCoefficients],
    pairs: &'a PairData,
    inactive: &'a [bool],
    /// 0.01 h² \[m²\]: keeps coincident particles from dividing by zero.
    softening: Real,
    /// Whether there is artificial viscosity.
    is_damped: bool,
    part: PressurePart,
    /// The part of the pressure that acts beside repulsion \[–\].
    share: Real,
    diffusion: D,
    /// Gravity and other body forces at the time of the positions.
    body: BodyField,
}

/// Σ (kᵢ + kⱼ) sᵢⱼ xᵢⱼ, and Σ 2μᵢⱼ wᵢⱼ vᵢⱼ, w of [`Diffusion`], with what is artificial.
impl<D: Diffusion, const MIXED: bool> PairSum<8, 6> for AllForces<'_, D, MIXED> {
    type Out = PairForce;

    #[inline(always)]
    fn add<V: F32x8>(&self, sums: &mut [V; 6], own: &[V; 8], other: &[V; 8], slope: V) {
        let [viscosity, artificial, repulsion] = self.coefficients(own[7], other[7]);
        let [dx, dy, dz] = displacement(own, other);
        let [du, dv, dw] = relative_velocity(own, other);
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
        if !MIXED && self.part == PressurePart::Repulsion {
            return;
        }
        let both = own[3] + other[3];
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
        is_inactive(self.inactive, i)
    }

    #[inline(always)]
    fn finish(&self, i: usize, [x, y, z, u, v, w]: [Real; 6], out: &mut PairForce) {
        if self.is_inactive(i) {
            return;
        }
        let AllForces { world, near, .. } = self;
        let fluid = &world.fluids[usize::from(world.particles.phase[i])];
        let rest_density = fluid.rest_density;
        let factor = self.pairs.point(i)[3];
        let gradient = near.boundary.gradient[i];
        let push = Vec3::new(x, y, z) * near.volume;
        let pressure = match self.part {
            PressurePart::All => push + gradient * factor,
            PressurePart::Repulsion => push,
        };
        let mut force = Vec3::new(u, v, w) * near.volume - pressure;
        let is_pairwise = world.has_pairwise_viscosity();
        if is_pairwise && near.boundary.fraction[i] > 0.0 {
            let v = world.particles.velocity[i];
            for (_, drag) in near.boundary.no_slip_forces(i, v, &world.solids) {
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

impl<D: Diffusion, const MIXED: bool> AllForces<'_, D, MIXED> {
    /// The viscosity, physical and artificial, and the repulsion of a particle of this fluid and
    /// eight others.
    #[inline(always)]
    fn coefficients<V: F32x8>(&self, own: V, others: V) -> [V; 3] {
        if MIXED {
            let [own_fluid, ..] = own.to_array();
            let with = &self.coefficients[own_fluid as usize * self.world.fluids.len()..];
            [
                others.map(|fluid| with[fluid as usize].viscosity),
                others.map(|fluid| with[fluid as usize].artificial),
                others.map(|fluid| with[fluid as usize].repulsion),
            ]
        } else {
            let with = &self.coefficients[0];
            [with.viscosity, with.artificial, 0.0].map(|number| own.splat(number))
        }
    }
}

/// 2μ \[Pa s\].
#[inline]
pub fn twice_viscosity(fluid: &Fluid) -> Real {
    2.0 * fluid.viscosity * fluid.rest_density
}

/// Kicks every particle: v += a·dt.
pub fn kick(world: &mut World, dt: Real) {
    let coriolis = world.coriolis_turn(f64::from(dt));
    let accelerations = &world.particles.acceleration;
    parallel::fill(&mut world.particles.velocity, |i, v| match &coriolis {
        None => *v += accelerations[i] * dt,
        Some(turn) => *v = turn.kick(v, &(accelerations[i] * dt)),
    });
}
