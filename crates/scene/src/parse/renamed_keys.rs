//! Replaces old names of keys by the new ones in the text of a scene, so that all that follows
//! knows the new names alone. Each replaced key is reported where it was typed.

use crate::schema::RenamedKey;
use crate::spans::{Node, Step};
use crate::text::diagnostic::{Diagnostic, Severity};
use crate::text::scene_text::SceneText;
use crate::text::source::Source;
use std::ops::Range;

/// An old name in a text.
struct OldName {
    key: RenamedKey,
    span: Range<usize>,
    /// Whether the same group holds the new name, too.
    has_both: bool,
}

/// Replaces the old names in a text; returns a warning for each.
///
/// # Errors
/// A diagnostic for each key that is given by both of its names.
pub fn replace_old_names(text: &mut SceneText) -> Result<Vec<Diagnostic>, Vec<Diagnostic>> {
    let mut found = Vec::new();
    if RenamedKey::may_be_in(text.chars())
        && let Some(tree) = Node::of_text(text.chars())
    {
        find(&tree, "", &mut found);
    }
    let mut warnings = Vec::new();
    let mut errors = Vec::new();
    for OldName { key, span, has_both } in &found {
        if *has_both {
            let message = format!("{}, and both are given", key.message());
            let help = format!("keep `{}`", key.new);
            errors.push(text.diagnose(Severity::Error, span.clone(), message, Some(help)));
        } else {
            let help = Some(key.help());
            warnings.push(text.diagnose(Severity::Warning, span.clone(), key.message(), help));
        }
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    // From the last to the first, so that the spans of the others stay valid.
    for OldName { key, span, .. } in found.into_iter().rev() {
        text.reword(span, key.new);
    }
    Ok(warnings)
}

/// Finds the old names under a node, in the order of the text.
fn find(node: &Node, path: &str, found: &mut Vec<OldName>) {
    for entry in node.entries() {
        let Some((name, span)) = &entry.key else {
            find(&entry.value, path, found);
            continue;
        };
        if let Some(key) = RenamedKey::find(path, name) {
            let has_both = node.entry(key.new).is_some();
            found.push(OldName { key, span: span.clone(), has_both });
        }
        let dot = if path.is_empty() { "" } else { "." };
        find(&entry.value, &format!("{path}{dot}{name}"), found);
    }
}

/// Replaces the old names in the steps of a key path; returns the renamed keys, each with its
/// characters.
pub fn rename_steps(steps: &mut [(Step, Range<usize>)]) -> Vec<(RenamedKey, Range<usize>)> {
    let mut path = String::new();
    let mut found = Vec::new();
    for (step, span) in steps {
        let Step::Key(name) = step else { continue };
        if name.starts_with(char::is_uppercase) {
            continue;
        }
        if let Some(key) = RenamedKey::find(&path, name) {
            key.new.clone_into(name);
            found.push((key, span.clone()));
        }
        let dot = if path.is_empty() { "" } else { "." };
        path = format!("{path}{dot}{name}");
    }
    found
}

impl RenamedKey {
    /// The warning about an old name in the key path of an override.
    pub fn warning(&self, typed: &Source, span: Range<usize>) -> Diagnostic {
        Diagnostic {
            severity: Severity::Warning,
            source_name: typed.name.clone(),
            source_text: typed.text.clone(),
            span: Some(span),
            message: self.message(),
            help: Some(self.help()),
        }
    }
}
