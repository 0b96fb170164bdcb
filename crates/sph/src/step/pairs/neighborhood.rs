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

use crate::world::World;
use hashfall_core::kernel::{Shape, SmoothingKernel};
use hashfall_core::parallel::{self, CHUNK};
use hashfall_core::simd::{Isa, LANES, Simd, WithSimd, sum_lanes};
use hashfall_core::{Length, Real};
use hashfall_search::{ChunkLists, FindNeighbors, NeighborLists};
use hashfall_solid::Screens;

use crate::step::boundary::boundary_terms::BoundaryTerms;
use crate::step::pairs::inactive::is_inactive;
use crate::step::pairs::pair_data::PairData;

/// By which factor distances are compared with more than they are, for rounding.
const ROUNDED_UP: Real = 1.001;

/// The surroundings of all particles at their present positions.
#[derive(Debug)]
pub struct Neighborhood {
    /// Neighbours of each particle, and for each pair its squared distance, then its slope sᵢⱼ.
    pub lists: NeighborLists,
    /// What the solids near each particle add.
    pub boundary: BoundaryTerms,
    /// V \[m³\].
    pub volume: Real,
    isa: Isa,
}

impl Neighborhood {
    /// The surroundings of no particle yet, in a world of this lattice and kernel.
    pub fn new(world: &World, isa: Isa) -> Self {
        Neighborhood {
            lists: NeighborLists::with_squares(),
            boundary: BoundaryTerms::new(world.solid_layers(), world),
            volume: world.kernel().rest_volume(world.spacing()),
            isa,
        }
    }

    /// Finds the neighbours of each particle, but for those who are `inactive`, if that is not
    /// empty.
    pub fn find(
        &mut self,
        search: &mut dyn FindNeighbors,
        world: &World,
        pairs: &PairData,
        inactive: &[bool],
    ) {
        let h = world.support_radius;
        if world.is_periodic() {
            let positions = pairs.ghosts().positions();
            search.find_for(positions, h, inactive, &mut self.lists);
            self.lists.sort_as(positions);
        } else {
            search.find_for(&world.particles.position, h, inactive, &mut self.lists);
        }
    }

    /// Takes those off the lists that a thin solid hides; solids are found already.
    pub fn hide(&mut self, world: &World, pairs: &PairData, inactive: &[bool]) {
        let Neighborhood { lists, boundary, .. } = self;
        if !boundary.has_opaque() {
            return;
        }
        let particles = &world.particles;
        let ghosts = pairs.ghosts();
        let places = if world.is_periodic() { ghosts.positions() } else { &particles.position };
        let in_nozzle = &particles.in_nozzle;
        // Of what is between both, neither is farther than from its nearest solid.
        let is_too_near = |i: usize, j: usize, apart: Real| {
            let to_solids = boundary.distance.get(j).map(|other| boundary.distance[i] + other);
            to_solids.is_some_and(|way| way > ROUNDED_UP * apart)
        };
        parallel::fill_pieces(lists.chunks_mut(), &|chunk, lists| {
            let (mut screens, mut of) = (Screens::default(), None);
            lists.retain(|k, j| {
                let i = chunk * CHUNK + k;
                let is_free = |i: usize| in_nozzle[i] == 0;
                if i >= particles.len() || is_inactive(inactive, i) || !is_free(i) {
                    return true;
                }
                if !is_free(ghosts.particle(j, particles.len())) {
                    return true;
                }
                let place = &places[j as usize];
                if is_too_near(i, j as usize, (particles.position[i] - place).length()) {
                    return true;
                }
                if of != Some(i) {
                    of = Some(i);
                    boundary.screens(i, world, &mut screens);
                }
                !screens.hide(place)
            });
        });
    }

    /// Evaluates the kernel for all pairs, and with it the fluid fraction; not for those who are
    /// `inactive`, if that is not empty.
    pub fn evaluate(&mut self, world: &mut World, inactive: &[bool]) {
        let fractions = &mut world.particles.fluid_fraction;
        let mut fractions = std::mem::take(fractions);
        match world.kernel().shape {
            Shape::CubicSpline(kernel) => self.evaluate_with(kernel, inactive, &mut fractions),
            Shape::WendlandC2(kernel) => self.evaluate_with(kernel, inactive, &mut fractions),
            Shape::Mueller(kernel) => self.evaluate_with(kernel, inactive, &mut fractions),
        }
        let particles = &mut world.particles;
        particles.fluid_fraction = fractions;
    }

    /// Densities as sums over neighbours and solids; those who are `inactive` keep theirs.
    pub fn sum_densities(&self, world: &mut World, inactive: &[bool]) {
        let particles = &mut world.particles;
        let (fluids, fractions, phases) =
            (&world.fluids, &particles.fluid_fraction, &particles.phase);
        parallel::fill(&mut particles.density, |i, density| {
            let rest_density = fluids[phases[i] as usize].rest_density;
            if !is_inactive(inactive, i) {
                *density = rest_density * (fractions[i] + self.boundary.fraction[i]);
            }
        });
    }
}

