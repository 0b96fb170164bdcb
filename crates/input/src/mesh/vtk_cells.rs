//! The cells of a legacy VTK file: read from either layout, and checked.

use super::error::{MeshError, MeshProblem, located};
use super::place::Place;
use super::text::place_of;
use crate::error::{InputError, Problem};
use crate::legacy::element_type;
use crate::numbers::{ByteOrder, ElementType, NumberType};
use crate::scanner::Scanner;

/// The name of the format.
pub(super) const NAME: &str = "legacy VTK";

/// Cells whose corners are points.
pub(super) struct Cells<'a> {
    /// The corners of all cells.
    corners: Vec<Number>,
    /// For each cell the end of its corners among all.
    pub(super) ends: Vec<usize>,
    /// The file, if it is text.
    text: &'a str,
}

/// A whole number, and the byte of the file at which it begins.
#[derive(Clone, Copy)]
struct Number {
    value: i64,
    at: usize,
}

impl<'a> Cells<'a> {
    /// Reads a section, `CELLS` or one like it. Up to
    /// version 4 it holds the number of corners of each cell, followed by these; from 5 on two
    /// arrays.
    pub(super) fn read(
        mut scanner: Scanner,
        points: usize,
        is_binary: bool,
        text: &'a str,
    ) -> Result<Cells<'a>, MeshError> {
        let section = &mut Section { scanner: &mut scanner, is_binary };
        let mut cells = Cells { corners: Vec::new(), ends: Vec::new(), text };
        section.cells(&mut cells).map_err(|fault| match fault {
            Fault::Input(error) => located(NAME, error, text),
            Fault::Number(number, problem) => cells.fault(number, problem),
        })?;
        let is_point = |corner: &&Number| !(0..points as i64).contains(&corner.value);
        match cells.corners.iter().find(is_point) {
            None => Ok(cells),
            Some(&corner) => {
                let index = corner.value;
                let problem = MeshProblem::NoSuchVertex { index, vertices: points, first: 0 };
                Err(cells.fault(corner, problem))
            }
        }
    }

    /// The type of each cell, from the section `CELL_TYPES`.
    pub(super) fn types(
        &self,
        mut scanner: Scanner,
        is_binary: bool,
    ) -> Result<Vec<i64>, InputError> {
        let section = &mut Section { scanner: &mut scanner, is_binary };
        section.scanner.word("`CELL_TYPES`")?;
        let found = section.scanner.count("the number of cells")?;
        section.scanner.line("the cell types")?;
        let expected = self.ends.len();
        if found != expected {
            let what = "cells of `CELL_TYPES`".to_owned();
            return Err(Problem::WrongCount { what, expected, found }.into());
        }
        let numbers = section.numbers(found, NumberType::I32)?;
        Ok(numbers.iter().map(|number| number.value).collect())
    }

    /// Each cell's number of corners, followed by these.
    pub(super) fn as_list(&self) -> Vec<i64> {
        let mut list = Vec::with_capacity(self.corners.len() + self.ends.len());
        let mut start = 0;
        for &end in &self.ends {
            list.push((end - start) as i64);
            list.extend(self.corners[start..end].iter().map(|corner| corner.value));
            start = end;
        }
        list
    }

    /// The corners of a cell.
    pub(super) fn corners_of(&self, cell: usize) -> impl Iterator<Item = u32> {
        let first = cell.checked_sub(1).map_or(0, |before| self.ends[before]);
        self.corners[first..self.ends[cell]].iter().map(|corner| corner.value as u32)
    }

    /// The byte of the file at which a cell's corners begin.
    pub(super) fn start_of(&self, cell: usize) -> usize {
        let first = cell.checked_sub(1).map_or(0, |before| self.ends[before]);
        self.corners.get(first).map_or(0, |corner| corner.at)
    }

    /// A fault of a cell, at its first corner.
    pub(super) fn fault_at(&self, cell: usize, problem: MeshProblem) -> MeshError {
        self.fault(Number { value: 0, at: self.start_of(cell) }, problem)
    }

    fn fault(&self, number: Number, problem: MeshProblem) -> MeshError {
        let at = number.at;
        problem.at(match self.text.is_empty() {
            true => Place::Byte(at),
            false => {
                let rest = &self.text[at..];
                let length = rest.find(char::is_whitespace).unwrap_or(rest.len());
                place_of(self.text, at..at + length)
            }
        })
    }
}

