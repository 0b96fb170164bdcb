//! Arrays of the state, without a copy, that never dangle.
//!
//! A [`View`] names an array of a simulation at one state; after the next step it raises
//! `StaleViewError` on use. Reading it gives numpy arrays, which cannot raise: so their memory stays
//! as it is. An array is read-only, and its base, a [`Keeper`], holds the simulation and an
//! [`Export`]. Before the state changes, each buffer whose export is still alive moves into it, and
//! the world goes on with a copy: arrays that nobody kept cost nothing, and those that somebody
//! kept show the old state for good. All arrays of one field and state share an export.

use crate::access::Simulation;
use crate::errors::StaleViewError;
use hashfall::core::{Real, Vec3};
use hashfall::world::Particles;
use numpy::ndarray::{ArrayView1, ArrayView2};
use numpy::{PyArray1, PyArray2, PyArrayMethods as _};
use pyo3::basic::CompareOp;
use pyo3::exceptions::{PyAttributeError, PyValueError};
use pyo3::prelude::*;
use std::any;
use std::mem;
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// An array of the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    Position,
    Velocity,
    Acceleration,
    Density,
    Pressure,
    Id,
    Phase,
}

impl Field {
    const COUNT: usize = 7;

    fn name(self) -> &'static str {
        match self {
            Field::Position => "positions",
            Field::Velocity => "velocities",
            Field::Acceleration => "accelerations",
            Field::Density => "density",
            Field::Pressure => "pressure",
            Field::Id => "ids",
            Field::Phase => "phase",
        }
    }
}

/// Where the numbers of an array are.
#[derive(Clone, Copy, Debug)]
enum Place {
    Vectors(*const Real),
    Reals(*const Real),
    Ids(*const u32),
    Bytes(*const u8),
}

/// An array that Python holds, or has held.
pub struct Export {
    place: Place,
    /// How many particles it has.
    count: usize,
    /// The buffer, once it is no longer the world's.
    buffer: Mutex<Option<Box<dyn any::Any + Send>>>,
    /// What holds the buffer until then.
    owner: Mutex<Option<Py<Simulation>>>,
}

// SAFETY: the place is that of a buffer which nobody changes while an export of it is alive: the
// world's is moved into `buffer` before a step writes.
unsafe impl Send for Export {}
// SAFETY: as above; the buffer is only read.
unsafe impl Sync for Export {}

/// The exports of the present state, one for each field.
#[derive(Default)]
pub struct Exports([Weak<Export>; Field::COUNT]);

impl Exports {
    /// The export of a field of the present state. The GIL is held.
    fn export(&mut self, field: Field, from: &Particles, owner: Py<Simulation>) -> Arc<Export> {
        let slot = &mut self.0[field as usize];
        if let Some(export) = slot.upgrade() {
            return export;
        }
        let vectors = |of: &[Vec3]| Place::Vectors(of.as_ptr().cast());
        let export = Arc::new(Export {
            place: match field {
                Field::Position => vectors(&from.position),
                Field::Velocity => vectors(&from.velocity),
                Field::Acceleration => vectors(&from.acceleration),
                Field::Density => Place::Reals(from.density.as_ptr()),
                Field::Pressure => Place::Reals(from.pressure.as_ptr()),
                Field::Id => Place::Ids(from.id.as_ptr()),
                Field::Phase => Place::Bytes(from.phase.as_ptr()),
            },
            count: from.len(),
            buffer: Mutex::new(None),
            owner: Mutex::new(Some(owner)),
        });
        *slot = Arc::downgrade(&export);
        export
    }

