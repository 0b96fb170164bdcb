//! How large the files of obstacles are.

use super::drawing::{Obstacle, all, bodies};
use crate::formats::ply;
use crate::formats::vtk_xml::PADDING;
use hashfall_solid::Solids;

/// What the files of all obstacles that are written once take \[bytes\], without their headers.
pub fn file_size(solids: &Solids) -> u64 {
    let of = |obstacle: &Obstacle| {
        let (vertices, triangles, is_smooth) = obstacle.size();
        let padding = if triangles > 0 { PADDING as u64 } else { 0 };
        let vertex = if is_smooth { 24 } else { 12 };
        // Two formats; a triangle is three corners and an end in one of them.
        let triangle = 16 + ply::triangle_length(vertices);
        padding + 2 * vertex * vertices as u64 + triangle * triangles as u64
    };
    let others = all(solids);
    let standing = others.iter().filter(|obstacle| !obstacle.moves).map(of);
    standing.sum::<u64>() + bodies(solids).iter().map(of).sum::<u64>()
}
