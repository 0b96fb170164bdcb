//! Where packed points begin: on a lattice, as far as it fits, the rest where the concentration
//! is the least.

use super::blocks::Block;
use super::cells::{Cells, SignedDistance};
use super::repulsion::{GAP, repulsion};
use super::surroundings::Surroundings;
use crate::cell_hash::CellHash;
use hashfall_core::kernel::{CubicSpline, SmoothingKernel};
use hashfall_core::parallel::{fill, filter_map, map_pieces};
use hashfall_core::{Real, Vec3, to_real};
use hashfall_search::{NeighborSearch, SortedCells};

/// Sites of the lattice may lie so much nearer to the boundary than half a spacing, in spacings:
/// more than rounding.
const SLACK: Real = 1e-3;
/// A place as deep as this on the grid is deep enough, in spacings.
const FAR: Real = -1.2;
/// Points that are added at once lie this far apart, in spacings.
const APART: Real = 1.2;
/// The same in the last round.
const MIN_APART: Real = 0.5;
/// Rounds in which points are added; half of those that lack in each, all in the last.
const ROUNDS: usize = 10;
/// Candidates lie from this depth on, and up to this, in spacings.
const MIN_DEPTH: Real = 0.4;
const MAX_DEPTH: Real = 1.3;

/// A lattice, stretched a little along its axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lattice {
    /// One of its sites \[m\].
    pub site: [f64; 3],
    /// Between sites along each axis \[m\].
    pub spacing: [f64; 3],
}

/// `count` places in a region, in spacings: those of a lattice, as many more as it takes, and
/// whether these are all sites of the lattice and no other.
pub fn seeds(
    cells: &Cells,
    distance: &SignedDistance,
    surroundings: &Surroundings,
    lattice: &Lattice,
    count: usize,
) -> (Vec<Vec3>, bool) {
    let mut points = sites(cells, distance, lattice);
    if points.len() == count {
        return (points, true);
    }
    if points.len() > count {
        thin_out(cells, &mut points, count);
    }
    // Lattice sites may stand before the middles of all cells; they then do not before corners.
    for part in [0.5, 0.0] {
        if points.len() < count {
            let candidates = candidates(cells, part);
            add_all(cells, surroundings, &candidates, &mut points, count);
        }
    }
    (points, false)
}

/// The sites of a lattice that lie deep enough.
fn sites(cells: &Cells, distance: &SignedDistance, lattice: &Lattice) -> Vec<Vec3> {
    let grid = &cells.grid;
    let site = grid.to_local(&lattice.site);
    let spacing = lattice.spacing.map(|spacing| to_real(spacing / grid.d));
    // The first site and the number of sites along each axis.
    let along = |a: usize| {
        if grid.counts[a] == 1 {
            return (site[a], 1);
        }
        let end = to_real(grid.counts[a] as f64 * grid.step[a] / grid.d);
        let first = site[a] - (site[a] / spacing[a]).floor() * spacing[a];
        (first, ((end - first) / spacing[a]).max(0.0) as usize + 1)
    };
    let [(x, nx), (y, ny), (z, nz)] = [along(0), along(1), along(2)];
    let at = |first: Real, a: usize, n: usize| first + n as Real * spacing[a];
    // Between cells corners are rounded off, so near the boundary the exact distance tells.
    let is_deep = |u: &Vec3| match cells.depth_at(u).0 {
        depth if depth < FAR => true,
        depth if depth > 0.0 => false,
        _ => distance(&grid.to_world(u), grid.d) <= f64::from(SLACK - GAP) * grid.d,
    };
    let layer = |k: usize| {
        let rows = (0..ny).flat_map(move |j| (0..nx).map(move |i| [i, j]));
        let places = rows.map(move |[i, j]| Vec3::new(at(x, 0, i), at(y, 1, j), at(z, 2, k)));
        places.filter(is_deep).collect::<Vec<_>>()
    };
    map_pieces(nz, &layer).concat()
}

/// Leaves out points next to the boundary, until `count` are left: the least deep first.
fn thin_out(cells: &Cells, points: &mut Vec<Vec3>, count: usize) {
    let mut order: Vec<(Real, usize)> =
        points.iter().enumerate().map(|(i, u)| (cells.depth_at(u).0, i)).collect();
    order.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let mut left: Vec<usize> = order[..count].iter().map(|(_, i)| *i).collect();
    left.sort_unstable();
    *points = left.into_iter().map(|i| points[i]).collect();
}

