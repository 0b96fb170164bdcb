//! VTK's legacy files: `.vtk`, ASCII or big-endian binary, versions 2 to 5.
//!
//! Source: *VTK File Formats* (Kitware), "Simple Legacy Formats". The crate vtkio reads the points
//! and cells. It knows no field before the points, not all attributes, and only one type of
//! offsets, accepts cells with numbers that do not fit, and tells no places; so the particle
//! reader's scanner first finds the sections that make the shape, and `vtk_cells` checks them. What
//! is handed on is these alone: the points as they are, the cells in the layout of version 2.
//!
//! Polygons, strips, triangles, quads and pixels are read; vertices and lines are left out.

use super::error::{MeshError, MeshProblem, located};
use super::face::{FaceUnit, Faces};
use super::format::{Beside, FileMesh, Format};
use super::strips::strip;
use super::text::text;
use super::vtk_cells::{Cells, NAME, numbers_as_bytes};
use crate::array::AttributeFilter;
use crate::error::{InputError, Problem};
use crate::legacy::{Reader, element_type};
use crate::numbers::{ByteOrder, ElementType, NumberType};
use crate::scanner::Scanner;
use hashfall_core::file_kind::FileKind;
use hashfall_geometry::{Point, Polygons};
use std::borrow::Cow;
use std::ops::Range;
use vtkio::Vtk;
use vtkio::model::{DataSet, IOBuffer, Piece, VertexNumbers};

pub(super) const FORMAT: Format = Format { name: NAME, kinds: &[FileKind::Vtk], up: None, read };

/// Types of cells of a grid that have no area.
const WITHOUT_AREA: Range<i64> = 1..5;
pub(super) const POLY_LINE: i64 = 4;
pub(super) const STRIP: i64 = 6;
pub(super) const POLYGON: i64 = 7;
pub(super) const PIXEL: i64 = 8;
/// Types of cells of a grid that make faces: triangle, strip, polygon, pixel, quad.
const FACES: Range<i64> = 5..10;

fn read<'a>(bytes: &'a [u8], _: &mut Beside) -> Result<FileMesh<'a>, MeshError> {
    let file = VtkFile::new(bytes);
    let sections = file.sections()?;
    let is_binary = file.is_binary;
    let mut shape = Shape { is_binary, polygons: Polygons::default(), cells: Vec::new() };
    let mut starts = Vec::new();
    for section in &sections.cells {
        let (cells, types) = file.cells(&sections, section)?;
        let points = &file.bytes()[sections.range_of_points.clone()];
        let before = shape.cells.len();
        shape.add(points, &cells, &types)?;
        starts.extend(shape.cells[before..].iter().map(|&cell| cells.start_of(cell)));
    }
    let Shape { polygons, cells, .. } = shape;
    let faces = match is_binary {
        true => Faces::Numbered { unit: FaceUnit::Cell, numbers: cells },
        false => Faces::Words { text: file.text, starts },
    };
    let missing = "the file has no faces: neither polygons nor strips of triangles".to_owned();
    let problem = Problem::Missing(missing);
    let if_empty = MeshProblem::Format { format: NAME, problem };
    Ok(FileMesh { polygons, faces, warnings: Vec::new(), if_empty })
}

/// A file as text or bytes.
pub(super) struct VtkFile<'a> {
    binary: &'a [u8],
    /// Of a text file; empty of a binary one.
    pub(super) text: Cow<'a, str>,
    pub(super) is_binary: bool,
}

