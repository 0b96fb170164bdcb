//! Houdini's classic geometry: byte by byte for one particle, and read back for many.

use super::blob;
use hashfall_core::{Real, Values, Vec3};
use hashfall_input::{AttributeFilter, Format, read};
use hashfall_output::bgeo;
use hashfall_sph::world::Particles;

/// The definition of an attribute of so many numbers of a type.
fn defined(name: &str, size: u16, kind: u32) -> Vec<u8> {
    let mut bytes = (name.len() as u16).to_be_bytes().to_vec();
    bytes.extend(name.bytes());
    bytes.extend(size.to_be_bytes());
    bytes.extend(kind.to_be_bytes());
    bytes.extend(vec![0; 4 * usize::from(size)]);
    bytes
}

#[test]
fn the_bytes_are_those_of_the_format() {
    let mut particles = Particles::default();
    particles.push(Vec3::new(0.5, -2.0, 3.0), Vec3::new(1.0, 0.25, -1.0), 2, 998.0);
    particles.pressure[0] = 40.0;
    let floats = |all: &[f32]| all.iter().flat_map(|x| x.to_be_bytes()).collect::<Vec<u8>>();
    let whole = |all: &[u32]| all.iter().flat_map(|x| x.to_be_bytes()).collect::<Vec<u8>>();
    let expected = [
        b"BgeoV".to_vec(),
        // Version, points, primitives, groups of both, attributes of points, vertices, primitives
        // and of the whole.
        whole(&[5, 1, 0, 0, 0, 6, 0, 0, 0]),
        defined("v", 3, 5),
        defined("density", 1, 0),
        defined("pressure", 1, 0),
        defined("id", 1, 1),
        defined("phase", 1, 1),
        defined("pscale", 1, 0),
        floats(&[0.5, -2.0, 3.0, 1.0, 1.0, 0.25, -1.0, 998.0, 40.0]),
        whole(&[0, 2]),
        floats(&[0.025]),
        vec![0x00, 0xff],
    ];
    assert_eq!(bgeo::particles(&particles, 0.025), expected.concat());
}

#[test]
fn particles_are_read_back_in_order_of_id() {
    let world = blob::world(1);
    let bytes = bgeo::particles(&world.particles, world.particle_radius);
    let cloud = read(&bytes, Format::Bgeo, &AttributeFilter::All).unwrap();
    let order = world.particles.order_by_id();
    let in_order = || order.iter().map(|&i| i as usize);
    #[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f64")]
    let single = |v: &Vec3| v.map(|x| x as f32 as Real);
    let places: Vec<Vec3> = in_order().map(|i| single(&world.particles.position[i])).collect();
    assert_eq!(cloud.positions, places);
    let found = |name: &str| {
        let attribute = cloud.attributes.iter().find(|it| it.name == name);
        attribute.unwrap_or_else(|| panic!("no {name}")).values.clone()
    };
    assert_eq!(found("id"), Values::Labels((0..places.len() as u32).collect()));
    let speeds: Vec<Vec3> = in_order().map(|i| single(&world.particles.velocity[i])).collect();
    assert_eq!(found("v"), Values::Vectors(speeds.into()));
    let pressures: Vec<Real> = in_order().map(|i| world.particles.pressure[i]).collect();
    assert_eq!(found("pressure"), Values::Scalars(pressures.into()));
    assert!(cloud.unreadable.is_empty() && cloud.attributes.len() == 6);
    let none = bgeo::particles(&Particles::default(), 0.1);
    assert!(read(&none, Format::Bgeo, &AttributeFilter::All).unwrap().positions.is_empty());
}
