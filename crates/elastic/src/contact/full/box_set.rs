//! Boxes of clusters in a broad phase.

use hashfall_core::Real;
use hashfall_geometry::Aabb;
use hashfall_search::{BoxIndex, BroadPhaseKind};
use std::ops::Range;

/// Clusters in a broad phase.
#[derive(Debug)]
pub(super) struct BoxSet {
    kind: BroadPhaseKind,
    /// Most boxes are about as large \[m\].
    smallest: Real,
    index: Option<Box<dyn BoxIndex>>,
    boxes: Vec<Aabb>,
    /// The cluster of each box.
    owner: Vec<u32>,
}

impl BoxSet {
    /// Without clusters, of which most are to have boxes about as large as `smallest` \[m\].
    pub fn new(kind: BroadPhaseKind, smallest: Real) -> Self {
        BoxSet { kind, smallest, index: None, boxes: Vec::new(), owner: Vec::new() }
    }

    /// Takes the boxes that `add` adds for each cluster.
    pub fn fill(&mut self, clusters: Range<usize>, add: impl Fn(usize, &mut Vec<Aabb>)) {
        self.boxes.clear();
        self.owner.clear();
        for cluster in clusters {
            add(cluster, &mut self.boxes);
            self.owner.resize(self.boxes.len(), cluster as u32);
        }
        match &mut self.index {
            Some(index) => index.renew(&mut self.boxes.iter().copied()),
            None => self.index = Some(self.kind.index(self.boxes.clone(), self.smallest)),
        }
    }

    /// Whether it has boxes already.
    pub fn is_filled(&self) -> bool {
        self.index.is_some()
    }

    /// Adds the clusters whose boxes overlap a query.
    pub fn add_overlapping(&self, query: &Aabb, found: &mut Vec<u32>) {
        let first = found.len();
        if let Some(index) = &self.index {
            index.add_overlapping(query, found);
        }
        found[first..].iter_mut().for_each(|k| *k = self.owner[*k as usize]);
    }
}
