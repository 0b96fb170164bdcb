//! What is put right in the shape of a mesh, or can hardly be meant.

use thiserror::Error;

/// A warning about a mesh that is accepted; `F` names a face: by its number, or by its place in a
/// file.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum ShapeWarning<F> {
    /// Faces of four corners that cross themselves, or are folded.
    #[error("{count} faces of four corners cross themselves or are folded; the first is {first}")]
    Crossing {
        /// Their number.
        count: usize,
        /// The first.
        first: F,
    },
    /// Corners were joined.
    #[error("{corners} vertices lie within {distance:.1e} of others and were merged with them")]
    Joined {
        /// Their number.
        corners: usize,
        /// Farthest from the corner that each was joined to, in the file's unit.
        distance: f64,
    },
    /// All triangles were turned.
    #[error("all triangles of this mesh face inwards; they were turned outwards")]
    AllTurned,
    /// Some shells were turned.
    #[error(
        "{turned} of {shells} shells of this mesh face inwards and were turned outwards; the first \
         has {first}"
    )]
    Turned {
        /// The number of outermost shells that were turned.
        turned: usize,
        /// All shells.
        shells: usize,
        /// A face of the first.
        first: F,
    },
    /// Shells in others that are no cavities.
    #[error(
        "{united} of {shells} shells of this mesh lie in another that faces the same way, so they \
         are no cavities; the first has {first}"
    )]
    United {
        /// Their number.
        united: usize,
        /// All shells.
        shells: usize,
        /// A face of the first.
        first: F,
    },
    /// A closed mesh without volume.
    #[error("this mesh is closed but encloses no volume")]
    NoVolume,
}

impl<F> ShapeWarning<F> {
    /// The same warning with other names of faces.
    pub fn map<G>(self, name: impl Fn(F) -> G) -> ShapeWarning<G> {
        match self {
            ShapeWarning::Crossing { count, first } => {
                ShapeWarning::Crossing { count, first: name(first) }
            }
            ShapeWarning::Joined { corners, distance } => {
                ShapeWarning::Joined { corners, distance }
            }
            ShapeWarning::AllTurned => ShapeWarning::AllTurned,
            ShapeWarning::Turned { turned, shells, first } => {
                ShapeWarning::Turned { turned, shells, first: name(first) }
            }
            ShapeWarning::United { united, shells, first } => {
                ShapeWarning::United { united, shells, first: name(first) }
            }
            ShapeWarning::NoVolume => ShapeWarning::NoVolume,
        }
    }

    /// What would be right.
    pub fn help(&self) -> &'static str {
        match self {
            ShapeWarning::Crossing { .. } => "triangulate them in the modelling program",
            ShapeWarning::Joined { .. } => {
                "merge vertices by distance in the program that wrote the file"
            }
            ShapeWarning::AllTurned | ShapeWarning::Turned { .. } => {
                "turn its faces around in the program that wrote the file"
            }
            ShapeWarning::United { .. } => "turn their faces around to make them cavities",
            ShapeWarning::NoVolume => {
                "give it a thickness, or make it a solid with `inside: Hollow`"
            }
        }
    }
}
