//! Solids of the plane: the section of a mesh at y = 0, and prisms along y.
//!
//! A section is a list of segments in the plane of x and z, the inside on their left as x points
//! right and z up. A corner at y = 0 counts as one at y > 0 (Edelsbrunner & Mücke, Simulation of
//! simplicity (1990)), and an edge is cut from the same end by both of its triangles, so that the
//! segments of a closed mesh join to closed loops. A prism has two triangles for each segment, and
//! a cap at each end. Loops may be concave and lie in each other.

use super::TriangleMesh;
use super::caps::cap;
pub use super::segments::{Segment, area, polygon_segments};
use hashfall_core::{Real, Vec3};
use std::collections::HashMap;

/// The section of a mesh in the plane y = 0.
pub fn section(mesh: &TriangleMesh) -> Vec<Segment> {
    let is_above = |v: &Vec3| v.y >= 0.0;
    let cut = |a: Vec3, b: Vec3| {
        let (low, high) = if is_above(&a) { (b, a) } else { (a, b) };
        let part = low.y / (low.y - high.y);
        let place = low + (high - low) * part;
        [place.x, place.z]
    };
    let segment = |t: usize| {
        let corners = mesh.corners(t);
        let k = (0..3).find(|&k| is_above(&corners[k]) && !is_above(&corners[(k + 1) % 3]))?;
        let [a, b, c] = [k, (k + 1) % 3, (k + 2) % 3].map(|k| corners[k]);
        // Down from a to b, and up again from b or c.
        let up = if is_above(&c) { cut(b, c) } else { cut(c, a) };
        Some([up, cut(a, b)]).filter(|[from, to]| from != to)
    };
    (0..mesh.triangles.len()).filter_map(segment).collect()
}

/// The prism over segments from y = −`half` to y = `half` \[m\], its faces outwards; without caps
/// if it is a shell.
pub fn prism(segments: &[Segment], half: Real, is_shell: bool) -> TriangleMesh {
    let mut mesh = TriangleMesh { vertices: Vec::new(), triangles: Vec::new() };
    let mut numbers: HashMap<[u64; 2], u32> = HashMap::new();
    // The low vertex of a place; the high one has the next number.
    let mut vertex = |mesh: &mut TriangleMesh, place: [Real; 2]| {
        let key = place.map(|x| f64::from(x + 0.0).to_bits());
        *numbers.entry(key).or_insert_with(|| {
            let number = mesh.vertices.len() as u32;
            let [x, z] = place;
            mesh.vertices.extend([Vec3::new(x, -half, z), Vec3::new(x, half, z)]);
            number
        })
    };
    for [from, to] in segments {
        let (a, b) = (vertex(&mut mesh, *from), vertex(&mut mesh, *to));
        mesh.triangles.extend([[a, b + 1, b], [a, a + 1, b + 1]]);
    }
    let caps = if is_shell { Vec::new() } else { cap(segments) };
    for triangle in caps {
        let [a, b, c] = triangle.map(|place| vertex(&mut mesh, place));
        mesh.triangles.extend([[a, b, c], [a + 1, c + 1, b + 1]]);
    }
    mesh
}

/// Whether two edges of a polygon cross or touch, other than in the corner that they share: the
/// numbers of their first corners.
pub fn crossing_edges(corners: &[[f64; 2]]) -> Option<[usize; 2]> {
    let n = corners.len();
    let edge = |i: usize| [corners[i], corners[(i + 1) % n]];
    let pairs = (0..n).flat_map(|i| (i + 1..n).map(move |k| [i, k]));
    pairs.into_iter().find(|&[i, k]| {
        let is_next = k == i + 1 || (i == 0 && k == n - 1);
        let ([a, b], [c, d]) = (edge(i), edge(k));
        if is_next {
            // They turn back on each other.
            let (corner, before, after) = if k == i + 1 { (b, a, d) } else { (a, b, c) };
            return turn(before, corner, after) == 0.0 && {
                let arm = |p: [f64; 2]| [p[0] - corner[0], p[1] - corner[1]];
                let (u, v) = (arm(before), arm(after));
                u[0] * v[0] + u[1] * v[1] >= 0.0
            };
        }
        let apart = |p, q, r, s| turn(p, q, r) * turn(p, q, s) > 0.0;
        let overlaps = |x: usize| {
            let span = |p: [f64; 2], q: [f64; 2]| [p[x].min(q[x]), p[x].max(q[x])];
            let ([e, f], [g, h]) = (span(a, b), span(c, d));
            e <= h && g <= f
        };
        overlaps(0) && overlaps(1) && !apart(a, b, c, d) && !apart(c, d, a, b)
    })
}

