//! The caps of a prism: triangles that cover what closed loops of segments enclose, once.
//!
//! Segments are joined to loops, with the inside on their left: a loop counter-clockwise is an
//! outline, one clockwise is a hole of the smallest outline around it. Each outline is cut into
//! triangles with its holes. Where loops cross, as sections of meshes that overlap do, no
//! triangles cover them once: then triangles from the first place to all segments make the cap,
//! which cancel in the winding number where they overlap.

use crate::polygon::triangulate_flat;
use crate::segments::{Segment, area};
use hashfall_core::Real;
use std::collections::HashMap;

/// A place in the plane of x and z \[m\].
type Place = [Real; 2];

/// Triangles over closed loops of segments, counter-clockwise \[m\].
pub(crate) fn cap(segments: &[Segment]) -> Vec<[Place; 3]> {
    covering(segments).unwrap_or_else(|| fan(segments))
}

/// Triangles that cover the inside once, if there are any.
fn covering(segments: &[Segment]) -> Option<Vec<[Place; 3]>> {
    let loops = loops(segments)?;
    let (mut outlines, holes): (Vec<Loop>, Vec<Loop>) =
        loops.into_iter().partition(|it| it.area > 0.0);
    outlines.sort_by(|a, b| a.area.total_cmp(&b.area));
    let mut holes_of: Vec<Vec<Loop>> = outlines.iter().map(|_| Vec::new()).collect();
    for hole in holes {
        let around = |outline: &Loop| outline.area > -hole.area && outline.contains(&hole.corners);
        holes_of[outlines.iter().position(around)?].push(hole);
    }
    let mut triangles = Vec::new();
    for (outline, holes) in outlines.iter().zip(&holes_of) {
        let rings: Vec<Vec<[f64; 2]>> =
            std::iter::once(outline).chain(holes).map(|ring| plane(&ring.corners)).collect();
        let corners: Vec<Place> =
            std::iter::once(outline).chain(holes).flat_map(|ring| ring.corners.clone()).collect();
        let cut = triangulate_flat(&rings)?;
        triangles.extend(cut.into_iter().map(|triangle| triangle.map(|k| corners[k])));
    }
    Some(triangles)
}

/// Triangles from the first place to all segments.
fn fan(segments: &[Segment]) -> Vec<[Place; 3]> {
    let Some(&[origin, _]) = segments.first() else { return Vec::new() };
    let others = segments.iter().filter(|[a, b]| *a != origin && *b != origin);
    others.map(|&[a, b]| [origin, a, b]).collect()
}

/// A closed loop.
struct Loop {
    corners: Vec<Place>,
    /// Positive if it is counter-clockwise \[m²\].
    area: f64,
}

impl Loop {
    /// Whether the first of some places is inside, by the edges that a ray to the right meets.
    fn contains(&self, places: &[Place]) -> bool {
        let Some(&[x, z]) = places.first() else { return false };
        let [x, z] = [x, z].map(f64::from);
        let corners = plane(&self.corners);
        let edges = corners.iter().zip(corners.iter().cycle().skip(1));
        let meets = |&([ax, az], [bx, bz]): &(&[f64; 2], &[f64; 2])| {
            (*az > z) != (*bz > z) && x < ax + (z - az) / (bz - az) * (bx - ax)
        };
        edges.filter(meets).count() % 2 == 1
    }
}

#[allow(clippy::useless_conversion, reason = "a conversion only where Real is f32")]
fn plane(corners: &[Place]) -> Vec<[f64; 2]> {
    corners.iter().map(|corner| corner.map(f64::from)).collect()
}

/// The loops that segments make; none if one of them stays open.
fn loops(segments: &[Segment]) -> Option<Vec<Loop>> {
    let key = |place: Place| place.map(|x| f64::from(x + 0.0).to_bits());
    let mut from: HashMap<[u64; 2], Vec<usize>> = HashMap::new();
    for (number, [start, _]) in segments.iter().enumerate().rev() {
        from.entry(key(*start)).or_default().push(number);
    }
    let mut is_used = vec![false; segments.len()];
    let mut loops = Vec::new();
    for first in 0..segments.len() {
        if is_used[first] {
            continue;
        }
        let start = key(segments[first][0]);
        let mut members: Vec<usize> = Vec::new();
        while members.is_empty() || key(segments[*members.last()?][1]) != start {
            let at = members.last().map_or(start, |&last| key(segments[last][1]));
            let next = from.get_mut(&at)?.pop()?;
            is_used[next] = true;
            members.push(next);
        }
        let edges = || members.iter().map(|&k| segments[k]);
        loops.push(Loop { corners: edges().map(|[a, _]| a).collect(), area: area(edges()) });
    }
    Some(loops)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::segments::polygon_segments;

    fn total(triangles: &[[Place; 3]]) -> f64 {
        let doubled = |t: &[Place; 3]| {
            let [a, b, c] = t.map(|place| place.map(f64::from));
            (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1])
        };
        0.5 * triangles.iter().map(|t| doubled(t).abs()).sum::<f64>()
    }

    /// A square about a place, of half the edge; a hole if it is turned.
    fn square([x, z]: Place, half: Real, is_hole: bool) -> Vec<Segment> {
        let corners = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
        let segments = polygon_segments(&corners.map(|[u, v]| [x + half * u, z + half * v]));
        segments.into_iter().map(|[a, b]| if is_hole { [b, a] } else { [a, b] }).collect()
    }

    #[test]
    fn a_concave_outline_has_triangles_of_its_own_area() {
        let star: Vec<Place> = (0..24)
            .map(|k| {
                let angle = std::f64::consts::TAU * f64::from(k) / 24.0;
                let radius = if k % 2 == 0 { 1.0 } else { 0.2 };
                [radius * angle.cos(), radius * angle.sin()].map(|x| x as Real)
            })
            .collect();
        let segments = polygon_segments(&star);
        let triangles = cap(&segments);
        assert_eq!(triangles.len(), 22);
        let expected = area(segments.iter().copied());
        assert!((total(&triangles) - expected).abs() < 1e-6, "{}", total(&triangles));
        assert!(total(&fan(&segments)) > 1.5 * expected);
    }

    #[test]
    fn loops_inside_loops_are_holes_and_islands() {
        let rings = [
            square([0.0, 0.0], 4.0, false),
            square([1.0, 0.5], 2.0, true),
            square([1.0, 0.5], 1.0, false),
            square([1.0, 0.5], 0.5, true),
            square([-3.0, -3.0], 0.5, true),
            square([9.0, 0.0], 1.0, false),
        ];
        let triangles = cap(&rings.concat());
        let expected = 64.0 - 16.0 + 4.0 - 1.0 - 1.0 + 4.0;
        assert!((total(&triangles) - expected).abs() < 1e-9, "{}", total(&triangles));
    }

    #[test]
    fn loops_that_cross_get_the_fan_that_cancels() {
        let rings = [square([0.0, 0.0], 1.0, false), square([0.5, 0.5], 1.0, true)].concat();
        assert_eq!(cap(&rings).len(), fan(&rings).len());
        assert!(cap(&[]).is_empty());
    }
}
