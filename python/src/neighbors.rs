//! Neighbours of points, in compressed rows.

use crate::meshes::points;
use crate::pools::Threads;
use crate::waiting::wait;
use hashfall::core::{Vec3, cell};
use hashfall::search::{NeighborChoice, NeighborKind, NeighborLists};
use numpy::PyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rayon::prelude::*;

/// Offsets and indices as arrays.
type Rows<'py> = (Bound<'py, PyArray1<u64>>, Bound<'py, PyArray1<u32>>);

/// For each point, the indices of all others closer than `radius`, ascending: those of point i are
/// `indices[offsets[i]:offsets[i + 1]]`. Distances are compared in single precision.
#[pyfunction]
#[pyo3(signature = (points, radius, *, structure="SortedCells", threads=None))]
pub fn neighbors<'py>(
    py: Python<'py>,
    points: &Bound<'py, PyAny>,
    radius: f32,
    structure: &str,
    threads: Option<usize>,
) -> PyResult<Rows<'py>> {
    let points = self::points(points)?;
    let kind = NeighborKind::ALL.into_iter().find(|kind| kind.name() == structure);
    let kind = kind.ok_or_else(|| {
        let names: Vec<&str> = NeighborKind::ALL.iter().map(|kind| kind.name()).collect();
        PyValueError::new_err(format!("no structure `{structure}`; there are {}", names.join(", ")))
    })?;
    check(&points, radius)?;
    let pool = Threads::new(threads).pool(py)?;
    let (offsets, indices) = wait(py, &pool, move || find(kind, &points, radius))?;
    Ok((PyArray1::from_vec(py, offsets), PyArray1::from_vec(py, indices)))
}

/// Checks what structures panic on.
fn check(points: &[Vec3], radius: f32) -> PyResult<()> {
    if !(radius.is_finite() && radius > 0.0) {
        return Err(PyValueError::new_err(format!("the radius is positive, not {radius}")));
    }
    // The smallest cells of a structure are a part of the radius.
    let size = NeighborChoice::from(NeighborKind::CellIndex).cell_size(radius);
    let is_fine = |point: &Vec3| {
        let cell = cell::cell_of(point, size);
        point.iter().all(|x| x.is_finite()) && cell::is_within_limit(cell)
    };
    match points.iter().position(|point| !is_fine(point)) {
        None => Ok(()),
        Some(i) => Err(PyValueError::new_err(format!(
            "point {i} is not finite, or too many radii away from the origin"
        ))),
    }
}

/// The neighbours in compressed rows.
fn find(kind: NeighborKind, points: &[Vec3], radius: f32) -> (Vec<u64>, Vec<u32>) {
    let mut lists = NeighborLists::default();
    NeighborChoice::from(kind).structure().find(points, radius, &mut lists);
    let mut offsets = Vec::with_capacity(points.len() + 1);
    let mut sum = 0;
    offsets.push(sum);
    offsets.extend((0..points.len()).map(|i| {
        sum += lists.of(i).len() as u64;
        sum
    }));
    let mut indices = vec![0; sum as usize];
    let mut rows = Vec::with_capacity(points.len());
    let mut rest = &mut indices[..];
    for i in 0..points.len() {
        let (row, others) = rest.split_at_mut(lists.of(i).len());
        rows.push(row);
        rest = others;
    }
    rows.into_par_iter().with_min_len(256).enumerate().for_each(|(i, row)| {
        row.copy_from_slice(lists.of(i));
        row.sort_unstable();
    });
    (offsets, indices)
}
