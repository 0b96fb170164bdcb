//! Emitters and sinks at work.

pub mod nozzles;
pub mod pump;
