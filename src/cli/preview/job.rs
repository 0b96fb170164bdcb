//! What a call makes of a run, and how: shared by the pictures, the films and the page.

use super::subject::Subject;
use crate::cli::args::PreviewArgs;
use crate::cli::console::Console;
use hashfall_preview::frame::Colouring;
use hashfall_preview::{Camera, ViewDirection};
use std::sync::atomic::{AtomicBool, Ordering};

/// All that is made of a run.
pub struct Job<'a> {
    pub args: &'a PreviewArgs,
    pub subject: &'a Subject,
    pub camera: Camera,
    pub view: ViewDirection,
    pub colouring: Colouring,
    pub console: Console,
    /// Whether it is asked to stop.
    pub stop: &'a AtomicBool,
}

impl Job<'_> {
    /// Whether somebody has asked to stop.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}
