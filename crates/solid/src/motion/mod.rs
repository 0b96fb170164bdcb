//! Motion of bodies: their laws, their states, and where a state puts their shapes.

mod body_state;
mod kinematic_body;
mod kinematic_law;
mod moving;
mod pose;
mod segments;
mod speed_samples;

pub use body_state::BodyState;
pub(crate) use kinematic_body::{BodyStep, Mover};
pub use kinematic_law::Motion;
pub use moving::DriveError;
pub(crate) use pose::Pose;
pub use segments::{Key, Turn};
pub use speed_samples::{Pace, looks};
