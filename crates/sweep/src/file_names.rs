//! Names of the files of a sweep.

/// The file of the part that all points share.
pub const SWEEP_JSON: &str = "sweep.json";
/// The table of the points.
pub const MANIFEST_CSV: &str = "manifest.csv";