/// Numbers as vtkio reads them.
pub(super) fn numbers_as_bytes(numbers: &[i64], is_binary: bool) -> Vec<u8> {
    match is_binary {
        true => numbers.iter().flat_map(|&number| (number as i32).to_be_bytes()).collect(),
        false => {
            let words: Vec<String> = numbers.iter().map(ToString::to_string).collect();
            words.join(" ").into_bytes()
        }
    }
}

/// What is wrong with a section.
enum Fault {
    Input(InputError),
    Number(Number, MeshProblem),
}

impl From<InputError> for Fault {
    fn from(error: InputError) -> Self {
        Fault::Input(error)
    }
}

/// A section as it is read.
struct Section<'s, 'a> {
    scanner: &'s mut Scanner<'a>,
    is_binary: bool,
}

impl Section<'_, '_> {
    fn cells(&mut self, cells: &mut Cells) -> Result<(), Fault> {
        self.scanner.word("the cells")?;
        let first = self.scanner.count("the number of cells")?;
        let second = self.scanner.count("the size of the cells")?;
        self.scanner.line("the cells")?;
        if self.scanner.peek().is_some_and(|word| word.eq_ignore_ascii_case("OFFSETS")) {
            let offsets = self.array(first)?;
            cells.corners = self.array(second)?;
            return cells.end_at(&offsets);
        }
        let numbers = self.numbers(second, NumberType::I32)?;
        let mut rest = &numbers[..];
        while let Some((&count, others)) = rest.split_first() {
            let length = usize::try_from(count.value).ok().filter(|&it| it <= others.len());
            let Some(length) = length else {
                let expected = "the number of a cell's corners";
                return Err(Fault::Number(count, unexpected(expected, count.value)));
            };
            cells.corners.extend_from_slice(&others[..length]);
            cells.ends.push(cells.corners.len());
            rest = &others[length..];
        }
        let found = cells.ends.len();
        match found == first {
            true => Ok(()),
            false => {
                let what = "cells in a section".to_owned();
                Err(Fault::Input(Problem::WrongCount { what, expected: first, found }.into()))
            }
        }
    }

    /// `OFFSETS type` or `CONNECTIVITY type`, and as many numbers.
    fn array(&mut self, count: usize) -> Result<Vec<Number>, InputError> {
        self.scanner.word("`OFFSETS` or `CONNECTIVITY`")?;
        let name = self.scanner.word("a number type")?;
        self.scanner.line("the cells")?;
        match element_type(name) {
            Some(ElementType::Numbers(number_type)) => self.numbers(count, number_type),
            _ => Err(Problem::unexpected("a number type such as `int`", name.as_bytes()).into()),
        }
    }

    fn numbers(
        &mut self,
        count: usize,
        number_type: NumberType,
    ) -> Result<Vec<Number>, InputError> {
        let mut numbers = Vec::new();
        if self.is_binary {
            let (at, size) = (self.scanner.at(), number_type.size());
            let bytes = self.scanner.take(count.saturating_mul(size), "cells")?;
            numbers.extend(bytes.chunks_exact(size).enumerate().map(|(k, bytes)| {
                let value = number_type.double(bytes, ByteOrder::Big) as i64;
                Number { value, at: at + k * size }
            }));
            return Ok(numbers);
        }
        self.scanner.check_words(count, "cells")?;
        for _ in 0..count {
            let word = self.scanner.word("a number of cells")?;
            let at = self.scanner.at() - word.len();
            // What is no whole number is no point either.
            numbers.push(Number { value: word.parse().unwrap_or(-1), at });
        }
        Ok(numbers)
    }
}

impl Cells<'_> {
    /// Ends cells at offsets, the first of which is 0 and the last the number of corners.
    fn end_at(&mut self, offsets: &[Number]) -> Result<(), Fault> {
        let mut before = 0;
        for (k, &offset) in offsets.iter().enumerate() {
            let end = usize::try_from(offset.value).unwrap_or(usize::MAX);
            let is_valid =
                if k == 0 { end == 0 } else { (before..=self.corners.len()).contains(&end) };
            if !is_valid {
                let expected = if k == 0 { "the offset 0" } else { "an offset that is no smaller" };
                return Err(Fault::Number(offset, unexpected(expected, offset.value)));
            }
            if k > 0 {
                self.ends.push(end);
            }
            before = end;
        }
        Ok(())
    }
}

fn unexpected(expected: &str, found: i64) -> MeshProblem {
    let problem = Problem::unexpected(expected, found.to_string().as_bytes());
    MeshProblem::Format { format: NAME, problem }
}
