//! The two loops over pairs of an iteration of the pressure solution by themselves, for benches.

use crate::step::Stepper;
use crate::step::pairs::moments::Moments;
use crate::step::pairs::neighborhood::Neighborhood;
use crate::step::pairs::pair_data::PairData;
use crate::step::pairs::row_sum;
use crate::step::schemes::bounded_cg::Operator;
use crate::step::schemes::pressure_matrix::{Matrix, PressureMatrix};
use crate::step::schemes::pressure_operator::{Divergence, correction_rows};
use crate::world::World;
use hashfall_core::Real;
use hashfall_core::simd::Isa;

/// G and D at the present places of a world.
pub struct PressureLoops<'a> {
    neighborhood: &'a Neighborhood,
    pairs: &'a mut PairData,
    moments: Moments,
    matrix: PressureMatrix,
    found: Vec<Real>,
}

impl Stepper {
    /// The loops over pairs of an iteration of the pressure solution, with the pressures of the
    /// world for their argument, as if all particles were of its first fluid.
    ///
    /// # Panics
    /// If the world has no fluid.
    pub fn pressure_loops(&mut self, world: &World) -> PressureLoops<'_> {
        let Stepper { neighborhood, pairs, .. } = self;
        let isa = Isa::current();
        let (mut moments, mut matrix) = (Moments::new(isa), PressureMatrix::new(isa));
        moments.update(world, neighborhood, pairs);
        let rest_density = world.fluids[0].rest_density;
        let n = world.particles.len();
        pairs.set_both(|i| correction_rows(&moments.all[i], rest_density));
        matrix.update(neighborhood, pairs, &moments.all, &vec![1.0 / rest_density; n]);
        let mut pressures = world.particles.pressure.clone();
        let mut loops = PressureLoops { neighborhood, pairs, moments, matrix, found: vec![0.0; n] };
        loops.matrix().set_argument(&mut pressures, |_, p, x| x.copy_from_slice(p));
        loops
    }
}

impl PressureLoops<'_> {
    fn matrix(&mut self) -> Matrix<'_> {
        let PressureLoops { neighborhood, pairs, moments, matrix, .. } = self;
        Matrix {
            coefficients: matrix,
            neighborhood,
            pairs,
            moments: &moments.all,
            yielding: 0.0,
            bodies: None,
        }
    }

    /// Directed pairs.
    pub fn pairs(&self) -> usize {
        self.neighborhood.lists.pairs()
    }

    /// G: what pressures do to particles.
    pub fn push(&mut self) {
        self.matrix().push();
    }

    /// D of what was found.
    pub fn diverge(&mut self) {
        let PressureLoops { neighborhood, pairs, moments, matrix, found } = self;
        let ([points, ..], pushes) = (pairs.blocks(), matrix.pushes());
        let sum =
            Divergence { neighborhood, velocities: pushes, moments: &moments.all, fluxes: &[] };
        row_sum::for_all(Isa::current(), &neighborhood.lists, [points, pushes], &sum, found);
    }
}
