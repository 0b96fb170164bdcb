//! Body forces: accelerations by place and time, whatever the fluid does.
//!
//! - *gravity*: a = g.
//! - *central*: a = −k (x − c), a spring to a point, with the potential ½ k |x − c|².
//! - *table*: a = a(t), linear between given times and constant outside them, as in a tank that is
//!   shaken. What it does depends on time, so it has no potential.
//!
//! - *moving frame*: the scene may move, as a tank that rolls, seen from inside. Gravity g is fixed
//!   outside: a = Rᵀ(g − s̈) − (ω̇× + ω×ω×)(x − c); the Coriolis acceleration −2 ω × v is part of
//!   the kick ([`CoriolisTurn`]). It brings energy in, so it has no potential.
//!
//! Springs add up to one: Σ kᵢ (x − cᵢ) = K (x − c̄) with K = Σ kᵢ and c̄ = Σ kᵢ cᵢ / K. So all
//! forces together are a uniform acceleration and a single spring, however many they are.
//!
//! Symbols: g gravity, a acceleration \[m/s²\], k stiffness \[1/s²\], c centre \[m\]; R rotation,
//! s shift \[m\], ω angular velocity \[1/s\] of the frame.

use super::BodyForce;
use hashfall_core::{Vec3, to_f64, vec3};
use hashfall_geometry::Point;
use hashfall_solid::{FrameMotion, KinematicLaw};
use nalgebra::Matrix3;

/// All body forces at one time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyField {
    /// The part that is the same everywhere \[m/s²\].
    pub uniform: [f64; 3],
    /// Where the spring pulls to, c̄ \[m\].
    pub centre: [f64; 3],
    /// How strongly, K \[1/s²\].
    pub stiffness: f64,
    /// What the rotation of a moving frame adds.
    pub rotation: Option<RotationField>,
}

/// The part of the acceleration in a moving frame that grows with the distance from its pivot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RotationField {
    /// Pivot c \[m\].
    pub pivot: Point,
    /// −(ω̇× + ω×ω×) \[1/s²\].
    pub gradient: Matrix3<f64>,
}

/// The Coriolis acceleration in a kick: a rotation of the velocity, which keeps its length (Boris
/// 1970, Relativistic plasma simulation). The angle is 2 arctan(ω dt), in place of 2 ω dt: second
/// order, and without functions but the four operations.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CoriolisTurn(Matrix3<f64>);

impl CoriolisTurn {
    /// In a frame of angular velocity `omega` \[1/s\], over a kick of `dt` \[s\].
    pub fn new(omega: &Point, dt: f64) -> Self {
        // v′ = v + v × t, then v + v′ × 2t/(1 + t²).
        let t = omega * dt;
        let cross = -t.cross_matrix();
        let turn = Matrix3::identity() + (cross + cross * cross) * (2.0 / (1.0 + t.norm_squared()));
        CoriolisTurn(turn)
    }

    /// The velocity \[m/s\] after a kick by `impulse` \[m/s\]: half of it, the rotation, the other
    /// half.
    #[inline]
    pub fn kick(&self, velocity: &Vec3, impulse: &Vec3) -> Vec3 {
        let [v, half] = [velocity, impulse].map(|v| Point::from(to_f64(v)));
        let half = half * 0.5;
        vec3((self.0 * (v + half) + half).into())
    }
}

impl BodyField {
    /// Gravity \[m/s²\] and other forces at `time` \[s\].
    pub fn new(gravity: [f64; 3], forces: &[BodyForce], time: f64) -> Self {
        let mut field =
            BodyField { uniform: gravity, centre: [0.0; 3], stiffness: 0.0, rotation: None };
        for force in forces {
            if let Some(rows) = force.table() {
                field.uniform = add(field.uniform, at_time(rows, time));
            }
            if let Some((centre, stiffness)) = force.central() {
                field.stiffness += stiffness;
                field.centre = add(field.centre, centre.map(|c| stiffness * c));
            }
        }
        if field.stiffness > 0.0 {
            field.centre = field.centre.map(|c| c / field.stiffness);
        }
        field
    }

    /// The same in a frame that moves by a law, in which the other forces are given.
    pub fn in_frame(
        gravity: [f64; 3],
        forces: &[BodyForce],
        frame: &KinematicLaw,
        time: f64,
    ) -> Self {
        let FrameMotion { to_frame, acceleration, angular_velocity, angular_acceleration } =
            frame.frame_motion(time);
        let gravity = to_frame * Point::from(gravity) - acceleration;
        let spin = angular_velocity.cross_matrix();
        let gradient = -(angular_acceleration.cross_matrix() + spin * spin);
        let rotation = Some(RotationField { pivot: *frame.pivot(), gradient });
        BodyField { rotation, ..BodyField::new(gravity.into(), forces, time) }
    }

    /// The acceleration at a place \[m/s²\].
    #[inline]
    pub fn at(&self, place: &Vec3) -> Vec3 {
        vec3(self.acceleration(&to_f64(place)))
    }

