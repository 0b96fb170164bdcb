//! The velocities of the points of a rigid body, as a field of space.

use crate::pose::Pose;
use hashfall_core::geometry::Point;
use nalgebra::Matrix3;

/// A field of velocities: v = G x + v₀.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VelocityField {
    /// G; ω × of a rotation \[1/s\].
    pub gradient: Matrix3<f64>,
    /// v₀ \[m/s\].
    pub at_origin: Point,
}

impl VelocityField {
    /// No motion.
    pub fn none() -> Self {
        VelocityField { gradient: Matrix3::zeros(), at_origin: Point::zeros() }
    }

    /// What takes each point along a step's way in `dt` \[s\]: straight and evenly.
    pub fn along(step: &Pose, dt: f64) -> Self {
        VelocityField {
            gradient: (step.turn - Matrix3::identity()) / dt,
            at_origin: step.shift / dt,
        }
    }

    /// The velocity at a place \[m/s\].
    #[inline]
    pub fn at(&self, x: &Point) -> Point {
        self.gradient * x + self.at_origin
    }

    /// The angular velocity \[1/s\].
    pub fn spin(&self) -> Point {
        let g = &self.gradient;
        0.5 * Point::new(g[(2, 1)] - g[(1, 2)], g[(0, 2)] - g[(2, 0)], g[(1, 0)] - g[(0, 1)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::BodyState;

    #[test]
    fn a_field_along_a_step_leads_to_its_end() {
        let (velocity, angular_velocity) = (Point::new(1.0, 2.0, 3.0), Point::new(0.5, -1.0, 2.0));
        let start = BodyState { velocity, angular_velocity, ..BodyState::at_rest(Point::x()) };
        let dt = 0.25;
        let [before, after] = [start, start.advanced(dt)].map(|it| it.pose(&Point::x()));
        let field = VelocityField::along(&after.relative_to(&before), dt);
        let x = Point::new(0.3, -0.2, 0.7);
        assert!((x + field.at(&x) * dt - after.apply(&before.apply_inverse(&x))).norm() < 1e-15);
        let now = start.flow();
        assert_eq!(now.spin(), angular_velocity);
        let at = velocity + angular_velocity.cross(&(x - Point::x()));
        assert!((now.at(&x) - at).norm() < 1e-15);
        assert_eq!(VelocityField::none().at(&x), Point::zeros());
    }
}
