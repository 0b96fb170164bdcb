//! Hashfall: an offline particle-fluid simulator.
//!
//! One binary, `sim`, reads a RON scene, runs thousands of frames on the CPU, and writes files
//! that open in ParaView and Blender. At its heart is one idea (Pouchol et al. 2009): one
//! subdivision of space into hashed cells answers *what may this particle hit?* (the hierarchical
//! hash), *who is near it?* (a choice of structures over the finest cells), and *where is the
//! surface?* (marching cubes on those cells).
//!
//! # Data flow
//!
//! ```text
//! spheres.ron ─parse→ Model ─build→ World ─┐                     ┌→ particles ─┐
//!   + --set → Plan ────────────────────────┴→ frame loop: step() ┤             ├→ out/…
//!                                                                └→ surface ───┘
//! ```
//!
//! # Rooms
//!
//! A room knows only rooms before it; `tests/tidy.rs` reads the `use` lines and holds the
//! direction: `base ← {input, kernel, geometry} ← search ← solid ← world ← {scene, step, surface} ←
//! {output, preview} ← {run, sweep} ← {validate, bench, report} ← cli`. Rooms in one pair of
//! brackets do not know each other, nor do `scene`, `step` and `surface`.
//!
//! # Invariants
//!
//! - A choice made in the scene is one enum, matched once outside the time loop.
//!   Structures are called through trait objects, once a step or a query.
//! - A search proposes candidates; one function owns each test, and what tests many at a time gives
//!   its bits. Brute force is the oracle.
//! - Results are the same bits for any thread count and any neighbour or broad-phase structure:
//!   the world is kept sorted by cells of size h (ties by id), lists ascend in that order, sums go
//!   over fixed chunks in order, and the compiler never fuses or reorders floating-point sums.
//! - [`world::World`] is a value: clone it, compare it, digest it. Globals hold nothing of
//!   a simulation: what the CPU has, tables, and for each thread memory that searches use again.
//! - Only `output::files` and `cli` touch paths; parsers take bytes. Only `cli` prints.
//! - Nothing past `scene::build` reads the scene's model.

pub mod base;
pub mod bench;
pub mod cli;
pub mod geometry;
pub mod input;
pub mod kernel;
pub mod output;
pub mod preview;
pub mod report;
pub mod run;
pub mod scene;
pub mod search;
pub mod solid;
pub mod step;
pub mod surface;
pub mod sweep;
pub mod validate;
pub mod world;
