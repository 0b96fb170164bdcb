//! Readers of files of other programs: bytes in, a cloud of particles with attributes or a mesh
//! out.
//!
//! ```
//! use hashfall_input::{AttributeFilter, Format, Place, read};
//!
//! let text = b"0.0 0.0 0.5\n1.0 0.25 0.5\n";
//! let cloud = read(text, Format::Xyz, &AttributeFilter::All)?;
//! assert_eq!(cloud.positions.len(), 2);
//!
//! let wrong = b"0.0 0.0 0.5\n1.0 wet 0.5\n";
//! let error = read(wrong, Format::Xyz, &AttributeFilter::All).unwrap_err();
//! assert_eq!(error.place, Some(Place::Line(2)));
//! assert_eq!(error.to_string(), "line 2: expected a coordinate, found `wet`");
//! # Ok::<(), hashfall_input::InputError>(())
//! ```
//!
//! | file | content |
//! |---|---|
//! | `read`, `registry`, `format`, `cloud` | the list of formats, and the particles that are read |
//! | `columns`, `quantity` | the columns that a user chooses |
//! | `chosen_arrays` | these of a file of arrays |
//! | `legacy` | VTK's legacy files, `.vtk`: ASCII and binary, versions 2 to 5 |
//! | `vtk_xml` | VTK's XML files, `.vtp` and `.vtu`; `data_block` decodes base64 and compression |
//! | `xml` | XML as text, within limits that keep the parser's work linear |
//! | `ply` | `.ply`: ASCII and binary of either byte order |
//! | `bgeo` | `.bgeo`: Houdini's classic format, plain or in gzip |
//! | `mesh` | triangle meshes, format by format, what is put right in them; of elements |
//! | `table` | `.csv`, `.tsv`, `.dat`, `.pts`, `.xyz`: their heads, the names of columns, rows |
//! | `field_names` | what the names of arrays and columns mean |
//! | `series` | the files of a series and their times, `.pvd` and `.series`; of parts, `.vtm` … |
//! | `content` | other formats under a wrong name, encodings of text, text or raw numbers |
//! | `raw` | whether raw coordinates are plausible as they are read |
//! | `percent` | names with `%20` and alike |
//! | `scanner` | words, lines and bytes of a file, and their places |
//! | `numbers` | number types, and numbers as the program stores them |
//! | `array` | arrays of a file, the attribute filter, and attributes |
//! | `error` | the problems of a file, and their places |
//!
//! A file that ends early, or whose coordinates are not finite, is an error, never a smaller cloud.
//! No memory is allocated for a count in a file before the file proves to be long enough.
//! Attributes that the filter excludes are not decoded, so they never make a file invalid.
//!
//! The readers are our own: the crate vtkio (0.7.0-rc2) does not read raw appended data, which
//! ParaView writes, and ply-rs-bw takes memory of its own for each row.

mod array;
mod bgeo;
mod chosen_arrays;
mod cloud;
mod columns;
mod content;
mod data_block;
mod error;
pub mod field_names;
mod format;
mod legacy;
pub mod mesh;
mod numbers;
mod percent;
mod ply;
mod quantity;
mod raw;
mod read;
mod registry;
mod scanner;
pub mod series;
mod table;
#[cfg(test)]
mod tests;
mod vtk_xml;
mod xml;

pub use array::AttributeFilter;
pub use cloud::{Cloud, UnreadableAttribute};
pub use columns::{ColumnChoice, ColumnRef};
pub use error::{ColumnProblem, InputError, Place, Problem};
pub use quantity::Quantity;
pub use read::{read, read_columns, read_ply_mesh, read_vtk_mesh};
pub use registry::Format;
