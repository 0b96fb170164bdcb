//! Shapes of elastic bodies at rest, with their nodes and elements.

use super::domain::{Rotation, Up};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::f64::consts::PI;

/// Shape of an elastic body at rest.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub enum ElasticShape {
    /// A sheet of triangles over a parallelogram.
    Sheet(SheetShape),
    /// A line of segments.
    Line(LineShape),
    /// Two ropes with rungs between them.
    Ladder(LadderShape),
    /// A box of tetrahedra.
    Box(ElasticBoxShape),
    /// A box of masses on a lattice, with springs along edges and diagonals.
    Lattice(ElasticBoxShape),
    /// A closed shell of triangles around a ball.
    BallShell(BallShellShape),
    /// A solid that is filled with tetrahedra (isosurface stuffing).
    Tetrahedra(TetrahedraShape),
    /// The elements of a mesh file: lines, triangles and tetrahedra, scaled, then rotated, then
    /// translated.
    Mesh(ElasticMeshShape),
}

/// A sheet of triangles over a parallelogram.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename = "Sheet", deny_unknown_fields)]
pub struct SheetShape {
    /// One corner \[m\].
    pub origin: [f64; 3],
    /// One edge, from that corner \[m\].
    pub u: [f64; 3],
    /// The other edge, from that corner \[m\].
    pub v: [f64; 3],
    /// Number of cells along both edges, each of two triangles.
    #[schemars(inner(range(min = 1, max = 10_000)))]
    pub cells: [u32; 2],
}

/// A line of segments.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename = "Line", deny_unknown_fields)]
pub struct LineShape {
    /// One end \[m\].
    pub from: [f64; 3],
    /// The other end \[m\].
    pub to: [f64; 3],
    /// Number of segments.
    #[schemars(range(min = 1, max = 1_000_000))]
    pub segments: u32,
}

/// Two ropes with rungs between them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename = "Ladder", deny_unknown_fields)]
pub struct LadderShape {
    /// One end of the first rope \[m\].
    pub from: [f64; 3],
    /// Its other end \[m\].
    pub to: [f64; 3],
    /// From the first rope to the second \[m\].
    pub across: [f64; 3],
    /// Number of rungs.
    #[schemars(range(min = 1, max = 100_000))]
    pub rungs: u32,
    /// Number of segments of a rope from half-way between two rungs to the next rung.
    #[schemars(range(min = 1, max = 10_000))]
    pub segments: u32,
    /// Number of segments of a rung.
    #[schemars(range(min = 1, max = 10_000))]
    pub rung_segments: u32,
}

/// A closed shell of triangles around a ball: an icosahedron whose edges are halved.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename = "BallShell", deny_unknown_fields)]
pub struct BallShellShape {
    /// Centre \[m\].
    pub centre: [f64; 3],
    /// Radius \[m\].
    #[schemars(range(min = 1e-6, max = 1e6))]
    pub radius: f64,
    /// How often edges are halved, which gives 20·4ⁿ triangles.
    #[schemars(range(min = 0, max = 9))]
    pub subdivisions: u32,
}

/// A box of cells.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename = "Box", deny_unknown_fields)]
pub struct ElasticBoxShape {
    /// Lowest corner \[m\].
    pub min: [f64; 3],
    /// Highest corner \[m\].
    pub max: [f64; 3],
    /// Number of cells along each axis.
    #[schemars(inner(range(min = 1, max = 1000)))]
    pub cells: [u32; 3],
}

/// A solid that is filled with tetrahedra.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename = "Tetrahedra", deny_unknown_fields)]
pub struct TetrahedraShape {
    /// What is filled.
    pub of: SolidShape,
    /// Spacing of the lattice: about the longest edge inside \[m\].
    #[schemars(range(min = 1e-6, max = 1e6))]
    pub cell: f64,
}

