//! Why contact finds no motion.

use crate::error::show;
use hashfall_core::format_significant;
use thiserror::Error;

/// Why no motion of a substep is free of intersections.
#[derive(Clone, Copy, Debug, Error, PartialEq)]
pub enum ContactError {
    /// Surfaces close on a place from two sides, and what is between can not leave.
    #[error(
        "surfaces close at {} m, t = {} s, and what is between cannot leave: let obstacles, walls, \
         fixed nodes and tied nodes keep apart there",
        show(place), format_significant(*time, 6)
    )]
    Pinched {
        /// Where \[m\].
        place: [f64; 3],
        /// When \[s\].
        time: f64,
    },
    /// Two surfaces touch or intersect before they move.
    #[error(
        "surfaces intersect at {} m, t = {} s, before they move: place bodies and obstacles apart",
        show(place), format_significant(*time, 6)
    )]
    Intersecting {
        /// Where \[m\].
        place: [f64; 3],
        /// When \[s\].
        time: f64,
    },
    /// A node is nowhere, or farther away than boxes can tell.
    #[error(
        "node {node} of the elastic bodies is at {} m with {} m/s at t = {} s: use shorter \
         substeps, or softer or heavier bodies",
        show(place), show(velocity), format_significant(*time, 6)
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
