//! Relaxation: points push each other apart, and their surroundings push them in, until they lie
//! evenly.
//!
//! Points at the places x have the concentration
//!
//! - Cᵢ = Σⱼ W(xᵢ − xⱼ) + Λ(xᵢ),  Λ(x) = ∫ W(x − y) dy over all that lies outside,
//!
//! and move as the particles of Colagrossi, Bouscasse, Antuono & Marrone (Particle packing
//! algorithm for SPH schemes (2012)) do, down the gradient of a sum over C. Theirs is Σ C; here it
//! is Σ (C + ½ κ (C − 1)²), which weighs how uneven C is as well:
//!
//! - Δxᵢ ∝ −Σⱼ ½ (pᵢ + pⱼ) ∇W(xᵢ − xⱼ) − pᵢ ∇Λ(xᵢ),  p = 1 + κ (C − 1)
//!
//! As ∇W vanishes at r = 0, such points may pair up; those nearer than r₀ push each other apart by
//! B (r₀ − r) besides ([`super::pair_sums`]).
//!
//! What surrounds them are not particles that stand, but the exact region
//! ([`super::surroundings`]). Points keep part of their speed, so that excess spreads over a long
//! way in few rounds, and less of it from round to round. None comes nearer to the boundary than
//! half a spacing. W is the cubic spline of range 2 d, whatever the kernel of the scene; a cubic
//! lattice has C = 1.
//!
//! A round goes over the neighbours of a point once: pⱼ are those of the round before, pᵢ is new.
//! Points near the boundary move; deeper ones are on their lattice, which is even. Of those, a
//! point rests while neither it nor a neighbour goes farther than [`REST`] in a round: before a
//! wall that fits the lattice nothing moves. Lists of neighbours reach a little farther than W and
//! last until a point has gone half of that.
//!
//! Lengths are in spacings; φ is the signed distance from the boundary.

use super::cells::Cells;
use super::pair_sums::{PairSums, Row};
use super::repulsion::{GAP, RANGE, repulsion};
use super::surroundings::Surroundings;
use hashfall_core::kernel::{CubicSpline, SmoothingKernel};
use hashfall_core::parallel::{fill, fill_both, max};
use hashfall_core::simd::Isa;
use hashfall_core::{Real, Vec3};
use hashfall_search::{NeighborLists, NeighborSearch, SortedCells};

/// How far lists reach beyond the range.
pub const SKIN: Real = 0.3;
/// κ: how much uneven concentrations weigh.
const EVENNESS: Real = 5.0;
/// Way down the gradient in a round: little more than half of what the stiffest motion of a lattice
/// allows.
const STEP: Real = 0.12;
/// The part of a point's speed that it keeps, in the first round and in the last.
const MOMENTUM: [Real; 2] = [0.95, 0.1];
/// The longest way of a point in a round.
const MAX_WAY: Real = 0.1;
/// The longest way of a point in a round that counts as none.
const REST: Real = 5e-3;
/// Rounds from one choice of the points that rest to the next.
const REST_INTERVAL: usize = 4;
/// Rounds from one interpolation of what lies outside to the next.
const OUTSIDE_INTERVAL: usize = 3;
/// A depth in which nothing outside is felt.
const FAR: Real = 1e3;

/// Points in a region, and what is near them.
pub struct Relaxation<'a> {
    isa: Isa,
    cells: &'a Cells,
    surroundings: &'a Surroundings,
    kernel: CubicSpline,
    search: SortedCells,
    lists: NeighborLists,
    /// Where points were when the lists were made.
    listed: Vec<Vec3>,
    outsides: Vec<Outside>,
}

/// What lies outside, as a point at a place has it: near that place it changes evenly.
#[derive(Clone, Copy, Debug)]
struct Outside {
    at: Vec3,
    /// Λ and its gradient.
    sum: Real,
    gradient: Vec3,
    /// φ and its gradient.
    depth: Real,
    steepness: Vec3,
}

/// What becomes of a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It moves.
    Moves,
    /// It stands, and those that move may be near it.
    Stands,
    /// It stands, and only those that stand may be near it.
    IsFar,
    /// It stands, and nothing else needs to know of it.
    IsIdle,
}

impl<'a> Relaxation<'a> {
    /// Of a region.
    pub fn new(cells: &'a Cells, surroundings: &'a Surroundings) -> Self {
        Relaxation {
            isa: Isa::current(),
            cells,
            surroundings,
            kernel: repulsion(cells.grid.dimension),
            search: SortedCells::default(),
            lists: NeighborLists::default(),
            listed: Vec::new(),
            outsides: Vec::new(),
        }
    }

    /// Lists the neighbours of points, unless the lists still hold.
    fn list(&mut self, rows: &[Row], is_idle: &[bool]) {
        let reach = RANGE as Real + SKIN;
        let moved = if self.listed.len() == rows.len() {
            max(rows.len(), 0.0, |i| (place(&rows[i]) - self.listed[i]).norm_squared())
        } else {
            Real::INFINITY
        };
        if moved > 0.25 * SKIN * SKIN {
            self.listed.clear();
            self.listed.extend(rows.iter().map(place));
            self.search.rebuild(&self.listed, reach);
            self.lists.build_for(&self.search, &self.listed, reach, is_idle);
        }
    }

    /// Interpolates what lies outside where points that do not rest are.
    fn update_outsides(&mut self, rows: &[Row], rests: &[bool]) {
        let Relaxation { cells, surroundings, outsides, .. } = self;
        outsides.resize(rows.len(), Outside::default());
        fill(outsides, |i, outside| {
            if !rests[i] {
                *outside = Outside::new(cells, surroundings, &place(&rows[i]));
            }
        });
    }