    /// The same in double precision.
    #[inline]
    pub fn acceleration(&self, x: &[f64; 3]) -> [f64; 3] {
        let pull = |a: usize| self.stiffness * (x[a] - self.centre[a]);
        let standing = [0, 1, 2].map(|a| self.uniform[a] - pull(a));
        match &self.rotation {
            None => standing,
            Some(field) => {
                let turning = field.gradient * (Point::from(*x) - field.pivot);
                (Point::from(standing) + turning).into()
            }
        }
    }

    /// How much the acceleration changes over a distance at most \[1/s²\].
    pub fn gradient_bound(&self) -> f64 {
        self.stiffness + self.rotation.map_or(0.0, |field| field.gradient.norm())
    }

    /// The potential energy per mass at a place, up to a constant \[J/kg\].
    pub fn potential(&self, x: &[f64; 3]) -> f64 {
        let height: f64 = -(0..3).map(|a| self.uniform[a] * x[a]).sum::<f64>();
        let from_centre = (0..3).map(|a| x[a] - self.centre[a]);
        height + 0.5 * self.stiffness * from_centre.map(|x| x * x).sum::<f64>()
    }
}

impl BodyForce {
    /// The potential energy per mass at a place \[J/kg\], of a central force.
    pub fn potential(&self, x: &[f64; 3]) -> f64 {
        self.central().map_or(0.0, |(centre, stiffness)| {
            let squares = [0, 1, 2].map(|a| (x[a] - centre[a]) * (x[a] - centre[a]));
            0.5 * stiffness * squares.iter().sum::<f64>()
        })
    }
}

/// The acceleration that a table gives at a time.
fn at_time(rows: &[(f64, [f64; 3])], time: f64) -> [f64; 3] {
    let next = rows.partition_point(|row| row.0 <= time);
    match (&rows[..next], &rows[next..]) {
        ([.., (t0, a0)], [(t1, a1), ..]) => {
            let part = (time - t0) / (t1 - t0);
            [0, 1, 2].map(|a| a0[a] + part * (a1[a] - a0[a]))
        }
        ([.., (_, only)], []) | ([], [(_, only), ..]) => *only,
        ([], []) => [0.0; 3],
    }
}

fn add(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_linear_between_its_times_and_constant_outside() {
        let rows = vec![(1.0, [2.0, 0.0, 0.0]), (3.0, [4.0, -8.0, 0.0]), (3.5, [0.0, 0.0, 1.0])];
        let at = |time| BodyField::new([0.0, 0.0, -10.0], &[BodyForce::Table(rows.clone())], time);
        for (time, expected) in [
            (-5.0, [2.0, 0.0, -10.0]),
            (1.0, [2.0, 0.0, -10.0]),
            (1.5, [2.5, -2.0, -10.0]),
            (3.0, [4.0, -8.0, -10.0]),
            (3.25, [2.0, -4.0, -9.5]),
            (3.5, [0.0, 0.0, -9.0]),
            (1e9, [0.0, 0.0, -9.0]),
        ] {
            assert_eq!(at(time).uniform, expected, "t = {time}");
        }
        let one = BodyForce::Table(vec![(2.0, [1.0; 3])]);
        assert_eq!(BodyField::new([0.0; 3], &[one], 0.0).at(&Vec3::zeros()), Vec3::repeat(1.0));
    }

    #[test]
    fn many_springs_pull_as_each_on_its_own() {
        let springs = [([1.0, 0.0, 2.0], 3.0), ([-4.0, 5.0, 0.5], 0.25), ([0.0; 3], 0.0)];
        let forces = springs.map(|(centre, stiffness)| BodyForce::Central { centre, stiffness });
        let field = BodyField::new([0.0, 1.0, 0.0], &forces, 0.0);
        for x in [[0.0, 0.0, 0.0], [1.0, -2.0, 0.5], [-3.0, 0.25, 8.0]] {
            let each = |a: usize| {
                let pulls = springs.iter().map(|(c, k)| -k * (x[a] - c[a]));
                pulls.sum::<f64>() + if a == 1 { 1.0 } else { 0.0 }
            };
            let difference = field.at(&vec3(x)) - vec3([0, 1, 2].map(each));
            assert!(difference.norm() < 1e-5, "{x:?}: {difference}");
        }
        let inactive = BodyForce::Central { centre: [7.0; 3], stiffness: 0.0 };
        assert_eq!(BodyField::new([0.0; 3], &[inactive], 0.0).at(&Vec3::zeros()), Vec3::zeros());
    }

    #[test]
    fn a_spring_pulls_down_its_potential() {
        let spring = BodyForce::Central { centre: [0.5, -1.0, 2.0], stiffness: 4.0 };
        let field = BodyField::new([0.0; 3], std::slice::from_ref(&spring), 0.0);
        let (x, step) = ([1.5, 0.25, -0.75], 1e-4);
        let pull = to_f64(&field.at(&vec3(x)));
        for a in 0..3 {
            let moved = |by: f64| {
                let mut x = x;
                x[a] += by;
                spring.potential(&x)
            };
            let slope = (moved(step) - moved(-step)) / (2.0 * step);
            assert!((pull[a] + slope).abs() < 1e-5, "axis {a}: {} {slope}", pull[a]);
        }
    }
}