impl<'a> VtkFile<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        let no_attributes = AttributeFilter::Named(Vec::new());
        let is_binary = Reader::open(bytes, &no_attributes).is_ok_and(|reader| reader.is_binary);
        let text = if is_binary { "".into() } else { text(bytes) };
        VtkFile { binary: bytes, text, is_binary }
    }

    /// What places of faults are counted in.
    pub(super) fn bytes(&self) -> &[u8] {
        if self.is_binary { self.binary } else { self.text.as_bytes() }
    }

    /// The sections that make the shape.
    pub(super) fn sections(&self) -> Result<Sections, MeshError> {
        Sections::find(self.bytes()).map_err(|error| self.located(error))
    }

    /// The cells of a section, and their types: those of polygons and lines follow from its name.
    pub(super) fn cells(
        &self,
        sections: &Sections,
        Section { keyword, range }: &Section,
    ) -> Result<(Cells<'_>, Vec<i64>), MeshError> {
        let cells = Cells::read(self.scanner(range), sections.points, self.is_binary, &self.text)?;
        let types = match (keyword.as_str(), &sections.types) {
            ("CELLS", Some(range)) => {
                let types = cells.types(self.scanner(range), self.is_binary);
                types.map_err(|error| self.located(error))?
            }
            ("CELLS", None) => {
                let problem = Problem::ends_early("the section `CELL_TYPES` is missing");
                return Err(self.located(problem.into()));
            }
            ("LINES", _) => vec![POLY_LINE; cells.ends.len()],
            ("TRIANGLE_STRIPS", _) => vec![STRIP; cells.ends.len()],
            _ => vec![POLYGON; cells.ends.len()],
        };
        Ok((cells, types))
    }

    /// Reads a section.
    pub(super) fn scanner(&self, range: &Range<usize>) -> Scanner<'_> {
        Scanner::within(self.bytes(), range.clone(), !self.is_binary)
    }

    /// A fault with its place in the file.
    pub(super) fn located(&self, error: InputError) -> MeshError {
        located(NAME, error, &self.text)
    }
}

/// A section of cells.
pub(super) struct Section {
    /// `POLYGONS`, `CELLS` and the like, in capitals.
    keyword: String,
    /// The bytes of its numbers in the file.
    range: Range<usize>,
}

/// The sections of a file that make its shape.
pub(super) struct Sections {
    /// The number of points.
    pub(super) points: usize,
    pub(super) range_of_points: Range<usize>,
    /// Faces and cells.
    pub(super) cells: Vec<Section>,
    pub(super) lines: Vec<Section>,
    pub(super) types: Option<Range<usize>>,
}

impl Sections {
    /// Finds them; what follows them is not read, so that no attribute makes a mesh invalid.
    fn find(bytes: &[u8]) -> Result<Sections, InputError> {
        let no_attributes = AttributeFilter::Named(Vec::new());
        let mut reader = Reader::open(bytes, &no_attributes)?;
        let (mut points, mut cells, mut types) = (None, Vec::new(), None);
        let mut lines = Vec::new();
        while !reader.scanner.is_at_end() {
            let start = reader.scanner.at();
            let keyword = reader.scanner.peek().unwrap_or_default().to_ascii_uppercase();
            if ["POINT_DATA", "CELL_DATA"].contains(&&*keyword) {
                break;
            }
            reader.section()?;
            let range = start..reader.scanner.at();
            match keyword.as_str() {
                "POINTS" => points = Some(range),
                "POLYGONS" | "TRIANGLE_STRIPS" | "CELLS" => {
                    cells.push(Section { keyword, range });
                }
                "LINES" => lines.push(Section { keyword, range }),
                "CELL_TYPES" => types = Some(range),
                _ => {}
            }
        }
        let missing = || Problem::ends_early("the section `POINTS` is missing");
        let range_of_points = points.ok_or_else(missing)?;
        let points = reader.points.as_ref().map_or(0, |numbers| numbers.len() / 3);
        Ok(Sections { points, range_of_points, cells, lines, types })
    }
}

/// What has been read.
struct Shape {
    is_binary: bool,
    polygons: Polygons,
    /// The cell of each polygon, by its number in its section.
    cells: Vec<usize>,
}

impl Shape {
    /// Adds the cells of a section.
    fn add(&mut self, points: &[u8], cells: &Cells, types: &[i64]) -> Result<(), MeshError> {
        let (points, numbers) = parse(self.is_binary, points, cells)?;
        if self.polygons.vertices.is_empty() {
            self.polygons.vertices = points;
        }
        let mut rest = &numbers[..];
        for (cell, &cell_type) in types.iter().enumerate() {
            let Some((&count, others)) = rest.split_first() else { break };
            let (corners, others) = others.split_at(count as usize);
            rest = others;
            let before = self.polygons.arities.len();
            push_cell(&mut self.polygons, NAME, cell_type, corners)
                .map_err(|problem| cells.fault_at(cell, problem))?;
            let added = self.polygons.arities.len() - before;
            self.cells.extend(std::iter::repeat_n(cell, added));
        }
        Ok(())
    }
}

