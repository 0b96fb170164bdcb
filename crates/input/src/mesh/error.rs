//! What can be wrong with a mesh file.

use super::face::{FaceName, list};
use super::place::Place;
use super::text::place_of_line;
use crate::error::{InputError, Place as InputPlace, Problem};
use hashfall_core::file_kind::FileKind;
use hashfall_geometry::{EdgeFlaw, OpenMesh};
use std::fmt;
use thiserror::Error;

/// Why a file is no closed mesh.
#[derive(Clone, Debug, Error, PartialEq)]
pub struct MeshError {
    /// Where it is wrong, if that is a place.
    pub place: Option<Place>,
    /// What is wrong.
    pub problem: MeshProblem,
}

impl MeshError {
    /// The error in a file where this number of bytes stands before those that were read.
    pub(super) fn shifted(self, bytes: usize) -> MeshError {
        let place = match self.place {
            Some(Place::Byte(byte)) => Some(Place::Byte(byte + bytes)),
            other => other,
        };
        MeshError { place, ..self }
    }
}

impl fmt::Display for MeshError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.place {
            Some(Place::Byte(byte)) => write!(f, "byte {byte}: {}", self.problem),
            _ => self.problem.fmt(f),
        }
    }
}

/// What can be wrong with a file.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum MeshProblem {
    /// A file of another kind.
    #[error("this is {kind}; meshes are read from {formats}")]
    Foreign {
        /// What it is.
        kind: FileKind,
        /// The formats that are read, as a list.
        formats: String,
    },
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
    /// The same in binary data.
    #[error("coordinate {axis} of {of} is not finite")]
    NotFiniteIn {
        /// `x`, `y` or `z`.
        axis: char,
        /// The vertex or facet.
        of: String,
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
    /// A face corner beyond the vertices.
    #[error("there is no vertex {index}: the file has {vertices}, counted from {first}")]
    NoSuchVertex {
        /// The index as written.
        index: i64,
        /// Vertices in the file (for a negative index of an OBJ file: before the face).
        vertices: usize,
        /// The number of the first vertex.
        first: u8,
    },
    /// A face that no triangles cover once.
    #[error("{} of {corners} corners crosses itself and cannot be triangulated", this(face))]
    Crossing {
        /// Its name; none where its place tells it.
        face: Option<FaceName>,
        /// Its corners.
        corners: usize,
    },
    /// No triangle with three different corners.
    #[error("the file has no faces")]
    Empty,
    /// Neither lines nor triangles nor tetrahedra.
    #[error("the file has no elements: neither lines nor triangles nor tetrahedra")]
    NoElements,
    /// An element whose nodes lie in one point, line or plane.
    #[error("{element} {number} has no {extent}: its nodes lie in one {}", place_of(extent))]
    NoExtent {
        /// `line`, `triangle` or `tetrahedron`.
        element: &'static str,
        /// Its number in the file.
        number: u64,
        /// `length`, `area` or `volume`.
        extent: &'static str,
    },
    /// Surfaces by formulas alone.
    #[error("the file has no faces: free-form curves and surfaces (`{keyword}`) are not read")]
    FreeForm {
        /// The first such statement.
        keyword: String,
    },
    /// Holes, or triangles that face opposite ways.
    #[error("{open}{}", of_faces(faces))]
    Open {
        /// What is open.
        open: Box<OpenMesh>,
        /// The faces at the edge that is told.
        faces: Vec<FaceName>,
        /// Each corner at the open edges has another within this distance, in the file's unit.
        near: Option<f64>,
    },
    /// A fault of the file's format.
    #[error("{problem}")]
    Format {
        /// The format.
        format: &'static str,
        /// What is wrong.
        problem: Problem,
    },
    /// A file that the mesh names cannot be read.
    #[error("cannot read `{uri}`, which holds the mesh's numbers: {reason}")]
    Beside {
        /// As the mesh names it.
        uri: String,
        /// Why.
        reason: String,
    },
    /// The format's reader refuses what the scan let through.
    #[error("this {format} file cannot be read: {reason}")]
    Unreadable {
        /// The format.
        format: &'static str,
        /// What its reader says.
        reason: String,
    },
}

