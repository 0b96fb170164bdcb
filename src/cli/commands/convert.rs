//! `sim convert`: writes a scene in the other of its two languages.

use crate::cli::args::ConvertArgs;
use crate::cli::console::{Console, Verdict};
use crate::cli::files::load;
use hashfall_core::units;
use hashfall_output::files::{self, Write};
use hashfall_scene::{self as scene, Converted, Language};
use std::path::Path;

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
    if comments > 0 {
        let (comments, are) = (units::count(comments as u64, "comment"), are(comments));
        messages.message(format_args!("{comments} {are} left out: JSON has none"));
    }
    match &args.out {
        None => console.output("scene", text),
        Some(path) => write(path, &text, language, args.overwrite, messages),
    }
}

fn are(count: usize) -> &'static str {
    if count == 1 { "is" } else { "are" }
}

/// Writes the scene into a file.
fn write(
    path: &Path,
    text: &str,
    language: Language,
    overwrite: bool,
    console: Console,
) -> Verdict {
    if !overwrite && path.symlink_metadata().is_ok() {
        let path = path.display();
        console.error(format_args!("`{path}` exists; pass `--overwrite` to replace it"));
        return Verdict::WrongInput;
    }
    if let Err(error) = files::write(path, text.as_bytes(), Write::Replace) {
        console.error(&error);
        return if error.is_disk_full() { Verdict::Failed } else { Verdict::WrongInput };
    }
    let language = match language {
        Language::Ron => "RON",
        Language::Json => "JSON",
    };
    console.message(format_args!("wrote {} in {language}", path.display()));
    Verdict::Done
}
