//! Explains errors of ron: what is wrong, located at the value itself, and what would be right. The
//! tree of the text gives the key that an error concerns.

use super::guess::{Guess, instead};
use super::text_error::{Recovery, TextError, key_prefix};
use crate::json::Shape;
use crate::parse::Document;
use crate::spans::{Content, Entry, Node, open_comment, parse_path};
use crate::text::scene_text::SceneText;
use crate::text::suggest::{hint, nearest};
use ron::error::{Error, SpannedError};
use std::marker::PhantomData;
use std::ops::Range;

/// Turns ron's faults into words, with the help of the text's tree.
pub struct Explainer<'a, T> {
    /// The text that ron refused.
    pub text: &'a SceneText,
    /// Its brackets, as far as they go.
    pub tree: Option<&'a Node>,
    /// What it should hold.
    document: PhantomData<T>,
}

impl<'a, T: Document> Explainer<'a, T> {
    pub fn new(text: &'a SceneText, tree: Option<&'a Node>) -> Self {
        Explainer { text, tree, document: PhantomData }
    }

    /// What ron means.
    pub fn explain(&self, error: &SpannedError) -> TextError {
        let at = self.token_start(self.text.offset(error.span.start.line, error.span.start.col));
        if let Some(error) = self.surplus_bracket(at, &error.code) {
            return error;
        }
        match &error.code {
            Error::NoSuchStructField { expected, found, outer } => {
                self.unknown_key(at, found, expected, outer.as_deref())
            }
            Error::DuplicateStructField { field, .. } => self.duplicate_key(at, field),
            Error::MissingStructField { field, outer } => {
                self.missing_key(at, field, outer.as_deref())
            }
            Error::NoSuchEnumVariant { expected, found, .. } => {
                self.unknown_name(at, format!("unknown name `{found}`"), found, expected)
            }
            Error::ExpectedDifferentStructName { expected, found } => {
                self.wrong_struct_name(at, expected, found)
            }
            Error::ExpectedFloat => self.wrong_type(at, "a number", Some("1.0")),
            Error::ExpectedInteger => self.wrong_type(at, "a whole number", Some("1")),
            Error::InvalidIntegerDigit { .. } => self.no_whole_number(at, &error.code),
            Error::IntegerOutOfBounds => {
                self.wrong_type(at, "a whole number within bounds", Some("1"))
            }
            Error::ExpectedBoolean => self.wrong_type(at, "`true` or `false`", Some("true")),
            Error::ExpectedString => self.wrong_type(at, "a text in double quotes", Some("\"\"")),
            Error::ExpectedIdentifier
            | Error::SuggestRawIdentifier(_)
            | Error::InvalidIdentifier(_) => self.no_name(at),
            Error::ExpectedArray => self.wrong_type(at, "a list in square brackets [ ]", None),
            Error::ExpectedStructLike | Error::ExpectedNamedStructLike(_) => {
                self.wrong_type(at, self.brackets_at(at), None)
            }
            Error::ExpectedDifferentLength { expected, found } => {
                self.wrong_length(at, expected, *found)
            }
            Error::Eof => self.unexpected_end(at),
            Error::UnclosedBlockComment => self.unclosed_comment(at),
            Error::InvalidEscape(_) => self.escape(at),
            Error::TrailingCharacters => {
                let help =
                    format!("a file holds one {}; look for a bracket too many above", T::KIND);
                TextError::new(self.word(at), "more text after the end").help(help)
            }
            Error::InvalidValueForType { expected, .. } => {
                self.value_of_other_type(at, expected, &error.code)
            }
            Error::Message(_) => self.unreadable_value(at, &error.code),
            _ => self.misplaced(at, &error.code),
        }
    }

    /// What the key at a path holds, in the variant that the text has there.
    fn meaning(&self, path: &str) -> Option<String> {
        let path = self.tree.map_or_else(|| path.to_owned(), |tree| tree.with_variants(path));
        T::describe_key(&path)
    }

