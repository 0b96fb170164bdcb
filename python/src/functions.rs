//! Functions that a program gives as forces.

use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A function, and what calls it and checks what it gives.
struct Called {
    function: Py<PyAny>,
    helper: Py<PyAny>,
}

/// A function that a simulation and its steppers hold together, as one reference: so the collector
/// of cycles, which cannot look into steppers, finds all that there are.
#[derive(Clone)]
pub struct Function(Arc<Mutex<Option<Called>>>);

impl Function {
    /// Of Python.
    ///
    /// # Errors
    /// If the interpreter is about to end.
    pub fn new(py: Python<'_>, function: Py<PyAny>) -> PyResult<Self> {
        // Held from now on: an interpreter that ends has no modules to look it up in.
        let helper = py.import("hashfall._forces")?.getattr("accelerations")?.unbind();
        Ok(Function(Arc::new(Mutex::new(Some(Called { function, helper })))))
    }

    /// The function with its helper, unless the collector has taken it, and nobody steps any more.
    pub fn get(&self, py: Python<'_>) -> Option<(Py<PyAny>, Py<PyAny>)> {
        self.lock().as_ref().map(|it| (it.function.clone_ref(py), it.helper.clone_ref(py)))
    }

    /// Shows it to the collector.
    pub fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        // The lock is never held while the collector may run.
        let Ok(called) = self.0.try_lock() else { return Ok(()) };
        called.as_ref().map_or(Ok(()), |it| {
            visit.call(&it.function)?;
            visit.call(&it.helper)
        })
    }

    /// Drops it for the collector.
    pub fn clear(&self) {
        let called = self.lock().take();
        drop(called);
    }

    fn lock(&self) -> MutexGuard<'_, Option<Called>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
