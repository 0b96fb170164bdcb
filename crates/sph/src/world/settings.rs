//! Fluids, forces and solvers as plain data.

use hashfall_core::Real;
use hashfall_core::kernel::KernelKind;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A material.
#[derive(Clone, Debug, PartialEq)]
pub struct Fluid {
    /// The name in the scene.
    pub name: String,
    /// Rest density \[kg/m³\].
    pub rest_density: Real,
    /// Kinematic viscosity \[m²/s\].
    pub viscosity: Real,
    /// Surface tension with the air, which is not simulated \[N/m\].
    pub surface_tension: Real,
    /// Stiffness k, the squared speed of sound; for [`Solver::Multiphase`] alone \[m²/s²\].
    pub stiffness: Real,
}

/// What pulls where two fluids meet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interface {
    /// Which fluids: two indices into the world's.
    pub fluids: [u8; 2],
    /// Their interfacial tension; positive \[N/m\].
    pub tension: Real,
}

/// How viscosity is solved for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum ViscositySolver {
    /// As a force by the present velocities, which limits the time step.
    #[default]
    Explicit,
    /// By the velocities at the end of the step.
    Implicit,
}

/// How pressure is found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Solver {
    /// Divergence-free SPH (Bender & Koschier 2017).
    Dfsph(Dfsph),
    /// Weakly compressible SPH (Becker & Teschner 2007).
    Wcsph(Wcsph),
    /// Multi-phase SPH with averaged forces (Onderik & Ďurikovič 2008).
    Multiphase(Multiphase),
    /// None: particles fly, and solids alone stop them.
    Ballistic(Ballistic),
}

/// Parameters of multi-phase SPH with averaged forces; stiffnesses are the fluids'.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Multiphase {
    /// Exponent γ of Tait's equation; 1 for the gas equation \[–\].
    pub exponent: u32,
    /// Rate at which sliding along solids fades \[1/s\].
    pub wet_friction: f64,
    /// Courant number α: part of the support radius that sound may cross in a step \[–\].
    pub courant: f64,
    /// Every step, but for the last of a frame \[s\]; `None` for steps by the Courant condition.
    pub time_step: Option<f64>,
    /// How many times steps of single particles may be halved; 0 if all take the same.
    pub individual_steps: u32,
}

impl Default for Fluid {
    /// Water, without surface tension.
    fn default() -> Self {
        Fluid {
            name: "water".to_owned(),
            rest_density: 1000.0,
            viscosity: 1e-6,
            surface_tension: 0.0,
            stiffness: 0.0,
        }
    }
}

impl Default for Solver {
    /// [`Dfsph`].
    fn default() -> Self {
        Solver::Dfsph(Dfsph::default())
    }
}

impl Solver {
    /// The name in the scene.
    pub fn name(&self) -> &'static str {
        match self {
            Solver::Dfsph(_) => "Dfsph",
            Solver::Wcsph(_) => "Wcsph",
            Solver::Multiphase(_) => "Multiphase",
            Solver::Ballistic(_) => "Ballistic",
        }
    }

    /// Whether the scheme has equations for this kernel.
    pub fn takes(&self, kernel: KernelKind) -> bool {
        match self {
            Solver::Multiphase(_) => kernel == KernelKind::Mueller,
            // The slopes of Müller's kernels do not belong to that of the density.
            Solver::Dfsph(_) => kernel != KernelKind::Mueller,
            Solver::Wcsph(_) | Solver::Ballistic(_) => true,
        }
    }

    /// The Courant number \[–\].
    pub fn courant(&self) -> f64 {
        match self {
            Solver::Dfsph(dfsph) => dfsph.courant,
            Solver::Wcsph(wcsph) => wcsph.courant,
            Solver::Multiphase(multiphase) => multiphase.courant,
            Solver::Ballistic(ballistic) => ballistic.courant,
        }
    }

    /// How many times steps of single particles may be halved; 0 if all take the same.
    pub fn halvings(&self) -> u32 {
        match self {
            Solver::Wcsph(wcsph) => wcsph.individual_steps,
            Solver::Multiphase(multiphase) => multiphase.individual_steps,
            Solver::Dfsph(_) | Solver::Ballistic(_) => 0,
        }
    }
}

impl Default for Multiphase {
    /// The gas equation, without wet friction.
    fn default() -> Self {
        Multiphase {
            exponent: 1,
            wet_friction: 0.0,
            courant: 0.3,
            time_step: None,
            individual_steps: 0,
        }
    }
}

