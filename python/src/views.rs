//! Views of a simulation's state: arrays that know how old they are.
//!
//! A [`View`] names an array of a simulation at one state; after the next step it raises
//! `StaleViewError` on use. Arrays of numpy that are made of it live on, see
//! [`exports`](crate::exports).

use crate::access::Simulation;
use crate::errors::StaleViewError;
use crate::exports::{Field, Keeper};
use pyo3::basic::CompareOp;
use pyo3::exceptions::{PyAttributeError, PyValueError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;

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
        let export = self.simulation.get().read(|state| {
            // With the state locked: no step has come in between.
            self.check()?;
            Ok::<_, PyErr>(state.exports.export(self.field, &state.world.particles))
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

    fn __floordiv__<'py>(&self, py: Python<'py>, other: Any<'py>) -> PyResult<Any<'py>> {
        self.array(py)?.floor_div(other)
    }

    fn __rfloordiv__<'py>(&self, py: Python<'py>, other: Any<'py>) -> PyResult<Any<'py>> {
        other.floor_div(self.array(py)?)
    }

    fn __mod__<'py>(&self, py: Python<'py>, other: Any<'py>) -> PyResult<Any<'py>> {
        self.array(py)?.rem(other)
    }

    fn __rmod__<'py>(&self, py: Python<'py>, other: Any<'py>) -> PyResult<Any<'py>> {
        other.rem(self.array(py)?)
    }

    fn __and__<'py>(&self, py: Python<'py>, other: Any<'py>) -> PyResult<Any<'py>> {
        self.array(py)?.bitand(other)
    }

    fn __rand__<'py>(&self, py: Python<'py>, other: Any<'py>) -> PyResult<Any<'py>> {
        other.bitand(self.array(py)?)
    }

    fn __or__<'py>(&self, py: Python<'py>, other: Any<'py>) -> PyResult<Any<'py>> {
        self.array(py)?.bitor(other)
    }

    fn __ror__<'py>(&self, py: Python<'py>, other: Any<'py>) -> PyResult<Any<'py>> {
        other.bitor(self.array(py)?)
    }

    fn __xor__<'py>(&self, py: Python<'py>, other: Any<'py>) -> PyResult<Any<'py>> {
        self.array(py)?.bitxor(other)
    }

    fn __rxor__<'py>(&self, py: Python<'py>, other: Any<'py>) -> PyResult<Any<'py>> {
        other.bitxor(self.array(py)?)
    }

    fn __lshift__<'py>(&self, py: Python<'py>, other: Any<'py>) -> PyResult<Any<'py>> {
        self.array(py)?.lshift(other)
    }

    fn __rlshift__<'py>(&self, py: Python<'py>, other: Any<'py>) -> PyResult<Any<'py>> {
        other.lshift(self.array(py)?)
    }

    fn __rshift__<'py>(&self, py: Python<'py>, other: Any<'py>) -> PyResult<Any<'py>> {
        self.array(py)?.rshift(other)
    }

    fn __rrshift__<'py>(&self, py: Python<'py>, other: Any<'py>) -> PyResult<Any<'py>> {
        other.rshift(self.array(py)?)
    }

    fn __divmod__<'py>(&self, py: Python<'py>, other: Any<'py>) -> PyResult<Any<'py>> {
        self.array(py)?.divmod(other)
    }

    fn __rdivmod__<'py>(&self, py: Python<'py>, other: Any<'py>) -> PyResult<Any<'py>> {
        other.divmod(self.array(py)?)
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

    fn __pos__<'py>(&self, py: Python<'py>) -> PyResult<Any<'py>> {
        self.array(py)?.pos()
    }

    fn __invert__<'py>(&self, py: Python<'py>) -> PyResult<Any<'py>> {
        self.array(py)?.bitnot()
    }

    /// As of the array: an error, but with a single number.
    fn __bool__(&self, py: Python<'_>) -> PyResult<bool> {
        self.array(py)?.is_truthy()
    }

    fn __contains__(&self, py: Python<'_>, item: Any<'_>) -> PyResult<bool> {
        self.array(py)?.contains(item)
    }

    fn __rpow__<'py>(
        &self,
        py: Python<'py>,
        other: Any<'py>,
        modulo: Option<Any<'py>>,
    ) -> PyResult<Any<'py>> {
        other.pow(self.array(py)?, modulo)
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

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        // A cycle through it is cut where the simulation holds functions.
        visit.call(&self.simulation)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let name = self.field.name();
        if self.is_stale() {
            return Ok(format!("<stale view of {name}>"));
        }
        Ok(format!("<view of {name}: {}>", self.array(py)?.repr()?))
    }
}
