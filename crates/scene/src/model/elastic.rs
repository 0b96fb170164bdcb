//! Elastic bodies of a scene: their materials, fixings, damping and contact. Their shapes are in
//! [`super::elastic_shapes`], what advances them in [`super::elastic_solvers`].

use super::elastic_shapes::ElasticShape;
use super::start::VelocityField;
use hashfall_solid::ContactLaw;
use hashfall_sph::world::SolidReference;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// An elastic body: a rope, a sheet or a solid that bends and stretches.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename = "Elastic", deny_unknown_fields)]
pub struct ElasticModel {
    /// Name in messages and output files.
    pub name: String,
    /// Shape at rest, with its nodes and elements.
    pub shape: ElasticShape,
    /// Material.
    pub material: MaterialModel,
    /// Nodes that do not move freely.
    #[serde(default)]
    pub fixings: Vec<FixingModel>,
    /// Damping.
    #[serde(default)]
    pub damping: DampingModel,
    /// Uniform initial velocity \[m/s\].
    #[serde(default)]
    pub velocity: [f64; 3],
    /// Velocity field that is added to `velocity`.
    #[serde(default)]
    pub initial_velocity: VelocityField,
    /// Contact with solids, walls, other elastic bodies and itself.
    #[serde(default)]
    pub contact: ElasticContact,
    /// Contact of fluid with its triangles, as with solids; its `velocity` is that of its nodes.
    #[serde(default)]
    pub fluid_contact: ContactLaw,
}

/// Material of an elastic body.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename = "Material", deny_unknown_fields)]
pub enum MaterialModel {
    /// Cloth or a thin plate: triangles that stretch, and bend along their edges.
    Shell {
        /// Density at rest \[kg/m³\].
        #[schemars(range(min = 1e-3, max = 1e6))]
        density: f64,
        /// Thickness of the sheet \[m\].
        #[schemars(range(min = 1e-9, max = 1e3))]
        thickness: f64,
        /// Young's modulus \[Pa\].
        #[schemars(range(min = 1e-3, max = 1e13))]
        young_modulus: f64,
        /// Poisson's ratio \[–\].
        #[schemars(range(min = 0.0, max = 0.5))]
        poisson_ratio: f64,
        /// Flexural rigidity D; `None` for that of a solid plate, E t³/(12 (1 − ν²)), which woven
        /// cloth is far below \[N m\].
        #[serde(default)]
        #[schemars(range(min = 0.0, max = 1e12))]
        bending_rigidity: Option<f64>,
    },
    /// A solid of tetrahedra (stable neo-Hookean elasticity).
    Solid {
        /// Density at rest \[kg/m³\].
        #[schemars(range(min = 1e-3, max = 1e6))]
        density: f64,
        /// Young's modulus \[Pa\].
        #[schemars(range(min = 1e-3, max = 1e13))]
        young_modulus: f64,
        /// Poisson's ratio \[–\].
        #[schemars(range(min = 0.0, max = 0.499))]
        poisson_ratio: f64,
        /// Shape functions of the elements.
        #[serde(default)]
        elements: ElementModel,
    },
    /// A rope of a round cross-section: segments that stretch, and bend at their nodes.
    Rope {
        /// Density at rest \[kg/m³\].
        #[schemars(range(min = 1e-3, max = 1e6))]
        density: f64,
        /// Diameter of the cross-section \[m\].
        #[schemars(range(min = 1e-9, max = 1e3))]
        diameter: f64,
        /// Young's modulus \[Pa\].
        #[schemars(range(min = 1e-3, max = 1e13))]
        young_modulus: f64,
        /// Bending stiffness E I; `None` for that of a solid rod, which a rope of fibres is far
        /// below \[N m²\].
        #[serde(default)]
        #[schemars(range(min = 0.0, max = 1e12))]
        bending_stiffness: Option<f64>,
    },
    /// A spring along each edge of the mesh (Ahmad): what comes of it depends on the mesh, and
    /// Poisson's ratio is that of a lattice.
    Springs {
        /// Mass of each node; `None` where `density` gives it \[kg\].
        #[serde(default)]
        #[schemars(range(min = 1e-12, max = 1e9))]
        node_mass: Option<f64>,
        /// Density of the elements, whose masses their nodes share; `None` where `node_mass` is
        /// given \[kg/m³\].
        #[serde(default)]
        #[schemars(range(min = 1e-3, max = 1e6))]
        density: Option<f64>,
        /// Thickness of triangles, and diameter of segments; `None` for a hundredth of the mean
        /// edge \[m\].
        #[serde(default)]
        #[schemars(range(min = 1e-9, max = 1e3))]
        thickness: Option<f64>,
        /// Stiffness of each spring; `None` where `young_modulus` gives it \[N/m\].
        #[serde(default)]
        #[schemars(range(min = 1e-9, max = 1e12))]
        stiffness: Option<f64>,
        /// Young's modulus, from which stiffnesses follow by the volume at each edge; `None` where
        /// `stiffness` is given \[Pa\].
        #[serde(default)]
        #[schemars(range(min = 1e-3, max = 1e13))]
        young_modulus: Option<f64>,
        /// Stiffness of springs across the inner edges of a sheet, which resist bending, as a part
        /// of that of its edges \[–\].
        #[serde(default)]
        #[schemars(range(min = 0.0, max = 10.0))]
        bending: f64,
    },
}

