//! The nozzle behind an opening: layers of particles that move with the velocity of the emitter.

use hashfall_core::Vec3;
use hashfall_sph::world::Emitter;

/// A centre that is this deep in a solid lies in it, in radii.
pub const PENETRATION_TOLERANCE: f64 = 0.02;

/// Where the particles of a full nozzle stand that have these places in the opening.
pub fn nozzle<'a>(
    emitter: &'a Emitter,
    places: &'a [Vec3],
    d: f64,
) -> impl Iterator<Item = Vec3> + 'a {
    let layers = (0..emitter.depth).map(move |k| -(f64::from(k) + 0.5) * d);
    layers.flat_map(move |s| places.iter().map(move |place| emitter.at(place, s)))
}
