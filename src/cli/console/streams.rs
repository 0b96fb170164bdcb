//! The two streams: data to stdout, talk to stderr; and events, which tell programs on stdout what
//! errors and warnings tell people on stderr.
//!
//! Talk that nobody can hear is dropped: a run goes on when the terminal it was started from is
//! gone. Data that nobody takes ends the program quietly.

use super::events::{DiagnosticEvent, Event, Events, RunExtent};
use super::verdict::Verdict;
use crate::cli::args::Log;
use hashfall_scene::paint::Paint;
use hashfall_scene::snippet;
use hashfall_scene::{Diagnostic, Severity, escape_unprintable};
use std::fmt;
use std::io::{self, IsTerminal, Write};
use std::sync::OnceLock;

/// How the streams may be written to.
#[derive(Clone, Copy, Debug)]
pub struct Console {
    /// Someone watches stderr on a terminal.
    pub interactive: bool,
    /// Where programs are told; none if only people are.
    pub events: Option<&'static Events>,
    paint: Paint,
    /// The first error that was told.
    first_error: &'static OnceLock<String>,
}

impl Console {
    /// Looks at stderr, `TERM` and `NO_COLOR` (<https://no-color.org>).
    pub fn new() -> Self {
        let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        let interactive = io::stderr().is_terminal() && !dumb;
        let paint = if interactive && !set("NO_COLOR") { Paint::Coloured } else { Paint::Plain };
        // One for the life of the process.
        let first_error = Box::leak(Box::default());
        Console { interactive, events: None, paint, first_error }
    }

    /// With events if they are asked for.
    pub fn with(self, log: Log) -> Self {
        // One for the life of the process.
        let events = || &*Box::leak(Box::new(Events::new()));
        Console { events: (log == Log::Json).then(events), ..self }
    }

    /// Writes a line of talk. It may quote the user's names, and those may hold anything.
    pub fn talk(&self, line: impl fmt::Display) {
        talk(&format!("{}\n", escape_unprintable(&line.to_string())));
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
        self.emit(severity, || DiagnosticEvent::new(message));
        let label = snippet::label(severity, self.paint);
        talk(&format!("{label} {}\n", escape_unprintable(&message.to_string())));
    }

    /// Writes diagnostics, each with the line it points at.
    pub fn diagnostics(&self, diagnostics: &[Diagnostic]) {
        for diagnostic in diagnostics {
            self.emit(diagnostic.severity, || DiagnosticEvent::from_diagnostic(diagnostic));
            talk(&snippet::render(diagnostic, self.paint));
        }
    }

    /// Tells programs of an error or a warning, and keeps the first error.
    fn emit(&self, severity: Severity, told: impl Fn() -> DiagnosticEvent) {
        if severity == Severity::Error {
            self.first_error.get_or_init(|| told().message);
        }
        if let Some(events) = self.events {
            events.emit(&match severity {
                Severity::Error => Event::Error(told()),
                Severity::Warning => Event::Warning(told()),
            });
        }
    }

    /// The first error that was told, without its place.
    pub fn first_error(&self) -> Option<&str> {
        self.first_error.get().map(String::as_str)
    }

    /// Notes how far the run is, for what programs are told at its end.
    pub fn reached(&self, how_far: impl FnOnce() -> RunExtent) {
        if let Some(events) = self.events {
            events.note(how_far());
        }
    }

    /// Tells programs of arguments that clap has refused in words.
    pub fn refuse_arguments(&self, why: &dyn fmt::Display) {
        let why = why.to_string();
        self.emit(Severity::Error, || {
            DiagnosticEvent::new(&why.trim().trim_start_matches("error: "))
        });
    }

    /// Tells programs how the command ended: the last that they hear of it. The verdict is worse
    /// if they could not be told.
    pub fn end(&self, verdict: Verdict) -> Verdict {
        let Some(events) = self.events else { return verdict };
        events.end(verdict, self.first_error());
        match events.lost() {
            Some(error) => {
                let label = snippet::label(Severity::Error, self.paint);
                talk(&format!("{label} cannot write the events: {error}\n"));
                verdict.or_worse(Verdict::Failed)
            }
            None => verdict,
        }
    }

    /// Writes what a command was asked for, here called `what`. That nobody takes it is no error;
    /// any other is told.
    pub fn answer(&self, what: &str, text: impl fmt::Display) -> Verdict {
        match self.data(text) {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                self.error(format_args!("cannot write the {what}: {error}"));
                Verdict::Failed
            }
            _ => Verdict::Done,
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
