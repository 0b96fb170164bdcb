//! Fluids of a scene: materials, initial shapes and interfacial tensions.

use crate::model::{Region, Rotation};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A fluid and its initial shapes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename = "Fluid", deny_unknown_fields)]
pub struct FluidModel {
    /// Name in messages and output files.
    pub name: String,
    /// Rest density \[kg/m³\].
    #[schemars(range(min = 1e-3, max = 1e6))]
    pub rest_density: f64,
    /// Kinematic viscosity \[m²/s\].
    #[schemars(range(min = 0.0, max = 1e4))]
    pub viscosity: f64,
    /// Surface tension with air, which is not simulated \[N/m\].
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 1e3))]
    pub surface_tension: f64,
    /// Stiffness k, for the solver `Multiphase` only; `None` for that of the solver \[m²/s²\].
    #[serde(default)]
    #[schemars(range(min = 1e-6, max = 1e10))]
    pub stiffness: Option<f64>,
    /// Shapes filled at the start; may be empty for a fluid that is emitted later.
    #[serde(default)]
    pub shapes: Vec<FluidShape>,
}

/// Interfacial tension between two fluids.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename = "Interface", deny_unknown_fields)]
pub struct InterfaceModel {
    /// Names of the two fluids.
    pub between: (String, String),
    /// Interfacial tension \[N/m\].
    #[schemars(range(min = 1e-9, max = 1e3))]
    pub tension: f64,
}

/// An initial shape of fluid.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub enum FluidShape {
    /// An axis-aligned box.
    Box {
        /// Lowest corner \[m\].
        min: [f64; 3],
        /// Highest corner \[m\].
        max: [f64; 3],
        /// Uniform initial velocity \[m/s\].
        #[serde(default)]
        velocity: [f64; 3],
        /// Initial pressure.
        #[serde(default)]
        pressure: StartPressure,
        /// Velocity field that is added to `velocity`.
        #[serde(default)]
        initial_velocity: VelocityField,
        /// Random displacements of the particles; `None` for none.
        #[serde(default)]
        jitter: Option<Jitter>,
        /// Whether the shape takes the particles of other shapes inside it instead of a lattice of
        /// its own.
        #[serde(default)]
        replaces: bool,
    },
    /// A ball.
    Ball {
        /// Centre \[m\].
        centre: [f64; 3],
        /// Radius \[m\].
        #[schemars(range(min = 1e-6, max = 1e6))]
        radius: f64,
        /// Uniform initial velocity \[m/s\].
        #[serde(default)]
        velocity: [f64; 3],
        /// Velocity field that is added to `velocity`.
        #[serde(default)]
        initial_velocity: VelocityField,
        /// Random displacements of the particles; `None` for none.
        #[serde(default)]
        jitter: Option<Jitter>,
        /// Whether the shape takes the particles of other shapes inside it instead of a lattice of
        /// its own.
        #[serde(default)]
        replaces: bool,
    },
    /// The interior of a closed triangle mesh from an OBJ file, scaled, then rotated, then
    /// translated.
    Mesh {
        /// OBJ file, relative to the scene file.
        path: String,
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
        /// Uniform initial velocity \[m/s\].
        #[serde(default)]
        velocity: [f64; 3],
        /// Velocity field that is added to `velocity`.
        #[serde(default)]
        initial_velocity: VelocityField,
        /// Random displacements of the particles; `None` for none.
        #[serde(default)]
        jitter: Option<Jitter>,
        /// Whether the shape takes the particles of other shapes inside it instead of a lattice of
        /// its own.
        #[serde(default)]
        replaces: bool,
    },
    /// The interior of a polygon of the plane; in two dimensions only.
    Polygon {
        /// Corners (x, z) in order around it, in either sense \[m\].
        points: Vec<[f64; 2]>,
        /// Uniform initial velocity \[m/s\].
        #[serde(default)]
        velocity: [f64; 3],
        /// Velocity field that is added to `velocity`.
        #[serde(default)]
        initial_velocity: VelocityField,
        /// Random displacements of the particles; `None` for none.
        #[serde(default)]
        jitter: Option<Jitter>,
        /// Whether the shape takes the particles of other shapes inside it instead of a lattice of
        /// its own.
        #[serde(default)]
        replaces: bool,
    },
    /// Particles at random positions in a box, for the solver `Ballistic` only.
    Random {
        /// Seed of the random positions.
        seed: u64,
        /// Number of particles before those in solids are removed.
        count: u32,
        /// Box that contains the particles.
        region: Region,
        /// Uniform initial velocity \[m/s\].
        #[serde(default)]
        velocity: [f64; 3],
    },
}

impl FluidShape {
    /// Whether it is the interior of a mesh: one from a file, or the prism over a polygon.
    pub fn has_mesh(&self) -> bool {
        matches!(self, FluidShape::Mesh { .. } | FluidShape::Polygon { .. })
    }
}

// The formulas are in `layout::velocity_field`.
/// An initial velocity field.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub enum VelocityField {
    /// Zero.
    #[default]
    Still,
    /// A linear field, such as a rotation or a strain.
    Linear {
        /// Point of zero velocity \[m\].
        centre: [f64; 3],
        /// Rows of the velocity gradient \[1/s\].
        rows: [[f64; 3]; 3],
    },
    /// Taylor–Green vortices in the planes of x and z.
    TaylorGreen {
        /// Maximum speed \[m/s\].
        #[schemars(range(min = -1e4, max = 1e4))]
        speed: f64,
        /// Edge length of a cell of four vortices \[m\].
        #[schemars(range(min = 1e-6, max = 1e6))]
        wavelength: f64,
    },
    /// A linear standing wave along x at an instant when the surface is flat.
    StandingWave {
        /// Amplitude of the surface elevation \[m\].
        #[schemars(range(min = -1e6, max = 1e6))]
        amplitude: f64,
        /// Wavelength \[m\].
        #[schemars(range(min = 1e-6, max = 1e6))]
        wavelength: f64,
        /// Depth of the water at rest \[m\].
        #[schemars(range(min = 1e-6, max = 1e6))]
        depth: f64,
        /// Height of the floor \[m\].
        #[schemars(range(min = -1e6, max = 1e6))]
        bottom: f64,
    },
    /// A linear wave along x at the interface of two layers, at an instant when it is flat.
    InterfaceWave {
        /// Maximum vertical speed of the interface \[m/s\].
        #[schemars(range(min = -1e4, max = 1e4))]
        speed: f64,
        /// Wavelength \[m\].
        #[schemars(range(min = 1e-6, max = 1e6))]
        wavelength: f64,
        /// Height of the interface \[m\].
        #[schemars(range(min = -1e6, max = 1e6))]
        interface: f64,
        /// Depth of the lower layer \[m\].
        #[schemars(range(min = 1e-6, max = 1e6))]
        below: f64,
        /// Depth of the upper layer \[m\].
        #[schemars(range(min = 1e-6, max = 1e6))]
        above: f64,
    },
}

/// Random displacements, uniform in a cube around each lattice site.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Jitter {
    /// Seed of the random displacements.
    pub seed: u64,
    /// Half the edge length of the cube, in particle spacings.
    #[schemars(range(min = 0.0, max = 0.25))]
    pub amount: f64,
}

/// Initial pressure in a shape of fluid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum StartPressure {
    /// Zero pressure: a lattice at rest density.
    #[default]
    Zero,
    /// Hydrostatic pressure of the fluid above, in the shape and in other hydrostatic boxes over
    /// its centre.
    Hydrostatic,
}
