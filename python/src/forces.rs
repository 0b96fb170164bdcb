//! Functions of Python as body forces.
//!
//! A step asks for accelerations in one of its threads, without the GIL; it is taken for the call.
//! The function gets copies: what it keeps is its own. It is tried before it is added. What it
//! raises later makes the step fail, and is raised by who steps: no step goes on without a force.

use crate::state::Pending;
use hashfall::core::{Real, Vec3};
use hashfall::world::World;
use numpy::{PyArray2, PyArrayMethods as _, PyReadonlyArray2, PyUntypedArrayMethods as _};
use pyo3::exceptions::PyValueError;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A function that a simulation and its steppers hold together, as one reference: so the collector
/// of cycles, which cannot look into steppers, finds all that there are.
#[derive(Clone)]
pub struct Function(Arc<Mutex<Option<Py<PyAny>>>>);

impl Function {
    /// Of Python.
    pub fn new(function: Py<PyAny>) -> Self {
        Function(Arc::new(Mutex::new(Some(function))))
    }

    /// The function, unless the collector has taken it, and nobody steps any more.
    fn get(&self, py: Python<'_>) -> Option<Py<PyAny>> {
        self.lock().as_ref().map(|it| it.clone_ref(py))
    }

    /// Shows it to the collector.
    pub fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        // The lock is never held while the collector may run.
        self.0.try_lock().map_or(Ok(()), |it| it.as_ref().map_or(Ok(()), |it| visit.call(it)))
    }

    /// Drops it for the collector.
    pub fn clear(&self) {
        let function = self.lock().take();
        drop(function);
    }

    fn lock(&self) -> MutexGuard<'_, Option<Py<PyAny>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The force that a function gives; what it raises is stored.
pub fn force(
    function: Function,
    pending: Pending,
) -> impl FnMut(&World, &mut [Vec3]) + Send + 'static {
    move |world, accelerations| {
        let mut pending = pending.lock().unwrap_or_else(PoisonError::into_inner);
        if pending.is_none() {
            let particles = &world.particles;
            let state = (world.time, &particles.position[..], &particles.velocity[..]);
            let called = Python::attach(|py| {
                let function = function.get(py);
                function.map_or(Ok(()), |it| call(py, &it, state, accelerations))
            });
            *pending = called.err();
        }
        if pending.is_some() {
            // No step may go on without a force: it fails.
            accelerations.fill(Vec3::repeat(Real::NAN));
        }
    }
}

/// Calls the function for a state, and adds what it returns.
///
/// # Errors
/// What it raises, and if it returns anything but three numbers for each particle.
pub fn call(
    py: Python<'_>,
    function: &Py<PyAny>,
    (time, positions, velocities): (f64, &[Vec3], &[Vec3]),
    accelerations: &mut [Vec3],
) -> PyResult<()> {
    let args = (time, array(py, positions)?, array(py, velocities)?);
    let given = function.bind(py).call1(args)?;
    let options = [("dtype", numpy::dtype::<Real>(py))];
    let options = pyo3::types::IntoPyDict::into_py_dict(options, py)?;
    let numpy = py.import("numpy")?;
    let given = numpy.call_method("asarray", (given,), Some(&options))?;
    let shape = (accelerations.len(), 3);
    let given = numpy.call_method1("broadcast_to", (given, shape))?;
    let given: PyReadonlyArray2<Real> = given.extract()?;
    if given.shape() != [accelerations.len(), 3] {
        return Err(PyValueError::new_err("a force gives three numbers for each particle"));
    }
    for (to, row) in accelerations.iter_mut().zip(given.as_array().rows()) {
        *to += Vec3::new(row[0], row[1], row[2]);
    }
    Ok(())
}

/// A copy of vectors.
fn array<'py>(py: Python<'py>, vectors: &[Vec3]) -> PyResult<Bound<'py, PyArray2<Real>>> {
    let numbers: Vec<Real> = vectors.iter().flat_map(|v| [v.x, v.y, v.z]).collect();
    numpy::PyArray1::from_vec(py, numbers).reshape([vectors.len(), 3])
}
