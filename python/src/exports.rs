//! Arrays of the state that numpy has in hand, without a copy, and that never dangle.
//!
//! An array cannot raise when the state changes, so its memory stays as it is. It is read-only, and
//! its base, a [`Keeper`], holds an [`Export`], which holds the simulation. Before the state
//! changes, each buffer whose export is still alive moves into it, and the world goes on with a
//! copy: arrays that nobody kept cost nothing, and those that somebody kept show the old state for
//! good. All arrays of one field and state share an export.

use crate::access::Simulation;
use hashfall::core::{Real, Vec3};
use hashfall::world::Particles;
use numpy::ndarray::{ArrayView1, ArrayView2};
use numpy::{PyArray1, PyArray2, PyArrayMethods as _};
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

    /// What Python calls it.
    pub fn name(self) -> &'static str {
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
    pub fn export(&mut self, field: Field, from: &Particles, owner: Py<Simulation>) -> Arc<Export> {
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
pub struct Keeper {
    pub export: Arc<Export>,
}

impl Keeper {
    /// The array of the export, read-only.
    pub fn array(this: Bound<'_, Keeper>) -> Bound<'_, PyAny> {
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