    /// Whether a name is nearly `None`, and the key at `path` takes that.
    fn is_misspelt_none(&self, name: &str, path: &str) -> bool {
        let takes_none = || self.meaning(path).is_some_and(|help| help.contains(" or None"));
        name != "None" && nearest(name, ["None"]).is_some() && takes_none()
    }

    /// A value that is none of several types; ron stands behind it.
    fn unreadable_value(&self, at: usize, code: &Error) -> TextError {
        let Some(value) = self.value_before(at) else { return self.misplaced(at, code) };
        let path = self.around(value.span.start).pop().map_or_else(String::new, |(_, path)| path);
        let found = self.text.as_typed(&value.span);
        let message = format!("{}cannot read `{found}`", key_prefix(&path));
        TextError::new(value.span.clone(), message).about(self.meaning(&path))
    }

    /// A value of none of the types that its key takes; ron stands at its start, or behind a name.
    fn value_of_other_type(&self, at: usize, expected: &str, code: &Error) -> TextError {
        let starts = |node: &&Node| (node.span.start..node.head().end).contains(&at);
        let at_value = self.around(at).pop().map(|(node, _)| node).filter(starts);
        let Some(value) = at_value.or_else(|| self.value_before(at)) else {
            return self.misplaced(at, code);
        };
        let path = self.around(value.span.start).pop().map_or_else(String::new, |(_, path)| path);
        let found = self.text.as_typed(&value.head());
        let message = format!("{}expected {expected}, found `{found}`", key_prefix(&path));
        TextError::new(value.head(), message).about(self.meaning(&path))
    }

    /// The value that ends at an offset, but for blanks.
    fn value_before(&self, at: usize) -> Option<&Node> {
        let before = |node: &&Node| {
            let between = self.text.chars().get(node.span.end..at);
            between.is_some_and(|blank| blank.iter().all(|c| c.is_whitespace()))
        };
        let (holder, _) = self.around(at).pop()?;
        holder.entries().iter().map(|entry| &entry.value).find(before)
    }

    /// The start of the next token: ron points at the blank before it.
    fn token_start(&self, from: usize) -> usize {
        let chars = self.text.chars();
        let from = from.min(chars.len());
        let blanks = chars[from..].iter().take_while(|c| c.is_whitespace()).count();
        let at = from + blanks;
        if at < chars.len() { at } else { from.min(chars.len().saturating_sub(1)) }
    }

    /// The run of name characters at an offset, or one character.
    pub(super) fn word(&self, at: usize) -> Range<usize> {
        let chars = self.text.chars();
        let at = at.min(chars.len());
        let name = chars[at..].iter().take_while(|c| c.is_alphanumeric() || **c == '_').count();
        at..(at + name.max(1)).min(chars.len())
    }

    /// The first character after some blanks.
    fn next_after(&self, at: usize) -> Option<char> {
        self.text.chars().get(at..)?.iter().copied().find(|c| !c.is_whitespace())
    }

    /// The nodes around an offset, outermost first, each with its path.
    pub fn around(&self, at: usize) -> Vec<(&Node, String)> {
        self.tree.map(|tree| tree.around(at)).unwrap_or_default()
    }

    /// The innermost bracket around an offset, and its path.
    fn bracket(&self, at: usize) -> Option<(&Node, String)> {
        self.around(at).into_iter().rev().find(|(node, _)| node.body != Content::Leaf)
    }

    /// The entry that starts at an offset.
    fn entry(&self, at: usize) -> Option<&Entry> {
        self.bracket(at)?.0.entries().iter().find(|entry| entry.span().start == at)
    }

