//! STL files that are text: checked word by word, whatever their lines and case, and written anew
//! in the layout that stl_io reads.

use super::error::{MeshError, MeshProblem};
use super::face::Faces;
use super::text::{place_of, text, words};
use crate::error::Problem;
use std::ops::Range;

/// A word and its bytes in the text.
type Word<'a> = (Range<usize>, &'a str);

/// A text that has been checked.
pub(super) struct StlText<'a> {
    /// The words of all facets in one layout.
    pub(super) clean: Vec<u8>,
    /// The places of the facets.
    pub(super) faces: Faces<'a>,
    /// Whether the last solid has no end.
    pub(super) lacks_end: bool,
}

/// Checks a text word by word.
pub(super) fn scan(bytes: &[u8]) -> Result<StlText<'_>, MeshError> {
    let text = text(bytes);
    let (words, clean) = (Words::new(&text), "solid \n".to_owned());
    let mut scan = Scan { text: &text, words, is_in_solid: false, clean };
    let mut starts = Vec::new();
    while let Some(start) = scan.next_facet()? {
        starts.push(start);
        scan.facet()?;
    }
    let (clean, lacks_end) = (scan.clean + "endsolid\n", scan.is_in_solid);
    Ok(StlText { clean: clean.into_bytes(), faces: Faces::Words { text, starts }, lacks_end })
}

struct Scan<'a> {
    text: &'a str,
    words: Words<'a>,
    /// Whether `solid` was read, and no `endsolid` since.
    is_in_solid: bool,
    /// What stl_io is to read.
    clean: String,
}

impl<'a> Scan<'a> {
    /// The byte of the next `facet`; `None` at the end of the text.
    fn next_facet(&mut self) -> Result<Option<usize>, MeshError> {
        loop {
            match self.words.next() {
                None => return Ok(None),
                Some((span, word)) if word.eq_ignore_ascii_case("facet") => {
                    return Ok(Some(span.start));
                }
                Some((_, word)) if word.eq_ignore_ascii_case("solid") => self.is_in_solid = true,
                Some((_, word)) if word.eq_ignore_ascii_case("endsolid") => {
                    self.is_in_solid = false;
                }
                Some(word) => return Err(self.unexpected("`facet` or `endsolid`", word)),
            }
        }
    }

    /// What follows `facet`.
    fn facet(&mut self) -> Result<(), MeshError> {
        self.expect("normal")?;
        // Programs that know no normal write zeros or NaN.
        for _ in 0..3 {
            self.word("a normal of three numbers")?;
        }
        self.expect("outer")?;
        self.expect("loop")?;
        self.clean += "facet normal 0 0 0\nouter loop\n";
        for _ in 0..3 {
            self.expect("vertex")?;
            self.clean += "vertex";
            for _ in 0..3 {
                let word = self.coordinate()?;
                self.clean.extend([" ", word]);
            }
            self.clean.push('\n');
        }
        self.expect("endloop")?;
        self.expect("endfacet")?;
        self.clean += "endloop\nendfacet\n";
        Ok(())
    }

    /// A number that single precision can hold.
    fn coordinate(&mut self) -> Result<&'a str, MeshError> {
        let (span, word) = self.word("a coordinate")?;
        let fault = |problem: MeshProblem| problem.at(place_of(self.text, span));
        match word.parse::<f32>() {
            Ok(number) if number.is_finite() => Ok(word),
            Ok(_) => Err(fault(MeshProblem::NotFinite { word: word.to_owned() })),
            Err(_) => Err(fault(MeshProblem::NotANumber { word: word.to_owned() })),
        }
    }

    fn expect(&mut self, keyword: &str) -> Result<(), MeshError> {
        let expected = format!("`{keyword}`");
        let word = self.word(&expected)?;
        match word.1.eq_ignore_ascii_case(keyword) {
            true => Ok(()),
            false => Err(self.unexpected(&expected, word)),
        }
    }

    fn word(&mut self, expected: &str) -> Result<Word<'a>, MeshError> {
        self.words.next().ok_or_else(|| self.ends_early(expected))
    }

    fn unexpected(&self, expected: &str, (span, word): Word) -> MeshError {
        let problem = Problem::unexpected(expected, word.as_bytes());
        MeshProblem::Format { format: "STL", problem }.at(place_of(self.text, span))
    }

    /// The text ends where something is expected: told at its last word.
    fn ends_early(&self, expected: &str) -> MeshError {
        let problem = Problem::ends_early(format!("{expected} is missing"));
        let place = self.words.last.clone().map(|span| place_of(self.text, span));
        MeshError { place, problem: MeshProblem::Format { format: "STL", problem } }
    }
}

/// The words of a text but for the names of solids, which fill the line after `solid` or
/// `endsolid`.
struct Words<'a> {
    lines: std::str::SplitInclusive<'a, char>,
    /// The byte at which the next line begins.
    at: usize,
    /// Those of the present line, the last one first.
    line: Vec<Word<'a>>,
    /// The bytes of the last word that was given.
    last: Option<Range<usize>>,
}

impl<'a> Words<'a> {
    fn new(text: &'a str) -> Self {
        let lines = text.split_inclusive('\n');
        Words { lines, at: 0, line: Vec::new(), last: None }
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = Word<'a>;

    fn next(&mut self) -> Option<Word<'a>> {
        while self.line.is_empty() {
            let line = self.lines.next()?;
            let at = self.at;
            self.at += line.len();
            self.line =
                words(line).map(|(span, word)| (span.start + at..span.end + at, word)).collect();
            let is_name =
                |word: &str| ["solid", "endsolid"].iter().any(|k| word.eq_ignore_ascii_case(k));
            if self.line.first().is_some_and(|(_, word)| is_name(word)) {
                self.line.truncate(1);
            }
            self.line.reverse();
        }
        let word = self.line.pop()?;
        self.last = Some(word.0.clone());
        Some(word)
    }
}
