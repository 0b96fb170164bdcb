//! Curves and their plots, for reports.

pub mod curves;
pub mod plot;