/// Twice the area of a triangle, positive if it is counter-clockwise.
fn turn(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> f64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Interior;
    use crate::random::Random;
    use crate::shape::{box_mesh, sphere_mesh};
    use hashfall_core::geometry::Aabb;

    /// A concave polygon: a hook.
    const HOOK: [[Real; 2]; 8] = [
        [0.0, 0.0],
        [1.0, 0.0],
        [1.0, 0.8],
        [0.6, 0.9],
        [0.6, 0.3],
        [0.3, 0.25],
        [0.35, 1.0],
        [-0.1, 0.7],
    ];

    /// Whether a place is inside, by counting the edges that a ray to the right meets.
    fn is_inside(corners: &[[Real; 2]], [x, z]: [f64; 2]) -> bool {
        let edges = corners.iter().zip(corners.iter().cycle().skip(1));
        let meets = |(a, b): &(&[Real; 2], &[Real; 2])| {
            let [[ax, az], [bx, bz]] = [a, b].map(|p| p.map(f64::from));
            (az > z) != (bz > z) && x < ax + (z - az) / (bz - az) * (bx - ax)
        };
        edges.filter(meets).count() % 2 == 1
    }

    #[test]
    fn a_prism_holds_what_its_polygon_holds() {
        let mut random = Random::new(8);
        for is_turned in [false, true] {
            let mut corners = HOOK;
            if is_turned {
                corners.reverse();
            }
            let segments = polygon_segments(&corners);
            let mesh = prism(&segments, 0.7, false);
            assert_eq!(mesh.check_closed(), Ok(()));
            let expected = 1.4 * area(segments.iter().copied());
            assert!(expected > 0.0 && (mesh.signed_volume() - expected).abs() < 1e-6);
            let interior = Interior::new(&mesh);
            for _ in 0..3000 {
                let x = random.vec3(-0.4, 1.4);
                let y = 0.5 * x.y;
                let expected = is_inside(&HOOK, [x.x, x.z].map(f64::from)) && y.abs() < 0.7;
                assert_eq!(interior.contains(&Vec3::new(x.x, y, x.z)), expected, "{x}");
            }
        }
    }

    #[test]
    fn the_section_of_a_prism_is_its_polygon() {
        let segments = polygon_segments(&HOOK);
        let again = section(&prism(&segments, 0.7, false));
        let (first, second) = (area(segments), area(again.iter().copied()));
        assert!((first - second).abs() < 1e-6, "{first} {second}");
        let mesh = prism(&again, 0.5, false);
        assert_eq!(mesh.check_closed(), Ok(()));
    }

    #[test]
    fn the_section_of_a_ball_is_a_disc_and_may_have_a_hole() {
        let centre = Vec3::new(0.3, 0.1, -0.2);
        let ball = sphere_mesh(&centre, 0.5, 5);
        let disc = area(section(&ball));
        let exact = std::f64::consts::PI * (0.25 - 0.01);
        assert!((disc / exact - 1.0).abs() < 0.01, "{disc} {exact}");
        let mut shell = ball;
        let hole = box_mesh(&Aabb::new(Vec3::new(0.2, -1.0, -0.3), Vec3::new(0.5, 0.4, 0.0)));
        let first = shell.vertices.len() as u32;
        shell.vertices.extend(&hole.vertices);
        shell.triangles.extend(hole.flipped().triangles.iter().map(|t| t.map(|v| v + first)));
        let segments = section(&shell);
        assert!((area(segments.iter().copied()) - (disc - 0.09)).abs() < 1e-6);
        let prism = prism(&segments, 1.0, false);
        assert_eq!(prism.check_closed(), Ok(()));
        let interior = Interior::new(&prism);
        assert!(interior.contains(&Vec3::new(0.1, 0.0, -0.1)));
        assert!(!interior.contains(&Vec3::new(0.3, 0.0, -0.1)));
        // A corner or a face in the plane is moved off it.
        for low in [-0.5, 0.0, 0.5] {
            let cube =
                box_mesh(&Aabb::new(Vec3::new(0.0, low, 0.0), Vec3::new(1.0, low + 0.5, 1.0)));
            let whole = area(section(&cube));
            assert!((whole - if low == 0.5 { 0.0 } else { 1.0 }).abs() < 1e-6 || low == 0.0);
        }
    }

    #[test]
    fn edges_that_cross_are_found() {
        let exact = |corners: &[[Real; 2]]| -> Vec<[f64; 2]> {
            corners.iter().map(|corner| corner.map(f64::from)).collect()
        };
        assert_eq!(crossing_edges(&exact(&HOOK)), None);
        let bow = [[0.0, 0.0], [1.0, 1.0], [1.0, 0.0], [0.0, 1.0]];
        assert_eq!(crossing_edges(&bow), Some([0, 2]));
        let spike = [[0.0, 0.0], [1.0, 0.0], [0.5, 0.0], [0.5, 1.0]];
        assert_eq!(crossing_edges(&spike), Some([0, 1]));
    }
}
