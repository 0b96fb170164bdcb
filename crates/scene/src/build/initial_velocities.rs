//! Refuses initial velocities that no particle can start with: without a value, out of the plane,
//! or too fast to be meant.
//!
//! A velocity is the sum of the shape's own, which is checked where it is read, of a field and of
//! what a file gives. A problem is told of the larger of the last two, at the first particle.

use crate::layout::filled_shape::FilledShape;
use crate::model::{FluidShape, Model, VelocityField};
use crate::problem::Problem;
use hashfall_core::{Dimension, format_significant};
use std::collections::BTreeMap;

/// Speeds at the start stay below this \[m/s\].
const MAX_INITIAL_SPEED: f64 = 2e4;

/// What is wrong with a velocity, the worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fault {
    NotFinite,
    OutOfPlane,
    TooFast,
}

impl Fault {
    fn of_velocity(v: &[f64; 3], dimension: Dimension) -> Option<Fault> {
        if !v.iter().all(|c| c.is_finite()) {
            Some(Fault::NotFinite)
        } else if dimension == Dimension::Two && v[1] != 0.0 {
            Some(Fault::OutOfPlane)
        } else {
            (speed(v) > MAX_INITIAL_SPEED).then_some(Fault::TooFast)
        }
    }
}

/// Particles with one fault.
struct Faulty {
    count: usize,
    /// The number of the first among the places of its shape, and where it lies \[m\].
    first: (usize, [f64; 3]),
}

/// The worst problem of the velocities of a shape at these places \[m\], each with its number among
/// those of the shape.
pub fn velocity_problem(
    model: &Model,
    shape: &FilledShape,
    places: impl Iterator<Item = (usize, [f64; 3])>,
) -> Option<Problem> {
    let mut faults: BTreeMap<Fault, Faulty> = BTreeMap::new();
    let mut all = 0;
    for (k, x) in places {
        let v = shape.velocity(k, &x, -model.gravity[2]);
        if let Some(fault) = Fault::of_velocity(&v, model.dimensions) {
            faults.entry(fault).or_insert(Faulty { count: 0, first: (k, x) }).count += 1;
        }
        all += 1;
    }
    let (fault, Faulty { count, first: (k, x) }) = faults.pop_first()?;
    let v = shape.velocity(k, &x, -model.gravity[2]);
    let what = match fault {
        Fault::NotFinite => "the initial velocity has no finite value".to_owned(),
        Fault::OutOfPlane => {
            let along_y = format_significant(v[1], 4);
            format!("the initial velocity of {along_y} m/s along y leaves the plane")
        }
        Fault::TooFast => {
            format!("the initial speed of {:.3e} m/s exceeds the limit", speed(&v))
        }
    };
    let at = format!("({:.4}, {:.4}, {:.4})", x[0], x[1], x[2]);
    let first = file_and_number(shape, k).map_or_else(
        || at.clone(),
        |(file, number)| format!("particle {number} of `{file}` at {at}"),
    );
    let message = format!("{what} at {count} of {all} particles; first: {first}");
    let (key, help) = key_and_help(shape, fault, k, &x, -model.gravity[2]);
    let problem = Problem::error(format!("{}.{key}", shape.path), message, &help);
    Some(match fault {
        Fault::OutOfPlane => problem.also_at("dimensions"),
        Fault::NotFinite | Fault::TooFast => problem,
    })
}

/// The file of a given particle, and its number there.
fn file_and_number<'a>(shape: &FilledShape<'a>, k: usize) -> Option<(&'a str, usize)> {
    let FluidShape::Particles(particles) = shape.shape else { return None };
    let number = shape.given(k, |given| &given.numbers)?;
    Some((&particles.path, *number))
}

/// The key that a fault at the place of particle `k` comes from, under gravity `g` \[m/s²\], and
/// what helps.
fn key_and_help(
    shape: &FilledShape,
    fault: Fault,
    k: usize,
    x: &[f64; 3],
    g: f64,
) -> (&'static str, String) {
    let added = shape.field.velocity(x, g);
    let given = shape.given(k, |given| &given.velocities).copied().unwrap_or([0.0; 3]);
    let is_formula = matches!(shape.shape.start().initial_velocity, VelocityField::Formula { .. });
    match fault {
        Fault::NotFinite => {
            let help = "formulas with a value at each place, such as max(x, 0.01) for x";
            ("initial_velocity", help.to_owned())
        }
        Fault::OutOfPlane if given[1].abs() > added[1].abs() => {
            let help = "dimensions: Three, or a `rotate` that turns the velocities into the plane";
            ("path", help.to_owned())
        }
        Fault::OutOfPlane if is_formula => ("initial_velocity.y", "\"0\" along y".to_owned()),
        Fault::OutOfPlane => ("initial_velocity", "no velocity along y".to_owned()),
        Fault::TooFast => {
            let help = format!("speeds up to {MAX_INITIAL_SPEED:e} m/s");
            match speed(&given) > speed(&added) {
                true => ("path", help + "; check `scale`, and the unit of the file"),
                false => ("initial_velocity", help),
            }
        }
    }
}

/// The length of a velocity, also if its square is beyond all numbers.
fn speed(v: &[f64; 3]) -> f64 {
    let largest = v.iter().fold(0.0, |largest: f64, c| largest.max(c.abs()));
    if largest == 0.0 {
        return 0.0;
    }
    largest * v.iter().map(|c| (c / largest) * (c / largest)).sum::<f64>().sqrt()
}
