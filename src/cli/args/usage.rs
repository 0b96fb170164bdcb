//! What is wrong with a command line, in a few lines: the error, the usage, and where to read more.

use super::first_word::UnknownWord;
use super::select::UnknownName;
use clap::error::ErrorKind;
use std::ffi::OsString;

/// Why a command line is not understood, or the help that it asks for.
#[derive(Debug)]
pub enum UsageError {
    /// Of the arguments of a command; with its name.
    Arguments(clap::Error, Option<String>),
    /// The first word is neither a command nor a scene.
    Unknown(UnknownWord),
    /// `sim help` of an unknown command.
    UnknownTopic(UnknownName),
}

impl UsageError {
    /// Clap's error, with the first argument.
    pub fn new(error: clap::Error, command: Option<&OsString>) -> UsageError {
        let command = command.and_then(|command| command.to_str());
        UsageError::Arguments(error, command.map(str::to_owned))
    }

    /// The help or version that the user asked for; `None` for a mistake.
    pub fn help(&self) -> Option<&clap::Error> {
        match self {
            UsageError::Arguments(error, _) if !error.use_stderr() => Some(error),
            _ => None,
        }
    }

    /// What is wrong, on one line.
    pub fn message(&self) -> String {
        match self {
            UsageError::Arguments(error, _) if is_empty(error) => "no command is given".to_owned(),
            UsageError::Arguments(error, _) => {
                let text = error.to_string();
                let message = text.split("\n\n").next().unwrap_or_default();
                let words: Vec<&str> = message.split_whitespace().collect();
                words.join(" ").trim_start_matches("error: ").to_owned()
            }
            UsageError::Unknown(word) => word.to_string(),
            UsageError::UnknownTopic(name) => name.to_string(),
        }
    }

    /// Clap's text for people, in lines; `None` for errors that are not clap's.
    pub fn text(&self, is_coloured: bool) -> Option<String> {
        let UsageError::Arguments(error, _) = self else { return None };
        let text = error.render();
        let text = if is_coloured { text.ansi().to_string() } else { text.to_string() };
        if is_empty(error) {
            return Some(text);
        }
        let (text, _) = text.split_once("For more information").unwrap_or((&text, ""));
        let lines = text.lines().filter(|line| !line.is_empty() && !is_about_dashes(line));
        Some(lines.map(|line| format!("{line}\n")).collect())
    }

    /// Where to read more.
    pub fn advice(&self) -> Option<String> {
        match self {
            UsageError::Arguments(error, _) if is_empty(error) => None,
            UsageError::Arguments(_, Some(command)) => {
                Some(format!("`sim help {command}` describes its arguments"))
            }
            _ => Some("`sim help` lists the commands, `sim list` the built-in scenes".to_owned()),
        }
    }
}

/// Whether the command line is empty, for which clap prints the help.
fn is_empty(error: &clap::Error) -> bool {
    error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
}

/// Clap's advice to pass a mistyped option as a value.
fn is_about_dashes(line: &str) -> bool {
    line.contains("tip:") && line.contains(" as a value, use ")
}
