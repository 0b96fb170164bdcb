//! What each shape of fluid asks for, what it is given, and why the two differ.

use super::line::{Line, Subject};
use hashfall_core::{Dimension, format_significant, units};
use hashfall_scene::ShapeReport;

/// The shapes that are listed one by one.
const MAX_SHAPES: usize = 20;

pub fn shapes(subject: &Subject) -> Vec<Line> {
    let (shapes, dimension) = (&subject.scene.shapes, subject.scene.world.dimension);
    let fillings = shapes.iter().take(MAX_SHAPES).map(|shape| filling(dimension, shape));
    let mut lines = Line::list("shapes", fillings);
    if shapes.len() > MAX_SHAPES {
        lines.push(Line::more(format!("and {} more", shapes.len() - MAX_SHAPES)));
    }
    lines
}

/// A shape on one line.
fn filling(dimension: Dimension, shape: &ShapeReport) -> String {
    let volume = |volume: f64| match dimension {
        Dimension::Two => format!("{} m²", format_significant(volume, 4)),
        Dimension::Three if volume < 1.0 => format!("{} l", format_significant(1e3 * volume, 4)),
        Dimension::Three => format!("{} m³", format_significant(volume, 4)),
    };
    let given = volume(shape.given);
    let mut parts = match shape.requested {
        None => vec![format!("given {given}")],
        Some(requested) => {
            let percent = 100.0 * (shape.given / requested - 1.0);
            // No sign before a zero.
            let percent = if percent.abs() < 0.05 { 0.0 } else { percent };
            vec![format!("asked {}, given {given} ({percent:+.1} %)", volume(requested))]
        }
    };
    if let Some(level) = shape.level {
        parts.push(format!("level {} m", format_significant(level, 4)));
    }
    if shape.requested.is_some() {
        parts.push(if shape.is_packed { "packed" } else { "on a lattice" }.to_owned());
    }
    if shape.cut > 0.0 {
        parts.push(format!("{} in solids or outside the domain left out", volume(shape.cut)));
    }
    if shape.removed > 0 {
        let removed = units::count(shape.removed as u64, "particle");
        parts.push(format!("{removed} removed at solids"));
    }
    if shape.replaced > 0 {
        let replaced = units::count(shape.replaced as u64, "particle");
        parts.push(format!("{replaced} taken over by other shapes"));
    }
    format!("{} {}: {}", shape.key, shape.name, parts.join(", "))
}