impl Neighborhood {
    /// The slope of each pair, and the fluid's part of the density around each particle.
    fn evaluate_with<K: SmoothingKernel>(
        &mut self,
        kernel: K,
        inactive: &[bool],
        fractions: &mut [Real],
    ) {
        let (isa, volume) = (self.isa, self.volume);
        let lists = self.lists.chunks_mut();
        parallel::fill_chunks_with(fractions, lists, &|chunk, fractions, lists| {
            let inactive = inactive.get(chunk * CHUNK..).unwrap_or_default();
            isa.run(EvaluateChunk { kernel, volume, lists, inactive, fractions });
        });
    }
}

/// Evaluates the kernel for the pairs of a chunk of particles.
struct EvaluateChunk<'a, K> {
    kernel: K,
    volume: Real,
    lists: &'a mut ChunkLists,
    inactive: &'a [bool],
    fractions: &'a mut [Real],
}

impl<K: SmoothingKernel> WithSimd for EvaluateChunk<'_, K> {
    type Output = ();

    #[inline(always)]
    fn run<I: Simd>(self, _: I) {
        for (k, fraction) in self.fractions.iter_mut().enumerate() {
            if self.inactive.get(k).is_some_and(|inactive| *inactive) {
                continue;
            }
            *fraction = self.volume * evaluate_pairs(&self.kernel, self.lists.values_mut(k));
        }
    }
}

/// Replaces the squared distances of one particle's pairs by their slopes; returns W(0) + Σⱼ W.
#[inline(always)]
fn evaluate_pairs<K: SmoothingKernel>(kernel: &K, values: &mut [Real]) -> Real {
    let mut sums = [0.0; LANES];
    let mut whole = values.chunks_exact_mut(LANES);
    for values in &mut whole {
        let mut lanes = [0.0; LANES];
        lanes.copy_from_slice(values);
        values.copy_from_slice(&evaluate_lanes(kernel, lanes, &mut sums));
    }
    // Idle lanes stand at the end of the support, where the kernel vanishes.
    let rest = whole.into_remainder();
    let mut lanes = [kernel.support_radius() * kernel.support_radius(); LANES];
    lanes.iter_mut().zip(rest.iter()).for_each(|(lane, value)| *lane = *value);
    let slopes = evaluate_lanes(kernel, lanes, &mut sums);
    rest.iter_mut().zip(slopes).for_each(|(value, slope)| *value = slope);
    kernel.value(0.0) + sum_lanes(sums)
}

/// Adds the kernel at sixteen squared distances to `sums`; returns the slopes.
#[inline(always)]
fn evaluate_lanes<K: SmoothingKernel>(
    kernel: &K,
    squares: [Real; LANES],
    sums: &mut [Real; LANES],
) -> [Real; LANES] {
    let mut slopes = [0.0; LANES];
    for l in 0..LANES {
        let r = squares[l].sqrt();
        sums[l] += kernel.value(r);
        slopes[l] = kernel.slope_over_r(r);
    }
    slopes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::step::tests::{DFSPH, neighborhood, splash};
    use hashfall_core::Vec3;
    use hashfall_geometry::Aabb;
    use hashfall_geometry::shape::box_mesh;
    use hashfall_solid::Solids;

    #[test]
    fn through_a_thin_plate_nothing_is_seen_and_it_is_a_wall_to_both_sides() {
        let with = |thickness: Real| {
            let mut world = splash(DFSPH);
            let plate = Aabb::new(
                Vec3::new(0.2 - 0.5 * thickness, -0.1, -0.1),
                Vec3::new(0.2 + 0.5 * thickness, 0.5, 0.7),
            );
            let solids = Solids::new(world.solids.domain, vec![], vec![box_mesh(&plate)]);
            world.solids = solids;
            let (neighborhood, _) = neighborhood(&mut world);
            (world, neighborhood)
        };
        let side = |x: &Vec3| x.x < 0.2;
        let free = splash(DFSPH).particles.position.len();
        for thickness in [1e-4, 0.005, 0.01] {
            let (world, neighborhood) = with(thickness);
            let x = &world.particles.position;
            let square = world.support_radius * world.support_radius;
            assert_eq!(x.len(), free);
            for i in 0..x.len() {
                let seen = |j: &usize| {
                    *j != i && side(&x[i]) == side(&x[*j]) && (x[i] - x[*j]).norm_squared() < square
                };
                let mut found: Vec<usize> =
                    neighborhood.lists.of(i).iter().map(|j| *j as usize).collect();
                found.sort_unstable();
                assert_eq!(found, (0..x.len()).filter(seen).collect::<Vec<_>>(), "{}", x[i]);
                // As at the walls of the domain, whose part is known.
                let distance = (x[i].x - 0.2).abs() - 0.5 * thickness;
                let floor = x[i].y.min(0.4 - x[i].y);
                if floor > 0.05 && x[i].z > 0.25 {
                    let expected = world.solid_layers().sums(distance, 0.0).fraction;
                    let error = (neighborhood.boundary.fraction[i] - expected).abs();
                    let by_wall = x[i].x.min(0.4 - x[i].x) < 0.05;
                    assert!(by_wall || error < 1e-4, "{} {error}", x[i]);
                }
            }
        }
    }
}
