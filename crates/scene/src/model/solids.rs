//! Solids of a scene; their motions are in [`super::body_motion`].

use super::round_solids::{BallModel, CapsuleModel, ConeModel, CylinderModel};
use crate::model::{BodyMotion, Region, Rotation, Up};
use hashfall_solid::ContactLaw;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A solid obstacle.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub enum SolidModel {
    /// A field of balls.
    SphereField(SphereField),
    /// One ball.
    Ball(BallModel),
    /// A cylinder.
    Cylinder(CylinderModel),
    /// A capsule: all within a radius of a line.
    Capsule(CapsuleModel),
    /// A cone, or a frustum of one.
    Cone(ConeModel),
    /// An axis-aligned box.
    Box(BoxModel),
    /// A closed triangle mesh from a file, scaled, then rotated, then translated.
    Mesh(MeshModel),
    /// A polygon of the plane; in two dimensions only.
    Polygon(PolygonModel),
}

/// Arrangement of the balls of a field.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub enum SphereField {
    /// Random diameters at random positions.
    Random(RandomField),
    /// A list of balls.
    List(Vec<SphereModel>),
    /// A list of balls with a common contact law and motion.
    Balls(BallsModel),
    /// Equal balls on a lattice.
    Lattice(LatticeField),
}

impl SphereField {
    /// Number of balls.
    pub fn count(&self) -> f64 {
        match self {
            SphereField::Random(field) => f64::from(field.count),
            SphereField::List(list) => list.len() as f64,
            SphereField::Balls(balls) => balls.list.len() as f64,
            SphereField::Lattice(field) => field.counts.iter().map(|&n| f64::from(n)).product(),
        }
    }
}

// The distribution is in `hashfall_fill::sphere_field`.
/// Balls of random diameters at random positions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename = "Random", deny_unknown_fields)]
pub struct RandomField {
    /// Name, by which nodes of elastic bodies are tied to it; `None` for its index alone.
    #[serde(default)]
    pub name: Option<String>,
    /// Seed of the random field.
    pub seed: u64,
    /// Number of balls.
    #[schemars(range(min = 1))]
    pub count: u32,
    /// Minimum and maximum diameter \[m\].
    pub diameter: (f64, f64),
    /// Distribution of the diameters.
    #[serde(default)]
    pub sizes: SizeLaw,
    /// Box that contains the balls.
    pub region: Region,
    /// Whether balls may overlap.
    #[serde(default)]
    pub overlap: bool,
    /// Contact law.
    #[serde(default)]
    pub contact: ContactLaw,
    /// Motion of all balls as one rigid body, or, if it is free, of each by itself.
    #[serde(default)]
    pub motion: BodyMotion,
}

/// Distribution of the diameters of random balls between their bounds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum SizeLaw {
    /// Density proportional to D⁻³, so that each octave has the same expected surface area.
    #[default]
    EqualAreas,
    /// All diameters are equally likely.
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

/// A list of balls.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename = "Balls", deny_unknown_fields)]
pub struct BallsModel {
    /// Name, by which nodes of elastic bodies are tied to it; `None` for its index alone.
    #[serde(default)]
    pub name: Option<String>,
    /// The balls.
    pub list: Vec<SphereModel>,
    /// Contact law.
    #[serde(default)]
    pub contact: ContactLaw,
    /// Motion of all balls as one rigid body, or, if it is free, of each by itself.
    #[serde(default)]
    pub motion: BodyMotion,
}

/// Equal balls on a lattice.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename = "Lattice", deny_unknown_fields)]
pub struct LatticeField {
    /// Name, by which nodes of elastic bodies are tied to it; `None` for its index alone.
    #[serde(default)]
    pub name: Option<String>,
    /// Centre of the ball with the lowest coordinates \[m\].
    pub min: [f64; 3],
    /// Distance between centres along each axis \[m\].
    #[schemars(inner(range(min = 1e-6, max = 1e6)))]
    pub spacing: [f64; 3],
    /// Number of balls along each axis.
    #[schemars(inner(range(min = 1)))]
    pub counts: [u32; 3],
    /// Diameter \[m\].
    #[schemars(range(min = 1e-6, max = 1e6))]
    pub diameter: f64,
    /// Contact law.
    #[serde(default)]
    pub contact: ContactLaw,
    /// Motion of all balls as one rigid body, or, if it is free, of each by itself.
    #[serde(default)]
    pub motion: BodyMotion,
}

