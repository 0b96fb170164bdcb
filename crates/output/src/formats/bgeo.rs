//! Particles as Houdini's classic geometry, `.bgeo` version 5: SPlisHSPlasH, Partio and splashsurf
//! read it.
//!
//! Source: the HDK's "Geometry File Formats" (SideFX), and Partio's reader for what it leaves open.
//! All numbers are big-endian and of 32 bits. A head of counts is followed by the definitions of
//! the points' attributes, then by the points, `x y z w` and the attributes in their order, and by
//! an end. There are no primitives, as Partio writes none. Attributes have the names that Houdini
//! knows: `v`, `pscale`.

use hashfall_core::{Real, Vec3};
use hashfall_sph::world::Particles;

const VERSION: u32 = 5;
/// Types of attributes.
const FLOAT: u32 = 0;
const INTEGER: u32 = 1;
const VECTOR: u32 = 5;
/// The last bytes of a file.
const END: [u8; 2] = [0x00, 0xff];

/// The particles in order of id: position \[m\], `v` \[m/s\], `density` \[kg/m³\], `pressure`
/// \[Pa\], `id`, `phase` (which fluid) and `pscale`, the particle radius \[m\].
pub fn particles(particles: &Particles, radius: Real) -> Vec<u8> {
    let order = particles.order_by_id();
    let mut file = Bgeo(Vec::with_capacity(256 + order.len() * 48));
    file.0.extend(b"BgeoV");
    file.number(VERSION);
    // Points, primitives, groups of points and of primitives, attributes of points, vertices,
    // primitives and of the whole.
    for count in [order.len() as u32, 0, 0, 0, 6, 0, 0, 0] {
        file.number(count);
    }
    file.attribute("v", VECTOR, 3);
    file.attribute("density", FLOAT, 1);
    file.attribute("pressure", FLOAT, 1);
    file.attribute("id", INTEGER, 1);
    file.attribute("phase", INTEGER, 1);
    file.attribute("pscale", FLOAT, 1);
    for i in order.iter().map(|&i| i as usize) {
        file.vector(&particles.position[i]);
        file.real(1.0);
        file.vector(&particles.velocity[i]);
        file.real(particles.density[i]);
        file.real(particles.pressure[i]);
        file.number(particles.id[i]);
        file.number(u32::from(particles.phase[i]));
        file.real(radius);
    }
    file.0.extend(END);
    file.0
}

/// The bytes of a file so far.
struct Bgeo(Vec<u8>);

impl Bgeo {
    fn number(&mut self, number: u32) {
        self.0.extend(number.to_be_bytes());
    }

    fn short(&mut self, number: u16) {
        self.0.extend(number.to_be_bytes());
    }

    #[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f64")]
    fn real(&mut self, x: Real) {
        self.0.extend((x as f32).to_be_bytes());
    }

    fn vector(&mut self, v: &Vec3) {
        v.iter().for_each(|x| self.real(*x));
    }

    /// The definition of an attribute of this number of numbers, which are zero by default.
    fn attribute(&mut self, name: &str, kind: u32, size: u16) {
        self.short(name.len() as u16);
        self.0.extend(name.bytes());
        self.short(size);
        self.number(kind);
        (0..size).for_each(|_| self.number(0));
    }
}
