//! The whole program as a user meets it: exit codes, messages, files, signals, and results that
//! repeat to the last byte. Each test runs the built `sim` in a temporary folder.

#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod audit;
mod bench;
mod broken;
mod cases;
mod columns;
mod commands;
mod convert;
mod elastic;
mod endurance;
mod estimates;
mod events;
mod export;
mod failures;
mod foam;
mod folder;
mod fountain;
mod free_bodies;
mod hostile;
mod limits;
mod manual;
mod max_time;
mod nns;
mod preview;
mod private_mounts;
mod probes;
mod random_scenes;
mod refusals;
mod repeat;
mod report;
mod resume;
mod rich;
mod scenes;
mod schema;
mod signals;
mod slurm;
mod sparse_particles;
mod stirrer;
mod support;
mod surface;
mod surface_series;
mod sweep;
mod sweep_crew;
mod sweep_faults;
mod system_faults;
mod talk;
mod terminal;
mod validate;
