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
//! over the pairs finds them ([`super::force_sums`]).
//!
//! Symbols: p pressure \[Pa\], μ = ρ₀ν dynamic viscosity \[Pa s\], α artificial viscosity \[–\],
//! ε repulsion \[–\], c speed of sound \[m/s\], d spacing \[m\], h support radius \[m\].

use crate::step::boundary::acting_surface::ActingSurface;
use crate::step::boundary::reactions::Reactions;
use crate::step::pairs::inactive::is_inactive;
use crate::step::pairs::neighborhood::Neighborhood;
use crate::step::pairs::order::Order;
use crate::step::pairs::pair_data::PairData;
use crate::step::pairs::pair_sum;
use crate::step::pairs::row_sum;
use crate::step::schemes::context::StageContext;
use crate::step::schemes::force_sums::{
    AllForces, ByLaplacian, BySlope, Diffusion, ForceAssembly, PairCoefficients, PairForce,
    PressurePart, RowForces, softening, twice_viscosity,
};
use crate::world::{Fluid, World};
use hashfall_core::kernel::Shape;
use hashfall_core::simd::Isa;
use hashfall_core::{Real, Vec3, parallel};

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

    /// Who keeps the forces that were found last; nobody if `inactive` is empty.
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
        let StageContext { neighborhood, pairs, reactions, .. } = context;
        let p = &world.particles;
        pairs.set_scalars(|i| factors[i]);
        pairs.set_vectors(|i| {
            let v = &p.velocity[i];
            [v.x, v.y, v.z, Real::from(p.phase[i])]
        });
        match (world.kernel().shape, world.fluids.len()) {
            (Shape::Mueller(kernel), 1) => {
                self.find::<_, false>(world, neighborhood, pairs, part, ByLaplacian(kernel));
            }
            (Shape::Mueller(kernel), _) => {
                self.find::<_, true>(world, neighborhood, pairs, part, ByLaplacian(kernel));
            }
            (_, 1) if artificial == 0.0 && part == PressurePart::All => {
                self.find_by_rows(world, neighborhood, pairs);
            }
            (_, 1) => self.find::<_, false>(world, neighborhood, pairs, part, BySlope),
            (_, _) => self.find::<_, true>(world, neighborhood, pairs, part, BySlope),
        }
        let mut accelerations = std::mem::take(&mut world.particles.acceleration);
        self.write_accelerations(world, neighborhood, reactions, &mut accelerations, |i| {
            self.found[i]
        });
        world.particles.acceleration = accelerations;
    }

    /// Whether there is one fluid, with Morris' viscosity, which goes with the slope of the kernel.
    pub fn has_morris_friction(world: &World) -> bool {
        world.fluids.len() == 1 && !matches!(world.kernel().shape, Shape::Mueller(_))
    }

    /// Writes the accelerations by body forces and [Morris'
    /// friction](Self::has_morris_friction), whose sums Σⱼ V sᵢⱼ vᵢⱼ are known \[1/(m s)\].
    pub fn friction_accelerations(
        &mut self,
        world: &mut World,
        context: &mut StageContext<'_>,
        sum: impl Fn(usize) -> Vec3 + Sync,
    ) {
        self.note_fluids(world, 0.0);
        let StageContext { neighborhood, pairs, reactions, .. } = context;
        let viscosity = self.coefficients[0].viscosity;
        let mut accelerations = std::mem::take(&mut world.particles.acceleration);
        let assembly = self.assembly(world, neighborhood, pairs, PressurePart::Repulsion);
        self.write_accelerations(world, neighborhood, reactions, &mut accelerations, |i| {
            let mut found = PairForce::default();
            assembly.finish(i, [Vec3::zeros(), sum(i) * viscosity], &mut found);
            found
        });
        world.particles.acceleration = accelerations;
    }

    /// Writes the accelerations, and adds the forces of solids to their accounts.
    fn write_accelerations(
        &self,
        world: &World,
        neighborhood: &Neighborhood,
        reactions: &mut Reactions,
        accelerations: &mut [Vec3],
        force: impl Fn(usize) -> PairForce + Sync,
    ) {
        let volume = world.particle_volume();
        let is_pairwise = world.has_pairwise_viscosity();
        let (particles, fluids, solids) = (&world.particles, &world.fluids, &world.solids);
        let (positions, phases) = (&particles.position, &particles.phase);
        let velocities = &particles.velocity;
        reactions.fill(accelerations, |i, acceleration, account| {
            let PairForce { acceleration: found, by_solids } = force(i);
            // Who keeps its forces keeps its acceleration, after a resumption as well.
            if !is_inactive(&self.inactive, i) {
                *acceleration = found;
            }
            if neighborhood.boundary.fraction[i] <= 0.0 {
                return;
            }
            let mut add = |acting: ActingSurface, force: Vec3| {
                account.add(acting, positions[i], force * volume);
            };
            neighborhood.boundary.distribute_force(i, by_solids, &mut add);
            if !is_pairwise {
                return;
            }
            let viscosity = twice_viscosity(&fluids[usize::from(phases[i])]);
            for (acting, drag) in neighborhood.boundary.no_slip_forces(i, velocities[i], solids) {
                add(acting, drag * viscosity);
            }
        });
        reactions.act();
    }

    /// The accelerations by what has been noted.
    fn find<D: Diffusion, const MIXED: bool>(
        &mut self,
        world: &World,
        neighborhood: &Neighborhood,
        pairs: &PairData,
        part: PressurePart,
        diffusion: D,
    ) {
        let mut found = std::mem::take(&mut self.found);
        found.resize(world.particles.len(), PairForce::default());
        let sum = AllForces::<D, MIXED> {
            coefficients: &self.coefficients,
            softening: softening(world),
            is_damped: self.coefficients.iter().any(|it| it.artificial != 0.0),
            share: if part == PressurePart::All { 1.0 } else { 0.0 },
            diffusion,
            assembly: self.assembly(world, neighborhood, pairs, part),
        };
        pair_sum::for_all(self.isa, &neighborhood.lists, pairs, &sum, &mut found);
        self.found = found;
    }

    /// The same for one fluid whose friction goes with the slope of the kernel alone. Quotients of
    /// artificial viscosity are found faster eight at a time.
    fn find_by_rows(&mut self, world: &World, neighborhood: &Neighborhood, pairs: &PairData) {
        let mut found = std::mem::take(&mut self.found);
        found.resize(world.particles.len(), PairForce::default());
        let (isa, lists, viscosity) =
            (self.isa, &neighborhood.lists, self.coefficients[0].viscosity);
        let assembly = self.assembly(world, neighborhood, pairs, PressurePart::All);
        let [points, velocities, _] = pairs.blocks();
        let sum = RowForces { assembly, viscosity };
        row_sum::for_all(isa, lists, [points, velocities], &sum, &mut found);
        self.found = found;
    }

    fn assembly<'a>(
        &'a self,
        world: &'a World,
        neighborhood: &'a Neighborhood,
        pairs: &'a PairData,
        part: PressurePart,
    ) -> ForceAssembly<'a> {
        let (inactive, body) = (&self.inactive[..], world.body_field());
        ForceAssembly { world, neighborhood, pairs, inactive, part, body }
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

