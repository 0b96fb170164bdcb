//! RON written as JSON, with its layout: `Box(min: …)` becomes `{"Box": {"min": …}}`, a name or
//! text a text, a vector a list, `None` null. Comments, which JSON has none of, are left out, and
//! with them the lines that hold nothing else.

use super::shape::{Shape, is_variant};
use crate::spans::{Content, Entry, Node};
use std::fmt::Write;

/// A scene in RON as JSON, and the number of comments that are left out.
pub fn to_json(chars: &[char]) -> (String, usize) {
    let mut writer = Writer { chars, out: String::new(), comments: 0 };
    if let Some(tree) = Node::of_text(chars) {
        writer.count_comments(&chars[..tree.span.start]);
        writer.value(&tree, &Shape::scene());
        writer.count_comments(&chars[tree.span.end..]);
    }
    let lines = writer.out.lines().map(str::trim_end);
    (lines.fold(String::new(), |text, line| text + line + "\n"), writer.comments)
}

struct Writer<'a> {
    chars: &'a [char],
    out: String,
    comments: usize,
}

impl Writer<'_> {
    fn slice(&self, node: &Node) -> String {
        self.chars[node.span.clone()].iter().collect()
    }

    fn value(&mut self, node: &Node, shape: &Shape) {
        let name = node.name.as_deref();
        match (&node.body, node.entries()) {
            (Content::Leaf, _) => self.leaf(&self.slice(node)),
            (_, [Entry { key: None, value }]) if name == Some("Some") => {
                self.between(open_end(node)..value.span.start, false);
                self.value(value, shape);
                self.between(value.span.end..node.span.end - 1, true);
            }
            (Content::Bracket { .. }, entries) => match name {
                Some(name) if shape.names().contains(&name) => {
                    // Writing to memory does not fail.
                    let _ = write!(self.out, "{{\"{name}\": ");
                    self.content(node, entries, &shape.variant(name));
                    self.out.push('}');
                }
                _ => self.bracket(node, entries, shape),
            },
        }
    }

    /// What is in the brackets of a variant: its keys, or one value.
    fn content(&mut self, node: &Node, entries: &[Entry], shape: &Shape) {
        let is_doubled = |value: &Node| value.name.is_none() || !shape.is_group();
        match entries {
            [Entry { key: None, value }] if is_doubled(value) => {
                self.between(open_end(node)..value.span.start, false);
                self.value(value, shape);
                self.between(value.span.end..node.span.end - 1, true);
            }
            entries => self.bracket(node, entries, shape),
        }
    }

    /// A group, a list or a vector.
    fn bracket(&mut self, node: &Node, entries: &[Entry], shape: &Shape) {
        let is_group = entries.iter().any(|entry| entry.key.is_some())
            || (entries.is_empty() && !shape.is_fixed() && self.chars[open_end(node) - 1] == '(');
        self.out.push(if is_group { '{' } else { '[' });
        let mut at = open_end(node);
        for (k, Entry { key, value }) in entries.iter().enumerate() {
            if k > 0 {
                self.out.push(',');
            }
            let start = key.as_ref().map_or(value.span.start, |(_, span)| span.start);
            self.between(at..start, false);
            match key {
                Some((key, _)) => {
                    let _ = write!(self.out, "\"{key}\": ");
                    self.value(value, &shape.member(key));
                }
                None => self.value(value, &shape.item(k)),
            }
            at = value.span.end;
        }
        self.between(at..node.span.end - 1, entries.is_empty());
        self.out.push(if is_group { '}' } else { ']' });
    }

    /// A number, a text or a name.
    fn leaf(&mut self, word: &str) {
        let text = match word {
            "None" => "null".to_owned(),
            "true" | "false" => word.to_owned(),
            quoted if quoted.starts_with(['"', 'r']) && quoted.ends_with(['"', '#']) => {
                ron::from_str::<String>(quoted).map_or_else(|_| json(quoted), |text| json(&text))
            }
            name if is_variant(name) => json(name),
            number => plain_number(number),
        };
        self.out += &text;
    }

    /// What stands between two values: line breaks and the indentation behind the last.
    fn between(&mut self, span: std::ops::Range<usize>, is_unneeded: bool) {
        let chars = self.chars;
        let (blanks, comments) = without_comments(&chars[span]);
        self.comments += comments;
        if is_unneeded {
            return;
        }
        let breaks = blanks.matches('\n').count();
        match blanks.rfind('\n') {
            Some(last) => {
                self.out += if breaks > 1 && comments == 0 { "\n\n" } else { "\n" };
                self.out += &blanks[last + 1..].replace(',', "");
            }
            None => self.out += if blanks.contains(' ') { " " } else { "" },
        }
    }

    fn count_comments(&mut self, chars: &[char]) {
        self.comments += without_comments(chars).1;
    }
}

/// Behind the opening bracket of a node.
fn open_end(node: &Node) -> usize {
    node.head().end
}

/// The blanks and commas of what stands between values, and the number of its comments.
fn without_comments(chars: &[char]) -> (String, usize) {
    let (mut blanks, mut comments, mut at) = (String::new(), 0, 0);
    while at < chars.len() {
        match (chars[at], chars.get(at + 1)) {
            ('/', Some('/')) => {
                at += chars[at..].iter().take_while(|&&c| c != '\n').count();
                comments += 1;
            }
            ('/', Some('*')) => {
                at += block_length(&chars[at..]);
                comments += 1;
            }
            (c, _) => {
                blanks.push(c);
                at += 1;
            }
        }
    }
    (blanks, comments)
}

/// The length of a block comment, which may hold others.
fn block_length(chars: &[char]) -> usize {
    let (mut depth, mut at) = (0, 0);
    while at < chars.len() {
        match (chars[at], chars.get(at + 1)) {
            ('/', Some('*')) => (depth, at) = (depth + 1, at + 2),
            ('*', Some('/')) => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
        if depth == 0 {
            return at;
        }
    }
    at
}

fn json(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// A number of RON as JSON writes it: `1.` as `1.0`, `.5` as `0.5`, `1_000` as `1000`.
fn plain_number(number: &str) -> String {
    let digits = number.trim_start_matches('+').replace('_', "");
    if serde_json::from_str::<serde_json::Number>(&digits).is_ok() {
        return digits;
    }
    digits.parse::<f64>().map_or_else(|_| json(number), |x| serde_json::Value::from(x).to_string())
}