/// A solid box.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename = "Box", deny_unknown_fields)]
pub struct BoxModel {
    /// Name, by which nodes of elastic bodies are tied to it; `None` for its index alone.
    #[serde(default)]
    pub name: Option<String>,
    /// Lowest corner \[m\].
    pub min: [f64; 3],
    /// Highest corner \[m\].
    pub max: [f64; 3],
    /// Contact law.
    #[serde(default)]
    pub contact: ContactLaw,
    /// Motion.
    #[serde(default)]
    pub motion: BodyMotion,
}

/// A mesh and its placement.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename = "Mesh", deny_unknown_fields)]
pub struct MeshModel {
    /// Name, by which nodes of elastic bodies are tied to it; `None` for its index alone.
    #[serde(default)]
    pub name: Option<String>,
    /// Mesh file, STL, PLY, OBJ, glTF or legacy VTK, relative to the scene file.
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
    /// Whether the interior is solid or hollow.
    #[serde(default)]
    pub inside: Inside,
    /// Contact law.
    #[serde(default)]
    pub contact: ContactLaw,
    /// Motion.
    #[serde(default)]
    pub motion: BodyMotion,
}

/// A solid polygon of the plane.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename = "Polygon", deny_unknown_fields)]
pub struct PolygonModel {
    /// Name, by which nodes of elastic bodies are tied to it; `None` for its index alone.
    #[serde(default)]
    pub name: Option<String>,
    /// Corners (x, z) in order around it, in either sense \[m\].
    pub points: Vec<[f64; 2]>,
    /// Contact law.
    #[serde(default)]
    pub contact: ContactLaw,
    /// Motion.
    #[serde(default)]
    pub motion: BodyMotion,
}

impl SolidModel {
    /// Contact law.
    pub fn contact(&self) -> ContactLaw {
        match self {
            SolidModel::SphereField(SphereField::List(_)) => ContactLaw::default(),
            SolidModel::SphereField(SphereField::Random(field)) => field.contact,
            SolidModel::SphereField(SphereField::Balls(balls)) => balls.contact,
            SolidModel::SphereField(SphereField::Lattice(field)) => field.contact,
            SolidModel::Ball(ball) => ball.contact,
            SolidModel::Cylinder(cylinder) => cylinder.contact,
            SolidModel::Capsule(capsule) => capsule.contact,
            SolidModel::Cone(cone) => cone.contact,
            SolidModel::Box(solid) => solid.contact,
            SolidModel::Mesh(mesh) => mesh.contact,
            SolidModel::Polygon(polygon) => polygon.contact,
        }
    }
}

impl SolidModel {
    /// The kind of solid, as the scene has it.
    pub fn kind(&self) -> &'static str {
        match self {
            SolidModel::SphereField(_) => "SphereField",
            SolidModel::Ball(_) => "Ball",
            SolidModel::Cylinder(_) => "Cylinder",
            SolidModel::Capsule(_) => "Capsule",
            SolidModel::Cone(_) => "Cone",
            SolidModel::Box(_) => "Box",
            SolidModel::Mesh(_) => "Mesh",
            SolidModel::Polygon(_) => "Polygon",
        }
    }

    /// Name, if it has one; a bare list of balls has none.
    pub fn name(&self) -> Option<&str> {
        let name = match self {
            SolidModel::SphereField(SphereField::List(_)) => &None,
            SolidModel::SphereField(SphereField::Random(field)) => &field.name,
            SolidModel::SphereField(SphereField::Balls(balls)) => &balls.name,
            SolidModel::SphereField(SphereField::Lattice(field)) => &field.name,
            SolidModel::Ball(ball) => &ball.name,
            SolidModel::Cylinder(cylinder) => &cylinder.name,
            SolidModel::Capsule(capsule) => &capsule.name,
            SolidModel::Cone(cone) => &cone.name,
            SolidModel::Box(solid) => &solid.name,
            SolidModel::Mesh(mesh) => &mesh.name,
            SolidModel::Polygon(polygon) => &polygon.name,
        };
        name.as_deref()
    }
}

