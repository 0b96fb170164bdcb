//! Nodes in the middles of the edges of tetrahedra, which quadratic elements need.

use crate::fixing::Fixing;
use crate::mesh::{EDGES, ElasticMesh};
use std::collections::BTreeMap;

impl ElasticMesh {
    /// The mesh with a node in the middle of each edge of its tetrahedra, after its own nodes, in
    /// the order of the tetrahedra; and between which nodes each of them lies. As it is if it has
    /// such nodes.
    pub fn with_edge_nodes(mut self) -> (Self, Vec<[u32; 2]>) {
        let (mut parents, mut numbers) = (vec![], BTreeMap::new());
        if !self.edge_nodes.is_empty() {
            return (self, parents);
        }
        for corners in &self.tetrahedra {
            let middles = EDGES.map(|[i, j]| {
                let [a, b] = [corners[i], corners[j]];
                *numbers.entry([a.min(b), a.max(b)]).or_insert_with(|| {
                    let middle = (self.nodes[a as usize] + self.nodes[b as usize]) * 0.5;
                    self.nodes.push(middle);
                    parents.push([a, b]);
                    self.nodes.len() as u32 - 1
                })
            });
            self.edge_nodes.push(middles);
        }
        (self, parents)
    }
}

/// Holds the nodes that lie between two that are held alike: with one solid, or in space.
pub fn add_between(fixings: &mut Vec<(u32, Fixing)>, parents: &[[u32; 2]], first: u32) {
    let held: BTreeMap<u32, Fixing> = fixings.iter().copied().collect();
    for (node, [a, b]) in (first..).zip(parents) {
        let fixing = match (held.get(a), held.get(b)) {
            (Some(Fixing::Fixed), Some(Fixing::Fixed)) => Fixing::Fixed,
            (
                Some(Fixing::Tied { body, local }),
                Some(Fixing::Tied { body: other, local: end }),
            ) if body == other => Fixing::Tied { body: *body, local: (local + end) * 0.5 },
            _ => continue,
        };
        fixings.push((node, fixing));
    }
}
