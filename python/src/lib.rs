//! Hashfall for Python: simulations that are stepped and read from a program, runs with functions
//! of its own, surfaces and neighbours of arrays, the frames of a run.
//!
//! What Python sees is in the folder `hashfall/` beside: it imports this module as `_hashfall`.
//!
//! | file | content |
//! |---|---|
//! | `simulation` | the class as Python sees it |
//! | `access`, `state`, `advance` | the world with its stepper behind one lock, and its steps |
//! | `views`, `exports` | arrays of the state: no copy, and never dangling |
//! | `control` | what a program reads of bodies and forces, and what it sets |
//! | `waiting`, `calls` | the thread of Python that waits for a pool, and what it calls |
//! | `forces`, `functions` | functions of Python as body forces |
//! | `run`, `resume`, `observer` | runs into a folder, with functions per step and frame |
//! | `scenes`, `paths` | scenes and paths as Python gives them |
//! | `errors`, `pools` | exceptions, threads |
//! | `meshes`, `neighbors`, `frames` | surfaces, neighbours and files, without a simulation |
//!
//! # Locks
//!
//! A thread that steps holds [`Simulation`](access::Simulation)'s mark of being busy, which it
//! takes with the interpreter's lock (GIL), and takes the state out of it. Whoever only reads holds
//! the GIL and looks whether the state is there: if it is not, somebody steps, and that is an
//! exception. Loops of a step run in a pool, whose threads never ask for the GIL: the thread that
//! steps waits for them without it, and takes it for the functions that they ask it to call. So
//! nobody waits for the state with the GIL in hand, and no two threads can wait for each other.

mod access;
mod advance;
mod calls;
mod control;
mod errors;
mod exports;
mod forces;
mod frames;
mod functions;
mod meshes;
mod neighbors;
mod observer;
mod paths;
mod pools;
mod program;
mod resume;
mod run;
mod scenes;
mod simulation;
mod state;
mod views;
mod waiting;

use pyo3::prelude::*;

/// As of the program: a failed allocation ends the process with an error.
#[global_allocator]
static ALLOCATOR: hashfall::cli::Allocator = hashfall::cli::Allocator;

#[pymodule]
fn _hashfall(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    errors::add_to(module)?;
    module.add_class::<access::Simulation>()?;
    module.add_class::<state::StepReport>()?;
    module.add_class::<views::View>()?;
    module.add_class::<control::Body>()?;
    module.add_class::<run::Run>()?;
    module.add_class::<meshes::Mesh>()?;
    module.add_function(wrap_pyfunction!(program::main, module)?)?;
    module.add_function(wrap_pyfunction!(resume::resume, module)?)?;
    module.add_function(wrap_pyfunction!(meshes::surface, module)?)?;
    module.add_function(wrap_pyfunction!(neighbors::neighbors, module)?)?;
    module.add_function(wrap_pyfunction!(frames::read_particles, module)?)?;
    module.add_function(wrap_pyfunction!(frames::read_mesh, module)?)?;
    Ok(())
}
