//! `sim schema`: the keys of a scene, as text and as JSON Schema.

use crate::cli::args::SchemaArgs;
use crate::cli::console::Console;
use crate::cli::console::Verdict;
use crate::cli::files::text_output::deliver;
use hashfall_scene::schema::{self, Key};
use hashfall_scene::suggest;

/// Maximum columns of a line.
const WIDTH: usize = 100;
/// Indentation of the description of a key.
const INDENT: usize = 4;

/// Prints the schema, or a part of it.
pub fn schema(args: &SchemaArgs, console: Console) -> Verdict {
    let text = if args.json {
        format!("{:#}\n", schema::for_editors())
    } else {
        match listing(args.key.as_deref()) {
            Ok(text) => text,
            Err(why) => {
                console.error(why);
                return Verdict::WrongInput;
            }
        }
    };
    let messages = console.with_quiet(args.quiet);
    deliver("schema", &text, &args.text, console, messages)
}

/// A key that the schema does not have.
#[derive(Debug, thiserror::Error)]
enum UnknownKey {
    /// The argument is empty.
    #[error("no key given; `sim schema` lists all keys")]
    Empty,
    /// No key has this path; with a suggestion.
    #[error("no key `{0}`: {1}")]
    Path(String, String),
}

/// The keys at a path, or all keys.
///
/// # Errors
/// If there is no such key.
fn listing(path: Option<&str>) -> Result<String, UnknownKey> {
    let keys = schema::keys();
    let Some(path) = path else {
        return Ok(keys.iter().filter(|key| !key.is_repeated).map(entry).collect());
    };
    if path.trim().is_empty() {
        return Err(UnknownKey::Empty);
    }
    let found = schema::part(&keys, path);
    if found.is_empty() {
        let paths = keys.iter().map(|key| key.path.as_str());
        let last = |path: &'_ str| path.rsplit('.').next().unwrap_or_default().to_owned();
        let names: Vec<String> = keys.iter().map(|key| last(&key.path)).collect();
        let suggestion = suggest::nearest(path, paths.chain(names.iter().map(String::as_str)));
        let help = match suggestion {
            Some(suggestion) => format!("did you mean `{suggestion}`?"),
            None => "`sim schema` lists all keys".to_owned(),
        };
        return Err(UnknownKey::Path(path.to_owned(), help));
    }
    Ok(found.into_iter().map(entry).collect())
}

/// The description of a key.
fn entry(key: &Key) -> String {
    let kinds = key.kinds.iter().filter(|way| !way.is_empty());
    let mut seen = std::collections::BTreeSet::new();
    let kinds = kinds.map(|way| written(way)).filter(|kind| seen.insert(kind.clone()));
    let kinds: Vec<String> = kinds.collect();
    let of = format!("(of {})", kinds.join(", "));
    let length = key.path.chars().count() + 2 + of.chars().count();
    let mut text = match kinds.len() {
        0 => format!("{}\n", key.path),
        _ if length <= WIDTH => format!("{}  {of}\n", key.path),
        _ => format!("{}\n{}", key.path, wrapped(&of, INDENT)),
    };
    let mut facts = vec![key.value_type.clone()];
    facts.extend(key.unit.clone());
    facts.extend(key.bounds.clone());
    facts.push(match &key.default {
        Some(default) => format!("default {default}"),
        None => "required".to_owned(),
    });
    text += &wrapped(&facts.join("; "), INDENT);
    text += &wrapped(&key.description, INDENT);
    if let Some(path) = &key.described_at {
        text += &wrapped(&format!("Keys as for `{path}`."), INDENT);
    }
    for (choice, what) in key.choices.iter().filter(|(_, what)| !what.is_empty()) {
        text += &wrapped(&format!("- {choice}: {what}"), INDENT);
    }
    text + "\n"
}

/// Kinds on the way to a key as a scene has them: `SphereField(Random)`.
fn written(way: &[String]) -> String {
    format!("{}{}", way.join("("), ")".repeat(way.len() - 1))
}

/// Text in lines, indented; the later ones of an item a little more.
fn wrapped(text: &str, indent: usize) -> String {
    let more = if text.starts_with("- ") { 2 } else { 0 };
    let mut lines = String::new();
    let mut column = 0;
    for word in text.split_whitespace() {
        let length = word.chars().count();
        if column == 0 || column + 1 + length > WIDTH {
            let spaces = indent + if lines.is_empty() { 0 } else { more };
            lines += if lines.is_empty() { "" } else { "\n" };
            lines += &" ".repeat(spaces);
            column = spaces;
        } else {
            lines.push(' ');
            column += 1;
        }
        lines += word;
        column += length;
    }
    lines.push('\n');
    lines
}
