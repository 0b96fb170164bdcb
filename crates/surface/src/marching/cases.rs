//! The 256 cases of marching cubes, derived by a rule.
//!
//! Marching cubes (Lorensen & Cline 1987) joins the crossing edges of a cell by triangles that
//! depend only on which of its corners are inside. Their table leaves holes. Ours follows from one
//! rule per face, so that it cannot:
//!
//! 1. **Face rule.** Walk round a face, counter-clockwise seen from outside the cell. One segment
//!    cuts off each run of inside corners, from the crossing edge before the run to the one after
//!    it. So on an ambiguous face (two inside corners on a diagonal) the inside corners are
//!    separated. The rule reads only the four corners: both cells of a face draw the same segments,
//!    in opposite directions.
//! 2. **Loops.** Each crossing edge lies on two faces of the cell, ends a segment on one and starts
//!    one on the other: the segments form closed loops, counter-clockwise seen from outside the
//!    fluid.
//! 3. **Triangles.** Chords cut a loop into triangles. No chord joins two edges of one face.
//!
//! Why the mesh is a closed, oriented 2-manifold for *any* signs: a segment belongs to one triangle
//! on each side of its face. A chord runs through the interior of its cell (no other cell has both
//! its edges, by 3), where it belongs to the two triangles beside it. Around a vertex, each of the
//! four cells of its grid edge has one fan between the two faces beside the edge, and the four fans
//! close up to one ring. Why no triangle is degenerate: the vertices lie strictly inside their
//! edges; a line meets the cell's boundary in two points at most unless it lies in a face, and no
//! face holds all three vertices.
//!
//! Deviation from Lorensen & Cline: no table and no symmetry classes are copied or stored; case and
//! complement differ on ambiguous faces, on purpose.
//!
//! Corners and cases are bit sets: bit 0, 1, 2 of a corner is its side along x, y, z; bit k of a
//! case says whether corner k is inside.

use std::sync::LazyLock;

/// The triangles of each case.
pub(crate) static CASES: LazyLock<Cases> = LazyLock::new(Cases::derive);

/// An edge of a cell: the axis that it runs along and the corner where it starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Edge {
    pub axis: usize,
    pub corner: usize,
}

/// The twelve edges: four along x, then y, then z.
pub(crate) const EDGES: [Edge; 12] = {
    let mut edges = [Edge { axis: 0, corner: 0 }; 12];
    let mut e = 0;
    while e < 12 {
        let (axis, u, v) = (e / 4, (e / 4 + 1) % 3, (e / 4 + 2) % 3);
        edges[e] = Edge { axis, corner: (e % 2) << u | (e / 2 % 2) << v };
        e += 1;
    }
    edges
};

/// For each case, its triangles as triples of edges, counter-clockwise seen from outside the fluid.
pub(crate) struct Cases {
    starts: [u16; 257],
    triangles: Vec<[u8; 3]>,
}

impl Cases {
    fn derive() -> Self {
        let mut cases = Cases { starts: [0; 257], triangles: Vec::new() };
        for case in 0..256 {
            for polygon in loops(case) {
                let cut = triangulate(&polygon);
                cases.triangles.extend(cut.expect("a test cuts every loop of the 256 cases"));
            }
            cases.starts[case + 1] = cases.triangles.len() as u16;
        }
        cases
    }

    /// The triangles of a case.
    #[inline]
    pub fn triangles(&self, case: usize) -> &[[u8; 3]] {
        &self.triangles[usize::from(self.starts[case])..usize::from(self.starts[case + 1])]
    }
}

/// The corners of a face in counter-clockwise order, seen from outside the cell.
pub(crate) fn face_corners(axis: usize, side: usize) -> [usize; 4] {
    let (u, v) = (1 << ((axis + 1) % 3), 1 << ((axis + 2) % 3));
    let low = side << axis;
    if side == 1 { [low, low | u, low | u | v, low | v] } else { [0, v, u | v, u] }
}

