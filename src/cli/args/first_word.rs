//! The first word of the command line: a command, or a scene, for which `run` may be left out.
//!
//! Clap would report every other word as an unknown command; here a path that is mistyped stays a
//! path, and gets the better message of the command that cannot read it.

use super::request::CommandLine;
use super::select::UnknownName;
use super::usage::{UnknownWord, UsageError};
use clap::{Command, CommandFactory};
use hashfall_scene::suggest::{completed, nearest};
use std::ffi::{OsStr, OsString};
use std::path::Path;

/// The command that is implied.
const RUN: &str = "run";
/// The command that clap adds.
const HELP: &str = "help";

/// What other programs call our commands.
const SYNONYMS: [(&str, &str); 22] = [
    ("simulate", RUN),
    ("start", RUN),
    ("init", "new"),
    ("create", "new"),
    ("scenes", "list"),
    ("ls", "list"),
    ("examples", "list"),
    ("verify", "check"),
    ("estimate", "check"),
    ("continue", "resume"),
    ("restart", "resume"),
    ("spray", "foam"),
    ("whitewater", "foam"),
    ("render", "preview"),
    ("view", "preview"),
    ("plot", "report"),
    ("cache", "export"),
    ("mesh", "surface"),
    ("reconstruct", "surface"),
    ("benchmark", "bench"),
    ("keys", "schema"),
    ("json", "convert"),
];

/// What a first word may name besides a command.
pub struct Surroundings<'a> {
    /// Whether a file or folder exists.
    pub exists: &'a dyn Fn(&Path) -> bool,
    /// The names of the scenes that are built in.
    pub scenes: &'a [&'static str],
}

/// The arguments with the command that they ask for: as they are, or with `run` before a scene or
/// an option.
///
/// # Errors
/// For a first word that is neither a command nor looks like a scene, and for `help` of an unknown
/// command.
pub fn with_command(args: &[OsString], around: &Surroundings) -> Result<Vec<OsString>, UsageError> {
    let Some(first) = args.get(1) else { return Ok(args.to_vec()) };
    let whole = CommandLine::command();
    let commands: Vec<&str> = whole.get_subcommands().map(Command::get_name).collect();
    let known = first.to_str().filter(|word| *word == HELP || commands.contains(word));
    if known == Some(HELP) {
        check_topic(args.get(2), &commands)?;
    }
    if known.is_some() || is_top_level_option(first) {
        return Ok(args.to_vec());
    }
    if let Some(command) = command_as_option(first, &commands) {
        let hint = format!("; did you mean `{command}`?");
        return Err(UsageError::Unknown(UnknownWord { word: format!("--{command}"), hint }));
    }
    if !first.as_encoded_bytes().starts_with(b"-") && !is_scene(Path::new(first), around) {
        let word = first.to_string_lossy().into_owned();
        let hint = hint(&word, &commands, around).map_or_else(String::new, |it| format!("; {it}"));
        return Err(UsageError::Unknown(UnknownWord { word, hint }));
    }
    let (program, rest) = args.split_at(1);
    Ok([program, &[RUN.into()], rest].concat())
}

fn is_top_level_option(word: &OsStr) -> bool {
    ["-h", "--help", "-V", "--version"].iter().any(|option| word == *option)
}

/// The command that is written as an option, such as `--list`.
fn command_as_option<'a>(word: &OsStr, commands: &[&'a str]) -> Option<&'a str> {
    let name = word.to_str()?.strip_prefix("--")?;
    commands.iter().copied().find(|command| *command == name)
}

/// Checks the command whose help is asked for.
fn check_topic(topic: Option<&OsString>, commands: &[&str]) -> Result<(), UsageError> {
    match topic.map(|topic| topic.to_string_lossy()) {
        Some(topic) if topic != HELP && !topic.starts_with('-') && !commands.contains(&&*topic) => {
            Err(UsageError::UnknownTopic(UnknownName::new("command", &topic, commands)))
        }
        _ => Ok(()),
    }
}

/// Whether a word is a scene, or is written as the path of one.
fn is_scene(word: &Path, around: &Surroundings) -> bool {
    let is_built_in = || word.to_str().is_some_and(|word| around.scenes.contains(&word));
    word.components().count() != 1
        || word.extension().is_some()
        || is_built_in()
        || (around.exists)(word)
}

/// What the user may have meant by a word.
fn hint(word: &str, commands: &[&str], around: &Surroundings) -> Option<String> {
    let file = format!("{word}.ron");
    if (around.exists)(Path::new(&file)) {
        return Some(format!("did you mean the scene `{file}`?"));
    }
    if let Some((_, command)) = SYNONYMS.iter().find(|(other, _)| *other == word) {
        return Some(format!("did you mean `{command}`?"));
    }
    let suggestion = nearest(word, commands.iter().copied().chain([HELP]));
    if let Some(command) = suggestion.or_else(|| completed(word, commands)) {
        return Some(format!("did you mean `{command}`?"));
    }
    let scene = nearest(word, around.scenes.iter().copied());
    let scene = scene.or_else(|| completed(word, around.scenes))?;
    Some(format!("did you mean the scene `{scene}`?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The arguments after the program's name, as clap gets them, or the error.
    fn read(words: &[&str]) -> Result<Vec<String>, String> {
        let exists = |path: &Path| ["tank", "small.ron"].iter().any(|it| path == Path::new(it));
        let around = Surroundings { exists: &exists, scenes: &["dam_break", "honey"] };
        let args: Vec<OsString> = ["sim"].iter().chain(words).map(OsString::from).collect();
        let args = with_command(&args, &around).map_err(|error| error.message())?;
        Ok(args[1..].iter().map(|word| word.to_str().unwrap().to_owned()).collect())
    }

    #[test]
    fn run_may_be_left_out_before_a_scene_and_before_options() {
        for scene in ["a.ron", "scenes/a", "./a", "tank", "honey", "--frames", "-q", "--"] {
            assert_eq!(read(&[scene, "x"]).unwrap(), ["run", scene, "x"]);
        }
        for command in ["run", "check", "help", "--help", "-V"] {
            assert_eq!(read(&[command]).unwrap(), [command]);
        }
        assert_eq!(read(&[]).unwrap(), [""; 0]);
    }

    #[test]
    fn a_word_that_is_neither_gets_the_nearest_name() {
        let cases = [
            ("previw", "`previw`; did you mean `preview`?"),
            ("render", "`render`; did you mean `preview`?"),
            ("dambreak", "`dambreak`; did you mean the scene `dam_break`?"),
            ("small", "`small`; did you mean the scene `small.ron`?"),
            ("xyzzy", "`xyzzy`"),
            ("prev", "`prev`; did you mean `preview`?"),
            ("--list", "`--list`; did you mean `list`?"),
        ];
        for (word, message) in cases {
            assert_eq!(read(&[word]).unwrap_err(), format!("unknown command {message}"));
        }
        let unknown = read(&["help", "resum"]).unwrap_err();
        assert_eq!(unknown, "no command `resum`: did you mean `resume`?");
    }

    #[test]
    fn synonyms_are_no_commands_and_stand_for_commands() {
        let whole = CommandLine::command();
        for (other, command) in SYNONYMS {
            assert!(whole.find_subcommand(other).is_none(), "{other}");
            assert!(whole.find_subcommand(command).is_some(), "{command}");
        }
    }
}
