//! Physical truths that any solver must keep: free fall, conservation, rest; collisions that let
//! nothing through; and random scenes, which all must run.

#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod ballistic;
mod body_forces;
mod collisions;
mod container;
mod continuity;
mod deforming;
mod emitters;
mod incompressible;
mod misuse;
mod moving;
mod periodic;
mod plates;
mod random_scenes;
mod solids;
mod support;
mod tension;
mod units;
mod viscosity;
mod weakly_compressible;
