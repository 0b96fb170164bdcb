//! Ropes, and ladders of them.

use super::error::{MeshingError, check_count, check_nodes, check_place, check_vector};
use crate::mesh::ElasticMesh;
use hashfall_geometry::Point;

/// A straight rope between two places \[m\], of equal segments; nodes and segments ascend from the
/// first to the second.
///
/// # Errors
/// If a place is not finite, both are one, or the count is 0.
pub fn rope(from: Point, to: Point, segments: u32) -> Result<ElasticMesh, MeshingError> {
    check_place("an end of the rope", &from)?;
    check_vector("the way between the ends of the rope", &(to - from))?;
    check_count("the number of segments of the rope", segments)?;
    check_nodes(&[u64::from(segments) + 1])?;
    let mut mesh = ElasticMesh { nodes: vec![from], ..ElasticMesh::default() };
    add_line(&mut mesh, 0, to, segments);
    Ok(mesh)
}

/// Two straight ropes with rungs between them. The first rope goes from `from` to `to` \[m\], the
/// second is moved by `across` \[m\]. Rungs stand at the middles of `rungs` equal parts of the
/// ropes, each part of twice `half_part` segments; a rung has `across_segments`.
///
/// # Errors
/// If a number is not finite, a length or a count is 0, or rungs are parallel to the ropes.
pub fn rope_ladder(
    [from, to]: [Point; 2],
    across: Point,
    rungs: u32,
    half_part: u32,
    across_segments: u32,
) -> Result<ElasticMesh, MeshingError> {
    check_vector("the rungs of the ladder", &across)?;
    check_count("the number of rungs", rungs)?;
    check_count("the number of segments in half a part of the ladder", half_part)?;
    check_count("the number of segments of a rung", across_segments)?;
    let per_part = 2 * u64::from(half_part) + u64::from(across_segments);
    check_nodes(&[u64::from(rungs), 2 * per_part])?;
    let segments = 2 * half_part * rungs;
    let mut mesh = rope(from, to, segments)?;
    if across.normalize().cross(&(to - from).normalize()).norm() < 1e-9 {
        return Err(MeshingError::Parallel { what: "the ropes and the rungs of the ladder" });
    }
    let second = segments + 1;
    mesh.nodes.push(from + across);
    add_line(&mut mesh, second, to + across, segments);
    for rung in 0..rungs {
        let at = half_part * (2 * rung + 1);
        let end = mesh.nodes[(second + at) as usize];
        add_inner_line(&mut mesh, at, end, across_segments);
        let last = if across_segments == 1 { at } else { mesh.nodes.len() as u32 - 1 };
        mesh.segments.push([last, second + at]);
    }
    Ok(mesh)
}

/// Adds `segments` equal segments from a node to a place, with a node there.
fn add_line(mesh: &mut ElasticMesh, start: u32, end: Point, segments: u32) {
    add_inner_line(mesh, start, end, segments);
    let last = if segments == 1 { start } else { mesh.nodes.len() as u32 - 1 };
    mesh.segments.push([last, mesh.nodes.len() as u32]);
    mesh.nodes.push(end);
}

/// The same but for the last segment and the node at its end.
fn add_inner_line(mesh: &mut ElasticMesh, start: u32, end: Point, segments: u32) {
    let from = mesh.nodes[start as usize];
    let mut before = start;
    for k in 1..segments {
        let node = mesh.nodes.len() as u32;
        mesh.nodes.push(from + (end - from) * (f64::from(k) / f64::from(segments)));
        mesh.segments.push([before, node]);
        before = node;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lengths(mesh: &ElasticMesh) -> Vec<f64> {
        let ends = mesh.segments.iter().map(|s| s.map(|node| mesh.nodes[node as usize]));
        ends.map(|[a, b]| (b - a).norm()).collect()
    }

    #[test]
    fn a_rope_is_of_equal_segments_in_order() {
        for count in [1, 2, 7] {
            let mesh = rope(Point::x(), Point::new(1.0, 0.0, -2.0), count).unwrap();
            assert_eq!(mesh.nodes.len(), count as usize + 1);
            assert!((0..count).zip(&mesh.segments).all(|(k, s)| *s == [k, k + 1]));
            let length = 2.0 / f64::from(count);
            assert!(lengths(&mesh).iter().all(|l| (l - length).abs() < 1e-15));
            assert_eq!(mesh.nodes[count as usize], Point::new(1.0, 0.0, -2.0));
        }
        assert!(rope(Point::x(), Point::x(), 3).is_err());
        assert!(rope(Point::x(), Point::y(), 0).is_err());
    }

    #[test]
    fn rungs_join_both_ropes() {
        for across_segments in [1, 3] {
            let ends = [Point::zeros(), Point::new(0.0, 0.0, -3.0)];
            let mesh = rope_ladder(ends, Point::x(), 3, 2, across_segments).unwrap();
            let inner = across_segments as usize - 1;
            assert_eq!(mesh.nodes.len(), 2 * 13 + 3 * inner);
            assert_eq!(mesh.segments.len(), 2 * 12 + 3 * (inner + 1));
            let total: f64 = lengths(&mesh).iter().sum();
            assert!((total - (2.0 * 3.0 + 3.0)).abs() < 1e-12);
            // Joints: three segments meet at both ends of each rung.
            let degree = |node: u32| mesh.segments.iter().filter(|s| s.contains(&node)).count();
            let joints = (0..mesh.nodes.len() as u32).filter(|node| degree(*node) == 3);
            let heights: Vec<f64> = joints.map(|node| mesh.nodes[node as usize].z).collect();
            assert_eq!(heights, [-0.5, -1.5, -2.5, -0.5, -1.5, -2.5]);
        }
        let ends = [Point::zeros(), Point::x()];
        assert!(rope_ladder(ends, Point::x(), 3, 2, 1).is_err());
    }
}
