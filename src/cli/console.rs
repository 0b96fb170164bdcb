//! The two streams: data to stdout, talk to stderr.
//!
//! Talk that nobody can hear is dropped: a run goes on when the terminal it was started from is
//! gone. Data that nobody takes ends the program quietly.

use super::paint::Paint;
use super::snippet;
use crate::scene::{Diagnostic, Severity, harmless};
use std::fmt;
use std::io::{self, IsTerminal, Write};

/// How the streams may be written to.
#[derive(Clone, Copy, Debug)]
pub struct Console {
    /// Someone watches stderr on a terminal.
    pub interactive: bool,
    paint: Paint,
}

impl Console {
    /// Looks at stderr, `TERM` and `NO_COLOR` (<https://no-color.org>).
    pub fn of_this_process() -> Self {
        let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        let interactive = io::stderr().is_terminal() && !dumb;
        let paint = if interactive && !set("NO_COLOR") { Paint::Coloured } else { Paint::Plain };
        Console { interactive, paint }
    }

    /// Writes a line of talk. It may quote the user's names, and those may hold anything.
    pub fn talk(&self, line: impl fmt::Display) {
        talk(&format!("{}\n", harmless(&line.to_string())));
    }

    /// Writes an error that has no place in a file.
    pub fn error(&self, message: impl fmt::Display) {
        self.label(Severity::Error, &message);
    }

    /// Writes a warning that has no place in a file.
    pub fn warning(&self, message: impl fmt::Display) {
        self.label(Severity::Warning, &message);
    }

    fn label(&self, severity: Severity, message: &dyn fmt::Display) {
        let label = snippet::label(severity, self.paint);
        talk(&format!("{label} {}\n", harmless(&message.to_string())));
    }

    /// Writes diagnostics, each with the line it points at.
    pub fn diagnostics(&self, diagnostics: &[Diagnostic]) {
        for diagnostic in diagnostics {
            talk(&snippet::render(diagnostic, self.paint));
        }
    }

    /// Writes data.
    ///
    /// # Errors
    /// When nobody takes it; a closed pipe is [`io::ErrorKind::BrokenPipe`].
    pub fn data(&self, text: impl fmt::Display) -> io::Result<()> {
        let mut out = io::stdout().lock();
        write!(out, "{text}")?;
        out.flush()
    }
}

/// Writes to stderr in one piece, so that messages of several processes do not mix.
fn talk(text: &str) {
    // A failure means that nobody listens: see the module head.
    let _ = io::stderr().write_all(text.as_bytes());
}
