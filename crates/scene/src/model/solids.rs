//! What a scene file says of its solids; how they move stands in [`super::body_motion`].

use crate::model::{BodyMotion, Region, Rotation};
use hashfall_solid::ContactLaw;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Obstacles.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub enum SolidModel {
    /// Many balls.
    SphereField(SphereField),
    /// An axis-aligned box.
    Box(BoxModel),
    /// A closed triangle mesh from an OBJ file, scaled, then rotated, then moved.
    Mesh(MeshModel),
}

/// Where the balls of a field lie.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub enum SphereField {
    /// Random diameters at random places.
    Random(RandomField),
    /// One by one.
    List(Vec<SphereModel>),
    /// One by one, with keys for all of them.
    Balls(BallsModel),
    /// Equal balls on a lattice.
    Lattice(LatticeField),
}

impl SphereField {
    /// How many balls it asks for.
    pub fn count(&self) -> f64 {
        match self {
            SphereField::Random(field) => f64::from(field.count),
            SphereField::List(list) => list.len() as f64,
            SphereField::Balls(balls) => balls.list.len() as f64,
            SphereField::Lattice(field) => field.counts.iter().map(|&n| f64::from(n)).product(),
        }
    }
}

// The distribution is in `super::sphere_field`.
/// Balls of random diameters at random places.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename = "Random", deny_unknown_fields)]
pub struct RandomField {
    /// The same seed gives the same field.
    pub seed: u64,
    /// Number of balls.
    #[schemars(range(min = 1))]
    pub count: u32,
    /// Least and largest diameter \[m\].
    pub diameter: (f64, f64),
    /// How often each diameter is.
    #[serde(default)]
    pub sizes: SizeLaw,
    /// No ball reaches out of this box.
    pub region: Region,
    /// Whether balls may overlap.
    #[serde(default)]
    pub overlap: bool,
    /// How they act on fluid that touches them.
    #[serde(default)]
    pub contact: ContactLaw,
    /// How they move, all as one body.
    #[serde(default)]
    pub motion: BodyMotion,
}

/// How the diameters of random balls are distributed between their bounds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum SizeLaw {
    /// Each octave of size has the same expected surface area: a density in proportion to D⁻³.
    #[default]
    EqualAreas,
    /// Each diameter is as likely.
    Uniform,
}

/// One ball.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename = "Sphere", deny_unknown_fields)]
pub struct SphereModel {
    /// Centre \[m\].
    pub centre: [f64; 3],
    /// Radius \[m\].
    #[schemars(range(min = 1e-6, max = 1e6))]
    pub radius: f64,
}

/// Balls one by one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename = "Balls", deny_unknown_fields)]
pub struct BallsModel {
    /// The balls.
    pub list: Vec<SphereModel>,
    /// How they act on fluid that touches them.
    #[serde(default)]
    pub contact: ContactLaw,
    /// How they move, all as one body.
    #[serde(default)]
    pub motion: BodyMotion,
}

/// Equal balls on a lattice.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename = "Lattice", deny_unknown_fields)]
pub struct LatticeField {
    /// Centre of the lowest ball \[m\].
    pub min: [f64; 3],
    /// From centre to centre along each axis \[m\].
    #[schemars(inner(range(min = 1e-6, max = 1e6)))]
    pub spacing: [f64; 3],
    /// Number of balls along each axis.
    #[schemars(inner(range(min = 1)))]
    pub counts: [u32; 3],
    /// Their diameter \[m\].
    #[schemars(range(min = 1e-6, max = 1e6))]
    pub diameter: f64,
    /// How they act on fluid that touches them.
    #[serde(default)]
    pub contact: ContactLaw,
    /// How they move, all as one body.
    #[serde(default)]
    pub motion: BodyMotion,
}

/// A solid box.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename = "Box", deny_unknown_fields)]
pub struct BoxModel {
    /// Lowest corner \[m\].
    pub min: [f64; 3],
    /// Highest corner \[m\].
    pub max: [f64; 3],
    /// How it acts on fluid that touches it.
    #[serde(default)]
    pub contact: ContactLaw,
    /// How it moves.
    #[serde(default)]
    pub motion: BodyMotion,
}

/// A mesh and how it is placed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename = "Mesh", deny_unknown_fields)]
pub struct MeshModel {
    /// OBJ file, relative to the scene file.
    pub path: String,
    /// Factor on all lengths, first \[–\].
    #[serde(default = "super::domain::one")]
    #[schemars(range(min = 1e-9, max = 1e9))]
    pub scale: f64,
    /// Rotation about the origin, second.
    #[serde(default)]
    pub rotate: Rotation,
    /// Displacement, last \[m\].
    #[serde(default)]
    pub translate: [f64; 3],
    /// Whether there is room for fluid in it.
    #[serde(default)]
    pub inside: Inside,
    /// How it acts on fluid that touches it.
    #[serde(default)]
    pub contact: ContactLaw,
    /// How it moves.
    #[serde(default)]
    pub motion: BodyMotion,
}

impl SolidModel {
    /// How it acts on fluid that touches it.
    pub fn contact(&self) -> ContactLaw {
        match self {
            SolidModel::SphereField(SphereField::List(_)) => ContactLaw::default(),
            SolidModel::SphereField(SphereField::Random(field)) => field.contact,
            SolidModel::SphereField(SphereField::Balls(balls)) => balls.contact,
            SolidModel::SphereField(SphereField::Lattice(field)) => field.contact,
            SolidModel::Box(solid) => solid.contact,
            SolidModel::Mesh(mesh) => mesh.contact,
        }
    }
}

impl SolidModel {
    /// How it moves.
    pub fn motion(&self) -> &BodyMotion {
        match self {
            SolidModel::SphereField(SphereField::List(_)) => &BodyMotion::Still,
            SolidModel::SphereField(SphereField::Random(field)) => &field.motion,
            SolidModel::SphereField(SphereField::Balls(balls)) => &balls.motion,
            SolidModel::SphereField(SphereField::Lattice(field)) => &field.motion,
            SolidModel::Box(solid) => &solid.motion,
            SolidModel::Mesh(mesh) => &mesh.motion,
        }
    }
}

/// What a mesh encloses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Inside {
    /// More of the solid.
    #[default]
    Solid,
    /// Room for fluid: the mesh is a shell.
    Hollow,
}
