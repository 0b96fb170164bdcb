//! The level of the fluid on a vertical line, and its front along an axis.
//!
//! - Level, as a wave gauge shows it: the line is wet where the volume fraction f(z) = V Σⱼ Wⱼ is
//!   at least ½, which in water at rest ends at its level; the height is the top of the lowest wet
//!   stretch. Spray above it does not count, nor a lone drop (f < ⅓), nor what lies over trapped
//!   air, nor a particle that a solid hides from the line at the particle's own height. Beside
//!   walls of the domain the fluid continues as in a mirror: there half of the kernel sees none.
//! - Front along an axis: the largest coordinate of a particle's centre, and r.
//!
//! Symbols: W kernel \[1/m³\], V volume of a particle \[m³\], r its radius \[m\], d spacing \[m\].

use super::sensor::{ON_SURFACE, nearest_image};
use crate::world::World;
use hashfall_core::{Real, Vec3, parallel, to_f64};
use hashfall_geometry::{Aabb, Point};

/// Volume fraction at which fluid ends.
const WET: Real = 0.5;
/// Points of a vertical line in a spacing d at which the volume fraction is evaluated; between
/// two of them it is a straight line.
const POINTS_PER_SPACING: Real = 8.0;

/// The top of the lowest wet stretch of the vertical line through `foot` \[m\].
pub(super) fn height(world: &World, foot: &Vec3) -> f64 {
    let (kernel, volume) = (world.kernel(), world.kernel().rest_volume(world.spacing()));
    let h = kernel.support_radius();
    let particles = particles_along(world, foot, h);
    let fraction = |z: Real| -> Real {
        let weight =
            |&(at, aside): &(Real, Real)| kernel.value((aside + (z - at) * (z - at)).sqrt());
        volume * particles.iter().map(weight).sum::<Real>()
    };
    let lowest = particles.iter().map(|&(z, _)| z).fold(Real::INFINITY, Real::min) - h;
    let highest = particles.iter().map(|&(z, _)| z).fold(Real::NEG_INFINITY, Real::max) + h;
    let step = world.spacing() / POINTS_PER_SPACING;
    let mut last: Option<(Real, Real)> = None;
    let places = (0..).map(|k| lowest + k as Real * step).take_while(|&z| z <= highest + step);
    for z in places {
        let now = fraction(z);
        match last {
            Some((below, wet)) if now < WET => {
                return f64::from(below + (z - below) * (wet - WET) / (wet - now));
            }
            _ => last = (now >= WET).then_some((z, now)),
        }
    }
    f64::from(world.solids.domain.min.z)
}

/// The particles nearer than `h` \[m\] to a vertical line, in their order: height \[m\], and
/// squared distance from the line \[m²\].
fn particles_along(world: &World, foot: &Vec3, h: Real) -> Vec<(Real, Real)> {
    let domain = &world.solids.domain;
    let [low, high] = [&domain.min, &domain.max].map(|corner| Vec3::new(foot.x, foot.y, corner.z));
    let column = Aabb::new(low, high).grown(h);
    let tolerance = ON_SURFACE * f64::from(world.spacing());
    let sight = world.solids.line_of_sight(&column, tolerance);
    let [across, along] = [0, 1].map(|axis| mirrors(world, axis, foot[axis], h));
    let images = |x: &Vec3| -> Vec<(Real, Real)> {
        let image = nearest_image(world, x, &Vec3::new(foot.x, foot.y, x.z));
        let from = Point::from(to_f64(&Vec3::new(foot.x, foot.y, x.z)));
        let is_within_reach = (image - foot).xy().norm_squared() < h * h;
        if !is_within_reach || !sight.is_clear() && sight.is_blocked(&from, &image) {
            return vec![];
        }
        let squares = |axis: usize, mirrors: &[Real]| -> Vec<Real> {
            let itself = std::iter::once(image[axis]);
            let all = itself.chain(mirrors.iter().map(|wall| 2.0 * wall - image[axis]));
            all.map(|place| (place - foot[axis]) * (place - foot[axis])).collect()
        };
        let [of_x, of_y] = [squares(0, &across), squares(1, &along)];
        let asides = of_x.iter().flat_map(|x| of_y.iter().map(move |y| x + y));
        asides.filter(|aside| *aside < h * h).map(|aside| (x.z, aside)).collect()
    };
    let positions = &world.particles.position;
    parallel::flat_map(positions.len(), |i| images(&positions[i]))
}

/// The walls across an axis that are nearer to `place` than `h` \[m\].
fn mirrors(world: &World, axis: usize, place: Real, h: Real) -> Vec<Real> {
    let (domain, open) = (&world.solids.domain, world.solids.open[axis]);
    let walls = [domain.min[axis], domain.max[axis]];
    walls.into_iter().filter(|wall| !open && (wall - place).abs() < h).collect()
}

/// The farthest fluid along an axis, of particles below a height \[m\].
pub(super) fn front(world: &World, axis: usize, below: Option<f64>) -> f64 {
    let positions = &world.particles.position;
    let ceiling = below.unwrap_or(f64::INFINITY);
    let farthest = parallel::max(positions.len(), Real::NEG_INFINITY, |i| {
        let x = &positions[i];
        if f64::from(x.z) < ceiling { x[axis] } else { Real::NEG_INFINITY }
    });
    f64::from((farthest + world.particle_radius).max(world.solids.domain.min[axis]))
}
