//! `sim convert`: writes a scene in the other of its two languages.

use crate::cli::args::ConvertArgs;
use crate::cli::console::{Console, Verdict};
use crate::cli::files::load;
use crate::cli::files::text_output::deliver;
use hashfall_core::units;
use hashfall_scene::{self as scene, Converted, Language};
use std::fs;
use std::path::{Path, PathBuf};

/// Why a scene cannot be written into a file.
#[derive(Debug, thiserror::Error)]
enum TargetError {
    /// Its name is that of the other language.
    #[error("the scene becomes {0}; name it `{path}`", path = .1.display())]
    Extension(&'static str, PathBuf),
    /// It is the scene itself.
    #[error("`{}` is the scene itself, which would be lost; name another file", .0.display())]
    Source(PathBuf),
}

/// Converts a scene.
pub fn convert(args: &ConvertArgs, console: Console) -> Verdict {
    // The scene is what was asked for, however quietly.
    let messages = console.with_quiet(args.quiet);
    let converted = load::scene(&args.scene).and_then(|source| scene::convert(&source));
    let Converted { text, language, comments } = match converted {
        Ok(converted) => converted,
        Err(faults) => {
            console.diagnostics(&faults);
            return Verdict::WrongInput;
        }
    };
    if let Some(Err(error)) = args.text.out.as_ref().map(|out| check(out, &args.scene, language)) {
        console.error(error);
        return Verdict::WrongInput;
    }
    if comments > 0 {
        let (comments, are) = (units::count(comments as u64, "comment"), are(comments));
        messages.message(format_args!("{comments} {are} left out: JSON has none"));
    }
    deliver("scene", &text, &args.text, console, messages)
}

fn are(count: usize) -> &'static str {
    if count == 1 { "is" } else { "are" }
}

/// Checks that a file may hold the scene in this language, and is not the scene itself.
fn check(out: &Path, scene: &Path, language: Language) -> Result<(), TargetError> {
    let (name, extension, other) = match language {
        Language::Ron => ("RON", "ron", "json"),
        Language::Json => ("JSON", "json", "ron"),
    };
    if out.extension().is_some_and(|end| end.eq_ignore_ascii_case(other)) {
        return Err(TargetError::Extension(name, out.with_extension(extension)));
    }
    match (fs::canonicalize(out), fs::canonicalize(scene)) {
        (Ok(a), Ok(b)) if a == b => Err(TargetError::Source(out.to_path_buf())),
        _ => Ok(()),
    }
}
