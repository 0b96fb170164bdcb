//! JSON written as RON, character by character with the places in the JSON: what is found wrong
//! with the RON is thus shown in the JSON.
//!
//! Blanks and comments stay where they are. `{"Box": {"min": …}}` becomes `Box(min: …)`,
//! `"Still"` becomes `Still`, a vector `(…)`, `null` `None`; the schema says which text is a name
//! and which list a vector. `"$schema"`, which is for editors, is left out.

use super::shape::{Shape, is_variant};
use super::tree::{Body, Fault, Member, Text, Value, plain};
use crate::text::scene_text::Origin;
use crate::text::suggest::{hint, listed, nearest};
use std::ops::Range;

/// The key by which an editor finds the schema.
const FOR_EDITORS: &str = "$schema";

/// Writes a value of this shape as RON; `origin` gives the origin of a character of the JSON.
///
/// # Errors
/// Every key that no scene can have, and every name that lacks its keys.
pub fn to_ron(
    chars: &[char],
    value: &Value,
    shape: &Shape,
    origin: &dyn Fn(usize) -> Origin,
) -> Result<Vec<(char, Origin)>, Vec<Fault>> {
    let (root, out, faults) = (value.span.start, Vec::new(), Vec::new());
    let mut writer = Writer { chars, origin, root, out, faults };
    writer.blanks(0..value.span.start, "");
    writer.value(value, shape);
    writer.blanks(value.span.end..chars.len(), "");
    if writer.faults.is_empty() { Ok(writer.out) } else { Err(writer.faults) }
}

struct Writer<'a> {
    chars: &'a [char],
    origin: &'a dyn Fn(usize) -> Origin,
    /// Where the outermost value begins.
    root: usize,
    out: Vec<(char, Origin)>,
    faults: Vec<Fault>,
}