/// Adds the polygons of a cell of a type by VTK's numbers; none of a vertex or a line.
pub(super) fn push_cell(
    polygons: &mut Polygons,
    format: &'static str,
    cell_type: i64,
    corners: &[u32],
) -> Result<(), MeshProblem> {
    match (cell_type, corners) {
        (STRIP, corners) => strip(corners).for_each(|it| polygons.push(it)),
        (PIXEL, &[a, b, c, d]) => polygons.push([a, b, d, c]),
        (kind, _) if WITHOUT_AREA.contains(&kind) => {}
        (kind, corners) if FACES.contains(&kind) => {
            if corners.len() < 3 {
                return Err(MeshProblem::TooFewCorners { found: corners.len() });
            }
            polygons.push(corners.iter().copied());
        }
        (kind, _) => {
            let feature = format!("a cell of type {kind}, which is neither a polygon nor a line,");
            let instead =
                "extract the surface in ParaView (filter Extract Surface) and triangulate it";
            let problem = Problem::Unsupported { feature, instead };
            return Err(MeshProblem::Format { format, problem });
        }
    }
    Ok(())
}

/// Reads the points, and the cells as a list in which each begins with its number of corners,
/// through vtkio.
fn parse(
    is_binary: bool,
    points: &[u8],
    cells: &Cells,
) -> Result<(Vec<Point>, Vec<u32>), MeshError> {
    let refused = |reason: String| MeshProblem::Unreadable { format: NAME, reason };
    let format = if is_binary { "BINARY" } else { "ASCII" };
    let mut clean =
        format!("# vtk DataFile Version 3.0\nshape\n{format}\nDATASET POLYDATA\n").into_bytes();
    let points = clean_points(points, is_binary).map_err(|error| refused(error.to_string()))?;
    clean.extend(points);
    let numbers = cells.as_list();
    clean.extend(format!("\nPOLYGONS {} {}\n", cells.ends.len(), numbers.len()).bytes());
    clean.extend(numbers_as_bytes(&numbers, is_binary));
    clean.push(b'\n');
    let vtk = Vtk::parse_legacy_be(&clean[..]).map_err(|error| refused(error.to_string()))?;
    let piece = match vtk.data {
        DataSet::PolyData { mut pieces, .. } => pieces.pop(),
        _ => None,
    };
    let Some(Piece::Inline(piece)) = piece else {
        return Err(refused("no polygons".into()).into());
    };
    let coordinates = match piece.points {
        IOBuffer::F64(numbers) => numbers,
        IOBuffer::F32(numbers) => numbers.into_iter().map(f64::from).collect(),
        _ => return Err(refused("no points".into()).into()),
    };
    let points = coordinates.chunks_exact(3).map(Point::from_row_slice).collect();
    match piece.polys {
        Some(VertexNumbers::Legacy { vertices, .. }) => Ok((points, vertices)),
        _ => Err(refused("no polygons".into()).into()),
    }
}

/// The section of the points as vtkio knows it: it reads no points of whole numbers.
fn clean_points(section: &[u8], is_binary: bool) -> Result<Vec<u8>, InputError> {
    let mut scanner = Scanner::new(section);
    scanner.word("`POINTS`")?;
    let count = scanner.count("the number of points")?;
    let name = scanner.word("a number type")?;
    scanner.line("the coordinates")?;
    let coordinates = scanner.bytes(scanner.at()..section.len());
    let (name, coordinates) = match element_type(name) {
        Some(ElementType::Numbers(NumberType::F32)) => ("float", coordinates.into()),
        Some(ElementType::Numbers(whole)) if is_binary && whole.is_whole() => {
            let numbers = coordinates.chunks_exact(whole.size());
            let doubles = numbers.map(|number| whole.double(number, ByteOrder::Big));
            ("double", Cow::Owned(doubles.flat_map(f64::to_be_bytes).collect()))
        }
        _ => ("double", coordinates.into()),
    };
    let head = format!("POINTS {count} {name}\n");
    Ok([head.as_bytes(), &*coordinates].concat())
}
