//! Contact of free bodies with each other and with all other solids.

use crate::layout::body_entries::BodyEntry;
use crate::model::{BodyMotion, FreeMotion, Model};
use crate::problem::Problem;
use hashfall_core::format_significant;
use hashfall_rigid::{Material, RigidSettings, Shape};
use hashfall_sph::world::{
    BodyOverlap, FreeBody, FreeShape, RigidContact, World, WorldError, free_shapes,
};

/// Lets free bodies touch each other and all other solids.
///
/// # Errors
/// Bodies that cannot, and pairs that begin in each other.
pub fn set_contact(
    model: &Model,
    entries: &[BodyEntry],
    world: &mut World,
) -> Result<Vec<FreeShape>, Vec<Problem>> {
    if world.free_bodies.is_empty() {
        return Ok(Vec::new());
    }
    let refuse = |error: WorldError| {
        let (path, problem) = match error {
            WorldError::BodyContact { body, problem } if body > 0 => {
                (path(&entries[body - 1]), problem)
            }
            other => ("solids".to_owned(), other.to_string()),
        };
        let message = format!("this solid cannot move freely: {problem}");
        vec![Problem::error(path, message, "a closed shape that encloses a volume")]
    };
    let shapes = free_shapes(world).map_err(refuse)?;
    let only_shapes: Vec<Shape> = shapes.iter().map(|found| found.shape.clone()).collect();
    let material = |free: &FreeBody| match model.solids[entries[free.body - 1].solid].motion() {
        BodyMotion::Free(FreeMotion { friction, restitution, .. }) => {
            Material { friction: *friction, restitution: *restitution }
        }
        _ => Material::default(),
    };
    let materials: Vec<Material> = world.free_bodies.iter().map(material).collect();
    let settings = RigidSettings { broad_phase: model.broad_phase, ..RigidSettings::default() };
    let contact = RigidContact::new(world, &only_shapes, &materials, settings).map_err(refuse)?;
    let overlaps = contact.overlaps(world);
    world.rigid = Some(contact);
    if overlaps.is_empty() {
        return Ok(shapes);
    }
    Err(overlaps.iter().map(|it| overlap(model, entries, it)).collect())
}

/// Says which bodies begin in each other.
fn overlap(model: &Model, entries: &[BodyEntry], overlap: &BodyOverlap) -> Problem {
    let BodyOverlap { bodies: [a, b], depth } = *overlap;
    let depth = format_significant(depth, 3);
    let later = &entries[a.max(b) - 1];
    let help = "free bodies begin outside each other, of walls and of other solids";
    let name = later.name(model);
    if a.min(b) == 0 {
        let message = format!("{name} begins {depth} m deep in a wall of the domain");
        return Problem::error(path(later), message, help).also_at("domain");
    }
    let earlier = &entries[a.min(b) - 1];
    let message = format!("{name} begins {depth} m deep in {}", earlier.name(model));
    Problem::error(path(later), message, help).also_at(path(earlier))
}

/// Where the scene says a body.
fn path(entry: &BodyEntry) -> String {
    format!("solids[{}]", entry.solid)
}
