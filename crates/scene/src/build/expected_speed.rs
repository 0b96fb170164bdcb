//! The expected maximum speed, and the default speed of sound: 10 v_max (Becker & Teschner 2007,
//! §3), which keeps density variations within about 1 % in smooth flow (impacts exceed it).
//!
//! v_max² = v₀² + 2 ΔΦ + σ/(ρ₀R). v₀ is the maximum of the initial speeds, the inflow speeds, the
//! speeds of surfaces with a velocity, and the speeds of moving solids over the whole run. ΔΦ is
//! the potential of the body forces at the highest fluid or opening above that at the lowest point
//! of the domain; with gravity alone it is |g| times a height. A table of accelerations counts as
//! if each of its entries lasted for ever, and the maximum ΔΦ is taken: ΔΦ is convex in the
//! acceleration, so that it is not larger in between. σ is the largest surface tension, and R is
//! five spacings (after Morris 2000, eq. 12). A frame that moves counts with the largest change of
//! its own speed, and with the forces in it at [`FRAME_LOOKS`] times.
//!
//! Symbols: v speed \[m/s\], Φ potential per mass \[m²/s²\].

use crate::layout::body_motion;
use crate::layout::filled_shape::FilledShape;
use crate::layout::opening;
use crate::model::{Domain, Model};
use crate::problem::Problem;
use hashfall_sph::world::{BodyField, BodyForce};

/// Ten times the largest speed to expect, among `bodies` that are so fast at the most \[m/s\].
///
/// # Errors
/// If nothing moves the fluid, so that there is no speed to go by.
pub fn sound_speed(model: &Model, shapes: &[FilledShape], bodies: f64) -> Result<f64, Problem> {
    let v_max = largest_speed(model, shapes, bodies);
    if v_max > 0.0 {
        return Ok(10.0 * v_max);
    }
    let message =
        "no speed of sound can be derived: nothing moves the fluid, neither a force nor a velocity";
    let help = "give one: solver: Wcsph(sound_speed: 10.0), in m/s";
    Err(Problem::error("solver", message, help).also_at("gravity"))
}

/// Times of a run at which the force in a moving frame is looked at; a prime.
const FRAME_LOOKS: u32 = 97;

/// The largest speed to expect among bodies of this speed \[m/s\].
pub fn largest_speed(model: &Model, shapes: &[FilledShape], bodies: f64) -> f64 {
    let tables = model.forces.iter().filter_map(BodyForce::table);
    let times = tables.flatten().map(|(time, _)| time.max(0.0)).chain([0.0]);
    let frame = body_motion::to_motion(&model.reference_frame);
    let end = body_motion::run_end(model);
    let looks = if frame.is_some() { FRAME_LOOKS } else { 0 };
    let times = times.chain((1..=looks).map(|k| end * f64::from(k) / f64::from(FRAME_LOOKS)));
    let field_at = |time| match &frame {
        None => BodyField::new(model.gravity, &model.forces, time),
        Some(frame) => BodyField::in_frame(model.gravity, &model.forces, frame, time),
    };
    let drop = times.map(|time| drop(&field_at(time), model, shapes)).fold(0.0, f64::max);
    let surfaces = model.contacts().into_iter().map(|contact| squared(contact.velocity));
    let starts = shapes.iter().map(|filled_shape| filled_shape.max_speed_squared);
    let emitted = model.emitters.iter().map(|emitter| emitter.speed * emitter.speed);
    let others = surfaces.chain(emitted).chain([bodies * bodies]);
    let max_speed_squared = starts.chain(others).fold(0.0, f64::max);
    (max_speed_squared + 2.0 * drop + capillary(model)).sqrt()
}

/// The most bent surface that is resolved, in spacings.
const MIN_CURVATURE_RADIUS: f64 = 5.0;

/// σ/(ρ₀R): the square of the speed that a surface of so small a radius R gives, the largest of
/// all \[m²/s²\].
fn capillary(model: &Model) -> f64 {
    let radius = MIN_CURVATURE_RADIUS * 2.0 * model.particle_radius();
    let free = model.fluids.iter().map(|fluid| fluid.surface_tension / fluid.rest_density);
    let density = |name: &str| model.fluids.iter().find(|f| f.name == name).map(|f| f.rest_density);
    let between = model.interfaces.iter().filter_map(|interface| {
        let (a, b) = &interface.between;
        Some(interface.tension / (0.5 * (density(a)? + density(b)?)))
    });
    free.chain(between).fold(0.0, f64::max) / radius
}

fn squared(v: [f64; 3]) -> f64 {
    v.iter().map(|x| x * x).sum()
}

/// ΔΦ \[m²/s²\].
fn drop(field: &BodyField, model: &Model, shapes: &[FilledShape]) -> f64 {
    let Domain::Box { min, max, .. } = model.domain;
    let lowest = field.potential(&lowest_place(field, &min, &max));
    let places = shapes.iter().flat_map(|filled_shape| corners(filled_shape.bounds));
    let openings = model.emitters.iter().map(|emitter| opening::middle(&emitter.from, &max));
    let places = places.chain(openings);
    // The potential is convex, so it is largest at corners.
    places.map(|x| field.potential(&x)).fold(lowest, f64::max) - lowest
}

/// Where the potential is least in a box: a sum of one function for each axis.
fn lowest_place(field: &BodyField, min: &[f64; 3], max: &[f64; 3]) -> [f64; 3] {
    [0, 1, 2].map(|a| match field.uniform[a] {
        pull if field.stiffness > 0.0 => {
            (field.centre[a] + pull / field.stiffness).clamp(min[a], max[a])
        }
        pull if pull > 0.0 => max[a],
        _ => min[a],
    })
}

fn corners([min, max]: [[f64; 3]; 2]) -> [[f64; 3]; 8] {
    std::array::from_fn(|i| std::array::from_fn(|a| if i >> a & 1 == 0 { min[a] } else { max[a] }))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIN: [f64; 3] = [-1.0, 0.0, 0.5];
    const MAX: [f64; 3] = [1.0, 2.0, 1.0];

    #[test]
    fn no_place_of_the_domain_lies_lower_than_the_lowest() {
        let central = |stiffness| BodyForce::Central { centre: [0.25, 3.0, -2.0], stiffness };
        for (gravity, stiffness) in [
            ([0.0, 0.0, -9.81], 0.0),
            ([3.0, -2.0, 1.0], 0.0),
            ([0.0; 3], 5.0),
            ([0.0, 0.0, -9.81], 2.0),
            ([4.0, 0.5, 9.0], 1e-9),
        ] {
            let field = BodyField::new(gravity, &[central(stiffness)], 0.0);
            let least = field.potential(&lowest_place(&field, &MIN, &MAX));
            for n in 0..11 * 11 * 11 {
                let parts = [n % 11, n / 11 % 11, n / 121].map(|k| f64::from(k) / 10.0);
                let x = [0, 1, 2].map(|a| MIN[a] + parts[a] * (MAX[a] - MIN[a]));
                assert!(field.potential(&x) >= least - 1e-9, "{field:?} {x:?}");
            }
        }
    }
}