/// The edge between two neighbouring corners.
pub(crate) fn edge_between(a: usize, b: usize) -> usize {
    let axis = (a ^ b).trailing_zeros() as usize;
    let side = |axis: usize| (a >> (axis % 3)) & 1;
    4 * axis + side(axis + 1) + 2 * side(axis + 2)
}

/// The segments of a face as (edge before, edge after) each run of inside corners.
fn face_segments(case: usize, axis: usize, side: usize) -> Vec<(usize, usize)> {
    let corners = face_corners(axis, side);
    let inside = |k: usize| (case >> corners[k % 4]) & 1 == 1;
    let edge = |k: usize| edge_between(corners[k % 4], corners[(k + 1) % 4]);
    (0..4)
        .filter(|&k| !inside(k) && inside(k + 1))
        .filter_map(|before| {
            let after = (before + 1..before + 4).find(|&k| inside(k) && !inside(k + 1))?;
            Some((edge(before), edge(after)))
        })
        .collect()
}

/// The loops of a case: each the crossing edges in order.
fn loops(case: usize) -> Vec<Vec<usize>> {
    let mut next = [None; 12];
    for (axis, side) in (0..6).map(|face| (face / 2, face % 2)) {
        for (before, after) in face_segments(case, axis, side) {
            next[before] = Some(after);
        }
    }
    let mut found = Vec::new();
    for first in 0..12 {
        let mut polygon = Vec::new();
        let mut edge = first;
        while let Some(after) = next[edge].take() {
            polygon.push(edge);
            edge = after;
        }
        if !polygon.is_empty() {
            found.push(polygon);
        }
    }
    found
}

/// Whether two edges lie in one face of the cell.
fn share_a_face(a: usize, b: usize) -> bool {
    let faces = |e: usize| {
        let Edge { axis, corner } = EDGES[e];
        (0..3)
            .filter(|&other| other != axis)
            .fold(0, |set, other| set | 1 << (2 * other + ((corner >> other) & 1)))
    };
    faces(a) & faces(b) != 0
}

