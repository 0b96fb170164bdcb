//! A scene file and the overrides that a user types.

use crate::text::diagnostic::{Diagnostic, Severity};
use std::ops::Range;
use std::sync::Arc;

/// A scene file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// Name of the file, as the user typed it.
    pub name: String,
    /// Its content.
    pub text: String,
}

/// Keys of a scene that do not change the motion of the fluid.
const KEYS_WITHOUT_EFFECT: [&str; 11] = [
    "description",
    "frames",
    "neighbors",
    "search",
    "broad_phase",
    "checkpoints",
    "limits",
    "output",
    "surface",
    "foam",
    "preview",
];

/// A change to a scene, from the command line by `--set key=value`, or from a sweep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Override {
    /// A key path such as `fluids[0].viscosity`.
    pub key: String,
    /// RON for the new value.
    pub value: String,
    /// The text in which it was typed, to locate errors there.
    pub source: Arc<Source>,
    /// Character range of the key in that text.
    pub key_at: Range<usize>,
    /// Character range of the value, or of what it was computed from.
    pub value_at: Range<usize>,
}

impl Override {
    /// Whether it may change how the fluid moves.
    pub fn changes_motion(&self) -> bool {
        let first = self.key.split(['.', '[']).next().unwrap_or_default();
        !KEYS_WITHOUT_EFFECT.contains(&first)
    }

    /// An override as if `key=value` were typed after `--set`.
    pub fn new(key: &str, value: &str) -> Override {
        let typed = format!("{key}={value}");
        let (key_end, end) = (key.chars().count(), typed.chars().count());
        let source = Source { name: format!("--set {typed}"), text: typed };
        Override {
            key: key.to_owned(),
            value: value.to_owned(),
            source: Arc::new(source),
            key_at: 0..key_end,
            value_at: key_end + 1..end,
        }
    }

    /// Reads `key=value` as typed after `--set`.
    ///
    /// # Errors
    /// When there is no `=`, or no key or value beside it; the diagnostic points into `typed`.
    #[allow(clippy::result_large_err, reason = "once for each argument typed")]
    pub fn parse(typed: &str) -> Result<Override, Diagnostic> {
        let fault = |message: &str| Diagnostic {
            severity: Severity::Error,
            source_name: format!("--set {typed}"),
            source_text: typed.to_owned(),
            span: Some(0..typed.chars().count()),
            message: message.to_owned(),
            help: Some("write key=value, such as --set fluids[0].viscosity=0.05".to_owned()),
        };
        let (key, value) = typed.split_once('=').ok_or_else(|| fault("no `=` in the override"))?;
        if key.trim().is_empty() {
            return Err(fault("no key before the `=`"));
        }
        if value.trim().is_empty() {
            return Err(fault("no value after the `=`"));
        }
        Ok(Override::new(key, value))
    }
}
