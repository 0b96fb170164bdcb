//! How messages name the faces of a file: by lines where it is text, else by numbers.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use super::place::Place;
use super::text::place_of;

/// The name of a face: `the face at line 7`, `facet 12 (counted from 0)`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FaceName {
    /// The part of the file that it belongs to, such as a mesh's name; empty where there are none.
    pub part: Arc<str>,
    /// What is counted.
    pub unit: FaceUnit,
    /// Its number: from 1 for lines, else from 0.
    pub number: usize,
}

/// What the numbers of faces count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FaceUnit {
    /// Lines of the file.
    Line,
    /// Facets of an STL file.
    Facet,
    /// Faces of a PLY file.
    Face,
    /// Triangles of a mesh.
    Triangle,
    /// Polygons or cells of a VTK file.
    Cell,
}

impl FaceUnit {
    /// With one number, and with several.
    fn names(self) -> [&'static str; 2] {
        match self {
            FaceUnit::Line => ["the face at line", "the faces at lines"],
            FaceUnit::Facet => ["facet", "facets"],
            FaceUnit::Face => ["face", "faces"],
            FaceUnit::Triangle => ["triangle", "triangles"],
            FaceUnit::Cell => ["cell", "cells"],
        }
    }
}

impl fmt::Display for FaceName {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&list(std::slice::from_ref(self)))
    }
}

/// Several names as one text: `the faces at lines 3, 5 and 9`.
pub(super) fn list(faces: &[FaceName]) -> String {
    let Some(first) = faces.first() else { return String::new() };
    let mut sorted: Vec<&FaceName> = faces.iter().filter(|face| face.part == first.part).collect();
    sorted.sort_unstable();
    sorted.dedup();
    let numbers: Vec<String> = sorted.iter().map(|face| face.number.to_string()).collect();
    let [one, many] = first.unit.names();
    let text = match &numbers[..] {
        [before @ .., last] if !before.is_empty() => {
            format!("{many} {} and {last}", before.join(", "))
        }
        _ => format!("{one} {}", numbers.concat()),
    };
    let part = if first.part.is_empty() { String::new() } else { format!(" of {}", first.part) };
    let counted = if first.unit == FaceUnit::Line { "" } else { " (counted from 0)" };
    text + &part + counted
}

/// How the faces of one file are named.
pub(super) enum Faces<'a> {
    /// Each by the line of a word, given by its byte in the text.
    Words { text: Cow<'a, str>, starts: Vec<usize> },
    /// By their number, or by another for each of them.
    Numbered { unit: FaceUnit, numbers: Vec<usize> },
    /// By their number within a part of the file: the first face of each part, and its name.
    Parts { unit: FaceUnit, parts: Vec<(usize, Arc<str>)> },
}

impl Faces<'_> {
    /// The name of a face by its number among all.
    pub(super) fn name(&self, face: u32) -> FaceName {
        let number = face as usize;
        let no_part: Arc<str> = Arc::from("");
        match self {
            Faces::Words { .. } => {
                let line = self.place(face).and_then(|place| place.line_and_column());
                let number = line.map_or(number, |(line, _)| line);
                FaceName { part: no_part, unit: FaceUnit::Line, number }
            }
            Faces::Numbered { unit, numbers } => {
                let number = numbers.get(number).copied().unwrap_or(number);
                FaceName { part: no_part, unit: *unit, number }
            }
            Faces::Parts { unit, parts } => {
                let part = parts.partition_point(|(first, _)| *first <= number).checked_sub(1);
                let part = part.map(|part| &parts[part]);
                let (first, name) =
                    part.map_or((0, no_part), |(first, name)| (*first, name.clone()));
                FaceName { part: name, unit: *unit, number: number - first }
            }
        }
    }

    /// The place of a face's first word, in text.
    pub(super) fn place(&self, face: u32) -> Option<Place> {
        let Faces::Words { text, starts } = self else { return None };
        let start = *starts.get(face as usize)?;
        let length = text[start..].find(char::is_whitespace).unwrap_or(1);
        Some(place_of(text, start..start + length.max(1)))
    }
}
