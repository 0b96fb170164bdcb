//! Checks of a model's values.

mod all;
mod bounds;
mod checks;
mod contacts;
mod elastic;
mod emitters;
mod fluids;
mod foam;
mod forces;
mod free_motion;
mod interfaces;
mod motions;
mod overlaps;
mod printable;
mod probes;
mod resume;
mod search;

mod shapes;
mod solids;
mod solver;
mod space;
mod surface;

pub use all::check;
pub use elastic::unsupported_by_order;
pub use fluids::{reach_out_of, too_many_particles};
pub use overlaps::overlap_help;
pub use probes::point_key;
pub use resume::forbidden_changes;
