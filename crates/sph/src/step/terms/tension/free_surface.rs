//! How deep each particle lies below the air, and its density there.
//!
//! A sum over neighbours finds too little density at a free surface, where half of them are
//! missing. Pressure, which does not pull, then leaves the outermost particles to themselves, and
//! surface tension draws them together until the surface crumples. But what is missing shows in the
//! gradient of how much of the kernel that solids leave open is filled,
//!
//! - C = Σⱼ V W/(1 − λ),  ∇C = (Σⱼ V ∇ᵢWᵢⱼ + C ∇λ)/(1 − λ)
//!
//! as if the fluid continued in the solid like in a mirror. Air that begins at a plane, s above
//! the particle, takes away
//!
//! - m(s) of C = 1, so that |∇C| = −m′(s),
//!
//! with m that of a solid in its place, made of layers as the fluid is
//! ([`hashfall_solid::SolidLayers`]). What is measured is ∇C/C, in which compression cancels; so s
//! is where
//!
//! - −m′(s)/(1 − m(s)) = |∇C|/C,
//!
//! and the density is δ = Σⱼ V W/(1 − m(s)) + λ: 1 to within 0.4 % in each layer of a lattice whose
//! surface is flat. Where C is small there is no surface but spray: there the correction fades out.
//!
//! Symbols: C, δ, m \[–\], λ the solids' part \[–\], s \[m\], V volume of a particle \[m³\].

use crate::step::pairs::concentration::Concentration;
use crate::step::pairs::neighborhood::Neighborhood;
use crate::step::pairs::pair_data::PairData;
use crate::step::pairs::pair_sum;
use crate::world::World;
use hashfall_core::simd::Isa;
use hashfall_core::{Length, Real, Vec3, parallel};
use hashfall_solid::SolidLayers;

/// Rows of the table.
const ROWS: usize = 256;

/// C up to which particles are spray, and from which on they are not \[–\].
const SPRAY: [Real; 2] = [0.4, 0.55];

/// The least fraction of the kernel that solids leave open \[–\].
const MIN_OPEN_FRACTION: Real = 0.1;

/// The free surface as all particles see it; keeps its buffers between steps.
#[derive(Debug)]
pub struct FreeSurface {
    isa: Isa,
    /// By steepness, ascending.
    table: Vec<Row>,
    /// C of the outermost layer below a flat surface \[–\].
    flat: Real,
    /// ∇C \[1/m\].
    gradients: Vec<Vec3>,
    /// Of each particle.
    seen: Vec<Row>,
}

/// What a plane of air does at some depth below it.
#[derive(Clone, Copy, Debug, Default)]
struct Row {
    /// |∇C|/C \[1/m\].
    steepness: Real,
    /// s \[m\].
    depth: Real,
    /// 1/(1 − m) \[–\].
    factor: Real,
}

impl FreeSurface {
    /// Found with this instruction set, for particles of this spacing \[m\], to whom solids count
    /// as these layers.
    pub fn new(isa: Isa, layers: &SolidLayers, spacing: Real) -> Self {
        let row = |k: usize| {
            let depth = layers.reach() * (1.0 - k as Real / (ROWS - 1) as Real);
            let air = layers.sums(depth, 0.0);
            let left = 1.0 - air.fraction;
            Row { steepness: -air.slope / left, depth, factor: 1.0 / left }
        };
        let table = (0..ROWS).map(row).collect();
        let flat = 1.0 - layers.sums(0.5 * spacing, 0.0).fraction;
        FreeSurface { isa, table, flat, gradients: vec![], seen: vec![] }
    }

    /// Finds the surface at the present places.
    pub fn find(&mut self, world: &World, neighborhood: &Neighborhood, pairs: &PairData) {
        let (p, solids) = (&world.particles, &neighborhood.boundary);
        self.gradients.resize(p.len(), Vec3::zeros());
        let sum = Concentration { neighborhood };
        pair_sum::for_all(self.isa, &neighborhood.lists, pairs, &sum, &mut self.gradients);
        self.seen.resize(p.len(), Row::default());
        let table = &self.table;
        parallel::fill_both(&mut self.seen, &mut self.gradients, |i, seen, gradient| {
            let open_fraction = open_fraction(neighborhood, i);
            let filled = p.fluid_fraction[i] / open_fraction;
            // The sum counts solids as full.
            *gradient = (*gradient + solids.gradient[i] * (filled - 1.0)) / open_fraction;
            *seen = row_at(table, gradient.length() / filled);
        });
    }

    /// How many particles see it.
    pub fn len(&self) -> usize {
        self.gradients.len()
    }

