//! Packs points into a region.

use super::cells::{Cells, SignedDistance};
use super::relax::{Relaxation, Role, SKIN};
use super::repulsion::{GAP, RANGE};
use super::seeds::{Lattice, seeds};
use super::surroundings::Surroundings;
use hashfall_core::parallel::fill;
use hashfall_core::{Real, Vec3};

/// Rounds of relaxation.
const ROUNDS: usize = 40;
/// Points up to this depth move, in spacings: the lattice is deeper.
const MOVING_DEPTH: f64 = 4.0;
/// Rounds in which points are moved clear of the exact boundary.
const CLEARING_ROUNDS: usize = 12;
/// Points deeper than this on the grid are clear of it, in spacings.
const CLEAR_DEPTH: Real = -1.0;

/// What is packed.
pub struct Packing<'a> {
    /// The region on a grid.
    pub cells: &'a Cells,
    /// Its exact boundary.
    pub distance: &'a SignedDistance<'a>,
    /// The lattice from which points begin.
    pub lattice: Lattice,
    /// The number of points.
    pub count: usize,
}

/// The places of the points \[m\].
pub fn pack(packing: &Packing) -> Vec<[f64; 3]> {
    let Packing { cells, distance, lattice, count } = packing;
    let surroundings = Surroundings::new(cells);
    let (mut points, is_lattice) = seeds(cells, distance, &surroundings, lattice, *count);
    if !is_lattice {
        let roles = roles(cells, distance, &points);
        Relaxation::new(cells, &surroundings).relax(&mut points, &roles, ROUNDS);
    }
    cleared(cells, distance, &points)
}

/// Which points move.
#[allow(clippy::useless_conversion, reason = "a conversion only where Real is f32")]
fn roles(cells: &Cells, distance: &SignedDistance, points: &[Vec3]) -> Vec<Role> {
    let d = cells.grid.d;
    let near = RANGE + f64::from(SKIN);
    let (standing, far) = (MOVING_DEPTH + near, MOVING_DEPTH + 2.0 * near);
    let mut roles = vec![Role::Moves; points.len()];
    fill(&mut roles, |i, role| {
        if cells.depth_at(&points[i]).0 > CLEAR_DEPTH {
            return;
        }
        *role = match -distance(&cells.grid.to_world(&points[i]), far * d) / d {
            depth if depth < MOVING_DEPTH => Role::Moves,
            depth if depth < standing => Role::Stands,
            depth if depth < far => Role::IsFar,
            _ => Role::IsIdle,
        };
    });
    roles
}

/// The points in the world, moved clear of the exact boundary where the grid has them too near.
fn cleared(cells: &Cells, distance: &SignedDistance, points: &[Vec3]) -> Vec<[f64; 3]> {
    let grid = &cells.grid;
    let mut places = vec![[0.0; 3]; points.len()];
    fill(&mut places, |i, place| {
        let mut u = points[i];
        *place = grid.to_world(&u);
        for _ in 0..CLEARING_ROUNDS {
            let (depth, gradient) = cells.depth_at(&u);
            if depth < CLEAR_DEPTH {
                break;
            }
            let excess = (distance(place, grid.d) / grid.d) as Real + GAP;
            let steepness = gradient.norm();
            if excess <= 0.0 || steepness == 0.0 {
                break;
            }
            u -= gradient * (excess / steepness);
            *place = grid.to_world(&u);
        }
    });
    places
}
