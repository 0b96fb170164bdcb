//! The output streams: data on stdout, messages on stderr. With `--log json`, errors and warnings
//! are also events on stdout. Whatever is printed passes here, where characters that would act on a
//! terminal are escaped, as those of file names: none reaches it but line breaks, tabs and colours.
//!
//! Messages to a closed stderr are dropped: a run continues when its terminal is gone. Data to a
//! closed stdout ends the program without an error.

use super::events::{DiagnosticEvent, Event, Events, RunExtent};
use super::verdict::Verdict;
use crate::cli::args::{Log, UsageError};
use hashfall_scene::paint::Paint;
use hashfall_scene::snippet;
use hashfall_scene::{Diagnostic, Severity, escape_lines, escape_unprintable};
use std::fmt;
use std::io::{self, IsTerminal, Write};
use std::sync::OnceLock;

/// The output streams of this process.
#[derive(Clone, Copy, Debug)]
pub struct Console {
    /// Whether stderr is a terminal.
    pub is_interactive: bool,
    /// The event stream; `None` without `--log json`.
    pub events: Option<&'static Events>,
    /// Whether only warnings and errors are printed.
    is_quiet: bool,
    paint: Paint,
    /// The first error that was printed.
    first_error: &'static OnceLock<String>,
}

impl Console {
    /// The streams of this process, by stderr, `TERM` and `NO_COLOR` (<https://no-color.org>).
    pub fn new() -> Self {
        let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        let is_interactive = io::stderr().is_terminal() && !dumb;
        let paint = if is_interactive && !set("NO_COLOR") { Paint::Coloured } else { Paint::Plain };
        // One for the life of the process.
        let first_error = Box::leak(Box::default());
        Console { is_interactive, events: None, is_quiet: false, paint, first_error }
    }

    /// The same streams, without messages and data if `quiet`.
    pub fn with_quiet(self, quiet: bool) -> Self {
        Console { is_quiet: quiet, ..self }
    }

    /// The same streams with events if the format is JSON.
    pub fn with_log(self, log: Log) -> Self {
        // One for the life of the process.
        let events = || &*Box::leak(Box::new(Events::new()));
        Console { events: (log == Log::Json).then(events), ..self }
    }

    /// Prints a message line. Control characters in it, such as from file names, are escaped.
    pub fn message(&self, line: impl fmt::Display) {
        if self.is_quiet {
            return;
        }
        write_stderr(&format!("{}\n", escape_unprintable(&line.to_string())));
    }

    /// Prints an error without a source location.
    pub fn error(&self, message: impl fmt::Display) {
        self.label(Severity::Error, &message);
    }

    /// Prints a warning without a source location.
    pub fn warning(&self, message: impl fmt::Display) {
        self.label(Severity::Warning, &message);
    }

    fn label(&self, severity: Severity, message: &dyn fmt::Display) {
        self.emit(severity, || DiagnosticEvent::new(message));
        let label = snippet::label(severity, self.paint);
        write_stderr(&format!("{label} {}\n", escape_unprintable(&message.to_string())));
    }

    /// Prints diagnostics, each with the source line it refers to.
    pub fn diagnostics(&self, diagnostics: &[Diagnostic]) {
        for diagnostic in diagnostics {
            self.emit(diagnostic.severity, || DiagnosticEvent::from_diagnostic(diagnostic));
            write_stderr(&snippet::render(diagnostic, self.paint));
        }
    }

    /// Emits the event of an error or a warning, and stores the first error.
    fn emit(&self, severity: Severity, event: impl Fn() -> DiagnosticEvent) {
        if severity == Severity::Error {
            self.first_error.get_or_init(|| event().message);
        }
        if let Some(events) = self.events {
            events.emit(&match severity {
                Severity::Error => Event::Error(event()),
                Severity::Warning => Event::Warning(event()),
            });
        }
    }

    /// The first error that was printed, without its location.
    pub fn first_error(&self) -> Option<&str> {
        self.first_error.get().map(String::as_str)
    }

    /// Stores how far the run came, for the `end` event.
    pub fn set_extent(&self, extent: impl FnOnce() -> RunExtent) {
        if let Some(events) = self.events {
            events.set_extent(extent());
        }
    }

    /// Prints a mistake in the command line, and where to read more.
    pub fn usage(&self, mistake: &UsageError) {
        let message = mistake.message();
        match mistake.text(self.paint == Paint::Coloured) {
            Some(text) => {
                self.emit(Severity::Error, || DiagnosticEvent::new(&message));
                write_stderr(&text);
            }
            None => self.error(message),
        }
        if let Some(advice) = mistake.advice() {
            self.message(advice);
        }
    }

    /// Emits the `end` event. The verdict becomes worse if events were lost.
    pub fn end(&self, verdict: Verdict) -> Verdict {
        let Some(events) = self.events else { return verdict };
        events.end(verdict, self.first_error());
        match events.lost() {
            Some(error) => {
                let label = snippet::label(Severity::Error, self.paint);
                write_stderr(&format!("{label} cannot write the events: {error}\n"));
                verdict.or_worse(Verdict::Failed)
            }
            None => verdict,
        }
    }

    /// Writes the output of a command, called `what` in errors. A closed pipe is no error.
    pub fn output(&self, what: &str, text: impl fmt::Display) -> Verdict {
        match self.data(text) {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                self.error(format_args!("cannot write the {what}: {error}"));
                Verdict::Failed
            }
            _ => Verdict::Done,
        }
    }

    /// Writes data; all unprintable characters but line breaks and tabs are escaped.
    ///
    /// # Errors
    /// If stdout cannot be written; a closed pipe is [`io::ErrorKind::BrokenPipe`].
    pub fn data(&self, text: impl fmt::Display) -> io::Result<()> {
        if self.is_quiet {
            return Ok(());
        }
        let mut out = io::stdout().lock();
        out.write_all(escape_lines(&text.to_string()).as_bytes())?;
        out.flush()
    }
}

/// Writes to stderr in one piece, so that messages of several processes do not mix.
fn write_stderr(text: &str) {
    // A failure means that stderr is closed: see the module head.
    let _ = io::stderr().write_all(text.as_bytes());
}
