//! The solids that squeeze a particle, or a body that moves freely.

use hashfall_core::format_significant;
use hashfall_rigid::{BodyKind, ContactPoint};
use hashfall_sph::world::{RigidContact, World};

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

/// A free body that goes deeper into another solid than this part of its size is crushed: contact
/// leaves no more than a millionth where it can.
const CRUSHED: f64 = 0.1;

/// A message about a free body that is pressed into another solid; `None` if none is.
pub fn crushed_body(world: &World) -> Option<String> {
    let contact = world.rigid.as_ref()?;
    let is_crushed = |point: &&ContactPoint| {
        let size = |body: u32| contact.bodies()[body as usize].shape().size();
        let free = point.bodies.into_iter().filter(|&body| kind(contact, body) == BodyKind::Free);
        point.gap < -CRUSHED * free.map(size).fold(f64::INFINITY, f64::min)
    };
    let point = contact.contacts().map(|(point, _)| point).find(is_crushed)?;
    let [a, b] = point.bodies;
    let (body, other) = if kind(contact, a) == BodyKind::Free { (a, b) } else { (b, a) };
    let [x, y, z] = <[f64; 3]>::from(point.position);
    let presser = presser(contact, body).map_or(String::new(), |presser| {
        format!("; {}, which moves by a law, presses it and gives no way", named(contact, presser))
    });
    Some(format!(
        "{} is pressed {} m deep into {} at ({x:.4}, {y:.4}, {z:.4}){presser}",
        named(contact, body),
        format_significant(-point.gap, 3),
        named(contact, other)
    ))
}

fn kind(contact: &RigidContact, body: u32) -> BodyKind {
    contact.bodies()[body as usize].kind()
}

/// The solid that moves by a law and touches a body with the largest force.
fn presser(contact: &RigidContact, body: u32) -> Option<u32> {
    let touching = contact.contacts().filter_map(|(point, force)| {
        let [a, b] = point.bodies;
        let other = if a == body { b } else { a };
        let presses = point.bodies.contains(&body) && kind(contact, other) == BodyKind::Prescribed;
        presses.then(|| (other, force.norm()))
    });
    touching.max_by(|a, b| a.1.total_cmp(&b.1)).map(|(other, _)| other)
}

fn named(contact: &RigidContact, body: u32) -> String {
    match contact.owners()[body as usize].checked_sub(1) {
        None => "the walls".to_owned(),
        Some(solid) => format!("`solids[{solid}]`"),
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
