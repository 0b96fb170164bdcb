//! Why contact finds no motion.

use thiserror::Error;

/// Why no motion of a substep is free of intersections.
#[derive(Clone, Copy, Debug, Error, PartialEq)]
pub enum ContactError {
    /// Surfaces close on a place from two sides, and what is between can not leave.
    #[error(
        "surfaces close at ({:.6e}, {:.6e}, {:.6e}) m, t = {time:.6e} s, and what is between can \
         not leave: let obstacles, fixed nodes and tied nodes keep apart there",
        place[0], place[1], place[2]
    )]
    Pinched {
        /// Where \[m\].
        place: [f64; 3],
        /// When \[s\].
        time: f64,
    },
    /// Two surfaces touch or intersect before they move.
    #[error(
        "surfaces intersect at ({:.6e}, {:.6e}, {:.6e}) m, t = {time:.6e} s, before they move: \
         place bodies and obstacles apart",
        place[0], place[1], place[2]
    )]
    Intersecting {
        /// Where \[m\].
        place: [f64; 3],
        /// When \[s\].
        time: f64,
    },
    /// A node is nowhere, or farther away than boxes can tell.
    #[error(
        "node {node} of the elastic bodies is at {place:?} m with {velocity:?} m/s at t = \
         {time:.6e} s: use shorter substeps, or softer or heavier bodies"
    )]
    NotFinite {
        /// Among the nodes of all bodies, from 0.
        node: usize,
        /// \[m\]
        place: [f64; 3],
        /// \[m/s\]
        velocity: [f64; 3],
        /// When \[s\].
        time: f64,
    },
}
