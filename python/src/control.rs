//! What a program reads of bodies, and what it sets between steps.

use crate::state::State;
use hashfall::core::{Dimension, has_real_square, to_f64, vec3};
use hashfall::geometry::Point;
use hashfall::world::World;
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use std::ops::RangeInclusive;

/// What scenes take: components of gravity up to \[m/s²\], and speeds of emitters \[m/s\].
const MAX_GRAVITY: f64 = 1e6;
const EMITTER_SPEED: RangeInclusive<f64> = 1e-6..=1e4;

/// A body that moves, where it is.
#[pyclass(frozen, get_all, module = "hashfall")]
#[derive(Clone)]
pub struct Body {
    /// Its number: solids count from 1, in the order of the scene.
    number: usize,
    /// Where its centre of mass or its pivot is [m].
    position: [f64; 3],
    /// Unit quaternion of the rotation from its place in the scene: the scalar, then x, y, z.
    orientation: [f64; 4],
    /// [m/s].
    velocity: [f64; 3],
    /// [1/s].
    angular_velocity: [f64; 3],
}

impl Body {
    /// All bodies of a world that move.
    pub fn all(world: &World) -> Vec<Body> {
        let solids = &world.solids;
        let bodies =
            (1..solids.body_count()).filter_map(|body| Some((body, solids.body_state(body)?)));
        bodies
            .map(|(number, state)| Body {
                number,
                position: state.position.into(),
                orientation: state.quaternion(),
                velocity: state.velocity.into(),
                angular_velocity: state.angular_velocity.into(),
            })
            .collect()
    }
}

#[pymethods]
impl Body {
    #[new]
    fn new(
        number: usize,
        position: [f64; 3],
        orientation: [f64; 4],
        velocity: [f64; 3],
        angular_velocity: [f64; 3],
    ) -> Self {
        Body { number, position, orientation, velocity, angular_velocity }
    }

    /// What it is made of, for `pickle` and `copy`.
    fn __getnewargs__(&self) -> (usize, [f64; 3], [f64; 4], [f64; 3], [f64; 3]) {
        let Body { number, position, orientation, velocity, angular_velocity } = *self;
        (number, position, orientation, velocity, angular_velocity)
    }

    fn __repr__(&self) -> String {
        let Body { number, position: [x, y, z], velocity: [u, v, w], .. } = self;
        format!("Body(number={number}, position=({x}, {y}, {z}), velocity=({u}, {v}, {w}))")
    }
}

/// Sets velocity \[m/s\] and angular velocity \[1/s\] of a driven body.
///
/// # Errors
/// If it is not driven, a number is not finite, or the motion leads out of the plane.
pub fn set_velocity(
    state: &mut State,
    body: usize,
    velocity: [f64; 3],
    angular_velocity: [f64; 3],
) -> PyResult<()> {
    let world = &mut state.world;
    let out_of_plane = [velocity[1], angular_velocity[0], angular_velocity[2]];
    if world.dimension == Dimension::Two && out_of_plane.iter().any(|&x| x != 0.0) {
        return Err(PyValueError::new_err(
            "in the plane a body moves along x and z, and turns about y",
        ));
    }
    if world.free_bodies.iter().any(|free| free.body == body) {
        let text = format!("solid {body} moves freely; only solids of motion `Driven` are set");
        return Err(PyValueError::new_err(text));
    }
    let numbers = velocity.iter().chain(&angular_velocity);
    if let Some(x) = numbers.copied().find(|x| !has_real_square(*x)) {
        let text = format!("a velocity has the number {x:e}, which is not finite or too large");
        return Err(PyValueError::new_err(text));
    }
    let (velocity, spin) = (Point::from(velocity), Point::from(angular_velocity));
    world.solids.set_body_velocity(body, velocity, spin).map_err(|error| {
        let help = "a solid of `motion: Driven(pivot: (x, y, z))` can be set";
        PyValueError::new_err(format!("{error}; {help}"))
    })
}

