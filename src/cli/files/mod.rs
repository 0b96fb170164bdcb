//! The files that the user names: scenes, meshes, particles, the folders of sweeps.

pub mod load;
pub mod path_policy;
pub mod sweep_folder;
