//! Free bodies that begin in a wall, in another solid or in each other.

use super::RigidContact;
use hashfall_rigid::ContactPoint;
use std::collections::BTreeMap;

/// Bodies overlap that are deeper in each other than this share of the smaller one \[–\].
const MAX_DEPTH: f64 = 1e-3;

/// Two bodies that begin in each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyOverlap {
    /// Their numbers among all bodies of the solids; 0 are the walls.
    pub bodies: [usize; 2],
    /// How deep \[m\].
    pub depth: f64,
}

impl RigidContact {
    /// Bodies that are in each other now, the deepest point of each pair.
    pub fn overlaps(&self) -> Vec<BodyOverlap> {
        let Ok(mut system) = self.system() else { return Vec::new() };
        // The shortest of steps: contact points of bodies where they are.
        if system.begin_step(f64::MIN_POSITIVE).is_err() {
            return Vec::new();
        }
        let mut deepest = BTreeMap::new();
        for (point, _) in system.contacts() {
            if -point.gap > MAX_DEPTH * self.smaller_size(point) {
                let depth = deepest.entry(point.bodies.map(|k| self.owners[k as usize]));
                let depth: &mut f64 = depth.or_default();
                *depth = depth.max(-point.gap);
            }
        }
        let overlaps = deepest.into_iter();
        overlaps.map(|(bodies, depth)| BodyOverlap { bodies, depth }).collect()
    }

    /// Of the two bodies of a point \[m\].
    fn smaller_size(&self, point: &ContactPoint) -> f64 {
        let sizes = point.bodies.map(|k| self.bodies[k as usize].shape().size());
        sizes[0].min(sizes[1])
    }
}