    fn unknown_key(
        &self,
        at: usize,
        found: &str,
        known: &[&str],
        outer: Option<&str>,
    ) -> TextError {
        let span = self.word(at);
        let error = TextError::new(span.clone(), format!("unknown key `{found}`{}", inside(outer)));
        let taken = |key: &str| self.bracket(at).is_some_and(|(b, _)| b.entry(key).is_some());
        // An override may well mean a key that the file gives.
        let is_override = self.text.overridden_part(span.clone()).is_some();
        let may_be_meant = |key: &&str| is_override || !taken(key);
        let free: Vec<&str> = known.iter().copied().filter(may_be_meant).collect();
        if let Some(Guess { help, name, differs }) = Guess::new(found, &free) {
            let error = error.help(help);
            return match self.entry(at) {
                Some(entry) if taken(name) => error.recover(self.drop(entry)),
                _ if differs => error.recover(Recovery::NameAlone(span, name.to_owned())),
                _ => error.recover(Recovery::Name(span, name.to_owned())),
            };
        }
        let error = error.help(instead::<T>(found, &free).unwrap_or_else(|| hint(found, known)));
        match self.entry(at) {
            Some(entry) => error.recover(self.drop(entry)),
            None => error,
        }
    }

    fn duplicate_key(&self, at: usize, field: &str) -> TextError {
        let error = TextError::new(self.word(at), format!("`{field}` is given twice"))
            .help("keep one of them");
        match self.entry(at) {
            Some(entry) => error.recover(self.drop(entry)),
            None => error,
        }
    }

    /// Leaves an entry out, with the comma behind it.
    fn drop(&self, entry: &Entry) -> Recovery {
        let span = entry.span();
        let rest = &self.text.chars()[span.end..];
        let blanks = rest.iter().take_while(|c| c.is_whitespace()).count();
        let comma = rest.get(blanks) == Some(&',');
        Recovery::Drop(span.start..span.end + if comma { blanks + 1 } else { 0 })
    }

    /// ron points at the end of the struct; its start says more.
    fn missing_key(&self, at: usize, field: &str, outer: Option<&str>) -> TextError {
        let (span, path) = match self.bracket(at) {
            Some((node, path)) => (node.head(), format!("{path}.{field}")),
            None => (self.word(at), field.to_owned()),
        };
        let error = TextError::new(span, format!("missing key `{field}`{}", inside(outer)));
        match self.meaning(path.trim_start_matches('.')) {
            Some(meaning) => error.help(format!("add `{field}`: {meaning}")),
            None => error.help(format!("add `{field}`")),
        }
    }

    fn unknown_name(&self, at: usize, message: String, found: &str, known: &[&str]) -> TextError {
        let span = self.word(at);
        let error = TextError::new(span.clone(), message);
        match Guess::new(found, known) {
            Some(Guess { help, name, .. }) => {
                error.help(help).recover(Recovery::Name(span, name.to_owned()))
            }
            None => error.help(hint(found, known)),
        }
    }

    fn wrong_struct_name(&self, at: usize, expected: &str, found: &str) -> TextError {
        let span = self.word(at);
        if self.next_after(span.end) == Some(':') {
            let message = format!("a bracket `(` is missing before `{found}`");
            let path = self.around(at).pop().map_or_else(String::new, |(_, path)| path);
            return TextError::new(span, message).about(self.meaning(&path));
        }
        if found == "Some" {
            let path = self.around(at).pop().map_or_else(String::new, |(_, path)| path);
            return TextError::new(span.clone(), format!("`{path}` does not take `Some(…)`"))
                .help("leave `Some` out: `(…)`")
                .recover(Recovery::Name(span, expected.to_owned()));
        }
        if found == "true" || found == "false" {
            return self.wrong_type(at, self.brackets_at(at), None);
        }
        let is_optional = self.around(at).last().is_some_and(|(_, path)| path == "surface");
        let known = if is_optional { vec![expected, "None"] } else { vec![expected] };
        self.unknown_name(at, format!("unexpected name `{found}`"), found, &known)
    }

