//! What is known of free bodies before they move.

use super::free_bodies::FreeMass;
use crate::flotation::FreeBodyReport;
use crate::layout::body_entries::BodyEntry;
use crate::model::Model;
use hashfall_sph::world::{FreeBody, FreeShape, World};
use nalgebra::Vector3;

/// That of each free body, with its shape.
pub fn free_body_reports(
    model: &Model,
    entries: &[BodyEntry],
    masses: &[Option<FreeMass>],
    shapes: &[FreeShape],
    world: &World,
) -> Vec<FreeBodyReport> {
    let report = |(free, shape): (&FreeBody, &FreeShape)| {
        let (entry, mass) = (&entries[free.body - 1], masses[free.body - 1]);
        FreeBodyReport {
            solid: entry.solid_name(model),
            ball: entry.ball,
            body: free.body,
            mass: free.mass,
            density: mass.map_or(f64::NAN, |mass| free.mass / mass.volume),
            center: mass.map_or_else(Vector3::zeros, |mass| mass.properties.center),
            parts: shape.shape.part_count(),
            volume_error: shape.volume_error,
        }
    };
    world.free_bodies.iter().zip(shapes).map(report).collect()
}
