//! Boxes of primitives in a broad phase.

use super::boxes::Bounds;
use super::pieces::add_pieces;
use super::points::Points;
use super::primitives::Primitives;
use hashfall_core::Real;
use hashfall_geometry::Aabb;
use hashfall_search::{BoxIndex, BroadPhaseKind};

/// What boxes are made of.
pub(super) struct Boxes<'a> {
    pub primitives: &'a Primitives,
    pub points: &'a Points,
    pub bounds: &'a [Bounds],
    pub reach: &'a [f64],
    pub largest: f64,
}

impl Boxes<'_> {
    /// Adds the boxes of a primitive.
    pub fn add<const N: usize>(&self, corners: &[u32; N], out: &mut Vec<Aabb>) {
        let radius = self.primitives.radius[corners[0] as usize];
        if (corners[0] as usize) < self.primitives.nodes {
            let reach = corners.iter().map(|p| self.reach[*p as usize]).fold(0.0, f64::max);
            let x = corners.map(|p| self.points.start[p as usize]);
            return add_pieces(&x, self.largest, reach + radius, out);
        }
        let first = self.bounds[corners[0] as usize];
        let Bounds { min, max } =
            corners[1..].iter().fold(first, |all, p| all.union(&self.bounds[*p as usize]));
        let grown = Bounds { min: min.add_scalar(-radius), max: max.add_scalar(radius) };
        out.push(grown.outwards());
    }
}

/// Primitives in a broad phase.
#[derive(Debug, Default)]
pub(super) struct BoxSet {
    index: Option<Box<dyn BoxIndex>>,
    boxes: Vec<Aabb>,
    /// The primitive of each box.
    owner: Vec<u32>,
}

impl BoxSet {
    /// Takes the boxes of primitives, whose numbers begin with `first`.
    pub fn fill<const N: usize>(
        &mut self,
        primitives: &[[u32; N]],
        first: usize,
        boxes: &Boxes<'_>,
        (kind, smallest): (BroadPhaseKind, Real),
    ) {
        let is_obstacle = first > 0
            || primitives.first().is_some_and(|p| p[0] as usize >= boxes.primitives.nodes);
        let stands = primitives.iter().flatten().all(|p| boxes.reach[*p as usize] == 0.0);
        if is_obstacle && stands && self.index.is_some() {
            return;
        }
        self.boxes.clear();
        self.owner.clear();
        for (number, corners) in (first as u32..).zip(primitives) {
            boxes.add(corners, &mut self.boxes);
            self.owner.resize(self.boxes.len(), number);
        }
        match &mut self.index {
            Some(index) => index.renew(&mut self.boxes.iter().copied()),
            None => self.index = Some(kind.index(self.boxes.clone(), smallest)),
        }
    }

    /// Adds the primitives whose boxes overlap a query.
    pub fn add_overlapping(&self, query: &Aabb, found: &mut Vec<u32>) {
        let first = found.len();
        if let Some(index) = &self.index {
            index.add_overlapping(query, found);
        }
        found[first..].iter_mut().for_each(|k| *k = self.owner[*k as usize]);
    }
}
