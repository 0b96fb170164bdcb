//! What a scene file says of its fluids: what they are, where they start, what pulls between them.

use crate::model::{Region, Rotation};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A material and where it starts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename = "Fluid", deny_unknown_fields)]
pub struct FluidModel {
    /// A name, for messages and outputs.
    pub name: String,
    /// Rest density \[kg/m³\].
    #[schemars(range(min = 1e-3, max = 1e6))]
    pub rest_density: f64,
    /// Kinematic viscosity \[m²/s\].
    #[schemars(range(min = 0.0, max = 1e4))]
    pub viscosity: f64,
    /// Surface tension with the air, which is not simulated \[N/m\].
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 1e3))]
    pub surface_tension: f64,
    /// Stiffness k, for the solver `Multiphase` alone; `None` takes that of the solver \[m²/s²\].
    #[serde(default)]
    #[schemars(range(min = 1e-6, max = 1e10))]
    pub stiffness: Option<f64>,
    /// What it fills at the start; nothing of a fluid that is emitted later.
    #[serde(default)]
    pub shapes: Vec<FluidShape>,
}

/// What pulls where two fluids meet.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename = "Interface", deny_unknown_fields)]
pub struct InterfaceModel {
    /// The names of the two.
    pub between: (String, String),
    /// Their interfacial tension \[N/m\].
    #[schemars(range(min = 1e-9, max = 1e3))]
    pub tension: f64,
}

/// A piece of fluid at the start.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub enum FluidShape {
    /// An axis-aligned box.
    Box {
        /// Lowest corner \[m\].
        min: [f64; 3],
        /// Highest corner \[m\].
        max: [f64; 3],
        /// Velocity at the start \[m/s\].
        #[serde(default)]
        velocity: [f64; 3],
        /// Pressure at the start.
        #[serde(default)]
        pressure: StartPressure,
        /// What is added to the velocity, by place.
        #[serde(default)]
        initial_velocity: VelocityField,
        /// Random displacements; none if `None`.
        #[serde(default)]
        jitter: Option<Jitter>,
        /// Whether particles of other shapes in it become its own, in place of a lattice of its
        /// own.
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
        /// Velocity at the start \[m/s\].
        #[serde(default)]
        velocity: [f64; 3],
        /// What is added to the velocity, by place.
        #[serde(default)]
        initial_velocity: VelocityField,
        /// Random displacements; none if `None`.
        #[serde(default)]
        jitter: Option<Jitter>,
        /// Whether particles of other shapes in it become its own, in place of a lattice of its
        /// own.
        #[serde(default)]
        replaces: bool,
    },
    /// The inside of a closed triangle mesh from an OBJ file, scaled, then rotated, then moved.
    Mesh {
        /// OBJ file, relative to the scene file.
        path: String,
        /// Factor on all lengths, first \[–\].
        #[serde(default = "super::domain::one")]
        #[schemars(range(min = 1e-9, max = 1e9))]
        scale: f64,
        /// Rotation about the origin, second.
        #[serde(default)]
        rotate: Rotation,
        /// Displacement, last \[m\].
        #[serde(default)]
        translate: [f64; 3],
        /// Velocity at the start \[m/s\].
        #[serde(default)]
        velocity: [f64; 3],
        /// What is added to the velocity, by place.
        #[serde(default)]
        initial_velocity: VelocityField,
        /// Random displacements; none if `None`.
        #[serde(default)]
        jitter: Option<Jitter>,
        /// Whether particles of other shapes in it become its own, in place of a lattice of its
        /// own.
        #[serde(default)]
        replaces: bool,
    },
    /// Particles at random places of a box, for `Ballistic` alone: others would have them burst.
    Random {
        /// The same seed gives the same places.
        seed: u64,
        /// Particles, before those in solids are left out.
        count: u32,
        /// Particles lie inside, by their radius.
        region: Region,
        /// Velocity at the start \[m/s\].
        #[serde(default)]
        velocity: [f64; 3],
    },
}

// The formulas are in `super::motion`.
/// A velocity field at the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub enum VelocityField {
    /// None.
    #[default]
    Still,
    /// A linear field: rotation, strain.
    Linear {
        /// Where it is zero \[m\].
        centre: [f64; 3],
        /// Rows of the velocity gradient \[1/s\].
        rows: [[f64; 3]; 3],
    },
    /// Taylor–Green vortices in the planes of x and z.
    TaylorGreen {
        /// Largest speed \[m/s\].
        #[schemars(range(min = -1e4, max = 1e4))]
        speed: f64,
        /// Edge of a cell of four vortices \[m\].
        #[schemars(range(min = 1e-6, max = 1e6))]
        wavelength: f64,
    },
    /// A linear standing wave along x at an instant when its surface is flat.
    StandingWave {
        /// Largest elevation of the surface \[m\].
        #[schemars(range(min = -1e6, max = 1e6))]
        amplitude: f64,
        /// Length of a wave \[m\].
        #[schemars(range(min = 1e-6, max = 1e6))]
        wavelength: f64,
        /// Of the water at rest \[m\].
        #[schemars(range(min = 1e-6, max = 1e6))]
        depth: f64,
        /// Height of the floor \[m\].
        #[schemars(range(min = -1e6, max = 1e6))]
        bottom: f64,
    },
    /// A linear wave along x of the interface of two layers, at an instant when it is flat.
    InterfaceWave {
        /// Largest speed at which the interface rises \[m/s\].
        #[schemars(range(min = -1e4, max = 1e4))]
        speed: f64,
        /// Length of a wave \[m\].
        #[schemars(range(min = 1e-6, max = 1e6))]
        wavelength: f64,
        /// Height of the interface \[m\].
        #[schemars(range(min = -1e6, max = 1e6))]
        interface: f64,
        /// How deep the lower layer is \[m\].
        #[schemars(range(min = 1e-6, max = 1e6))]
        below: f64,
        /// How deep the upper layer is \[m\].
        #[schemars(range(min = 1e-6, max = 1e6))]
        above: f64,
    },
}

/// Random displacements, uniform in a cube around each place of the lattice.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Jitter {
    /// The same seed gives the same displacements.
    pub seed: u64,
    /// Half the edge of the cube, in spacings.
    #[schemars(range(min = 0.0, max = 0.25))]
    pub amount: f64,
}

/// The pressure in a shape of fluid at the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum StartPressure {
    /// None: a lattice at rest density.
    #[default]
    Zero,
    /// What carries the weight of the fluid above it: in the shape, and in other hydrostatic boxes
    /// over its middle.
    Hydrostatic,
}
