//! First moments of each particle's surroundings: the correction that makes gradients exact for
//! linear fields, walls included, how far a particle is inside the fluid, and what else solvers
//! need that depends on places and velocities alone, in one pass over the pairs
//! ([`crate::step::pairs::moment_sums`]).
//!
//! With the fluid's sum cᵢ = Σⱼ V ∇ᵢWᵢⱼ, ∇λᵢ of the solids and what they
//! [mirror](crate::step::boundary::mirror):
//!
//! - first moment:  Bᵢ = −Σⱼ V s xᵢⱼ xᵢⱼᵀ + Σₖ 2 ζₖ |gₖ| nₖ nₖᵀ, the identity in a lattice
//! - correction:    Lᵢ = f(Bᵢ), f(b) = w/b + 1 − w by eigenvalues b; w falls smoothly from 1 to 0
//!   where b comes below 1/4 to 1/2, so that a particle with few neighbours has L = 1
//!   (Bonet & Lok 1999 have L = B⁻¹)
//! - asymmetry:     aᵢ = |cᵢ + ∇λᵢ| h, 0 in a lattice and about 1 at a free surface
//! - inside:        χᵢ = 1 where aᵢ is small and the density near that at rest, 0 where air is
//!   near; no switch, and no list of surface particles. What is small depends on how many
//!   neighbours there are and on solids, and so does R ([`crate::step::pairs::disorder`])
//! - excess:        εᵢ = δᵢ − δ(aᵢ), the density beyond that under a flat free surface which leaves
//!   the same asymmetry: 0 in calm water up to its surface, negative in spray
//! - surface:       ωᵢ = 1 − χᵢ, but 0 in spray and where fluids meet
//! - scale:         σᵢ = 1 + ωᵢ (s − 1), by which the adjoint gradient is exact up to flat
//!   surfaces ([`crate::step::pairs::surface_scale`])
//! - fit:           Gᵢ = −Σⱼ V s vᵢⱼ xᵢⱼᵀ B⁻¹, with B of the neighbours alone: the linear velocity
//!   field of least squares; and θ, which falls from 1 to 0 as the harmonic mean of the eigenvalues
//!   does, and where fluids of unlike density meet
//! - velocities:    Σⱼ V s vᵢⱼ, and their divergence
//!   ([`crate::step::schemes::pressure_operator`]): of the velocities at the time of the pass
//! - crowding:      Σⱼ V (1 + R (sᵢⱼ/s(d))⁴) ∇ᵢWᵢⱼ + ∇λᵢ, where particles are dense, and the more
//!   where they are close
//!
//! Symbols: V volume \[m³\], s = W′/r \[1/m⁵\], h support radius, d spacing \[m\], δ = ρ/ρ₀ \[–\].

use crate::step::pairs::disorder::Disorder;
use crate::step::pairs::moment::Moment;
use crate::step::pairs::moment_sums::MomentSums;
use crate::step::pairs::neighborhood::Neighborhood;
use crate::step::pairs::pair_data::PairData;
use crate::step::pairs::row_sum;
use crate::step::pairs::surface_density::SurfaceDensity;
use crate::step::pairs::surface_scale::SurfaceScale;
use crate::world::World;
use hashfall_core::simd::Isa;
use hashfall_core::{Dimension, Real, parallel};
use std::ops::Range;

/// Particles near air over the number along a side, in the plane, or of a side, in space, up to
/// which there is no free surface \[–\].
const MAX_SURFACE: f64 = 0.1;

/// Which moments are found of those that not every step needs.
#[derive(Clone, Copy, Debug)]
pub struct Selection {
    /// G and θ.
    pub fit: bool,
    /// The crowding.
    pub crowding: bool,
}

/// The moments of all particles; keeps its buffers between steps.
#[derive(Debug)]
pub struct Moments {
    isa: Isa,
    /// Of each particle.
    pub all: Vec<Moment>,
    density: SurfaceDensity,
    scale: SurfaceScale,
    disorder: Disorder,
    /// Whether the fluid has no free surface.
    pub is_full: bool,
    /// The largest Σⱼ V² s² x² \[1/m²\].
    pub most_squares: Real,
}

