//! States of bodies in contact, as the solids have them.

use hashfall_bodies::BodyState;

/// The state of a body in contact for the solids, which have matrices.
pub(crate) fn in_matrix(state: &BodyState) -> BodyState {
    BodyState { orientation: state.orientation.matrix().into(), ..*state }
}
