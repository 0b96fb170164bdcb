//! Places and lengths of elastic meshes, for messages and tolerances.

use hashfall_elastic::ElasticMesh;
use hashfall_geometry::Point;

/// A place for a message.
pub fn place(x: &Point) -> String {
    let [x, y, z] = <[f64; 3]>::from(*x).map(|c| hashfall_core::format_significant(c, 5));
    format!("({x}, {y}, {z})")
}

/// The mean length of the edges of all elements \[m\].
pub fn mean_edge(mesh: &ElasticMesh) -> f64 {
    let edges = mesh.edges();
    let length = |[a, b]: &[u32; 2]| (mesh.nodes[*b as usize] - mesh.nodes[*a as usize]).norm();
    edges.iter().map(length).sum::<f64>() / edges.len().max(1) as f64
}
