//! `paraview.py`: opens the run in ParaView 5.11 or newer.
//!
//! Source: the ParaView guide, "Python scripting". The script is `paraview.py` beside this file
//! with the run's facts in place of one marker; it finds the run's files by its own place.

use super::facts::Facts;

/// The script for a run.
pub fn script(facts: &Facts) -> String {
    facts.fill(include_str!("paraview.py"))
}
