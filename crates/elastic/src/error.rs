//! What can be wrong with elastic bodies.

use crate::mesh::MeshError;
use hashfall_geometry::Point;
use thiserror::Error;

/// Why a material cannot be given to a mesh.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum MaterialError {
    /// A parameter is out of range.
    #[error("`{name}` is {value}; it must be {range}")]
    Parameter {
        /// As scenes call it.
        name: &'static str,
        /// What it is.
        value: f64,
        /// What it may be.
        range: &'static str,
    },
    /// The mesh has nothing of what the material is for.
    #[error("the mesh has no {elements}, of which {material} are made")]
    NoElements {
        /// What is missing, in the plural.
        elements: &'static str,
        /// What would be made of it.
        material: &'static str,
    },
    /// Three triangles of a shell meet at an edge.
    #[error(
        "more than two triangles of the mesh meet at the edge of nodes {} and {}, at {place:?}: a \
         shell must be a surface; make each sheet a body, or use springs",
        nodes[0],
        nodes[1]
    )]
    NotASurface {
        /// Of the edge, in the mesh.
        nodes: [u32; 2],
        /// The first of them \[m\].
        place: [f64; 3],
    },
    /// An element has no extent.
    #[error("{element} {index} of the mesh has no {extent}, at {place:?}")]
    Degenerate {
        /// The kind of element.
        element: &'static str,
        /// Its number in the mesh, from 0.
        index: usize,
        /// What it lacks.
        extent: &'static str,
        /// A corner \[m\].
        place: [f64; 3],
    },
}

/// Why a system of elastic bodies cannot be built.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum BuildError {
    /// Of a material.
    #[error("elastic body `{body}`: {error}")]
    Material {
        /// Its name.
        body: String,
        /// What is wrong.
        #[source]
        error: MaterialError,
    },
    /// Of a mesh.
    #[error("elastic body `{body}`: {error}")]
    Mesh {
        /// Its name.
        body: String,
        /// What is wrong.
        #[source]
        error: MeshError,
    },
    /// A node that no material gives mass.
    #[error(
        "elastic body `{body}`: node {node} at {place:?} has no mass: no element of a material \
         holds it"
    )]
    NoMass {
        /// Its name.
        body: String,
        /// The node in the body's mesh, from 0.
        node: usize,
        /// Where it is \[m\].
        place: [f64; 3],
    },
    /// A fixing of a node that is not there.
    #[error("elastic body `{body}`: node {node} is fixed, but it has {count} nodes, from 0")]
    FixedNode {
        /// Its name.
        body: String,
        /// The node in the body's mesh.
        node: u32,
        /// How many there are.
        count: usize,
    },
    /// A node that is fixed more than once.
    #[error("elastic body `{body}`: node {node} is fixed twice")]
    FixedTwice {
        /// Its name.
        body: String,
        /// The node in the body's mesh.
        node: u32,
    },
    /// More nodes than numbers for them.
    #[error("there are more than 2³² nodes or corners of elements")]
    TooMany,
}

/// A vector with six figures.
pub(crate) fn show(vector: &[f64; 3]) -> String {
    let [x, y, z] = vector.map(|c| hashfall_core::format_significant(c, 6));
    format!("({x}, {y}, {z})")
}

/// A place as messages show it.
pub(crate) fn place(x: &Point) -> [f64; 3] {
    [x.x, x.y, x.z]
}
