//! The solids that squeeze a particle.

use hashfall_sph::world::World;

/// A solid farther from a particle than this has not squeezed it, in spacings.
const NEAR: f64 = 2.0;

/// The number of the moving solid nearest to particle `i` among the `solids` of the scene, with its
/// distance \[m\]; `None` if none moves.
fn nearest(world: &World, i: usize) -> Option<(usize, f64)> {
    let x = world.particles.position[i];
    let distances = world.solids.moving_bodies().map(|(number, alone)| {
        let objects: Vec<u32> = (0..alone.object_count() as u32).collect();
        (number, f64::from(alone.distance(&objects, &x)))
    });
    distances.min_by(|a, b| a.1.total_cmp(&b.1))
}

/// The number of the moving solid nearest to particle `i`.
pub fn nearest_moving_solid(world: &World, i: usize) -> Option<usize> {
    nearest(world, i).map(|(number, _)| number)
}

/// The end of a message about particle `i`: the moving solid that is near it; empty if none is.
pub fn moving_solid_near(world: &World, i: usize) -> String {
    let d = f64::from(world.spacing());
    match nearest(world, i).map(|(number, distance)| (number, distance / d)) {
        Some((number, distance)) if distance < NEAR => {
            format!("; `solids[{number}]`, which moves, is {distance:.2} spacings from it")
        }
        _ => String::new(),
    }
}

/// Whether particle `i` is in a gap narrower than itself, between a body that moves freely and
/// anything else. There its density is that of the solids, and its pressure all that holds them
/// apart: it may be compressed, until it slips out.
pub fn is_pinched(world: &World, i: usize) -> bool {
    let x = world.particles.position[i];
    let d = f64::from(world.spacing());
    world.solids.moving_bodies().any(|(number, alone)| {
        let body = number + 1;
        if !world.free_bodies.iter().any(|free| free.body == body) {
            return false;
        }
        let objects: Vec<u32> = (0..alone.object_count() as u32).collect();
        let to_body = f64::from(alone.distance(&objects, &x));
        let is_other = |&object: &u32| world.solids.surface_of(object).body() != body;
        let others: Vec<u32> = (0..world.solids.object_count() as u32).filter(is_other).collect();
        to_body + f64::from(world.solids.distance(&others, &x)) < d
    })
}
