//! Which lines of an OBJ text make the shape, whether they can be read, and where they are.

use super::error::MeshProblem;
use std::ops::Range;

/// What is wrong, and the bytes of the word at fault.
pub(super) type Fault = (Range<usize>, MeshProblem);

/// The vertices and faces of a text.
pub(super) struct Scanned {
    /// A text of `v` and `f` lines alone, with positions alone.
    pub shape: String,
    /// The byte in the whole text at which each face begins.
    pub faces: Vec<usize>,
    /// The first statement that makes a free-form curve or surface.
    pub free_form: Option<String>,
}

/// Checks all vertices and faces, and writes them anew without what does not matter.
pub(super) fn scan(text: &str) -> Result<Scanned, Fault> {
    let mut total = 0;
    for words in lines(text).filter(|words| words[0].1 == "v") {
        check_vertex(&words)?;
        total += 1;
    }
    let shape = String::with_capacity(text.len());
    let mut scanned = Scanned { shape, faces: Vec::new(), free_form: None };
    let mut before = 0;
    for words in lines(text) {
        match words[0].1 {
            "v" => {
                before += 1;
                scanned.shape.push('v');
                words[1..4].iter().for_each(|(_, word)| scanned.shape.extend([" ", word]));
            }
            // Old files have `fo`, an outline, in place of `f`.
            "f" | "fo" => {
                check_face(&words, before, total)?;
                scanned.faces.push(words[0].0.start);
                scanned.shape.push('f');
                let corners = words[1..].iter();
                corners.for_each(|(_, word)| scanned.shape.extend([" ", position_index(word)]));
            }
            keyword @ ("surf" | "curv" | "curv2") => {
                scanned.free_form.get_or_insert_with(|| keyword.to_owned());
                continue;
            }
            _ => continue,
        }
        scanned.shape.push('\n');
    }
    Ok(scanned)
}

/// The words of each line that has any, with those of the lines that continue it, and their bytes
/// in `text`; comments left out.
fn lines(text: &str) -> impl Iterator<Item = Vec<(Range<usize>, &str)>> {
    let mut start = text.len() - text.trim_start_matches('\u{feff}').len();
    let mut rest = text[start..].split_inclusive('\n');
    std::iter::from_fn(move || {
        let mut words = Vec::new();
        for line in rest.by_ref() {
            let (code, is_continued) = code_of(line);
            words.extend(code.split_whitespace().map(|word| {
                let at = start + (word.as_ptr() as usize - line.as_ptr() as usize);
                (at..at + word.len(), word)
            }));
            start += line.len();
            if !is_continued && !words.is_empty() {
                break;
            }
        }
        (!words.is_empty()).then_some(words)
    })
}

/// A line without its comment, and whether the next continues it: a `\` may well end a comment.
fn code_of(line: &str) -> (&str, bool) {
    match line.split_once('#') {
        Some((code, _)) => (code, false),
        None => line.trim_end().strip_suffix('\\').map_or((line, false), |code| (code, true)),
    }
}

fn check_vertex(words: &[(Range<usize>, &str)]) -> Result<(), Fault> {
    for (span, word) in words[1..].iter().take(3) {
        let number: f64 = word
            .parse()
            .map_err(|_| (span.clone(), MeshProblem::NotANumber { word: word.to_string() }))?;
        // Whatever the state's precision is, what single precision cannot hold is not meant.
        if !(number as f32).is_finite() {
            return Err((span.clone(), MeshProblem::NotFinite { word: word.to_string() }));
        }
    }
    match words.len() - 1 {
        found @ 0..3 => Err((words[0].0.clone(), MeshProblem::MissingCoordinate { found })),
        _ => Ok(()),
    }
}

/// Checks a face that stands after `before` vertices in a file of `total`.
fn check_face(words: &[(Range<usize>, &str)], before: usize, total: usize) -> Result<(), Fault> {
    for (span, word) in &words[1..] {
        let fault = |problem| Err((span.clone(), problem));
        let Ok(index) = position_index(word).parse::<i64>() else {
            return fault(MeshProblem::NotAnIndex { word: word.to_string() });
        };
        // Negative numbers count back from the last vertex before the face.
        let vertices = if index < 0 { before } else { total };
        if index == 0 || index.unsigned_abs() > vertices as u64 {
            return fault(MeshProblem::NoSuchVertex { index, vertices, first: 1 });
        }
    }
    match words.len() - 1 {
        found @ 0..3 => Err((words[0].0.clone(), MeshProblem::TooFewCorners { found })),
        _ => Ok(()),
    }
}

/// The position's part of a face corner `position/texture/normal`.
fn position_index(word: &str) -> &str {
    word.split('/').next().unwrap_or_default()
}