    /// Hands the buffers of exports that are alive over to them, and gives the world copies: it may
    /// change then. Returns what held the buffers, to be dropped with the GIL held.
    #[must_use]
    pub fn detach(&mut self, particles: &mut Particles) -> Vec<Py<Simulation>> {
        let fields = [
            Field::Position,
            Field::Velocity,
            Field::Acceleration,
            Field::Density,
            Field::Pressure,
            Field::Id,
            Field::Phase,
        ];
        let mut owners = Vec::new();
        for field in fields {
            let Some(export) = mem::take(&mut self.0[field as usize]).upgrade() else { continue };
            let buffer = match field {
                Field::Position => replace_by_copy(&mut particles.position),
                Field::Velocity => replace_by_copy(&mut particles.velocity),
                Field::Acceleration => replace_by_copy(&mut particles.acceleration),
                Field::Density => replace_by_copy(&mut particles.density),
                Field::Pressure => replace_by_copy(&mut particles.pressure),
                Field::Id => replace_by_copy(&mut particles.id),
                Field::Phase => replace_by_copy(&mut particles.phase),
            };
            *export.buffer.lock().unwrap_or_else(PoisonError::into_inner) = Some(buffer);
            owners.extend(export.owner.lock().unwrap_or_else(PoisonError::into_inner).take());
        }
        owners
    }
}

/// The buffer of an array, which goes on as a copy.
fn replace_by_copy<T: Copy + Send + 'static>(array: &mut Vec<T>) -> Box<dyn any::Any + Send> {
    let copy = array.clone();
    Box::new(mem::replace(array, copy))
}

/// The base of an array of numpy: keeps its memory.
#[pyclass(frozen, module = "hashfall")]
struct Keeper {
    export: Arc<Export>,
}

impl Keeper {
    /// The array of the export, read-only.
    fn array(this: Bound<'_, Keeper>) -> Bound<'_, PyAny> {
        let (place, n) = (this.get().export.place, this.get().export.count);
        let base = this.into_any();
        // SAFETY: the place holds `n` entries for as long as the export lives, which the base
        // holds, and nobody changes them, see `Export`. A vector is three numbers without gaps.
        unsafe {
            match place {
                Place::Vectors(at) => {
                    let array = ArrayView2::from_shape_ptr((n, 3), at);
                    let array = PyArray2::borrow_from_array(&array, base);
                    array.readwrite().make_nonwriteable();
                    array.into_any()
                }
                Place::Reals(at) => of_numbers(at, n, base),
                Place::Ids(at) => of_numbers(at, n, base),
                Place::Bytes(at) => of_numbers(at, n, base),
            }
        }
    }
}

/// An array of plain numbers, read-only.
///
/// # Safety
/// As of [`PyArray1::borrow_from_array`].
unsafe fn of_numbers<'py, T: numpy::Element>(
    at: *const T,
    n: usize,
    base: Bound<'py, PyAny>,
) -> Bound<'py, PyAny> {
    // SAFETY: the caller's.
    let array = unsafe { PyArray1::borrow_from_array(&ArrayView1::from_shape_ptr(n, at), base) };
    array.readwrite().make_nonwriteable();
    array.into_any()
}

/// An object of Python.
type Any<'py> = Bound<'py, PyAny>;

/// An array of a simulation's state, without a copy, until the next step.
///
/// `numpy.asarray(view)`, `view[…]` and numpy's functions read it; `view.copy()` keeps it. After
/// the next step it raises StaleViewError. Arrays made of it before stay as they were.
#[pyclass(frozen, module = "hashfall")]
pub struct View {
    simulation: Py<Simulation>,
    field: Field,
    generation: u64,
}

impl View {
    /// A view of the present state.
    pub fn new(simulation: &Bound<'_, Simulation>, field: Field) -> PyResult<Self> {
        let generation = simulation.get().read(|_| simulation.get().generation())?;
        Ok(View { simulation: simulation.clone().unbind(), field, generation })
    }

    fn is_stale(&self) -> bool {
        self.simulation.get().generation() != self.generation
    }

    fn check(&self) -> PyResult<()> {
        if !self.is_stale() {
            return Ok(());
        }
        let name = self.field.name();
        Err(StaleViewError::new_err(format!(
            "this view of `{name}` is of a state before the last step; take `simulation.{name}` \
             again, or keep `simulation.{name}.copy()`"
        )))
    }

    fn array<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let owner = self.simulation.clone_ref(py);
        let export = self.simulation.get().read(|state| {
            // With the state locked: no step has come in between.
            self.check()?;
            Ok::<_, PyErr>(state.exports.export(self.field, &state.world.particles, owner))
        })??;
        Ok(Keeper::array(Bound::new(py, Keeper { export })?))
    }
}

