//! Tests of the full mode: springs with contact, through whole steps.

mod bits;
mod cloth;
mod experiments;
mod high_order;
mod last_resorts;
mod long_runs;
mod obstacles;
mod pairs;
mod rope;
mod world;
