//! Warnings about scenes that are valid but probably not intended.

mod bodies;
mod emitters;
mod fluids;
mod gaps;
mod meshes;
mod probes;
mod speeds;
mod unused_keys;

pub use bodies::body_lints;
pub use emitters::emitter_lints;
pub use fluids::fluid_lints;
pub use gaps::{Bounds, gaps};
pub use meshes::{fluid_mesh_hint, mesh_lints, swallowing_mesh};
pub use probes::buried_probes;
pub use speeds::frame_rate_lint;
pub use unused_keys::unused_key_lints;
