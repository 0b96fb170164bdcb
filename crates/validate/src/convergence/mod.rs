//! Convergence: how what a case measures depends on time step, frame rate and particle spacing.
//!
//! ```text
//! Case ─variations→ columns of `--set` settings ─Case::run, one by one→ Study ─→ tables, plot
//! ```

mod order;
mod plot;
mod scene_values;
mod spacing;
mod study;
mod tables;
mod variations;

pub use order::{order, spread};
pub use plot::{panels, plot_name};
pub use study::{Study, StudyRun};
pub use tables::{csv, section};
pub use variations::refuse_varied;
