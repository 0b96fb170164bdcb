//! The folder of a run: who may write into it, what is written when, and how it continues.

pub mod frame_check;
mod frame_files;
pub mod recorder;
mod run_folder;
mod run_start;
mod stopped_run;

pub use frame_files::{FrameContent, FrameFiles, elastic_names};
pub use recorder::{Forecast, Recorder, RunInfo};
pub use run_folder::RunFolder;
pub use stopped_run::{
    CheckpointSearch, ResumePoint, StoppedRun, changes_formats, changes_particles_every,
};
