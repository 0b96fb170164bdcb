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
//! What surrounds them are not particles that stand, but the exact region
//! ([`super::surroundings`]). Points keep part of their speed, so that excess spreads over a long
//! way in few rounds, and less of it from round to round. None comes nearer to the boundary than
//! half a spacing. W is the cubic spline of range 2 d, whatever the kernel of the scene; a cubic
//! lattice has C = 1.
//!
//! Only points near the boundary move: deeper ones are on their lattice, which is even. Lists of
//! neighbours reach a little farther than W and last until a point has gone half of that.
//!
//! Lengths are in spacings; φ is the signed distance from the boundary.

use super::cells::Cells;
use super::repulsion::{GAP, RANGE, repulsion};
use super::surroundings::Surroundings;
use hashfall_core::kernel::{CubicSpline, SmoothingKernel};
use hashfall_core::parallel::{fill, fill_both, max};
use hashfall_core::{Real, Vec3};
use hashfall_search::{NeighborLists, NeighborSearch, SortedCells};

/// How far lists reach beyond the range.
const SKIN: Real = 0.3;
/// κ: how much uneven concentrations weigh.
const EVENNESS: Real = 4.0;
/// Way down the gradient in a round: half of what the stiffest motion of a lattice allows.
const STEP: Real = 0.1;
/// The part of a point's speed that it keeps, in the first round and in the last.
const KEPT: [Real; 2] = [0.85, 0.5];
/// Neighbours whose kernel is found at once.
const LANES: usize = 16;
/// The longest way of a point in a round.
const MAX_WAY: Real = 0.1;

/// Points in a region, and what is near them.
pub struct Relaxation<'a> {
    cells: &'a Cells,
    surroundings: &'a Surroundings,
    kernel: CubicSpline,
    search: SortedCells,
    lists: NeighborLists,
    /// Where points were when the lists were made.
    listed: Vec<Vec3>,
}

/// What becomes of a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It moves.
    Moves,
    /// It stands, and those that move may be near it.
    Stands,
    /// It stands, far from those that move.
    IsFar,
}

impl<'a> Relaxation<'a> {
    /// Of a region.
    pub fn new(cells: &'a Cells, surroundings: &'a Surroundings) -> Self {
        Relaxation {
            cells,
            surroundings,
            kernel: repulsion(cells.grid.dimension),
            search: SortedCells::default(),
            lists: NeighborLists::default(),
            listed: Vec::new(),
        }
    }

    /// Lists the neighbours of points, unless the lists still hold.
    fn list(&mut self, points: &[Vec3], is_idle: &[bool]) {
        let reach = RANGE as Real + SKIN;
        let moved = if self.listed.len() == points.len() {
            max(points.len(), 0.0, |i| (points[i] - self.listed[i]).norm_squared())
        } else {
            Real::INFINITY
        };
        if moved > 0.25 * SKIN * SKIN {
            self.search.rebuild(points, reach);
            self.lists.build_for(&self.search, points, reach, is_idle);
            self.listed.clear();
            self.listed.extend_from_slice(points);
        }
    }

    /// The concentration at a point, and the gradient of Λ there.
    fn concentration(&self, points: &[Vec3], i: usize) -> (Real, Vec3) {
        let u = &points[i];
        let (outside, gradient) = self.surroundings.at(self.cells, u);
        let own = self.kernel.value(0.0) + outside;
        let mut others = 0.0;
        for near in self.lists.of(i).chunks(LANES) {
            let values = self.of_distances(points, u, near, |r| self.kernel.value(r));
            values[..near.len()].iter().for_each(|value| others += value);
        }
        (own + others, gradient)
    }

    /// A function of the distances of some points from `u`, so many at once that it is found by
    /// vector instructions.
    #[inline(always)]
    fn of_distances(
        &self,
        points: &[Vec3],
        u: &Vec3,
        near: &[u32],
        function: impl Fn(Real) -> Real,
    ) -> [Real; LANES] {
        let mut squares = [0.0; LANES];
        for (square, &j) in squares.iter_mut().zip(near) {
            *square = (u - points[j as usize]).norm_squared();
        }
        squares.map(|square: Real| function(square.sqrt()))
    }

    /// The concentration at each point.
    #[cfg(test)]
    pub fn concentrations(&mut self, points: &[Vec3]) -> Vec<Real> {
        self.list(points, &[]);
        (0..points.len()).map(|i| self.concentration(points, i).0).collect()
    }

    /// Lets points move for so many rounds.
    pub fn relax(&mut self, points: &mut [Vec3], roles: &[Role], rounds: usize) {
        let is_idle: Vec<bool> = roles.iter().map(|role| *role == Role::IsFar).collect();
        let mut ways = vec![Vec3::zeros(); points.len()];
        let mut pressures = vec![1.0; points.len()];
        let mut gradients = vec![Vec3::zeros(); points.len()];
        for round in 0..rounds {
            self.list(points, &is_idle);
            let done = round as Real / rounds as Real;
            let kept = KEPT[0] + (KEPT[1] - KEPT[0]) * done;
            fill_both(&mut pressures, &mut gradients, |i, pressure, gradient| {
                if roles[i] != Role::IsFar {
                    let (concentration, of_outside) = self.concentration(points, i);
                    *pressure = 1.0 + EVENNESS * (concentration - 1.0);
                    *gradient = of_outside;
                }
            });
            fill(&mut ways, |i, way| {
                if roles[i] == Role::Moves {
                    *way = limited(
                        *way * kept - self.uphill(points, &pressures, &gradients, i) * STEP,
                    );
                }
            });
            fill_both(points, &mut ways, |i, u, way| {
                if roles[i] == Role::Moves {
                    let from = *u;
                    *u = self.kept_in(&(from + *way));
                    *way = *u - from;
                }
            });
        }
    }

    /// The gradient at a point, of the pressures of all and the gradients of Λ.
    fn uphill(&self, points: &[Vec3], pressures: &[Real], gradients: &[Vec3], i: usize) -> Vec3 {
        let u = &points[i];
        let mut push = Vec3::zeros();
        for near in self.lists.of(i).chunks(LANES) {
            let slopes = self.of_distances(points, u, near, |r| self.kernel.slope_over_r(r));
            for (&j, slope) in near.iter().zip(slopes) {
                let apart: Vec3 = u - points[j as usize];
                let mean = 0.5 * (pressures[i] + pressures[j as usize]);
                push += apart * (mean * slope);
            }
        }
        push + gradients[i] * pressures[i]
    }

    /// A place as deep in the region as points are, from one that may not be.
    fn kept_in(&self, u: &Vec3) -> Vec3 {
        let mut u = *u;
        for _ in 0..3 {
            let (depth, gradient) = self.cells.depth_at(&u);
            let (steepness, excess) = (gradient.norm(), depth + GAP);
            if excess <= 0.0 || steepness < 0.1 {
                break;
            }
            u -= gradient * (excess / (steepness * steepness).max(0.25));
        }
        u
    }
}

fn limited(way: Vec3) -> Vec3 {
    let length = way.norm();
    if length > MAX_WAY { way * (MAX_WAY / length) } else { way }
}
