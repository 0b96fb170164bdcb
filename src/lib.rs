//! Hashfall: an offline particle-fluid simulator, as a library.
//!
//! Smoothed particle hydrodynamics among exact solids (spheres, triangle meshes, walls), on one
//! subdivision of space into hashed cells (Pouchol et al. 2009), with results that are the same
//! bits for any number of threads. The program `sim` is built on what is here.
//!
//! # A dam break
//!
//! ```
//! use hashfall::prelude::*;
//!
//! let world = World::builder()
//!     .domain([0.0, 0.0, 0.0], [0.8, 0.2, 0.6])
//!     .spacing(0.05)
//!     .fluid(Fluid::default())
//!     .block([0.0, 0.0, 0.0], [0.2, 0.2, 0.4])
//!     .build()?;
//! let mut simulation = Simulation::new(world)?;
//! simulation.advance_to(0.1)?;
//! let mesh = &simulation.surfaces()[0].main;
//! println!("{} triangles", mesh.triangles.len());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Where to go from here
//!
//! | to … | see |
//! |---|---|
//! | run a scene from its text | [`Simulation::from_scene`] |
//! | build a world by hand | [`World::builder`](world::World::builder), [`World`](world::World) |
//! | read particles | [`Particles`](world::Particles) in [`Simulation::world`] |
//! | add a force of your own | [`Stepper::add_force`](step::Stepper::add_force) |
//! | read the force on a solid | [`Stepper::take_impulses`](step::Stepper::take_impulses) |
//! | know where a body is, how it moves and what acts on it | [`bodies`] |
//! | move a solid by hand | [`KinematicLaw::driven`](solid::KinematicLaw::driven) |
//! | find neighbours, overlaps, pairs | [`search`], alone as `hashfall-search` |
//! | make a closed mesh of points | [`surface`], alone as `hashfall-surface` |
//! | read particle files of other programs | [`input`] |
//! | write frames, checkpoints, logs | [`output`]; with the frame loop of `sim`: [`run`] |
//! | draw frames without a GPU | [`preview`] |
//! | ropes, sheets and elastic solids | [`elastic`], alone as `hashfall-elastic` |
//! | rigid bodies and their contact | [`rigid`], alone as `hashfall-rigid`; [`world::FreeBody`] |
//! | USD, VTKHDF, OpenVDB, glTF, Alembic | [`export`] |
//! | formulas of time and place | [`formula`] |
//! | many runs over settings | [`sweep`] |
//! | vectors and matrices | [`nalgebra`], in the version that this interface uses |
//!
//! # Features
//!
//! - `f64`: state and arithmetic in double precision, to measure what single precision costs.
//! - `parquet`: sweeps of the program `sim` write `results.parquet`, too.

// Of the program and of the Python package alone: no part of the library.
#[doc(hidden)]
#[allow(rustdoc::invalid_html_tags, reason = "comments of arguments are the text of `--help`")]
pub mod cli;
mod simulation;

pub use hashfall_bodies as bodies;
pub use hashfall_core as core;
pub use hashfall_core::kernel;
pub use hashfall_elastic as elastic;
pub use hashfall_export as export;
pub use hashfall_foam as foam;
pub use hashfall_formula as formula;
pub use hashfall_geometry as geometry;
pub use hashfall_input as input;
pub use hashfall_output as output;
pub use hashfall_preview as preview;
pub use hashfall_rigid as rigid;
pub use hashfall_run as run;
pub use hashfall_scene as scene;
pub use hashfall_search as search;
pub use hashfall_solid as solid;
pub use hashfall_sph::{step, world};
pub use hashfall_surface as surface;
pub use hashfall_sweep as sweep;
pub use nalgebra;
pub use simulation::{Simulation, SimulationError};

/// What most programs need: `use hashfall::prelude::*`.
pub mod prelude {
    pub use crate::core::kernel::KernelKind;
    pub use crate::core::{Dimension, Real, Vec3};
    pub use crate::geometry::{Aabb, Point, TriangleMesh};
    pub use crate::search::{NeighborKind, Structures};
    pub use crate::solid::{BodyState, KinematicLaw, Solids, Sphere};
    pub use crate::step::{BlowUp, StepError, StepReport, Stepper};
    pub use crate::surface::{SurfaceMesh, SurfaceSettings, Surfaces, mesh_points};
    pub use crate::world::{
        Dfsph, Fluid, Multiphase, Particles, Solver, ViscositySolver, Wcsph, World, WorldError,
    };
    pub use crate::{Simulation, SimulationError};
}
