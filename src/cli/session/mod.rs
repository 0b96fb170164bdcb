//! A run in this process, from its check of memory and disk to its closing summary.

pub mod disk_preflight;
pub mod neighbor_choice;
mod process;
mod run;
mod run_script;
mod summary;

pub use process::Process;
pub use run::{Run, meshes_of, run_info};
pub use run_script::{ClusterRun, Job};
