//! The two loops over pairs of an iteration of the pressure solution by themselves, for benches.

use crate::step::Stepper;
use crate::step::pairs::moments::Moments;
use crate::step::pairs::neighborhood::Neighborhood;
use crate::step::pairs::pair_data::PairData;
use crate::step::schemes::bounded_cg::Operator;
use crate::step::schemes::pressure_matrix::{Matrix, PressureMatrix};
use crate::world::World;
use hashfall_core::Real;
use hashfall_core::parallel::CHUNK;
use hashfall_core::simd::Isa;

/// G and D at the present places of a world.
pub struct PressureLoops<'a> {
    world: &'a World,
    neighborhood: &'a Neighborhood,
    pairs: &'a mut PairData,
    moments: Moments,
    matrix: PressureMatrix,
    found: Vec<Real>,
}

impl Stepper {
    /// The loops over pairs of an iteration of the pressure solution, with the pressures of the
    /// world for their argument.
    pub fn pressure_loops<'a>(&'a mut self, world: &'a World) -> PressureLoops<'a> {
        let Stepper { neighborhood, pairs, .. } = self;
        let isa = Isa::current();
        let (mut moments, matrix) = (Moments::new(isa), PressureMatrix::new(isa));
        moments.update(world, neighborhood, pairs);
        let n = world.particles.len();
        let mut pressures = world.particles.pressure.clone();
        let found = vec![0.0; n];
        let mut loops = PressureLoops { world, neighborhood, pairs, moments, matrix, found };
        loops.matrix().set_argument(&mut pressures, |_, p, x| x.copy_from_slice(p));
        loops
    }
}

impl PressureLoops<'_> {
    fn matrix(&mut self) -> Matrix<'_> {
        let PressureLoops { world, neighborhood, pairs, moments, matrix, .. } = self;
        Matrix {
            coefficients: matrix,
            world,
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

    /// D of what was found, and S of the pressures.
    pub fn diverge(&mut self) {
        let mut found = std::mem::take(&mut self.found);
        let mut folds = vec![(); found.len().div_ceil(CHUNK)];
        self.matrix().diverge(&mut found, &mut folds, |_, _| ());
        self.found = found;
    }
}
