//! The cubic lattice of a region: so many sites along each axis, from a first one on.

use super::quadrature::Answers;
use hashfall_core::{Dimension, parallel};

/// How far a region may reach out of the domain, or fall short of a layer, through rounding of its
/// corners, in spacings.
pub const ROUNDING: f64 = 1e-3;

/// Sites of a lattice: `origin + i·d` along each axis. An axis of a flat region has one layer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sites {
    /// The middle of all sites \[m\].
    middle: [f64; 3],
    /// Sites along each axis.
    layers: [u64; 3],
    /// Spacing \[m\].
    d: f64,
}

impl Sites {
    /// A lattice about a middle \[m\], of spacing `d` \[m\].
    pub fn about(middle: [f64; 3], layers: [u64; 3], d: f64) -> Self {
        Sites { middle, layers, d }
    }

    /// As many layers as fit into a box, symmetric about its middle.
    pub fn in_the_middle([low, high]: [[f64; 3]; 2], d: f64) -> Self {
        let middle = [0, 1, 2].map(|a| 0.5 * (low[a] + high[a]));
        Sites { middle, layers: layers([low, high], d), d }
    }

    /// The number of sites.
    pub fn count(&self) -> f64 {
        self.layers.iter().map(|&n| n as f64).product()
    }

    /// The sites that are kept, by their offsets from the middle and themselves \[m\], x fastest,
    /// then y, then z.
    pub fn filter(&self, keep: impl Fn(&[f64; 3], &[f64; 3]) -> bool + Sync) -> Vec<[f64; 3]> {
        let [x, y, _] = self.layers;
        let keep = &keep;
        let layer = move |k: usize| {
            let rows = (0..y).flat_map(move |j| (0..x).map(move |i| [i, j, k as u64]));
            rows.filter_map(move |site| {
                let (offset, place) = self.at(site);
                keep(&offset, &place).then_some(place)
            })
        };
        parallel::flat_map(self.layers[2] as usize, layer)
    }

    /// The sites that lie in a region, in the same order. Sites outside tell by their distance how
    /// many after them lie outside, too, so that parts may lie far apart.
    pub fn inside(&self, region: Answers) -> Vec<[f64; 3]> {
        let [x, y, _] = self.layers;
        let row = move |[j, k]: [u64; 2]| {
            let (mut i, mut places) = (0, Vec::new());
            while i < x {
                let (_, place) = self.at([i, j, k]);
                if (region.contains)(&place) {
                    places.push(place);
                    i += 1;
                } else {
                    i += (((region.signed_distance)(&place) / self.d) as u64).max(1);
                }
            }
            places
        };
        let layer = move |k: usize| (0..y).flat_map(move |j| row([j, k as u64]));
        parallel::flat_map(self.layers[2] as usize, layer)
    }

    /// A site by its numbers along the axes: its offset from the middle and itself \[m\].
    fn at(&self, site: [u64; 3]) -> ([f64; 3], [f64; 3]) {
        let Sites { middle, layers, d } = *self;
        let offset = [0, 1, 2].map(|a| (site[a] as f64 - 0.5 * (layers[a] as f64 - 1.0)) * d);
        (offset, [0, 1, 2].map(|a| middle[a] + offset[a]))
    }
}

/// Layers of spacing `d` that fit into a box along each axis; one along an axis that it is flat
/// along.
pub fn layers([low, high]: [[f64; 3]; 2], d: f64) -> [u64; 3] {
    [0, 1, 2].map(|a| match high[a] - low[a] {
        0.0 => 1,
        // Casts of floats saturate, so that an absurd box counts as too many, not as few.
        length => (length / d + ROUNDING) as u64,
    })
}

/// The layers of a lattice of so many sites along each axis; in the plane one along y.
pub fn in_dimension(dimension: Dimension, layers: [u64; 3]) -> [u64; 3] {
    match dimension {
        Dimension::Two => [layers[0], 1, layers[2]],
        Dimension::Three => layers,
    }
}

/// The volume of a particle \[m³\], in the plane its area \[m²\].
pub fn particle_volume(dimension: Dimension, d: f64) -> f64 {
    match dimension {
        Dimension::Two => d * d,
        Dimension::Three => d * d * d,
    }
}
