//! Why the files of a sweep cannot be used.

use super::file_names::{MANIFEST_CSV, SWEEP_JSON};
use thiserror::Error;

/// Why `sweep.json` and `manifest.csv` are not those of a sweep.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ManifestError {
    /// `sweep.json` is not JSON of the right form.
    #[error("`{SWEEP_JSON}` cannot be read: {0}")]
    Json(String),
    /// `sweep.json` belongs to another program.
    #[error("`{SWEEP_JSON}` is not a sweep of this program")]
    Foreign,
    /// `manifest.csv` is not a table.
    #[error("`{MANIFEST_CSV}` cannot be read: {0}")]
    Csv(String),
    /// The columns are not the parameters.
    #[error("the columns of `{MANIFEST_CSV}` do not match `{SWEEP_JSON}`")]
    Columns,
    /// A point is missing.
    #[error("point {0} of `{MANIFEST_CSV}` is missing or out of order")]
    Order(usize),
    /// The number of points differs.
    #[error("`{MANIFEST_CSV}` has {found} points, but `{SWEEP_JSON}` has {expected}")]
    Count {
        /// Rows of `manifest.csv`.
        found: usize,
        /// Points of `sweep.json`.
        expected: usize,
    },
    /// A setting of all points is not `KEY=VALUE`.
    #[error("`{SWEEP_JSON}`: {0}")]
    Setting(String),
}

/// A sweep that another version of the program has started.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("it was started by version {started} of this program, but this is {current}")]
pub struct VersionMismatch {
    /// The version that started it.
    pub started: String,
    /// This version.
    pub current: String,
}