#[pymethods]
impl View {
    /// Whether the simulation has stepped since: the view can no longer be used.
    #[getter(is_stale)]
    fn get_is_stale(&self) -> bool {
        self.is_stale()
    }

    #[pyo3(signature = (dtype=None, copy=None))]
    fn __array__<'py>(
        &self,
        py: Python<'py>,
        dtype: Option<Bound<'py, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let array = self.array(py)?;
        if let Some(dtype) = dtype.filter(|dtype| !dtype.is_none()) {
            let is_same = array
                .getattr("dtype")?
                .eq(py.import("numpy")?.call_method1("dtype", (&dtype,))?)?;
            if !is_same && copy == Some(false) {
                return Err(PyValueError::new_err("another dtype needs a copy"));
            }
            if !is_same {
                return array.call_method1("astype", (dtype,));
            }
        }
        if copy == Some(true) { array.call_method0("copy") } else { Ok(array) }
    }

    /// An array of its own, which stays.
    fn copy<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.array(py)?.call_method0("copy")
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.array(py)?.len()
    }

    fn __getitem__<'py>(
        &self,
        py: Python<'py>,
        key: Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.array(py)?.get_item(key)
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(self.array(py)?.try_iter()?.into_any())
    }

    fn __add__<'py>(&self, py: Python<'py>, other: Any<'py>) -> PyResult<Any<'py>> {
        self.array(py)?.add(other)
    }

    fn __radd__<'py>(&self, py: Python<'py>, other: Any<'py>) -> PyResult<Any<'py>> {
        other.add(self.array(py)?)
    }

    fn __sub__<'py>(&self, py: Python<'py>, other: Any<'py>) -> PyResult<Any<'py>> {
        self.array(py)?.sub(other)
    }

    fn __rsub__<'py>(&self, py: Python<'py>, other: Any<'py>) -> PyResult<Any<'py>> {
        other.sub(self.array(py)?)
    }

    fn __mul__<'py>(&self, py: Python<'py>, other: Any<'py>) -> PyResult<Any<'py>> {
        self.array(py)?.mul(other)
    }

    fn __rmul__<'py>(&self, py: Python<'py>, other: Any<'py>) -> PyResult<Any<'py>> {
        other.mul(self.array(py)?)
    }

    fn __truediv__<'py>(&self, py: Python<'py>, other: Any<'py>) -> PyResult<Any<'py>> {
        self.array(py)?.div(other)
    }

    fn __rtruediv__<'py>(&self, py: Python<'py>, other: Any<'py>) -> PyResult<Any<'py>> {
        other.div(self.array(py)?)
    }

    fn __matmul__<'py>(&self, py: Python<'py>, other: Any<'py>) -> PyResult<Any<'py>> {
        self.array(py)?.matmul(other)
    }

    fn __rmatmul__<'py>(&self, py: Python<'py>, other: Any<'py>) -> PyResult<Any<'py>> {
        other.matmul(self.array(py)?)
    }

    fn __pow__<'py>(
        &self,
        py: Python<'py>,
        other: Any<'py>,
        modulo: Option<Any<'py>>,
    ) -> PyResult<Any<'py>> {
        self.array(py)?.pow(other, modulo)
    }

    fn __neg__<'py>(&self, py: Python<'py>) -> PyResult<Any<'py>> {
        self.array(py)?.neg()
    }

    fn __abs__<'py>(&self, py: Python<'py>) -> PyResult<Any<'py>> {
        self.array(py)?.abs()
    }

    fn __richcmp__<'py>(
        &self,
        py: Python<'py>,
        other: Any<'py>,
        op: CompareOp,
    ) -> PyResult<Any<'py>> {
        self.array(py)?.rich_compare(other, op)
    }

    /// The attributes and methods of the array, such as `shape` and `mean`.
    fn __getattr__<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        // Names of protocols: numpy is to ask `__array__`.
        if name.starts_with("__") {
            let text = format!("'View' object has no attribute '{name}'");
            return Err(PyAttributeError::new_err(text));
        }
        self.array(py)?.getattr(name)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let name = self.field.name();
        if self.is_stale() {
            return Ok(format!("<stale view of {name}>"));
        }
        Ok(format!("<view of {name}: {}>", self.array(py)?.repr()?))
    }
}
