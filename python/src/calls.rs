//! Calls of functions that a program has given, from a thread of Python.
//!
//! An interpreter that ends kills daemon threads where they next ask for its lock, before Python
//! 3.14 by unwinding them, which destructors of Rust do not survive. A thread that a function has
//! brought there stops at the call instead, until the process has ended.

use crate::functions::Function;
use hashfall::core::{Real, Vec3};
use numpy::{PyArray2, PyArrayMethods as _, PyReadonlyArray2};
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::hint::black_box;
use std::mem;
use std::sync::mpsc::Sender;
use std::thread;
use std::time::Duration;

/// Stops its thread for good when it is dropped.
struct StopsUnwinding;

impl Drop for StopsUnwinding {
    fn drop(&mut self) {
        loop {
            thread::sleep(Duration::MAX);
        }
    }
}

/// Calls a function of a program.
///
/// # Errors
/// What it raises.
pub fn call<'py>(
    function: &Bound<'py, PyAny>,
    args: &Bound<'py, PyTuple>,
) -> PyResult<Bound<'py, PyAny>> {
    type Plain = unsafe extern "C" fn(*mut PyObject, *mut PyObject) -> *mut PyObject;
    type Unwinding = unsafe extern "C-unwind" fn(*mut PyObject, *mut PyObject) -> *mut PyObject;
    // Of a function that it knows, the compiler would take for true that it does not unwind.
    let plain = black_box(ffi::PyObject_CallObject as Plain);
    // SAFETY: the same function, of which the compiler is told that it may unwind.
    let unwinding = unsafe { mem::transmute::<Plain, Unwinding>(plain) };
    let guard = StopsUnwinding;
    // SAFETY: both are alive, the second is a tuple, and the interpreter's lock is held.
    let result = unsafe { unwinding(function.as_ptr(), args.as_ptr()) };
    mem::forget(guard);
    // SAFETY: a new reference, or null with an exception set.
    unsafe { Bound::from_owned_ptr_or_err(function.py(), result) }
}

/// The state that a force is a function of.
pub struct ForceState {
    /// \[s\].
    pub time: f64,
    /// \[m\], three numbers for each particle.
    pub positions: Vec<Real>,
    /// \[m/s\].
    pub velocities: Vec<Real>,
}

impl ForceState {
    /// Copies of what a function may keep.
    pub fn new(time: f64, positions: &[Vec3], velocities: &[Vec3]) -> Self {
        let numbers = |of: &[Vec3]| of.iter().flat_map(|v| [v.x, v.y, v.z]).collect();
        ForceState { time, positions: numbers(positions), velocities: numbers(velocities) }
    }

    /// The accelerations \[m/s²\] that a function gives for it.
    ///
    /// # Errors
    /// What the function raises, and if it gives no three finite numbers for each particle.
    pub fn accelerations(self, py: Python<'_>, function: &Function) -> PyResult<Vec<Vec3>> {
        let count = self.positions.len() / 3;
        // The collector takes it when nobody steps any more.
        let Some((function, helper)) = function.get(py) else {
            return Ok(vec![Vec3::zeros(); count]);
        };
        let array = |numbers: Vec<Real>| -> PyResult<Bound<'_, PyArray2<Real>>> {
            numpy::PyArray1::from_vec(py, numbers).reshape([count, 3])
        };
        let args = (function, self.time, array(self.positions)?, array(self.velocities)?);
        let given = call(helper.bind(py), &args.into_pyobject(py)?)?;
        let given: PyReadonlyArray2<'_, Real> = given.extract()?;
        let rows = given.as_array();
        Ok(rows.rows().into_iter().map(|row| Vec3::new(row[0], row[1], row[2])).collect())
    }
}

/// What a step asks the waiting thread for.
pub struct Request {
    pub function: Function,
    pub state: ForceState,
    pub reply: Sender<PyResult<Vec<Vec3>>>,
}

impl Request {
    /// Calls the function; a loop that has ended meanwhile gets no reply.
    pub fn answer(self, py: Python<'_>) {
        drop(self.reply.send(self.state.accelerations(py, &self.function)));
    }
}
