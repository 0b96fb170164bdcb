//! Elements of VTK's legacy files: unstructured grids, and polygons and lines.
//!
//! Sections are found and cells checked as for surfaces. Coordinates are read in double precision.

use super::super::error::{MeshError, MeshProblem};
use super::super::place::Place;
use super::super::strips::strip;
use super::super::text::place_of_line;
use super::super::vtk::{FORMAT, PIXEL, POLY_LINE, POLYGON, STRIP, VtkFile};
use super::super::vtk_cells::Cells;
use super::assembly::{ElementMesh, FileCell, FileElements, Shape};
use crate::error::{InputError, Problem};
use crate::legacy::element_type;
use crate::numbers::{ByteOrder, ElementType};
use crate::scanner::Scanner;
use hashfall_geometry::Point;

/// Further types of cells: their numbers in the format.
const VERTEX: i64 = 1;
const POLY_VERTEX: i64 = 2;
const LINE: i64 = 3;
const TRIANGLE: i64 = 5;
const QUAD: i64 = 9;
const TETRAHEDRON: i64 = 10;

/// Reads a file.
pub(super) fn read(bytes: &[u8]) -> Result<ElementMesh, MeshError> {
    let file = VtkFile::new(bytes);
    let sections = file.sections()?;
    let points = points(file.scanner(&sections.range_of_points), file.is_binary);
    let nodes = points.map_err(|error| file.located(error))?;
    let mut elements = FileElements { nodes, sets: vec![vec![]], ..FileElements::default() };
    let mut number = 0;
    for section in sections.lines.iter().chain(&sections.cells) {
        let (cells, types) = file.cells(&sections, section)?;
        for (cell, cell_type) in types.into_iter().enumerate() {
            add(&mut elements, &cells, cell, cell_type, number)?;
            number += 1;
        }
    }
    elements.assemble(FORMAT.name, &|at, problem| {
        problem.at(match file.is_binary {
            true => Place::Byte(at),
            false => place_of_line(&file.text, 1 + file.text[..at].matches('\n').count()),
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
fn points(mut scanner: Scanner<'_>, is_binary: bool) -> Result<Vec<Point>, InputError> {
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
