//! Hashfall: an offline particle-fluid simulator.

pub use hashfall_core as core;
pub use hashfall_core::kernel;
pub use hashfall_geometry as geometry;
pub use hashfall_input as input;
pub use hashfall_output as output;
pub use hashfall_preview as preview;
pub use hashfall_run as run;
pub use hashfall_scene as scene;
pub use hashfall_search as search;
pub use hashfall_solid as solid;
pub use hashfall_sph::{step, world};
pub use hashfall_surface as surface;

pub mod validate;
