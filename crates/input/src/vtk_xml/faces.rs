//! The cells of VTK's XML files as faces: polygons and strips of `.vtp`, cells of `.vtu`, of all
//! pieces.

use super::element::{child, components, element_type, elements, unexpected, whole};
use super::reader::{Piece, Reader, read_with, text_of};
use crate::error::{InputError, Problem};
use crate::numbers::{ElementType, Numbers};
use crate::xml::line_of;
use roxmltree::Node;

/// Types of cells that elements of `.vtp` files have.
const STRIP: i64 = 6;
const POLYGON: i64 = 7;

/// Points and cells of a file.
#[derive(Debug, Default)]
pub(crate) struct VtkCells {
    /// Where the points are.
    pub(crate) points: Vec<[f64; 3]>,
    /// The corners of all cells.
    pub(crate) corners: Vec<u32>,
    /// For each cell the end of its corners among all.
    pub(crate) ends: Vec<usize>,
    /// The type of each cell, by VTK's numbers.
    pub(crate) types: Vec<i64>,
}

/// Reads the points and cells of all pieces.
pub(crate) fn read_cells(bytes: &[u8]) -> Result<VtkCells, InputError> {
    read_with(bytes, |reader, root| reader.cells(root))
}

impl Reader<'_> {
    /// The points and cells of all pieces.
    fn cells(&self, root: Node) -> Result<VtkCells, InputError> {
        let mut cells = VtkCells::default();
        for piece in &Self::pieces(root)?.1 {
            self.add_cells(piece, &mut cells)?;
        }
        Ok(cells)
    }

    /// The triangles of a mesh that has nothing else.
    pub(super) fn triangles(&self, root: Node) -> Result<Vec<[u32; 3]>, InputError> {
        let VtkCells { corners, ends, types, .. } = self.cells(root)?;
        let are_triangles = ends.iter().enumerate().all(|(k, &end)| end == 3 * (k + 1));
        match are_triangles && types.iter().all(|kind| *kind == POLYGON) {
            true => Ok(corners.as_chunks().0.to_vec()),
            false => Err(unexpected("triangles of the points", "others", root)),
        }
    }

    /// Adds what a piece has.
    fn add_cells(&self, piece: &Piece, cells: &mut VtkCells) -> Result<(), InputError> {
        if piece.count == 0 {
            return Ok(());
        }
        let first = cells.points.len() as u32;
        cells.points.extend(self.places(piece)?);
        for (name, count_name, kind) in
            [("Polys", "NumberOfPolys", POLYGON), ("Strips", "NumberOfStrips", STRIP)]
        {
            // A count that is not there is none.
            let count = whole(piece.node, count_name).unwrap_or(0);
            if count > 0 {
                let group = child(piece.node, name)?;
                self.add_group(group, first, piece.count, count, cells)?;
                cells.types.extend(std::iter::repeat_n(kind, count));
            }
        }
        let count = whole(piece.node, "NumberOfCells").unwrap_or(0);
        if count > 0 {
            let group = child(piece.node, "Cells")?;
            self.add_group(group, first, piece.count, count, cells)?;
            let types = self.whole_numbers(array(group, "types")?, count)?;
            cells.types.extend(types.into_iter().map(i64::from));
        }
        Ok(())
    }

    /// The places of a piece's points, in double precision.
    fn places(&self, piece: &Piece) -> Result<Vec<[f64; 3]>, InputError> {
        let node = child(child(piece.node, "Points")?, "DataArray")?;
        // Their number and that they are finite.
        self.points(piece)?;
        let count = components(node)?.saturating_mul(piece.count);
        let numbers: Vec<f64> = match (node.attribute("format"), element_type(node)) {
            (Some("ascii") | None, _) => {
                let words = text_of(node).split_ascii_whitespace();
                words.filter_map(|word| word.parse().ok()).collect()
            }
            (_, Some(content @ ElementType::Numbers(number_type))) => {
                let bytes = self.bytes(node, content, count)?;
                let numbers = bytes.chunks_exact(number_type.size());
                numbers.map(|number| number_type.double(number, self.packing.order)).collect()
            }
            _ => return Err(unexpected("a number type such as `Float32`", "another", node)),
        };
        Ok(numbers.as_chunks().0.to_vec())
    }

    /// Adds the corners of a group of cells to those before, of a piece whose points begin at
    /// `first`.
    fn add_group(
        &self,
        group: Node,
        first: u32,
        points: usize,
        count: usize,
        cells: &mut VtkCells,
    ) -> Result<(), InputError> {
        let ends = self.whole_numbers(array(group, "offsets")?, count)?;
        let is_ascending = ends.windows(2).all(|pair| pair[0] <= pair[1]);
        let length = ends.last().copied().unwrap_or(0) as usize;
        if !is_ascending {
            return Err(unexpected("ascending `offsets` of cells", "others", group));
        }
        let corners = self.whole_numbers(array(group, "connectivity")?, length)?;
        if let Some(corner) = corners.iter().find(|corner| **corner as usize >= points) {
            let found = format!("{corner} of {points}");
            return Err(unexpected("the number of a point in `connectivity`", &found, group));
        }
        let before = cells.corners.len();
        cells.ends.extend(ends.iter().map(|&end| before + end as usize));
        cells.corners.extend(corners.iter().map(|corner| first + corner));
        Ok(())
    }

    /// Whole numbers from 0 on, as many as there must be.
    fn whole_numbers(&self, node: Node, count: usize) -> Result<Vec<u32>, InputError> {
        match self.numbers(node, count)? {
            Numbers::Whole(numbers) => Ok(numbers),
            _ => Err(unexpected("whole numbers from 0 on", "others", node)),
        }
    }
}

/// The array of a name in a group of cells.
fn array<'a, 'input>(group: Node<'a, 'input>, name: &str) -> Result<Node<'a, 'input>, InputError> {
    let found = elements(group, "DataArray").find(|node| node.attribute("Name") == Some(name));
    let kind = group.tag_name().name();
    let missing = || Problem::ends_early(format!("`{kind}` lacks `{name}`")).at(line_of(group));
    found.ok_or_else(missing)
}
