//! Tests of the full mode: springs with contact, through whole steps.

mod cloth;
mod obstacles;
mod world;