/// Kicks every particle: v += a·dt.
pub fn kick(world: &mut World, dt: Real) {
    let coriolis = world.coriolis_turn(f64::from(dt));
    let accelerations = &world.particles.acceleration;
    parallel::fill(&mut world.particles.velocity, |i, v| match &coriolis {
        None => *v += accelerations[i] * dt,
        Some(turn) => *v = turn.kick(v, &(accelerations[i] * dt)),
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::step::pairs::moments::Moments;
    use crate::step::tests::{WCSPH, neighborhood, splash};
    use hashfall_geometry::random::Random;

    /// Checks the forces of a way of its own against those of eight pairs at a time.
    fn assert_alike(found: &[PairForce], expected: &[PairForce]) {
        let largest = expected.iter().fold(0.0, |most: Real, it| most.max(it.acceleration.norm()));
        assert!(largest > 1.0, "{largest}");
        for (a, b) in found.iter().zip(expected) {
            assert!((a.acceleration - b.acceleration).norm() < 1e-5 * largest, "{a:?} {b:?}");
            assert!((a.by_solids - b.by_solids).norm() <= 1e-5 * b.by_solids.norm(), "{a:?} {b:?}");
        }
    }

    #[test]
    fn forces_by_rows_and_friction_by_moments_are_those_of_eight_pairs_at_a_time() {
        let mut world = splash(WCSPH);
        world.fluids.truncate(1);
        world.fluids[0].viscosity = 1.0;
        world.particles.phase.fill(0);
        (world.gravity, world.forces) = (Vec3::zeros(), Vec::new());
        let (neighborhood, mut pairs) = neighborhood(&mut world);
        let mut random = Random::new(3);
        let velocities = &mut world.particles.velocity;
        velocities.iter_mut().for_each(|v| *v = random.point(-1.0, 1.0).map(|x| x as Real));
        let isa = Isa::current();
        let mut moments = Moments::new(isa);
        moments.update(&world, &neighborhood, &mut pairs);
        let mut forces = PairForces::new(isa);
        forces.note_fluids(&world, 0.0);
        pairs.set_scalars(|i| 1e3 * (i % 7) as Real);

        forces.find_by_rows(&world, &neighborhood, &pairs);
        let by_rows = forces.found.clone();
        forces.find::<_, false>(&world, &neighborhood, &pairs, PressurePart::All, BySlope);
        assert_alike(&by_rows, &forces.found);

        forces.find::<_, false>(&world, &neighborhood, &pairs, PressurePart::Repulsion, BySlope);
        let assembly = forces.assembly(&world, &neighborhood, &pairs, PressurePart::Repulsion);
        let viscosity = forces.coefficients[0].viscosity;
        let by_moments = moments.all.iter().enumerate().map(|(i, moment)| {
            let mut found = PairForce::default();
            assembly.finish(i, [Vec3::zeros(), moment.velocity * viscosity], &mut found);
            found
        });
        assert_alike(&by_moments.collect::<Vec<_>>(), &forces.found);
    }
}