    /// ∇C of a particle \[1/m\].
    #[inline]
    pub fn gradient(&self, i: usize) -> Vec3 {
        self.gradients[i]
    }

    /// How much less of the kernel that solids leave open is filled around a particle, by what is
    /// filled of all of it, than right below a flat surface \[–\].
    #[inline]
    pub fn lack(&self, neighborhood: &Neighborhood, i: usize, fluid_fraction: Real) -> Real {
        self.flat - fluid_fraction / open_fraction(neighborhood, i)
    }

    /// How deep a particle lies below the surface \[m\].
    #[inline]
    pub fn depth(&self, i: usize) -> Real {
        self.seen[i].depth
    }

    /// Corrects densities that are sums, of the particles of fluids that have a tension.
    pub fn correct(&self, world: &mut World, neighborhood: &Neighborhood) {
        let particles = &mut world.particles;
        let (fluids, phases) = (&world.fluids, &particles.phase);
        let fractions = &particles.fluid_fraction;
        parallel::fill(&mut particles.density, |i, density| {
            let fluid = &fluids[usize::from(phases[i])];
            if fluid.surface_tension > 0.0 {
                let filled = fractions[i] / open_fraction(neighborhood, i);
                let share = (filled - SPRAY[0]) / (SPRAY[1] - SPRAY[0]);
                let missing = fractions[i] * (self.seen[i].factor - 1.0);
                *density += fluid.rest_density * missing * share.clamp(0.0, 1.0);
            }
        });
    }
}

/// What solids leave open of a particle's kernel \[–\].
#[inline]
fn open_fraction(neighborhood: &Neighborhood, i: usize) -> Real {
    (1.0 - neighborhood.boundary.fraction[i]).max(MIN_OPEN_FRACTION)
}

/// Between two rows of the table, or at one of its ends.
fn row_at(table: &[Row], steepness: Real) -> Row {
    let k = table.partition_point(|row| row.steepness < steepness).clamp(1, table.len() - 1);
    let (a, b) = (&table[k - 1], &table[k]);
    let rise = b.steepness - a.steepness;
    let t = if rise > 0.0 { ((steepness - a.steepness) / rise).clamp(0.0, 1.0) } else { 1.0 };
    let between = |a: Real, b: Real| a + t * (b - a);
    Row { steepness, depth: between(a.depth, b.depth), factor: between(a.factor, b.factor) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::step::tests::{box_of_one, neighborhood};
    use crate::world::Particles;
    use hashfall_geometry::Aabb;
    use hashfall_solid::Solids;

    #[test]
    fn a_lattice_has_rest_density_and_its_depths_up_to_its_flat_surface_and_along_walls() {
        // It stands on the floor, against a wall, and ends at the air above.
        let (d, n) = (0.05, 12);
        let mut particles = Particles::default();
        for k in 0..n * n * n {
            let place = [k % n, k / n % n, k / (n * n)].map(|k| k as Real + 0.5);
            particles.push(Vec3::from(place) * d, Vec3::zeros(), 0, 1000.0);
        }
        let domain = Aabb::new(Vec3::zeros(), Vec3::repeat(2.0));
        let solids = Solids::new(domain, vec![], vec![]);
        let mut world = World { particles, solids, ..box_of_one(Vec3::zeros()) };
        world.fluids[0].surface_tension = 0.07;
        (world.particle_radius, world.support_radius) = (0.5 * d, 3.0 * d);
        let (neighborhood, pairs) = neighborhood(&mut world);
        let before = world.particles.density.clone();
        let mut surface = FreeSurface::new(Isa::current(), &world.solid_layers(), d);
        surface.find(&world, &neighborhood, &pairs);
        surface.correct(&mut world, &neighborhood);
        let (side, mut seen) = (n as Real * d, [0; 3]);
        for (i, before) in before.into_iter().enumerate() {
            let x = world.particles.position[i];
            // Along the middle of the upper face, and where it meets the wall at x = 0.
            let is_far = |x: Real| x > 3.0 * d && x < side - 3.0 * d;
            if !is_far(x.y) || !(is_far(x.x) || x.x < d) {
                continue;
            }
            let layer = ((side - x.z) / d) as usize;
            let ratio = world.particles.density[i] / 1000.0;
            assert!((ratio - 1.0).abs() < 0.01, "{x}: {ratio}");
            if layer < 2 && x.x > d {
                let depth = (side - x.z) / d;
                assert!((surface.depth(i) / d - depth).abs() < 0.02, "{x}: {}", surface.depth(i));
                assert!(before < 990.0, "{x}: {before}");
                seen[layer] += 1;
            }
            seen[2] += usize::from(x.x < d);
        }
        assert!(seen.iter().all(|&count| count > 5), "{seen:?}");
    }
}
