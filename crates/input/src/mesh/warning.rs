//! What is put right in a mesh file, what of it is left out, and what can hardly be meant.

use super::face::FaceName;
use hashfall_geometry::ShapeWarning;
use thiserror::Error;

/// A warning about a mesh that is accepted.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum MeshWarning {
    /// About its shape.
    #[error("{0}")]
    Shape(ShapeWarning<FaceName>),
    /// Something of the file that would change the shape is not read.
    #[error("{what}")]
    Ignored {
        /// What, and what is read instead.
        what: String,
        /// What would be right.
        help: &'static str,
    },
}

impl MeshWarning {
    /// What would be right.
    pub fn help(&self) -> &'static str {
        match self {
            MeshWarning::Shape(warning) => warning.help(),
            MeshWarning::Ignored { help, .. } => help,
        }
    }

    /// Whether it says that a closed mesh encloses no volume.
    pub fn is_of_no_volume(&self) -> bool {
        matches!(self, MeshWarning::Shape(ShapeWarning::NoVolume))
    }
}
