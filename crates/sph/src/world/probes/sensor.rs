//! What a sensor at a point, or with a face, reads of the particles that it sees.
//!
//! A particle counts that no solid hides from the point, so that a sensor beside a thin wall reads
//! its own side. Beside a face that is a sheet the side is that of the face's normal.
//!
//! A pressure is not extrapolated below 3 min(0, min pⱼ) ([`MAX_SUCTION`]): where all particles
//! press, a sensor at the free surface reads no suction.

use super::face::{Face, FacePoints};
use super::interpolation::{RANGE, weights};
use crate::world::World;
use hashfall_core::{Real, Vec3, parallel, to_f64, vec3};
use hashfall_geometry::{Aabb, Point};
use hashfall_solid::LineOfSight;

/// The least pressure that is read, in least pressures of the particles that count.
const MAX_SUCTION: f64 = 3.0;
/// A surface nearer to the point than this part of a spacing d is the one that the sensor is in.
pub(super) const ON_SURFACE: f64 = 0.01;

/// Particles that may count for some points, and the solids between.
pub(super) struct Surroundings<'a> {
    world: &'a World,
    /// Numbers of particles, ascending, and their nearest images \[m\].
    particles: Vec<(u32, Vec3)>,
    sight: LineOfSight,
}

/// A particle that counts.
pub(super) struct Seen {
    /// Its number.
    pub particle: usize,
    /// Its weight; the sum over all is 1 in the fluid and 0 in the air.
    pub weight: f64,
}

impl<'a> Surroundings<'a> {
    /// What lies in the range of these points \[m\].
    pub fn new(world: &'a World, points: &[Point]) -> Self {
        let range = range(world);
        let places: Vec<Vec3> = points.iter().map(|x| vec3((*x).into())).collect();
        let bounds = Aabb::around(&places).grown(range as Real);
        let middle = 0.5 * (bounds.min + bounds.max);
        let image = |j: usize| {
            let image = nearest_image(world, &world.particles.position[j], &middle);
            bounds.contains(&image).then_some((j as u32, image))
        };
        let particles = parallel::filter_map(world.particles.len(), image);
        let tolerance = ON_SURFACE * f64::from(world.spacing());
        Surroundings { world, particles, sight: world.solids.line_of_sight(&bounds, tolerance) }
    }

    /// The particles that count at a point \[m\].
    pub fn at(&self, x: &Point) -> Vec<Seen> {
        let range = range(self.world);
        let mut particles = Vec::new();
        let mut offsets = Vec::new();
        for (j, image) in &self.particles {
            let offset = (Point::from(to_f64(image)) - x) / range;
            if offset.norm_squared() < 1.0 && !self.sight.is_blocked(x, image) {
                particles.push(*j as usize);
                offsets.push(offset);
            }
        }
        let seen = particles.into_iter().zip(weights(&offsets));
        seen.map(|(particle, weight)| Seen { particle, weight }).collect()
    }

    /// p(x) \[Pa\].
    pub fn pressure(&self, x: &Point) -> f64 {
        let (mut value, mut least): (f64, f64) = (0.0, 0.0);
        for Seen { particle, weight } in self.at(x) {
            let pressure = f64::from(self.world.particles.pressure[particle]);
            value += weight * pressure;
            least = least.min(pressure);
        }
        value.max(MAX_SUCTION * least)
    }

    /// v(x) \[m/s\].
    pub fn velocity(&self, x: &Point) -> Point {
        let velocity =
            |particle: usize| Point::from(to_f64(&self.world.particles.velocity[particle]));
        self.at(x).iter().map(|seen| velocity(seen.particle) * seen.weight).sum()
    }
}

/// The mean pressure over a face \[Pa\], and its area \[m²\]. On a body, by its number, the face is
/// where the scene places it.
pub(super) fn over_face(world: &World, face: &Face, body: Option<usize>) -> (f64, f64) {
    let d = f64::from(world.spacing());
    let FacePoints { points, normal, area } = face.sample(world.dimension, d);
    let normal = direction(world, &normal, body);
    // Off a sheet, on the side that the normal points to.
    let lift = normal * (2.0 * ON_SURFACE * d);
    let points: Vec<Point> = points.iter().map(|x| position(world, x, body) + lift).collect();
    let sum = pressures(world, &points).iter().sum::<f64>();
    (sum / points.len() as f64, area)
}

/// The pressures at the points of a face \[Pa\], in pieces that are near each other.
fn pressures(world: &World, points: &[Point]) -> Vec<f64> {
    const PIECE: usize = 64;
    let piece = |points: &[Point]| {
        let around = Surroundings::new(world, points);
        points.iter().map(|x| around.pressure(x)).collect::<Vec<f64>>()
    };
    points.chunks(PIECE).flat_map(piece).collect()
}

/// Where a point of a body, by its number, is at present \[m\].
pub(super) fn position(world: &World, x: &Point, body: Option<usize>) -> Point {
    body.map_or(*x, |body| world.solids.present_position(body, x))
}

fn direction(world: &World, v: &Point, body: Option<usize>) -> Point {
    body.map_or(*v, |body| world.solids.present_direction(body, v))
}

/// Beyond this distance particles do not count \[m\].
fn range(world: &World) -> f64 {
    RANGE * f64::from(world.spacing())
}

/// The image of a particle that is nearest to a point, where the domain repeats itself \[m\].
pub(super) fn nearest_image(world: &World, x: &Vec3, to: &Vec3) -> Vec3 {
    let mut image = *x;
    let length = world.solids.domain.extent();
    for a in (0..3).filter(|&a| world.periodic[a]) {
        image[a] -= length[a] * ((x[a] - to[a]) / length[a]).round();
    }
    image
}
