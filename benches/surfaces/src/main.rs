//! Surface extraction beside splashsurf 0.14.1: the same particles in memory, a mesh in memory.
//!
//! `surfaces table SETS…` runs every method on every set in a process of its own, in turns, and
//! prints CPU time, wall time, peak memory and the mesh's size as Markdown. `surfaces compare
//! SETS…` matches the two meshes vertex by vertex. Sets are raw `x y z` triplets (f32, little
//! endian), as `particle_sets.py` writes them.
//!
//! Parameters of all: r = 0.01 m, support 4 r, cells of 0.5 r, threshold 0.6.

mod compare;
mod measure;
mod methods;

use clap::{Parser, Subcommand};
use methods::Method;
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(Parser)]
#[command(version, about = "Hashfall's surfaces beside splashsurf's")]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Runs one method on one set and prints a row of figures.
    Measure {
        method: Method,
        set: PathBuf,
        /// Threads of the pool in which everything runs.
        #[arg(long, default_value = "1")]
        threads: usize,
        /// How often; the first, which also touches fresh memory, counts too.
        #[arg(long, default_value = "3")]
        repetitions: usize,
    },
    /// Runs all methods on all sets, in turns, each in a process of its own.
    Table {
        sets: Vec<PathBuf>,
        /// Threads of each process.
        #[arg(long, default_value = "1")]
        threads: usize,
        /// Turns.
        #[arg(long, default_value = "3")]
        turns: usize,
    },
    /// Matches the vertices of the two meshes by the grid edges that they lie on.
    Compare { sets: Vec<PathBuf> },
}

fn main() -> ExitCode {
    let done = match Arguments::parse().task {
        Task::Measure { method, set, threads, repetitions } => {
            measure::measure(method, &set, threads, repetitions).map(|row| println!("{row}"))
        }
        Task::Table { sets, threads, turns } => measure::table(&sets, threads, turns),
        Task::Compare { sets } => compare::all(&sets),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}
