//! Motion of bodies: their laws, their states, and where a state puts their shapes.

mod deformation;
mod deforming;
mod driven;
mod frame;
mod kinematic_body;
mod kinematic_law;
mod moving;
mod recording;
mod segments;
mod speed_samples;
mod speeds;
mod states;
mod surface_velocity;
#[cfg(test)]
mod tests;

pub(crate) use deformation::{Deformation, DeformingMesh, StepStart};
pub use driven::DrivenBody;
pub use frame::FrameMotion;
pub(crate) use kinematic_body::{BodyStep, KinematicBody};
pub use kinematic_law::KinematicLaw;
pub use recording::Recording;
pub use segments::{AxisAngle, Keyframe};
pub use speed_samples::{SpeedSample, sample_times};
pub use states::DriveError;
