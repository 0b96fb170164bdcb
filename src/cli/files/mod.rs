//! The files that the user names: scenes, meshes, particles, the folders of sweeps; and scenes that
//! are built in.

pub mod built_in;
pub mod foam_frames;
pub mod load;
pub mod path_policy;
pub mod run_argument;
mod scene_argument;
pub mod scenes;
pub mod stdin_scene;
pub mod sweep_folder;
pub mod text_output;