impl Moments {
    /// No particle yet, with this instruction set.
    pub fn new(isa: Isa) -> Self {
        Moments {
            isa,
            all: Vec::new(),
            density: SurfaceDensity::default(),
            scale: SurfaceScale::default(),
            disorder: Disorder::default(),
            is_full: false,
            most_squares: 0.0,
        }
    }

    /// Finds the moments at the present places, all of them.
    pub fn update(&mut self, world: &World, neighborhood: &Neighborhood, pairs: &mut PairData) {
        self.update_some(world, neighborhood, pairs, Selection { fit: true, crowding: true });
    }

    /// The same, but moments that are not selected stay as they are.
    pub fn update_some(
        &mut self,
        world: &World,
        neighborhood: &Neighborhood,
        pairs: &mut PairData,
        selection: Selection,
    ) {
        if self.density.is_empty() {
            self.density = SurfaceDensity::new(world);
            self.scale = SurfaceScale::new(world);
            self.disorder = Disorder::new(world);
        }
        let particles = &world.particles;
        self.all.resize(particles.len(), Moment::default());
        let mut all = std::mem::take(&mut self.all);
        match (selection.crowding, world.has_one_density()) {
            (false, true) => {
                self.find::<false, false>(world, neighborhood, pairs, selection, &mut all)
            }
            (true, true) => {
                self.find::<true, false>(world, neighborhood, pairs, selection, &mut all)
            }
            (false, false) => {
                self.find::<false, true>(world, neighborhood, pairs, selection, &mut all)
            }
            (true, false) => {
                self.find::<true, true>(world, neighborhood, pairs, selection, &mut all)
            }
        }
        self.all = all;
        self.note_extremes(world);
    }

    fn find<const CROWDING: bool, const MIXED: bool>(
        &self,
        world: &World,
        neighborhood: &Neighborhood,
        pairs: &mut PairData,
        selection: Selection,
        all: &mut [Moment],
    ) {
        let particles = &world.particles;
        if MIXED {
            let phases = &particles.phase;
            pairs.set_scalars(|i| world.fluids[usize::from(phases[i])].rest_density);
        }
        pairs.set_vectors(|i| {
            let v = &particles.velocity[i];
            [v.x, v.y, v.z, 0.0]
        });
        let sum = MomentSums::<CROWDING, MIXED> {
            world,
            neighborhood,
            density: &self.density,
            scale: &self.scale,
            disorder: self.disorder,
            inverse_slope: 1.0 / world.kernel().slope_over_r(world.spacing()),
            has_fit: selection.fit,
            has_flux: world.solids.has_moving_bodies(),
        };
        let [points, velocities, _] = pairs.blocks();
        row_sum::for_all(self.isa, &neighborhood.lists, [points, velocities], &sum, all);
    }

    /// Notes the largest Σⱼ V² s² x², and whether fewer particles are near air than a free surface
    /// would have: single voids that a flow tears are to be closed, and no air.
    fn note_extremes(&mut self, world: &World) {
        let (all, in_nozzle) = (&self.all, &world.particles.in_nozzle);
        let of_chunk = |chunk: Range<usize>| {
            chunk.fold((0, 0.0), |(near_air, most): (usize, Real), i| {
                let is_near_air = in_nozzle[i] > 0 || !all[i].is_inside();
                (near_air + usize::from(is_near_air), all[i].squares.max(most))
            })
        };
        let join = |a: (usize, Real), b: (usize, Real)| (a.0 + b.0, b.1.max(a.1));
        let (near_air, most) = parallel::fold(all.len(), of_chunk, join).unwrap_or_default();
        let (part, n) = (near_air as f64 / MAX_SURFACE, all.len() as f64);
        self.is_full = match world.dimension {
            Dimension::Two => part * part <= n,
            Dimension::Three => part * part * part <= n * n,
        };
        self.most_squares = most;
    }
}
