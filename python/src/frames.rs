//! Files of frames as arrays.

use crate::meshes;
use crate::paths::GivenPath;
use hashfall::core::{Attribute, Values};
use hashfall::input::{AttributeFilter, Cloud, Format, read, read_ply_mesh, read_vtk_mesh};
use numpy::PyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::fs;
use std::io;
use std::path::Path;

/// Reads a file of particles: `positions`, each attribute by its name, and `time`.
#[pyfunction]
pub fn read_particles<'py>(py: Python<'py>, path: GivenPath) -> PyResult<Bound<'py, PyDict>> {
    let GivenPath(path) = path;
    let name = path.extension().unwrap_or_default().to_string_lossy().into_owned();
    let format = Format::from_extension(&name)
        .ok_or_else(|| PyValueError::new_err(format!("`{name}`: no extension of particles")))?;
    let cloud = py.detach(|| {
        let bytes = bytes_of(&path)?;
        read(&bytes, format, &AttributeFilter::All).map_err(|error| unreadable(&path, &error))
    })?;
    arrays(py, cloud)
}

/// Reads a `.ply` or `.vtp` of a surface: `vertices`, `triangles`, and each attribute by its name.
#[pyfunction]
pub fn read_mesh<'py>(py: Python<'py>, path: GivenPath) -> PyResult<Bound<'py, PyDict>> {
    let GivenPath(path) = path;
    let is_vtk = path.extension().is_some_and(|end| end == "vtp");
    let (cloud, triangles) = py.detach(|| {
        let bytes = bytes_of(&path)?;
        let mesh = if is_vtk { read_vtk_mesh(&bytes) } else { read_ply_mesh(&bytes) };
        mesh.map_err(|error| unreadable(&path, &error))
    })?;
    let arrays = arrays(py, cloud)?;
    let vertices = arrays.get_item("positions")?;
    arrays.del_item("positions")?;
    arrays.set_item("vertices", vertices)?;
    arrays.set_item("triangles", meshes::triangles(py, &triangles)?)?;
    Ok(arrays)
}

/// The bytes of a file; an error names it.
fn bytes_of(path: &Path) -> io::Result<Vec<u8>> {
    let named =
        |error: io::Error| io::Error::new(error.kind(), format!("`{}`: {error}", path.display()));
    fs::read(path).map_err(named)
}

fn unreadable(path: &Path, error: &hashfall::input::InputError) -> PyErr {
    PyValueError::new_err(format!("`{}`: {error}", path.display()))
}

/// Positions and attributes by their names.
fn arrays(py: Python<'_>, cloud: Cloud) -> PyResult<Bound<'_, PyDict>> {
    let arrays = PyDict::new(py);
    arrays.set_item("positions", meshes::vectors(py, &cloud.positions)?)?;
    for Attribute { name, values } in cloud.attributes {
        match values {
            Values::Scalars(numbers) => {
                arrays.set_item(name, PyArray1::from_vec(py, numbers.into_owned()))?;
            }
            Values::Vectors(vectors) => arrays.set_item(name, meshes::vectors(py, &vectors)?)?,
            Values::Labels(labels) => {
                arrays.set_item(name, PyArray1::from_vec(py, labels.into_owned()))?;
            }
            Values::Integers(numbers) => {
                let numbers: Vec<i64> = numbers.iter().map(|&x| x as i64).collect();
                arrays.set_item(name, PyArray1::from_vec(py, numbers))?;
            }
        }
    }
    arrays.set_item("time", cloud.time)?;
    Ok(arrays)
}