impl Writer<'_> {
    fn push(&mut self, c: char, at: usize) {
        self.out.push((c, (self.origin)(at)));
    }

    fn copy(&mut self, span: Range<usize>) {
        for at in span {
            self.push(self.chars[at], at);
        }
    }

    /// Words that stand for a span.
    fn words(&mut self, words: &str, span: &Range<usize>) {
        let last = span.end.saturating_sub(1).max(span.start);
        for (k, c) in words.chars().enumerate() {
            self.push(c, (span.start + k).min(last));
        }
    }

    /// What stands between values: blanks, comments, and the punctuation of `kept`.
    fn blanks(&mut self, span: Range<usize>, kept: &str) {
        let mut at = span.start;
        while at < span.end {
            match (self.chars[at], self.chars.get(at + 1)) {
                ('/', Some('/')) => {
                    let rest = &self.chars[at..span.end];
                    let end = at + rest.iter().take_while(|&&c| c != '\n').count();
                    self.copy(at..end);
                    at = end;
                }
                ('/', Some('*')) => at = self.block_comment(at, span.end),
                (c, _) if c.is_whitespace() || kept.contains(c) => {
                    self.push(c, at);
                    at += 1;
                }
                _ => at += 1,
            }
        }
    }

    /// Comments of RON nest, so that none may begin in another.
    fn block_comment(&mut self, start: usize, end: usize) -> usize {
        self.copy(start..start + 2);
        let mut at = start + 2;
        while at < end && (self.chars[at], self.chars.get(at + 1)) != ('*', Some(&'/')) {
            let opens = (self.chars[at], self.chars.get(at + 1)) == ('/', Some(&'*'));
            self.push(if opens { ' ' } else { self.chars[at] }, at);
            at += 1;
        }
        self.copy(at..(at + 2).min(end));
        (at + 2).min(end)
    }

    fn value(&mut self, value: &Value, shape: &Shape) {
        match &value.body {
            Body::Null => self.words("None", &value.span),
            Body::Word => self.copy(value.span.clone()),
            Body::Text(text) => self.text(text, &value.span, shape),
            Body::List(items) => self.list(items, &value.span, shape),
            Body::Object(members) if self.is_variant(members, shape) => {
                self.variant(members, &value.span, shape);
            }
            Body::Object(members) => self.group(members, &value.span, shape),
        }
    }

    /// A name or a text.
    fn text(&mut self, text: &Text, span: &Range<usize>, shape: &Shape) {
        let word = plain(text);
        let is_known = shape.names().contains(&word.as_str());
        if is_known || (is_name(&word) && !shape.is_text() && !shape.names().is_empty()) {
            return text.iter().for_each(|&(c, at)| self.push(c, at));
        }
        self.push('"', span.start);
        for &(c, at) in text {
            match c {
                '"' | '\\' => self.words(&format!("\\{c}"), &(at..at + 1)),
                c if c.is_control() => self.words(&c.escape_default().to_string(), &(at..at + 1)),
                c => self.push(c, at),
            }
        }
        self.push('"', span.end - 1);
    }

    /// A list or a vector.
    fn list(&mut self, items: &[Value], span: &Range<usize>, shape: &Shape) {
        let [open, close] = if shape.is_fixed() { ['(', ')'] } else { ['[', ']'] };
        self.push(open, span.start);
        let mut end = span.start + 1;
        for (k, item) in items.iter().enumerate() {
            self.blanks(end..item.span.start, ",");
            self.value(item, &shape.item(k));
            end = item.span.end;
        }
        self.blanks(end..span.end - 1, ",");
        self.push(close, span.end - 1);
    }

    /// Whether an object is a name with what belongs to it, and not a group of keys.
    fn is_variant(&self, members: &[Member], shape: &Shape) -> bool {
        let named = members.iter().filter(|member| is_variant(&plain(&member.key))).count();
        match (shape.is_group(), shape.has_full_variants()) {
            (true, false) => false,
            (false, true) => true,
            (true, true) | (false, false) => named == 1 && members.len() == 1,
        }
    }

    /// `{"Name": …}` as `Name(…)`.
    fn variant(&mut self, members: &[Member], span: &Range<usize>, shape: &Shape) {
        let [Member { key, span: key_span, value }] = members else {
            return self.faults.push(no_variant(members, span, shape));
        };
        let name = plain(key);
        let is_near = is_variant(&name) || nearest(&name, shape.names()).is_some();
        if !is_name(&name) || !is_near {
            return self.faults.push(no_variant(members, span, shape));
        }
        self.comments(span.start + 1..key_span.start);
        key.iter().for_each(|&(c, at)| self.push(c, at));
        if !(value.body == Body::Null && shape.is_unit(&name)) {
            self.content(value, &shape.variant(&name), key_span.end);
        }
        self.comments(value.span.end..span.end - 1);
    }

    /// What a variant holds, in round brackets.
    fn content(&mut self, value: &Value, shape: &Shape, key_end: usize) {
        self.comments(key_end..value.span.start);
        match &value.body {
            Body::Object(members) if !self.is_variant(members, shape) => {
                self.group(members, &value.span, shape);
            }
            _ => {
                self.push('(', value.span.start);
                self.value(value, shape);
                self.push(')', value.span.end - 1);
            }
        }
    }

    /// Blanks that hold a comment; others go with the brackets that they part.
    fn comments(&mut self, span: Range<usize>) {
        if self.chars[span.clone()].contains(&'/') {
            self.blanks(span, "");
        }
    }

    /// `{"key": …}` as `(key: …)`.
    fn group(&mut self, members: &[Member], span: &Range<usize>, shape: &Shape) {
        self.push('(', span.start);
        let mut end = span.start + 1;
        let mut kept = "";
        for member in members {
            self.blanks(end..member.span.start, kept);
            end = member.value.span.end;
            let is_left_out = plain(&member.key) == FOR_EDITORS && self.root == span.start;
            kept = if is_left_out { "" } else { "," };
            if !is_left_out {
                self.member(member, shape);
            }
        }
        self.blanks(end..span.end - 1, kept);
        self.push(')', span.end - 1);
    }

    fn member(&mut self, Member { key, span, value }: &Member, shape: &Shape) {
        let name = plain(key);
        if is_name(&name) {
            key.iter().for_each(|&(c, at)| self.push(c, at));
        } else {
            let help = hint(&name, &shape.keys());
            self.faults.push(Fault::new(span.clone(), format!("unknown key `{name}`"), help));
        }
        self.blanks(span.end..value.span.start, ":");
        self.value(value, &shape.member(&name));
    }
}

/// An object where a name with its keys belongs.
fn no_variant(members: &[Member], span: &Range<usize>, shape: &Shape) -> Fault {
    let names = shape.names();
    let help = match names.as_slice() {
        [only] => format!("write {{\"{only}\": {{ … }}}}"),
        [first, ..] => format!("write {{\"{first}\": {{ … }}}}; known here: {}", listed(&names)),
        [] => "write {\"Name\": { … }}".to_owned(),
    };
    let (place, message) = match members {
        [] => (span.clone(), "expected a name and what belongs to it".to_owned()),
        [_, second, ..] if is_variant(&plain(&second.key)) => {
            (second.span.clone(), "a second name: an object holds one".to_owned())
        }
        [first, ..] => {
            let message = format!("expected a name around `{}`", plain(&first.key));
            (first.span.clone(), message)
        }
    };
    Fault::new(place, message, help)
}

/// Whether RON takes a word for a name.
fn is_name(word: &str) -> bool {
    let is_start = |c: char| c.is_ascii_alphabetic() || c == '_';
    word.starts_with(is_start) && word.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}
