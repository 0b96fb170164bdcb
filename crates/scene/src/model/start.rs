//! How the fluid of a shape starts: its velocity, its pressure and random displacements.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What every shape of fluid says of its start.
#[derive(Clone, Copy, Debug)]
pub struct Start<'a> {
    /// Uniform initial velocity \[m/s\].
    pub velocity: [f64; 3],
    /// Velocity field that is added to it.
    pub initial_velocity: &'a VelocityField,
    /// Random displacements of the particles, if any.
    pub jitter: Option<Jitter>,
    /// Whether the shape takes the particles of other shapes inside it.
    pub replaces: bool,
}

// The formulas are in `layout::velocity_field`.
/// An initial velocity field.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
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
    /// A formula for each component, of the coordinates x, y and z in m.
    Formula {
        /// Velocity along x in m/s, such as "0.5*sin(2*pi*z)".
        #[serde(default = "zero")]
        x: String,
        /// Velocity along y in m/s.
        #[serde(default = "zero")]
        y: String,
        /// Velocity along z in m/s.
        #[serde(default = "zero")]
        z: String,
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

/// No velocity, as a formula.
fn zero() -> String {
    "0".to_owned()
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
