//! Overrides, `--set key=value`: edits of the text of the scene before it is parsed.
//!
//! An override is therefore parsed and checked like the file, and an error in it is located on the
//! command line. A key that the file omits is inserted.

use super::parser::parse;
use super::refused::Refused;
use super::renamed_keys::{rename_steps, replace_old_names};
use crate::json::{Fault, Shape, json_value};
use crate::model::Model;
use crate::schema::{RenamedKey, describe_key, is_key};
use crate::spans::{Content, Entry, Node, Step, parse_path};
use crate::text::diagnostic::{Diagnostic, Severity};
use crate::text::scene_text::{Origin, SceneText};
use crate::text::source::Override;
use std::ops::Range;
use std::sync::Arc;

/// The variant that an enum key takes when the file does not give it.
const DEFAULT_VARIANTS: [(&str, &str); 2] = [("solver", "Dfsph"), ("domain", "Box")];
/// What a list or vector holds when the file does not give it, so that a component can be set.
const DEFAULT_LISTS: [(&str, &str); 6] = [
    ("gravity", "(0.0, 0.0, -9.81)"),
    ("velocity", "(0.0, 0.0, 0.0)"),
    ("translate", "(0.0, 0.0, 0.0)"),
    ("axis", "(0.0, 0.0, 1.0)"),
    ("output.particles", "[Vtp]"),
    ("output.surface", "[Ply]"),
];

type Steps = Vec<(Step, Range<usize>)>;

/// Applies each override to `text` in turn, which `read` is the result of parsing; returns the
/// result of parsing the edited text. Warnings about old names of keys are added to `warnings`.
///
/// A refused override leaves the text unchanged. While a required key is missing, no override is
/// refused for the rest of the text: a later one may supply the key.
///
/// # Errors
/// The errors of all refused overrides.
pub fn apply(
    text: &mut SceneText,
    mut read: Result<Model, Refused>,
    overrides: &[Override],
    warnings: &mut Vec<Diagnostic>,
) -> Result<Result<Model, Refused>, Vec<Diagnostic>> {
    let mut faults = Vec::new();
    for set in overrides {
        let source = text.add_source(Arc::clone(&set.source));
        let mut edited = text.clone();
        let edit = Edit { set, source };
        let renamed = edit.make(&mut edited).and_then(|mut renamed| {
            renamed.extend(replace_old_names(&mut edited)?);
            Ok(renamed)
        });
        match renamed {
            Ok(renamed) => warnings.extend(renamed),
            Err(found) => {
                faults.extend(found);
                continue;
            }
        }
        match parse(&edited) {
            Err(refused) if read.is_ok() && !refused.is_key_missing => {
                faults.extend(refused.faults)
            }
            now => (*text, read) = (edited, now),
        }
    }
    match read {
        read if faults.is_empty() => Ok(read),
        Ok(_) => Err(faults),
        Err(refused) => {
            // What the file lacks may be what a refused override was to bring.
            let is_typed = |fault: &Diagnostic| fault.source_name != text.file_name();
            faults.extend(refused.into_diagnostics().into_iter().filter(is_typed));
            Err(faults)
        }
    }
}

/// One override, on its way into the text.
struct Edit<'a> {
    set: &'a Override,
    source: u32,
}

/// Characters with their origins.
type Typed = Vec<(char, Origin)>;