    /// The concentration at each point.
    #[cfg(test)]
    pub fn concentrations(&mut self, points: &[Vec3]) -> Vec<Real> {
        let rows: Vec<Row> = points.iter().map(row).collect();
        self.list(&rows, &[]);
        let sums = |i| PairSums::new(&self.kernel, &rows, i, self.lists.of(i));
        let concentration = |i: usize| {
            let of_points = self.kernel.value(0.0) + self.isa.run(sums(i)).concentration;
            of_points + self.surroundings.at(self.cells, &points[i]).0
        };
        (0..points.len()).map(concentration).collect()
    }

    /// Lets points move for so many rounds.
    pub fn relax(&mut self, points: &mut [Vec3], roles: &[Role], rounds: usize) {
        // Neighbours that lie together in memory are read faster.
        self.search.rebuild(points, RANGE as Real + SKIN);
        let mut order: Vec<usize> = (0..points.len()).collect();
        let places = self.search.places().iter().enumerate();
        places.for_each(|(i, &place)| order[place as usize] = i);
        order.retain(|&i| roles[i] != Role::IsIdle);
        let mut sorted: Vec<Vec3> = order.iter().map(|&i| points[i]).collect();
        let roles: Vec<Role> = order.iter().map(|&i| roles[i]).collect();
        self.relax_sorted(&mut sorted, &roles, rounds);
        order.iter().zip(sorted).for_each(|(&i, u)| points[i] = u);
    }

    /// Lets points move that come sorted by cells.
    fn relax_sorted(&mut self, points: &mut [Vec3], roles: &[Role], rounds: usize) {
        let is_far: Vec<bool> = roles.iter().map(|role| *role == Role::IsFar).collect();
        let mut rows: Vec<Row> = points.iter().map(row).collect();
        let mut next = rows.clone();
        let mut ways = vec![Vec3::zeros(); points.len()];
        let mut rests = is_far.clone();
        for round in 0..rounds {
            self.list(&rows, &is_far);
            if round % REST_INTERVAL == REST_INTERVAL - 1 {
                let moves = |i: usize| ways[i].norm_squared() > REST * REST;
                let rests_at =
                    |i: usize| !moves(i) && self.lists.of(i).iter().all(|&j| !moves(j as usize));
                fill(&mut rests, |i, rests| *rests = is_far[i] || rests_at(i));
            }
            if round % OUTSIDE_INTERVAL == 0 || round + OUTSIDE_INTERVAL > rounds {
                self.update_outsides(&rows, &rests);
            }
            let done = round as Real / rounds as Real;
            let kept = MOMENTUM[0] + (MOMENTUM[1] - MOMENTUM[0]) * done;
            fill_both(&mut next, &mut ways, |i, next, way| {
                *next = rows[i];
                if rests[i] {
                    *way = Vec3::zeros();
                    return;
                }
                let (pressure, uphill) = self.pressure(&rows, i);
                next[3] = pressure;
                if roles[i] == Role::Moves {
                    let from = place(&rows[i]);
                    let to = from + limited(*way * kept - uphill * STEP);
                    let to = self.outsides[i].kept_in(&to);
                    *way = to - from;
                    next[..3].copy_from_slice(to.as_slice());
                }
            });
            std::mem::swap(&mut rows, &mut next);
        }
        points.iter_mut().zip(&rows).for_each(|(point, row)| *point = place(row));
    }

    /// The pressure of a point, and the gradient there.
    fn pressure(&self, rows: &[Row], i: usize) -> (Real, Vec3) {
        let sums = self.isa.run(PairSums::new(&self.kernel, rows, i, self.lists.of(i)));
        let Outside { at, sum, gradient, .. } = self.outsides[i];
        let outside = sum + gradient.dot(&(place(&rows[i]) - at));
        let concentration = self.kernel.value(0.0) + outside + sums.concentration;
        let pressure = 1.0 + EVENNESS * (concentration - 1.0);
        let push = (sums.gradient * pressure + sums.pressure_gradient) * 0.5;
        (pressure, push + gradient * pressure)
    }
}

impl Default for Outside {
    /// Far from the boundary.
    fn default() -> Self {
        let nothing = Vec3::zeros();
        Outside { at: nothing, sum: 0.0, gradient: nothing, depth: -FAR, steepness: nothing }
    }
}

impl Outside {
    /// From a place.
    fn new(cells: &Cells, surroundings: &Surroundings, at: &Vec3) -> Self {
        let (sum, gradient) = surroundings.at(cells, at);
        if sum == 0.0 {
            return Outside { at: *at, ..Outside::default() };
        }
        let (depth, steepness) = cells.depth_at(at);
        Outside { at: *at, sum, gradient, depth, steepness }
    }

    /// A place as deep in the region as points are, from one that may not be.
    fn kept_in(&self, u: &Vec3) -> Vec3 {
        let excess = self.depth + self.steepness.dot(&(u - self.at)) + GAP;
        let square = self.steepness.norm_squared();
        if excess <= 0.0 || square < 0.01 {
            return *u;
        }
        u - self.steepness * (excess / square.max(0.25))
    }
}

/// The row of a point, with the pressure of a lattice.
fn row(u: &Vec3) -> Row {
    [u.x, u.y, u.z, 1.0]
}

fn place(row: &Row) -> Vec3 {
    Vec3::new(row[0], row[1], row[2])
}

fn limited(way: Vec3) -> Vec3 {
    let length = way.norm();
    if length > MAX_WAY { way * (MAX_WAY / length) } else { way }
}
