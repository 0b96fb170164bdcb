//! Nodes near the surface are moved onto it, so that no cut point is near a node.

use super::Side;
use super::cuts::Cuts;
use super::lattice::Lattice;

/// How near a cut point on a long edge must be, as a part of the edge (α_long).
const ALPHA_LONG: f64 = 0.24999;
/// The same on a short edge (α_short).
const ALPHA_SHORT: f64 = 0.41189;

/// Moves each node that has a cut point too near to such a one. A cut is gone as soon as one end
/// of its edge is on the surface, so that it may spare the other end.
pub(super) fn warp(lattice: &mut Lattice, cuts: &Cuts) {
    let mut violations: Vec<(f64, usize, usize)> = Vec::new();
    for (number, cut) in cuts.all().iter().enumerate() {
        let alpha = if cut.is_long { ALPHA_LONG } else { ALPHA_SHORT };
        for (end, part) in [(0, cut.at), (1, 1.0 - cut.at)] {
            if part < alpha {
                violations.push((part / alpha, number, end));
            }
        }
    }
    violations.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    for (_, number, end) in violations {
        let cut = cuts.all()[number];
        if cut.ends.iter().all(|node| lattice.side[*node as usize] != Side::On) {
            let node = cut.ends[end] as usize;
            lattice.position[node] = cut.point;
            lattice.side[node] = Side::On;
        }
    }
}
