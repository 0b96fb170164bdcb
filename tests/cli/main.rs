//! The whole program as a user meets it: exit codes, messages, files, signals, and results that
//! repeat to the last byte. Each test runs the built `sim` in a temporary folder.

#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod audit;
mod bench;
mod broken;
mod endurance;
mod failures;
mod folder;
mod hostile;
mod limits;
mod nns;
mod preview;
mod probes;
mod refusals;
mod repeat;
mod resume;
mod scenes;
mod signals;
mod support;
mod surface;
mod talk;
mod validate;
