//! Tension as a pressure that the fluid's own can balance.
//!
//! On a surface with tension pressure jumps by σκ. It acts by the same operator as the fluid's
//! pressure does ([`UnitPressure`]),
//!
//! - f = σ κ F 1,
//!
//! where F 1 is the force by which a pressure of 1 acts that is the same everywhere, turned round:
//! zero inside, and inwards at free surfaces. So where κ is constant and the fluid calm, the
//! pressure σκ takes all of it, in whatever disorder particles stand: a round drop rests (the
//! balanced force of volume-of-fluid methods: Francois et al. 2006). By another gradient of the
//! surface what is left drives it: drops gained a hundred times their energy.
//!
//! Where pressures act between pairs by plain slopes, the gradient n of the surface, twice, takes
//! the place of F 1: there it is that sum, but for the outer half of the surface, which has no
//! particles.
//!
//! Pairs do not take all of what it gives. While no solid is near any fluid its sum and its moment
//! are taken off again, by the field of a rigid motion, in proportion to |F 1|; of several drops
//! those of all together. In vessels, whose walls bear the sum, they are not; across periodic sides
//! the sum alone is.
//!
//! Symbols: σ \[N/m\], κ \[1/m\], F 1 \[1/m\], f \[N/m³\].

use crate::step::pairs::neighborhood::Neighborhood;
use crate::step::pairs::pair_data::PairData;
use crate::step::pairs::row_sum;
use crate::step::schemes::free_flight::{self, RigidField};
use crate::step::schemes::pressure_operator::{UnitPressure, correction_rows};
use crate::step::schemes::scheme::PressureAction;
use crate::step::terms::tension::curvature::Curvature;
use crate::step::terms::tension::free_surface::FreeSurface;
use crate::world::World;
use hashfall_core::simd::Isa;
use hashfall_core::{Length, Vec3, parallel};

/// What a pressure of 1 does at free surfaces, and how they pull by it; keeps its buffers between
/// steps.
#[derive(Debug)]
pub struct Balance {
    isa: Isa,
    /// F 1 \[1/m\].
    unit: Vec<Vec3>,
    /// f \[N/m³\].
    forces: Vec<Vec3>,
}

impl Balance {
    /// Found with this instruction set.
    pub fn new(isa: Isa) -> Self {
        Balance { isa, unit: Vec::new(), forces: Vec::new() }
    }

    /// Finds F 1 by the moments of the particles.
    pub fn update_by_moments(
        &mut self,
        world: &World,
        neighborhood: &Neighborhood,
        pairs: &mut PairData,
        action: PressureAction<'_>,
    ) {
        let moments = &action.moments.all;
        let (fluids, phases) = (&world.fluids, &world.particles.phase);
        let rest_density = |i: usize| fluids[usize::from(phases[i])].rest_density;
        pairs.set_both(|i| correction_rows(&moments[i], rest_density(i)));
        self.unit.resize(phases.len(), Vec3::zeros());
        let (lists, blocks, out) = (&neighborhood.lists, pairs.blocks(), &mut self.unit);
        if action.acts_along_surfaces {
            let sum = UnitPressure::<true> { neighborhood, moments };
            row_sum::for_all(self.isa, lists, blocks, &sum, out);
        } else {
            let sum = UnitPressure::<false> { neighborhood, moments };
            row_sum::for_all(self.isa, lists, blocks, &sum, out);
        }
    }

    /// Takes the gradients of the surface, as its curvature turned them.
    pub fn update_by_normals(&mut self, surface: &FreeSurface, curvature: &Curvature) {
        self.unit.resize(surface.len(), Vec3::zeros());
        parallel::fill(&mut self.unit, |i, unit| {
            *unit = curvature.turned(i, surface.gradient(i)) * 2.0;
        });
    }

    /// F 1 of a particle \[1/m\].
    pub fn unit(&self, i: usize) -> Vec3 {
        self.unit[i]
    }

    /// Adds the accelerations of free surfaces with these curvatures.
    pub fn pull(&mut self, world: &mut World, neighborhood: &Neighborhood, curvature: &Curvature) {
        let (fluids, phases) = (&world.fluids, &world.particles.phase);
        let tension = |i: usize| fluids[usize::from(phases[i])].surface_tension;
        let unit = &self.unit;
        self.forces.resize(unit.len(), Vec3::zeros());
        parallel::fill(&mut self.forces, |i, force| {
            *force = unit[i] * (tension(i) * curvature.bent(i));
        });
        let forces = &self.forces;
        let weight = |i: usize| if tension(i) > 0.0 { unit[i].length() } else { 0.0 };
        let places = &world.particles.position;
        let rigid = free_flight::is_free(world, neighborhood)
            .then(|| RigidField::new(forces.len(), weight, |i| places[i], |i| forces[i]))
            .flatten();
        // Across periodic sides places have no lever arm.
        let rigid = match world.periodic.contains(&true) {
            true => rigid.map(RigidField::without_turn),
            false => rigid,
        };
        parallel::fill(&mut world.particles.acceleration, |i, acceleration| {
            let rest_density = fluids[usize::from(phases[i])].rest_density;
            let net = rigid.map_or_else(Vec3::zeros, |rigid| rigid.at(&places[i]) * weight(i));
            *acceleration += (forces[i] - net) / rest_density;
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::step::pairs::moments::Moments;
    use crate::step::schemes::known_pressure::{KnownForce, KnownPressure};
    use crate::step::schemes::pressure_matrix::PressureMatrix;
    use crate::step::tests::{DFSPH, neighborhood, splash};
    use hashfall_core::Real;

    /// Against what a known pressure of 1 does to calm fluid, far from walls, at which the weight
    /// of that fluid counts.
    #[test]
    fn it_is_what_a_known_pressure_of_one_does() {
        let mut world = splash(DFSPH);
        let (neighborhood, mut pairs) = neighborhood(&mut world);
        let mut moments = Moments::new(Isa::current());
        moments.update(&world, &neighborhood, &mut pairs);
        let mut matrix = PressureMatrix::new(Isa::current());
        matrix.find(&world, &neighborhood, &mut pairs, &moments.all);
        for acts_along_surfaces in [false, true] {
            let mut balance = Balance::new(Isa::current());
            let action = PressureAction { moments: &moments, acts_along_surfaces };
            balance.update_by_moments(&world, &neighborhood, &mut pairs, action);
            pairs.set_scalars(|_| 1.0);
            let known = KnownPressure {
                neighborhood: &neighborhood,
                pairs: &pairs,
                moments: &moments.all,
                weight: |_: usize| Vec3::z() * 1e12,
            };
            let mut found = vec![KnownForce::default(); world.particles.len()];
            known.find_by_rows(Isa::current(), &matrix, [acts_along_surfaces, false], &mut found);
            let (mut at_surface, mut inside) = (0, 0);
            let steepest = balance.unit.iter().map(|unit| unit.norm()).fold(0.0, Real::max);
            for (i, unit) in balance.unit.iter().enumerate() {
                if neighborhood.boundary.gradient[i].norm() > 0.0 {
                    continue;
                }
                let off = (unit - found[i].force).norm();
                assert!(off < 1e-5 * steepest, "{i}: {unit} for {}", found[i].force);
                at_surface += usize::from(unit.norm() > 0.2 * steepest);
                inside += usize::from(unit.norm() < 1e-6 * steepest);
            }
            assert!(at_surface > 50 && inside > 50, "{at_surface}, {inside}");
        }
    }
}
