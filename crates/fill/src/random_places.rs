//! Particles at random positions in a box: uniform, by [`RandomStream`], without a lattice.

use hashfall_core::Dimension;
use hashfall_core::rng::RandomStream;

/// The places of `count` particles between two corners \[m\], at spacing `d` \[m\], half a spacing
/// clear of the box's sides.
pub fn random_places(
    dimension: Dimension,
    [low, high]: [[f64; 3]; 2],
    d: f64,
    count: u32,
    seed: u64,
) -> Vec<[f64; 3]> {
    let mut rng = RandomStream::new(seed);
    let along = |rng: &mut RandomStream, a: usize| rng.between(low[a] + 0.5 * d, high[a] - 0.5 * d);
    (0..count)
        .map(|_| {
            let [x, y, z] = [0, 1, 2].map(|a| along(&mut rng, a));
            [x, if dimension == Dimension::Two { 0.0 } else { y }, z]
        })
        .collect()
}