/// Where points may be added: at this part of the edges of cells from their lowest corner, near the
/// boundary, but not on it.
fn candidates(cells: &Cells, part: f64) -> Vec<Vec3> {
    let grid = &cells.grid;
    let blocks = cells.blocks();
    blocks.flat_map(|low, block| {
        let mixed = matches!(block, Block::Mixed(_)).then(|| blocks.cells_from(low));
        let places = mixed.into_iter().flatten().map(|(_, cell)| {
            let mut place = grid.centre(cell);
            grid.axes().iter().for_each(|&a| place[a] += (part - 0.5) * grid.step[a]);
            grid.to_local(&place)
        });
        places.filter(|u| (MIN_DEPTH..MAX_DEPTH).contains(&-cells.depth_at(u).0))
    })
}

/// Adds points until there are `count`, or no candidate is left.
fn add_all(
    cells: &Cells,
    surroundings: &Surroundings,
    candidates: &[Vec3],
    points: &mut Vec<Vec3>,
    count: usize,
) {
    let candidates = clear_of(candidates, points);
    let mut around = Around::new(cells, surroundings, &candidates);
    let mut seen = 0;
    for round in 0..ROUNDS {
        let lack = count - points.len();
        if lack == 0 {
            break;
        }
        around.add(&points[seen..]);
        seen = points.len();
        let is_last = round + 1 == ROUNDS;
        let most = if is_last { lack } else { lack.div_ceil(2) };
        let apart = if is_last { MIN_APART } else { APART };
        points.extend(around.emptiest(most, apart));
    }
}

/// The candidates that are not in the place of a point.
fn clear_of(candidates: &[Vec3], points: &[Vec3]) -> Vec<Vec3> {
    let mut search = SortedCells::default();
    search.rebuild(points, MIN_APART);
    filter_map(candidates.len(), |n| {
        let (u, mut is_clear) = (candidates[n], true);
        search.candidates(&u, |j| {
            is_clear &= (u - points[j as usize]).norm_squared() >= MIN_APART * MIN_APART;
        });
        is_clear.then_some(u)
    })
}

/// What lies around candidates, kept as points are added: each point is counted once.
struct Around<'a> {
    candidates: &'a [Vec3],
    kernel: CubicSpline,
    /// The concentration at each candidate, and the square of the distance to the nearest point.
    near: Vec<(Real, Real)>,
}

impl<'a> Around<'a> {
    /// What lies around without a point.
    fn new(cells: &Cells, surroundings: &Surroundings, candidates: &'a [Vec3]) -> Self {
        let mut near = vec![(0.0, Real::INFINITY); candidates.len()];
        fill(&mut near, |n, near| near.0 = surroundings.at(cells, &candidates[n]).0);
        Around { candidates, kernel: repulsion(cells.grid.dimension), near }
    }

    /// Adds points, in the order of their cells: the same for any number of threads.
    fn add(&mut self, points: &[Vec3]) {
        let Around { candidates, kernel, near } = self;
        let range = kernel.support_radius();
        let mut search = SortedCells::default();
        search.rebuild(points, range);
        fill(near, |n, (sum, least)| {
            let u = &candidates[n];
            search.candidates(u, |j| {
                let square = (u - points[j as usize]).norm_squared();
                if square < range * range {
                    *sum += kernel.value(square.sqrt());
                    *least = least.min(square);
                }
            });
        });
    }

    /// Up to `most` candidates where the concentration is the least, `apart` from each other, and
    /// none in the place of a point.
    fn emptiest(&self, most: usize, apart: Real) -> Vec<Vec3> {
        let free = self.near.iter().enumerate().filter(|(_, near)| near.1 >= MIN_APART * MIN_APART);
        let mut order: Vec<(Real, usize)> = free.map(|(n, near)| (near.0, n)).collect();
        order.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let mut taken = Taken::new(apart, most);
        for (_, n) in order {
            if taken.places.len() == most {
                break;
            }
            taken.take(&self.candidates[n]);
        }
        taken.places
    }
}

/// Places that are taken, by the cells of a grid as wide as they are apart.
struct Taken {
    apart: Real,
    places: Vec<Vec3>,
    cells: CellHash,
}

impl Taken {
    fn new(apart: Real, most: usize) -> Self {
        Taken { apart, places: Vec::new(), cells: CellHash::new(most) }
    }

    /// Takes a place, unless one nearer to it is taken.
    fn take(&mut self, u: &Vec3) {
        let cell = [0, 1, 2].map(|a| (u[a] / self.apart).floor() as i64);
        let is_near = |other: usize| (u - self.places[other]).norm() < self.apart;
        let is_free = !self.cells.any_around(cell, is_near);
        if is_free {
            self.cells.insert(cell);
            self.places.push(*u);
        }
    }
}
