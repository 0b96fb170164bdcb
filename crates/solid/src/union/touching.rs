//! Which bodies just touch: they share no more than a thin slab, which is nothing to the fluid.
//!
//! Bodies that a solver of contacts moves lie on each other and are in each other by what it leaves
//! over. Cutting them there would cost more than all else, and all particles near would see them
//! by their triangles: of what touches within [`TOUCHING`] of the support radius the shared slab
//! counts twice.
//!
//! Two bodies share no more than a slab of thickness d if for some direction u
//!
//! - d(u) = max (u·x) over the first − min (u·x) over the second
//!
//! is no more: each is on its side of a plane but for that. d is convex in u; from the line between
//! the middles u goes down its subgradient by Polyak's steps towards what counts as touching
//! (Minimization of unsmooth functionals, 1969). Where that finds no such direction, bodies are cut
//! as all others are, which is exact: how well it searches decides on time, and on no more than
//! such a slab.

use crate::precision::to_point;
use crate::solids::Solids;
use hashfall_core::{Real, Vec3};
use hashfall_geometry::{Aabb, Point};

/// Bodies touch that share a slab of this thickness, in support radii.
const TOUCHING: f64 = 1e-3;

/// Directions that are tried for a pair.
const MAX_TRIALS: usize = 16;

/// Which driven bodies touch.
pub(super) struct Touching<'a> {
    solids: &'a Solids,
    /// By mesh that has triangles, its number among all.
    meshes: Vec<usize>,
    /// The thickest slab \[m\].
    limit: f64,
}

impl<'a> Touching<'a> {
    /// For particles of this support radius \[m\].
    pub fn new(solids: &'a Solids, support: Real) -> Self {
        let has_triangles = |k: &usize| !solids.meshes[*k].triangles.is_empty();
        let meshes = (0..solids.meshes.len()).filter(has_triangles).collect();
        Touching { solids, meshes, limit: TOUCHING * f64::from(support) }
    }

    /// Whether two meshes share no more than a thin slab, or nothing. Only driven bodies are asked;
    /// of others it is false.
    pub fn is_touching(&self, &[a, b]: &[u32; 2]) -> bool {
        let is_driven = |mesh: u32| self.solids.driven_mesh(mesh as usize).is_some();
        if self.limit == 0.0 || !(is_driven(a) || is_driven(b)) {
            return false;
        }
        let middle = |mesh: u32| {
            let Aabb { min, max } = &self.solids.mesh_ends[mesh as usize].1;
            (to_point(min) + to_point(max)) * 0.5
        };
        let [of_a, of_b] =
            [a, b].map(|mesh| &self.solids.meshes[self.meshes[mesh as usize]].vertices[..]);
        let mut way = middle(b) - middle(a);
        for _ in 0..MAX_TRIALS {
            let Some(u) = way.try_normalize(0.0) else { return false };
            let [first, second] = [farthest(of_a, &u), farthest(of_b, &-u)];
            let between = first - second;
            let depth = between.dot(&u);
            if depth <= self.limit {
                return true;
            }
            let slope = between - u * depth;
            let square = slope.norm_squared();
            if square == 0.0 {
                return false;
            }
            way = u - slope * ((depth - 0.5 * self.limit) / square);
        }
        false
    }
}

/// The corner that is farthest in a direction.
fn farthest(corners: &[Vec3], direction: &Point) -> Point {
    let mut best = (f64::NEG_INFINITY, Point::zeros());
    for corner in corners {
        let at = to_point(corner);
        let height = at.dot(direction);
        if height > best.0 {
            best = (height, at);
        }
    }
    best.1
}
