//! `blender.py`: opens the run in Blender 5, without an add-on.
//!
//! Source: the Blender manual, "Import PLY Node", "Format String Node", "Scene Time Node". A
//! Geometry Nodes tree turns the scene's frame into a file name and imports that file, so that
//! each frame may have a mesh of its own topology; `vx vy vz` become the `velocity` attribute,
//! from which Cycles blurs motion. The script is `blender.py` beside this file with the run's
//! facts in place of one marker; it finds the run's files by its own place.

use hashfall_core::to_f64;
use hashfall_geometry::Aabb;
use serde::Serialize;

const TEMPLATE: &str = include_str!("blender.py");

/// Stands for the facts in the template.
const MARKER: &str = "\"@RUN@\"";

/// What the script must be told; everything else it sees in the folder.
#[derive(Serialize)]
struct Facts<'a> {
    name: &'a str,
    frame_rate: f64,
    domain_min: [f64; 3],
    domain_max: [f64; 3],
    fluids: &'a [String],
}

/// The script for a run of this name, with `frame_rate` \[1/s\], a domain, and the names that its
/// fluids have in those of files.
pub fn script(name: &str, frame_rate: f64, domain: &Aabb, fluids: &[String]) -> String {
    let facts = Facts {
        name,
        frame_rate,
        domain_min: to_f64(&domain.min),
        domain_max: to_f64(&domain.max),
        fluids,
    };
    // Strings, finite numbers, lists and string keys: JSON that is a Python literal, too.
    let literal = serde_json::to_string_pretty(&facts).expect("facts are plain data");
    TEMPLATE.replacen(MARKER, &literal, 1)
}
