//! VTK's XML files, `.vtp` and `.vtu`, as surfaces: polygons, strips, triangles, quadrilaterals and
//! pixels; vertices and lines are left out.
//!
//! Source: *VTK File Formats* (Kitware), "XML File Formats". The reader of particles unpacks the
//! arrays: text, base64 and raw data, with any of VTK's compressors.

use super::error::{MeshError, MeshProblem, located};
use super::face::{FaceUnit, Faces};
use super::format::{Beside, FileMesh, Format};
use super::vtk::push_cell;
use crate::error::Problem;
use crate::vtk_xml::{VtkCells, read_cells};
use hashfall_core::file_kind::FileKind;
use hashfall_geometry::{Point, Polygons};

const NAME: &str = "VTK XML";

pub(super) const FORMAT: Format = Format { name: NAME, kinds: &[FileKind::VtkXml], up: None, read };

fn read<'a>(bytes: &'a [u8], _: &mut Beside) -> Result<FileMesh<'a>, MeshError> {
    let VtkCells { points, corners, ends, types } =
        read_cells(bytes).map_err(|error| located(NAME, error, ""))?;
    let vertices = points.into_iter().map(Point::from).collect();
    let mut polygons = Polygons { vertices, ..Polygons::default() };
    let (mut numbers, mut start) = (Vec::new(), 0);
    for (cell, (&kind, &end)) in types.iter().zip(&ends).enumerate() {
        let before = polygons.arities.len();
        push_cell(&mut polygons, NAME, kind, &corners[start..end])?;
        numbers.extend(std::iter::repeat_n(cell, polygons.arities.len() - before));
        start = end;
    }
    let missing = "the file has no faces: neither polygons nor strips of triangles".to_owned();
    let if_empty = MeshProblem::Format { format: NAME, problem: Problem::Missing(missing) };
    let faces = Faces::Numbered { unit: FaceUnit::Cell, numbers };
    Ok(FileMesh { polygons, faces, warnings: Vec::new(), if_empty })
}
