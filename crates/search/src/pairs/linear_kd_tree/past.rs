//! The cells of the boxes of the build before.

use super::cells::{Cells, Span};
use hashfall_core::geometry::Aabb;
use hashfall_core::parallel;

/// What is known of the boxes before.
#[derive(Clone, Debug, Default)]
pub(crate) struct Past {
    /// The finest cells of the corners of each box.
    pub(super) spans: Vec<Span>,
    /// Whether each box has other cells now.
    pub(super) has_moved: Vec<bool>,
}

impl Past {
    /// Remembers boxes that were all cut anew.
    pub fn remember(&mut self, boxes: &[Aabb], cells: &Cells) {
        self.spans.resize(boxes.len(), Span::default());
        parallel::fill(&mut self.spans, |k, span| *span = cells.span(&boxes[k]));
    }

    /// Sees which boxes have left their cells; returns how many.
    pub(super) fn see(&mut self, boxes: &[Aabb], cells: &Cells) -> usize {
        self.has_moved.resize(boxes.len(), false);
        parallel::fill_both(&mut self.spans, &mut self.has_moved, |k, span, has_moved| {
            let now = cells.span(&boxes[k]);
            *has_moved = now != *span;
            *span = now;
        });
        let count = |chunk: std::ops::Range<usize>| {
            self.has_moved[chunk].iter().filter(|&&moved| moved).count()
        };
        parallel::fold(boxes.len(), count, |a, b| a + b).unwrap_or(0)
    }

    /// Bytes in use.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.spans[..]) + size_of_val(&self.has_moved[..])
    }
}
