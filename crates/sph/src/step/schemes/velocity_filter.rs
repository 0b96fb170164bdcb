//! A filter against noise of particles: friction for what velocities differ from a linear field.
//!
//! What noise the particles have at the start, and what impacts add, never comes to rest in an
//! ideal fluid. Artificial viscosity (Monaghan 1992) takes it, and shear, vortices and waves with
//! it. Here, as in schemes of Riemann solvers with linear reconstruction, the linear field Gᵢ
//! around each particle is taken off first. The forces are the slope of half the power
//!
//! - Φ = V Σᵢ κᵢ θᵢ ½ Σⱼ V|sᵢⱼ| |vᵢⱼ − Gᵢ xᵢⱼ|², f = −V⁻¹ ∂Φ/∂v, and so
//! - fᵢ = V Σⱼ sᵢⱼ ((aᵢ + aⱼ) vᵢⱼ − (Sᵢ + Sⱼ) xᵢⱼ), with a = κθ, S = aG
//!
//! with Gᵢ = −Σⱼ V sᵢⱼ vᵢⱼ xᵢⱼᵀ Bᵢ⁻¹, the fit of least squares to the neighbours that
//! [`crate::step::pairs::moments`] found, by which Φ is least, so that its own change does not
//! count. The part aᵢ Σⱼ V sᵢⱼ (vᵢⱼ − Gᵢ xᵢⱼ) is known from there, too: one pass over the pairs
//! finds Σⱼ V sᵢⱼ aⱼ (vᵢⱼ − Gⱼ xᵢⱼ). A
//! square takes energy and never gives any; linear fields feel nothing; and as rigid motions do not
//! either, momentum and angular momentum are kept. What alternates from particle to particle decays
//! at the rate 2αc/d.
//!
//! What was tried: friction along each pair alone, after a rate of strain that no least squares
//! gave. It is not a slope of any power, and heats: full boxes boiled, and Taylor and Green's
//! vortices blew up with 100 particles across.
//!
//! Symbols: α strength \[–\], c speed \[m/s\], d spacing \[m\], V volume \[m³\], s = W′/r \[1/m⁵\],
//! κ = ½ αc/d ρ₀/Σⱼ V|s| \[Pa s\].

use crate::step::pairs::moment::Moment;
use crate::step::pairs::neighborhood::Neighborhood;
use crate::step::pairs::pair_data::{Block, PairData};
use crate::step::pairs::rates::{cyclic_rows, cyclic_times, rates_times};
use crate::step::pairs::row_sum::{self, RowSum};
use crate::world::World;
use hashfall_core::parallel::{self, CHUNK, chunks_mut, for_parts};
use hashfall_core::simd::{F32x8, Isa};
use hashfall_core::{Real, Vec3};

/// Finds the filter's accelerations; keeps its buffers between steps.
#[derive(Debug)]
pub struct VelocityFilter {
    isa: Isa,
    /// The rows of G of all particles and ghosts \[1/s\].
    rows: [Vec<Block>; 3],
    /// f \[N/m³\].
    forces: Vec<Vec3>,
}

impl VelocityFilter {
    /// With this instruction set.
    pub fn new(isa: Isa) -> Self {
        VelocityFilter { isa, rows: Default::default(), forces: Vec::new() }
    }

    /// Adds the accelerations of a filter of this strength, α c/d \[1/s\]; `moments` are those of
    /// the present velocities, with their fit.
    pub fn add(
        &mut self,
        world: &mut World,
        neighborhood: &Neighborhood,
        pairs: &mut PairData,
        moments: &[Moment],
        strength: Real,
    ) {
        if strength <= 0.0 {
            return;
        }
        let particles = &world.particles;
        let n = particles.len();
        let friction = |i: usize| {
            let Moment { weight, fit_weight, .. } = moments[i];
            if weight > 0.0 { 0.5 * strength * fit_weight / weight } else { 0.0 }
        };
        pairs.set_vectors(|i| {
            let v = &particles.velocity[i];
            [v.x, v.y, v.z, friction(i)]
        });
        self.rows.iter_mut().for_each(|rows| rows.resize(pairs.row_count(), Block::default()));
        let rows = self.rows.each_mut().map(|rows| chunks_mut(&mut rows[..n], CHUNK));
        let [firsts, seconds, thirds] = rows;
        for_parts((firsts, seconds, thirds), |chunk, (firsts, seconds, thirds)| {
            let rows = firsts.iter_mut().zip(seconds).zip(thirds);
            for (i, ((first, second), third)) in (chunk * CHUNK..).zip(rows) {
                [*first, *second, *third] = cyclic_rows(&moments[i].fit());
            }
        });
        self.rows.iter_mut().for_each(|rows| pairs.copy_to_ghosts(rows));
        self.forces.resize(n, Vec3::zeros());
        let ([points, velocities, _], [firsts, seconds, thirds]) = (pairs.blocks(), &self.rows);
        let blocks = [points, velocities, firsts, seconds, thirds];
        let sum = DeviationFriction { neighborhood, moments, blocks };
        row_sum::for_all(self.isa, &neighborhood.lists, blocks, &sum, &mut self.forces);
        let forces = &self.forces;
        let (particles, fluids) = (&mut world.particles, &world.fluids);
        let (in_nozzle, phases) = (&particles.in_nozzle, &particles.phase);
        parallel::fill(&mut particles.acceleration, |i, a| {
            if in_nozzle[i] == 0 {
                *a += forces[i] / fluids[usize::from(phases[i])].rest_density;
            }
        });
    }
}