/// Shape functions of tetrahedra.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum ElementModel {
    /// Ten nodes: six more in the middles of edges.
    #[default]
    Quadratic,
    /// Four nodes: far too stiff in bending, unless there are very many.
    Linear,
}

/// Nodes of an elastic body that do not move freely.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename = "Fixing", deny_unknown_fields)]
pub enum FixingModel {
    /// Nodes that stay where they start.
    Fixed {
        /// Which nodes.
        nodes: NodeSelection,
    },
    /// Nodes that go along with a solid.
    Tied {
        /// Which nodes.
        nodes: NodeSelection,
        /// Name of the solid, or its index in `solids`.
        to: SolidReference,
    },
}

/// Nodes of an elastic body, by where they start, by their numbers or by a name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub enum NodeSelection {
    /// All in a box, its faces included.
    Box {
        /// Lowest corner \[m\].
        min: [f64; 3],
        /// Highest corner \[m\].
        max: [f64; 3],
    },
    /// All in a ball, its surface included.
    Ball {
        /// Centre \[m\].
        centre: [f64; 3],
        /// Radius \[m\].
        #[schemars(range(min = 1e-9, max = 1e6))]
        radius: f64,
    },
    /// Those of these numbers, counted from 0.
    Indices(Vec<u32>),
    /// Those of the elements of a physical group of the mesh file (Gmsh), by its name, or by its
    /// number if it has none.
    Group(String),
}

/// Damping of an elastic body (Rayleigh).
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename = "Damping", default, deny_unknown_fields)]
pub struct DampingModel {
    /// Rate α at which all velocities decay, as in thin air \[1/s\].
    #[schemars(range(min = 0.0, max = 1e6))]
    pub rate: f64,
    /// Damping time β: the rate of strain acts as so much strain does, which damps vibrations and
    /// no motion of the body as a whole \[s\].
    #[schemars(range(min = 0.0, max = 1e3))]
    pub time: f64,
}

/// Contact of an elastic body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename = "ElasticContact", default, deny_unknown_fields)]
pub struct ElasticContact {
    /// Thickness in contact: the body reaches half of it beyond its nodes, edges and triangles;
    /// `None` for that of the material, of solids a hundredth of their mean edge \[m\].
    #[schemars(range(min = 1e-9, max = 1e3))]
    pub thickness: Option<f64>,
    /// Coulomb's μ \[–\].
    #[schemars(range(min = 0.0, max = 1e3))]
    pub friction: f64,
}

impl MaterialModel {
    /// The name in the scene.
    pub fn name(&self) -> &'static str {
        match self {
            MaterialModel::Shell { .. } => "Shell",
            MaterialModel::Solid { .. } => "Solid",
            MaterialModel::Rope { .. } => "Rope",
            MaterialModel::Springs { .. } => "Springs",
        }
    }
}

impl FixingModel {
    /// Which nodes it holds.
    pub fn nodes(&self) -> &NodeSelection {
        match self {
            FixingModel::Fixed { nodes } | FixingModel::Tied { nodes, .. } => nodes,
        }
    }
}