impl Default for Ballistic {
    fn default() -> Self {
        Ballistic { courant: 1.0 }
    }
}

impl Default for Dfsph {
    fn default() -> Self {
        Dfsph {
            max_density_error: 1e-4,
            max_divergence_error: 3e-4,
            max_iterations: 200,
            artificial_viscosity: 0.6,
            courant: 0.4,
        }
    }
}

impl Default for Wcsph {
    /// Sound at 30 m/s, which serves fluid that is not faster than 3 m/s.
    fn default() -> Self {
        Wcsph {
            sound_speed: 30.0,
            exponent: 7,
            artificial_viscosity: 0.2,
            courant: 0.6,
            density: Density::FLOWING,
            shifting: 1.0,
            background_pressure: 0.0,
            interface_sharpening: 0.0,
            individual_steps: 0,
        }
    }
}

/// Parameters of flight without pressure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ballistic {
    /// Courant number: part of the spacing that the fastest particle may cross in a step \[–\].
    pub courant: f64,
}

/// Parameters of divergence-free SPH.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dfsph {
    /// Mean compression that is left, over the step that motion allows \[–\].
    pub max_density_error: f64,
    /// Mean compression that the velocities still lead to over such a step \[–\].
    pub max_divergence_error: f64,
    /// Iterations after which a solution is taken as it is.
    pub max_iterations: u32,
    /// Artificial viscosity α (Monaghan 1992), with √(p/ρ₀) in place of the speed of sound \[–\].
    pub artificial_viscosity: f64,
    /// Courant number: part of the spacing that the fastest particle may cross in a step \[–\].
    pub courant: f64,
}

/// Parameters of weakly compressible SPH.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wcsph {
    /// Speed of sound \[m/s\].
    pub sound_speed: f64,
    /// Exponent γ of Tait's equation \[–\].
    pub exponent: u32,
    /// Artificial viscosity α \[–\]: of what velocities have beyond a linear field, with √(p/ρ₀) in
    /// place of the speed of sound, where densities go with the flow; else that of Monaghan 1992.
    pub artificial_viscosity: f64,
    /// Courant number: part of the spacing that sound may cross in a step \[–\].
    pub courant: f64,
    /// How densities are found.
    pub density: Density,
    /// Strength of particle shifting where densities go with the flow, at most 1; 0 for none \[–\].
    pub shifting: f64,
    /// What is added to the pressure everywhere \[Pa\].
    pub background_pressure: f64,
    /// How much harder pressure pushes particles of two fluids apart than those of one: a part of
    /// it \[–\].
    pub interface_sharpening: f64,
    /// How many times steps of single particles may be halved; 0 if all take the same.
    pub individual_steps: u32,
}

/// How weakly compressible SPH finds densities.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub enum Density {
    /// As sums over neighbours.
    Summation,
    /// They go with the flow.
    Continuity {
        /// ξ of δ-SPH \[–\].
        #[schemars(range(min = 0.0, max = 1.0))]
        diffusion: f64,
    },
}

impl Density {
    /// They go with the flow, with as much diffusion as takes the noise of sound.
    pub const FLOWING: Density = Density::Continuity { diffusion: 0.2 };
}

/// A body force beside gravity: an acceleration by place and time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub enum BodyForce {
    /// Towards a point, in proportion to the distance from it.
    Central {
        /// The point \[m\].
        centre: [f64; 3],
        /// Acceleration per distance \[1/s²\].
        #[schemars(range(min = 0.0, max = 1e6))]
        stiffness: f64,
    },
    /// The same everywhere: accelerations \[m/s²\] at ascending times \[s\].
    Table(Vec<(f64, [f64; 3])>),
}

/// What a force adds to the accelerations by place and time. A force of another kind is a term of
/// the step, and adds neither.
impl BodyForce {
    /// The rows of a table.
    pub fn table(&self) -> Option<&[(f64, [f64; 3])]> {
        match self {
            BodyForce::Table(rows) => Some(rows),
            BodyForce::Central { .. } => None,
        }
    }

    /// The centre of a central force \[m\], and its stiffness \[1/s²\].
    pub fn central(&self) -> Option<(&[f64; 3], f64)> {
        match self {
            BodyForce::Central { centre, stiffness } => Some((centre, *stiffness)),
            BodyForce::Table(_) => None,
        }
    }
}
