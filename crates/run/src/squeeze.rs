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

/// Whether particle `i` is pinched between a free body and another solid or a wall, which both are
/// nearer to it than two spacings: the last layer of fluid between two that come together. How far
/// it is compressed then says nothing of the fluid, and what it does to the body is bounded.
pub fn is_pinched(world: &World, i: usize) -> bool {
    if world.free_bodies.is_empty() {
        return false;
    }
    let (solids, reach) = (&world.solids, 2.0 * world.spacing());
    let x = &world.particles.position[i];
    let is_free = |body: usize| world.free_bodies.iter().any(|free| free.body == body);
    let near = |object: u32| solids.distance(&[object], x) < reach;
    let mut bodies: Vec<usize> = (0..solids.object_count() as u32)
        .map(|object| (object, solids.surface_of(object).body()))
        .filter_map(|(object, body)| near(object).then_some(body))
        .collect();
    bodies.sort_unstable();
    bodies.dedup();
    let (low, high) = (&solids.domain.min, &solids.domain.max);
    let is_at_wall =
        (0..3).any(|a| !solids.open[a] && (x[a] - low[a] < reach || high[a] - x[a] < reach));
    bodies.iter().any(|&body| is_free(body)) && (is_at_wall || bodies.len() > 1)
}
