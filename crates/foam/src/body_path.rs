//! Bodies whose places are no law of the time, between two frames.
//!
//! Of driven bodies frames have the position, orientation and both velocities. The reference point
//! goes along the cubic with positions and velocities of both ends; the orientation along the
//! chord between two unit quaternions, which needs the four operations and roots alone. Over a turn
//! of 60° in a frame the angle is off by 0.5° at the most. Vertices of meshes that deform go along
//! such cubics as well.

use hashfall_geometry::Point;
use hashfall_solid::{BodyState, DriveError, Solids};

/// Bodies of a frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FrameBodies {
    /// Driven bodies with their numbers among [all bodies](Solids::body_count), and their states.
    pub driven: Vec<(usize, BodyState)>,
    /// Of each mesh that deforms, in their order, where its vertices are \[m\] and how fast
    /// \[m/s\].
    pub deforming: Vec<[Vec<Point>; 2]>,
}

/// The place on the cubic between two places with velocities, after the part `t` of the `duration`
/// \[s\] between them.
fn cubic([a, u]: [&Point; 2], [b, v]: [&Point; 2], duration: f64, t: f64) -> Point {
    a + (b - a) * (t * t * (3.0 - 2.0 * t)) + u * (duration * t * (1.0 - t) * (1.0 - t))
        - v * (duration * t * t * (1.0 - t))
}

/// The state of a body after the part `t` of the `duration` \[s\] between two frames.
pub(crate) fn between(a: &BodyState, b: &BodyState, duration: f64, t: f64) -> BodyState {
    if t >= 1.0 {
        return *b;
    }
    let ends = [[&a.position, &a.velocity], [&b.position, &b.velocity]];
    let position = cubic(ends[0], ends[1], duration, t);
    let (p, mut q) = (a.quaternion(), b.quaternion());
    let cosine: f64 = p.iter().zip(q).map(|(p, q)| p * q).sum();
    if cosine < 0.0 {
        q = q.map(|x| -x);
    }
    let blended: [f64; 4] = std::array::from_fn(|k| (1.0 - t) * p[k] + t * q[k]);
    let length = blended.iter().map(|x| x * x).sum::<f64>().sqrt();
    let [w, i, j, k] = blended.map(|x| x / length);
    let [x, y, z] = <[f64; 3]>::from(position);
    let turned = BodyState::from_quaternion(&[x, y, z, w, i, j, k, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    let blend = |a: &Point, b: &Point| a * (1.0 - t) + b * t;
    BodyState {
        velocity: blend(&a.velocity, &b.velocity),
        angular_velocity: blend(&a.angular_velocity, &b.angular_velocity),
        ..turned
    }
}

/// Puts bodies where they are in a frame.
///
/// # Errors
/// If one is not driven or does not deform, or its state is none.
pub(crate) fn place(solids: &mut Solids, bodies: &FrameBodies) -> Result<(), DriveError> {
    for (body, state) in &bodies.driven {
        solids.set_body_state(*body, *state)?;
    }
    let meshes: Vec<usize> = solids.deforming_meshes().collect();
    for (mesh, [places, velocities]) in meshes.into_iter().zip(&bodies.deforming) {
        solids.place_deforming(mesh, places, velocities)?;
    }
    Ok(())
}

/// Sets where the step that has begun ends: after the part `t` of the `duration` \[s\] between two
/// frames, `dt` \[s\] after its start.
///
/// # Errors
/// As [`place`].
pub(crate) fn set_step_ends(
    solids: &mut Solids,
    [before, after]: [&FrameBodies; 2],
    duration: f64,
    t: f64,
    dt: f64,
) -> Result<(), DriveError> {
    for (body, a) in &before.driven {
        if let Some((_, b)) = after.driven.iter().find(|(other, _)| other == body) {
            solids.set_step_end(*body, between(a, b, duration, t), dt)?;
        }
    }
    let meshes: Vec<usize> = solids.deforming_meshes().collect();
    for ((mesh, a), b) in meshes.into_iter().zip(&before.deforming).zip(&after.deforming) {
        let ends = a[0].iter().zip(&a[1]).zip(b[0].iter().zip(&b[1]));
        let moved = ends.map(|((x, u), (y, v))| {
            let place = if t >= 1.0 { *y } else { cubic([x, u], [y, v], duration, t) };
            (place, u * (1.0 - t) + v * t)
        });
        let (places, velocities): (Vec<Point>, Vec<Point>) = moved.unzip();
        solids.set_deforming(mesh, &places, &velocities)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_are_exact_and_a_thrown_spinning_body_is_followed() {
        let start = BodyState {
            velocity: Point::new(1.0, 0.0, 2.0),
            angular_velocity: Point::new(0.0, 20.0, 15.0),
            ..BodyState::at_rest(Point::new(0.1, 0.2, 0.3))
        };
        let (g, duration) = (Point::new(0.0, 0.0, -9.81), 0.04);
        let at = |t: f64| {
            let turned = start.advanced(t);
            let position = turned.position + g * (0.5 * t * t);
            BodyState { position, velocity: start.velocity + g * t, ..turned }
        };
        // 25 1/s for 40 ms: 57° in a frame.
        let end = at(duration);
        assert_eq!(between(&start, &end, duration, 1.0), end);
        for t in [0.0, 0.2, 0.5, 0.8] {
            let (found, exact) = (between(&start, &end, duration, t), at(t * duration));
            assert!((found.position - exact.position).norm() < 1e-12);
            assert!((found.velocity - exact.velocity).norm() < 1e-12);
            let turn = found.orientation.matrix() * exact.orientation.matrix().transpose();
            let cosine = 0.5 * (turn.trace() - 1.0);
            assert!(cosine > 0.999_96 && found.is_rigid(), "{cosine} at {t}");
        }
    }

    #[test]
    fn of_two_quaternions_the_nearer_is_taken() {
        let spin = |turns: f64| {
            let angular_velocity = Point::z() * std::f64::consts::TAU;
            BodyState { angular_velocity, ..BodyState::at_rest(Point::zeros()) }.advanced(turns)
        };
        // From 170° to 190°.
        let middle = between(&spin(170.0 / 360.0), &spin(190.0 / 360.0), 0.1, 0.5);
        assert!((middle.orientation.matrix() - spin(0.5).orientation.matrix()).norm() < 1e-12);
    }
}
