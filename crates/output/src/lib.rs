//! Frames and records: bytes first; two files touch paths.
//!
//! [`vtp`], [`ply`], [`obj`], [`series`], [`log`], [`table`], [`checkpoint`] and [`blender`] turn
//! values into bytes; [`layout`] names the files; `frame_files` are those of a frame; [`files`] and
//! `run_folder` alone write them; [`recorder`] says what is written when, `opening` how it begins,
//! and `stopped_run` how it goes on after a stop, when [`frame_check`] looks at the frames before.
//! Reports share [`curves`] and [`plot`].
//!
//! Frames are written by writers of our own: vtkio's XML takes 13 times the time and 40 times the
//! memory of a plain appended writer and has no times, and ply-rs 0.1.3 writes corrupt faces.
//! The tests read our frames back through vtkio and ply-rs-bw, its repaired successor.

pub mod blender;
pub mod checkpoint;
mod clock;
pub mod curves;
mod file_error;
pub mod files;
pub mod frame_check;
mod frame_files;
pub mod layout;
mod little_endian;
pub mod log;
mod manifest;
pub mod obj;
pub mod obstacles;
mod opening;
pub mod plot;
pub mod ply;
pub mod recorder;
mod run_folder;
pub mod series;
mod stopped_run;
pub mod table;
mod vtk_xml;
pub mod vtp;
mod xml;

pub use checkpoint::{Checkpoint, CheckpointError, Past, State};
pub use file_error::FileError;
pub use frame_files::FrameFiles;
pub use log::{Exchanged, FrameRow};
pub use manifest::{Manifest, Status};
pub use recorder::{Forecast, Recorder, RunInfo};
pub use run_folder::RunFolder;
pub use stopped_run::{Found, Kept, StoppedRun, is_of_formats};
