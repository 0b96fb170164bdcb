//! Tetrahedra inside any shape, by isosurface stuffing.
//!
//! Source: Labelle & Shewchuk, *Isosurface Stuffing: Fast Tetrahedral Meshes with Good Dihedral
//! Angles* (2007), for a mesh of uniform size.
//!
//! 1. The body-centred cubic lattice (§3.1): two cubic grids, each with its nodes in the middles of
//!    the other's cells. Four nodes make a tetrahedron: two neighbours of one grid and two of the
//!    other. It has two long edges h, one in each grid, and four short ones, √3/2 h.
//! 2. The surface crosses an edge whose ends lie on different sides, in its *cut point* (§3.2),
//!    which is found on the shape itself. A node that has a cut point nearer than α times the edge
//!    is warped to it, and is then on the surface.
//! 3. Each tetrahedron with a node inside is trimmed to what lies inside (§3.3), by as many as
//!    three tetrahedra. Where a face is trimmed to a quadrilateral, tetrahedra on both sides must
//!    choose one diagonal: it meets the cut point of the long edge; if that is not cut, the parity
//!    of its ends decides.
//!
//! With α = 0.24999 on long edges and 0.41189 on short ones nothing is inverted. Dihedral angles
//! lie between 9.3° and 160.6° for every shape, however rough: the extremes over all stencils and
//! cut points, by a search. On surfaces that no lattice resolves 10.2° to 159.3° occur (a test), on
//! balls, capsules, cylinders, cones and boxes 18° to 150°. The paper names bounds of 10.7° to
//! 164.8°, or 8.9° to 158.8° by other values of α. The surface has its nodes on the shape.
//!
//! Deviations: nodes are warped in the order of how near their cut points are, for the paper leaves
//! the order open, and so numbers do not matter. Of the two ways to cut a quadrilateral on the
//! surface, that with the better angles is taken.
//!
//! Volumes converge by the square of the spacing: a ball of 8 cells along its diameter loses 1.6 %,
//! of 16 cells 0.4 %. Sharp edges and corners are cut off by up to a cell, since no node need lie
//! on them: a turned box of 8 cells loses 2.2 %, of 17 cells 0.5 %, a cylinder of 6 cells 2.3 %, of
//! 12 cells 0.6 %. Parts thinner than a cell may be lost. Boxes with exact edges are made by
//! [`box_tetrahedra`](crate::box_tetrahedra); other shapes whose sharp edges matter are better
//! meshed in another program and read from a file.

mod cuts;
mod lattice;
mod stencils;
#[cfg(test)]
mod tests;
mod warp;

use super::error::{MeshingError, check_length, check_nodes, check_place};
use super::signed_distance::SignedDistance;
use crate::mesh::ElasticMesh;
use cuts::Cuts;
use lattice::Lattice;

/// On which side of the surface a node lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Inside,
    On,
    Outside,
}

/// Fills a shape with tetrahedra, whose long edges inside are `spacing` \[m\].
///
/// # Errors
/// If the spacing is not positive, so small that the lattice has too many nodes, or so large that
/// no node lies inside.
pub fn stuff(shape: &dyn SignedDistance, spacing: f64) -> Result<ElasticMesh, MeshingError> {
    check_length("the spacing of the lattice", spacing)?;
    let bounds = shape.bounds();
    bounds.iter().try_for_each(|corner| check_place("a corner of the shape's box", corner))?;
    let half = (bounds[1] - bounds[0]) * 0.5;
    // A number of cells too large for its type saturates.
    let cells: [u64; 3] = half.map(|edge| (2.0 * edge / spacing) as u64).into();
    check_nodes(&cells.map(|count| count.saturating_add(4)))?;
    let mut lattice = Lattice::new(bounds, spacing);
    lattice.find_sides(shape);
    let cuts = Cuts::find(shape, &lattice);
    warp::warp(&mut lattice, &cuts);
    let mesh = stencils::trim(&lattice, &cuts);
    if mesh.tetrahedra.is_empty() {
        return Err(MeshingError::Empty { spacing });
    }
    Ok(mesh)
}
