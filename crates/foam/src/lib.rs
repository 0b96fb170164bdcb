//! Spray, foam and bubbles of particle fluids, computed from written frames.
//!
//! Diffuse particles are emitted where the fluid traps air, at crests and in eddies, move with it,
//! and change nothing of it (Ihmsen et al. 2012; Bender et al. 2019). Only frames are needed:
//! positions and velocities by id, each some time steps apart. At solids and walls they have the
//! exact swept contact of the fluid's particles, so none gets into one.
//!
//! ```
//! use hashfall_core::{Dimension, Real, Vec3};
//! use hashfall_foam::*;
//! use hashfall_geometry::Aabb;
//! use hashfall_solid::Solids;
//!
//! // Two blocks of water that run into each other at 4 m/s, in a box of 1 m.
//! let (d, h): (Real, Real) = (0.02, 0.04);
//! let frame = |number: u32| {
//!     let time = f64::from(number) * 0.02;
//!     let (mut ids, mut x, mut v) = (Vec::new(), Vec::new(), Vec::new());
//!     for i in 0..20_u32 * 10 * 10 {
//!         let [a, b, c] = [i % 20, i / 20 % 10, i / 200].map(|k| k as Real + 0.5);
//!         let (side, way) = if a < 10.0 { (1.0, 0.0) } else { (-1.0, 0.2) };
//!         ids.push(i);
//!         v.push(Vec3::x() * (2.0 * side));
//!         x.push(Vec3::new(a * d + way, b * d, c * d) + Vec3::x() * (2.0 * side * time as Real));
//!     }
//!     let fluid = FluidFrame::new(time, ids, x, v).unwrap();
//!     RunFrame { number, fluid, bodies: FrameBodies::default() }
//! };
//! let domain = Aabb::new(Vec3::zeros(), Vec3::repeat(1.0));
//! let forces = |_time: f64| -> Acceleration { Box::new(|_, _| Vec3::z() * -9.81) };
//! let scene = FoamScene {
//!     resolution: Resolution {
//!         dimension: Dimension::Three,
//!         spacing: d,
//!         support_radius: h,
//!     },
//!     solids: Solids::new(domain, vec![], vec![]),
//!     periodic: [false; 3],
//!     gravity: 9.81,
//!     forces: &forces,
//!     drain_boxes: vec![],
//!     drain_balls: vec![],
//!     emitters: vec![],
//! };
//! let limits = Limits {
//!     trapped_air: [0.6, 2.0],
//!     energy: [0.4, 2.0],
//!     ..Limits::default()
//! };
//! // The edges of the blocks are crests from the start on: here trapped air alone counts.
//! let wave_crest = Source { rate: 0.0, limits: None };
//! let settings = FoamSettings { wave_crest, ..FoamSettings::default() };
//! let none = Diffuse::default();
//! let mut stepper = FoamStepper::new(scene, settings, limits, frame(0), none)?;
//! // The blocks meet after 0.04 s.
//! stepper.advance(frame(1))?;
//! assert_eq!(stepper.diffuse().len(), 0);
//! for number in 2..5 {
//!     stepper.advance(frame(number))?;
//! }
//! assert!(stepper.diffuse().len() > 100);
//! # Ok::<(), hashfall_solid::DriveError>(())
//! ```
//!
//! | file | content |
//! |---|---|
//! | `settings` | what is emitted, how long it lives, how it moves |
//! | `kind_bounds` | between spray, foam and bubbles |
//! | `resolution` | counts and sums of a lattice, by which others are told |
//! | `frame`, `interpolation` | the fluid of a frame, and between two |
//! | `fluid_cells` | the fluid in cells, and means of it around any place |
//! | `potentials`, `limits`, `histogram` | where it becomes white, and from which values on |
//! | `rates`, `tracers`, `emission` | who emits how many, and where |
//! | `advection` | how spray, foam and bubbles move |
//! | `surroundings`, `contact` | the solids near a particle, and contact with them |
//! | `body_path` | bodies whose places are no law of the time, between two frames |
//! | `removal` | where all that comes is removed |
//! | `diffuse`, `stepper` | all diffuse particles, and the way from frame to frame |
//!
//! Results have the same bits for any number of threads, on any CPU: random numbers are streams by
//! seed, id of the fluid particle, frame and substep, and each diffuse particle moves by itself.

mod advection;
mod body_path;
mod contact;
mod diffuse;
mod emission;
mod fluid_cells;
mod frame;
mod histogram;
mod interpolation;
mod kind_bounds;
mod limits;
mod potentials;
mod rates;
mod removal;
mod resolution;
mod settings;
mod stepper;
#[cfg(test)]
mod stepper_tests;
mod surroundings;
mod tracers;

pub use body_path::FrameBodies;
pub use diffuse::{Diffuse, Kind};
pub use frame::{FluidFrame, Periodicity};
pub use histogram::Histogram;
pub use limits::LimitSearch;
pub use potentials::{Limit, Limits, Potential, PotentialSums, clamped};
pub use resolution::Resolution;
pub use settings::{Ageing, FoamFormat, FoamSettings, Region, Source};
pub use stepper::{Acceleration, FoamScene, FoamStepper, RunFrame};
pub use surroundings::Surroundings;
