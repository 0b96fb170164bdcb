//! Free bodies that begin in a wall, in another solid or in each other.

use super::contact::RigidContact;
use super::objects::{Object, objects};
use crate::world::World;
use hashfall_core::{Real, to_f64};
use hashfall_geometry::triangle::offset_to_triangle;
use hashfall_geometry::{Interior, Point};
use hashfall_rigid::ContactPoint;
use std::collections::BTreeMap;

/// Bodies overlap that are deeper in each other than this share of the smaller one \[–\].
const MAX_DEPTH: f64 = 1e-3;

/// Two bodies that begin in each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyOverlap {
    /// Their numbers among all bodies of the solids; 0 are the walls.
    pub bodies: [usize; 2],
    /// How deep \[m\].
    pub depth: f64,
}

impl RigidContact {
    /// Free bodies of a world that are in something, the deepest point of each pair.
    pub fn overlaps(&self, world: &World) -> Vec<BodyOverlap> {
        let Ok(mut system) = self.system(&world.solids) else { return Vec::new() };
        let spacing = f64::from(world.spacing());
        // The shortest of steps: contact points of bodies where they are.
        if system.begin_step(f64::MIN_POSITIVE).is_err() {
            return Vec::new();
        }
        let is_deep = |([_, _], depth): &([usize; 2], f64)| *depth > MAX_DEPTH * spacing;
        let mut deepest: BTreeMap<[usize; 2], f64> = enclosures(world).filter(is_deep).collect();
        for (point, _) in system.contacts() {
            if -point.gap > MAX_DEPTH * self.smaller_size(point) {
                let depth = deepest.entry(point.bodies.map(|k| self.owners[k as usize]));
                let depth = depth.or_default();
                *depth = depth.max(-point.gap);
            }
        }
        let overlaps = deepest.into_iter();
        overlaps.map(|(bodies, depth)| BodyOverlap { bodies, depth }).collect()
    }

    /// Of the two bodies of a point \[m\].
    fn smaller_size(&self, point: &ContactPoint) -> f64 {
        let sizes = point.bodies.map(|k| self.bodies[k as usize].shape().size());
        sizes[0].min(sizes[1])
    }
}

/// Free bodies that have a point within the mesh of another solid, with how deep it is \[m\]:
/// contact is with the surfaces of such solids alone, and nothing of a body that is wholly inside
/// meets them.
fn enclosures(world: &World) -> impl Iterator<Item = ([usize; 2], f64)> {
    let solids = &world.solids;
    let is_free = |body: usize| world.free_bodies.iter().any(|free| free.body == body);
    let (free, others): (Vec<_>, Vec<_>) =
        objects(world).into_iter().partition(|(body, _)| is_free(*body));
    let point = |(body, object): &(usize, Object)| {
        let rest = match object {
            Object::Ball { center, .. } => Point::from(*center),
            Object::Round(round) => {
                let [from, to] = round.axis_ends();
                (from + to) * 0.5
            }
            Object::Mesh { mesh, .. } => Point::from(to_f64(&mesh.vertices[0])),
        };
        let (state, pivot) = (solids.body_state(*body)?, solids.rest_position(*body)?);
        Some((*body, state.position + state.orientation.rotate(&(rest - pivot))))
    };
    let points: Vec<(usize, Point)> = free.iter().filter_map(point).collect();
    let mut found = Vec::new();
    for (owner, object) in others {
        let Object::Mesh { number, .. } = object else { continue };
        let mesh = &solids.meshes()[number];
        let bounds = mesh.bounds();
        let is_inside = |it: &&(usize, Point)| bounds.contains(&it.1.map(|x| x as Real));
        let inside: Vec<_> = points.iter().filter(is_inside).collect();
        if inside.is_empty() || solids.is_hollow(number) {
            continue;
        }
        let interior = Interior::new(mesh);
        for (body, point) in inside {
            if !interior.contains(&point.map(|x| x as Real)) {
                continue;
            }
            let distance = |t: usize| {
                let corners = mesh.corners(t).map(|x| Point::from(to_f64(&x)));
                offset_to_triangle(point, &corners).norm()
            };
            let depth = (0..mesh.triangles.len()).map(distance).fold(f64::INFINITY, f64::min);
            found.push(([*body.min(&owner), *body.max(&owner)], depth));
        }
    }
    found.into_iter()
}
