//! What was asked for of each shape of fluid, and what it was given.

use crate::layout::filled_shape::FilledShape;
use crate::model::{FluidShape, Model};
use crate::prepared::ShapeReport;
use crate::problem::Problem;
use hashfall_core::{Dimension, format_significant};
use hashfall_fill::region::particle_volume;

/// A report on each shape, by how many particles were removed at solids.
pub fn shape_reports(model: &Model, shapes: &[FilledShape], removed: &[usize]) -> Vec<ShapeReport> {
    let particle = particle_volume(model.dimensions, 2.0 * model.particle_radius());
    let report = |(shape, &removed): (&FilledShape, &usize)| {
        let filling = &shape.filling;
        let has_volume = shape.region.is_some() && !shape.shape.start().replaces;
        let replaced = shape.laid.saturating_sub(shape.points.len());
        let particles = shape.points.len() - removed;
        let level = match shape.shape {
            FluidShape::Fill(_) => Some(shape.bounds[1][2]),
            _ => None,
        };
        ShapeReport {
            key: shape.path.clone(),
            name: shape.shape.name(),
            requested: has_volume.then_some(filling.volume),
            given: particles as f64 * particle,
            cut: filling.cut,
            tolerance: filling.tolerance,
            particles,
            removed,
            replaced: if has_volume { replaced } else { 0 },
            is_packed: filling.is_packed,
            level,
        }
    };
    shapes.iter().zip(removed).map(report).collect()
}

/// Warnings of shapes that are given another volume than they ask for, by more than half a layer.
pub fn volume_lints(model: &Model, shapes: &[ShapeReport]) -> Vec<Problem> {
    let particle = particle_volume(model.dimensions, 2.0 * model.particle_radius());
    let unit = if model.dimensions == Dimension::Two { "m²" } else { "m³" };
    let lint = |shape: &ShapeReport| {
        let requested = shape.requested?;
        // What others took over is told at these.
        let given = shape.given + shape.replaced as f64 * particle;
        let differs = (given - requested).abs() > shape.tolerance.max(particle);
        differs.then(|| {
            let percent = 100.0 * (given / requested - 1.0);
            let [given, requested] = [given, requested].map(|volume| format_significant(volume, 4));
            let message = format!(
                "this shape holds {given} {unit} instead of {requested} {unit} ({percent:+.1} %): \
                 it differs by more than half a layer of particles"
            );
            let help = "a smaller `particle_radius`, or more room between the solids";
            Problem::warning(&shape.key, message, help).also_at("particle_radius")
        })
    };
    shapes.iter().filter_map(lint).collect()
}

/// Warnings of vessels that are full below the level that is asked for.
pub fn level_lints(model: &Model, shapes: &[FilledShape]) -> Vec<Problem> {
    let d = 2.0 * model.particle_radius();
    let lint = |shape: &FilledShape| {
        let FluidShape::Fill(fill) = shape.shape else { return None };
        let (level, top) = (fill.level?, shape.bounds[1][2]);
        (top + d < level).then(|| {
            let [level, top] = [level, top].map(|z| format_significant(z, 4));
            let message = format!(
                "the level {level} m is not reached: the vessel is closed above and full at {top} m"
            );
            let help = format!("a level of at most {top} m, or a place in another vessel");
            let from = format!("{}.from", shape.path);
            Problem::warning(format!("{}.level", shape.path), message, &help).also_at(from)
        })
    };
    shapes.iter().filter_map(lint).collect()
}