impl Edit<'_> {
    /// Edits the text; returns warnings about old names of keys.
    fn make(&self, text: &mut SceneText) -> Result<Vec<Diagnostic>, Vec<Diagnostic>> {
        let mut steps = self.steps()?;
        let renamed = rename_steps(&mut steps);
        let warn = |(key, span): (RenamedKey, Range<usize>)| key.warning(&self.set.source, span);
        let warnings = renamed.into_iter().map(warn).collect();
        let value = match self.json_value(text, &steps) {
            Some(value) => value?,
            None => self.value()?,
        };
        let Some(tree) = Node::of_text(text.chars()) else { return Ok(warnings) };
        let (node, taken) = tree.follow(steps.iter().map(|(step, _)| step));
        let Some((step, step_span)) = steps.get(taken) else {
            let names_variant = steps.last().is_some_and(|(step, _)| {
                matches!((step, &node.name), (Step::Key(key), Some(name)) if key == name)
            });
            if names_variant {
                let last = steps[taken - 1].1.clone();
                let help = "leave the name out of the key and give it in the value";
                return Err(self.fault(last, "this names a choice, not a key", help));
            }
            text.splice(node.span.clone(), &value);
            return Ok(warnings);
        };
        let node = node.innermost_wrapped();
        let missing = match step {
            Step::Index(index) => {
                let help = match node.entries().len() {
                    0 => "set the whole of it".to_owned(),
                    n => format!("the last is [{}]", n - 1),
                };
                let message = format!("there is no [{index}] here");
                return Err(self.fault(step_span.clone(), &message, help));
            }
            Step::Key(_) => &steps[taken..],
        };
        if !takes_keys(node, text.chars()) {
            let end = taken.checked_sub(1).map_or(self.set.key_at.start, |last| steps[last].1.end);
            if is_list(node, text.chars()) && !node.entries().is_empty() {
                return Err(self.no_place(end, step_span.clone()));
            }
            let found = text.as_typed(&node.head());
            let message = format!("`{found}` has no keys");
            let help = self.whole_help(end, Some(&tree));
            return Err(self.fault(step_span.clone(), &message, help));
        }
        let (at, glue) = joint(node);
        let mut new = self.worded(glue, step_span);
        new.extend(self.entry(missing, value)?);
        text.splice(at..at, &new);
        Ok(warnings)
    }

    fn steps(&self) -> Result<Steps, Vec<Diagnostic>> {
        let start = self.set.key_at.start;
        let typed = |span: Range<usize>| start + span.start..start + span.end;
        let steps = parse_path(&self.set.key).map_err(|span| {
            let help = "write keys with dots and places in lists with [ ], such as \
                        fluids[0].viscosity";
            self.fault(typed(span), "this is not a key", help)
        })?;
        Ok(steps.into_iter().map(|(step, span)| (step, typed(span))).collect())
    }

    /// The value as typed, refused unless it is one value and nothing more: a stray bracket or
    /// comment would change the meaning of the text behind it.
    fn value(&self) -> Result<Typed, Vec<Diagnostic>> {
        let chars: Vec<char> = self.set.value.chars().collect();
        let whole = Node::of_text(&chars).filter(|node| node.is_all_of(&chars));
        let span = &self.set.value_at;
        if whole.is_none() {
            let help = "one number, name, \"text\", [list] or (group) with its brackets closed";
            return Err(self.fault(span.clone(), "this is not one value", help));
        }
        Ok(self.worded(&self.set.value, span))
    }

    /// The value as RON, if it is an object, list, text or `null` of JSON: in a scene in JSON any,
    /// in one in RON what RON writes otherwise, such as `[0, 0, -1.6]` for a vector.
    fn json_value(
        &self,
        text: &SceneText,
        steps: &Steps,
    ) -> Option<Result<Typed, Vec<Diagnostic>>> {
        let chars: Vec<char> = self.set.value.chars().collect();
        let shape = Shape::scene().at(steps.iter().map(|(step, _)| step));
        let start = self.set.value_at.start;
        let origin = |at: usize| Origin { source: self.source, at: (start + at) as u32 };
        let is_json = text.is_translated() || is_foreign(self.set.value.trim(), &shape);
        let typed = is_json.then(|| json_value(&chars, &shape, &origin))??;
        let fault = |fault: Fault| {
            let span = start + fault.span.start..start + fault.span.end;
            self.fault(span, &fault.message, fault.help)
        };
        Some(typed.map_err(|faults| faults.into_iter().flat_map(fault).collect()))
    }

    /// `key: value`, with the brackets that the steps between ask for.
    fn entry(
        &self,
        steps: &[(Step, Range<usize>)],
        value: Typed,
    ) -> Result<Typed, Vec<Diagnostic>> {
        let [(Step::Key(key), span), rest @ ..] = steps else { return Ok(value) };
        let mut typed = self.worded(key, span);
        typed.extend(self.worded(": ", span));
        let (name, inner) = match rest {
            [] => {
                typed.extend(value);
                return Ok(typed);
            }
            [(Step::Index(index), at), beyond @ ..] => {
                typed.extend(self.component(span, *index, at, beyond, value)?);
                return Ok(typed);
            }
            [(Step::Key(name), _), inner @ ..] if is_variant(name) => (name.as_str(), inner),
            inner => {
                let default = DEFAULT_VARIANTS.iter().find(|(of, _)| of == key);
                (default.map_or("", |(_, name)| name), inner)
            }
        };
        typed.extend(self.worded(name, span));
        typed.extend(self.worded("(", span));
        typed.extend(self.entry(inner, value)?);
        typed.extend(self.worded(")", span));
        Ok(typed)
    }

    /// The default of the key that ends with `key`, with one component set to `value`.
    fn component(
        &self,
        key: &Range<usize>,
        index: usize,
        at: &Range<usize>,
        beyond: &[(Step, Range<usize>)],
        value: Typed,
    ) -> Result<Typed, Vec<Diagnostic>> {
        let path = self.path_to(key.end);
        let start = key.start - self.set.key_at.start;
        let name: String = self.set.key.chars().skip(start).take(key.len()).collect();
        let Some((_, default)) = DEFAULT_LISTS.iter().find(|(of, _)| *of == path || *of == name)
        else {
            // A key that nobody knows is told when the text is read.
            if !is_key(&path) {
                return Ok(value);
            }
            let message = format!("`{name}` is not given, so it has no [{index}]");
            return Err(self.fault(at.clone(), &message, self.whole_help(key.end, None)));
        };
        let default: Vec<char> = default.chars().collect();
        let tree = Node::of_text(&default);
        let parts = tree.as_ref().map_or(&[][..], Node::entries);
        let Some(part) = parts.get(index).map(Entry::span) else {
            let help = format!("the last is [{}]", parts.len().saturating_sub(1));
            return Err(self.fault(at.clone(), &format!("there is no [{index}] here"), help));
        };
        let text = |span: Range<usize>| default[span].iter().collect::<String>();
        if let Some((_, beyond)) = beyond.first() {
            let message = format!("`{}` has no keys", text(part));
            return Err(self.fault(beyond.clone(), &message, self.whole_help(at.end, None)));
        }
        let mut typed = self.worded(&text(0..part.start), key);
        typed.extend(value);
        typed.extend(self.worded(&text(part.end..default.len()), key));
        Ok(typed)
    }

    /// The key as far as it was typed before `end`.
    fn path_to(&self, end: usize) -> String {
        self.set.key.chars().take(end - self.set.key_at.start).collect()
    }

    /// Words that stand for `span` of the text in which the override was typed, one by one as far
    /// as it goes.
    fn worded(&self, words: &str, span: &Range<usize>) -> Typed {
        let last = span.end.saturating_sub(1).max(span.start);
        let origin = |i: usize| (span.start + i).min(last) as u32;
        words
            .chars()
            .enumerate()
            .map(|(i, c)| (c, Origin { source: self.source, at: origin(i) }))
            .collect()
    }

    /// Advice for the value at the key as far as it was typed before `end`, which has no such part;
    /// the tree of the text tells its variants.
    fn whole_help(&self, end: usize, tree: Option<&Node>) -> String {
        let path = self.path_to(end);
        let full = tree.map_or_else(|| path.clone(), |tree| tree.with_variants(&path));
        match describe_key(&full) {
            Some(meaning) => format!("set the whole of `{path}`: {meaning}"),
            None => format!("set the whole of `{path}`"),
        }
    }

    /// A key behind a list, without a place in it.
    fn no_place(&self, list_end: usize, span: Range<usize>) -> Vec<Diagnostic> {
        let list = self.path_to(list_end);
        let rest: String = self.set.key.chars().skip(list.chars().count()).collect();
        let message = format!("`{list}` is a list");
        self.fault(span, &message, format!("did you mean `{list}[0]{rest}`?"))
    }

    fn fault(&self, span: Range<usize>, message: &str, help: impl Into<String>) -> Vec<Diagnostic> {
        vec![Diagnostic {
            severity: Severity::Error,
            source_name: self.set.source.name.clone(),
            source_text: self.set.source.text.clone(),
            span: Some(span),
            message: message.to_owned(),
            help: Some(help.into()),
        }]
    }
}

/// Whether a value of this shape is written as JSON has it and RON has not.
fn is_foreign(value: &str, shape: &Shape) -> bool {
    let is_list = value.starts_with('[');
    value == "null"
        || value.starts_with('{')
        || is_list && (shape.is_fixed() || value.contains('{'))
}

/// Whether a name is written as variants are, and keys are not.
fn is_variant(name: &str) -> bool {
    name.starts_with(char::is_uppercase)
}

/// Whether a value is a round bracket of keys, or an empty one.
fn takes_keys(node: &Node, chars: &[char]) -> bool {
    let is_round = matches!(node.body, Content::Bracket { open, .. } if chars[open] == '(');
    is_round && node.entries().iter().all(|Entry { key, .. }| key.is_some())
}

/// Whether a value is a list in square brackets.
fn is_list(node: &Node, chars: &[char]) -> bool {
    matches!(node.body, Content::Bracket { open, .. } if chars[open] == '[')
}

/// Where a new entry joins a bracket, and what to put before it.
fn joint(node: &Node) -> (usize, &'static str) {
    match node.entries().last() {
        Some(last) => (last.span().end, ", "),
        None => (node.head().end, ""),
    }
}
