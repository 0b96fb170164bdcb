//! The exact solids of a scene: spheres, solids of revolution, boxes and meshes, each with its
//! contact and its motion.

use super::free_bodies::FreeMass;
use crate::layout::body_entries::BodyEntry;
use crate::layout::body_motion;
use crate::layout::round_solid::round_solid;
use crate::lints::Bounds;
use crate::model::{BoxModel, Domain, Inside, Model, SolidModel};
use hashfall_core::{Dimension, to_f64, to_real, vec3};
use hashfall_fill::sphere_field::Ball;
use hashfall_geometry::shape::box_mesh;
use hashfall_geometry::{Aabb, TriangleMesh};
use hashfall_solid::{BodySpec, KinematicLaw, Solids, Sphere};
use std::sync::Arc;

/// All solids, with the balls of each entry, the meshes that came from files and the masses of
/// those that move freely; `others` may have the same meshes, of which what they have found is
/// then shared.
pub fn solids(
    model: &Model,
    balls: &[Vec<Ball>],
    from_files: Vec<Arc<TriangleMesh>>,
    others: Option<&Solids>,
    entries: &[BodyEntry],
    masses: &[Option<FreeMass>],
) -> Solids {
    let Domain::Box { min, max, periodic, contact, sides } = model.domain;
    let in_the_plane = [false, model.dimensions == Dimension::Two, false];
    let open = std::array::from_fn(|a| periodic[a] || in_the_plane[a]);
    let mut from_files = from_files.into_iter();
    let (mut meshes, mut obstacles, mut hollow) = (Vec::new(), Vec::new(), Vec::new());
    let mut rounds = Vec::new();
    for (solid, entry) in model.solids.iter().zip(entries) {
        let first = meshes.len();
        meshes.extend(match solid {
            SolidModel::SphereField(_) | SolidModel::Ball(_) => None,
            SolidModel::Cylinder(_) | SolidModel::Capsule(_) | SolidModel::Cone(_) => None,
            SolidModel::Box(solid) => Some(Arc::new(box_mesh(&space_of(solid, model)))),
            SolidModel::Mesh(_) | SolidModel::Polygon(_) => from_files.next(),
        });
        let is_hollow = matches!(solid, SolidModel::Mesh(mesh) if mesh.inside == Inside::Hollow);
        hollow.resize(meshes.len(), is_hollow);
        let round = round_solid(solid).filter(|_| model.dimensions == Dimension::Three);
        rounds.extend(round);
        obstacles.push(BodySpec {
            spheres: entry.balls(balls).len(),
            rounds: round.iter().len(),
            meshes: meshes.len() - first,
            contact: solid.contact(),
        });
    }
    // One that is free moves as its velocity is set, about its centre of mass.
    let law = |(entry, mass): (&BodyEntry, &Option<FreeMass>)| match mass {
        Some(mass) => Some(KinematicLaw::driven(mass.properties.center.into())),
        None => body_motion::to_motion(model.solids[entry.solid].motion()),
    };
    let further = &entries[model.solids.len()..];
    obstacles.extend(further.iter().map(|entry| BodySpec {
        spheres: 1,
        rounds: 0,
        meshes: 0,
        contact: model.solids[entry.solid].contact(),
    }));
    let sphere = |b: &Ball| Sphere { centre: vec3(b.centre), radius: to_real(b.radius) };
    let spheres = entries.iter().flat_map(|entry| entry.balls(balls)).map(sphere).collect();
    let domain = Aabb::new(vec3(min), vec3(max));
    let solids = match others {
        Some(others) => Solids::new_beside(others, domain, spheres, meshes),
        None => Solids::from_shared(domain, spheres, meshes),
    };
    solids
        .with_rounds(rounds)
        .with_open_axes(open)
        .with_walls(sides.all().map(|(_, side)| side.unwrap_or(contact)))
        .with_bodies(&obstacles)
        .with_hollow(hollow)
        .with_kinematic_laws(entries.iter().zip(masses).map(law).collect())
}

/// The boxes around the solids that are meshes or solids of revolution.
pub fn bounds(model: &Model, solids: &Solids) -> Vec<Option<Bounds>> {
    let mut meshes = solids.meshes().iter();
    let mut rounds = solids.rounds().iter();
    let mut bounds = |solid: &SolidModel| match solid {
        SolidModel::SphereField(_) | SolidModel::Ball(_) => None,
        SolidModel::Cylinder(_) | SolidModel::Capsule(_) | SolidModel::Cone(_) => {
            rounds.next().map(|round| round.bounds().map(<[f64; 3]>::from).into())
        }
        SolidModel::Box(_) | SolidModel::Mesh(_) | SolidModel::Polygon(_) => {
            meshes.next().map(|mesh| (to_f64(&mesh.bounds().min), to_f64(&mesh.bounds().max)))
        }
    };
    model.solids.iter().map(&mut bounds).collect()
}

/// Where a solid box is.
fn space_of(solid: &BoxModel, model: &Model) -> Aabb {
    let is_plane = model.dimensions == Dimension::Two;
    let beyond = if is_plane { model.depth_beyond_plane() } else { 0.0 };
    let ([x, y, z], [u, v, w]) = (solid.min, solid.max);
    Aabb::new(vec3([x, y - beyond, z]), vec3([u, v + beyond, w]))
}
