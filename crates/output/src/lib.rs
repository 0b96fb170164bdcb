//! Frames and records: bytes first; two files touch paths.
//!
//! [`vtp`], [`ply`], [`obj`], [`series`], [`log`], [`table`], [`checkpoint`] and [`blender`] turn
//! values into bytes; [`layout`] names the files; `frame_files` are those of a frame; [`files`] and
//! `run_folder` alone write them; [`recorder`] writes the records of a run, `run_start` the
//! first of them, and `stopped_run` resumes them, after [`frame_check`] has checked the frames
//! before. Reports share [`curves`] and [`plot`].
//!
//! Frames are written by writers of our own: vtkio's XML takes 13 times the time and 40 times the
//! memory of a plain appended writer and has no times, and ply-rs 0.1.3 writes corrupt faces.
//! The tests read our frames back through vtkio and ply-rs-bw, its repaired successor.

mod charts;
mod disk;
mod folder;
mod formats;
pub mod layout;
mod records;

pub use charts::{curves, plot};
pub use disk::content::Content;
pub use disk::file_error::FileError;
pub use disk::{files, machine};
pub use folder::{
    CheckpointSearch, Forecast, FrameContent, FrameFiles, Recorder, ResumePoint, RunFolder,
    RunInfo, StoppedRun, changes_formats, changes_particles_every, elastic_names, frame_check,
    recorder,
};
pub use formats::facts::Facts;
pub use formats::particle_arrays::ParticleFrame;
pub use formats::{
    bgeo, blender, body_poses, elastic_meshes, foam, obj, obstacles, paraview, ply, series, vtk,
    vtp,
};
pub use records::bodies::BodyRow;
pub use records::checkpoint::{Checkpoint, CheckpointError, History, State};
pub use records::energy::{BodyEnergy, EnergyAccount};
pub use records::exchanged::Exchanged;
pub use records::log::{ElasticRow, FrameRow};
pub use records::manifest::{Manifest, ProbeColumn, Status};
pub use records::{bodies, checkpoint, log, table};