/// A shape that is filled with tetrahedra.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub enum SolidShape {
    /// A ball.
    Ball {
        /// Centre \[m\].
        centre: [f64; 3],
        /// Radius \[m\].
        #[schemars(range(min = 1e-6, max = 1e6))]
        radius: f64,
    },
    /// A cylinder.
    Cylinder {
        /// Centre of one end \[m\].
        from: [f64; 3],
        /// Centre of the other end \[m\].
        to: [f64; 3],
        /// Radius \[m\].
        #[schemars(range(min = 1e-6, max = 1e6))]
        radius: f64,
    },
    /// A capsule: all within a radius of a line.
    Capsule {
        /// Centre of the half ball at one end \[m\].
        from: [f64; 3],
        /// Centre of the half ball at the other end \[m\].
        to: [f64; 3],
        /// Radius \[m\].
        #[schemars(range(min = 1e-6, max = 1e6))]
        radius: f64,
    },
    /// A cone, or a frustum of one.
    Cone {
        /// Centre of the base \[m\].
        from: [f64; 3],
        /// The tip, or the centre of the end of a frustum \[m\].
        to: [f64; 3],
        /// Radius of the base \[m\].
        #[schemars(range(min = 1e-6, max = 1e6))]
        radius: f64,
        /// Radius at the tip, positive for a frustum \[m\].
        #[serde(default)]
        #[schemars(range(min = 0.0, max = 1e6))]
        tip_radius: f64,
    },
    /// An axis-aligned box.
    Box {
        /// Lowest corner \[m\].
        min: [f64; 3],
        /// Highest corner \[m\].
        max: [f64; 3],
    },
    /// The interior of a closed triangle mesh from a file, scaled, then rotated, then translated.
    Mesh(ElasticMeshShape),
}

/// A mesh from a file and its placement.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename = "Mesh", deny_unknown_fields)]
pub struct ElasticMeshShape {
    /// Mesh file, relative to the scene file: STL, PLY, OBJ, glTF or VTK; for elements Gmsh's
    /// `.msh` 4.1 or 2.2, whose physical groups are groups of nodes, or legacy VTK.
    pub path: String,
    /// Axis of the file that points up, turned onto z first; `None` for that of its format: y
    /// of glTF, z of all others.
    #[serde(default)]
    pub up: Option<Up>,
    /// Scale factor, applied first \[–\].
    #[serde(default = "super::domain::one")]
    #[schemars(range(min = 1e-9, max = 1e9))]
    pub scale: f64,
    /// Rotation about the origin, applied second.
    #[serde(default)]
    pub rotate: Rotation,
    /// Translation, applied last \[m\].
    #[serde(default)]
    pub translate: [f64; 3],
}

impl ElasticShape {
    /// The name in the scene.
    pub fn name(&self) -> &'static str {
        match self {
            ElasticShape::Sheet(_) => "Sheet",
            ElasticShape::Line(_) => "Line",
            ElasticShape::Ladder(_) => "Ladder",
            ElasticShape::Box(_) => "Box",
            ElasticShape::Lattice(_) => "Lattice",
            ElasticShape::BallShell(_) => "BallShell",
            ElasticShape::Tetrahedra(_) => "Tetrahedra",
            ElasticShape::Mesh(_) => "Mesh",
        }
    }

    /// The mesh file that it comes from, if there is one, with the end of its key path.
    pub fn file(&self) -> Option<(&'static str, &ElasticMeshShape)> {
        match self {
            ElasticShape::Mesh(mesh) => Some(("", mesh)),
            ElasticShape::Tetrahedra(TetrahedraShape { of: SolidShape::Mesh(mesh), .. }) => {
                Some((".of", mesh))
            }
            _ => None,
        }
    }

    /// As [`ElasticShape::file`], to be changed.
    pub fn file_mut(&mut self) -> Option<&mut ElasticMeshShape> {
        match self {
            ElasticShape::Mesh(mesh) => Some(mesh),
            ElasticShape::Tetrahedra(TetrahedraShape { of: SolidShape::Mesh(mesh), .. }) => {
                Some(mesh)
            }
            _ => None,
        }
    }
}

impl SolidShape {
    /// Its volume \[m³\]; 0 of a mesh, which is known when its file is read.
    pub fn volume(&self) -> f64 {
        let length = |from: &[f64; 3], to: &[f64; 3]| {
            (0..3).map(|a| (to[a] - from[a]).powi(2)).sum::<f64>().sqrt()
        };
        match self {
            SolidShape::Ball { radius, .. } => 4.0 / 3.0 * PI * radius.powi(3),
            SolidShape::Cylinder { from, to, radius } => PI * radius.powi(2) * length(from, to),
            SolidShape::Capsule { from, to, radius } => {
                PI * radius.powi(2) * (length(from, to) + 4.0 / 3.0 * radius)
            }
            SolidShape::Cone { from, to, radius: r, tip_radius: tip } => {
                PI / 3.0 * (r * r + r * tip + tip * tip) * length(from, to)
            }
            SolidShape::Box { min, max } => (0..3).map(|a| max[a] - min[a]).product(),
            SolidShape::Mesh(_) => 0.0,
        }
    }
}