    /// What a group or vector is written with.
    fn brackets_at(&self, at: usize) -> &'static str {
        if !self.text.is_translated() {
            return "round brackets ( )";
        }
        let path = self.around(at).pop().map_or_else(String::new, |(_, path)| path);
        let steps = parse_path(&path).unwrap_or_default();
        let shape = Shape::scene().at(steps.iter().map(|(step, _)| step));
        if shape.is_fixed() { "a list in square brackets [ ]" } else { "an object { }" }
    }

    fn no_name(&self, at: usize) -> TextError {
        if self.follows_decimal_comma(at) {
            return TextError::new(self.word(at), "a comma ends the value before it")
                .help("numbers have a decimal point: `0.025`");
        }
        let lacks_key = self.entry(at).is_some_and(|entry| entry.key.is_none());
        match self.bracket(at) {
            Some((node, path)) if lacks_key && self.is_round(node) => {
                TextError::new(self.word(at), "expected a key and its value, as in `key: value`")
                    .about(self.meaning(&path))
            }
            _ => self.wrong_type(at, "a name", None),
        }
    }

    fn wrong_type(&self, at: usize, name: &str, placeholder: Option<&'static str>) -> TextError {
        let trail = self.around(at);
        let starts = |node: &Node| {
            let span = &node.span;
            // ron may stand just behind a sign.
            span.contains(&at) && (node.body == Content::Leaf || at <= span.start + 1)
        };
        let Some((node, path)) = trail.last().filter(|(node, _)| starts(node)) else {
            return self.missing_part(at, name);
        };
        let span = node.head();
        let found = self.text.as_typed(&span);
        let error =
            TextError::new(span, format!("{}expected {name}, found `{found}`", key_prefix(path)));
        let error = match node.name.as_deref() {
            Some("Some") => error.help("leave `Some(` and its `)` out"),
            None if self.is_misspelt_none(&found, path) => error.help(hint(&found, &["None"])),
            _ => error.about(self.meaning(path)),
        };
        match placeholder {
            Some(value) => error.recover(Recovery::Placeholder(node.span.clone(), value)),
            None => error,
        }
    }

    /// Something that should have followed a value, such as the brackets after a name.
    fn missing_part(&self, at: usize, name: &str) -> TextError {
        let Some(value) = self.value_before(at) else {
            let (_, owner) = self.bracket(at).unzip();
            let owner = owner.unwrap_or_default();
            return TextError::new(self.word(at), format!("{}expected {name}", key_prefix(&owner)))
                .about(self.meaning(&owner));
        };
        let path = self.around(value.span.start).pop().map_or_else(String::new, |(_, path)| path);
        let found = self.text.as_typed(&value.head());
        let message = format!("{}expected {name} after `{found}`", key_prefix(&path));
        TextError::new(value.head(), message).about(self.meaning(&path))
    }

    fn wrong_length(&self, at: usize, expected: &str, found: usize) -> TextError {
        // serde says "an array of length 3" or "a tuple of size 2".
        let count = expected.rsplit(' ').next().and_then(|n| n.parse::<usize>().ok());
        let name = count.map_or_else(|| expected.to_owned(), |n| format!("{n} values"));
        let (span, path) = match self.bracket(at) {
            Some((node, path)) => (node.span.clone(), path),
            None => (self.word(at), String::new()),
        };
        let message = format!("{}expected {name}, found {found}", key_prefix(&path));
        TextError::new(span, message).about(self.meaning(&path))
    }

    fn unexpected_end(&self, at: usize) -> TextError {
        match self.tree.and_then(Node::unclosed) {
            Some(node) => TextError::new(node.head(), "this bracket is never closed")
                .help("the text ends before it; add the closing bracket where it belongs"),
            None => TextError::new(self.word(at), "the text ends too soon").help(T::SYNTAX),
        }
    }

    fn unclosed_comment(&self, at: usize) -> TextError {
        // ron's own place may be any slash behind the comment's start.
        let start = open_comment(self.text.chars()).unwrap_or(at);
        TextError::new(start..start + 1, "a comment that starts with /* is never closed")
            .help("close it with */, or use // for a comment of one line")
    }

    /// Everything about commas and brackets.
    fn misplaced(&self, at: usize, code: &Error) -> TextError {
        let trail = self.around(at);
        let innermost = trail.last().filter(|(node, _)| node.body == Content::Leaf);
        if let Some((node, path)) = innermost.filter(|(node, _)| node.span.start < at) {
            return self.partly_read(node, path);
        }
        if let Some(start) = self.unclosed_string(at, &trail) {
            return TextError::new(start..start + 1, "this text is not closed on its line")
                .help("close it with a double quote \"");
        }
        match (code, innermost) {
            (Error::ExpectedStructLikeEnd, Some((node, path))) if path.ends_with(']') => {
                let owner = path.rsplit_once('[').map_or(path.as_str(), |(owner, _)| owner);
                let message = format!("{}more values than expected", key_prefix(owner));
                TextError::new(node.span.clone(), message).about(self.meaning(owner))
            }
            (Error::ExpectedComma, _) => self.no_comma(at),
            (Error::ExpectedMapColon, _) => {
                TextError::new(self.word(at), "a colon is missing before this")
                    .help("a key and its value are written `key: value`")
            }
            _ => TextError::new(self.word(at), lowered(&code.to_string())),
        }
    }

    /// Something after a value that does not continue the list or group.
    fn no_comma(&self, at: usize) -> TextError {
        let chars = self.text.chars();
        let open = self.tree.and_then(Node::unclosed).and_then(|node| match node.body {
            Content::Bracket { open, .. } => Some(chars[open]),
            Content::Leaf => None,
        });
        match (open, chars.get(at)) {
            (Some(open), Some(&other @ (')' | ']' | '}'))) => {
                let closing = if open == '(' { ')' } else { ']' };
                let message = format!("this `{other}` does not close the `{open}` before it");
                TextError::new(at..at + 1, message).help(format!("close it with `{closing}`"))
            }
            _ => TextError::new(self.word(at), "a comma is missing before this")
                .help("values and `key: value` pairs are parted by commas"),
        }
    }

    /// A value of which ron read only the first part, as of `3.5` where a whole number belongs.
    fn partly_read(&self, node: &Node, path: &str) -> TextError {
        let found = self.text.as_typed(&node.span);
        if found.parse::<f64>().is_ok() {
            let message = format!("{}expected a whole number, found `{found}`", key_prefix(path));
            let recover = Recovery::Placeholder(node.span.clone(), "1");
            let error = TextError::new(node.span.clone(), message).recover(recover);
            return match plain_digits(&found) {
                Some(digits) => error.help(format!("write {digits}")),
                None => error.about(self.meaning(path)),
            };
        }
        TextError::new(node.span.clone(), format!("{}cannot read `{found}`", key_prefix(path)))
            .about(self.meaning(path))
    }

    /// A number such as `1e3`, of which ron takes no part for a whole number.
    fn no_whole_number(&self, at: usize, code: &Error) -> TextError {
        match self.around(at).last() {
            Some((node, path)) if node.body == Content::Leaf => self.partly_read(node, path),
            _ => self.misplaced(at, code),
        }
    }

    /// The start of a string before an offset that runs over the end of its line.
    fn unclosed_string(&self, at: usize, trail: &[(&Node, String)]) -> Option<usize> {
        let chars = self.text.chars();
        let is_torn = |span: &&Range<usize>| {
            span.end <= at && chars[span.start] == '"' && chars[(*span).clone()].contains(&'\n')
        };
        let entries = trail.iter().rev().flat_map(|(node, _)| node.entries().iter().rev());
        entries.map(|entry| &entry.value.span).find(is_torn).map(|span| span.start)
    }
}

/// A number as whole numbers are written, if it is a whole one of a size to write out.
fn plain_digits(number: &str) -> Option<String> {
    let x: f64 = number.parse().ok()?;
    (x.fract() == 0.0 && (0.0..=1e12).contains(&x)).then(|| format!("{x:.0}"))
}

/// " in `Fluid`".
fn inside(outer: Option<&str>) -> String {
    outer.map_or_else(String::new, |outer| format!(" in `{outer}`"))
}

/// ron's own words, without the capital.
fn lowered(message: &str) -> String {
    let mut chars = message.chars();
    chars.next().map_or_else(String::new, |first| first.to_lowercase().chain(chars).collect())
}
