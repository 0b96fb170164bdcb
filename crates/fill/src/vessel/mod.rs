//! What a vessel holds: the space between solids that is connected with a place, up to a level.

mod basin;
mod error;
mod extent;
mod filling;
mod flood;
mod level;
mod region;
mod spill;
#[expect(clippy::module_inception, reason = "the space that the module is about")]
mod vessel;

pub use error::FillError;
pub use filling::{Asked, VesselDomain};
pub use region::VesselRegion;
pub use vessel::Vessel;
