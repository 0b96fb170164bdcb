//! What shapes solids have, to know whether they still have the same.

use crate::shapes::Shapes;
use crate::solids::Solids;
use std::sync::Arc;

/// The shapes and laws that solids have, to know whether others have the same.
#[derive(Clone, Debug)]
pub struct SharedShapes(Arc<Shapes>);

impl SharedShapes {
    /// Those of solids.
    pub fn new(solids: &Solids) -> Self {
        SharedShapes(Arc::clone(&solids.shapes))
    }

    /// Whether solids have them still: solids that were made anew have shapes of their own, though
    /// these may be equal.
    pub fn are_of(&self, solids: &Solids) -> bool {
        Arc::ptr_eq(&self.0, &solids.shapes)
    }
}
