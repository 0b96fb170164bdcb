//! Two shapes in two poses, in the units in which parry is asked about them.

use crate::shape::{Shape, parry_pose};
use nalgebra::Isometry3;
use parry3d_f64::math::Pose;
use parry3d_f64::shape::SharedShape;

/// Two shapes, each with the pose of its body.
#[derive(Clone, Copy, Debug)]
pub struct ShapePair<'a> {
    /// The shapes.
    pub shapes: [&'a Shape; 2],
    /// From each body's frame to the world's \[m\].
    pub poses: [Isometry3<f64>; 2],
}

/// A pair as parry is asked about it.
pub(super) struct ScaledPair {
    pub(super) shapes: [SharedShape; 2],
    /// From the second shape's frame to the first's, in units.
    pub(super) second_to_first: Pose,
    /// From parry's frames to the world's \[m\].
    pub(super) frames: [Isometry3<f64>; 2],
    /// A unit of length \[m\].
    pub(super) unit: f64,
}

impl<'a> ShapePair<'a> {
    /// The pair of two shapes in two poses.
    pub fn new(shapes: [&'a Shape; 2], poses: [Isometry3<f64>; 2]) -> Self {
        ShapePair { shapes, poses }
    }

    /// The size of the smaller shape \[m\]: what lengths are to be small against.
    pub fn size(&self) -> f64 {
        self.shapes[0].size().min(self.shapes[1].size())
    }

    /// The exponent of its unit of length; none where both shapes are for fixed bodies only, which
    /// never touch.
    pub(super) fn exponent(&self) -> Option<i32> {
        if self.shapes.iter().all(|shape| shape.is_fixed_only()) {
            return None;
        }
        self.shapes.iter().filter_map(|shape| shape.exponent()).min()
    }

    /// The pair in units of its smaller shape's size.
    pub(super) fn scaled(&self) -> Option<ScaledPair> {
        let exponent = self.exponent()?;
        let [first, second] = self.shapes;
        let shapes = [first.in_units(exponent)?, second.in_units(exponent)?];
        let frames = [0, 1].map(|k| self.poses[k] * self.shapes[k].parry_local());
        let relative = frames[0].inv_mul(&frames[1]);
        let second_to_first = parry_pose(&relative, libm::ldexp(1.0, -exponent));
        Some(ScaledPair { shapes, second_to_first, frames, unit: libm::ldexp(1.0, exponent) })
    }
}