/// Friction against deviations from the linear fields. Behind the points stand velocities,
/// which carry a, and the rows of G.
struct DeviationFriction<'a> {
    neighborhood: &'a Neighborhood,
    moments: &'a [Moment],
    blocks: [&'a [Block]; 5],
}

impl RowSum<5, 1> for DeviationFriction<'_> {
    type Out = Vec3;

    #[inline(always)]
    fn add<V: F32x8>(&self, [sum]: &mut [V; 1], particle: &[V; 5], other: &[V; 5], slope: V) {
        let (x, v) = (particle[0] - other[0], particle[1] - other[1]);
        let deviation = v - rates_times([other[2], other[3], other[4]], x);
        *sum += slope * other[1].splat_fourth() * deviation;
    }

    #[inline(always)]
    fn finish(&self, i: usize, [[x, y, z, _]]: [[Real; 4]; 1], out: &mut Vec3) {
        let Moment { velocity, fluid, .. } = &self.moments[i];
        let [_, vectors, firsts, seconds, thirds] = self.blocks;
        let [.., friction] = vectors[i];
        let of_field = cyclic_times([&firsts[i], &seconds[i], &thirds[i]], fluid);
        let self_term = (velocity - of_field) * friction;
        *out = Vec3::new(x, y, z) * self.neighborhood.volume + self_term;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::step::Stepper;
    use crate::step::pairs::moments::Moments;
    use crate::step::tests::{DFSPH, splash};
    use hashfall_geometry::random::Random;
    use hashfall_search::Structures;

    /// The filter's forces over the volume \[N/m³\] at these velocities, in a world of two fluids.
    fn forces(velocities: impl Fn(&Vec3) -> Vec3) -> (World, Vec<Vec3>) {
        let mut world = splash(DFSPH);
        let positions = world.particles.position.clone();
        world.particles.velocity = positions.iter().map(velocities).collect();
        let mut stepper = Stepper::new(&Structures::default(), &mut world).unwrap();
        let Stepper { neighborhood, pairs, .. } = &mut stepper;
        let isa = Isa::current();
        let mut moments = Moments::new(isa);
        moments.update(&world, neighborhood, pairs);
        world.particles.acceleration.fill(Vec3::zeros());
        VelocityFilter::new(isa).add(&mut world, neighborhood, pairs, &moments.all, 10.0);
        let (p, fluids) = (&world.particles, &world.fluids);
        let force = |i: usize| p.acceleration[i] * fluids[usize::from(p.phase[i])].rest_density;
        let found = (0..p.len()).map(force).collect();
        (world, found)
    }

    #[test]
    fn linear_fields_feel_nothing_and_all_else_loses_energy_alone() {
        let mut random = Random::new(5);
        let linear = |x: &Vec3| Vec3::new(0.3 + x.y - 2.0 * x.z, 0.5 * x.x, x.x + x.z);
        let (_, found) = forces(linear);
        assert!(found.iter().all(|f| f.norm() < 0.1), "{found:?}");
        for _ in 0..20 {
            let waves: Vec<Vec3> =
                (0..2).map(|_| random.point(-90.0, 90.0).map(|x| x as Real)).collect();
            let field = |x: &Vec3| {
                let [p, q] = [waves[0].dot(x), waves[1].dot(x)];
                Vec3::new((p * p).fract(), q.fract(), (p * q).fract())
            };
            let (world, found) = forces(field);
            let sums = |of: &dyn Fn(usize) -> f64| (0..found.len()).map(of).sum::<f64>();
            let velocity = &world.particles.velocity;
            let power = sums(&|i| f64::from(found[i].dot(&velocity[i])));
            let size = sums(&|i| f64::from(found[i].norm()));
            assert!(power < 0.0, "{power}");
            let push = found.iter().sum::<Vec3>();
            assert!(f64::from(push.norm()) < 1e-4 * size, "{push} of {size}");
            let x = &world.particles.position;
            let turn = (0..found.len()).map(|i| x[i].cross(&found[i])).sum::<Vec3>();
            assert!(f64::from(turn.norm()) < 1e-4 * size, "{turn} of {size}");
        }
    }
}
