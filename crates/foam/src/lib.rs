//! Spray, foam and bubbles of particle fluids, computed from written frames.
mod advection;
mod body_path;
mod contact;
mod diffuse;
mod emission;
mod fluid_cells;
mod frame;
mod histogram;
mod interpolation;
mod limits;
mod potentials;
mod resolution;
mod settings;
mod stepper;
mod surroundings;

pub use body_path::BodyStates;
pub use diffuse::{Diffuse, Kind};
pub use frame::{FluidFrame, Periodicity};
pub use histogram::Histogram;
pub use limits::LimitSearch;
pub use potentials::{Limit, Limits, Potential, PotentialSums, clamped};
pub use resolution::Resolution;
pub use settings::{Ageing, FoamFormat, FoamSettings, Region, Source};
pub use stepper::{Acceleration, FoamScene, FoamStepper, RunFrame};
pub use surroundings::Surroundings;
