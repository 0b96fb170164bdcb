//! Surplus brackets: doubled, as in `Mesh((…))`, or around a value that takes none.
//!
//! ron continues after such a bracket as if the value had begun, and reports what it finds there;
//! therefore the tree of the text is consulted first.

use super::explain::Explainer;
use super::text_error::{Recovery, TextError, key_prefix};
use crate::parse::Document;
use crate::spans::{Content, Entry, Node};
use ron::error::Error;

impl<T: Document> Explainer<'_, T> {
    /// The round bracket at `at`, if ron's fault `code` is only that it is one too many.
    pub fn surplus_bracket(&self, at: usize, code: &Error) -> Option<TextError> {
        let wants_list = match code {
            Error::ExpectedArray => true,
            Error::ExpectedIdentifier
            | Error::ExpectedFloat
            | Error::ExpectedInteger
            | Error::ExpectedBoolean
            | Error::ExpectedString => false,
            _ => return None,
        };
        let trail = self.around(at);
        let [.., (holder, owner), (node, path)] = &trail[..] else { return None };
        let closed = matches!(node.body, Content::Bracket { closed: true, .. });
        if node.span.start != at || node.name.is_some() || !closed || !self.is_round(node) {
            return None;
        }
        let recover = Recovery::Unbracket(node.span.clone());
        if self.is_round(holder) && matches!(holder.entries(), [Entry { key: None, .. }]) {
            let name = holder.name.as_deref().unwrap_or_default();
            let message = format!("{}doubled brackets: `{name}((`", key_prefix(owner));
            // A struct keeps its own brackets when `Some` goes.
            let is_struct = node.entries().iter().any(|entry| entry.key.is_some());
            let or_none = match name {
                "Some" if is_struct => "; or leave `Some` out: `(…)`",
                _ => "",
            };
            let help = format!("one pair is enough: `{name}(…)`{or_none}");
            return Some(TextError::new(node.head(), message).help(help).recover(recover));
        }
        let [Entry { key: None, value }] = node.entries() else { return None };
        // Round brackets are also what a list is written with by mistake.
        let is_list = self.text.chars().get(value.span.start) == Some(&'[');
        if wants_list && !is_list {
            return None;
        }
        let message = format!("{}brackets around one value", key_prefix(path));
        Some(TextError::new(node.head(), message).help("leave the brackets out").recover(recover))
    }

    /// Whether a value is a round bracket, named or not.
    pub fn is_round(&self, node: &Node) -> bool {
        match node.body {
            Content::Bracket { open, .. } => self.text.chars()[open] == '(',
            Content::Leaf => false,
        }
    }
}
