//! glTF 2.0 in one file (`.glb`) for each frame.

mod glb;
mod scene;
#[cfg(test)]
mod tests;
mod writer;

pub use writer::Gltf;
