//! Solids of a scene; their motions are in [`super::body_motion`].

use super::body_motion::BodyMotion;
use super::domain::{Rotation, Up};
use super::round_solids::{BallModel, CapsuleModel, ConeModel, CylinderModel};
use super::solid_keys::{SolidKeys, solid};
use super::sphere_fields::SphereField;
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

solid! {
    /// A solid box.
    BoxModel as "Box" {
        /// Lowest corner \[m\].
        min: [f64; 3],
        /// Highest corner \[m\].
        max: [f64; 3],
    }
    /// Motion.
    motion
}

solid! {
    /// A mesh and its placement.
    MeshModel as "Mesh" {
        /// Mesh file, STL, PLY, OBJ, glTF, VTK (`.vtk`, `.vtp`, `.vtu`) or Gmsh (`.msh`), relative
        /// to the scene file.
        path: String,
        /// Axis of the file that points up, turned onto z first; `None` for that of its format: y
        /// of glTF, z of all others.
        #[serde(default)]
        up: Option<Up>,
        /// Scale factor, applied first \[–\].
        #[serde(default = "super::domain::one")]
        #[schemars(range(min = 1e-9, max = 1e9))]
        scale: f64,
        /// Rotation about the origin, applied second.
        #[serde(default)]
        rotate: Rotation,
        /// Translation, applied last \[m\].
        #[serde(default)]
        translate: [f64; 3],
        /// Whether the interior is solid or hollow.
        #[serde(default)]
        inside: Inside,
    }
    /// Motion.
    motion
}

solid! {
    /// A solid polygon of the plane.
    PolygonModel as "Polygon" {
        /// Corners (x, z) in order around it, in either sense \[m\].
        points: Vec<[f64; 2]>,
    }
    /// Motion.
    motion
}

impl SolidModel {
    /// The keys that every solid has; none of a bare list of balls.
    fn keys(&self) -> Option<&dyn SolidKeys> {
        Some(match self {
            SolidModel::SphereField(SphereField::List(_)) => return None,
            SolidModel::SphereField(SphereField::Random(it)) => it,
            SolidModel::SphereField(SphereField::Balls(it)) => it,
            SolidModel::SphereField(SphereField::Lattice(it)) => it,
            SolidModel::Ball(it) => it,
            SolidModel::Cylinder(it) => it,
            SolidModel::Capsule(it) => it,
            SolidModel::Cone(it) => it,
            SolidModel::Box(it) => it,
            SolidModel::Mesh(it) => it,
            SolidModel::Polygon(it) => it,
        })
    }

    /// As [`Self::keys`], to be changed.
    fn keys_mut(&mut self) -> Option<&mut dyn SolidKeys> {
        Some(match self {
            SolidModel::SphereField(SphereField::List(_)) => return None,
            SolidModel::SphereField(SphereField::Random(it)) => it,
            SolidModel::SphereField(SphereField::Balls(it)) => it,
            SolidModel::SphereField(SphereField::Lattice(it)) => it,
            SolidModel::Ball(it) => it,
            SolidModel::Cylinder(it) => it,
            SolidModel::Capsule(it) => it,
            SolidModel::Cone(it) => it,
            SolidModel::Box(it) => it,
            SolidModel::Mesh(it) => it,
            SolidModel::Polygon(it) => it,
        })
    }

    /// Name, if it has one; a bare list of balls has none.
    pub fn name(&self) -> Option<&str> {
        self.keys()?.name()
    }

    /// Contact law.
    pub fn contact(&self) -> ContactLaw {
        self.keys().map_or_else(ContactLaw::default, |keys| keys.contact())
    }

    /// Motion.
    pub fn motion(&self) -> &BodyMotion {
        self.keys().map_or(&BodyMotion::Still, |keys| keys.motion())
    }

    /// Motion, to be completed; none of a list of balls, which stands.
    pub fn motion_mut(&mut self) -> Option<&mut BodyMotion> {
        self.keys_mut().map(|keys| keys.motion_mut())
    }

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

/// Interior of a mesh.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Inside {
    /// Solid.
    #[default]
    Solid,
    /// Hollow: the mesh is a shell that fluid may fill.
    Hollow,
}