impl SolidModel {
    /// Motion.
    pub fn motion(&self) -> &BodyMotion {
        match self {
            SolidModel::SphereField(SphereField::List(_)) => &BodyMotion::Still,
            SolidModel::SphereField(SphereField::Random(field)) => &field.motion,
            SolidModel::SphereField(SphereField::Balls(balls)) => &balls.motion,
            SolidModel::SphereField(SphereField::Lattice(field)) => &field.motion,
            SolidModel::Ball(ball) => &ball.motion,
            SolidModel::Cylinder(cylinder) => &cylinder.motion,
            SolidModel::Capsule(capsule) => &capsule.motion,
            SolidModel::Cone(cone) => &cone.motion,
            SolidModel::Box(solid) => &solid.motion,
            SolidModel::Mesh(mesh) => &mesh.motion,
            SolidModel::Polygon(polygon) => &polygon.motion,
        }
    }
}

impl SolidModel {
    /// The number of its balls.
    pub fn ball_count(&self) -> f64 {
        match self {
            SolidModel::SphereField(field) => field.count(),
            SolidModel::Ball(_) => 1.0,
            _ => 0.0,
        }
    }

    /// Whether it is a cylinder, a capsule or a cone.
    pub fn is_round(&self) -> bool {
        matches!(self, SolidModel::Cylinder(_) | SolidModel::Capsule(_) | SolidModel::Cone(_))
    }

    /// Whether it is a mesh: from a file, or made of a box or a polygon.
    pub fn has_mesh(&self) -> bool {
        self.is_hollow().is_some()
    }

    /// Whether its mesh is a shell that fluid may fill; `None` if it has no mesh.
    pub fn is_hollow(&self) -> Option<bool> {
        match self {
            SolidModel::SphereField(_) | SolidModel::Ball(_) => None,
            SolidModel::Cylinder(_) | SolidModel::Capsule(_) | SolidModel::Cone(_) => None,
            SolidModel::Box(_) | SolidModel::Polygon(_) => Some(false),
            SolidModel::Mesh(mesh) => Some(mesh.inside == Inside::Hollow),
        }
    }
}

impl SolidModel {
    /// Motion, to be completed; none of a list of balls, which stands.
    pub fn motion_mut(&mut self) -> Option<&mut BodyMotion> {
        match self {
            SolidModel::SphereField(SphereField::List(_)) => None,
            SolidModel::SphereField(SphereField::Random(field)) => Some(&mut field.motion),
            SolidModel::SphereField(SphereField::Balls(balls)) => Some(&mut balls.motion),
            SolidModel::SphereField(SphereField::Lattice(field)) => Some(&mut field.motion),
            SolidModel::Ball(ball) => Some(&mut ball.motion),
            SolidModel::Cylinder(cylinder) => Some(&mut cylinder.motion),
            SolidModel::Capsule(capsule) => Some(&mut capsule.motion),
            SolidModel::Cone(cone) => Some(&mut cone.motion),
            SolidModel::Box(solid) => Some(&mut solid.motion),
            SolidModel::Mesh(mesh) => Some(&mut mesh.motion),
            SolidModel::Polygon(polygon) => Some(&mut polygon.motion),
        }
    }
}

/// Interior of a mesh.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Inside {
    /// Solid.
    #[default]
    Solid,
    /// Hollow: the mesh is a shell that fluid may fill.
    Hollow,
}
