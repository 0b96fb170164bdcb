//! `blender.py`: opens the run in Blender 4.2 LTS or newer, without an add-on.
//!
//! Source: the Blender manual, "Import PLY Node", "Format String Node", "Scene Time Node", "Mesh to
//! Points Node". A Geometry Nodes tree turns the scene's frame into a file name and imports that
//! file, so that each frame may have a mesh of its own topology, or points of their own number;
//! `vx vy vz` become the `velocity` attribute, from which Cycles blurs motion. The script is
//! `blender.py` beside this file with the run's facts in place of one marker; it finds the run's
//! files by its own place.

use super::facts::Facts;

/// The script for a run.
pub fn script(facts: &Facts) -> String {
    facts.fill(include_str!("blender.py"))
}
