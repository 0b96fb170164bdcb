//! What is wrong with a command line, in a few lines: the error, the usage, and where to read more.

use super::request::CommandLine;
use super::select::UnknownName;
use clap::CommandFactory;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use hashfall_scene::escape_lines;
use hashfall_scene::suggest::nearest;
use std::ffi::OsString;

/// Why a command line is not understood, or the help that it asks for.
#[derive(Debug)]
pub enum UsageError {
    /// Of the arguments of a command.
    Arguments(ArgumentError),
    /// The first word is neither a command nor a scene.
    Unknown(UnknownWord),
    /// `sim help` of an unknown command.
    UnknownTopic(UnknownName),
}

/// A first word that names nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown command `{word}`{hint}")]
pub struct UnknownWord {
    pub(super) word: String,
    /// What was meant, behind a semicolon, or nothing.
    pub(super) hint: String,
}

/// Clap's error, with what it does not know.
#[derive(Debug)]
pub struct ArgumentError {
    error: clap::Error,
    /// The command, if one is given.
    command: Option<String>,
    /// What would be right, beside clap's own advice.
    tip: Option<&'static str>,
}

impl UsageError {
    /// Clap's error about arguments, whose first is the program's name.
    pub fn new(error: clap::Error, args: &[OsString]) -> UsageError {
        let command = args.get(1).map(|command| command.to_string_lossy().into_owned());
        let command = command.filter(|command| command != "help" && !command.starts_with('-'));
        let tip = tip(&error, command.as_deref(), args);
        UsageError::Arguments(ArgumentError { error, command, tip })
    }

    /// The help or version that the user asked for; `None` for a mistake.
    pub fn help(&self) -> Option<&clap::Error> {
        match self {
            UsageError::Arguments(ArgumentError { error, .. }) if !error.use_stderr() => {
                Some(error)
            }
            _ => None,
        }
    }

    /// What is wrong, on one line.
    pub fn message(&self) -> String {
        match self {
            UsageError::Arguments(arguments) => arguments.message(),
            UsageError::Unknown(word) => word.to_string(),
            UsageError::UnknownTopic(name) => name.to_string(),
        }
    }

    /// Clap's text for people, in lines; `None` for errors that are not clap's.
    pub fn text(&self, is_coloured: bool) -> Option<String> {
        match self {
            UsageError::Arguments(arguments) => Some(arguments.text(is_coloured)),
            _ => None,
        }
    }

    /// Where to read more.
    pub fn advice(&self) -> Option<String> {
        match self {
            UsageError::Arguments(arguments) if arguments.is_overview() => None,
            UsageError::Arguments(ArgumentError { command: Some(command), .. }) => {
                Some(format!("`sim help {command}` describes its arguments"))
            }
            _ => Some("`sim help` lists the commands, `sim list` the built-in scenes".to_owned()),
        }
    }
}

impl ArgumentError {
    /// Whether there are no arguments at all, for which clap prints the help.
    fn is_overview(&self) -> bool {
        self.error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
    }

    fn message(&self) -> String {
        if self.is_overview() {
            return "no command is given".to_owned();
        }
        let text = self.error.to_string();
        let message = text.split("\n\n").next().unwrap_or_default();
        let words: Vec<&str> = message.split_whitespace().collect();
        words.join(" ").trim_start_matches("error: ").to_owned()
    }

    /// Clap's lines without those that mislead, and with the usage of the whole command.
    fn text(&self, is_coloured: bool) -> String {
        let rendered = self.error.render();
        // What the user typed may look as colours do: then there are none.
        let plain = rendered.to_string();
        let shown = escape_lines(&plain);
        let is_coloured = is_coloured && shown == plain;
        let rendered = if is_coloured { rendered.ansi().to_string() } else { shown };
        if self.is_overview() {
            return rendered;
        }
        let (before, usage) = match rendered.split_once("Usage:") {
            Some((before, _)) => (before.trim_end_matches(UNDERLINED), self.usage()),
            None => (rendered.split("For more information").next().unwrap_or_default(), None),
        };
        let misleads = |line: &&str| line.contains("tip:") && self.is_misled(line);
        let lines = before.lines().filter(|line| !line.is_empty() && !misleads(line));
        let text: String = lines.map(|line| format!("{line}\n")).collect();
        let tip = self.tip.map_or_else(String::new, |tip| format!("  tip: {tip}\n"));
        text + &tip + &usage.unwrap_or_default()
    }

    /// The usage of the command, in a line.
    fn usage(&self) -> Option<String> {
        let mut whole = CommandLine::command();
        whole.build();
        let command = whole.find_subcommand_mut(self.command.as_deref()?)?;
        Some(format!("{}\n", command.render_usage()))
    }

    /// Whether clap's tip is to pass a mistyped option as a value, or an option that has little in
    /// common with it.
    fn is_misled(&self, tip: &str) -> bool {
        let name = |kind| match self.error.get(kind) {
            Some(ContextValue::String(name)) => name.trim_start_matches('-'),
            _ => "",
        };
        let (typed, similar) = (name(ContextKind::InvalidArg), name(ContextKind::SuggestedArg));
        let is_similar = typed.starts_with(similar)
            || similar.starts_with(typed)
            || nearest(typed, [similar]).is_some();
        tip.contains(" as a value, use ") || (tip.contains("similar argument") && !is_similar)
    }
}

/// What clap underlines the word `Usage:` with on a terminal.
const UNDERLINED: &str = "\u{1b}[1m\u{1b}[4m";

/// What commands do that have no `--out`.
fn no_out(command: Option<&str>) -> Option<&'static str> {
    match command {
        Some("new") => Some("the name is the file to write: sim new FOLDER/NAME"),
        Some("resume") => Some(
            "a run goes on in its own folder; to keep it as it is, copy the folder and resume the \
             copy",
        ),
        Some("foam") => Some("foam goes into the folder of its run"),
        _ => None,
    }
}

/// What would be right, where clap cannot know it.
fn tip(error: &clap::Error, command: Option<&str>, args: &[OsString]) -> Option<&'static str> {
    if error.kind() != ErrorKind::UnknownArgument {
        return None;
    }
    let Some(ContextValue::String(unknown)) = error.get(ContextKind::InvalidArg) else {
        return None;
    };
    if unknown == "-o" || unknown == "--out" {
        return no_out(command);
    }
    let is_split = |words: &[OsString]| {
        let has_value = words[1].as_encoded_bytes().contains(&b'=');
        words[0] == "--set" && !has_value && words[2] == *unknown.as_str()
    };
    if args.windows(3).any(is_split) {
        return Some("a key and its value are one word: --set fluids[0].viscosity=0.05");
    }
    let is_scene = command == Some("run") && !unknown.starts_with('-');
    is_scene.then_some("one scene is run at a time")
}
