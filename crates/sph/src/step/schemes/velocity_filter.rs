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
//! with Gᵢ = −Σⱼ V sᵢⱼ vᵢⱼ xᵢⱼᵀ Bᵢ⁻¹, the fit of least squares to the neighbours
//! ([`crate::step::pairs::moments`]), by which Φ is least, so that its own change does not count. A
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

use crate::step::pairs::moments::Moment;
use crate::step::pairs::neighborhood::Neighborhood;
use crate::step::pairs::pair_data::PairData;
use crate::step::pairs::pair_sum::{self, PairSum, displacement, relative_velocity};
use crate::world::World;
use hashfall_core::simd::{F32x8, Isa};
use hashfall_core::{Real, Vec3, parallel};

/// Finds the filter's accelerations; keeps its buffers between steps.
#[derive(Debug)]
pub struct VelocityFilter {
    isa: Isa,
    halves: Vec<Half>,
    /// f \[N/m³\].
    forces: Vec<Vec3>,
}

/// What the first pass finds for a particle.
#[derive(Clone, Copy, Debug, Default)]
struct Half {
    /// V Σⱼ s (aᵢ + aⱼ) vᵢⱼ \[N/m³\].
    force: Vec3,
    /// S by rows \[Pa\].
    stress: [Real; 9],
}

impl VelocityFilter {
    /// With this instruction set.
    pub fn new(isa: Isa) -> Self {
        VelocityFilter { isa, halves: Vec::new(), forces: Vec::new() }
    }

    /// Adds the accelerations of a filter of this strength, α c/d \[1/s\].
    pub fn add(
        &mut self,
        world: &mut World,
        near: &Neighborhood,
        pairs: &mut PairData,
        moments: &[Moment],
        strength: Real,
    ) {
        if strength <= 0.0 {
            return;
        }
        let particles = &world.particles;
        let n = particles.len();
        self.halves.resize(n, Half::default());
        self.forces.resize(n, Vec3::zeros());
        pairs.set_scalars(|i| {
            let Moment { weight, fit_weight, .. } = moments[i];
            if weight > 0.0 { 0.5 * strength * fit_weight / weight } else { 0.0 }
        });
        pairs.set_vectors(|i| {
            let v = &particles.velocity[i];
            [v.x, v.y, v.z, 0.0]
        });
        let first = FirstPass { near, pairs, moments };
        pair_sum::for_all(self.isa, &near.lists, pairs, &first, &mut self.halves);
        let halves = &self.halves;
        let four = |i: usize, from: usize| [0, 1, 2, 3].map(|k| halves[i].stress[from + k]);
        pairs.set_scalars(|i| halves[i].stress[0]);
        pairs.set_vectors(|i| four(i, 1));
        pairs.set_extras(|i| four(i, 5));
        let second = SecondPass { near, halves };
        pair_sum::for_all(self.isa, &near.lists, pairs, &second, &mut self.forces);
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

/// Fits the velocities, and sums the forces but for those by S. Points carry a, vectors velocities.
struct FirstPass<'a> {
    near: &'a Neighborhood,
    pairs: &'a PairData,
    moments: &'a [Moment],
}

/// Σ s (aᵢ + aⱼ) v, then Σ s v xᵀ by rows.
impl PairSum<8, 12> for FirstPass<'_> {
    type Out = Half;

    #[inline(always)]
    fn add<V: F32x8>(&self, sums: &mut [V; 12], own: &[V; 8], other: &[V; 8], slope: V) {
        let x = displacement(own, other);
        let v = relative_velocity(own, other).map(|v| slope * v);
        let both = own[3] + other[3];
        for row in 0..3 {
            sums[row] += both * v[row];
            for column in 0..3 {
                sums[3 + 3 * row + column] += v[row] * x[column];
            }
        }
    }

    #[inline(always)]
    fn finish(&self, i: usize, sums: [Real; 12], out: &mut Half) {
        let [x, y, z, products @ ..] = sums.map(|sum| sum * self.near.volume);
        let [.., a] = self.pairs.point(i);
        let mut stress = [0.0; 9];
        for (row, product) in
            stress.as_chunks_mut::<3>().0.iter_mut().zip(products.as_chunks::<3>().0)
        {
            *row = (self.moments[i].fit * Vec3::from(*product) * -a).into();
        }
        *out = Half { force: Vec3::new(x, y, z), stress };
    }
}

/// Adds the forces by S. Points carry the first of its numbers, vectors and extras the others.
struct SecondPass<'a> {
    near: &'a Neighborhood,
    halves: &'a [Half],
}

impl PairSum<12, 3> for SecondPass<'_> {
    type Out = Vec3;

    #[inline(always)]
    fn add<V: F32x8>(&self, sums: &mut [V; 3], own: &[V; 12], other: &[V; 12], slope: V) {
        let [x, y, z] = displacement(own, other);
        for (row, sum) in sums.iter_mut().enumerate() {
            let [p, q, r] = [3, 4, 5].map(|k| own[3 * row + k] + other[3 * row + k]);
            *sum += (p * x + q * y + r * z) * slope;
        }
    }

    #[inline(always)]
    fn finish(&self, i: usize, sums: [Real; 3], out: &mut Vec3) {
        *out = self.halves[i].force - Vec3::from(sums) * self.near.volume;
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
        let Stepper { near, pairs, .. } = &mut stepper;
        let isa = Isa::current();
        let mut moments = Moments::new(isa);
        moments.update(&world, near, pairs);
        world.particles.acceleration.fill(Vec3::zeros());
        VelocityFilter::new(isa).add(&mut world, near, pairs, &moments.all, 10.0);
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
