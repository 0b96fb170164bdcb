//! Elements of VTK's legacy files: unstructured grids, and polygons and lines.
//!
//! Sections are found and cells checked as for surfaces. Coordinates are read in double precision.

use super::super::error::{MeshError, MeshProblem, Place, located};
use super::super::strips::strip;
use super::super::text::{place_of_line, text};
use super::super::vtk::{FORMAT, Sections};
use super::super::vtk_cells::Cells;
use super::assembly::{ElementMesh, FileCell, FileElements, Shape};
use crate::array::AttributeFilter;
use crate::error::{InputError, Problem};
use crate::legacy::{Reader, element_type};
use crate::numbers::{ByteOrder, ElementType};
use crate::scanner::Scanner;
use hashfall_geometry::Point;
use std::ops::Range;

/// Types of cells: their numbers in the format.
const VERTEX: i64 = 1;
const POLY_VERTEX: i64 = 2;
const LINE: i64 = 3;
const POLY_LINE: i64 = 4;
const TRIANGLE: i64 = 5;
const STRIP: i64 = 6;
const POLYGON: i64 = 7;
const PIXEL: i64 = 8;
const QUAD: i64 = 9;
const TETRAHEDRON: i64 = 10;

/// Reads a file.
pub(super) fn read(bytes: &[u8]) -> Result<ElementMesh, MeshError> {
    let no_attributes = AttributeFilter::Named(Vec::new());
    let is_binary = Reader::open(bytes, &no_attributes).is_ok_and(|reader| reader.is_binary);
    let text = if is_binary { "".into() } else { text(bytes) };
    let bytes = if is_binary { bytes } else { text.as_bytes() };
    let inside = |error: InputError| located(FORMAT.name, error, &text);
    let sections = Sections::find(bytes).map_err(inside)?;
    let nodes = points(bytes, &sections.range_of_points, is_binary).map_err(inside)?;
    let mut elements = FileElements { nodes, sets: vec![vec![]], ..FileElements::default() };
    let mut number = 0;
    for (keyword, range) in sections.lines.iter().chain(&sections.cells) {
        let section = |range: &Range<usize>| Scanner::within(bytes, range.clone(), !is_binary);
        let cells = Cells::read(section(range), sections.points, is_binary, &text)?;
        let types = match (keyword.as_str(), &sections.types) {
            ("CELLS", Some(range)) => cells.types(section(range), is_binary).map_err(inside)?,
            ("CELLS", None) => {
                let problem = Problem::ends_early("the section `CELL_TYPES` is missing");
                return Err(inside(problem.into()));
            }
            ("LINES", _) => vec![POLY_LINE; cells.ends.len()],
            ("TRIANGLE_STRIPS", _) => vec![STRIP; cells.ends.len()],
            _ => vec![POLYGON; cells.ends.len()],
        };
        for (cell, cell_type) in types.into_iter().enumerate() {
            add(&mut elements, &cells, cell, cell_type, number)?;
            number += 1;
        }
    }
    elements.assemble(FORMAT.name, &|at, problem| {
        problem.at(match is_binary {
            true => Place::Byte(at),
            false => place_of_line(&text, 1 + text[..at].matches('\n').count()),
        })
    })
}

/// Adds what a cell is.
fn add(
    elements: &mut FileElements,
    cells: &Cells,
    cell: usize,
    cell_type: i64,
    number: u64,
) -> Result<(), MeshError> {
    let corners: Vec<u32> = cells.corners_of(cell).collect();
    let blank = FileCell {
        shape: Shape::Vertex,
        corners: [0; 4],
        number,
        at: cells.start_of(cell),
        set: 0,
    };
    let mut push = |shape: Shape, corners: &[u32]| {
        let all = std::array::from_fn(|k| corners.get(k).copied().unwrap_or(corners[0]));
        elements.cells.push(FileCell { shape, corners: all, ..blank });
    };
    match (cell_type, &corners[..]) {
        (VERTEX | POLY_VERTEX, _) => {}
        (LINE, [_, _]) => push(Shape::Segment, &corners),
        (POLY_LINE, [_, _, ..]) => corners.windows(2).for_each(|s| push(Shape::Segment, s)),
        (TRIANGLE | POLYGON, [_, _, _]) => push(Shape::Triangle, &corners),
        (STRIP, [_, _, _, ..]) => strip(&corners).for_each(|t| push(Shape::Triangle, &t)),
        (PIXEL, &[a, b, c, d]) => elements.add_quad([a, b, d, c], blank),
        (QUAD | POLYGON, &[a, b, c, d]) => elements.add_quad([a, b, c, d], blank),
        (TETRAHEDRON, [_, _, _, _]) => push(Shape::Tetrahedron, &corners),
        (LINE..=QUAD | TETRAHEDRON, corners) => {
            let feature = format!("a cell of type {cell_type} with {} corners", corners.len());
            let instead = "triangulate it in ParaView (filter Triangulate)";
            return Err(cells.fault_at(cell, refused(feature, instead)));
        }
        _ => {
            let feature = format!("a cell of type {cell_type}");
            let instead = "save lines, triangles, quadrilaterals and tetrahedra of first order \
                           (ParaView's filter Tetrahedralize makes these)";
            return Err(cells.fault_at(cell, refused(feature, instead)));
        }
    }
    Ok(())
}

fn refused(feature: String, instead: &'static str) -> MeshProblem {
    let problem = Problem::Unsupported { feature, instead };
    MeshProblem::Format { format: FORMAT.name, problem }
}

/// The coordinates of the section `POINTS`, which has been found sound.
fn points(bytes: &[u8], range: &Range<usize>, is_binary: bool) -> Result<Vec<Point>, InputError> {
    let mut scanner = Scanner::within(bytes, range.clone(), !is_binary);
    scanner.word("`POINTS`")?;
    let count = scanner.count("the number of points")?.saturating_mul(3);
    let name = scanner.word("a number type")?;
    scanner.line("the coordinates")?;
    let numbers: Vec<f64> = match element_type(name) {
        Some(ElementType::Numbers(number_type)) if is_binary => {
            let size = number_type.size();
            let bytes = scanner.take(count.saturating_mul(size), "points")?;
            let numbers = bytes.chunks_exact(size);
            numbers.map(|number| number_type.double(number, ByteOrder::Big)).collect()
        }
        _ => {
            scanner.check_words(count, "points")?;
            let mut number = || {
                let word = scanner.word("a coordinate")?;
                let problem = || Problem::not_a_number("a coordinate", word.as_bytes());
                word.parse().map_err(|_| InputError::from(problem()))
            };
            (0..count).map(|_| number()).collect::<Result<_, _>>()?
        }
    };
    Ok(numbers.chunks_exact(3).map(Point::from_row_slice).collect())
}
