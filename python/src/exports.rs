//! Arrays of the state that numpy has in hand, without a copy, and that never dangle.
//!
//! An array cannot raise when the state changes, so its memory stays as it is. It is read-only, and
//! its base, a [`Keeper`], holds an [`Export`]. Before the state changes, or goes with its
//! simulation, each buffer whose export is still alive moves into it, and the world goes on with a
//! copy: arrays that nobody kept cost nothing, and those that somebody kept show the old state for
//! good. All arrays of one field and state share an export. None holds the simulation: it may hold
//! arrays of its own, by its functions, and the collector cannot look into arrays.

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
    const ALL: [Field; 7] = [
        Field::Position,
        Field::Velocity,
        Field::Acceleration,
        Field::Density,
        Field::Pressure,
        Field::Id,
        Field::Phase,
    ];

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
}

// SAFETY: the place is that of a buffer which nobody changes while an export of it is alive: the
// world's is moved into `buffer` before a step writes.
unsafe impl Send for Export {}
// SAFETY: as above; the buffer is only read.
unsafe impl Sync for Export {}

/// The exports of the present state, one for each field.
#[derive(Default)]
pub struct Exports([Weak<Export>; Field::ALL.len()]);

impl Exports {
    /// The export of a field of the present state. The GIL is held.
    pub fn export(&mut self, field: Field, from: &Particles) -> Arc<Export> {
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
        });
        *slot = Arc::downgrade(&export);
        export
    }

    /// Hands the buffers of exports that are alive over to them, and gives the world copies: it may
    /// change then.
    pub fn detach(&mut self, particles: &mut Particles) {
        self.hand_over(particles, true);
    }

    /// Hands them over as the world goes.
    pub fn release(&mut self, particles: &mut Particles) {
        self.hand_over(particles, false);
    }

    fn hand_over(&mut self, particles: &mut Particles, goes_on: bool) {
        for field in Field::ALL {
            let Some(export) = mem::take(&mut self.0[field as usize]).upgrade() else { continue };
            let buffer = match field {
                Field::Position => take(&mut particles.position, goes_on),
                Field::Velocity => take(&mut particles.velocity, goes_on),
                Field::Acceleration => take(&mut particles.acceleration, goes_on),
                Field::Density => take(&mut particles.density, goes_on),
                Field::Pressure => take(&mut particles.pressure, goes_on),
                Field::Id => take(&mut particles.id, goes_on),
                Field::Phase => take(&mut particles.phase, goes_on),
            };
            *export.buffer.lock().unwrap_or_else(PoisonError::into_inner) = Some(buffer);
        }
    }
}

/// The buffer of an array, which goes on as a copy, or ends.
fn take<T: Copy + Send + 'static>(array: &mut Vec<T>, goes_on: bool) -> Box<dyn any::Any + Send> {
    let rest = if goes_on { array.clone() } else { Vec::new() };
    Box::new(mem::replace(array, rest))
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
