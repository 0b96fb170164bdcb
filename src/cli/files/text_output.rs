//! What a command tells, printed or in the file that `-o` names.

use crate::cli::args::TextArgs;
use crate::cli::console::{Console, Verdict};
use hashfall_output::files::{self, Write};
use std::path::Path;

/// The text of a command, which arrives in parts.
pub struct TextOutput<'a> {
    /// What it is called in errors.
    what: &'static str,
    args: &'a TextArgs,
    console: Console,
    /// The parts so far, if they go into a file.
    text: String,
}

impl<'a> TextOutput<'a> {
    /// Nothing yet of an output called `what`.
    pub fn new(what: &'static str, args: &'a TextArgs, console: Console) -> TextOutput<'a> {
        TextOutput { what, args, console, text: String::new() }
    }

    /// Prints a part, or keeps it for the file.
    pub fn add(&mut self, part: &str) -> Verdict {
        if self.args.out.is_none() {
            return self.console.output(self.what, part);
        }
        self.text += part;
        Verdict::Done
    }

    /// Writes the file, if there is to be one; prints its name as one of the `messages`.
    pub fn finish(self, messages: Console) -> Verdict {
        match &self.args.out {
            None => Verdict::Done,
            Some(path) => write(path, &self.text, self.args.overwrite, messages),
        }
    }
}

/// Prints a whole output to `console`, or writes it into the file that is asked for and says so
/// to `messages`.
pub fn deliver(
    what: &'static str,
    text: &str,
    args: &TextArgs,
    console: Console,
    messages: Console,
) -> Verdict {
    let mut output = TextOutput::new(what, args, console);
    let printed = output.add(text);
    printed.or_worse(output.finish(messages))
}

/// Writes a file; one of other content is replaced only if asked.
fn write(path: &Path, text: &str, overwrite: bool, console: Console) -> Verdict {
    let is_same = || files::read_regular(path).is_ok_and(|bytes| bytes == text.as_bytes());
    if !overwrite && path.symlink_metadata().is_ok() && !is_same() {
        let path = path.display();
        console.error(format_args!("`{path}` exists; pass `--overwrite` to replace it"));
        return Verdict::WrongInput;
    }
    if let Err(error) = files::write(path, text.as_bytes(), Write::Replace) {
        console.error(&error);
        return if error.is_disk_full() { Verdict::Failed } else { Verdict::WrongInput };
    }
    console.message(format_args!("wrote {}", path.display()));
    Verdict::Done
}
