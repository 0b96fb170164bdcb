//! How many triangles the surfaces of a run will have.
//!
//! How far the surface will tear nobody knows before the run: where fluid falls or moves, it is
//! taken to have [`TORN`] triangles for each particle once it has fallen, as the shipped scenes
//! have, and [`MIXED`] times as many where fluids mingle; until then it grows from the start's as
//! the way that it has fallen. Where it rests, or is too thick to tear, it stays as at the start.

use hashfall_core::Vec3;
use hashfall_sph::world::World;
use hashfall_surface::SurfaceSettings;

// Surfaces of a flood, fitted to runs of the shipped scenes.
/// Triangles for each particle in the mean frame, with cells of half a radius.
pub(super) const TORN: f64 = 27.0;
/// The same in the worst frame.
pub(super) const MAX_TORN: f64 = 48.0;
/// The part of the triangles that clean-up leaves at the least.
const KEPT_BY_CLEANUP: f64 = 0.56;
/// How many times more there are where several fluids mingle: faces between two count for both.
const MIXED: f64 = 1.85;
/// Bytes of a triangle with its vertices, in the format that is written if no other is asked for:
/// where numbers of vertices have 16 bits, and where they need more.
const PER_SURFACE_TRIANGLE: f64 = 27.5;
const PER_WIDE_SURFACE_TRIANGLE: f64 = 33.5;
/// Surfaces of more triangles have more vertices than 16 bits count, as they have half as many.
const MAX_NARROW: f64 = 2.0 * 65_536.0;
/// How many of them there are where thick fluid is poured, which lies in a heap.
pub(super) const HEAPED: f64 = 0.7;
/// Fluid whose fall through the domain has a Reynolds number below this sinks as a whole.
const TEARING: f64 = 100.0;
/// Fluid that falls by this number of spacings in the mean, or has the speed of such a fall, is
/// torn.
const FALL: f64 = 2.0;

/// Bytes of each of these triangles with its vertices.
pub(super) fn per_surface_triangle(triangles: f64) -> f64 {
    if triangles > MAX_NARROW { PER_WIDE_SURFACE_TRIANGLE } else { PER_SURFACE_TRIANGLE }
}

/// How many times larger than at the start the surface becomes, if it is torn to `torn` triangles
/// for each particle.
pub(super) fn growth(
    start: &World,
    settings: &SurfaceSettings,
    triangles: usize,
    torn: f64,
) -> f64 {
    if triangles == 0 || !is_lively(start) {
        return 1.0;
    }
    let is_mixed = start.fluids.len() > 1 && !settings.merge_fluids;
    let mixed = if is_mixed { MIXED } else { 1.0 };
    let torn = mixed * triangles_per_particle(settings, torn) * start.particles.len() as f64;
    (torn / triangles as f64).max(1.0)
}

/// Triangles for each particle where a surface of cells of half a radius has `torn` of them.
pub(super) fn triangles_per_particle(settings: &SurfaceSettings, torn: f64) -> f64 {
    let cells_per_radius = 0.5 / settings.cell;
    let kept = if settings.effective().cleanup { KEPT_BY_CLEANUP } else { 1.0 };
    torn * cells_per_radius.powi(2) * kept
}

/// The parts of the mean state and of the last that are torn in a run of this time, if fluid is
/// torn as far as it has fallen, which takes the time `falling`: the way goes with the square of
/// the time \[s\].
pub(super) fn torn_parts(whole: f64, falling: f64) -> [f64; 2] {
    if whole < falling {
        let way = (whole / falling).powi(2);
        [way / 3.0, way]
    } else {
        [1.0 - 2.0 / 3.0 * falling / whole, 1.0]
    }
}

/// Whether the fluid moves, or has far to fall.
fn is_lively(start: &World) -> bool {
    let gravity = f64::from(start.gravity.norm());
    let far = FALL * f64::from(start.spacing());
    let speeds = start.particles.velocity.iter().map(|v| f64::from(v.norm()));
    let is_fast = speeds.fold(0.0, f64::max).powi(2) > 2.0 * gravity * far;
    !is_thick(start) && (is_fast || fall(start) > far)
}

/// Whether the thinnest fluid is too thick to tear when it falls through the domain.
pub(super) fn is_thick(start: &World) -> bool {
    let size = start.solids.domain.max - start.solids.domain.min;
    let up = start.gravity.try_normalize(0.0).unwrap_or_default().abs();
    let height = f64::from(up.dot(&size));
    let speed = (2.0 * f64::from(start.gravity.norm()) * height).sqrt();
    let viscosities = start.fluids.iter().map(|fluid| f64::from(fluid.viscosity));
    speed * height < TEARING * viscosities.fold(f64::INFINITY, f64::min)
}

/// How far the fluid falls in the mean until it lies on the floor, if nothing holds it \[m\].
pub(super) fn fall(start: &World) -> f64 {
    let up = start.gravity.try_normalize(0.0).map_or_else(Vec3::zeros, |down| -down);
    let domain = &start.solids.domain;
    if start.particles.is_empty() {
        return 0.0;
    }
    let (size, places) = (domain.max - domain.min, &start.particles.position);
    let (low, high) = (up.component_mul(&domain.min), up.component_mul(&domain.max));
    let floor = f64::from(low.inf(&high).sum());
    let mean = places.iter().map(|x| f64::from(up.dot(x))).sum::<f64>() / places.len() as f64;
    let filled = places.len() as f64 * f64::from(start.particle_volume() / size.product());
    mean - floor - filled * f64::from(up.abs().dot(&size)) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against the mean of the ways that are fallen at many instants.
    #[test]
    fn what_falls_is_torn_as_far_as_it_has_fallen() {
        for [whole, falling] in [[0.2, 1.0], [1.0, 1.0], [3.0, 0.7], [1.0, 0.0]] {
            let way = |part: f64| (part * whole / falling).powi(2).min(1.0);
            let mean = (0..1000).map(|n| way((f64::from(n) + 0.5) / 1000.0)).sum::<f64>() / 1000.0;
            let [of_mean, of_last] = torn_parts(whole, falling);
            assert!((of_mean - mean).abs() < 1e-3, "{whole} {falling}: {of_mean}, {mean}");
            assert!((of_last - way(1.0)).abs() < 1e-12, "{whole} {falling}");
        }
    }

    /// As the `.ply` files have them.
    #[test]
    fn large_surfaces_have_wider_numbers_of_vertices() {
        assert_eq!([1e5, 2e5].map(per_surface_triangle), [27.5, 33.5]);
    }
}