/// Where the nodes of an element lie that has no extent of this kind.
fn place_of(extent: &str) -> &'static str {
    match extent {
        "length" => "point",
        "area" => "line",
        _ => "plane",
    }
}

/// The subject of a sentence about a face.
fn this(face: &Option<FaceName>) -> String {
    face.as_ref().map_or_else(|| "this face".to_owned(), ToString::to_string)
}

/// Names of faces, as the end of a sentence.
fn of_faces(faces: &[FaceName]) -> String {
    if faces.is_empty() { String::new() } else { format!(", of {}", list(faces)) }
}

impl From<MeshProblem> for MeshError {
    fn from(problem: MeshProblem) -> Self {
        MeshError { place: None, problem }
    }
}

/// A fault that the scanner of the particle reader found, in text at its line.
pub(super) fn located(format: &'static str, error: InputError, text: &str) -> MeshError {
    let place = error.place.map(|place| match place {
        InputPlace::Line(line) => place_of_line(text, line),
        InputPlace::Byte(byte) => Place::Byte(byte),
    });
    let problem = match error.problem {
        Problem::NotFinite { particle, axis } => {
            MeshProblem::NotFiniteIn { axis, of: format!("point {particle} (counted from 0)") }
        }
        problem => MeshProblem::Format { format, problem },
    };
    MeshError { place, problem }
}

impl MeshProblem {
    /// At a place.
    pub(super) fn at(self, place: Place) -> MeshError {
        MeshError { place: Some(place), problem: self }
    }

    /// What would be right.
    pub fn help(&self) -> String {
        let text = match self {
            MeshProblem::Foreign { kind: FileKind::Empty, .. } => "export it again",
            MeshProblem::Foreign { kind, .. } if kind.is_compressed() => "unpack it first",
            MeshProblem::Foreign { kind: FileKind::Utf16, .. } => "save it as UTF-8",
            MeshProblem::Foreign { .. } => {
                "export it in one of these formats, with its modifiers applied"
            }
            MeshProblem::Crossing { .. } => "triangulate it in the modelling program",
            MeshProblem::FreeForm { .. } => "export it as polygons (a mesh), not as NURBS",
            MeshProblem::Open { near: Some(near), .. } => {
                return format!(
                    "its corners lie within {near:.1e} of each other: merge them by distance in \
                     the modelling program"
                );
            }
            MeshProblem::Open { open, .. } => match open.flaw {
                EdgeFlaw::Hole => "close it, or make it a solid with `inside: Hollow`: a sheet",
                EdgeFlaw::Turned => "turn the face around, or recalculate the normals outside",
                EdgeFlaw::Crowded => "delete inner walls: faces with the mesh on both sides",
                EdgeFlaw::Split { .. } => "give the split edge a corner there, or remove that one",
            },
            MeshProblem::Beside { .. } => {
                "keep both files in one folder, or export the mesh as one file (.glb)"
            }
            MeshProblem::Format { .. } | MeshProblem::Unreadable { .. } => {
                "export it again, or in another format"
            }
            MeshProblem::NotANumber { .. } | MeshProblem::MissingCoordinate { .. } => {
                "coordinates are numbers such as 0.25 or -1e-3"
            }
            MeshProblem::NotFinite { .. } | MeshProblem::NotFiniteIn { .. } => {
                "repair it in the program that wrote the file"
            }
            MeshProblem::TooFewCorners { .. } => {
                "leave it out, or give it the corners that it lacks"
            }
            MeshProblem::NotAnIndex { .. } | MeshProblem::NoSuchVertex { .. } => {
                "export it again: corners are numbers of vertices of the same file"
            }
            MeshProblem::NoElements => "mesh the shape, and save its elements",
            MeshProblem::NoExtent { .. } => {
                "mesh the shape again, or remove the element and join its nodes"
            }
            MeshProblem::Empty => "export it as polygons: faces of three corners or more",
        };
        text.to_owned()
    }
}
