//! Displacements that keep the fluid's volume and its particles in good order, without a velocity.
//!
//! A velocity without divergence keeps volume but for errors of the step, which add up. To put them
//! right by velocities would heat the fluid. Here they are put right by places alone (Hu & Adams
//! 2007), a part [`RATE`] of them in a step:
//!
//! - −D₀ G₀ φ = r, δx = G₀ φ, with G₀ the gradient of the density and D₀ its change
//!   ([`crate::step::schemes::pressure_operator`]); r = δ − 1 inside the fluid; where air is near,
//!   what is above 1, or else above the density under a flat surface by more than [`SLACK`], and
//!   φ ≥ 0. A few conjugate gradients do: what they leave comes in the next step.
//! - Particles that follow the flow line up along its streamlines. They drift to where there are
//!   fewer (Lind et al. 2012): δx = −A h |v| dt χ C, with the
//!   crowding C of [`crate::step::pairs::moments`], less where air is near.
//!
//! No particle is displaced by more than [`MAX_DISPLACEMENT`] in a step. Velocities stay with the
//! particles: to take that of the new place costs vortices more than it gives.
//!
//! Symbols: δ = ρ/ρ₀, χ inside the fluid \[–\], h support radius, d spacing \[m\].

use crate::step::pairs::moments::{Moment, Moments};
use crate::step::pairs::neighborhood::Neighborhood;
use crate::step::pairs::pair_data::PairData;
use crate::step::pairs::pair_sum;
use crate::step::schemes::bounded_cg::{BoundedCg, Operator, Problem};
use crate::step::schemes::pressure_operator::{
    DensityChange, PlainGradient, displacement_diagonal,
};
use crate::world::World;
use hashfall_core::simd::Isa;
use hashfall_core::{Real, Vec3, parallel};

/// The part of an error of volume that a step puts right.
const RATE: Real = 0.5;

/// The largest errors that a step puts right: of a density below 1 little, as it may be air \[–\].
const MAX_STRETCH: Real = 0.02;
const MAX_COMPRESSION: Real = 0.1;

/// A density above that under a flat surface by less is left to itself \[–\].
const SLACK: Real = 0.05;

/// Conjugate gradients in a step.
const ITERATIONS: u32 = 2;

/// A: drift to where particles are fewer \[–\].
const SHIFT: Real = 0.4;

/// The most of that in a step, over h² \[–\].
const MAX_SHIFT: Real = 0.1;

/// The longest displacement in a step, in spacings.
const MAX_DISPLACEMENT: Real = 0.05;

/// Finds displacements; keeps its buffers between steps.
#[derive(Debug)]
pub struct Displacement {
    isa: Isa,
    solver: BoundedCg,
    diagonal: Vec<Real>,
    rhs: Vec<Real>,
    lower: Vec<Real>,
    /// φ \[m²\].
    potential: Vec<Real>,
    /// δx \[m\], then its velocity \[m/s\].
    displacements: Vec<Vec3>,
}

/// −D₀ G₀.
struct Matrix<'a> {
    isa: Isa,
    near: &'a Neighborhood,
    pairs: &'a mut PairData,
    displacements: &'a mut [Vec3],
}

impl Matrix<'_> {
    /// G₀ x.
    fn displace(&mut self, x: &[Real]) {
        let Matrix { isa, near, pairs, displacements } = self;
        pairs.set_scalars(|i| x[i]);
        let sum = PlainGradient { near, pairs };
        pair_sum::for_all(*isa, &near.lists, pairs, &sum, displacements);
    }
}

impl Operator for Matrix<'_> {
    fn multiply(&mut self, x: &[Real], out: &mut [Real]) {
        self.displace(x);
        let Matrix { isa, near, pairs, displacements } = self;
        pairs.set_vectors(|i| {
            let d = &displacements[i];
            [d.x, d.y, d.z, 0.0]
        });
        pair_sum::for_all(*isa, &near.lists, pairs, &DensityChange { near, pairs }, out);
        parallel::fill(out, |_, out| *out = -*out);
    }
}

impl Displacement {
    /// With this instruction set.
    pub fn new(isa: Isa) -> Self {
        Displacement {
            isa,
            solver: BoundedCg::default(),
            diagonal: Vec::new(),
            rhs: Vec::new(),
            lower: Vec::new(),
            potential: Vec::new(),
            displacements: Vec::new(),
        }
    }

    /// Finds the displacements of a step of `dt` \[s\], as velocities; `error` is the mean error of
    /// density that needs none.
    pub fn find(
        &mut self,
        world: &World,
        near: &Neighborhood,
        pairs: &mut PairData,
        moments: &Moments,
        (dt, error): (Real, f64),
    ) {
        let n = world.particles.len();
        self.note_errors(world, near, moments);
        self.potential.clear();
        self.potential.resize(n, 0.0);
        self.displacements.resize(n, Vec3::zeros());
        let problem = Problem {
            diagonal: &self.diagonal,
            rhs: &self.rhs,
            lower: &self.lower,
            tolerance: [f64::from(RATE) * error, f64::INFINITY],
            min_iterations: 0,
            max_iterations: ITERATIONS,
        };
        let displacements = &mut self.displacements;
        let mut matrix = Matrix { isa: self.isa, near, pairs, displacements };
        self.solver.solve(&mut matrix, problem, &mut self.potential);
        matrix.displace(&self.potential);
        let (h, longest) = (world.support_radius, MAX_DISPLACEMENT * world.spacing());
        let particles = &world.particles;
        parallel::fill(&mut self.displacements, |i, displacement| {
            if particles.in_nozzle[i] > 0 {
                *displacement = Vec3::zeros();
                return;
            }
            let Moment { inside, crowding, .. } = moments.all[i];
            let shift = (SHIFT * h * particles.velocity[i].norm() * dt).min(MAX_SHIFT * h * h);
            *displacement -= crowding * (shift * inside);
            let length = displacement.norm();
            let cut = if length > longest { longest / length } else { 1.0 };
            *displacement *= cut / dt;
        });
    }

    /// r and its bounds.
    fn note_errors(&mut self, world: &World, near: &Neighborhood, moments: &Moments) {
        let particles = &world.particles;
        let n = particles.len();
        self.diagonal.resize(n, 0.0);
        self.rhs.resize(n, 0.0);
        self.lower.resize(n, 0.0);
        parallel::fill(&mut self.diagonal, |i, out| {
            *out = displacement_diagonal(&moments.all[i]);
        });
        parallel::fill_both(&mut self.rhs, &mut self.lower, |i, rhs, lower| {
            let moment = &moments.all[i];
            let error = particles.fluid_fraction[i] + near.boundary.fraction[i] - 1.0;
            let at_surface = if error > 0.0 { error } else { (moment.excess - SLACK).max(0.0) };
            let error = moment.inside * error + (1.0 - moment.inside) * at_surface;
            *rhs = (RATE * error).clamp(-MAX_STRETCH, MAX_COMPRESSION);
            *lower = if moment.is_inside() { Real::NEG_INFINITY } else { 0.0 };
            if particles.in_nozzle[i] > 0 {
                (*rhs, *lower) = (0.0, 0.0);
            }
        });
    }

    /// The velocities \[m/s\] found last.
    pub fn velocities(&self) -> &[Vec3] {
        &self.displacements
    }
}
