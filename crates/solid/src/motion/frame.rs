//! A moving frame: what an observer in it feels of its motion.
//!
//! The frame moves as a body: a point x of the frame is at R (x − c) + c + s in a frame at rest.
//! With ω in the components of the moving frame, the acceleration of a free particle there is
//! (Landau & Lifshitz, Mechanics, §39)
//!
//! a = Rᵀ(g − s̈) − ω̇ × (x − c) − ω × (ω × (x − c)) − 2 ω × v.
//!
//! s̈ and ω̇ are differences of the velocities of the motion over 2 × 10⁻⁵ s, so that any motion
//! with continuous velocity will do.
//!
//! Symbols: R rotation, c pivot \[m\], s shift \[m\], g gravity \[m/s²\], ω angular velocity
//! \[1/s\], v velocity in the frame \[m/s\].

use super::kinematic_law::{KinematicLaw, Path};
use hashfall_geometry::Point;
use nalgebra::Matrix3;

/// Half of the interval of differences \[s\].
const HALF_INTERVAL: f64 = 1e-5;

/// The motion of a frame at an instant, in its own components.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrameMotion {
    /// Rᵀ, from a frame at rest to the moving one.
    pub to_frame: Matrix3<f64>,
    /// Rᵀ s̈ \[m/s²\].
    pub acceleration: Point,
    /// ω \[1/s\].
    pub angular_velocity: Point,
    /// ω̇ \[1/s²\].
    pub angular_acceleration: Point,
}

impl KinematicLaw {
    /// The motion of a frame that moves by this law, at a time \[s\] from 0 on.
    pub fn frame_motion(&self, time: f64) -> FrameMotion {
        let state = self.state_at(time);
        let to_frame = state.orientation.matrix().transpose();
        // A motion may be at rest before the start.
        let (before, after) = ((time - HALF_INTERVAL).max(0.0), time + HALF_INTERVAL);
        let [a, b] = [before, after].map(|t| self.state_at(t));
        let interval = after - before;
        FrameMotion {
            to_frame,
            acceleration: to_frame * (b.velocity - a.velocity) / interval,
            angular_velocity: to_frame * state.angular_velocity,
            angular_acceleration: to_frame * (b.angular_velocity - a.angular_velocity) / interval,
        }
    }

    /// Whether its velocity is continuous by construction; formulas are taken at their word.
    pub fn has_continuous_velocity(&self) -> bool {
        match &self.path {
            Path::Keys { is_smooth, .. } => *is_smooth,
            Path::Formulas { .. } | Path::Spin { .. } | Path::Recorded { .. } => true,
            Path::Driven => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashfall_formula::Formula;

    #[test]
    fn accelerations_are_those_of_the_formulas() {
        let formula = |text: &str| Formula::parse(text).unwrap();
        let shift = [formula("0.1*sin(3*t)"), formula("0"), formula("0.5*t^2")];
        let law =
            KinematicLaw::by_formulas([0.2, 0.0, 0.1], shift, [0.0, 1.0, 0.0], formula("90*t^2"));
        for time in [0.0, 0.3, 1.0] {
            let FrameMotion { to_frame, acceleration, angular_velocity, angular_acceleration } =
                law.frame_motion(time);
            let exact = to_frame * Point::new(-0.9 * (3.0 * time).sin(), 0.0, 1.0);
            assert!((acceleration - exact).norm() < 1e-4, "{acceleration} for {exact}");
            let rate = std::f64::consts::PI;
            assert!((angular_velocity - Point::y() * rate * time).norm() < 1e-12);
            assert!((angular_acceleration - Point::y() * rate).norm() < 1e-8);
        }
    }
}
