//! The nearest point of a triangle.
//!
//! Source: Ericson, Real-Time Collision Detection (2005), §5.1.5: which of the seven Voronoi
//! regions (three corners, three edges, the face) holds the point is told by dot products.
//! Deviations: everything is relative to the point and in double precision, so that coordinates in
//! single precision lose nothing; over the face the offset follows the face normal, which is more
//! exact than barycentric coordinates; a triangle without area falls back to its edges.
//!
//! Symbols: a, b, c corners relative to the point \[m\].

use super::point::Point;

/// The vector from `point` to the nearest point of the triangle `corners` \[m\].
///
/// Triangles without area count as the segment or point that they are.
pub fn offset_to_triangle(point: &Point, corners: &[Point; 3]) -> Point {
    let [a, b, c] = corners.map(|corner| corner - point);
    let (ab, ac) = (b - a, c - a);
    let normal = ab.cross(&ac);
    let area2 = normal.norm_squared();
    // Below this the normal is rounding noise of the cross product.
    if area2 <= 1e-24 * ab.norm_squared() * ac.norm_squared() {
        return nearest_of_edges(&a, &b, &c);
    }
    // With p = 0, Ericson's d1..d6 are dot products with −a, −b and −c.
    let (d1, d2) = (-ab.dot(&a), -ac.dot(&a));
    let (d3, d4) = (-ab.dot(&b), -ac.dot(&b));
    let (d5, d6) = (-ab.dot(&c), -ac.dot(&c));
    let over_ab = d1 * d4 - d3 * d2 <= 0.0 && d1 >= 0.0 && d3 <= 0.0;
    let over_ac = d5 * d2 - d1 * d6 <= 0.0 && d2 >= 0.0 && d6 <= 0.0;
    let over_bc = d3 * d6 - d5 * d4 <= 0.0 && d4 >= d3 && d5 >= d6;
    if d1 <= 0.0 && d2 <= 0.0 {
        a
    } else if d3 >= 0.0 && d4 <= d3 {
        b
    } else if over_ab {
        a + ab * (d1 / (d1 - d3))
    } else if d6 >= 0.0 && d5 <= d6 {
        c
    } else if over_ac {
        a + ac * (d2 / (d2 - d6))
    } else if over_bc {
        b + (c - b) * ((d4 - d3) / ((d4 - d3) + (d5 - d6)))
    } else {
        normal * (normal.dot(&a) / area2)
    }
}

/// Whether the way from one point to another leads through a triangle; its edges belong to it.
pub fn is_crossing(from: &Point, to: &Point, corners: &[Point; 3]) -> bool {
    let [a, b, c] = corners;
    let normal = (b - a).cross(&(c - a));
    let (before, after) = (normal.dot(&(from - a)), normal.dot(&(to - a)));
    if before * after > 0.0 || before == after {
        return false;
    }
    let way = to - from;
    let side = |p: &Point, q: &Point| way.dot(&(p - from).cross(&(q - from)));
    let sides = [side(a, b), side(b, c), side(c, a)];
    sides.iter().all(|side| *side >= 0.0) || sides.iter().all(|side| *side <= 0.0)
}

/// The shares of the corners of a triangle in one of its points, which add up to 1. Of a triangle
/// without area its longest edge counts.
pub fn barycentric(point: &Point, corners: &[Point; 3]) -> [f64; 3] {
    let [a, b, c] = corners.map(|corner| corner - point);
    let (ab, ac) = (b - a, c - a);
    let normal = ab.cross(&ac);
    let area2 = normal.norm_squared();
    if area2 > 1e-24 * ab.norm_squared() * ac.norm_squared() {
        let [of_a, of_b] = [b.cross(&c), c.cross(&a)].map(|part| part.dot(&normal) / area2);
        return [of_a, of_b, 1.0 - of_a - of_b];
    }
    let edges = [(0, 1), (1, 2), (2, 0)].map(|(p, q)| (p, q, [a, b, c][q] - [a, b, c][p]));
    let longest = edges.into_iter().fold(edges[0], |best, edge| {
        if edge.2.norm_squared() > best.2.norm_squared() { edge } else { best }
    });
    let (p, q, along) = longest;
    let length2 = along.norm_squared();
    let share = if length2 > 0.0 { -along.dot(&[a, b, c][p]) / length2 } else { 0.0 };
    let mut shares = [0.0; 3];
    (shares[p], shares[q]) = (1.0 - share, share);
    shares
}

