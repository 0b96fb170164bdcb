//! How dense fluid is below a flat free surface.
//!
//! Symbols: λ the part of a particle's surroundings beyond the surface \[–\], h support radius
//! \[m\].

use crate::world::World;
use hashfall_core::Real;

/// Entries of the table of densities below a flat surface.
const ENTRIES: usize = 128;

/// Density under a flat surface, by the asymmetry over the largest.
#[derive(Debug, Default)]
pub struct SurfaceDensity {
    densities: Vec<Real>,
    /// Entries over the asymmetry of a particle in the surface \[–\].
    entries_per_asymmetry: Real,
}

impl SurfaceDensity {
    /// Density below a flat surface, where the missing half space has the part λ and leaves λ′.
    pub fn new(world: &World) -> Self {
        let (layers, h) = (world.solid_layers(), world.support_radius);
        let at = |k: usize| layers.sums(h * k as Real / (8 * ENTRIES) as Real, 0.0);
        let sums: Vec<_> = (0..=8 * ENTRIES).map(at).collect();
        let largest = -sums[0].slope * h;
        let mut densities: Vec<Real> = (0..=ENTRIES)
            .map(|entry| {
                let wanted = largest * entry as Real / ENTRIES as Real;
                let last = sums.iter().rposition(|s| -s.slope * h >= wanted).unwrap_or(0);
                1.0 - sums[last].fraction
            })
            .collect();
        // No asymmetry, no missing half space.
        densities[0] = 1.0;
        SurfaceDensity { densities, entries_per_asymmetry: ENTRIES as Real / largest }
    }

    /// Whether it is of no world yet.
    pub fn is_empty(&self) -> bool {
        self.densities.is_empty()
    }

    /// The density under a flat surface that leaves this asymmetry.
    pub fn at(&self, asymmetry: Real) -> Real {
        let place = (asymmetry * self.entries_per_asymmetry).min(ENTRIES as Real);
        let entry = (place as usize).min(ENTRIES - 1);
        let [low, high] = [self.densities[entry], self.densities[entry + 1]];
        low + (high - low) * (place - entry as Real)
    }
}
