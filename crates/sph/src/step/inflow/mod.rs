//! Emitters and sinks at work.

pub mod nozzle;
pub mod nozzles;
pub mod pump;
