//! Readers by format.

use super::array::AttributeFilter;
use super::cloud::Cloud;
use super::columns::ColumnChoice;
use super::error::{ColumnProblem, InputError, Problem};
use super::format::FileFormat;
use super::quantity::Quantity;
use super::registry::Format;
use super::{content, ply, vtk_xml};
use hashfall_core::Values;

/// Reads a mesh of triangles from a `.vtp`: vertices with attributes, and their indices for each
/// triangle.
///
/// # Errors
/// The problem of the file, and its place.
pub fn read_vtk_mesh(bytes: &[u8]) -> Result<(Cloud, Vec<[u32; 3]>), InputError> {
    vtk_xml::read_mesh(bytes)
}

/// Reads a mesh of triangles from a binary `.ply`, as [`read_vtk_mesh`] does from a `.vtp`.
///
/// # Errors
/// The problem of the file, and its place.
pub fn read_ply_mesh(bytes: &[u8]) -> Result<(Cloud, Vec<[u32; 3]>), InputError> {
    ply::read_mesh(bytes)
}

/// Reads particles and the attributes that the filter includes.
///
/// # Errors
/// The problem of the file, and its place.
pub fn read(
    bytes: &[u8],
    format: Format,
    attributes: &AttributeFilter,
) -> Result<Cloud, InputError> {
    read_columns(bytes, format, &ColumnChoice::default(), attributes)
}

/// Reads particles as [`read`] does, from columns that are chosen: what these are chosen for goes
/// by the names `velocity`, `density`, `pressure` and `phase`, and before others of these names.
/// With a choice, all arrays of formats that have arrays are decoded.
///
/// # Errors
/// The problem of the file, and its place, or a choice that the file does not have
/// ([`Problem::Column`]).
pub fn read_columns(
    bytes: &[u8],
    format: Format,
    columns: &ColumnChoice,
    attributes: &AttributeFilter,
) -> Result<Cloud, InputError> {
    let FileFormat { may_be_gzip, read, .. } = format.file_format();
    if bytes.is_empty() {
        return Err(Problem::Empty.into());
    }
    if !may_be_gzip || !content::is_gzip(bytes) {
        content::reject_foreign(bytes, Format::list_extensions)?;
    }
    let cloud = read(content::strip_bom(bytes), columns, attributes)?;
    check_phases(&cloud, columns)?;
    Ok(cloud)
}

/// Refuses a column that is chosen for phases and holds other than whole numbers.
fn check_phases(cloud: &Cloud, columns: &ColumnChoice) -> Result<(), Problem> {
    let Some(column) = columns.get(Quantity::Phase) else { return Ok(()) };
    let phases = cloud.attributes.iter().find(|attribute| attribute.name == "phase");
    match phases.map(|attribute| &attribute.values) {
        None | Some(Values::Labels(_)) => Ok(()),
        Some(values) if values.is_empty() => Ok(()),
        Some(_) => {
            let message = format!("{column} holds other than whole numbers from 0 up");
            let help = "choose the column that tells fluids apart".to_owned();
            Err(ColumnProblem::new(Quantity::Phase, message, help).into())
        }
    }
}
