//! Solids of a scene that are bodies of revolution: a ball, a cylinder, a capsule, a cone.

use super::solid_keys::solid;

solid! {
    /// One solid ball.
    BallModel as "Ball" {
        /// Centre \[m\].
        centre: [f64; 3],
        /// Radius \[m\].
        #[schemars(range(min = 1e-6, max = 1e6))]
        radius: f64,
    }
    /// Motion.
    motion
}

solid! {
    /// A solid cylinder.
    CylinderModel as "Cylinder" {
        /// Centre of one end \[m\].
        from: [f64; 3],
        /// Centre of the other end \[m\].
        to: [f64; 3],
        /// Radius \[m\].
        #[schemars(range(min = 1e-6, max = 1e6))]
        radius: f64,
    }
    /// Motion.
    motion
}

solid! {
    /// A solid capsule: all within a radius of a line.
    CapsuleModel as "Capsule" {
        /// Centre of the half ball at one end \[m\].
        from: [f64; 3],
        /// Centre of the half ball at the other end \[m\].
        to: [f64; 3],
        /// Radius \[m\].
        #[schemars(range(min = 1e-6, max = 1e6))]
        radius: f64,
    }
    /// Motion.
    motion
}

solid! {
    /// A solid cone, or a frustum of one.
    ConeModel as "Cone" {
        /// Centre of the base \[m\].
        from: [f64; 3],
        /// The tip, or the centre of the end of a frustum \[m\].
        to: [f64; 3],
        /// Radius of the base \[m\].
        #[schemars(range(min = 1e-6, max = 1e6))]
        radius: f64,
        /// Radius at the tip, positive for a frustum \[m\].
        #[serde(default)]
        #[schemars(range(min = 0.0, max = 1e6))]
        tip_radius: f64,
    }
    /// Motion.
    motion
}
