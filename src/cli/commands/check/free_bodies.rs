//! The bodies of a scene that the fluid moves: mass, density, and how they float.

use super::line::{Line, Subject};
use hashfall_core::units;
use hashfall_scene::{Floating, FreeBodyReport, densest};
use hashfall_sph::world::World;

/// The most bodies with a line of their own.
const MAX_LISTED: usize = 12;

/// A metacentre nearer to the centre of mass than this share of the draught is in it \[–\].
const NEUTRAL: f64 = 1e-3;

/// Convex parts that hold more than this beyond their body are worth a word \[–\].
const VISIBLE_EXCESS: f64 = 1e-3;

pub fn free_bodies(subject: &Subject) -> Vec<Line> {
    let bodies = &subject.scene.free_bodies;
    if bodies.is_empty() {
        return Vec::new();
    }
    let mass: f64 = bodies.iter().map(|body| body.mass).sum();
    let count = units::count(bodies.len() as u64, "solid");
    let total = format!("{count} in free motion, {} kg", units::three_figures(mass));
    let mut lines = vec![Line::new("free bodies", total)];
    // The balls of a field in one line.
    let first = |k: &usize| bodies[..*k].iter().all(|other| other.solid != bodies[*k].solid);
    let solids: Vec<usize> = (0..bodies.len()).filter(first).collect();
    let listed = solids.iter().take(MAX_LISTED);
    lines.extend(listed.map(|&k| Line::more(describe(&subject.scene.world, bodies, k))));
    if solids.len() > MAX_LISTED {
        lines.push(Line::more(format!("and {} more", solids.len() - MAX_LISTED)));
    }
    lines
}

/// A body in a line, or all balls of a field.
fn describe(world: &World, bodies: &[FreeBodyReport], first: usize) -> String {
    let figures = units::three_figures;
    let body = &bodies[first];
    let of_solid: Vec<&FreeBodyReport> =
        bodies.iter().filter(|it| it.solid == body.solid).collect();
    let mass: f64 = of_solid.iter().map(|it| it.mass).sum();
    let mut parts = vec![format!("{}: {} kg", body.solid, figures(mass))];
    if of_solid.len() > 1 {
        parts.push(format!("{} balls", of_solid.len()));
    }
    let densities = || of_solid.iter().map(|it| it.density);
    let [low, high] = [densities().fold(f64::MAX, f64::min), densities().fold(0.0, f64::max)];
    let [low, high] = [low, high].map(figures);
    parts.push(if low == high {
        format!("{low} kg/m³")
    } else {
        format!("{low} to {high} kg/m³")
    });
    if of_solid.len() == 1 || low == high {
        parts.extend(flotation(world, body, of_solid.len() > 1));
    }
    if body.volume_error > VISIBLE_EXCESS {
        let excess = figures(100.0 * body.volume_error);
        parts.push(format!("touches as {} convex parts, {excess} % too large", body.parts));
    }
    parts.join(", ")
}

/// Whether it floats; `None` without weight or fluid.
fn flotation(world: &World, body: &FreeBodyReport, is_field: bool) -> Option<String> {
    let floating = if is_field { None } else { body.floating(world) };
    if let Some(Floating { draught, metacentric_height }) = floating {
        let figures = units::three_figures;
        let draught_text = format!("floats with a draught of {} m", figures(draught));
        let height = figures(metacentric_height.abs());
        return Some(if metacentric_height.abs() <= NEUTRAL * draught {
            format!("{draught_text}, however it is turned")
        } else if metacentric_height > 0.0 {
            format!("{draught_text}, stable as placed (metacentric height {height} m)")
        } else {
            format!("{draught_text} until it tips over (metacentric height -{height} m)")
        });
    }
    let has_weight = world.gravity.iter().any(|g| *g != 0.0);
    let densest = densest(world);
    if !has_weight || densest == 0.0 {
        return None;
    }
    if body.density == densest {
        return Some("hovers".to_owned());
    }
    if body.density < densest {
        return Some("floats".to_owned());
    }
    let is_vessel = body.may_float_dry(world);
    Some(if is_vessel { "sinks, but may float while it keeps dry" } else { "sinks" }.to_owned())
}
