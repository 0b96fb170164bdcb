//! Physical truths that any solver must keep: free fall, conservation, rest.

#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod ballistic;
mod body_forces;
mod container;
mod continuity;
mod deforming;
mod emitters;
mod incompressible;
mod misuse;
mod moving;
mod periodic;
mod plates;
mod solids;
mod support;
mod tension;
mod units;
mod viscosity;
mod weakly_compressible;
