//! Scenes: a text, and the `--set` options of the lines that end it, become a scene or faults that
//! are shown at their places.

use hashfall_scene::{Checked, Diagnostic, Override, Severity, Source, is_unprintable};
use hashfall_scene::{paint::Paint, snippet};
use std::io;

/// The scene's file as the user would have typed it.
const NAME: &str = "scene.ron";
/// What begins a line with an option.
const OPTION: &str = "--set ";
/// The files that a scene may name: a closed mesh, an open one, and a broken one.
const FILES: [(&str, &str); 3] = [
    (
        "cube.obj",
        "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n\
         f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n",
    ),
    ("sheet.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n"),
    ("broken.obj", "v 0 0 0\nv 1 0 ü\n"),
];

/// Reads and checks a scene.
pub fn scene(bytes: &[u8]) -> bool {
    read(bytes).is_some()
}

/// What was typed, if it is text: the scene and its options.
pub fn typed(bytes: &[u8]) -> Option<(Source, Vec<Override>)> {
    let mut text = std::str::from_utf8(bytes).ok()?;
    let mut options = Vec::new();
    loop {
        let (before, last) = text.trim_end_matches('\n').rsplit_once('\n').unwrap_or(("", text));
        let Some(option) = last.trim_end_matches('\n').strip_prefix(OPTION) else { break };
        match Override::parse(option) {
            Ok(option) => options.insert(0, option),
            Err(fault) => show(&[fault]),
        }
        text = before;
    }
    Some((Source { name: NAME.to_owned(), text: text.to_owned() }, options))
}

/// Reads a file that a scene names.
pub fn read_file(name: &str) -> io::Result<Vec<u8>> {
    let file = FILES.iter().find(|(known, _)| *known == name);
    file.map(|(_, text)| text.as_bytes().to_vec()).ok_or(io::ErrorKind::NotFound.into())
}

/// A sound scene; the faults of others are shown.
pub fn read(bytes: &[u8]) -> Option<Checked> {
    let (source, options) = typed(bytes)?;
    Checked::from_source(&source, &options, &mut read_file).map_err(|faults| refused(&faults)).ok()
}

/// Shows faults, of which one at least must be an error.
pub fn refused(faults: &[Diagnostic]) {
    assert!(faults.iter().any(|fault| fault.severity == Severity::Error), "{faults:?}");
    show(faults);
}

/// Shows diagnostics as the program does.
pub fn show(diagnostics: &[Diagnostic]) {
    for diagnostic in diagnostics {
        let text = snippet::render(diagnostic, Paint::Plain);
        assert!(!diagnostic.message.is_empty(), "{text}");
        assert!(text.chars().all(|c| c == '\n' || !is_unprintable(c)), "{text}");
        assert!(text.contains(&format!("--> {}", diagnostic.source_name)) || !is_scene(diagnostic));
        match &diagnostic.span {
            Some(span) => {
                let length = diagnostic.source_text.chars().count();
                assert!(span.start <= span.end && span.end <= length, "{span:?} of {length}");
                let place = format!(":{}:{}\n", diagnostic.line(), diagnostic.column());
                assert!(text.contains(&place), "{text}");
            }
            None => assert!(!is_scene(diagnostic), "{text}"),
        }
    }
}

fn is_scene(diagnostic: &Diagnostic) -> bool {
    diagnostic.source_name == NAME
}
