//! What the pressure solvers need to know of each particle's surroundings, found once a step:
//! neighbour lists, the kernel's slope for each pair, the solids' part, and the density.
//!
//! Density is kept as the fraction δ = ρ/ρ₀ of the rest density, so that fluids of different rest
//! density meet without a false jump (Solenthaler & Pajarola 2008, number density):
//!
//! - δᵢ = V Σⱼ W(|xᵢ − xⱼ|) + λᵢ, the sum with j = i; ρᵢ = ρ₀ᵢ δᵢ
//! - ∇ᵢWᵢⱼ = sᵢⱼ xᵢⱼ, sᵢⱼ = W′(r)/r, xᵢⱼ = xᵢ − xⱼ
//! - λᵢ, ∇λᵢ: the kernel's integral over the solids near i and its gradient
//!
//! Symbols: V volume of a particle, d³ but for the kernel's lattice sum \[m³\], W kernel \[1/m³\],
//! s \[1/m⁵\], δ, λ \[–\].

use crate::base::parallel::{self, CHUNK};
use crate::base::{Real, Vec3};
use crate::kernel::CubicSpline;
use crate::search::{NeighborLists, NeighborSearch};
use crate::world::World;
use rayon::prelude::*;

use super::solid_part::SolidPart;

/// The surroundings of all particles at their present positions.
#[derive(Debug)]
pub struct Neighborhood {
    /// Neighbours of each particle.
    pub lists: NeighborLists,
    /// What the solids near each particle add.
    pub solids: SolidPart,
    /// V \[m³\].
    pub volume: Real,
    /// sᵢⱼ for each pair, by chunk of particles, in the order of the lists.
    slopes: Vec<Vec<Real>>,
}

impl Neighborhood {
    /// The surroundings of no particle yet, in a world of this lattice and kernel.
    pub fn of(world: &World) -> Self {
        let lattice = world.rest_lattice();
        Neighborhood {
            lists: NeighborLists::default(),
            solids: SolidPart::new(lattice.wall_offset),
            volume: lattice.volume,
            slopes: Vec::new(),
        }
    }

    /// Finds the neighbours of each particle.
    pub fn find<S: NeighborSearch>(&mut self, search: &mut S, world: &World) {
        search.rebuild(&world.particles.position, world.support_radius);
        self.lists.build(search, &world.particles.position, world.support_radius);
    }

    /// Evaluates the kernel for all pairs, and with it the fluid fraction and the density.
    pub fn evaluate(&mut self, world: &mut World) {
        let (kernel, volume) = (world.kernel(), self.volume);
        let particles = &mut world.particles;
        let (lists, x) = (&self.lists, &particles.position);
        self.slopes.resize_with(particles.fluid_fraction.len().div_ceil(CHUNK), Vec::new);
        let fractions = particles.fluid_fraction.par_chunks_mut(CHUNK);
        self.slopes.par_iter_mut().zip(fractions).enumerate().for_each(|(chunk, (slopes, out))| {
            slopes.resize(lists.pairs_in(chunk), 0.0);
            for (k, fraction) in out.iter_mut().enumerate() {
                let i = chunk * CHUNK + k;
                let own = &mut slopes[lists.range(i)];
                *fraction = volume * evaluate_pairs(&kernel, &x[i], lists.at(i), x, own);
            }
        });
        let (fluids, fractions, phases) =
            (&world.fluids, &particles.fluid_fraction, &particles.phase);
        parallel::fill(&mut particles.density, |i, density| {
            let rest_density = fluids[phases[i] as usize].rest_density;
            *density = rest_density * (fractions[i] + self.solids.fraction[i]);
        });
    }

    /// The neighbours of `i` and the slope sᵢⱼ of each.
    #[inline(always)]
    pub fn pairs_of(&self, i: usize) -> impl Iterator<Item = (usize, Real)> {
        let slopes = &self.slopes[i / CHUNK][self.lists.range(i)];
        self.lists.at(i).iter().zip(slopes).map(|(&j, &slope)| (j as usize, slope))
    }
}

/// Pairs evaluated together: independent lanes let the compiler use vector registers.
const LANES: usize = 8;

/// Writes the slopes of one particle's pairs; returns W(0) + Σⱼ W.
#[inline]
fn evaluate_pairs(
    kernel: &CubicSpline,
    xi: &Vec3,
    neighbors: &[u32],
    x: &[Vec3],
    slopes: &mut [Real],
) -> Real {
    let mut sums = [0.0; LANES];
    for (neighbors, slopes) in neighbors.chunks(LANES).zip(slopes.chunks_mut(LANES)) {
        // Idle lanes stand at the end of the support, where the kernel vanishes.
        let mut squares = [kernel.support_radius() * kernel.support_radius(); LANES];
        for (square, &j) in squares.iter_mut().zip(neighbors) {
            *square = (xi - x[j as usize]).norm_squared();
        }
        let distances = squares.map(Real::sqrt);
        let lane_slopes = distances.map(|r| kernel.slope_over_r(r));
        for (sum, r) in sums.iter_mut().zip(distances) {
            *sum += kernel.value(r);
        }
        slopes.copy_from_slice(&lane_slopes[..neighbors.len()]);
    }
    kernel.value(0.0) + add_lanes(sums)
}

/// Adds lanes as a fixed tree: halves onto each other.
fn add_lanes(lanes: [Real; LANES]) -> Real {
    let [a, b, c, d, e, f, g, h] = lanes;
    ((a + e) + (c + g)) + ((b + f) + (d + h))
}