/// Sets the velocities that lead a driven body to a place \[m\] and an orientation (quaternion, the
/// scalar first) at a time \[s\], on a straight way and by the shorter turn.
///
/// # Errors
/// As of [`set_velocity`]; if the time is not to come, or the orientation is none.
pub fn move_body(
    state: &mut State,
    body: usize,
    (position, orientation): ([f64; 3], [f64; 4]),
    time: f64,
) -> PyResult<()> {
    let now = state.world.time;
    let duration = time - now;
    if !(duration.is_finite() && duration > 0.0) {
        let text =
            format!("it is {now} s, and the body should be there at {time} s: set a later time");
        return Err(PyValueError::new_err(text));
    }
    let norm = orientation.iter().map(|x| x * x).sum::<f64>().sqrt();
    if !(norm.is_finite() && norm > 0.0) {
        let text = "an orientation is a quaternion of finite numbers, not all 0, the scalar first";
        return Err(PyValueError::new_err(text));
    }
    let solids = &state.world.solids;
    let moves = (1..solids.body_count()).contains(&body);
    let Some(start) = moves.then(|| solids.body_state(body)).flatten() else {
        // It is not driven, which is told there.
        return set_velocity(state, body, [0.0; 3], [0.0; 3]);
    };
    let way = Point::from(position) - start.position;
    let turn = rotation_between(start.quaternion(), orientation.map(|x| x / norm));
    set_velocity(state, body, (way / duration).into(), (turn / duration).into())
}

/// The axis of the shorter turn from one unit quaternion to another, as long as its angle.
fn rotation_between([w, x, y, z]: [f64; 4], [s, a, b, c]: [f64; 4]) -> Point {
    let (from, to) = (Point::new(x, y, z), Point::new(a, b, c));
    // The second times the conjugate of the first.
    let (real, rest) = (s * w + to.dot(&from), to * w - from * s - to.cross(&from));
    let (sine, sign) = (rest.norm(), if real < 0.0 { -1.0 } else { 1.0 });
    if sine == 0.0 { Point::zeros() } else { rest * (2.0 * sign * sine.atan2(sign * real) / sine) }
}

/// Sets the speed \[m/s\] at which fluid leaves an emitter, in its direction.
///
/// # Errors
/// If there is no such emitter, or the speed is none that a scene takes.
pub fn set_emitter_speed(state: &mut State, emitter: usize, speed: f64) -> PyResult<()> {
    let emitters = &mut state.world.open_boundaries.emitters;
    let count = emitters.len();
    let Some(emitter) = emitters.get_mut(emitter) else {
        return Err(PyIndexError::new_err(format!("the scene has {count} emitters")));
    };
    if !EMITTER_SPEED.contains(&speed) {
        let (min, max) = (EMITTER_SPEED.start(), EMITTER_SPEED.end());
        let text = format!("a speed is from {min:e} to {max} m/s, not {speed:e}");
        return Err(PyValueError::new_err(text));
    }
    let now = Point::from(emitter.velocity).norm();
    emitter.velocity = emitter.velocity.map(|v| v * (speed / now));
    Ok(())
}

/// Gravity \[m/s²\].
pub fn gravity(state: &State) -> [f64; 3] {
    to_f64(&state.world.gravity)
}

/// Sets gravity \[m/s²\].
///
/// # Errors
/// If a number is none that a scene takes, or it leads out of the plane.
pub fn set_gravity(state: &mut State, gravity: [f64; 3]) -> PyResult<()> {
    if let Some(x) = gravity.iter().find(|x| x.is_nan() || x.abs() > MAX_GRAVITY) {
        let text = format!("gravity is from -{MAX_GRAVITY} to {MAX_GRAVITY} m/s², not {x}");
        return Err(PyValueError::new_err(text));
    }
    if state.world.dimension == Dimension::Two && gravity[1] != 0.0 {
        return Err(PyValueError::new_err("in the plane gravity has no part along y"));
    }
    state.world.gravity = vec3(gravity);
    Ok(())
}
