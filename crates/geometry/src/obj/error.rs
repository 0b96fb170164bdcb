//! What can be wrong with an OBJ file, and what is put right in one.

use crate::closure::{EdgeFlaw, OpenMesh};
use hashfall_core::file_kind::FileKind;
use std::ops::Range;
use thiserror::Error;

/// Why a file is no closed mesh.
#[derive(Clone, Debug, Error, PartialEq)]
#[error("{problem}")]
pub struct ObjError {
    /// Where it is wrong, if that is a place.
    pub place: Option<Place>,
    /// What is wrong.
    pub problem: ObjProblem,
}

/// A place in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// Bytes of the word at fault, in the text of [`text`](super::text).
    pub span: Range<usize>,
}

/// What can be wrong with a file.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum ObjProblem {
    /// A file of another kind.
    #[error("this is {0}; meshes are read from Wavefront OBJ files")]
    Foreign(FileKind),
    /// A vertex line with one or two words.
    #[error("a vertex needs three coordinates, found {found}")]
    MissingCoordinate {
        /// Coordinates found.
        found: usize,
    },
    /// A word that should be a number.
    #[error("`{word}` is not a number")]
    NotANumber {
        /// The word.
        word: String,
    },
    /// NaN, an infinity, or a number too large for the simulation's precision.
    #[error("coordinate `{word}` is not finite")]
    NotFinite {
        /// The word.
        word: String,
    },
    /// A face of one or two corners.
    #[error("a face needs at least three corners, found {found}")]
    TooFewCorners {
        /// Corners found.
        found: usize,
    },
    /// A face corner that is no whole number.
    #[error("`{word}` is not a vertex number")]
    NotAnIndex {
        /// The word.
        word: String,
    },
    /// A face corner 0, or beyond the vertices.
    #[error("there is no vertex {index}: the file has {vertices}, counted from 1")]
    NoSuchVertex {
        /// The index as written.
        index: i64,
        /// Vertices in the file (for a negative index: before the face).
        vertices: usize,
    },
    /// A face that no triangles cover once.
    #[error("this face of {corners} corners crosses itself and cannot be triangulated")]
    Crossing {
        /// Its corners.
        corners: usize,
    },
    /// No triangle with three different corners.
    #[error("the file has no faces")]
    Empty,
    /// Surfaces by formulas alone.
    #[error("the file has no faces: free-form curves and surfaces (`{keyword}`) are not read")]
    FreeForm {
        /// The first such statement.
        keyword: String,
    },
    /// Holes, or triangles that face opposite ways.
    #[error("{open}{}", faces(lines))]
    Open {
        /// What is open.
        open: Box<OpenMesh>,
        /// Lines of the faces at the edge that is told.
        lines: Vec<usize>,
        /// Each corner at the open edges has another within this distance, in the file's unit.
        near: Option<f64>,
    },
    /// tobj refuses what the scan let through.
    #[error("the file cannot be read: {0}")]
    Unreadable(String),
}

/// Lines of faces, as the end of a sentence.
fn faces(lines: &[usize]) -> String {
    match lines {
        [] => String::new(),
        [line] => format!(", of the face at line {line}"),
        [first @ .., last] => {
            let first: Vec<String> = first.iter().map(ToString::to_string).collect();
            format!(", of the faces at lines {} and {last}", first.join(", "))
        }
    }
}

impl From<ObjProblem> for ObjError {
    fn from(problem: ObjProblem) -> Self {
        ObjError { place: None, problem }
    }
}

impl ObjProblem {
    /// What would be right.
    pub fn help(&self) -> String {
        let text = match self {
            ObjProblem::Foreign(FileKind::Empty) => "export it again",
            ObjProblem::Foreign(kind) if kind.is_compressed() => "unpack it, and export it as OBJ",
            ObjProblem::Foreign(FileKind::Utf16) => "save it as UTF-8",
            ObjProblem::Foreign(_) => "export it as OBJ, with its modifiers applied",
            ObjProblem::Crossing { .. } => "triangulate it in the modelling program",
            ObjProblem::FreeForm { .. } => "export it as polygons (a mesh), not as NURBS",
            ObjProblem::Open { near: Some(near), .. } => {
                return format!(
                    "its corners lie within {near:.1e} of each other: merge them by distance in \
                     the modelling program"
                );
            }
            ObjProblem::Open { open, .. } => match open.flaw {
                EdgeFlaw::Hole => "close it, or make it a solid with `inside: Hollow`: a sheet",
                EdgeFlaw::Turned => "turn the face around, or recalculate the normals outside",
                EdgeFlaw::Crowded => "delete inner walls: faces with the mesh on both sides",
                EdgeFlaw::Split { .. } => "give the split edge a corner there, or remove that one",
            },
            _ => "a mesh is a closed surface of `v x y z` and `f i j k` lines",
        };
        text.to_owned()
    }
}

/// What was put right in a mesh, or can hardly be meant.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum ObjWarning {
    /// Faces of four corners that cross themselves, or are folded.
    #[error(
        "{count} faces of four corners cross themselves or are folded; the first is at line {line}"
    )]
    Crossing {
        /// So many.
        count: usize,
        /// Line of the first.
        line: usize,
    },
    /// Corners were joined.
    #[error("{corners} vertices lie within {distance:.1e} of others and were merged with them")]
    Joined {
        /// So many.
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
         has the face at line {line}"
    )]
    Turned {
        /// So many outermost shells were turned.
        turned: usize,
        /// All shells.
        shells: usize,
        /// Line of a face of the first.
        line: usize,
    },
    /// Shells in others that are no cavities.
    #[error(
        "{united} of {shells} shells of this mesh lie in another that faces the same way, so they \
         are no cavities; the first has the face at line {line}"
    )]
    United {
        /// So many.
        united: usize,
        /// All shells.
        shells: usize,
        /// Line of a face of the first.
        line: usize,
    },
    /// A closed mesh without volume.
    #[error("this mesh is closed but encloses no volume")]
    NoVolume,
}

impl ObjWarning {
    /// What would be right.
    pub fn help(&self) -> &'static str {
        match self {
            ObjWarning::Crossing { .. } => "triangulate them in the modelling program",
            ObjWarning::Joined { .. } => {
                "merge vertices by distance in the program that wrote the file"
            }
            ObjWarning::AllTurned | ObjWarning::Turned { .. } => {
                "turn its faces around in the program that wrote the file"
            }
            ObjWarning::United { .. } => "turn their faces around to make them cavities",
            ObjWarning::NoVolume => "give it a thickness, or make it a solid with `inside: Hollow`",
        }
    }
}
