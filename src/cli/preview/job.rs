//! A job of previews: its source and settings, which images, films and page share.

use super::subject::Subject;
use super::target::Target;
use crate::cli::args::PreviewArgs;
use crate::cli::console::Console;
use hashfall_preview::frame::Colouring;
use hashfall_preview::{Camera, ViewDirection};
use std::sync::atomic::{AtomicBool, Ordering};

/// A job of previews.
pub struct Job<'a> {
    pub args: &'a PreviewArgs,
    pub subject: &'a Subject,
    pub target: &'a Target<'a>,
    pub camera: Camera,
    pub view: ViewDirection,
    pub colouring: Colouring,
    pub console: Console,
    /// Set when a stop is requested.
    pub stop: &'a AtomicBool,
}

impl Job<'_> {
    /// Whether a stop was requested.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}
