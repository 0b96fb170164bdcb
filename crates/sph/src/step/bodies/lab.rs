//! Scenes for tests of free bodies in contact.

use crate::step::stepper::Stepper;
use crate::world::{Dfsph, Fluid, FreeBody, RigidContact, Solver, World, WorldBuilder};
use hashfall_core::Real;
use hashfall_geometry::{Aabb, shape::box_mesh};
use hashfall_rigid::{Amount, Material, RigidSettings, Shape, cuboid_mass};
use hashfall_search::Structures;
use hashfall_solid::{BodyState, KinematicLaw};
use nalgebra::Vector3;

/// Of all bodies here.
pub const ROUGH: Material = Material { friction: 0.8, restitution: 0.0 };

/// A box: its centre, half its extents \[m\], and its density \[kg/m³\]; fixed if it is zero.
pub type Cuboid = ([f64; 3], [f64; 3], f64);

/// A tank of water without a lid, in which these boxes are.
pub fn tank(d: f64, extent: [f64; 3], depth: f64, boxes: &[Cuboid]) -> World {
    let mut builder = filled(d, extent, depth, dfsph());
    for (centre, half, _) in boxes {
        builder = builder.mesh(mesh(*centre, *half));
    }
    freed(builder.build().unwrap(), boxes)
}

/// Water in a box without a lid of this extent \[m\], filled up to `depth`.
pub fn filled(d: f64, extent: [f64; 3], depth: f64, solver: Solver) -> WorldBuilder {
    let highest = [extent[0], extent[1], depth].map(|x| x as Real);
    water(d, extent, solver).block([0.0; 3], highest)
}

pub fn dfsph() -> Solver {
    Solver::Dfsph(Dfsph::default())
}

pub fn water(d: f64, extent: [f64; 3], solver: Solver) -> WorldBuilder {
    World::builder()
        .solver(solver)
        .spacing(d as Real)
        .domain([0.0; 3], extent.map(|x| x as Real))
        .fluid(Fluid { viscosity: 0.0, ..Fluid::default() })
}

pub fn mesh(centre: [f64; 3], half: [f64; 3]) -> hashfall_geometry::TriangleMesh {
    let corner = |sign: f64| {
        let x: [Real; 3] = std::array::from_fn(|k| (centre[k] + sign * half[k]) as Real);
        x.into()
    };
    box_mesh(&Aabb::new(corner(-1.0), corner(1.0)))
}

/// Lets those boxes of a world go that have a density.
pub fn freed(mut world: World, boxes: &[Cuboid]) -> World {
    let is_free = |it: &&(usize, &Cuboid)| it.1.2 > 0.0;
    let numbered: Vec<_> = boxes.iter().enumerate().collect();
    let law = |it: &Cuboid| (it.2 > 0.0).then(|| KinematicLaw::driven(it.0));
    world.solids = world.solids.with_kinematic_laws(boxes.iter().map(law).collect());
    let mut shapes = Vec::new();
    for (k, (_, half, density)) in numbered.iter().filter(is_free) {
        let half = Vector3::from(*half);
        let mass = cuboid_mass(half, Amount::Density(*density)).unwrap();
        world.free_bodies.push(FreeBody::new(k + 1, mass.mass, mass.inertia));
        shapes.push(Shape::cuboid(half).unwrap());
    }
    with_contact(world, &shapes)
}

pub fn with_contact(world: World, shapes: &[Shape]) -> World {
    with_material(world, shapes, ROUGH)
}

/// The same of bodies with this surface.
pub fn with_material(mut world: World, shapes: &[Shape], material: Material) -> World {
    let materials = vec![material; world.free_bodies.len()];
    let contact = RigidContact::new(&world, shapes, &materials, RigidSettings::default());
    world.rigid = Some(contact.unwrap());
    world.validate().unwrap();
    world
}

pub fn stepper(world: &mut World) -> Stepper {
    Stepper::new(&Structures::default(), world).unwrap()
}

/// Steps of at most `dt` \[s\] to a time.
pub fn run(world: &mut World, stepper: &mut Stepper, dt: f64, until: f64) {
    while world.time < until - 1e-9 {
        let next = until.min(world.time + dt);
        stepper.step(world, next).unwrap();
    }
}

pub fn state(world: &World, body: usize) -> BodyState {
    *world.solids.body_state(body).unwrap()
}

/// RMS differences of velocities and pressures between two worlds, relative.
pub fn differences(a: &World, b: &World) -> [f64; 2] {
    let fields = |world: &World| {
        let order = world.particles.order_by_id();
        let v = order.iter().map(|i| world.particles.velocity[*i as usize].map(f64::from));
        let p = order.iter().map(|i| f64::from(world.particles.pressure[*i as usize]));
        (v.collect::<Vec<_>>(), p.collect::<Vec<_>>())
    };
    let ((v, p), (w, q)) = (fields(a), fields(b));
    let sum = |numbers: &mut dyn Iterator<Item = f64>| numbers.sum::<f64>();
    let of_v = sum(&mut v.iter().zip(&w).map(|(v, w)| (v - w).norm_squared()));
    let of_p = sum(&mut p.iter().zip(&q).map(|(p, q)| (p - q).powi(2)));
    let all_v = sum(&mut w.iter().map(|w| w.norm_squared()));
    let all_p = sum(&mut q.iter().map(|q| q * q));
    [(of_v / all_v).sqrt(), (of_p / all_p).sqrt()]
}
