//! How the triangles of a shell meet at their edges.

use std::collections::BTreeMap;

/// An edge of a triangle, by the corner that faces it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HalfEdge {
    pub triangle: u32,
    pub corner: usize,
}

/// An edge: of one triangle, or of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    pub first: HalfEdge,
    pub second: Option<HalfEdge>,
}

/// The edges of triangles, each once, in the order of the triangles.
///
/// # Errors
/// The nodes of an edge of three triangles or more.
pub fn edges(triangles: &[[u32; 3]]) -> Result<Vec<Edge>, [u32; 2]> {
    let mut edges: Vec<Edge> = vec![];
    let mut numbers = BTreeMap::new();
    for (triangle, nodes) in (0..).zip(triangles) {
        for corner in 0..3 {
            let half = HalfEdge { triangle, corner };
            let [a, b] = [nodes[(corner + 1) % 3], nodes[(corner + 2) % 3]];
            let key = [a.min(b), a.max(b)];
            let number = *numbers.entry(key).or_insert_with(|| {
                edges.push(Edge { first: half, second: None });
                edges.len() - 1
            });
            let edge: &mut Edge = &mut edges[number];
            if edge.first != half && edge.second.replace(half).is_some() {
                return Err(key);
            }
        }
    }
    Ok(edges)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_are_found_once_with_both_of_their_triangles() {
        let found = edges(&[[0, 1, 2], [2, 1, 3]]).unwrap();
        assert_eq!(found.len(), 5);
        let shared: Vec<_> = found.iter().filter_map(|edge| edge.second).collect();
        assert_eq!(shared, [HalfEdge { triangle: 1, corner: 2 }]);
        assert_eq!(edges(&[[0, 1, 2], [2, 1, 3], [4, 1, 2]]), Err([1, 2]));
    }
}
