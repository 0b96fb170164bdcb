//! Steps until a time.

use crate::errors::SimulationError;
use crate::state::State;
use pyo3::PyErr;
use std::sync::PoisonError;
use std::time::{Duration, Instant};

/// How long steps go on before signals are looked at.
const SIGNAL_INTERVAL: Duration = Duration::from_millis(50);

/// Why steps ended.
pub enum Ended {
    /// The time is reached.
    AtTime,
    /// Signals are to be looked at.
    Paused,
}

/// Takes steps until a time \[s\], or for a while, or a single one.
pub fn advance(state: &mut State, until: f64, is_single: bool) -> Result<Ended, PyErr> {
    let start = Instant::now();
    while state.world.time < until {
        let before = state.world.time;
        let report = state.stepper.step(&mut state.world, until);
        let raised = state.pending.lock().unwrap_or_else(PoisonError::into_inner).take();
        state.has_failed = raised.is_some() || report.is_err();
        if let Some(raised) = raised {
            return Err(raised);
        }
        state.last_step = Some(report.map_err(|it| SimulationError::new_err(it.to_string()))?);
        if state.world.time <= before {
            return Err(SimulationError::new_err(format!(
                "the simulation stalled at t = {before} s: the time step is below the resolution \
                 of time"
            )));
        }
        if is_single || start.elapsed() >= SIGNAL_INTERVAL {
            return Ok(if state.world.time < until { Ended::Paused } else { Ended::AtTime });
        }
    }
    Ok(Ended::AtTime)
}