/// Cuts a loop into triangles by chords inside the cell; `None` if there is no such way.
pub(crate) fn triangulate(polygon: &[usize]) -> Option<Vec<[u8; 3]>> {
    let count = polygon.len();
    if let &[a, b, c] = polygon {
        return Some(vec![[a as u8, b as u8, c as u8]]);
    }
    (0..count).find_map(|ear| {
        let (before, after) = (polygon[(ear + count - 1) % count], polygon[(ear + 1) % count]);
        if share_a_face(before, after) {
            return None;
        }
        let rest: Vec<usize> = polygon.iter().copied().filter(|&e| e != polygon[ear]).collect();
        let mut triangles = triangulate(&rest)?;
        triangles.push([before as u8, polygon[ear] as u8, after as u8]);
        Some(triangles)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_crossing(case: usize, e: usize) -> bool {
        let Edge { axis, corner } = EDGES[e];
        (case >> corner) & 1 != (case >> (corner | 1 << axis)) & 1
    }

    /// Directed sides of all triangles of a case.
    fn sides(case: usize) -> Vec<(usize, usize)> {
        let turn = |t: &[u8; 3]| [(t[0], t[1]), (t[1], t[2]), (t[2], t[0])];
        let pairs = CASES.triangles(case).iter().flat_map(turn);
        pairs.map(|(a, b)| (usize::from(a), usize::from(b))).collect()
    }

    /// The sides without an opposite side: what is left open towards the six faces.
    fn open_sides(case: usize) -> Vec<(usize, usize)> {
        let all = sides(case);
        all.iter().copied().filter(|&(a, b)| !all.contains(&(b, a))).collect()
    }

    #[test]
    fn edges_are_numbered_by_their_corners() {
        for (e, edge) in EDGES.iter().enumerate() {
            assert_eq!(edge_between(edge.corner, edge.corner | 1 << edge.axis), e);
            assert_eq!(edge_between(edge.corner | 1 << edge.axis, edge.corner), e);
        }
    }

    #[test]
    fn each_case_uses_exactly_its_crossing_edges_and_so_does_its_complement() {
        for case in 0..256 {
            let used = |c: usize, e: u8| CASES.triangles(c).iter().any(|t| t.contains(&e));
            for e in 0..12 {
                assert_eq!(used(case, e), is_crossing(case, e.into()), "case {case} edge {e}");
                assert_eq!(used(255 - case, e), used(case, e));
            }
        }
    }

    #[test]
    fn open_sides_are_the_face_segments_and_all_others_pair_up() {
        for case in 0..256 {
            let mut open = open_sides(case);
            let mut segments: Vec<_> =
                (0..6).flat_map(|f| face_segments(case, f / 2, f % 2)).collect();
            open.sort_unstable();
            segments.sort_unstable();
            assert_eq!(open, segments, "case {case}");
            let mut all = sides(case);
            all.sort_unstable();
            assert!(all.windows(2).all(|w| w[0] != w[1]), "case {case} repeats a side");
        }
    }

    #[test]
    fn two_cells_draw_opposite_segments_on_their_common_face() {
        // An edge on the upper face of the lower cell is one on the lower face of the upper cell.
        for axis in 0..3 {
            let lower = |e: usize| {
                let Edge { axis: along, corner } = EDGES[e];
                edge_between(corner ^ 1 << axis, (corner | 1 << along) ^ 1 << axis)
            };
            let face = |case: usize, side: usize| -> Vec<bool> {
                let mut corners = face_corners(axis, side).map(|c| c & !(1 << axis));
                corners.sort_unstable();
                corners.iter().map(|c| (case >> (c | side << axis)) & 1 == 1).collect()
            };
            for below in 0..256 {
                for above in (0..256).filter(|&above| face(below, 1) == face(above, 0)) {
                    let mut seen_below: Vec<_> = face_segments(below, axis, 1)
                        .into_iter()
                        .map(|(a, b)| (lower(b), lower(a)))
                        .collect();
                    let mut seen_above = face_segments(above, axis, 0);
                    seen_below.sort_unstable();
                    seen_above.sort_unstable();
                    assert_eq!(seen_below, seen_above, "{below} under {above}, axis {axis}");
                }
            }
        }
    }

    #[test]
    fn no_chord_joins_two_edges_of_one_face() {
        for case in 0..256 {
            let open = open_sides(case);
            for side in sides(case).into_iter().filter(|side| !open.contains(side)) {
                assert!(!share_a_face(side.0, side.1), "case {case}: chord {side:?}");
            }
        }
    }

    #[test]
    fn triangles_face_away_from_the_inside() {
        let middle = |e: u8| {
            let Edge { axis, corner } = EDGES[usize::from(e)];
            let mut at = [0, 1, 2].map(|a| ((corner >> a) & 1) as f64);
            at[axis] = 0.5;
            nalgebra::Vector3::from(at)
        };
        for corner in 0..8_usize {
            let triangles = CASES.triangles(1 << corner);
            let [[a, b, c]] = triangles else { panic!("{} triangles", triangles.len()) };
            let normal = (middle(*b) - middle(*a)).cross(&(middle(*c) - middle(*a)));
            let at = nalgebra::Vector3::from([0, 1, 2].map(|a| ((corner >> a) & 1) as f64));
            assert!(normal.dot(&(middle(*a) - at)) > 0.0, "corner {corner}");
        }
        // Two inside corners on a face's diagonal are cut off one by one.
        assert_eq!(CASES.triangles(0b1001).len(), 2);
        assert_eq!(CASES.triangles(255 - 0b1001).len(), 4);
        assert!(CASES.triangles(0).is_empty() && CASES.triangles(255).is_empty());
    }
}