/// The unit normal of a triangle by the right-hand rule; `None` if it has no area.
pub fn unit_normal(corners: &[Point; 3]) -> Option<Point> {
    let normal = (corners[1] - corners[0]).cross(&(corners[2] - corners[0]));
    normal.try_normalize(0.0)
}

/// The point nearest to the origin on the edges of a triangle.
fn nearest_of_edges(a: &Point, b: &Point, c: &Point) -> Point {
    let [ab, bc, ca] = [(a, b), (b, c), (c, a)].map(|(p, q)| nearest_on_segment(p, q));
    [bc, ca].into_iter().fold(ab, |nearest, other| {
        if other.norm_squared() < nearest.norm_squared() { other } else { nearest }
    })
}

/// The point nearest to the origin on a segment.
fn nearest_on_segment(p: &Point, q: &Point) -> Point {
    let along = q - p;
    let length2 = along.norm_squared();
    if length2 == 0.0 {
        return *p;
    }
    p + along * (-along.dot(p) / length2).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::random::Random;

    /// The least distance to a dense sample of the triangle: never below the true one.
    fn sampled_distance(point: &Point, [a, b, c]: &[Point; 3], steps: u32) -> f64 {
        let mut least = f64::INFINITY;
        for i in 0..=steps {
            for j in 0..=steps - i {
                let (u, v) = (f64::from(i) / f64::from(steps), f64::from(j) / f64::from(steps));
                least = least.min((a + (b - a) * u + (c - a) * v - point).norm());
            }
        }
        least
    }

    #[test]
    fn it_is_as_near_as_a_dense_sample() {
        let mut random = Random::new(1);
        for _ in 0..400 {
            let corners = std::array::from_fn(|_| random.point(-1.0, 1.0));
            let point = random.point(-2.0, 2.0);
            let distance = offset_to_triangle(&point, &corners).norm();
            let sampled = sampled_distance(&point, &corners, 60);
            assert!(distance <= sampled + 1e-12, "{distance} > {sampled}");
            assert!(sampled - distance < 0.06, "{distance} far below {sampled}");
        }
    }

    #[test]
    fn the_result_lies_on_the_triangle() {
        let mut random = Random::new(2);
        for _ in 0..2000 {
            let corners = std::array::from_fn(|_| random.point(-1.0, 1.0));
            let point = random.point(-2.0, 2.0);
            let on = point + offset_to_triangle(&point, &corners);
            assert!(offset_to_triangle(&on, &corners).norm() < 1e-9);
        }
    }

    #[test]
    fn every_region_gives_its_feature() {
        let corners = [[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [0.0, 2.0, 0.0]].map(Point::from);
        let cases = [
            ([-1.0, -1.0, 1.0], [0.0, 0.0, 0.0]),
            ([3.0, -0.5, 1.0], [2.0, 0.0, 0.0]),
            ([-0.5, 3.0, 1.0], [0.0, 2.0, 0.0]),
            ([1.0, -1.0, 1.0], [1.0, 0.0, 0.0]),
            ([-1.0, 1.0, 1.0], [0.0, 1.0, 0.0]),
            ([2.0, 2.0, 1.0], [1.0, 1.0, 0.0]),
            ([0.5, 0.25, -3.0], [0.5, 0.25, 0.0]),
            ([0.5, 0.25, 0.0], [0.5, 0.25, 0.0]),
        ];
        for (point, nearest) in cases {
            let point = Point::from(point);
            let found = point + offset_to_triangle(&point, &corners);
            assert!((found - Point::from(nearest)).norm() < 1e-12, "{point} {found}");
        }
    }

    #[test]
    fn triangles_without_area_count_as_segments_and_points() {
        let p = Point::new(0.5, 1.0, 0.0);
        let (o, e) = (Point::zeros(), Point::new(1.0, 0.0, 0.0));
        for corners in [[o, e, e], [o, o, e], [e, o, o], [o, e, o], [o, e * 0.3, e]] {
            assert!((offset_to_triangle(&p, &corners).norm() - 1.0).abs() < 1e-12);
        }
        assert_eq!(offset_to_triangle(&p, &[e; 3]), e - p);
        assert_eq!(unit_normal(&[o, e, e]), None);
    }
}
