//! Surfaces of points.

use crate::pools::Threads;
use crate::waiting::wait;
use hashfall::core::Vec3;
use hashfall::surface::{Clip, SurfaceBuilder, SurfaceMesh, SurfaceSettings};
use numpy::{PyArray1, PyArray2, PyArrayMethods as _, PyReadonlyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// A closed triangle mesh.
#[pyclass(frozen, get_all, module = "hashfall")]
pub struct Mesh {
    /// Vertices [m], float32 of shape (n, 3).
    vertices: Py<PyArray2<f32>>,
    /// Vertices of each triangle, counter-clockwise seen from outside, uint32 of shape (m, 3).
    triangles: Py<PyArray2<u32>>,
    /// Unit normals at the vertices, outwards, float32 of shape (n, 3).
    normals: Py<PyArray2<f32>>,
    /// The volume within [m³].
    volume: f64,
}

impl Mesh {
    /// A mesh as arrays.
    pub fn new(py: Python<'_>, mesh: SurfaceMesh) -> PyResult<Self> {
        let volume = mesh.volume();
        Ok(Mesh {
            vertices: vectors(py, &mesh.positions)?,
            triangles: triangles(py, &mesh.triangles)?,
            normals: vectors(py, &mesh.normals)?,
            volume,
        })
    }
}

#[pymethods]
impl Mesh {
    #[new]
    fn from_parts(
        vertices: Py<PyArray2<f32>>,
        triangles: Py<PyArray2<u32>>,
        normals: Py<PyArray2<f32>>,
        volume: f64,
    ) -> Self {
        Mesh { vertices, triangles, normals, volume }
    }

    /// What it is made of, for `pickle` and `copy`.
    fn __getnewargs__<'py>(
        &self,
        py: Python<'py>,
    ) -> (Bound<'py, PyAny>, Bound<'py, PyAny>, Bound<'py, PyAny>, f64) {
        let array = |of: Py<PyAny>| of.into_bound(py);
        let [vertices, triangles, normals] = [
            self.vertices.clone_ref(py).into_any(),
            self.triangles.clone_ref(py).into_any(),
            self.normals.clone_ref(py).into_any(),
        ]
        .map(array);
        (vertices, triangles, normals, self.volume)
    }

    /// Unpacks as vertices, triangles, normals.
    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let parts = (
            self.vertices.clone_ref(py).into_any(),
            self.triangles.clone_ref(py).into_any(),
            self.normals.clone_ref(py).into_any(),
        );
        Ok(parts.into_pyobject(py)?.try_iter()?.into_any())
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let count = |array: Bound<'_, PyAny>| array.len();
        let vertices = count(self.vertices.bind(py).clone().into_any())?;
        let triangles = count(self.triangles.bind(py).clone().into_any())?;
        Ok(format!("Mesh({vertices} vertices, {triangles} triangles, volume={})", self.volume))
    }
}

/// Vectors as an array.
pub fn vectors(py: Python<'_>, vectors: &[Vec3]) -> PyResult<Py<PyArray2<f32>>> {
    let numbers: Vec<f32> = vectors.iter().flat_map(|v| [v.x, v.y, v.z]).collect();
    Ok(PyArray1::from_vec(py, numbers).reshape([vectors.len(), 3])?.unbind())
}

/// Triangles as an array.
pub fn triangles(py: Python<'_>, of: &[[u32; 3]]) -> PyResult<Py<PyArray2<u32>>> {
    Ok(PyArray1::from_vec(py, of.as_flattened().to_vec()).reshape([of.len(), 3])?.unbind())
}

/// Points of Python, as numbers of the state.
///
/// # Errors
/// If they are no array of shape (n, 3).
pub fn points(given: &Bound<'_, PyAny>) -> PyResult<Vec<Vec3>> {
    let py = given.py();
    if py.import("numpy")?.getattr("ma")?.call_method1("is_masked", (given,))?.extract()? {
        return Err(PyValueError::new_err(
            "points have masked entries: leave these points out, as with `points[~mask]`",
        ));
    }
    let array = py.import("numpy")?.call_method1("asarray", (given, numpy::dtype::<f32>(py)))?;
    let array: PyReadonlyArray2<f32> = array.extract().map_err(|_| shape(&array))?;
    let array = array.as_array();
    if array.ncols() != 3 {
        return Err(shape(given));
    }
    Ok(array.rows().into_iter().map(|row| Vec3::new(row[0], row[1], row[2])).collect())
}

fn shape(given: &Bound<'_, PyAny>) -> PyErr {
    let is =
        given.getattr("shape").map_or_else(|_| String::new(), |shape| format!(", not {shape}"));
    PyValueError::new_err(format!("points are an array of shape (n, 3){is}"))
}

/// The closed surface around particles at `points` [m], in any order, far from all solids. After
/// Ctrl-C, threads finish it in the background.
#[pyfunction]
#[pyo3(signature = (
    points, particle_radius, *, support_radius=None, cell=None, iso=None, smoothing=None,
    anisotropy=None, decimation=None, min_component_volume=None, raw=false
))]
#[expect(clippy::too_many_arguments, reason = "keywords of Python")]
pub fn surface(
    py: Python<'_>,
    points: &Bound<'_, PyAny>,
    particle_radius: f64,
    support_radius: Option<f64>,
    cell: Option<f64>,
    iso: Option<f64>,
    smoothing: Option<u32>,
    anisotropy: Option<f64>,
    decimation: Option<f64>,
    min_component_volume: Option<f64>,
    raw: bool,
) -> PyResult<Mesh> {
    let points = self::points(points)?;
    let usual = SurfaceSettings::default();
    let settings = SurfaceSettings {
        cell: cell.unwrap_or(usual.cell),
        iso: iso.unwrap_or(usual.iso),
        smoothing: smoothing.unwrap_or(usual.smoothing),
        anisotropy: anisotropy.unwrap_or(usual.anisotropy),
        decimation: decimation.unwrap_or(usual.decimation),
        min_component_volume: min_component_volume.unwrap_or(usual.min_component_volume),
        raw,
        clip: Clip::Free,
        ..usual
    };
    let mut builder = SurfaceBuilder::new(particle_radius).settings(settings);
    if let Some(support_radius) = support_radius {
        builder = builder.support_radius(support_radius);
    }
    let pool = Threads::new(None).pool(py)?;
    let surfaces = wait(py, &pool, move || builder.mesh(&points))?;
    let surfaces = surfaces.map_err(|error| PyValueError::new_err(error.to_string()))?;
    Mesh::new(py, surfaces.main)
}
